// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_set.hpp"
#include "saltus/integrators/joint_loads.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How contacts are computed; the same for all steps of a run.
struct ContactOptions {
  ContactSolverOptions solver = {};
  MultipleImpacts multiple_impacts = MultipleImpacts::Sequence;
  bool histories = false;  ///< whether reports hold what happens inside of collisions
};

/// The contacts at velocity level, island by island: one problem for all that are closed or, where
/// an impact meets contacts that bounce, a sequence of problems (docs/theory/multiple_impacts.md):
/// impact problems, in which only contacts that approach take part, each with its restitution,
/// until none approaches; then the forces of the step, against which all contacts hold at once.
class ContactImpulses {
 public:
  ContactImpulses(const System& system, ContactSet& contacts, const ContactOptions& options);

  /// A linear step of Newton's method at velocity level, of one island.
  struct Problem {
    int island = 0;  ///< of the contact set
    const KktSolver& kkt;
    const VectorX& start;  ///< v_n: the velocities before any impact
    const VectorX& free;   ///< the velocities without contacts, but with joints
    double speed = 0;      ///< scale of the island's velocities
    double scale = 1;      ///< K is that of the velocities over this: impulse = scale × reaction
    double h = 0;          ///< the step
    /// What joints have got in the step besides their part of x, N s; without it friction in them
    /// has no bound.
    const VectorX* joints = nullptr;
  };

  /// Adds the contacts' part to x, the changes of velocities and joint multipliers. Writes the
  /// reactions of the island and, in a step with an impact, its list of impacts.
  /// @return false, with a message, if there is no usable solution.
  bool solve(const Problem& problem, VectorX& x, StepReport& report);

  /// Before the first call of a step, when the points are selected: no reactions, no impacts.
  void begin_step();
  /// And from which impulse of point i the search begins.
  void begin_at(std::size_t i, const Vector6& impulse) { reactions_[i].impulse = impulse; }

  /// Of the points of the contact set.
  const std::vector<VelocityReaction>& reactions() const { return reactions_; }
  /// Of islands with an impact: who got what, in order, island by island.
  const std::vector<SubImpact>& impacts() const { return impacts_; }

  /// Σ Fᵀ Λ of all islands: the impulses on the unknowns, N s.
  const VectorX& force() const { return force_; }
  /// What impacts add to the multipliers of joints, N s over the problem's scale: the rest of what
  /// contacts add belongs to those that last.
  const VectorX& joint_impacts() const { return joint_impacts_; }
  /// That rest, of row i.
  double joint_load(int i) const { return joint_contacts_[i] - joint_impacts_[i]; }

  /// What joints get from the contacts of the island that stay closed after the impact, added to
  /// `loads`, N s: forces alone press them, none bounces. The impulses stay as they were.
  /// @param problem  `free`: velocities some time after the impact, without contacts; `joints`:
  ///                 what joints have got until then
  /// @return whether it was found
  bool add_joint_loads(const Problem& problem, VectorX& loads);
  /// And what the point gives in it. @pre add_joint_loads() has found that of its island last
  Vector6 load_of_point(std::size_t i) const;

  /// Newton iterations of the contact problems beyond the first of each linear step.
  int extra_iterations() const { return extra_iterations_; }

  void archive(Archive& memory) { memory(solver_, loads_solver_); }

 private:
  /// All contacts at once; the impacts of a sequence; what the forces of the step do after them.
  enum class Phase { Together, Impacts, Forces };

  void clear(const Problem& problem);
  bool solve_in(Phase phase, const Problem& problem, VectorX& x, StepReport& report);
  void mix(const Problem& problem, double share);
  bool is_of(const Problem& problem, const SubImpact& part) const;
  bool leave_mean(const Problem& problem);
  void take_out_impacts(const Problem& problem);
  void leave_forces(const Problem& problem, nonsmooth::ContactSolver& solver);
  void set_lasting(const Problem& problem);
  nonsmooth::SolveReport solve_forces_alone(const Problem& problem,
                                            nonsmooth::ContactSolver& solver);
  void add_response(VectorX& x);
  bool solve_at_once(const Problem& problem, VectorX& x, StepReport& report);
  bool solve_sequence(const Problem& problem, VectorX& x, StepReport& report);
  bool solve_forces(const Problem& problem, bool after_sequence, VectorX& x, StepReport& report);
  void look_before(const Problem& problem);
  Vector12 local(const VectorX& v, const ContactElement& e) const {
    return system_.local(v, e.node_A, e.node_B);
  }
  Vector6 velocity_before(const Problem& problem, std::size_t i) const;
  Vector6 velocity_now(const Problem& problem, std::size_t i) const;
  double share_together(const Problem& problem) const;
  void pose_closed(const Problem& problem);
  /// Poses the problem of those that approach faster than `threshold`; false if there are none.
  bool pose_approaching(const Problem& problem, double threshold);
  bool solve_members(const Problem& problem, VectorX& x, StepReport& report);
  /// @param restitution  part of the given restitution, 0 to 1.
  nonsmooth::SolveReport solve_problem(const Problem& problem, double restitution) {
    return solve_problem(problem, restitution, solver_);
  }
  nonsmooth::SolveReport solve_problem(const Problem& problem, double restitution,
                                       nonsmooth::ContactSolver& solver);
  /// Solves with the bounds of friction in joints that the solution asks for.
  nonsmooth::SolveReport solve_with_loads(const Problem& problem, double restitution,
                                          nonsmooth::ContactSolver& solver,
                                          StepReport* report = nullptr);
  void set_joints(const Problem& problem, const VectorX& x, bool with_forces);
  double joint_load_of(const Problem& problem, std::size_t i);
  bool has_slides(const Problem& problem) const;
  void keep_energy(const Problem& problem, nonsmooth::SolveReport& solved, StepReport& report);
  double loss(const Problem& problem) const;
  double size_of_losses(const Problem& problem) const;
  Vector6 mean_velocity(const Problem& problem, std::size_t i) const;
  void book(const Problem& problem);
  bool judge(const Problem& problem, const nonsmooth::SolveReport& solved, bool finite,
             StepReport& report);
  std::string name_of_worst(const nonsmooth::SolveReport& solved) const;

  const System& system_;
  ContactSet& contacts_;
  ContactOptions options_;
  nonsmooth::ContactSolver solver_;
  nonsmooth::ContactSolver loads_solver_;  // what it learns is not for the motion
  std::vector<VelocityReaction> reactions_;
  std::vector<SubImpact> impacts_;

  VectorX w_, l_;  // of one problem; w is zero where no contact of a free island is
  VectorX kept_w_, kept_l_;
  // The solution at once where it is mixed with that of the sequence.
  VectorX other_x_, other_force_, other_joint_impacts_, other_joint_contacts_;
  std::vector<VelocityReaction> other_reactions_;
  std::vector<SubImpact> other_impacts_;
  VectorX force_, joint_impacts_, joint_contacts_;
  JointLoads loads_;
  VectorX joint_base_, joint_total_;  // impulses of joints without and with the members' reactions
  double load_time_ = 0;              // in which given bounds act
  VectorX jump_;  // what the contacts of the island did to the velocities so far
  std::vector<double> approaches_;
  int extra_iterations_ = 0;
  int order_ = 1;  // of the problem at hand
  Phase phase_ = Phase::Together;
};

}  // namespace saltus
