// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "saltus/io/comparison_page.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/result_info.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t most_lines = 12;

std::string told(const EventLine& event) {
  if (event.kind == "impact") {
    return fmt::format("impact of \"{}\" at {:.9g} s", event.contact, event.time);
  }
  return fmt::format("\"{}\" {} at {:.9g} s", event.contact, event.kind, event.time);
}

void print_columns(const ResultComparison& comparison) {
  const auto differ = static_cast<std::size_t>(
      std::ranges::count_if(comparison.columns, [](const auto& c) { return c.largest > 0; }));
  if (differ == 0) {
    fmt::print("  no column differs\n");
    return;
  }
  fmt::print("\n  {:<44} {:>12} {:>14} {:>12}\n", "largest differences", "absolute", "at [s]",
             "over range");
  for (std::size_t i = 0; i < std::min(most_lines, differ); ++i) {
    const ColumnDifference& column = comparison.columns[i];
    fmt::print("  {:<44} {:>12.3g} {:>14.9g} {:>12.1e}\n", column.name, column.largest, column.at,
               column.relative());
  }
  if (differ > most_lines) {
    fmt::print("  and {} more columns that differ less\n", differ - most_lines);
  }
}

void print_events(const char* what, const EventDifference& events) {
  if (events.first_count + events.second_count == 0) return;
  fmt::print("\n  {}: {} and {}", what, events.first_count, events.second_count);
  if (events.alike > 0) {
    fmt::print("; the first {} in the same order, times within {:.3g} s (at {:.6g} s)",
               events.alike, events.latest, events.latest_at);
  }
  if (events.impulse > 0) {
    fmt::print(", normal impulses within {:.2g} of the larger one", events.impulse);
  }
  fmt::print("\n");
  if (events.same()) return;
  const std::string nothing = "nothing further";
  fmt::print("  first difference: {} | {}\n",
             events.first_other ? told(*events.first_other) : nothing,
             events.second_other ? told(*events.second_other) : nothing);
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
  const ResultInfo info[] = {read_result_info(arguments.first), read_result_info(arguments.second)};
  const ResultTable first = read_timeseries(arguments.first);
  const ResultTable second = read_timeseries(arguments.second);
  const std::vector<EventLine> first_events = read_events(arguments.first);
  const std::vector<EventLine> second_events = read_events(arguments.second);
  const ResultComparison comparison =
      compare_results(first, second, first_events, second_events, arguments.tolerance);
  fmt::print("{} | {}\n", arguments.first, arguments.second);
  if (info[0].model != info[1].model) {
    fmt::print("  models: {} | {}\n", info[0].model, info[1].model);
  }
  fmt::print("  {} instants from {:.6g} to {:.6g} s{}; {} columns in both, {} and {} in one only\n",
             comparison.instants, comparison.from, comparison.to,
             comparison.interpolated ? ", the second result linear between its rows" : "",
             comparison.columns.size(), comparison.only_first, comparison.only_second);
  if (comparison.agree_until) {
    fmt::print("  agree to {:g} of the ranges before {:.9g} s\n", arguments.tolerance,
               *comparison.agree_until);
  } else {
    fmt::print("  agree to {:g} of the ranges at all times\n", arguments.tolerance);
  }
  print_columns(comparison);
  print_events("impacts", comparison.impacts);
  print_events("contacts that stick or slip", comparison.changes);
  io::write_file_atomically(arguments.output,
                            comparison_page({arguments.first, arguments.second}, first, second,
                                            first_events, second_events, comparison));
  fmt::print("\n  overlay: {}\n", arguments.output);
  return Done;
}

}  // namespace saltus::cli
