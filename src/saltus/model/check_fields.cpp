// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/check_fields.hpp"

#include <fmt/format.h>

#include <cmath>

namespace saltus {
namespace {

std::string range_text(const Rule& rule) {
  const std::string minimum = shown(rule.minimum);
  const std::string maximum = shown(rule.maximum);
  const bool below = std::isfinite(rule.maximum);
  if (!std::isfinite(rule.minimum)) return "must be <= " + maximum;
  const std::string upper = (rule.maximum_excluded ? " and < " : " and <= ") + maximum;
  if (rule.minimum_excluded) return "must be > " + minimum + (below ? upper : "");
  return below ? "must be in [" + minimum + ", " + maximum + "]" : "must be >= " + minimum;
}

}  // namespace

std::string shown(double value) { return fmt::format("{}", value); }

void check_number(double value, const Rule& rule, const Place& place, std::vector<Issue>& issues) {
  const bool below = rule.minimum_excluded ? value <= rule.minimum : value < rule.minimum;
  const bool above = rule.maximum_excluded ? value >= rule.maximum : value > rule.maximum;
  if (!std::isfinite(value)) {
    issues.push_back({.place = place.text(), .rule = "must be finite", .value = shown(value)});
  } else if (below || above) {
    issues.push_back({.place = place.text(), .rule = range_text(rule), .value = shown(value)});
  }
}

}  // namespace saltus
