// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_impulses.hpp"
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

/// The step at hand: what the corrections read, and in `next` and `report` what they write.
struct StepData {
  const State& start;
  double h;
  Instant at;
  State& next;
  StepReport& report;
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

  /// The contacts' error is compared with the one before even where that is of the last step: in
  /// the first iterations contacts are not looked at while joints do not hold.
  void archive(Archive& memory) { memory(solver_, contact_error_); }

 private:
  bool correct(const SmoothMotion& smooth, const StepData& step);
  bool iterate(const SmoothMotion& smooth, const StepData& step);
  void evaluate(const SmoothMotion& smooth, const StepData& step);
  bool has_converged(int iteration);
  bool are_contacts_met(int iteration);
  void measure_contacts(double& gap_error);
  void add_reactions(const State& start);
  void add_contact_forces(VectorX& f) const;
  bool sticks(std::size_t i, const FrictionPart& part) const;
  double penetration() const;
  void push_apart(const SmoothMotion& smooth, const StepData& step);
  double gap_slack() const;
  double slip_slack() const;
  bool linearize(const StepData& step);
  void find_curvatures(const StepData& step);
  bool solve_contacts(const StepData& step);
  nonsmooth::SolveReport solve_problem(const StepData& step, bool friction, bool from_rest = false);
  void move(const SmoothMotion& smooth, const StepData& step);
  void close_contacts(const StepData& step);
  void describe_failure(const StepData& step, int iterations) const;

  const System& system_;
  KktSolver& kkt_;
  ContactSet& contacts_;
  CorrectionOptions options_;
  nonsmooth::ContactSolver solver_;
  std::vector<PositionReaction> reactions_;

  // Workspace, allocated once.
  VectorX U_, v_, nu_, total_, x_, w_, l_, r_, g_, Mx_, work_, reaction_, zero_;
  std::vector<Vector6> gaps_;
  std::vector<NodeBlock> curvatures_;
  ForceTerms terms_;
  double last_move_ = 0;  // of Newton's method, m
  double violation_ = 0, previous_ = 0, contact_error_ = 0, previous_error_ = 0;
  int worst_ = 0;  // point with the largest error
  nonsmooth::SolveReport solved_;
  bool frictionless_ = false;  // friction was given up in this step: it contradicts the joints
};

/// The third sub-problem: joints, contacts and impacts at velocity level,
///   M W − h f* − GᵀΛ − FᵀΛ_c = 0,  G v + ∂g/∂t = 0,  Signorini and Coulomb between the velocities
/// after the step, with restitution, and Λ_c. Positions stay as they were corrected, so that G, H
/// and who is closed are given, and one linear step is exact but for forces of the velocity.
class VelocityCorrection {
 public:
  VelocityCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                     const CorrectionOptions& options);

  /// From ṽ of the smooth motion to next.velocity; `positions` are where the search for impulses
  /// begins. False, with a message, if it fails.
  bool solve(const SmoothMotion& smooth, const std::vector<PositionReaction>& positions,
             const StepData& step);
  /// Instead of solve(), where positions were not found: no impulses.
  void skip() { impulses_.begin_step(); }

  const ContactImpulses& impulses() const { return impulses_; }
  const VectorX& jump() const { return W_; }  ///< W
  double speed() const { return speed_; }     ///< scale of the velocities of the last step

  void archive(Archive& memory) { memory(impulses_); }

 private:
  /// Along which contacts that last react.
  enum class Rows { MeanOfLasting, OfTheEnd };

  bool solve_along(Rows rows, const SmoothMotion& smooth,
                   const std::vector<PositionReaction>& positions, const StepData& step);
  bool wins_energy(const StepData& step);
  bool iterate(const SmoothMotion& smooth, const StepData& step);
  void evaluate(const SmoothMotion& smooth, const StepData& step);
  bool has_converged(int iteration);
  bool solve_contacts(const StepData& step);
  void warn_of_jamming(const StepData& step);

  const System& system_;
  KktSolver& kkt_;
  ContactSet& contacts_;
  CorrectionOptions options_;
  ContactImpulses impulses_;

  VectorX W_, x_, r_, g_, Mx_, work_, reaction_, zero_;
  ForceTerms terms_;
  double last_step_ = 0;  // of Newton's method, m/s
  double speed_ = 0, violation_ = 0, previous_ = 0;
  bool lasting_ = false;  // contacts load the joints and nothing impacts: Λ acts along a mean too
};

}  // namespace saltus
