// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/step_policy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

constexpr int most_halvings = 10;  ///< the smallest step tried is h/1024

}  // namespace

bool StepPolicy::advance(double h, double end, int halvings) {
  const StepReport step = stepper_.step(state_, h, end, policy_ == FailurePolicy::Accept);
  RunReport& report = output_.report();
  if (!step.converged || !step.accurate) ++report.inaccurate_steps;
  report.smooth.add(step.smooth_iterations);
  report.position.add(step.position_iterations);
  report.velocity.add(step.velocity_iterations);
  recorder_.attempt(step);
  if (step.converged || (policy_ == FailurePolicy::Accept && step.usable)) {
    accept(step, h, end);
    return true;
  }
  if (step.interrupted) {
    output_.report().status = RunStatus::Interrupted;
    return false;
  }
  if (policy_ != FailurePolicy::Halve || halvings == most_halvings || step.is_final) {
    give_up(step, h);
    return false;
  }
  if (halvings == 0) {
    output_.warn(fmt::format("t = {:.6g} s: {}; the step of {:.3g} s is halved as often as needed",
                             state_.time, step.message, h));
  }
  const double middle = end - h / 2;
  return advance(h / 2, middle, halvings + 1) && advance(h / 2, end, halvings + 1);
}

void StepPolicy::accept(const StepReport& step, double h, double end) {
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
  output_.warn(state_.time, step.warnings);
  recorder_.step(state_, step, output_);
}

void StepPolicy::give_up(const StepReport& step, double h) {
  if (step.is_final) {
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
