// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/impulse_filter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace saltus::hertz {

namespace {

double known(const ImpulseStep& s) {
  return std::clamp(s.known_impact, 0.0, std::max(s.impulse, 0.0));
}

/// The force that the impulse would be if it were all of lasting contact, without known impacts.
double level(const ImpulseStep& s) { return (s.impulse - known(s)) / s.step; }

/// (21): the force level of a line through the middles of the neighbouring steps. At the ends of
/// a history the one neighbour stands for both.
double neighbour_level(const ImpulseStep* before, const ImpulseStep& s, const ImpulseStep* after) {
  if (before == nullptr) return level(*after);
  if (after == nullptr) return level(*before);
  const double left = before->step + s.step, right = s.step + after->step;
  return (right * level(*before) + left * level(*after)) / (left + right);
}

/// (20). A load that rises or falls is no impact: with one neighbour only, a peak must be more than
/// twice as high.
bool is_peak(const ImpulseStep* before, const ImpulseStep& s, const ImpulseStep* after) {
  const double f = level(s);
  if (before != nullptr && after != nullptr) return f > level(*before) && f > level(*after);
  if (before != nullptr) return f > 2 * level(*before);
  return after != nullptr && f > 2 * level(*after);
}

ImpulseSplit split(const ImpulseStep* before, const ImpulseStep& s, const ImpulseStep* after) {
  double impact = known(s);
  if (is_peak(before, s, after)) impact += s.step * (level(s) - neighbour_level(before, s, after));
  return {s.impulse - impact, impact};
}

const ImpulseStep* pointer(const std::optional<ImpulseStep>& step) {
  return step ? &*step : nullptr;
}

void check(const ImpulseStep& s) {
  if (!(s.step > 0)) throw std::invalid_argument("the length of a step must be positive");
  if (!std::isfinite(s.impulse) || !std::isfinite(s.known_impact))
    throw std::invalid_argument("impulses must be numbers");
}

}  // namespace

std::optional<ImpulseSplit> ImpulseFilter::push(const ImpulseStep& step) {
  check(step);
  std::optional<ImpulseSplit> result;
  if (current_) result = split(pointer(before_), *current_, &step);
  before_ = current_;
  current_ = step;
  return result;
}

std::optional<ImpulseSplit> ImpulseFilter::finish() {
  std::optional<ImpulseSplit> result;
  if (current_) result = split(pointer(before_), *current_, nullptr);
  before_.reset();
  current_.reset();
  return result;
}

std::vector<ImpulseSplit> split_impulses(std::span<const ImpulseStep> history) {
  std::vector<ImpulseSplit> splits;
  splits.reserve(history.size());
  ImpulseFilter filter;
  for (const ImpulseStep& step : history)
    if (const auto s = filter.push(step)) splits.push_back(*s);
  if (const auto s = filter.finish()) splits.push_back(*s);
  return splits;
}

}  // namespace saltus::hertz
