// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/step_policy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

/// One step, up to where the condition becomes true.
/// @param end  gets the time that was reached
StepReport StepPolicy::take(double h, double& end) {
  const bool accepts = policy_ == FailurePolicy::Accept && !is_trial_;
  if (!stop_.is_located() && !is_risky_) return stepper_.step(state_, h, end, accepts);
  Archive before;
  before(state_, stepper_);
  StepReport whole = stepper_.step(state_, h, end, accepts);
  for (int i = 0; i < most_halvings && is_risky_ && whole.converged; ++i) {
    if (!pace_->has_overrun(state_, h)) break;
    Archive memory(before.bytes());
    memory(state_, stepper_);
    h /= 2;
    end -= h;
    whole = stepper_.step(state_, h, end, accepts);
  }
  return stop_.is_located() && whole.converged && stop_.holds(state_)
             ? step_to_stop(before.bytes(), h, end)
             : whole;
}

/// The step is taken again, to other ends between which the condition changes: by the chord of its
/// margin, where the end that stays has half its weight (Illinois), and now and then by halves.
StepReport StepPolicy::step_to_stop(const Archive::Bytes& before, double h, double& end) {
  constexpr int most_trials = 80;
  const double start = end - h, resolution = 1e-14 * std::max(std::abs(end), h);
  const auto restore = [&] {
    Archive memory(before);
    memory(state_, stepper_);
  };
  const auto try_step = [&](double length) {
    restore();
    return stepper_.step(state_, length, start + length, policy_ == FailurePolicy::Accept);
  };
  double high = h, margin_high = stop_.margin(state_);
  restore();
  double low = 0, margin_low = stop_.margin(state_);
  int side = 0;
  for (int i = 0; i < most_trials && high - low > resolution; ++i) {
    const double chord = low + (high - low) * margin_low / (margin_low - margin_high);
    const bool by_chord = i % 3 != 2 && chord > low && chord < high;
    const double middle = by_chord ? chord : (low + high) / 2;
    if (!try_step(middle).converged) break;
    const double margin = stop_.margin(state_);
    const int now = margin > 0 ? 1 : -1;
    if (now == side) (margin > 0 ? margin_low : margin_high) /= 2;
    (margin > 0 ? high : low) = middle;
    (margin > 0 ? margin_high : margin_low) = margin;
    side = now;
  }
  end = start + high;
  return try_step(high);
}

/// Parts of equal length, as long as what touches or comes near does not want others. Where the
/// length changes the method begins anew with the acceleration: its own mean of a contact that has
/// opened must not push through a part a hundred times as long.
bool StepPolicy::advance(double h, double end) {
  const bool done = divide(h, end);
  count_divided();
  return done;
}

void StepPolicy::count_divided() {
  if (pace_ == nullptr) return;
  CompliantTotal& total = *output_.report().compliant;
  total.divided_steps += std::exchange(divided_, 0);
  total.parts += std::exchange(parts_, 0);
}

bool StepPolicy::divide(double h, double end) {
  return pace_ == nullptr ? advance(h, end, 0) : advance_in_parts(h, end);
}

bool StepPolicy::advance_in_parts(double h, double end) {
  constexpr double no_part = 1e-9;  // of h: round-off of times
  long parts = 0;
  double last = h;
  for (double rest = h; rest > no_part * h; rest = end - state_.time) {
    const CompliantPace::Step step = pace_->look(state_, rest);
    is_risky_ = step.is_risky;
    const double count = std::ceil(rest / step.length - no_part);
    const double part = count > 1 ? rest / count : rest;
    if (std::abs(part - last) > no_part * h) state_.pseudo_acceleration = state_.acceleration;
    last = part;
    if (!advance(part, count > 1 ? state_.time + part : end, 0)) return false;
    ++parts;
    if (stop_.holds(state_)) break;
  }
  if (last < h) state_.pseudo_acceleration = state_.acceleration;
  if (parts > 1) ++divided_, parts_ += parts;
  return true;
}

bool StepPolicy::advance(double h, double end, int halvings) {
  const double planned = end;
  const StepReport step = take(h, end);
  h -= planned - end;
  RunReport& report = output_.report();
  if (!is_trial_ && (!step.converged || !step.accurate)) ++report.inaccurate_steps;
  report.smooth.add(step.smooth_iterations);
  report.position.add(step.position_iterations);
  report.velocity.add(step.velocity_iterations);
  recorder_.attempt(step);
  if (is_trial_ && step.converged) {
    hold(step, h, end);
    PushedThrough pushed = report.pushed;
    return !watch_.look(state_, step, h, pushed);
  }
  if (!is_trial_ && (step.converged || (policy_ == FailurePolicy::Accept && step.usable))) {
    tell(state_, step, h, end);
    return holds(step, h);
  }
  if (step.interrupted) {
    output_.report().status = RunStatus::Interrupted;
    return false;
  }
  if (is_trial_) return false;
  if (policy_ != FailurePolicy::Halve || halvings == most_halvings || step.is_final) {
    give_up(step, h);
    return false;
  }
  if (halvings == 0) {
    output_.warn(fmt::format("t = {:.6g} s: {}; the step of {:.3g} s is halved as often as needed",
                             state_.time, step.message, h));
  }
  const double middle = end - h / 2;
  if (pace_ != nullptr) return advance(h / 2, middle, halvings + 1);  // which says how to go on
  return advance(h / 2, middle, halvings + 1) &&
         (stop_.holds(state_) || advance(h / 2, end, halvings + 1));
}

void StepPolicy::tell(const State& state, const StepReport& step, double h, double end) {
  if (!step.converged) {
    output_.warn(
        fmt::format("t = {:.6g} s: {}; accepted as asked (on_failure)", end, step.message));
  }
  RunReport& report = output_.report();
  report.max_position_violation = std::max(report.max_position_violation, step.position_violation);
  report.max_velocity_violation = std::max(report.max_velocity_violation, step.velocity_violation);
  report.max_penetration = std::max(report.max_penetration, step.penetration);
  report.max_overlooked = std::fmax(report.max_overlooked, step.overlooked);
  report.sleep.add(step.sleeping, h);
  output_.events(step);
  output_.warn(state.time, step.warnings);
  recorder_.step(state, step, output_);
}

/// Whether joints and contacts do after a step of length h. Who accepts whatever comes goes on, and
/// is told at the end.
bool StepPolicy::holds(const StepReport& step, double h) {
  RunReport& report = output_.report();
  ViolationWatch::Violation broken = watch_.look(state_, step, h, report.pushed);
  if (!broken) return true;
  if (policy_ != FailurePolicy::Accept) {
    report.message = fmt::format("t = {:.6g} s: {}", state_.time, broken.text);
    return false;
  }
  if (!report.accepted) report.accepted.emplace().first = state_.time;
  AcceptedViolation& worst = *report.accepted;
  if (broken.ratio > worst.ratio) {
    worst.ratio = broken.ratio;
    worst.time = state_.time;
    worst.text = std::move(broken.text);
  }
  return true;
}

void StepPolicy::give_up(const StepReport& step, double h) {
  if (step.is_final) {
    output_.warn(state_.time, step.warnings);
    output_.report().message = fmt::format("t = {:.6g} s: {}", state_.time, step.message);
    return;
  }
  const std::string why = policy_ == FailurePolicy::Stop ? "stopped as asked (on_failure)"
                          : policy_ == FailurePolicy::Accept
                              ? "nothing finite to accept (on_failure)"
                              : fmt::format(
                                    "halving the step {} times did not help; try "
                                    "a smaller step or look for a singular "
                                    "position of the mechanism",
                                    most_halvings);
  output_.report().message =
      fmt::format("t = {:.6g} s, step {:.3g} s: {}; {}", state_.time, h, step.message, why);
}

}  // namespace saltus
