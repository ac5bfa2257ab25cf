// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "apps/cli/commands.hpp"
#include "apps/cli/progress.hpp"
#include "saltus/core/log.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::cli {

/// Prints warnings above the progress line; not more than anybody reads.
class WarningPrinter {
 public:
  WarningPrinter(Progress& progress, bool quiet) : progress_(progress), quiet_(quiet) {}

  void operator()(LogLevel level, std::string_view text);

 private:
  Progress& progress_;
  bool quiet_;
  int printed_ = 0;
};

/// Tells when a run has used what it may use.
class LimitWatch {
 public:
  explicit LimitWatch(const RunLimits& limits) : limits_(limits) {}

  /// What is reached, as a part of a sentence; empty: nothing.
  const std::string& reached();

 private:
  RunLimits limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), looked_ = start_;
  std::string reached_ = {};
};

/// Between the simulation and the files: shows the progress and stops when asked to.
class WatchedSink : public ResultSink {
 public:
  WatchedSink(ResultSink& target, Progress& progress, LimitWatch& limits)
      : target_(target), progress_(progress), limits_(limits) {}

  void begin(const ResultLayout& layout) override { target_.begin(layout); }
  void record(std::span<const double> row) override { target_.record(row); }
  void event(const EventRow& event) override { target_.event(event); }
  void force(const ForceRow& row) override { target_.force(row); }
  void impact(const ImpactRow& row) override { target_.impact(row); }
  void modes(const ModeTable& table) override { target_.modes(table); }
  void update(const RunReport& so_far) override { target_.update(so_far); }
  void end(const RunReport& report) override { target_.end(report); }
  bool wants_memory(MemoryMoment moment) override { return target_.wants_memory(moment); }
  void memory(const Archive::Bytes& saved, const RunReport& so_far) override {
    target_.memory(saved, so_far);
  }
  StepWish wants_steps() override { return target_.wants_steps(); }
  void capsule(const StepCapsule& step) override { target_.capsule(step); }
  bool progress(double time, double fraction, long steps) override;

 private:
  ResultSink& target_;
  Progress& progress_;
  LimitWatch& limits_;
};

/// @throws InputError with the name of the file
Simulation make_simulation(const CheckedRun& run, const std::string& name, LogSink log);

/// Says how a run has ended. Returns the exit code.
int finish_run(const std::string& name, bool quiet, const RunReport& report,
               const std::filesystem::path& directory, const std::string& limit);

}  // namespace saltus::cli
