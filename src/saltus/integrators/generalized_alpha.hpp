// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/smooth_motion.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// The generalized-α method on ℝ³×SO(3) with joints at velocity level, followed by projections of
/// positions and velocities, so that joints hold at both levels at the end of every step. Equation
/// numbers: docs/theory/generalized_alpha.md.
class GeneralizedAlphaStepper {
 public:
  GeneralizedAlphaStepper(const System& system, const GeneralizedAlpha& options);

  /// Prepares the first step: the scheme's a_n is the acceleration at t_n + (α_m − α_f) h, so a₀ is
  /// moved there (equation 18); multipliers are then of second order from the first step on.
  void start(State& state, double h);

  /// One step of length h to the time `end`. If it does not converge, `state` is left as it was,
  /// unless `accept` says that the last iterate will do and it is finite.
  StepReport step(State& state, double h, double end, bool accept = false);

  const linalg::FactorizationCounts& factorizations() const { return kkt_.counts(); }
  KktSolver& kkt() { return kkt_; }

 private:
  bool correct_position(StepReport& report);
  bool correct_velocity(StepReport& report);
  bool is_balanced(const VectorX& r, const VectorX& inertia, const VectorX& reaction) const;
  void finish(State& state);
  void update_energy(const State& state);

  const System& system_;
  GeneralizedAlpha options_;
  KktSolver kkt_;

  SmoothMotion smooth_;

  // Workspace of one step, allocated once. What the corrections make of q̃ and ṽ is in next_.
  double h_ = 0;
  Instant at_ = {};
  State next_;
  VectorX U_, W_, nu_;             // corrections, multiplier of position level
  VectorX total_;                  // λ̃ + ν/h²
  VectorX x_, r_, g_, Mx_, work_;  // Newton step, residuals, products
  VectorX smooth_balance_;         // f(q̃, ṽ) + G̃ᵀλ̃, without inertia
  ForceTerms terms_;
  VectorX zero_;
  std::vector<Matrix3> T_;
};

}  // namespace saltus
