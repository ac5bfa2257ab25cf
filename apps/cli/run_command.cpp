// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::cli {
namespace {

/// Prints warnings above the progress line; not more than anybody reads.
class WarningPrinter {
 public:
  WarningPrinter(Progress& progress, bool quiet) : progress_(progress), quiet_(quiet) {}

  void operator()(LogLevel level, std::string_view text) {
    constexpr int most = 20;
    if (quiet_ || level != LogLevel::Warning || printed_ > most) return;
    progress_.erase();
    if (printed_++ < most) {
      fmt::print(stderr, "warning: {}\n", text);
    } else {
      fmt::print(stderr, "warning: more warnings follow; summary.json lists them\n");
    }
  }

 private:
  Progress& progress_;
  bool quiet_;
  int printed_ = 0;
};

/// Between the simulation and the files: shows the progress and stops when asked to.
class WatchedSink : public ResultSink {
 public:
  WatchedSink(ResultSink& target, Progress& progress) : target_(target), progress_(progress) {}

  void begin(const ResultLayout& layout) override { target_.begin(layout); }
  void record(std::span<const double> row) override { target_.record(row); }
  void event(const EventRow& event) override { target_.event(event); }
  void force(const ForceRow& row) override { target_.force(row); }
  void impact(const ImpactRow& row) override { target_.impact(row); }
  void modes(const ModeTable& table) override { target_.modes(table); }
  void update(const RunReport& so_far) override { target_.update(so_far); }
  void end(const RunReport& report) override { target_.end(report); }
  bool progress(double time, double fraction, long steps) override {
    progress_.show(time, fraction);
    return target_.progress(time, fraction, steps) && !is_interrupted();
  }

 private:
  ResultSink& target_;
  Progress& progress_;
};

std::filesystem::path output_directory(const RunArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  return std::filesystem::path(arguments.model).stem().string() + "-out";
}

Simulation make_simulation(const CheckedRun& run, const std::string& name, LogSink log) {
  try {
    return Simulation(run, std::move(log));
  } catch (const InputError& error) {
    throw InputError(error.issues(), name);
  }
}

int finish(const RunArguments& arguments, const RunReport& report,
           const std::filesystem::path& directory) {
  if (!arguments.quiet) {
    RunReport shown = report;
    shown.message.clear();  // it goes to stderr
    fmt::print("{}\nresults: {}\n", shown.summary(), (directory / "").string());
    std::fflush(stdout);
  }
  switch (report.status) {
    case RunStatus::Completed:
      return Done;
    case RunStatus::Failed:
      fmt::print(stderr, "{}: the solver gave up: {}\n", arguments.model, report.message);
      return GaveUp;
    case RunStatus::Interrupted:
      fmt::print(stderr, "{}: interrupted at t = {:.6g} s; the results up to there are complete\n",
                 arguments.model, report.end_time);
      return Interrupted;
  }
  return InternalError;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  set_threads(arguments.threads);
  const CheckedModelFile file = read_checked_model_file(arguments.model, arguments.settings);
  Progress progress(arguments.quiet, std::holds_alternative<Dynamics>(file.run.options()));
  Simulation simulation =
      make_simulation(file.run, arguments.model, WarningPrinter(progress, arguments.quiet));

  const std::filesystem::path directory = output_directory(arguments);
  ResultDirectory results(directory,
                          {.model = std::filesystem::path(arguments.model).filename().string(),
                           .model_hash = file.hash,
                           .model_text = write_model(file.run),
                           .threads = arguments.threads,
                           .meshes = meshes_from_files(simulation.model())},
                          arguments.overwrite ? ForeignFiles::Overwrite : ForeignFiles::Refuse);
  WatchedSink sink(results, progress);
  catch_interrupts();
  ignore_write_signals();
  const RunReport report = simulation.run(&sink);
  progress.erase();
  return finish(arguments, report, directory);
}

}  // namespace saltus::cli
