// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/moreau_jean.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/jamming.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

MoreauJeanStepper::MoreauJeanStepper(const System& system, const MoreauJean& options,
                                     const ContactOptions& contacts)
    : system_(system),
      options_(options),
      contact_options_(contacts),
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
void MoreauJeanStepper::start(State& state, double h) {
  system_.forces(state.configuration, state.velocity, zero_, {.time = state.time}, no_multiplier_,
                 state.forces);
  find_first_reactions(state, h);
}

/// What joints carry at the start where contacts touch: the means over the first step, by a stepper
/// that forgets it, of islands that nothing strikes in it.
void MoreauJeanStepper::find_first_reactions(State& state, double h) const {
  const bool is_asked = system_.constraints() > 0 || has_joint_points(system_);
  if (!is_asked || system_.elements().contacts.empty()) return;
  MoreauJeanStepper trial(system_, options_, contact_options_);
  trial.kkt_.detect_redundancy(state.configuration, state.time);
  State ahead = state;
  if (!trial.step(ahead, h, ahead.time + h).converged) return;
  const ContactSet& contacts = trial.contacts_;
  for (int row = 0; row < system_.constraints(); ++row) {
    const int island = contacts.islands().of_unknown(system_.velocities() + row);
    const double speed = trial.speeds_[static_cast<std::size_t>(island)];
    if (contacts.points_of(island).empty() || contacts.has_impact(island, speed)) continue;
    state.reaction[row] = ahead.reaction[row];
  }
  for (const ContactState& contact : ahead.contacts) {
    if (!system_.elements().contacts.is_of_joint(contact.contact)) continue;
    const int island = contacts.island_of(contact.contact);
    const double speed = trial.speeds_[static_cast<std::size_t>(island)];
    if (contacts.has_impact(island, speed)) continue;
    state.contacts.push_back({.contact = contact.contact, .load = contact.load});
  }
}

StepReport MoreauJeanStepper::step(State& state, double h, double end, bool accept) {
  StepReport report;
  report.weights.gamma = 1;  // joints act as they are at the end
  next_ = state;
  next_.time = end;
  next_.multiplier.setZero();
  scale_ = options_.theta > 0 ? h * options_.theta : 1.0;
  select_contacts(state, h);
  for (int i = 0;; ++i) {
    evaluate(state, h, end);
    report.velocity_violation = violations_.empty() ? 0 : std::ranges::max(violations_);
    if (has_converged(i)) break;
    report.converged = i < options_.max_iterations && r_.allFinite();
    if (!report.converged) {
      report.message = describe_failure(i);
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
    leave_out(contacts_.islands(), is_done_, x_);
    report.converged = solve_contacts(state, i == 0, report);
    if (!report.converged) break;
    ++report.velocity_iterations;
    largest_motions(system_, contacts_.islands(), x_, last_step_);
    next_.velocity += x_.head(system_.velocities());
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
  contacts_.divide(ContactSet::Connecting::All);
  largest_coordinates(contacts_.islands(), mid_, sizes_);
  for (std::size_t i = 0; i < contacts_.points().size(); ++i) {
    const double gap = contacts_.gap(state, mid_, i)[0];
    const int island = contacts_.island_of(contacts_.points()[i]);
    const double L =
        reach(contacts_.islands().length(island), sizes_[static_cast<std::size_t>(island)]);
    if (!(gap <= PositionTuning::closed_gap * L)) continue;
    contacts_.set_closed(i, true);
    impulses_.begin_at(i, 2 / h * contacts_.last_multiplier(state, i));  // that of the last step
  }
  contacts_.divide(ContactSet::Connecting::Closed);
  const auto count = static_cast<std::size_t>(contacts_.islands().count());
  is_done_.assign(count, 0);
  violations_.assign(count, 0.0);
  free_speeds_.assign(count, 0.0);
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
  std::swap(previous_, violations_);
  largest_rows(system_, contacts_.islands(), g_, violations_);
  speed_scales(system_, contacts_.islands(), next_.velocity, zero_, h, sizes_, speeds_);
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    speeds_[i] = std::max(speeds_[i] + system_.gravity().norm() * h, free_speeds_[i]);
  }
}

bool MoreauJeanStepper::has_converged(int iteration) {
  if (iteration == 0) return false;
  const Islands& islands = contacts_.islands();
  change_ = r_ - impulses_.force();
  split_norms(system_, islands, change_, residual_);
  split_norms(system_, islands, impulses_.force(), contact_);
  system_.mass_times(next_.configuration, next_.velocity, work_);
  split_norms(system_, islands, work_, momentum_);
  split_norms(system_, islands, reaction_, joint_);
  bool all = true;
  for (int i = 0; i < islands.count(); ++i) {
    char& is_done = is_done_[static_cast<std::size_t>(i)];
    if (is_done == 0) is_done = has_converged(i, iteration) ? 1 : 0;
    all &= is_done != 0;
  }
  return all;
}

std::string MoreauJeanStepper::describe_failure(int iterations) const {
  if (!r_.allFinite() || !g_.allFinite()) return fmt::format("step: {}", not_finite);
  std::string message = fmt::format("step: not in balance after {} iterations", iterations);
  VectorX rows = g_;
  double largest = 0;
  for (int i = 0; i < system_.constraints(); ++i) {
    const int island = contacts_.islands().of_unknown(system_.velocities() + i);
    const auto of_island = static_cast<std::size_t>(island);
    if (is_done_[of_island] != 0) {
      rows[i] = 0;
    } else {
      largest = std::max(largest, violations_[of_island]);
    }
  }
  if (largest == 0) return message;
  return message + fmt::format("; a joint velocity of {:.3g} m/s remains ({})", largest,
                               worst_row_name(system_, rows));
}

/// Joints (19) and the balance (18) of an island, compared with the momenta: an impulse is a change
/// of them.
bool MoreauJeanStepper::has_converged(int island, int iteration) const {
  const auto i = static_cast<std::size_t>(island);
  if (violations_[i] > CorrectionTuning::joint_velocity_tolerance * speeds_[i] &&
      !has_stalled(iteration, violations_[i], previous_[i], speeds_[i])) {
    return false;
  }
  const double L = contacts_.islands().length(island);
  const double rounding = MoreauJeanTuning::newton_round_off * L / h_;
  if (iteration > 1 && last_step_[i] <= MoreauJeanTuning::settled_speed * speeds_[i] + rounding)
    return true;
  const double forces = momentum_[i].translation + joint_[i].translation + contact_[i].translation;
  const double moments = momentum_[i].rotation + joint_[i].rotation + contact_[i].rotation;
  return residual_[i].translation <= options_.tolerance * (forces + moments / L) &&
         residual_[i].rotation <= options_.tolerance * (moments + forces * L);
}

/// Contacts hold at the middle of a step, so that one that lasts on a curved path approaches at its
/// end by what the normal turns until there, and one that forces bring back by what they do in a
/// step. Neither is an impact. Looked at once a step, at the first velocities without contacts.
/// (20a)
void MoreauJeanStepper::find_lasting(const State& state) {
  for (std::size_t i = 0; i < contacts_.points().size(); ++i) {
    const ContactGeometry& c = contacts_.points()[i];
    const double approach = -c.velocity_n[0];
    if (!c.closed || !(approach > 0)) continue;
    const double start = contacts_.velocity(state.velocity, i)[0];
    const double forces = std::abs(contacts_.velocity(work_, i)[0] - start);
    // The rows are those of the middle: until the end the normal turns as much again.
    const double curvature = 2 * std::abs(start + approach);
    if (approach <= forces + curvature) contacts_.rest_at(i);
  }
}

bool MoreauJeanStepper::solve_contacts(const State& state, bool first, StepReport& report) {
  work_ = next_.velocity + x_.head(system_.velocities());
  if (first) {
    find_lasting(state);
    // What contacts hold back is far faster than what is left: round-off is that of the former.
    largest_motions(system_, contacts_.islands(), work_, free_speeds_);
    for (std::size_t i = 0; i < speeds_.size(); ++i) {
      speeds_[i] = std::max(speeds_[i], free_speeds_[i]);
    }
  }
  joints_ = scale_ * next_.multiplier;
  int most = 0;  // iterations of an island
  for (const int island : contacts_.islands_with_points()) {
    const auto i = static_cast<std::size_t>(island);
    if (is_done_[i] != 0) continue;
    const bool solved = impulses_.solve({.island = island,
                                         .kkt = kkt_,
                                         .start = state.velocity,
                                         .free = work_,
                                         .speed = speeds_[i],
                                         .scale = scale_,
                                         .h = h_,
                                         .joints = &joints_},
                                        x_, report);
    most = std::max(most, impulses_.extra_iterations());
    if (!solved) return false;
    if (first) warn_of_jamming(contacts_, state, speeds_[i], report);
  }
  report.velocity_iterations += most;
  return true;
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
  ledger_.close_contacts(state, {contacts_, impulses_, {}, speeds_, h}, next_, report);
  // Joint forces as a mean over the step; inertia balances everything but contacts.
  next_.reaction = scale_ / h * (next_.multiplier - impulses_.joint_impacts());
  next_.multiplier *= scale_ / h;
  mean_.constraint = reaction_ / h;
  mean_.inertia.setZero();
  mean_.residual(work_);
  mean_.inertia = -work_;
  change_ = next_.velocity - state.velocity;
  ledger_.close(state, mean_, next_.multiplier, motion_, change_, next_);
  std::swap(state, next_);
}

}  // namespace saltus
