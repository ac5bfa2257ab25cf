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
      loads_(system),
      jumps_(system),
      impacts_(system, motion_, options, contacts),
      search_(system),
      margins_(system.nodes().size(), 0.0) {}

void EventDrivenStepper::start(State& state, double h) {
  h_ = h / 10;
  interval_ = h;
  trial_q_ = state.configuration;
  trial_v_ = state.velocity;
  motion_.points().clear();
  motion_.accelerate({state.configuration, state.velocity, state.time});
  state.acceleration = motion_.acceleration();
  state.multiplier = state.reaction = motion_.multiplier();
  push_at_start(state);
  is_settled_ = false;
}

/// Points that touch when a run begins push from the first row on. Where one of them strikes, or
/// the laws have no answer, the first step tells what happens, and the row has no forces of points.
void EventDrivenStepper::push_at_start(State& state) {
  next_ = state;
  contact_speed_ = std::max(options_.contact_speed, least_contact_speed());
  gather();
  if (motion_.points().empty()) return;
  const ConstrainedMotion::At at{next_.configuration, next_.velocity, next_.time};
  for (ClosedPoint& point : motion_.points()) motion_.look(at, point);
  const bool strikes = std::ranges::any_of(motion_.points(), [&](const ClosedPoint& point) {
    return point.velocity[0] < -contact_speed_;
  });
  std::erase_if(motion_.points(),
                [&](const ClosedPoint& point) { return point.velocity[0] > contact_speed_; });
  if (!strikes && modes_.find(at, slowest_slip())) {
    std::erase_if(motion_.points(),
                  [](const ClosedPoint& point) { return point.mode == ContactStatus::Open; });
    motion_.accelerate(at);
    state.acceleration = motion_.acceleration();
    state.multiplier = state.reaction = motion_.multiplier();
  }
  motion_.points().clear();
}

void EventDrivenStepper::resume(const State& state, double h, EventMemory memory) {
  interval_ = h;
  trial_q_ = state.configuration;
  trial_v_ = state.velocity;
  h_ = memory.step;
  fastest_ = memory.fastest;
  is_settled_ = memory.is_settled;
  motion_.points() = std::move(memory.points);
  status_ = std::move(memory.status);
  ways_ = std::move(memory.ways);
  motion_.find_elements(state.configuration);
  motion_.accelerate({state.configuration, state.velocity, state.time});
}

EventMemory EventDrivenStepper::memory() const {
  return {h_, fastest_, is_settled_, motion_.points(), status_, ways_};
}

/// What an interval sets before it reads it is left out.
void EventDrivenStepper::archive(Archive& memory) {
  memory(motion_, modes_, impacts_, h_, error_before_, longest_before_, fastest_, is_settled_,
         stuck_, contact_speed_, shocks_, steps_, rejected_, status_, ways_);
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

/// A slip of this speed that friction stops goes on for no more than the error that steps may have.
double EventDrivenStepper::fading_slip() const {
  return std::sqrt(options_.tolerance * system_.characteristic_length() *
                   motion_.acceleration_scale());
}

/// A fall through what a gap is known to makes a speed.
double EventDrivenStepper::least_contact_speed() const {
  const double gap = gap_accuracy(system_, next_.configuration);
  return 2 * std::sqrt(2 * motion_.acceleration_scale() * gap);
}

double EventDrivenStepper::energy() const {
  return system_.kinetic_energy(next_.configuration, next_.velocity) +
         system_.gravity_energy(next_.configuration) + system_.elastic_energy(next_.configuration);
}

StepReport EventDrivenStepper::step(State& state, double h, double end, bool /*accept*/) {
  StepReport report;
  next_ = state;
  motion_.forget_forces();
  motion_.find_elements(next_.configuration);
  interval_ = h;
  collisions_ = jams_ = 0;
  swept_.assign(system_.nodes().size(), {});
  totals_.clear();
  joint_impulses_.assign(system_.elements().joints.size(), {});
  if (!is_settled_) report.converged = settle(report);
  break_ = system_.next_break(next_.time, end);
  loads_.look(next_.time, end);
  jumps_.begin(next_.configuration, next_.velocity, next_.time);
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
  report.joint_impulses = joint_impulses_;
  report.stop_forces = stop_forces();
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
    const std::string load = loads_.unbounded(next_.time);
    report.message = fmt::format(
        "event-driven: t = {:.9g} s: more than {} steps in one interval of the results; {}",
        next_.time, EventTuning::most_steps,
        load.empty() ? "forces that are too stiff, or contacts that chatter" : load);
    return false;
  }
  motion_.set_slowest_slip(slowest_slip());
  latest_ = std::min(break_ ? std::min(break_->before, end) : end, loads_.latest(next_.time));
  smooth_.set_latest(latest_);
  length_ = choose_length(latest_);
  if (!(length_ > 0)) {
    if (shock(report)) return settle(report);
    if (jams_ > EventTuning::most_jams) return false;
    const std::string load = loads_.unbounded(next_.time);
    report.message =
        fmt::format("event-driven: no step at t = {:.9g} s is accurate enough; {}", next_.time,
                    load.empty() ? "forces that are too stiff or not continuous" : load);
    return false;
  }
  double lo = 0, hi = 1;
  Violation violation = first_violation(lo, hi);
  if (violation != Violation::None) {
    const double least = violation == Violation::Gap ? 0 : std::min(hi, least_progress() / length_);
    const bool is_late = least > 0 && is_violated(least, true);
    const double part = violation == Violation::Gap ? hi : is_late ? least : locate(lo, hi);
    if (part < 1 && !repeat_to(part, violation)) return false;
    if (is_late) warn_of_late_event(report);
    if (!is_accurate()) {
      if (!repeat_to(EventTuning::nearer, Violation::None)) return false;
      violation = Violation::None;
    }
    count_stuck(is_late);
  } else {
    stuck_ = 0;
  }
  if (!accept(report)) return false;
  if (slides_on_a_switch(report)) return false;
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

/// Where events follow each other at one moment, the laws cannot tell from round-off which modes
/// come next: then the modes at hand are kept for a while, ever longer, until forces that are
/// outside of their cones say it clearly.
double EventDrivenStepper::least_progress() const {
  const int more = stuck_ - EventTuning::patience;
  if (more <= 0) return 0;
  return std::min(EventTuning::no_progress * std::exp2(more), EventTuning::longest_wait) *
         interval_;
}

/// Modes that are kept to a look of an accurate step make progress, if not as much as they may.
void EventDrivenStepper::count_stuck(bool is_late) {
  const bool is_short = length_ < EventTuning::no_progress * interval_;
  if (!is_late && !is_short) stuck_ = 0;
  if (is_short || (is_late && length_ >= least_progress())) ++stuck_;
}

void EventDrivenStepper::warn_of_late_event(StepReport& report) const {
  report.warn("contacts change their modes again and again at one moment; modes are kept beyond it",
              fmt::format("at t = {:.9g} s for {:.2g} s", next_.time, length_));
}

/// A force, or what a drive asks for, jumps or kinks: velocities that joints no longer allow are
/// taken by their impulses, and contacts may impact, open, stick or slip.
bool EventDrivenStepper::cross_break(double end, StepReport& report) {
  next_.time = break_->after;
  break_ = system_.next_break(next_.time, end);
  smooth_.set_latest(std::numeric_limits<double>::infinity());
  const double before = energy();
  VectorX impulse = VectorX::Zero(system_.constraints());
  motion_.project_on_joints(next_.configuration, next_.time, next_.velocity, impulse);
  add_joint_impulse(impulse);
  next_.energy.external_work += energy() - before;
  return settle(report);
}

/// A slip that turns on its way to rest turns the faster the slower it is: a step that leads over
/// the moment of rest is of no use unless what is left of the slip is within the tolerance.
double EventDrivenStepper::longest_before_rest(double speed) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const ClosedPoint& point : motion_.points()) {
    if (point.mode != ContactStatus::Slip || point.friction == 0) continue;
    if (motion_.keeps_direction(point)) continue;
    const Eigen::Vector2d slip = point.velocity.tail<2>();
    const Eigen::Vector2d a = motion_.acceleration_of(point).tail<2>();
    const double s = slip.norm(), slower = -slip.dot(a) / s;
    if (!(slower > 0)) continue;
    const double turn = (a + slower / s * slip).norm() / slower;  // until rest, about, rad
    if (s * turn <= options_.tolerance * speed) continue;
    longest = std::min(longest, EventTuning::part_to_rest * s / slower);
  }
  return longest;
}

/// The next step by the errors of this one and the one before, as is usual: one that follows a
/// rejected step is not longer.
void EventDrivenStepper::adapt(double h, double rest, double error, bool rejected) {
  const double least = EventTuning::least_error, now = std::max(error, least);
  double growth = EventTuning::step_safety * std::pow(now, -EventTuning::error_now);
  if (error <= 1) growth *= std::pow(error_before_, EventTuning::error_before);
  growth = std::clamp(growth, EventTuning::smallest_growth,
                      rejected ? 1.0 : EventTuning::largest_growth);
  if (error > 1) {
    h_ = std::min(growth, EventTuning::step_safety) * h;
  } else {
    if (h < rest || growth < 1) h_ = std::min(growth * h, interval_);
    error_before_ = now;
  }
}

/// A step that is accurate enough, done; 0 if there is none.
double EventDrivenStepper::choose_length(double end) {
  const double speed = speed_scale();
  const double rest = end - next_.time;
  if (!smooth_.begin(next_.configuration, next_.velocity, next_.time)) return 0;
  const double longest = longest_before_rest(speed);
  // Steps on the way to rest are parts of what is left of it.
  const double left = longest / longest_before_;
  if (h_ > EventTuning::part_of_rest * longest && left > EventTuning::smallest_growth && left < 1) {
    h_ *= left;
  }
  longest_before_ = longest;
  for (int i = 0; i < EventTuning::most_rejections; ++i) {
    // No rest of a step that is nothing but round-off.
    const double h = std::min(
        h_ > EventTuning::nearly_all * rest ? rest : std::min(h_, rest / 2 < h_ ? rest / 2 : h_),
        longest);
    const bool done = smooth_.try_step(h);
    const bool is_seen = done && !gaps_.turns_too_far();
    const double error = is_seen ? smooth_.error(options_.tolerance, speed) : HUGE_VAL;
    adapt(h, rest, error, i > 0);
    if (error <= 1) {
      ++steps_;
      return h;
    }
    ++rejected_;
  }
  return 0;
}

bool EventDrivenStepper::is_there(const ContactElement& element, const NodePair& pair) const {
  return element.is_there(element.place(pair));
}

/// The first event of the step: a gap that closes, or before it a look at which the modes no longer
/// hold, and the last look at which slips and edges did. These are read from the continuous
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
      hi = doubt;
      return Violation::Other;
    }
    // What forces say is asked for at the end alone: it may have begun anywhere.
    const bool is_end = look == 1;
    if (is_violated(hi, is_end)) return Violation::Other;
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
/// told from none, or where friction may stop it within the tolerance.
bool EventDrivenStepper::slip_dies() {
  const double slow = slowest_slip(), fading = fading_slip();
  return std::ranges::any_of(motion_.points(), [&](const ClosedPoint& point) {
    if (point.mode != ContactStatus::Slip || point.friction + point.static_friction == 0) {
      return false;
    }
    const Eigen::Vector2d slip = point.velocity.tail<2>();
    const double speed = slip.norm();
    if (!(speed < point.speed)) return false;
    const double across = std::abs(slip.x() * point.direction.y() - slip.y() * point.direction.x());
    const bool turns = across > options_.tolerance * fastest_;
    return speed <= slow || (turns && speed <= std::min(fading, point.fades_below));
  });
}

/// Whether modes no longer hold at the fraction θ of the step: a closed point has left its surface,
/// a slip has turned round, and with forces one of the wrong sign or outside of its cone.
/// (event_driven.md, section 2)
Holding EventDrivenStepper::modes_at(double theta, bool with_forces) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Holding result{false, std::numeric_limits<double>::infinity()};
  if (motion_.points().empty()) return result;
  smooth_.state_at(theta, trial_q_, trial_v_);
  const ConstrainedMotion::At at{trial_q_, trial_v_,
                                 std::min(next_.time + theta * length_, latest_)};
  for (ClosedPoint& point : motion_.points()) {
    const ContactElement& e = point.element();
    if (!is_there(e, system_.pair(trial_q_, e.node_A, e.node_B))) return {true, unknown};
    if (point.mode != ContactStatus::Slip || point.friction + point.static_friction == 0) continue;
    motion_.look(at, point);
    const double along = point.velocity.tail<2>().dot(point.direction);
    result.margin = std::min(result.margin, along / fastest_);
    result.ended = result.ended || along < 0;
  }
  if (result.ended || !with_forces) return result;
  // The last stage of the step has been there.
  if (theta == 1 && smooth_.holds_at_end()) return result;
  const bool found = motion_.accelerate(at);
  const double margin = motion_.margin() / motion_.acceleration_scale();
  result.margin = std::isnan(margin) ? unknown : std::min(result.margin, margin);
  result.ended = !modes_.hold(at, slowest_slip(), found);
  return result;
}

/// The end of the interval in which modes cease to hold. Slips and edges are read from the
/// continuous extension; forces are asked for just before they end, and if they do not hold there
/// their end is found instead.
double EventDrivenStepper::locate(double lo, double hi) {
  const double time = std::max(std::abs(next_.time), length_);
  const double width = std::max(EventTuning::located * time / length_, EventTuning::located);
  const auto find = [&](double from, double to, bool with_forces) {
    const Bracket bracket{from, to, modes_at(from, with_forces).margin,
                          modes_at(to, with_forces).margin};
    return narrow(bracket, width, [&](double theta) { return modes_at(theta, with_forces); });
  };
  // An event that has just been may have left another one behind.
  const double soon = EventTuning::no_progress * interval_ / length_;
  if (stuck_ > 0 && soon < hi && is_violated(soon, true)) {
    lo = 0;
    hi = soon;
  }
  if (!is_violated(hi, false)) return find(0, hi, true).hi;
  const Bracket slip = find(lo, hi, false);
  if (slip.lo > 0 && is_violated(slip.lo, true)) return find(0, slip.lo, true).hi;
  return slip.hi;
}

/// The step again, to a part of it; where a gap closes, until it is zero to the last digits.
bool EventDrivenStepper::repeat_to(double part, Violation violation) {
  const double longest = length_;
  double h = part * length_;
  for (int i = 0; i < EventTuning::most_corrections; ++i) {
    if (i > 0 && h > 0 && std::abs(h - length_) <= EventTuning::short_stretch * length_) {
      smooth_.stretch(h - length_);
    } else if (!smooth_.try_step(h)) {
      return false;
    }
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

/// A node stays near the straight way between the ends of a step, within |x''|/8.
void EventDrivenStepper::sweep(const Configuration& from) {
  for (std::size_t i = 0; i < swept_.size(); ++i) {
    if (system_.nodes()[i].unknowns == 0) continue;
    const Vector3 beside = Vector3::Constant(smooth_.bounds(static_cast<int>(i)).acceleration / 8);
    for (const Vector3& x : {from.nodes[i].x, next_.configuration.nodes[i].x}) {
      swept_[i].extend(Vector3(x - beside)).extend(Vector3(x + beside));
    }
  }
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

/// A value that jumps with the motion, and drives it back to where it jumps: steps zigzag about
/// that place, and become ever shorter.
bool EventDrivenStepper::slides_on_a_switch(StepReport& report) {
  jumps_.look(next_.configuration, next_.velocity, next_.time,
              length_ < EventTuning::short_step * interval_);
  const std::string name = jumps_.endless();
  if (name.empty()) return false;
  report.message = fmt::format(
      "event-driven: t = {:.9g} s: the value of actuator \"{}\" jumps to and fro with the motion "
      "without end (a sliding mode, as of a brake that has stopped what it brakes); a law that is "
      "steep but continuous, such as tanh(rate/0.001), passes through, and so does friction of the "
      "joint with a time-stepping integrator",
      next_.time, name);
  return true;
}

/// The state at the end of the step, on joints and contacts. False if these cannot all be met.
bool EventDrivenStepper::accept(StepReport& report) {
  next_.accumulate_rotations(system_.nodes(), next_.configuration, smooth_.motion());
  std::vector<double> angles = next_.configuration.angles;
  system_.predict_angles(next_.configuration, next_.velocity, length_, angles);
  smooth_.state_at(1, trial_q_, trial_v_);
  std::swap(next_.configuration, trial_q_);
  sweep(trial_q_);
  next_.configuration.angles = angles;
  next_.velocity = trial_v_;
  // A step to the very end ends there, whatever round-off says.
  const bool is_last = length_ == latest_ - next_.time;
  next_.time = is_last ? latest_ : std::min(next_.time + length_, latest_);
  shocks_ = 0;
  const MotionTotals& totals = smooth_.totals();
  for (std::size_t k = 0; k < joint_impulses_.size(); ++k) {
    joint_impulses_[k].force += totals.joints[k].force;
    joint_impulses_[k].torque += totals.joints[k].torque;
  }
  next_.energy.external_work += totals.external;
  next_.energy.damping_loss += totals.damping;
  for (std::size_t k = 0; k < motion_.points().size(); ++k) {
    const ClosedPoint& point = motion_.points()[k];
    ContactState& sum = totals_[point.contact];  // joints have what their stops gave
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
  project_velocity();
  warn_of_singular_joints(report);
  system_.update_angles(next_.configuration);
  next_.energy.numerical_loss += before - energy();
  for (ClosedPoint& point : motion_.points()) motion_.renew_direction(point);
  keep_ways();
  return true;
}

}  // namespace saltus
