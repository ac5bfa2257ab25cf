// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "saltus/integrators/contact_impulses.hpp"
#include "saltus/integrators/joint_loads.hpp"
#include "saltus/integrators/smooth_motion.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How the corrections are computed; the same for all steps of a run.
struct CorrectionOptions {
  double tolerance = 1e-10;
  int max_iterations = 25;
  bool force_difference = true;   ///< fᵖ and f*; without them less accurate for stiff forces
  bool position_friction = true;  ///< Coulomb's law at position level too
  ContactOptions contacts = {};
};

/// How much of the force differences acts in a step: the whole of that at its end, which stands for
/// the one that the next smooth motion will lack at its beginning, too; or, where two steps are not
/// of one length and these two differ, both by themselves.                                 (33)
struct DifferenceShares {
  double velocity = 1;              ///< of h f*
  double position = 0.5;            ///< of h² fᵖ: c_h/h²                                  (23)
  const VectorX* before = nullptr;  ///< f* of the last step, which has the rest of 1 and 1/2
};

/// The step at hand: what the corrections read, and in `next` and `report` what they write.
struct StepData {
  const State& start;
  double h;
  Instant at;
  State& next;
  StepReport& report;
  DifferenceShares shares = {};
  /// Components that stay where they are; null: none.
  const std::vector<char>* frozen = nullptr;
};

/// The second sub-problem of a step: joints and contacts at position level,
///   M U − c_h fᵖ − Gᵀν − Hᵀν_c = 0,  g(q̃ ∘ exp U) = 0,  Signorini and Coulomb between g_c and ν_c.
/// It is apart from the velocities, and before them, so that a step can close a gap without giving
/// the bodies the velocity of that motion: then contacts neither drift nor gain energy from it.
/// Equation numbers: docs/theory/nonsmooth_generalized_alpha.md.
class PositionCorrection {
 public:
  PositionCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                     const CorrectionOptions& options);

  /// From q̃ of the smooth motion to next.configuration. False, with a message, if it fails.
  bool solve(const SmoothMotion& smooth, const StepData& step);

  const VectorX& increment() const { return U_; }  ///< U
  /// Of the points of the contact set.
  const std::vector<PositionReaction>& reactions() const { return reactions_; }
  /// Whether the solver has a matrix of the component that the velocity correction can begin with.
  bool leaves_matrix(int component) const;

  void archive(Archive& memory) { memory(solver_); }

 private:
  /// How far the correction of an island is.
  struct Part {
    double length = 0;  ///< L of the island, m
    double reach = 0;   ///< what gaps are a part of: L, or more if it is far from the origin
    double joint_tolerance = 0;  ///< m
    bool is_done = false;
    bool is_frozen = false;  ///< stays where it is: nobody looks
    bool has_failed = false;
    bool moved = false;  ///< whether U of the island is not zero
    /// Whether Newton's method begins where the motion leads if it lasts, and not at q̃.
    bool begins_ahead = false;
    /// Friction was given up in this step: it contradicts joints or other contacts.
    bool is_frictionless = false;
    double violation = 0, previous = 0;                              ///< of joints, m
    double contact_error = std::numeric_limits<double>::infinity();  ///< m
    double previous_error = contact_error;
    double last_move = 0, previous_move = 0;  ///< of Newton's method, m
    bool forces_change = false;               ///< those of elements and loads, with U
    int worst = 0;                            ///< point with the largest error
    nonsmooth::SolveReport solved = {};
  };

  void divide(const StepData& step, const Configuration& q, bool is_first);
  void find_failed(StepReport& report) const;
  bool begin_and_correct(const SmoothMotion& smooth, const StepData& step);
  void begin(const SmoothMotion& smooth, const StepData& step);
  void find_ahead(const SmoothMotion& smooth, const StepData& step);
  bool may_begin_ahead(int island, const StepData& step) const;
  bool change_begin(const StepData& step);
  bool correct(const SmoothMotion& smooth, const StepData& step);
  bool iterate(const SmoothMotion& smooth, const StepData& step);
  bool leave_as_is(int island, StepReport& report);
  void evaluate(const SmoothMotion& smooth, const StepData& step);
  bool has_converged(int iteration);
  bool has_converged(int island, int iteration);
  void measure_balance();
  bool is_in_balance(int island);
  bool are_contacts_met(int island, int iteration);
  void measure_contacts(int island, double& gap_error);
  void add_reactions(const State& start);
  void add_contact_forces(VectorX& f) const;
  bool sticks(std::size_t i, const FrictionPart& part) const;
  double penetration(int island) const;
  void push_apart(int island, const SmoothMotion& smooth, const StepData& step);
  double gap_slack(int island) const;
  double slip_slack(int island) const;
  bool linearize(const StepData& step, int iteration);
  bool needs_matrix(int iteration);
  bool make_matrix(const StepData& step);
  void find_curvatures(const StepData& step);
  void add_rim_curvature(const ContactElement& e, const NodePair& q, double nu);
  bool solve_contacts(int island, const StepData& step);
  nonsmooth::SolveReport solve_problem(int island, bool friction, bool from_rest = false);
  nonsmooth::SolveReport solve_with_loads(int island, const StepData& step);
  void pose(int island);
  void move(const SmoothMotion& smooth, const StepData& step);
  void close_contacts(const StepData& step);
  void describe_failure(const StepData& step, int iterations) const;
  Part& part(int island) { return parts_[static_cast<std::size_t>(island)]; }
  const Part& part(int island) const { return parts_[static_cast<std::size_t>(island)]; }
  const Part& part_of(std::size_t i) const {
    return part(contacts_.island_of(contacts_.points()[i]));
  }

  const System& system_;
  KktSolver& kkt_;
  ContactSet& contacts_;
  CorrectionOptions options_;
  nonsmooth::ContactSolver solver_;
  JointLoads loads_;
  VectorX joints_;  // what joints get, kg m
  std::vector<PositionReaction> reactions_;

  // Workspace, allocated once.
  VectorX U_, ahead_, v_, nu_, total_, x_, w_, l_, r_, g_, Mx_, work_, reaction_, zero_;
  VectorX round_off_;                                              // of the balance
  bool is_balance_measured_ = false, are_nodes_measured_ = false;  // of this iterate
  std::vector<Vector6> gaps_;
  std::vector<NodeBlock> curvatures_;
  ForceTerms terms_;
  std::vector<Part> parts_, old_parts_;  // of islands
  std::vector<int> old_islands_;         // of components, before points were added
  /// Where Newton's method begins: where it seems better, or after a failure at the other place.
  enum class Begin { Chosen, AtSmooth, Ahead };
  std::vector<Begin> begins_;  // of components
  bool is_first_begin_ = true;
  std::vector<char> is_done_;
  Sizes sizes_, far_;
  IslandBalance balance_;
  KeptMatrices matrices_;
  std::vector<char> has_slips_;     // components
  std::vector<char> has_elements_;  // components
  std::vector<char> has_matrix_;    // components without contacts, of this step
};

/// The third sub-problem: joints, contacts and impacts at velocity level,
///   M W − h f* − GᵀΛ − FᵀΛ_c = 0,  G v + ∂g/∂t = 0,  Signorini and Coulomb between the velocities
/// after the step, with restitution, and Λ_c. Positions stay as they were corrected, so that G, H
/// and who is closed are given, and one linear step is exact but for forces of the velocity.
class VelocityCorrection {
 public:
  VelocityCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                     const CorrectionOptions& options);

  /// From ṽ of the smooth motion to next.velocity. Of the corrected positions the reactions are
  /// where the search for impulses begins. False, with a message, if it fails.
  bool solve(const SmoothMotion& smooth, const PositionCorrection& position, const StepData& step);
  /// Instead of solve(), where positions were not found: no impulses.
  void skip(const SmoothMotion& smooth, const StepData& step);

  /// What gyroscopic moments make of the accelerations after an impact: those of the smooth motion
  /// belong to the spin before it, and the next step begins with them.
  void renew_accelerations(const SmoothMotion& smooth, State& next) const;

  /// The motion after an impact, without contacts.
  struct After {
    const KktSolver& kkt;        ///< masses and joints
    const Configuration& ahead;  ///< where the bodies are after the time h without forces
    const VectorX& free;         ///< their velocities then
    const VectorX& joints;       ///< what joints have given in that time, N s
  };
  /// What contacts that stay closed add to the multipliers of joints, of the islands that are not
  /// left out, where it is found. The contact set is that of `ahead` then.
  /// @param loads  N, N m
  /// And in step.next.contacts what stops and friction of joints do.
  void find_joint_loads(const std::vector<char>& left_out, const StepData& step, const After& after,
                        VectorX& loads);

  /// Of an island of the contact set, in the last step.
  bool has_impact(int island) const { return part(island).has_impact; }
  /// And whether it changed forces of dampers and loads.
  bool forces_change(int island) const { return part(island).forces_change; }

  const ContactImpulses& impulses() const { return impulses_; }
  /// Whether the forces at the corrected state were evaluated; those of the smooth motion are the
  /// same where nothing was corrected.
  bool has_forces() const { return has_forces_; }
  const ForceTerms& forces() const { return terms_; }  ///< at q and v. @pre has_forces()
  const VectorX& jump() const { return W_; }           ///< W
  /// f* at q and v; 0 where it was not evaluated.
  const VectorX& difference() const { return difference_; }
  /// Of joints: whether Λ acted along the mean of both ends.
  const std::vector<char>& turned_joints() const { return turned_joints_; }
  const Sizes& speeds() const { return speeds_; }  ///< scales of the islands' velocities

  void archive(Archive& memory) { memory(impulses_); }

 private:
  /// Whether joints or closed contacts hold anything: else there is nothing to correct.
  bool has_work() const;
  /// How far the correction of an island is.
  struct Part {
    bool is_done = false;
    bool is_frozen = false;
    bool has_failed = false;
    /// Contacts load the joints and nothing impacts: Λ acts along a mean too.
    bool lasting = false;
    bool has_impact = false;
    double violation = 0, previous = 0;       ///< of joints, m/s
    double last_step = 0, previous_step = 0;  ///< of Newton's method, m/s
    bool forces_change = false;               ///< those of dampers and loads, with W
    bool is_jamming_told = false;
    bool has_matrix = false;  ///< it has begun with that of the position correction
  };

  void leave_free_bodies();
  void leave_frozen(const StepData& step);
  void find_failed(StepReport& report) const;
  void begin_search(int island, const std::vector<PositionReaction>& positions,
                    const StepData& step);
  void begin(int island, const SmoothMotion& smooth, const std::vector<PositionReaction>& positions,
             const StepData& step);
  bool wins_energy(int island, const StepData& step);
  void mark_lasting();
  void find_struck(const SmoothMotion& smooth, const VectorX& U, const State& start);
  void turn_momentum(const SmoothMotion& smooth, const StepData& step);
  void find_gyroscopic_blocks(const StepData& step);
  bool iterate(const SmoothMotion& smooth, const StepData& step);
  bool needs_matrix(int iteration);
  bool linearize(const StepData& step);
  void evaluate(const SmoothMotion& smooth, const StepData& step);
  bool has_converged(int iteration, const SmoothMotion& smooth, const StepData& step);
  bool do_joints_hold(int island, int iteration) const;
  bool have_joints_stalled(int island, int iteration) const;
  bool is_solved_at_once(int island, int iteration) const;
  bool is_in_balance(int island, int iteration) const;
  double joint_tolerance(int island) const;
  bool solve_contacts(const StepData& step);
  void describe_failure(const StepData& step, int iterations) const;
  Part& part(int island) { return parts_[static_cast<std::size_t>(island)]; }
  const Part& part(int island) const { return parts_[static_cast<std::size_t>(island)]; }

  const System& system_;
  KktSolver& kkt_;
  ContactSet& contacts_;
  CorrectionOptions options_;
  ContactImpulses impulses_;

  VectorX W_, x_, r_, g_, Mx_, work_, reaction_, reaction_at_start_, zero_, loads_, joints_;
  VectorX difference_;
  ForceTerms terms_;
  bool has_forces_ = false;
  std::vector<Part> parts_;  // of islands
  Sizes speeds_, sizes_;
  IslandBalance balance_;
  std::vector<char> is_done_;
  std::vector<char> turned_joints_;  // those of islands in which contacts last
  bool any_lasting_ = false;
  // Rigid bodies on islands with an impact, and what U does to their momentum in body axes.
  struct Struck {
    const RigidInertia* body = nullptr;
    Vector3 turned = Vector3::Zero();  ///< (exp(U)ᵀ − I) J Ω̃
  };
  std::vector<Struck> struck_;
  VectorX start_;  // v_n, its momentum turned likewise
  std::vector<NodeBlock> gyroscopic_;
  KeptMatrices matrices_;
  std::vector<char> has_matrix_;  // components: that of the position correction
};

}  // namespace saltus
