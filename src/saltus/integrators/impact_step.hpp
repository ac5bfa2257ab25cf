// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/impulse/impact_problem.hpp"
#include "saltus/integrators/complementarity_impact.hpp"
#include "saltus/integrators/constrained_motion.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// What an impact did.
struct ImpactOutcome {
  bool converged = true;
  std::string message = {};
  std::vector<ContactEvent> events = {};
  std::vector<Vector3> impulses = {};  ///< of the points, along (n, t1, t2)
  VectorX joint_impulse = {};
  double lost = 0;                         ///< J
  std::vector<double> lost_by_point = {};  ///< J
  int jammed = -1;                         ///< a point that friction and joints held, or −1
  int endless = -1;                        ///< a point of impacts that had to be ended, or −1
  int turning = -1;  ///< of a flat landing with turning slip whose points all count the same, or −1
  int faceless = -1;                        ///< of points that cannot stand for a face, or −1
  std::optional<Collision> collision = {};  ///< with histories, if they are asked for
  std::vector<StepWarning> warnings = {};
  double residual = 0;   ///< relative, of the contact laws, if it is solved as one problem
  bool accurate = true;  ///< whether that is what was asked for
};

/// Velocities before and after an impact of several points at frozen positions: poses the problem
/// of the module impulse, which knows matrices only, or by RestitutionLaw::Complementarity those of
/// time stepping, and applies the impulses.
class ImpactStep {
 public:
  ImpactStep(const System& system, ConstrainedMotion& motion, const EventDriven& options,
             const ContactOptions& contacts = {});

  /// @param points  all that touch; those that do not approach and whose bodies do not collide
  ///                elsewhere take no part.
  /// @param shock   points that slip are taken to approach just fast enough for an impact
  ImpactOutcome resolve(const Configuration& q, double time, std::vector<ClosedPoint>& points,
                        bool shock, VectorX& v);

  /// Points that touch and approach more slowly do not collide, m/s.
  void set_contact_speed(double speed) { contact_speed_ = speed; }

  void archive(Archive& memory) {
    memory(contact_speed_);
    if (whole_) memory(*whole_);
  }

 private:
  void pose(const Configuration& q, const std::vector<ClosedPoint>& points, bool shock);
  void set_groups(const std::vector<ClosedPoint>& points);
  bool resolve_whole(const Configuration& q, double time, std::vector<ClosedPoint>& points,
                     bool shock, VectorX& v, ImpactOutcome& outcome);
  std::vector<char> find_loaded(const std::vector<ClosedPoint>& points) const;
  bool push(const Configuration& q, double time, const std::vector<ClosedPoint>& points,
            VectorX& v) const;
  void add_parts(const std::vector<ClosedPoint>& points, double time, const VectorX& v,
                 ImpactOutcome& outcome) const;
  void press_slips(const std::vector<ClosedPoint>& points);
  int immovable(const std::vector<ClosedPoint>& points) const;
  double free_mobility(const ClosedPoint& point) const;
  Collision collision(impulse::ImpactResult&& result, const std::vector<ClosedPoint>& points,
                      double time) const;
  void add_events(const impulse::ImpactResult& result, const std::vector<ClosedPoint>& points,
                  double time, ImpactOutcome& outcome) const;

  const System& system_;
  ConstrainedMotion& motion_;
  impulse::ImpactOptions options_;
  std::optional<ComplementarityImpact> whole_;  // if that is the law
  double contact_speed_;                        // m/s
  bool as_a_whole_;                             // one coefficient for an impact of two bodies
  impulse::ImpactProblem problem_;
  VectorX pressed_;  // what slips approach by in the problem alone: Painlevé's paradox
  std::vector<MatrixX> responses_;
};

}  // namespace saltus
