// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/study/convergence.hpp"

namespace saltus::cli {
namespace {

using study::ColumnConvergence;
using study::Convergence;

constexpr std::size_t most_columns_shown = 60;

void print_table(const Convergence& convergence) {
  std::size_t name = 6;
  for (const ColumnConvergence& column : convergence.columns) {
    name = std::max(name, column.name.size());
  }
  say("{:<{}}", "column", name);
  if (!convergence.columns.empty()) {
    for (const double step : convergence.columns.front().steps) {
      say("  {:>18}", fmt::format("h = {:.4g} s", step));
    }
  }
  say("  {:>6}  {:>18}  {:>9}\n", "order", "estimate", "error");
  for (std::size_t i = 0; i < std::min(most_columns_shown, convergence.columns.size()); ++i) {
    const ColumnConvergence& column = convergence.columns[i];
    say("{:<{}}", column.name, name);
    for (const double value : column.values) say("  {:>18.12g}", value);
    say("  {:>6}  {:>18.12g}  {:>9.1e}\n",
        column.order ? fmt::format("{:.2f}", *column.order) : "-", column.estimate, column.error);
  }
  if (convergence.columns.size() > most_columns_shown) {
    say("and {} more columns\n", convergence.columns.size() - most_columns_shown);
  }
}

void print_departure(const Convergence& convergence) {
  if (!convergence.comparable_until) {
    say("the finest two runs are comparable to the end, t = {:.6g} s\n", convergence.end_time);
    return;
  }
  say("comparable until t = {:.6g} s: then a column of the finest two runs differs by more than "
      "{:g} "
      "of its range; values at the end say nothing about the motion, only about its spread\n",
      *convergence.comparable_until, study::departure);
}

}  // namespace

int converge_command(const ConvergeArguments& arguments) {
  const std::filesystem::path directory =
      arguments.output.empty()
          ? std::filesystem::path(arguments.model).stem().string() + "-converge"
          : arguments.output;
  catch_interrupts();
  Progress progress(arguments.quiet, true);
  try {
    const Convergence convergence =
        study::converge({.model = arguments.model,
                         .settings = arguments.settings,
                         .halvings = arguments.halvings,
                         .columns = arguments.columns},
                        [&](int level, double time, double fraction) {
                          // Each run takes twice as long as the one before.
                          const double all = std::ldexp(2.0, arguments.halvings) - 1;
                          const double done = std::ldexp(1.0, level) * (1 + fraction) - 1;
                          progress.show(time, done / all);
                          return !is_interrupted();
                        });
    progress.erase();
    io::make_directory(directory);
    io::write_file_atomically(directory / "convergence.json", convergence_json(convergence));
    io::write_file_atomically(
        directory / "convergence.html",
        convergence_page(convergence, std::filesystem::path(arguments.model).filename().string()));
    print_table(convergence);
    print_departure(convergence);
    say("results: {}\n", (directory / "").string());
    return Done;
  } catch (const study::StudyStopped& stopped) {
    progress.erase();
    const bool failed = stopped.report.status == RunStatus::Failed;
    say(stderr, "{}: with h = {:.6g} s {} at t = {:.6g} s{}{}\n", arguments.model, stopped.step,
        failed ? "the solver gave up" : "interrupted", stopped.report.end_time, failed ? ": " : "",
        stopped.report.message);
    return failed ? GaveUp : Interrupted;
  }
}

}  // namespace saltus::cli
