// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
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

void print_agreement(const ResultComparison& comparison, double tolerance) {
  say("  {}agree to {:g} of the ranges",
      comparison.has_same_columns() ? "" : "the columns in both ", tolerance);
  if (comparison.agree_until) {
    say(" before {:.9g} s\n", *comparison.agree_until);
  } else if (!comparison.has_same_columns()) {
    say("; the others cannot be compared\n");
  } else if (!comparison.modes.agrees(tolerance)) {
    say(", natural modes do not\n");
  } else {
    say(" {}\n", comparison.ends_together ? "at all times" : "as long as there are both");
  }
}

/// Where two runs that should be the same begin to differ, however little.
void print_first_row(const ResultComparison& comparison) {
  if (!comparison.first_row) return say("  all common rows are the same bytes\n");
  const FirstDifference& d = *comparison.first_row;
  if (d.column == "time") return;  // the rows of one are not those of the other
  say("  the same bytes before row {} at {:.9g} s: first {}, {:.17g} | {:.17g}\n", d.row + 1,
      d.time, d.column, d.first, d.second);
}

void print_columns(const ResultComparison& comparison) {
  const auto differ = static_cast<std::size_t>(
      std::ranges::count_if(comparison.columns, &ColumnDifference::differs));
  const bool is_round_off = std::ranges::any_of(
      comparison.columns, [](const auto& c) { return c.largest > 0 && !c.differs(); });
  if (differ == 0) {
    say("  no compared column differs{}\n", is_round_off ? " by more than round-off" : "");
    return;
  }
  say("\n  {:<44} {:>12} {:>14} {:>12}\n", "largest differences", "absolute", "at [s]",
      "over range");
  for (std::size_t i = 0; i < std::min(most_lines, differ); ++i) {
    const ColumnDifference& column = comparison.columns[i];
    say("  {:<44} {:>12.3g} {:>14.9g} {:>12.1e}\n",
        column.is_sum ? column.name + ", sum" : column.name, column.largest, column.at,
        column.relative());
  }
  if (differ > most_lines) {
    say("  and {} more columns that differ less\n", differ - most_lines);
  }
}

void print_modes(const ModeDifference& modes) {
  if (modes.first_count + modes.second_count == 0) return;
  say("\n  natural modes: {} and {}", modes.first_count, modes.second_count);
  if (modes.mode == 0) {
    say("; {}\n", std::min(modes.first_count, modes.second_count) > 0
                      ? "the frequencies in both are the same"
                      : "one of them is no modal analysis");
    return;
  }
  say("; frequencies within {:.2g}, mode {}: {:.9g} | {:.9g} Hz", modes.relative, modes.mode,
      modes.first.frequency, modes.second.frequency);
  if (modes.first.growth_rate != 0 || modes.second.growth_rate != 0) {
    say(", growth rate {:.9g} | {:.9g} 1/s", modes.first.growth_rate, modes.second.growth_rate);
  }
  say("\n");
}

void print_events(const char* what, const std::optional<EventDifference>& difference) {
  if (!difference || difference->first_count + difference->second_count == 0) return;
  const EventDifference& events = *difference;
  say("\n  {}: {} and {}", what, events.first_count, events.second_count);
  if (events.alike > 0) {
    say("; the first {} in the same order, times within {:.3g} s (at {:.6g} s)", events.alike,
        events.latest, events.latest_at);
  }
  if (events.impulse > 0) {
    say(", normal impulses within {:.2g} of the larger one", events.impulse);
  }
  say("\n");
  if (events.same()) return;
  const std::string nothing = "nothing further";
  say("  first difference: {} | {}\n", events.first_other ? told(*events.first_other) : nothing,
      events.second_other ? told(*events.second_other) : nothing);
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
  const ResultInfo info[] = {read_result_info(arguments.first), read_result_info(arguments.second)};
  const ComparedResult first = read_compared(arguments.first);
  const ComparedResult second = read_compared(arguments.second);
  const ResultComparison comparison = compare_results(first, second, arguments.tolerance);
  const ComparedNames names{arguments.first, arguments.second};
  say("{} | {}\n", arguments.first, arguments.second);
  if (info[0].model != info[1].model) {
    say("  models: {} | {}\n", info[0].model, info[1].model);
  }
  say("  {} instants from {:.6g} to {:.6g} s{}; {} columns in both, {} and {} in one only\n",
      comparison.instants, comparison.from, comparison.to,
      comparison.interpolated ? ", the second result linear between its rows" : "",
      comparison.columns.size(), comparison.only_first.size(), comparison.only_second.size());
  print_agreement(comparison, arguments.tolerance);
  print_first_row(comparison);
  for (const std::string& note : comparison_notes(names, first, second, comparison)) {
    say("  {}\n", note);
  }
  print_columns(comparison);
  print_events("impacts", comparison.impacts);
  print_events("contacts that stick or slip", comparison.changes);
  print_modes(comparison.modes);
  io::write_file_atomically(arguments.output, comparison_page(names, first, second, comparison));
  say("\n  overlay: {}\n", arguments.output);
  return Done;
}

}  // namespace saltus::cli
