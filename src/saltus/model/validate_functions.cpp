// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <stdexcept>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

void check_table(const Table& table, const Place& place, std::vector<Issue>& issues) {
  if (table.times.size() != table.values.size()) {
    issues.push_back({.place = place.text(),
                      .rule = "\"times\" and \"values\" must have the same length",
                      .value = std::to_string(table.times.size()) + " times and " +
                               std::to_string(table.values.size()) + " values"});
  } else if (table.times.empty()) {
    issues.push_back({.place = place.text(), .rule = "a table needs at least one point"});
  }
  const Place times = place / "times";
  for (std::size_t i = 1; i < table.times.size(); ++i) {
    if (table.times[i] > table.times[i - 1]) continue;
    issues.push_back({.place = (times / i).text(),
                      .rule = "times must increase: after " + shown(table.times[i - 1]),
                      .value = shown(table.times[i])});
    return;
  }
}

void check_expression(const Expression& expression, const Place& place,
                      std::vector<Issue>& issues) {
  const std::string where = (place / "text").text();
  const std::string text = '"' + expression.text + '"';
  try {
    const double start = CompiledFunction(expression).value(0);
    if (std::isfinite(start)) return;
    issues.push_back({.place = where,
                      .rule = "must be finite at t = 0",
                      .value = shown(start) + " from " + text});
  } catch (const std::invalid_argument& error) {
    issues.push_back({.place = where,
                      .rule = std::string("the formula cannot be read: ") + error.what(),
                      .value = text});
  }
}

}  // namespace

void check_function(const TimeFunction& function, const Place& place, std::vector<Issue>& issues) {
  if (const auto* table = std::get_if<Table>(&function)) check_table(*table, place, issues);
  if (const auto* formula = std::get_if<Expression>(&function)) {
    check_expression(*formula, place, issues);
  }
}

}  // namespace saltus
