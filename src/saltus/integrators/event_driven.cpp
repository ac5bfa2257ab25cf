// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/event_driven.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
EventDrivenStepper::EventDrivenStepper(const System& system, const EventDriven& options,
                                       const ContactOptions& contacts)
    : system_(system),
      options_(options),
      motion_(system, options.hyperstatic_forces),
      modes_(system, motion_, contacts.solver),
      smooth_(system, motion_),
      gaps_(system, smooth_),
      impacts_(system, motion_, options, contacts.histories),
      search_(system),
      margins_(system.nodes().size(), 0.0) {}

void EventDrivenStepper::start(State& state, double h) {
  h_ = h / 10;
  interval_ = h;
  trial_q_ = state.configuration;
  trial_v_ = state.velocity;
  motion_.accelerate({state.configuration, state.velocity, state.time});
  state.acceleration = motion_.acceleration();
  state.multiplier = state.reaction = motion_.multiplier();
  is_settled_ = false;
}

/// What an interval sets before it reads it is left out.
void EventDrivenStepper::archive(Archive& memory) {
  memory(motion_, modes_, impacts_, h_, fastest_, is_settled_, stuck_, contact_speed_, shocks_,
         steps_, rejected_, status_, ways_);
}

/// The largest speed so far: at rest there is no other scale than what came before, or what a fall
/// would make.
double EventDrivenStepper::speed_scale() {
  const double L = system_.characteristic_length();
  fastest_ = std::max({fastest_, largest_motion(system_, next_.velocity),
                       EventTuning::part_of_a_fall * std::sqrt(system_.gravity().norm() * L),
                       EventTuning::slowest_scale * L});
  return fastest_;
}

double EventDrivenStepper::slowest_slip() { return EventTuning::no_slip * speed_scale(); }

/// A gap is known to a part of the size, or to round-off of positions far away; a fall through that
/// much makes a speed.
double EventDrivenStepper::least_contact_speed() const {
  double gap = EventTuning::crossed_gap * system_.characteristic_length();
  for (const NodePose& node : next_.configuration.nodes) {
    gap = std::max(
        gap, EventTuning::units_of_gap * std::numeric_limits<double>::epsilon() * node.x.norm());
  }
  return 2 * std::sqrt(2 * motion_.acceleration_scale() * gap);
}

double EventDrivenStepper::energy() const {
  return system_.kinetic_energy(next_.configuration, next_.velocity) +
         system_.gravity_energy(next_.configuration) + system_.elastic_energy(next_.configuration);
}

StepReport EventDrivenStepper::step(State& state, double h, double end, bool /*accept*/) {
  StepReport report;
  next_ = state;
  motion_.find_elements(next_.configuration);
  interval_ = h;
  collisions_ = jams_ = 0;
  totals_.clear();
  joint_impulse_.setZero(system_.constraints());
  const VectorX multiplier = state.multiplier;
  if (!is_settled_) report.converged = settle(report);
  break_ = system_.next_break(next_.time, end);
  while (report.converged && next_.time < end) {
    report.converged =
        break_ && next_.time >= break_->before ? cross_break(end, report) : advance(end, report);
  }
  smooth_.set_latest(std::numeric_limits<double>::infinity());
  report.usable = next_.velocity.allFinite();
  report.overlooked = gaps_.take_overlooked();
  if (!report.converged) {
    is_settled_ = false;
    report.is_final = true;
    return report;
  }
  next_.time = end;
  motion_.accelerate({next_.configuration, next_.velocity, end});
  next_.acceleration = motion_.acceleration();
  next_.multiplier = next_.reaction = motion_.multiplier();
  next_.impulse = joint_impulse_ - h / 2 * (multiplier + next_.multiplier);
  book(report);
  std::swap(state, next_);
  return report;
}

/// One adaptive step, up to the first event in it, and what happens there.
bool EventDrivenStepper::advance(double end, StepReport& report) {
  if (steps_ % EventTuning::steps_unheard == 0 && !go_on(next_.time)) {
    report.interrupted = true;
    return false;
  }
  if (steps_ + rejected_ > EventTuning::most_steps) {
    report.message = fmt::format(
        "event-driven: t = {:.9g} s: more than {} steps in one interval of the results; forces "
        "that "
        "are too stiff, or contacts that chatter",
        next_.time, EventTuning::most_steps);
    return false;
  }
  motion_.set_slowest_slip(slowest_slip());
  latest_ = break_ ? std::min(break_->before, end) : end;
  smooth_.set_latest(latest_);
  length_ = choose_length(latest_);
  if (!(length_ > 0)) {
    if (shock(report)) return settle(report);
    if (jams_ > EventTuning::most_jams) return false;
    report.message = fmt::format(
        "event-driven: no step at t = {:.9g} s is accurate enough; forces that are too stiff or "
        "not continuous",
        next_.time);
    return false;
  }
  double lo = 0, hi = 1;
  Violation violation = first_violation(lo, hi);
  if (violation != Violation::None) {
    if (!repeat_to(violation == Violation::Gap ? hi : locate(lo, hi), violation)) return false;
    if (!is_accurate()) {
      if (!repeat_to(EventTuning::nearer, Violation::None)) return false;
      violation = Violation::None;
    }
    stuck_ = length_ < EventTuning::no_progress * interval_ ? stuck_ + 1 : 0;
  } else {
    stuck_ = 0;
  }
  if (!accept(report)) return false;
  if (violation == Violation::None) return true;
  if (stuck_ > EventTuning::most_stuck) {
    report.message = fmt::format(
        "event-driven: events at t = {:.9g} s follow each other endlessly (chattering): contacts "
        "whose laws have no lasting mode there; a time-stepping integrator passes through",
        next_.time);
    return false;
  }
  return settle(report);
}

/// A force, or what a drive asks for, jumps or kinks: velocities that joints no longer allow are
/// taken by their impulses, and contacts may impact, open, stick or slip.
bool EventDrivenStepper::cross_break(double end, StepReport& report) {
  next_.time = break_->after;
  break_ = system_.next_break(next_.time, end);
  smooth_.set_latest(std::numeric_limits<double>::infinity());
  const double before = energy();
  motion_.project_on_joints(next_.configuration, next_.time, next_.velocity, joint_impulse_);
  next_.energy.external_work += energy() - before;
  return settle(report);
}

/// A step that is accurate enough, done; 0 if there is none.
double EventDrivenStepper::choose_length(double end) {
  const double speed = speed_scale();
  const double rest = end - next_.time;
  for (int i = 0; i < EventTuning::most_rejections; ++i) {
    // No rest of a step that is nothing but round-off.
    const double h =
        h_ > EventTuning::nearly_all * rest ? rest : std::min(h_, rest / 2 < h_ ? rest / 2 : h_);
    const bool done = smooth_.step(next_.configuration, next_.velocity, next_.time, h);
    const double error = done ? smooth_.error(options_.tolerance, speed) : HUGE_VAL;
    const double growth =
        error > 0 ? std::clamp(EventTuning::step_safety * std::pow(error, -0.2),
                               EventTuning::smallest_growth, EventTuning::largest_growth)
                  : EventTuning::largest_growth;
    if (error <= 1) {
      if (h < rest || growth < 1) h_ = std::min(growth * h, interval_);
      ++steps_;
      return h;
    }
    h_ = growth * h;
    ++rejected_;
  }
  return 0;
}

bool EventDrivenStepper::is_there(const ContactElement& element, const NodePair& pair) const {
  return element.is_there(element.place(pair));
}

/// The first event of the step: a gap that closes, or before it a look at which the modes no longer
/// hold, and the last look at which they did. Slips and edges are read from the continuous
/// extension; forces need a solve, so only at the end, and where a stage had doubts.
EventDrivenStepper::Violation EventDrivenStepper::first_violation(double& lo, double& hi) {
  const auto crossing =
      gaps_.first(next_.configuration, [&](ContactIndex i) { return closed(i) == nullptr; });
  const double end = crossing ? crossing->closed : 1;
  lo = 0;
  for (const double look : EventTuning::looks) {
    hi = look * end;
    const double doubt = smooth_.first_doubt();
    if (doubt > lo && doubt < hi && is_violated(doubt, true)) {
      lo = 0;
      hi = doubt;
      return Violation::Other;
    }
    // What forces say is asked for at the end alone: it may have begun anywhere.
    const bool is_end = look == 1;
    if (is_violated(hi, is_end)) {
      if (is_end) lo = 0;
      return Violation::Other;
    }
    lo = hi;
  }
  if (crossing) {
    violated_ = crossing->contact;
    lo = crossing->open;
    return Violation::Gap;
  }
  return slip_dies() ? Violation::Other : Violation::None;
}

/// Slip that turns ever faster while it dies away, in ever shorter steps, ends where it cannot be
/// told from none.
bool EventDrivenStepper::slip_dies() const {
  const double slow = EventTuning::no_slip * fastest_;
  return std::ranges::any_of(motion_.points(), [&](const ClosedPoint& point) {
    const double speed = point.velocity.tail<2>().norm();
    return point.mode == ContactStatus::Slip && point.friction + point.static_friction > 0 &&
           speed <= slow && speed < point.speed;
  });
}

/// Whether modes no longer hold at the fraction θ of the step: a closed point has left its surface,
/// a slip has turned round, and with forces one of the wrong sign or outside of its cone.
/// (event_driven.md, section 2)
bool EventDrivenStepper::is_violated(double theta, bool with_forces) {
  if (motion_.points().empty()) return false;
  smooth_.state_at(theta, trial_q_, trial_v_);
  const ConstrainedMotion::At at{trial_q_, trial_v_,
                                 std::min(next_.time + theta * length_, latest_)};
  for (ClosedPoint& point : motion_.points()) {
    const ContactElement& e = point.element();
    if (!is_there(e, system_.pair(trial_q_, e.node_A, e.node_B))) return true;
    if (point.mode != ContactStatus::Slip || point.friction + point.static_friction == 0) continue;
    motion_.look(at, point);
    if (point.velocity.tail<2>().dot(point.direction) < 0) return true;
  }
  if (!with_forces) return false;
  const bool found = motion_.accelerate(at);
  return !modes_.hold(at, slowest_slip(), found);
}

/// The end of the interval in which modes cease to hold.
double EventDrivenStepper::locate(double lo, double hi) {
  const double time = std::max(std::abs(next_.time), length_);
  while ((hi - lo) * length_ > EventTuning::located * time && hi - lo > EventTuning::located) {
    const double middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) break;
    (is_violated(middle, true) ? hi : lo) = middle;
  }
  return hi;
}

/// The step again, to a part of it; where a gap closes, until it is zero to the last digits.
bool EventDrivenStepper::repeat_to(double part, Violation violation) {
  const double longest = length_;
  double h = part * length_;
  for (int i = 0; i < EventTuning::most_corrections; ++i) {
    if (!smooth_.step(next_.configuration, next_.velocity, next_.time, h)) return false;
    length_ = h;
    if (violation != Violation::Gap) break;
    smooth_.state_at(1, trial_q_, trial_v_);
    const ContactElement e = system_.elements().contacts.point(violated_, trial_q_).element;
    const NodePair pair = system_.pair(trial_q_, e.node_A, e.node_B);
    const double rate =
        e.jacobian(pair).row(0).dot(system_.local(trial_v_, e.node_A, e.node_B).transpose());
    const double gap = e.gap(pair);
    if (!(rate < 0) || std::abs(gap) <= EventTuning::located_gap * system_.characteristic_length())
      break;
    const double better = std::clamp(h - gap / rate, 0.0, longest);
    if (std::abs(better - h) <= EventTuning::located * std::max(next_.time, longest)) break;
    h = better;
  }
  return true;
}

/// Where joints hold each other in a position without a motion, or with too many, their equations
/// contradict each other: forces grow beyond all bounds, rates are not met, and joints do work.
void EventDrivenStepper::warn_of_singular_joints(StepReport& report) {
  if (system_.constraints() == 0) return;
  rates_.resize(system_.constraints());
  system_.constraint_rates(next_.configuration, next_.velocity, next_.time, rates_);
  if (largest_row(system_, rates_) <= EventTuning::lost_rate * speed_scale()) return;
  report.warn(
      fmt::format("{}: a singular position; velocities of the joints cannot all be met, and "
                  "energy is not kept",
                  worst_row_name(system_, rates_)),
      fmt::format("{:.2g} of the speed is left", largest_row(system_, rates_) / fastest_));
}

/// A slip that ends at an event has no direction in the last stages of the step that leads there.
/// Then a part of the step leads nearer, to where a shorter one is accurate.
bool EventDrivenStepper::is_accurate() {
  return length_ < EventTuning::no_progress * interval_ ||
         smooth_.error(options_.tolerance, speed_scale()) <= 1;
}

/// The state at the end of the step, on joints and contacts. False if these cannot all be met.
bool EventDrivenStepper::accept(StepReport& report) {
  next_.accumulate_rotations(system_.nodes(), next_.configuration, smooth_.motion());
  std::vector<double> angles = next_.configuration.angles;
  system_.predict_angles(next_.configuration, next_.velocity, length_, angles);
  smooth_.state_at(1, trial_q_, trial_v_);
  next_.configuration = trial_q_;
  next_.configuration.angles = angles;
  next_.velocity = trial_v_;
  // A step to the very end ends there, whatever round-off says.
  const bool is_last = length_ == latest_ - next_.time;
  next_.time = is_last ? latest_ : std::min(next_.time + length_, latest_);
  shocks_ = 0;
  const MotionTotals& totals = smooth_.totals();
  joint_impulse_ += totals.multiplier;
  next_.energy.external_work += totals.external;
  next_.energy.damping_loss += totals.damping;
  for (std::size_t k = 0; k < motion_.points().size(); ++k) {
    const ClosedPoint& point = motion_.points()[k];
    ContactState& sum = totals_[point.contact];
    sum.impulse += totals.impulse[k];
    sum.force += totals.force[k];
    next_.energy.friction_loss += totals.friction[k];
    next_.contact_losses[static_cast<std::size_t>(point.entry.contact)].friction +=
        totals.friction[k];
  }
  const double before = energy();
  const double left = motion_.project_position(next_.time, next_.configuration);
  if (!(left <= EventTuning::lost_constraint * system_.characteristic_length())) {
    report.message = fmt::format(
        "event-driven: t = {:.9g} s: joints and contacts are violated by {:.3g} m and cannot all "
        "be "
        "met ({}): a singular position, or a drive against a contact",
        next_.time, left, motion_.worst_name());
    return false;
  }
  motion_.project_velocity(next_.configuration, next_.time, next_.velocity);
  warn_of_singular_joints(report);
  system_.update_angles(next_.configuration);
  next_.energy.numerical_loss += before - energy();
  for (ClosedPoint& point : motion_.points()) motion_.renew_direction(point);
  keep_ways();
  return true;
}

}  // namespace saltus
