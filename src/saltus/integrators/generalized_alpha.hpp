// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/alpha_coefficients.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// The generalized-α method on ℝ³×SO(3) with joints at velocity level, followed by projections of
/// positions and velocities, so that joints hold at both levels at the end of every step. Equation
/// numbers: docs/theory/generalized_alpha.md.
class GeneralizedAlphaStepper {
 public:
  GeneralizedAlphaStepper(const System& system, const GeneralizedAlpha& options);

  /// One step of length h to the time `end`. If it does not converge, `state` is left as it was,
  /// unless `accept` says that the last iterate will do and it is finite.
  StepReport step(State& state, double h, double end, bool accept = false);

  const linalg::FactorizationCounts& factorizations() const { return kkt_.counts(); }
  KktSolver& kkt() { return kkt_; }

 private:
  void predict(const State& state);
  bool solve_smooth_motion(const State& state, StepReport& report);
  bool correct_position(StepReport& report);
  bool correct_velocity(StepReport& report);
  bool is_balanced(const VectorX& r, const VectorX& inertia, const VectorX& reaction) const;
  void finish(State& state);
  void update_energy(const State& state);
  std::string worst_joint(const VectorX& rows) const;
  void fail(StepReport& report, const char* problem, const VectorX& residual, double size) const;

  const System& system_;
  GeneralizedAlpha options_;
  AlphaCoefficients alpha_;
  KktSolver kkt_;

  // Workspace of one step, allocated once. q̃ ṽ of the smooth motion live in smooth_, what the
  // corrections make of them in next_.
  double h_ = 0;
  Instant at_ = {};
  State next_;
  Configuration smooth_;
  VectorX increment_;              // Δq̃: translations and rotation vectors ψ of the step
  VectorX v_smooth_;               // ṽ
  VectorX guess_;                  // multipliers for the first tangent
  VectorX U_, W_, nu_;             // corrections, multiplier of position level
  VectorX x_, r_, g_, Mx_, work_;  // Newton step, residuals, products
  VectorX smooth_balance_;         // f(q̃, ṽ) + G̃ᵀλ̃, without inertia
  ForceTerms terms_;
  VectorX zero_;
  std::vector<Matrix3> T_;
};

}  // namespace saltus
