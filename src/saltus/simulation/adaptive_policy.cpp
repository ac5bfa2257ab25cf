// SPDX-License-Identifier: Apache-2.0
// Steps that are chosen by their error: the part of StepPolicy that tries them. Equation numbers:
// docs/theory/adaptive_step.md.
#include <algorithm>

#include "saltus/simulation/step_policy.hpp"

namespace saltus {
namespace {

/// Of a length: round-off of times.
constexpr double same_time = 1e-9;

}  // namespace

StepPolicy::Held::Held(const State& now, const StepReport& step, double length, double time)
    : state(now),
      report(step),
      h(length),
      end(time),
      joints_along_mean(step.joints_along_mean.begin(), step.joints_along_mean.end()),
      smooth_multiplier(step.smooth_multiplier.begin(), step.smooth_multiplier.end()),
      multiplier_ahead(step.multiplier_ahead.begin(), step.multiplier_ahead.end()),
      sleeping(step.sleeping.begin(), step.sleeping.end()) {}

/// Too long a step leaves everything as it was, and a shorter one is tried.
bool StepPolicy::advance(AdaptivePace& pace, double target) {
  AdaptiveTotal& total = *output_.report().adaptive;
  const double start = state_.time, rest = target - start;
  for (double h = pace.propose(rest);;) {
    const double planned = h > (1 - same_time) * rest ? target : start + h;
    double end = pace.break_before(start, planned);
    if (target - end <= same_time * rest) end = target;
    if (end != planned) h = end - start;
    tried_ = h;
    double next = h;
    const Verdict verdict = judge(pace, h, end, next);
    if (verdict == Verdict::GivenUp) return false;
    if (verdict == Verdict::Accepted) {
      total.add(state_.time - start);
      return true;
    }
    ++total.rejected;
    h = std::min(next, rest);
  }
}

/// The whole tells whether the step is worth its halves. The shortest one is taken whatever its
/// error, and if it fails as the policy for failures says.
StepPolicy::Verdict StepPolicy::judge(AdaptivePace& pace, double h, double end, double& next) {
  const bool is_shortest = h <= (1 + same_time) * pace.shortest();
  Archive before;
  before(state_, stepper_);
  const State start = state_;
  const auto go_back = [&] {
    Archive memory(before.bytes());
    memory(state_, stepper_);
    held_.clear();
    events_.clear();
    divided_ = parts_ = 0;
  };
  pace.begin();
  const bool converged = try_step([&] { return divide(h, end); });
  if (output_.report().status == RunStatus::Interrupted) return Verdict::GivenUp;
  bool is_rejected = !converged;
  if (!converged) {
    next = pace.give_way(h);
  } else {
    is_rejected = pace.misses(start, events_, h, next);
  }
  const State whole = state_;
  go_back();
  if (is_shortest) return take_shortest(pace, converged ? &whole : nullptr, h, end);
  if (is_rejected) return Verdict::Rejected;

  const Verdict verdict = judge_halves(pace, start, whole, h, end, next);
  if (verdict == Verdict::Rejected) go_back();
  if (verdict == Verdict::Accepted) tell_held();
  return verdict;
}

bool StepPolicy::take_halves(double h, double end) {
  return divide(h / 2, end - h / 2) && (stop_.holds(state_) || divide(h / 2, end));
}

StepPolicy::Verdict StepPolicy::judge_halves(AdaptivePace& pace, const State& start,
                                             const State& whole, double h, double end,
                                             double& next) {
  if (!try_step([&] { return take_halves(h, end); })) {
    if (output_.report().status == RunStatus::Interrupted) return Verdict::GivenUp;
    next = pace.give_way(h);
    return Verdict::Rejected;
  }
  if (pace.misses(start, events_, h, next)) return Verdict::Rejected;
  if (stop_.holds(state_) && h > pace.resolution()) {
    next = h / 2;
    return Verdict::Rejected;
  }
  const double error = state_.time == end ? pace.error(start, whole, state_, h) : 0;
  if (error > 1) {
    next = pace.reject(h, error);
    return Verdict::Rejected;
  }
  pace.accept(state_, h, error);
  return Verdict::Accepted;
}

/// @param whole  null: it failed
StepPolicy::Verdict StepPolicy::take_shortest(AdaptivePace& pace, const State* whole, double h,
                                              double end) {
  const State start = state_;
  if (!take_halves(h, end)) return Verdict::GivenUp;
  count_divided();
  const bool is_compared = whole != nullptr && state_.time == end;
  const double error = is_compared ? pace.error(start, *whole, state_, h) : 0;
  if (error > 1) ++output_.report().adaptive->beyond;
  pace.accept(state_, h, error);
  return Verdict::Accepted;
}

void StepPolicy::hold(const StepReport& step, double h, double end) {
  held_.emplace_back(state_, step, h, end);
  events_.insert(events_.end(), step.events.begin(), step.events.end());
}

void StepPolicy::tell_held() {
  for (Held& held : held_) {
    StepReport& step = held.report;
    step.joints_along_mean = held.joints_along_mean;
    step.smooth_multiplier = held.smooth_multiplier;
    step.multiplier_ahead = held.multiplier_ahead;
    step.sleeping = held.sleeping;
    if (!step.accurate) ++output_.report().inaccurate_steps;
    tell(held.state, step, held.h, held.end);
  }
  held_.clear();
  events_.clear();
  count_divided();
}

}  // namespace saltus
