// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/smooth_motion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
SmoothMotion::SmoothMotion(const System& system, KktSolver& kkt, double rho_inf, double tolerance,
                           int max_iterations)
    : system_(system),
      kkt_(kkt),
      alpha_(rho_inf),
      tolerance_(tolerance),
      max_iterations_(max_iterations),
      q_(system.given_configuration()),
      T_(system.nodes().size(), Matrix3::Identity()),
      parts_(system),
      matrices_(system.components().size()) {
  shifted_q_ = q_;
  for (VectorX* v : {&v_, &increment_, &r_, &Mx_, &shifted_v_, &balance_, &round_off_})
    v->setZero(system.velocities());
  for (VectorX* v : {&guess_, &g_}) v->setZero(system.constraints());
  x_.setZero(system.unknowns());
  angles_ = q_.angles;
  const auto count = static_cast<std::size_t>(parts_.count());
  momentum_.reserve(count);
  is_below_stiffness_.reserve(count);
}

/// M v̇ − f(q̃, ṽ) − G̃ᵀλ̃ = 0, G̃ ṽ + ∂g/∂t = 0                                             (7)
bool SmoothMotion::solve(const State& state, double h, const Instant& at, State& next,
                         StepReport& report) {
  begin(state, h, at, next);
  is_shifted_ = false;
  bool converged = false;
  for (;; ++iteration_) {
    evaluate(state, next);
    if (is_exact()) {
      ++report.smooth_iterations;  // a solve would give nothing
      converged = true;
      break;
    }
    measure_rates(next);
    converged = has_converged(next);
    if (converged) break;
    if (!r_.allFinite() || iteration_ == max_iterations_) {
      describe_failure(report);
      break;
    }
    if (!correct(state, next, report)) break;
  }
  system_.mass_times(q_, next.acceleration, balance_);
  balance_ -= r_;
  return converged;
}

void SmoothMotion::begin(const State& state, double h, const Instant& at, State& next) {
  h_ = h;
  at_ = at;
  to_position_ = h * alpha_.beta / alpha_.gamma;  // (8)
  to_acceleration_ = (1 - alpha_.alpha_m) / ((1 - alpha_.alpha_f) * alpha_.gamma * h);
  iteration_ = 0;
  const auto count = static_cast<std::size_t>(parts_.count());
  is_done_.assign(count, 0);
  last_step_.assign(count, 1.0);
  rate_.assign(count, 0.0);
  predict(state, next);
  if (frozen_ != nullptr) hold_frozen(state, next);
}

/// Parts are components here.
void SmoothMotion::hold_frozen(const State& state, State& next) {
  is_done_ = *frozen_;
  for (int i = 0; i < system_.velocities(); ++i) {
    if (is_done_[static_cast<std::size_t>(parts_.of_unknown(i))] == 0) continue;
    next.pseudo_acceleration[i] = state.pseudo_acceleration[i];
    v_[i] = state.velocity[i];
    increment_[i] = 0;
  }
}

bool SmoothMotion::evaluate(const State& state, State& next, const VectorX& U, const VectorX& W) {
  is_shifted_ = true;
  advance(state.configuration, system_.nodes(), increment_, q_);
  q_.angles = angles_;
  advance(q_, system_.nodes(), U, shifted_q_);
  shifted_v_ = v_ + W;
  std::ranges::fill(is_done_, 0);  // the corrections have moved it
  if (frozen_ != nullptr) is_done_ = *frozen_;
  evaluate_forces(shifted_q_, shifted_v_, next);
  measure_rates(next);
  const bool converged = has_converged(next);
  ++iteration_;
  return converged;
}

bool SmoothMotion::correct(const State& state, State& next, StepReport& report) {
  if (needs_matrix() && !linearize(next)) {
    report.message = "smooth motion: the equations of " + kkt_.singular_parts() + " are singular";
    return false;
  }
  take_newton_step(next);
  if (is_shifted_) advance(state.configuration, system_.nodes(), increment_, q_);
  ++report.smooth_iterations;
  return true;
}

/// First guess: the acceleration does not change.                                        (10)
void SmoothMotion::predict(const State& state, State& next) {
  const auto [alpha_m, alpha_f, gamma, beta] = alpha_;
  const VectorX& a_n = state.pseudo_acceleration;
  VectorX& a = next.pseudo_acceleration;
  next.acceleration = state.acceleration;
  a = (alpha_f * state.acceleration - alpha_m * a_n + (1 - alpha_f) * next.acceleration) /
      (1 - alpha_m);                                                             // (3)
  v_ = state.velocity + h_ * ((1 - gamma) * a_n + gamma * a);                    // (2)
  increment_ = h_ * state.velocity + h_ * h_ * ((0.5 - beta) * a_n + beta * a);  // (1)
  guess_ = state.multiplier;
  next.multiplier.setZero();  // redundant joints: the multipliers of least norm
  system_.predict_angles(state.configuration, state.velocity, h_, angles_);
}

void SmoothMotion::evaluate(const State& state, State& next) {
  advance(state.configuration, system_.nodes(), increment_, q_);
  q_.angles = angles_;
  evaluate_forces(q_, v_, next);
}

void SmoothMotion::evaluate_forces(const Configuration& q, const VectorX& v, State& next) {
  system_.forces(q, v, next.acceleration, at_, next.multiplier, next.forces);
  next.forces.residual(r_);
  system_.constraint_rates(q, v_, at_.time, g_);
}

/// Bodies that nothing but gravity acts upon keep their acceleration to the last bit: the first
/// guess is the solution.
bool SmoothMotion::is_exact() const {
  return iteration_ == 0 && system_.constraints() == 0 && r_.isZero(0);
}

void SmoothMotion::measure_rates(const State& next) {
  previous_rate_ = rate_;
  largest_rows(system_, parts_, g_, rate_);
  speed_scales(system_, parts_, v_, next.acceleration, h_, work_, speed_);
}

/// Balance to the tolerance (12); or one of two proofs that no iteration can do better: a Newton
/// step of nothing with a residual that round-off may be, or a residual that round-off of positions
/// times the stiffness explains entry by entry. Each part is judged by itself.
bool SmoothMotion::has_converged(const State& next) {
  if (iteration_ == 0) return false;
  system_.mass_times(q_, next.acceleration, Mx_);
  split_norms(system_, parts_, r_, residual_);
  force_scales(system_, parts_, next.forces, Mx_, work_norms_, scale_);
  bool all = true, is_looked_at = false;
  for (std::size_t part = 0; part < is_done_.size(); ++part) {
    if (is_done_[part] != 0) continue;
    all = false;
    if (!joints_follow(part)) continue;
    const bool balanced = residual_[part].translation <= tolerance_ * scale_[part].translation &&
                          residual_[part].rotation <= tolerance_ * scale_[part].rotation;  // (12)
    if (!balanced && !is_looked_at) {
      is_looked_at = true;
      system_.mass_times(q_, v_, Mx_);
      split_norms(system_, parts_, Mx_, momentum_);
      find_below_stiffness();
    }
    const bool done = balanced ||
                      (last_step_[part] <= SmoothTuning::smallest_step && is_round_off(part)) ||
                      is_below_stiffness_[part] != 0;
    is_done_[part] = done ? 1 : 0;
  }
  return all || std::ranges::all_of(is_done_, [](char done) { return done != 0; });
}

/// Redundant equations agree on the joints, not at q̃ beside them: their rates cannot all vanish
/// there. What no longer falls is left to the velocity correction.
bool SmoothMotion::joints_follow(std::size_t part) const {
  return rate_[part] <= tolerance_ * speed_[part] ||
         (iteration_ > 1 && rate_[part] >= SmoothTuning::stalled_rate * previous_rate_[part]);
}

/// Forces may all be round-off: then momentum over h is what the residual is compared with.
bool SmoothMotion::is_round_off(std::size_t part) const {
  const SplitNorm &size = residual_[part], &scale = scale_[part], &momentum = momentum_[part];
  return size.translation <=
             SmoothTuning::round_off_share * (scale.translation + momentum.translation / h_) &&
         size.rotation <= SmoothTuning::round_off_share * (scale.rotation + momentum.rotation / h_);
}

/// Whether positions known to round-off explain the residual: |r_i| ≤ Σ_j |S_ij| × round-off of
/// q_j. A node without inertia has the round-off of the nodes that are tied to it.
void SmoothMotion::find_below_stiffness() {
  const auto count = static_cast<std::size_t>(parts_.count());
  const auto part_of = [&](int unknown) {
    return static_cast<std::size_t>(parts_.of_unknown(unknown));
  };
  largest_coordinates(parts_, q_, work_);
  stiffness_terms(system_, parts_, kkt_.matrix(), work_, round_off_);
  work_.assign(count, 0.0);  // the largest of translations
  for (int i = 0; i < system_.velocities(); ++i) {
    double& largest = work_[part_of(i)];
    if (!system_.is_rotation(i)) largest = std::max(largest, round_off_[i]);
  }
  is_below_stiffness_.assign(count, 1);
  const double share = SmoothTuning::position_rounding / to_position_;
  for (int n = 0; n < static_cast<int>(system_.nodes().size()); ++n) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(n)];
    const bool is_tied = system_.node_mass(n) == 0;
    for (int k = 0; k < node.unknowns; ++k) {
      const int i = node.first_unknown + k;
      const std::size_t part = part_of(i);
      const double arm = k < 3 ? 1.0 : parts_.length(static_cast<int>(part));
      const double bound = is_tied ? work_[part] * arm : round_off_[i];
      if (!(std::abs(r_[i]) <= share * bound)) is_below_stiffness_[part] = 0;
    }
  }
}

/// Parts are components here.
bool SmoothMotion::needs_matrix() {
  for (std::size_t part = 0; part < is_done_.size(); ++part) {
    const bool is_done = is_done_[part] != 0;
    if (is_done || is_shifted_ || parts_.is_free(static_cast<int>(part))) {
      matrices_.renew(part, is_done);
    } else {
      matrices_.ask(part, iteration_, last_step_[part]);
    }
  }
  return !matrices_.serve_all();
}

/// The Newton matrix (9); the first one with the last step's multipliers (11).
bool SmoothMotion::linearize(const State& next) {
  const bool first = iteration_ <= (is_shifted_ ? 1 : 0);
  tangent_operators(system_.nodes(), increment_, T_);
  kkt_.keep(matrices_.kept());
  const Configuration& q = is_shifted_ ? shifted_q_ : q_;
  return kkt_.linearize(q, is_shifted_ ? shifted_v_ : v_, next.acceleration, at_,
                        first ? guess_ : next.multiplier,
                        {.mass = to_acceleration_,
                         .damping = 1,
                         .stiffness = to_position_,
                         .rows = Linearization::Rows::Velocity,
                         .tangent_operators = &T_});
}

/// One solve with (9) gives dv; positions and accelerations follow by (8). Parts in balance stay as
/// they are.
void SmoothMotion::take_newton_step(State& next) {
  const int n_v = system_.velocities();
  x_.head(n_v) = -r_;
  x_.tail(system_.constraints()) = g_;
  kkt_.solve(x_);
  leave_out(parts_, is_done_, x_);
  largest_motions(system_, parts_, x_, last_step_);
  for (std::size_t part = 0; part < last_step_.size(); ++part) last_step_[part] /= speed_[part];
  shorten(system_, parts_, to_position_, work_, x_);
  const auto dv = x_.head(n_v);
  v_ += dv;
  next.acceleration += to_acceleration_ * dv;  // (8)
  next.pseudo_acceleration += dv / (alpha_.gamma * h_);
  increment_ += to_position_ * dv;
  next.multiplier += x_.tail(system_.constraints());
}

void SmoothMotion::describe_failure(StepReport& report) const {
  report.failed.assign(is_done_.size(), 0);
  if (!r_.allFinite()) {
    for (int i = 0; i < system_.velocities(); ++i) {
      const auto part = static_cast<std::size_t>(parts_.of_unknown(i));
      if (!std::isfinite(r_[i])) report.failed[part] = 1;
    }
    report.message = fmt::format("smooth motion: {}", not_finite);
    return;
  }
  for (std::size_t part = 0; part < is_done_.size(); ++part) {
    report.failed[part] = is_done_[part] != 0 ? 0 : 1;
  }
  Eigen::Index worst = 0;
  VectorX rest = r_, rows = g_;
  for (int i = 0; i < system_.velocities(); ++i) {
    if (is_done_[static_cast<std::size_t>(parts_.of_unknown(i))] != 0) rest[i] = 0;
  }
  rest.cwiseAbs().maxCoeff(&worst);
  const int part = parts_.of_unknown(static_cast<int>(worst));
  for (int i = 0; i < system_.constraints(); ++i) {
    if (parts_.of_unknown(system_.velocities() + i) != part) rows[i] = 0;
  }
  const SplitNorm size = split_norm(system_, rest);
  report.message = fmt::format(
      "smooth motion: a residual of {:.3g} N and {:.3g} N m remains after {} iterations, the "
      "largest at {}",
      size.translation, size.rotation, iteration_, system_.unknown_name(static_cast<int>(worst)));
  if (!rows.isZero(0)) {
    report.message +=
        fmt::format("; the joint that follows least is {}", worst_row_name(system_, rows));
  }
}

}  // namespace saltus
