// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/generalized_alpha.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"

namespace saltus {
namespace {

/// Positions are projected to this fraction of the characteristic length.
constexpr double position_tolerance = 1e-13;

/// And velocities to this fraction of the largest speed.
constexpr double velocity_tolerance = 1e-14;

/// A violation below this that no longer falls is accepted: round-off of a long mechanism or of a
/// nearly singular position, or redundant joints that fit each other to so many digits only.
constexpr double round_off = 1e-7;

/// The corrections' own balance needs no more accuracy: they are small.
constexpr double balance_tolerance = 1e-6;

/// Whether a violation that round-off may explain no longer falls; a tiny one may end sooner.
bool has_stalled(int iteration, double violation, double previous, double scale) {
  if (iteration > 0 && violation <= 1e-4 * round_off * scale && violation >= 0.1 * previous) {
    return true;
  }
  return iteration > 1 && violation <= round_off * scale && violation >= 0.5 * previous;
}

}  // namespace

GeneralizedAlphaStepper::GeneralizedAlphaStepper(const System& system,
                                                 const GeneralizedAlpha& options)
    : system_(system),
      options_(options),
      kkt_(system),
      smooth_(system, kkt_, options.rho_inf, options.tolerance, options.max_iterations) {
  for (VectorX* v : {&U_, &W_, &r_, &Mx_, &work_, &smooth_balance_, &zero_}) {
    v->setZero(system.velocities());
  }
  for (VectorX* v : {&total_, &nu_, &g_}) v->setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
  T_.assign(system.nodes().size(), Matrix3::Identity());
}

void GeneralizedAlphaStepper::start(State& state, double h) {
  // v̈₀ from a trial step with ρ∞ = 1, whose a_n is not shifted.
  SmoothMotion trial(system_, kkt_, 1.0, options_.tolerance, options_.max_iterations);
  StepReport report;
  next_ = state;
  if (!trial.solve(state, h, {.time = state.time + h}, next_, report)) return;
  const AlphaCoefficients& alpha = smooth_.coefficients();
  state.pseudo_acceleration +=
      (alpha.alpha_m - alpha.alpha_f) * (next_.acceleration - state.acceleration);  // (18)
}

StepReport GeneralizedAlphaStepper::step(State& state, double h, double end, bool accept) {
  StepReport report;
  h_ = h;
  at_ = {.time = end};
  next_ = state;
  report.converged = smooth_.solve(state, h, at_, next_, report);
  if (report.converged || accept) report.converged &= correct_position(report);
  if (report.converged || accept) report.converged &= correct_velocity(report);
  report.usable = next_.velocity.allFinite() && smooth_.increment().allFinite() && U_.allFinite();
  if (report.converged || (accept && report.usable)) finish(state);
  return report;
}

/// Whether the residual of a correction is small against its inertia and constraint terms.
bool GeneralizedAlphaStepper::is_balanced(const VectorX& r, const VectorX& inertia,
                                          const VectorX& reaction) const {
  const SplitNorm size = split_norm(system_, r);
  const SplitNorm a = split_norm(system_, inertia), b = split_norm(system_, reaction);
  return size.translation <= balance_tolerance * (a.translation + b.translation) &&
         size.rotation <= balance_tolerance * (a.rotation + b.rotation);
}

/// M U − h² fᵖ − Gᵀν = 0, g(q̃ ∘ exp U) = 0                                               (13)
bool GeneralizedAlphaStepper::correct_position(StepReport& report) {
  const int n_v = system_.velocities(), n_c = system_.constraints();
  next_.configuration = smooth_.configuration();
  U_.setZero();
  if (n_c == 0) return true;
  nu_.setZero();
  system_.forces(smooth_.configuration(), smooth_.velocity(), zero_, at_, next_.multiplier, terms_);
  terms_.residual(smooth_balance_);
  smooth_balance_ *= -1;
  const double L = system_.characteristic_length();
  double previous = 0;
  for (int i = 0;; ++i) {
    system_.constraints(next_.configuration, at_.time, g_);
    const double violation = largest_row(system_, g_);
    report.position_violation = violation;
    r_.setZero();
    bool balanced = true;
    if (i > 0) {
      system_.mass_times(smooth_.configuration(), U_, Mx_);
      system_.forces(next_.configuration, smooth_.velocity(), zero_, at_, next_.multiplier, terms_);
      terms_.residual(work_);  // −(f(q, ṽ) + Gᵀλ̃)
      r_ = Mx_ + h_ * h_ * (work_ + smooth_balance_);
      work_.setZero();
      system_.add_constraint_forces(next_.configuration, nu_, work_);
      r_ -= work_;
      balanced = is_balanced(r_, Mx_, work_);
    }
    if (violation <= position_tolerance * L && balanced) return true;
    if (has_stalled(i, violation, previous, L)) return true;
    if (!std::isfinite(violation) || i == options_.max_iterations) {
      report.message = fmt::format(
          "position correction: a joint violation of {:.3g} m remains after "
          "{} iterations ({})",
          violation, i, worst_row_name(system_, g_));
      return false;
    }
    previous = violation;
    tangent_operators(system_.nodes(), U_, T_);
    total_ = next_.multiplier + nu_ / (h_ * h_);
    if (!kkt_.linearize(next_.configuration, smooth_.velocity(), zero_, at_, total_,
                        {.mass = 1,
                         .damping = 0,
                         .stiffness = h_ * h_,
                         .rows = Linearization::Rows::Position,
                         .tangent_operators = &T_})) {
      report.message =
          "position correction: the equations of " + kkt_.singular_parts() + " are singular";
      return false;
    }
    x_.head(n_v) = -r_;
    x_.tail(n_c) = g_;
    kkt_.solve(x_);
    ++report.position_iterations;
    const double turn = largest_rotation(system_, x_);
    if (turn > rotation_cap) x_.head(n_v) *= rotation_cap / turn;
    U_ += x_.head(n_v);
    nu_ += x_.tail(n_c);
    advance(smooth_.configuration(), system_.nodes(), U_, next_.configuration);
  }
}

/// M W − h f* − GᵀΛ = 0, G (ṽ + W) + ∂g/∂t = 0                                           (15)
bool GeneralizedAlphaStepper::correct_velocity(StepReport& report) {
  const int n_v = system_.velocities(), n_c = system_.constraints();
  W_.setZero();
  next_.velocity = smooth_.velocity();
  next_.impulse.setZero();
  if (n_c == 0) return true;
  const double speed = speed_scale(system_, smooth_.velocity(), next_.acceleration, h_);
  double previous = 0;
  for (int i = 0;; ++i) {
    system_.constraint_rates(next_.configuration, next_.velocity, at_.time, g_);
    const double violation = largest_row(system_, g_);
    report.velocity_violation = violation;
    system_.mass_times(next_.configuration, W_, Mx_);
    system_.forces(next_.configuration, next_.velocity, zero_, at_, next_.multiplier, terms_);
    terms_.residual(work_);
    r_ = Mx_ + h_ * (work_ + smooth_balance_);
    work_.setZero();
    system_.add_constraint_forces(next_.configuration, next_.impulse, work_);
    r_ -= work_;
    const bool balanced = is_balanced(r_, Mx_, work_);
    if (violation <= velocity_tolerance * speed && balanced) return true;
    if (has_stalled(i, violation, previous, speed)) return true;
    if (!std::isfinite(violation) || i == options_.max_iterations) {
      report.message = fmt::format(
          "velocity correction: a joint velocity of {:.3g} m/s remains after "
          "{} iterations ({})",
          violation, i, worst_row_name(system_, g_));
      return false;
    }
    previous = violation;
    if (!kkt_.linearize(next_.configuration, next_.velocity, zero_, at_, next_.multiplier,
                        {.mass = 1, .damping = h_, .stiffness = 0})) {
      report.message =
          "velocity correction: the equations of " + kkt_.singular_parts() + " are singular";
      return false;
    }
    x_.head(n_v) = -r_;
    x_.tail(n_c) = g_;
    kkt_.solve(x_);
    ++report.velocity_iterations;
    W_ += x_.head(n_v);
    next_.velocity = smooth_.velocity() + W_;
    next_.impulse += x_.tail(n_c);
  }
}

/// Accumulated rotations, joint angles and energies of the accepted step.
void GeneralizedAlphaStepper::finish(State& state) {
  for (std::size_t i = 0; i < system_.nodes().size(); ++i) {
    const Node& node = system_.nodes()[i];
    if (node.unknowns != 6) continue;
    const Vector3 psi = smooth_.increment().segment<3>(node.first_unknown + 3) +
                        U_.segment<3>(node.first_unknown + 3);
    next_.rotation[i] += state.configuration.nodes[i].R * psi;  // rotations.md (34)
  }
  next_.time = at_.time;
  system_.update_angles(next_.configuration);
  update_energy(state);
  std::swap(state, next_);
}

/// The ledger of one step (docs/theory/energy.md): works of the mean forces along Δq, the
/// scheme's own inertia work, and what the two miss.
void GeneralizedAlphaStepper::update_energy(const State& state) {
  EnergyLedger& energy = next_.energy;
  const ForceTerms& f_n = state.forces;
  const ForceTerms& f = next_.forces;
  const double gamma = smooth_.coefficients().gamma;
  work_ = smooth_.increment() + U_;  // Δq
  const auto work_of = [&](const VectorX& first, const VectorX& last) {
    return 0.5 * (first.dot(work_) + last.dot(work_));
  };
  const double inertia_work = work_of(f_n.inertia, f.inertia);
  const double elastic_work = work_of(f_n.elastic, f.elastic);
  const double damping_work = work_of(f_n.damping, f.damping);
  const double applied_work = work_of(f_n.applied, f.applied);
  const double constraint_work = work_of(f_n.constraint, f.constraint);
  const double drive_work =
      system_.drive_work(state.time, next_.time, state.multiplier, next_.multiplier);

  // ΔT of the scheme: v̄·M (h ā + W) + ½ v_n·(M(q) − M(q_n)) v_n
  r_ = h_ * ((1 - gamma) * state.pseudo_acceleration + gamma * next_.pseudo_acceleration) + W_;
  system_.mass_times(next_.configuration, r_, Mx_);
  double kinetic_change = 0.5 * (state.velocity.dot(Mx_) + next_.velocity.dot(Mx_));
  system_.mass_times(next_.configuration, state.velocity, Mx_);
  kinetic_change += 0.5 * state.velocity.dot(Mx_) - energy.kinetic;

  const double elastic = system_.elastic_energy(next_.configuration);
  energy.external_work += applied_work + drive_work;
  energy.damping_loss -= damping_work;
  energy.numerical_loss += inertia_work - kinetic_change;               // energy.md (6)
  energy.numerical_loss += -elastic_work - (elastic - energy.elastic);  // energy.md (7)
  energy.numerical_loss += drive_work - constraint_work;                // energy.md (8)
  energy.kinetic = system_.kinetic_energy(next_.configuration, next_.velocity);
  energy.gravity = system_.gravity_energy(next_.configuration);
  energy.elastic = elastic;
}

}  // namespace saltus
