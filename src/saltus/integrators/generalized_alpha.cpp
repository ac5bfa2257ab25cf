// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/generalized_alpha.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"

namespace saltus {
namespace {

/// No Newton step turns a node by more than this; longer ones are shortened as a whole.
constexpr double rotation_cap = 0.1;  // rad

/// A Newton step smaller than this, relative to the motion, ends the iteration whatever the
/// residual: what remains is round-off of stiff elements.
constexpr double smallest_step = 1e-11;

/// Positions are projected to this fraction of the characteristic length.
constexpr double position_tolerance = 1e-13;

/// And velocities to this fraction of the largest speed.
constexpr double velocity_tolerance = 1e-14;

/// A violation below this that no longer falls is accepted: it is round-off.
constexpr double round_off = 1e-11;

/// The corrections' own balance needs no more accuracy: they are small.
constexpr double balance_tolerance = 1e-6;

void cap_rotations(const System& system, double rotation, VectorX& x) {
  if (rotation > rotation_cap) x.head(system.velocities()) *= rotation_cap / rotation;
}

}  // namespace

GeneralizedAlphaStepper::GeneralizedAlphaStepper(const System& system,
                                                 const GeneralizedAlpha& options)
    : system_(system), options_(options), alpha_(options.rho_inf), kkt_(system) {
  const int n_v = system.velocities(), n_c = system.constraints();
  for (VectorX* v :
       {&increment_, &v_smooth_, &U_, &W_, &r_, &Mx_, &work_, &smooth_balance_, &zero_}) {
    v->setZero(n_v);
  }
  for (VectorX* v : {&guess_, &nu_, &g_}) v->setZero(n_c);
  x_.setZero(system.unknowns());
  terms_.resize(n_v);
  smooth_ = system.given_configuration();
  T_.assign(system.nodes().size(), Matrix3::Identity());
}

StepReport GeneralizedAlphaStepper::step(State& state, double h, double end, bool accept) {
  StepReport report;
  h_ = h;
  at_ = {.time = end};
  predict(state);
  report.converged = solve_smooth_motion(state, report);
  if (report.converged || accept) report.converged &= correct_position(report);
  if (report.converged || accept) report.converged &= correct_velocity(report);
  report.usable = next_.velocity.allFinite() && increment_.allFinite() && U_.allFinite();
  if (report.converged || (accept && report.usable)) finish(state);
  return report;
}

/// First guess: the acceleration does not change.
void GeneralizedAlphaStepper::predict(const State& state) {
  const auto [alpha_m, alpha_f, gamma, beta] = alpha_;
  next_ = state;
  smooth_.angles = state.configuration.angles;
  next_.acceleration = state.acceleration;
  next_.pseudo_acceleration = (alpha_f * state.acceleration - alpha_m * state.pseudo_acceleration +
                               (1 - alpha_f) * next_.acceleration) /
                              (1 - alpha_m);  // (3)
  const VectorX& a_n = state.pseudo_acceleration;
  const VectorX& a = next_.pseudo_acceleration;
  v_smooth_ = state.velocity + h_ * ((1 - gamma) * a_n + gamma * a);             // (2)
  increment_ = h_ * state.velocity + h_ * h_ * ((0.5 - beta) * a_n + beta * a);  // (1)
  guess_ = state.multiplier;
  next_.multiplier.setZero();  // redundant joints: the multipliers of least norm
}

/// M v̇ − f(q̃, ṽ) − G̃ᵀλ̃ = 0, G̃ ṽ + ∂g/∂t = 0                                             (7)
bool GeneralizedAlphaStepper::solve_smooth_motion(const State& state, StepReport& report) {
  const auto [alpha_m, alpha_f, gamma, beta] = alpha_;
  const double to_position = h_ * beta / gamma;                                 // Δψ/Δṽ
  const double to_acceleration = (1 - alpha_m) / ((1 - alpha_f) * gamma * h_);  // Δv̇/Δṽ
  const int n_v = system_.velocities(), n_c = system_.constraints();
  double last_step = 1;  // relative size of the last Newton step
  double previous_rate = 0;
  for (int i = 0;; ++i) {
    advance(state.configuration, system_.nodes(), increment_, smooth_);
    system_.forces(smooth_, v_smooth_, next_.acceleration, at_, next_.multiplier, next_.forces);
    next_.forces.residual(r_);
    system_.constraint_rates(smooth_, v_smooth_, at_.time, g_);

    system_.mass_times(smooth_, next_.acceleration, Mx_);
    const SplitNorm size = split_norm(system_, r_);
    const SplitNorm scale = force_scale(system_, next_.forces, Mx_);
    const double speed = speed_scale(system_, v_smooth_, next_.acceleration, h_);
    const double tolerance = options_.tolerance;
    const double rate = largest_row(system_, g_);
    // Redundant equations agree on the joints, not at q̃ beside them: their rates cannot all vanish
    // there. What no longer falls is left to the velocity correction.
    const bool met = rate <= tolerance * speed || (i > 1 && rate >= 0.5 * previous_rate);
    const bool balanced = size.translation <= tolerance * scale.translation &&
                          size.rotation <= tolerance * scale.rotation && met;  // (12)
    previous_rate = rate;
    bool round_off_only = last_step <= smallest_step && met;
    if (round_off_only) {  // forces may all be round-off: momentum over h is what moves
      system_.mass_times(smooth_, v_smooth_, Mx_);
      const SplitNorm momentum = split_norm(system_, Mx_);
      round_off_only =
          size.translation <= balance_tolerance * (scale.translation + momentum.translation / h_) &&
          size.rotation <= balance_tolerance * (scale.rotation + momentum.rotation / h_);
    }
    if ((balanced || round_off_only) && i > 0) return true;
    if (!r_.allFinite() || i == options_.max_iterations) {
      fail(report, "smooth motion", r_, size.translation + size.rotation);
      return false;
    }

    tangent_operators(system_.nodes(), increment_, T_);
    const VectorX& multiplier = i == 0 ? guess_ : next_.multiplier;
    if (!kkt_.linearize(smooth_, v_smooth_, next_.acceleration, at_, multiplier,
                        {.mass = to_acceleration,
                         .damping = 1,
                         .stiffness = to_position,
                         .rows = Linearization::Rows::Velocity,
                         .tangent_operators = &T_})) {  // (9)
      report.message = "smooth motion: the equations of " + kkt_.singular_parts() + " are singular";
      return false;
    }
    x_.head(n_v) = -r_;
    x_.tail(n_c) = g_;
    kkt_.solve(x_);
    ++report.smooth_iterations;
    const auto dv = x_.head(n_v);
    work_ = dv;
    cap_rotations(system_, to_position * largest_rotation(system_, work_), x_);
    last_step = largest_motion(system_, work_) / speed;
    v_smooth_ += dv;
    next_.acceleration += to_acceleration * dv;
    next_.pseudo_acceleration += dv / (gamma * h_);
    increment_ += to_position * dv;
    next_.multiplier += x_.tail(n_c);
  }
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
  next_.configuration.nodes = smooth_.nodes;
  U_.setZero();
  if (n_c == 0) return true;
  nu_.setZero();
  system_.forces(smooth_, v_smooth_, zero_, at_, next_.multiplier, terms_);
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
      system_.mass_times(smooth_, U_, Mx_);
      system_.forces(next_.configuration, v_smooth_, zero_, at_, next_.multiplier, terms_);
      terms_.residual(work_);  // −(f(q, ṽ) + Gᵀλ̃)
      r_ = Mx_ + h_ * h_ * (work_ + smooth_balance_);
      work_.setZero();
      system_.add_constraint_forces(next_.configuration, nu_, work_);
      r_ -= work_;
      balanced = is_balanced(r_, Mx_, work_);
    }
    if (violation <= position_tolerance * L && balanced) return true;
    // Round-off (of a long mechanism, far from the origin) ends the progress: the rest stays.
    if (i > 0 && violation <= round_off * L && violation >= 0.1 * previous) return true;
    if (!std::isfinite(violation) || i == options_.max_iterations) {
      report.message = fmt::format(
          "position correction: a joint violation of {:.3g} m remains after "
          "{} iterations ({})",
          violation, i, worst_joint(g_));
      return false;
    }
    previous = violation;
    tangent_operators(system_.nodes(), U_, T_);
    guess_ = next_.multiplier + nu_ / (h_ * h_);
    if (!kkt_.linearize(next_.configuration, v_smooth_, zero_, at_, guess_,
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
    cap_rotations(system_, largest_rotation(system_, x_), x_);
    U_ += x_.head(n_v);
    nu_ += x_.tail(n_c);
    advance(smooth_, system_.nodes(), U_, next_.configuration);
  }
}

/// M W − h f* − GᵀΛ = 0, G (ṽ + W) + ∂g/∂t = 0                                           (15)
bool GeneralizedAlphaStepper::correct_velocity(StepReport& report) {
  const int n_v = system_.velocities(), n_c = system_.constraints();
  W_.setZero();
  next_.velocity = v_smooth_;
  next_.impulse.setZero();
  if (n_c == 0) return true;
  const double speed = speed_scale(system_, v_smooth_, next_.acceleration, h_);
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
    if (i > 0 && violation <= round_off * speed && violation >= 0.1 * previous) return true;
    if (!std::isfinite(violation) || i == options_.max_iterations) {
      report.message = fmt::format(
          "velocity correction: a joint velocity of {:.3g} m/s remains after "
          "{} iterations ({})",
          violation, i, worst_joint(g_));
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
    next_.velocity = v_smooth_ + W_;
    next_.impulse += x_.tail(n_c);
  }
}

/// Accumulated rotations, joint angles and energies of the accepted step.
void GeneralizedAlphaStepper::finish(State& state) {
  for (std::size_t i = 0; i < system_.nodes().size(); ++i) {
    const Node& node = system_.nodes()[i];
    if (node.unknowns != 6) continue;
    const Vector3 psi =
        increment_.segment<3>(node.first_unknown + 3) + U_.segment<3>(node.first_unknown + 3);
    next_.rotation[i] += state.configuration.nodes[i].R * psi;  // rotations.md (34)
  }
  next_.time = at_.time;
  system_.update_angles(next_.configuration);
  update_energy(state);
  // What the joints gave over the step: the smooth forces and the corrections' impulses.
  next_.impulse += h_ / 2 * (state.multiplier + next_.multiplier);
  std::swap(state, next_);
}

/// The ledger of one step (docs/theory/energy.md): works of the mean forces along Δq, the
/// scheme's own inertia work, and what the two miss.
void GeneralizedAlphaStepper::update_energy(const State& state) {
  EnergyLedger& energy = next_.energy;
  const ForceTerms& f_n = state.forces;
  const ForceTerms& f = next_.forces;
  const double gamma = alpha_.gamma;
  work_ = increment_ + U_;  // Δq
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

std::string GeneralizedAlphaStepper::worst_joint(const VectorX& rows) const {
  int worst = 0;
  double size = -1;
  for (int i = 0; i < system_.constraints(); ++i) {
    const double unit = system_.is_angular(i) ? system_.characteristic_length() : 1.0;
    if (unit * std::abs(rows[i]) > size) size = unit * std::abs(rows[i]), worst = i;
  }
  return system_.unknown_name(system_.velocities() + worst);
}

void GeneralizedAlphaStepper::fail(StepReport& report, const char* problem, const VectorX& residual,
                                   double size) const {
  Eigen::Index worst = 0;
  residual.cwiseAbs().maxCoeff(&worst);
  report.message = fmt::format(
      "{}: a residual of {:.3g} N remains after {} iterations, the largest at {}", problem, size,
      report.smooth_iterations, system_.unknown_name(static_cast<int>(worst)));
  if (system_.constraints() > 0) {
    report.message += fmt::format("; the joint that follows least is {}", worst_joint(g_));
  }
}

}  // namespace saltus
