// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/kkt.hpp"
#include "saltus/integrators/alpha_coefficients.hpp"
#include "saltus/integrators/kept_matrix.hpp"
#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

/// The first sub-problem of a step: the generalized-α method with joints at velocity level, as if
/// nothing else acted. It gives q̃, ṽ and the smooth forces; the corrections of positions and
/// velocities start from them. Equation numbers: docs/theory/generalized_alpha.md.
class SmoothMotion {
 public:
  SmoothMotion(const System& system, KktSolver& kkt, double rho_inf, double tolerance,
               int max_iterations);

  /// From `state` over a step of length h to the time `at`. Accelerations, multipliers and forces
  /// go into `next`. False, with a message in the report, if it did not converge.
  bool solve(const State& state, double h, const Instant& at, State& next, StepReport& report);

  /// Components that stay where they are, with all that they have, in the steps to come; null:
  /// none.
  void freeze(const std::vector<char>* components) { frozen_ = components; }

  // The same in parts, for the coupled scheme: the first guess, then one Newton step at a time,
  // with forces and joints taken at q̃ ∘ exp U and ṽ + W.
  void begin(const State& state, double h, const Instant& at, State& next);
  /// Evaluates; true if converged.
  bool evaluate(const State& state, State& next, const VectorX& U, const VectorX& W);
  /// One Newton step; false, with a message, if the equations are singular.
  bool correct(const State& state, State& next, StepReport& report);
  /// Says who is not in balance, and where.
  void describe_failure(StepReport& report) const;

  const Configuration& configuration() const { return q_; }  ///< q̃
  const VectorX& velocity() const { return v_; }             ///< ṽ
  /// Δq̃ of the step: translations and rotation vectors ψ.
  const VectorX& increment() const { return increment_; }
  /// f(q̃, ṽ) + G̃ᵀλ̃ = M v̇, with the residual that is left.
  const VectorX& balance() const { return balance_; }
  const AlphaCoefficients& coefficients() const { return alpha_; }

 private:
  void predict(const State& state, State& next);
  void hold_frozen(const State& state, State& next);
  void evaluate(const State& state, State& next);
  void evaluate_forces(const Configuration& q, const VectorX& v, State& next);
  void measure_rates(const State& next);
  bool is_exact() const;
  bool has_converged(const State& next);
  bool joints_follow(std::size_t part) const;
  bool is_round_off(std::size_t part) const;
  void find_below_stiffness();
  bool needs_matrix();
  bool linearize(const State& next);
  void take_newton_step(State& next);

  const System& system_;
  KktSolver& kkt_;
  AlphaCoefficients alpha_;
  double tolerance_;
  int max_iterations_;

  // Workspace of one step, allocated once.
  double h_ = 0;
  double to_position_ = 0;      // Δψ/Δṽ
  double to_acceleration_ = 0;  // Δv̇/Δṽ
  Instant at_ = {};
  Configuration q_, shifted_q_;  // q̃, q̃ ∘ exp U
  VectorX v_, increment_, shifted_v_, balance_, round_off_;
  bool is_shifted_ = false;
  std::vector<double> angles_;  // joint angles to be expected at the end of the step
  VectorX guess_;               // multipliers for the first tangent
  VectorX x_, r_, g_, Mx_;      // Newton step, residuals, momentum
  int iteration_ = 0;
  std::vector<Matrix3> T_;
  const std::vector<char>* frozen_ = nullptr;

  // Of the parts that joints and forces connect. Each has its own scales, and is left alone once it
  // is in balance.
  Islands parts_;
  std::vector<char> is_done_;
  Sizes rate_, previous_rate_;  // largest joint velocity
  Sizes speed_;                 // what it is compared with
  Sizes last_step_;             // size of the last Newton step, relative to the speed
  Sizes work_;
  SplitNorms residual_, scale_, momentum_, work_norms_;
  std::vector<char> is_below_stiffness_;
  KeptMatrices matrices_;
};

}  // namespace saltus
