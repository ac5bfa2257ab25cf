// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/choices.hpp"

namespace saltus::impulse {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

/// The coefficient e* ∈ [−1, 1] of an event. Negative: the event ends before compression does.
struct EventRestitution {
  std::vector<double> by_points;  ///< of events with 1, 2, … points of a group; the last for more
  std::vector<double> by_order;   ///< of the first, second, … event; the last for later ones
  // Both empty: the mean of the coefficients of the group's points.
};

/// A point of contact between two bodies at the moment of an impact.
struct ImpactPoint {
  int group = 0;     ///< points between the same two bodies have the same number, 0, 1, …
  Vector3 position;  ///< inertial
  Matrix3 axes;      ///< columns n, t1, t2 (inertial); n points towards the second body
  double restitution = 0;
  double friction = 0;         ///< while it slips
  double static_friction = 0;  ///< ≥ what sticking needs
  /// Instead of `restitution`: the coefficient at a speed of approach before an event, m/s.
  std::function<double(double)> restitution_at = {};
};

/// Several points of contact at the moment of an impact. Velocities and impulses are stacked
/// (n, t1, t2) per point; u = u(0) + W p at frozen positions. A point approaches if u_n < 0.
struct ImpactProblem {
  MatrixX W;  ///< symmetric, positive semidefinite, often singular
  VectorX u;  ///< before the impact
  std::vector<ImpactPoint> points;
};

/// The laws of an impact, and how accurately it is followed.
struct ImpactOptions {
  RestitutionLaw law = RestitutionLaw::Energetic;
  NormalWork normal_work = NormalWork::Integral;
  Composition composition = Composition::Consistent;
  EventRestitution restitution;
  ShareRule shares = ShareRule::Points;
  double speed_tolerance = 1e-9;  ///< ε_v: slower approach is contact, not impact, m/s
  double tolerance = 1e-12;       ///< of integrations in the impulse domain, relative
  int most_events = 1000;
  bool histories = false;  ///< whether events keep their samples
};

/// A moment inside an event.
struct EventSample {
  double p = 0;  ///< the independent variable: sum of the normal impulses of the event so far
  VectorX u;     ///< of all points of the problem
  VectorX impulses;
  double normal_work = 0;
  VectorX works;                    ///< normal and friction work of every point of the problem, J
  std::vector<double> group_works;  ///< normal work of each group, as the law measures it, J
  bool straight = true;             ///< whether velocities were linear in p since the sample before
};

/// What a point does at the end of an event, beside its first slip.
enum class PointState { Slips, Sticks, Reverses };

/// One event: points that share one passage through compression and restitution.
struct ImpactEvent {
  std::vector<int> points;
  std::vector<int> groups;
  std::vector<int> group_of;                ///< of each point, its place in `groups`
  std::vector<double> coefficient;          ///< e* of each group
  std::vector<double> compression_work;     ///< W_nc of each group, J, ≤ 0
  std::vector<double> normal_work;          ///< W_nf of each group
  std::vector<double> compression_impulse;  ///< Σ p_n of the group at the end of compression
  std::vector<PointState> states;           ///< of each point at the end
  VectorX impulses;                         ///< of this event, all points of the problem
  VectorX u;                                ///< after it
  int transitions = 0;                      ///< changes of stick and slip inside
  int equal_shares = 0;  ///< groups in which the rule of shares pulled, and equal ones stood for it
  /// Groups whose points slip in different directions, and what stands behind their shares.
  int turning_groups = 0;   ///< shares of equal points: the motion depends on how many there are
  int faceless_groups = 0;  ///< asked to stand for a face, and cannot
  bool jammed = false;      ///< whether friction and joints held points that should have bounced
  bool coarse = false;      ///< whether turning slip was followed in straight pieces, a last resort
  std::vector<EventSample> samples;
};

/// What a collision did, event by event.
struct ImpactResult {
  VectorX impulses;  ///< total
  VectorX u;         ///< after the last event
  std::vector<ImpactEvent> events;
  double normal_work = 0, friction_work = 0;  ///< done by the impulses, J, ≤ 0 if consistent
  /// Whether events went on and on, so that the last of them are without restitution.
  bool endless = false;
  bool converged = true;
  std::string message;  ///< why not
};

/// Goes through the events of a collision until no point approaches faster than the tolerance.
ImpactResult resolve_impact(const ImpactProblem& problem, const ImpactOptions& options);

}  // namespace saltus::impulse
