// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/moreau_jean.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

MoreauJeanStepper::MoreauJeanStepper(const System& system, const MoreauJean& options,
                                     const ContactOptions& contacts)
    : system_(system),
      options_(options),
      kkt_(system),
      contacts_(system, MoreauJeanTuning::sinks_in),
      impulses_(system, contacts_, contacts),
      ledger_(system) {
  for (VectorX* v : {&motion_, &change_, &r_, &work_, &reaction_, &zero_}) {
    v->setZero(system.velocities());
  }
  for (VectorX* v : {&g_, &no_multiplier_}) v->setZero(system.constraints());
  x_.setZero(system.unknowns());
  mean_.resize(system.velocities());
}

/// The forces at the beginning, without accelerations and joints.
void MoreauJeanStepper::start(State& state, double /*h*/) {
  system_.forces(state.configuration, state.velocity, zero_, {.time = state.time}, no_multiplier_,
                 state.forces);
}

StepReport MoreauJeanStepper::step(State& state, double h, double end, bool accept) {
  StepReport report;
  next_ = state;
  next_.time = end;
  next_.multiplier.setZero();
  scale_ = options_.theta > 0 ? h * options_.theta : 1.0;
  select_contacts(state, h);
  for (int i = 0;; ++i) {
    evaluate(state, h, end);
    report.velocity_violation = violation_;
    if (has_converged(i)) break;
    report.converged = i < options_.max_iterations && r_.allFinite();
    if (!report.converged) {
      report.message = fmt::format(
          "step: not in balance after {} iterations; a joint velocity of {:.3g} m/s remains", i,
          violation_);
      break;
    }
    const Linearization linearization{.mass = 1 / scale_,
                                      .damping = options_.theta > 0 ? 1.0 : 0.0,
                                      .stiffness = options_.theta > 0 ? scale_ : 0.0};
    report.converged = kkt_.linearize(next_.configuration, next_.velocity, zero_, {.time = end},
                                      next_.multiplier, linearization);
    if (!report.converged) {
      report.message = "step: the equations of " + kkt_.singular_parts() + " are singular";
      break;
    }
    x_.head(system_.velocities()) = -r_ / scale_;
    x_.tail(system_.constraints()) = g_;
    kkt_.solve(x_);
    report.converged = solve_contacts(state, report);
    if (!report.converged) break;
    ++report.velocity_iterations;
    work_ = x_.head(system_.velocities());
    last_step_ = largest_motion(system_, work_);
    next_.velocity += work_;
    next_.multiplier += x_.tail(system_.constraints());
  }
  report.usable = next_.velocity.allFinite();
  if (report.converged || (accept && report.usable)) finish(state, h, report);
  return report;
}

/// Contacts are closed if the gap at q_n ∘ exp(h v_n / 2) is.                                (20)
void MoreauJeanStepper::select_contacts(const State& state, double h) {
  motion_ = h / 2 * state.velocity;
  mid_ = state.configuration;
  advance(state.configuration, system_.nodes(), motion_, mid_);
  contacts_.select(state, mid_, zero_, h);
  contacts_.linearize(mid_);
  impulses_.begin_step();
  for (std::size_t i = 0; i < contacts_.points().size(); ++i) {
    const double gap = contacts_.gap(state, mid_, i)[0];
    if (!(gap <= PositionTuning::closed_gap * system_.characteristic_length())) continue;
    contacts_.set_closed(i, true);
    impulses_.begin_at(i, 2 / h * contacts_.last_multiplier(state, i));  // that of the last step
  }
}

/// M (v − v_n) − h ((1 − θ) f_n + θ f) − GᵀP without contacts (18), and G v + ∂g/∂t (19).
void MoreauJeanStepper::evaluate(const State& state, double h, double end) {
  const double theta = options_.theta;
  h_ = h;
  motion_ = h * ((1 - theta) * state.velocity + theta * next_.velocity);
  advance(state.configuration, system_.nodes(), motion_, next_.configuration);
  next_.configuration.angles = state.configuration.angles;
  system_.update_angles(next_.configuration);
  system_.forces(next_.configuration, next_.velocity, zero_, {.time = end}, no_multiplier_,
                 next_.forces);
  mean_.set_mean(state.forces, next_.forces, theta);
  mean_.residual(work_);  // −f
  change_ = next_.velocity - state.velocity;
  system_.mass_times(next_.configuration, change_, r_);
  reaction_.setZero();
  if (system_.constraints() > 0) {
    system_.add_constraint_forces(next_.configuration, next_.multiplier, reaction_);
  }
  reaction_ *= scale_;
  r_ += h * work_ - reaction_;
  system_.constraint_rates(next_.configuration, next_.velocity, end, g_);
  previous_ = violation_;
  violation_ = largest_row(system_, g_);
  speed_ = speed_scale(system_, next_.velocity, zero_, h) + system_.gravity().norm() * h;
}

/// Joints (19) and the balance (18), compared with the momenta: an impulse is a change of them.
bool MoreauJeanStepper::has_converged(int iteration) {
  if (iteration == 0) return false;
  if (violation_ > CorrectionTuning::joint_velocity_tolerance * speed_ &&
      !has_stalled(iteration, violation_, previous_, speed_)) {
    return false;
  }
  const double rounding = MoreauJeanTuning::newton_round_off * system_.characteristic_length() / h_;
  if (iteration > 1 && last_step_ <= MoreauJeanTuning::settled_speed * speed_ + rounding)
    return true;
  change_ = r_ - impulses_.force();
  const SplitNorm size = split_norm(system_, change_);
  const SplitNorm contact = split_norm(system_, impulses_.force());
  system_.mass_times(next_.configuration, next_.velocity, work_);
  const SplitNorm momentum = split_norm(system_, work_), joint = split_norm(system_, reaction_);
  const double L = system_.characteristic_length();
  const double forces = momentum.translation + joint.translation + contact.translation;
  const double moments = momentum.rotation + joint.rotation + contact.rotation;
  return size.translation <= options_.tolerance * (forces + moments / L) &&
         size.rotation <= options_.tolerance * (moments + forces * L);
}

bool MoreauJeanStepper::solve_contacts(const State& state, StepReport& report) {
  if (!contacts_.any_closed()) return true;
  work_ = next_.velocity + x_.head(system_.velocities());
  const bool solved = impulses_.solve(
      {.kkt = kkt_, .start = state.velocity, .free = work_, .speed = speed_, .scale = scale_}, x_,
      report);
  report.velocity_iterations += impulses_.extra_iterations();
  return solved;
}

/// The books. Penetrations are looked at now, for nothing in the step has: points of bounded faces
/// are left out, which may be beside them.
void MoreauJeanStepper::finish(State& state, double h, StepReport& report) {
  next_.accumulate_rotations(system_.nodes(), state.configuration, motion_);
  system_.constraints(next_.configuration, next_.time, g_);
  report.position_violation = largest_row(system_, g_);
  for (const ContactGeometry& c : contacts_.points()) {
    const ContactElement& e = c.element();
    if (e.has_edges()) continue;
    const double gap = e.gap(system_.pair(next_.configuration, e.node_A, e.node_B));
    report.penetration = std::max(report.penetration, -gap);
  }
  ledger_.close_contacts(state, {contacts_, impulses_, {}, speed_}, next_, report);
  // Joint forces as a mean over the step; inertia balances everything but contacts.
  next_.multiplier *= scale_ / h;
  // What the mean of the forces at both ends, as results have it, misses of the impulse.
  next_.impulse = h / 2 * (next_.multiplier - state.multiplier);
  mean_.constraint = reaction_ / h;
  mean_.inertia.setZero();
  mean_.residual(work_);
  mean_.inertia = -work_;
  change_ = next_.velocity - state.velocity;
  ledger_.close(state, mean_, next_.multiplier, motion_, change_, next_);
  std::swap(state, next_);
}

}  // namespace saltus
