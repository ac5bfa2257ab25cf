// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_flow.hpp"
#include "saltus/impulse/normal_work.hpp"
#include "saltus/impulse/path_state.hpp"
#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

/// A step of p in which nothing changes but what the flow changes: no point comes to rest, the
/// normal work of no group has an extremum inside.
struct PathStep {
  PathState start;
  double length = 0;
  bool straight = false;  ///< directions of slip do not turn: all is linear or quadratic in p
  ImpactModes modes;
  Flow flow;  ///< at the start
};

/// How the exploration of a path ended.
enum class PathEnd {
  Recovered,  ///< all groups that act have what they had before, as for e = 1
  Endless     ///< no impulse stops the approach, or too many steps
};

/// The way of an event through the impulse domain, from a state on.
class ImpactPath {
 public:
  /// `longest`: of steps that turn, over the impulse that compression may need; 0: any.
  ImpactPath(const ImpactSystem& system, const NormalWorkMeasure& measure, RestitutionLaw law,
             double tolerance, double longest);

  /// V of each group with the modes that the points at rest settle to.
  VectorX settled_speeds(const PathState& state, const ImpactModes& modes);

  /// Goes on from `state` until every group that acts has recovered; groups that have, stop on the
  /// way. `least`: the least work of each group so far, and its impulse then.
  PathEnd explore(PathState state, ImpactModes modes, std::vector<LeastWork> least);

  const std::vector<PathStep>& steps() const { return steps_; }
  const PathState& end() const { return state_; }
  const ImpactModes& end_modes() const { return modes_; }
  /// The start of step k, or the end.
  /// Whether a group ended because friction and joints held it.
  bool has_jammed() const { return jammed_; }
  const PathState& boundary(int k) const;

  /// The state a part of the length after the start of a step.
  PathState after(const PathStep& step, double part) const;

 private:
  /// What a trial step tells besides its end.
  struct StepError {
    double size = 0;
    Flow end_flow;
    std::vector<char> equal;  ///< groups that lost their shares in a stage
    bool proportional = false;
  };

  void advance(const PathStep& step);
  void keep_fallbacks();
  void freeze_directions();
  bool needs_settling() const;
  double slip_speed(int point) const;
  /// Slower slip is rest.
  double rest_speed() const {
    return (modes_.frozen ? PathTuning::frozen_rest_speed : PathTuning::rest_speed) * speed_scale_;
  }
  bool waits(int point) const;
  void settle_points();
  void close_recovered();
  bool has_recovered(int group) const;
  bool is_jammed(int group) const;
  bool supports(int group) const;
  double negligible_rate(int group) const;
  bool straight() const;
  double straight_length() const;
  double length_to_rest() const;
  double length_to_turn() const;
  double length_of_group(int group) const;
  bool turning_step(PathStep& step);
  bool meets_fallback(const StepError& error);
  double weighted_error(const VectorX& error, const PathStep& step) const;
  double first_change(const PathStep& step, const PathState& end, const Flow& flow) const;
  bool slips_with_friction(int point) const;
  bool sticks(int point) const;
  Vector2 direction(int point) const;
  double integral_rate(const Eigen::Ref<const VectorX>& u, const Flow& flow, int group) const;
  Vector2 work_rates(const Eigen::Ref<const VectorX>& u, const Flow& flow, int point) const;
  VectorX rate(const PathState& state, const Flow& flow) const;
  PathState runge_kutta(const PathStep& step, double h, StepError* error) const;

  const ImpactSystem& system_;
  const NormalWorkMeasure& measure_;
  RestitutionLaw law_;
  double tolerance_, longest_;
  int settlements_ = 0;
  double speed_scale_ = 0, next_length_ = 0;
  PathState state_;
  ImpactModes modes_;
  Flow flow_;
  bool end_known_ = false;  ///< whether state and flow are those at the end of the step already
  mutable MatrixX slopes_;
  std::vector<LeastWork> least_;
  std::vector<PathStep> steps_;
  bool jammed_ = false;
};

}  // namespace saltus::impulse
