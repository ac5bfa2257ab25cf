// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_set.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How contacts are computed; the same for all steps of a run.
struct ContactOptions {
  ContactSolverOptions solver = {};
  MultipleImpacts multiple_impacts = MultipleImpacts::Sequence;
  bool histories = false;  ///< whether reports hold what happens inside of collisions
};

/// The contacts at velocity level: one problem for all that are closed or, where an impact meets
/// contacts that bounce, a sequence of problems (docs/theory/multiple_impacts.md): impact problems,
/// in which only contacts that approach take part, each with its restitution, until none
/// approaches; then the forces of the step, against which all contacts hold at once.
class ContactImpulses {
 public:
  ContactImpulses(const System& system, ContactSet& contacts, const ContactOptions& options);

  /// A linear step of Newton's method at velocity level.
  struct Problem {
    const KktSolver& kkt;
    const VectorX& start;  ///< v_n: the velocities before any impact
    const VectorX& free;   ///< the velocities without contacts, but with joints
    double speed = 0;      ///< scale of the velocities
    double scale = 1;      ///< K is that of the velocities over this: impulse = scale × reaction
  };

  /// Adds the contacts' part to x, the changes of velocities and joint multipliers. Writes the
  /// reactions and, in a step with an impact, the list of impacts.
  /// @return false, with a message, if there is no usable solution.
  bool solve(const Problem& problem, VectorX& x, StepReport& report);

  /// Before the first call of a step, when the points are selected: no reactions, no impacts.
  void begin_step();
  /// And from which impulse of point i the search begins.
  void begin_at(std::size_t i, const Vector6& impulse) { reactions_[i].impulse = impulse; }

  /// Of the points of the contact set.
  const std::vector<VelocityReaction>& reactions() const { return reactions_; }
  /// In steps with an impact: who got what, in order.
  const std::vector<SubImpact>& impacts() const { return impacts_; }

  /// Σ Fᵀ Λ of the last call: the impulses on the unknowns, N s.
  const VectorX& force() const { return force_; }

  /// Newton iterations of the contact problems beyond the first of each linear step.
  int extra_iterations() const { return extra_iterations_; }

  void archive(Archive& memory) { memory(solver_); }

 private:
  /// All contacts at once; the impacts of a sequence; what the forces of the step do after them.
  enum class Phase { Together, Impacts, Forces };

  bool solve_at_once(const Problem& problem, VectorX& x, StepReport& report);
  bool solve_sequence(const Problem& problem, VectorX& x, StepReport& report);
  bool solve_forces(const Problem& problem, bool after_sequence, VectorX& x, StepReport& report);
  void look_before(const Problem& problem);
  Vector6 velocity_before(std::size_t i) const;
  bool needs_sequence(double speed) const;
  void pose_closed(const Problem& problem);
  /// Poses the problem of those that approach faster than `threshold`; false if there are none.
  bool pose_approaching(const Problem& problem, double threshold);
  bool solve_members(const Problem& problem, VectorX& x, StepReport& report);
  /// @param restitution  part of the given restitution, 0 to 1.
  nonsmooth::SolveReport solve_problem(const Problem& problem, double restitution);
  void keep_energy(const Problem& problem, nonsmooth::SolveReport& solved, StepReport& report);
  double loss(const Problem& problem) const;
  double size_of_losses(const Problem& problem) const;
  Vector6 mean_velocity(std::size_t i) const;
  void book(const Problem& problem);
  double largest_approach() const;
  bool judge(const nonsmooth::SolveReport& solved, StepReport& report);
  std::string name_of_worst(const nonsmooth::SolveReport& solved) const;

  const System& system_;
  ContactSet& contacts_;
  ContactOptions options_;
  nonsmooth::ContactSolver solver_;
  std::vector<VelocityReaction> reactions_;
  std::vector<SubImpact> impacts_;

  VectorX w_, l_;  // of one problem
  VectorX force_;
  VectorX jump_;          // what the contacts did to the velocities so far
  VectorX before_, now_;  // velocities: v_n + jump, free + jump
  int extra_iterations_ = 0;
  double speed_ = 0;
  int order_ = 1;  // of the problem at hand
  Phase phase_ = Phase::Together;
};

}  // namespace saltus
