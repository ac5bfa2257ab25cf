// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "apps/cli/interrupt.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/io/capsule.hpp"

namespace saltus::cli {
namespace {

/// Of this process, without what is on disk only.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void WarningPrinter::operator()(LogLevel level, std::string_view text) {
  constexpr int most = 20;
  if (quiet_ || level != LogLevel::Warning || printed_ > most) return;
  progress_.erase();
  if (printed_++ < most) {
    say(stderr, "warning: {}\n", text);
  } else {
    say(stderr, "warning: more warnings follow; summary.json lists them\n");
  }
}

const std::string& LimitWatch::reached() {
  if (!reached_.empty() || (!limits_.wall_seconds && !limits_.memory_bytes)) return reached_;
  const auto now = std::chrono::steady_clock::now();
  const double wall = std::chrono::duration<double>(now - start_).count();
  if (limits_.wall_seconds && wall >= *limits_.wall_seconds) {
    reached_ = fmt::format("--max-wall {:g} s is reached", *limits_.wall_seconds);
  } else if (limits_.memory_bytes && now - looked_ >= std::chrono::milliseconds(100)) {
    looked_ = now;
    const double used = resident_bytes(), most = static_cast<double>(*limits_.memory_bytes);
    if (used >= most) {
      reached_ = fmt::format("--max-memory {:.4g} MB is reached", most / 1e6);
    }
  }
  return reached_;
}

bool WatchedSink::progress(double time, double fraction, long steps) {
  progress_.show(time, fraction);
  return target_.progress(time, fraction, steps) && !is_interrupted() && limits_.reached().empty();
}

Simulation make_simulation(const CheckedRun& run, const std::string& name, LogSink log) {
  try {
    return Simulation(run, std::move(log));
  } catch (const InputError& error) {
    throw InputError(error.issues(), name);
  }
}

int finish_run(const std::string& name, bool quiet, const RunReport& report,
               const std::filesystem::path& directory, const std::string& limit) {
  if (!quiet) {
    RunReport shown = report;
    shown.message.clear();  // it goes to stderr
    say("{}\nresults: {}\n", shown.summary(), (directory / "").string());
  }
  switch (report.status) {
    case RunStatus::Completed:
      return Done;
    case RunStatus::Failed:
      say(stderr, "{}: {}{}\n", name,
          report.accepted ? "the results are no motion of the model: " : "the solver gave up: ",
          report.message);
      if (const auto capsule = directory / io::capsule_file_name;
          std::filesystem::exists(capsule)) {
        say(stderr, "saltus replay {} tries what would solve this step\n", capsule.string());
      }
      return GaveUp;
    case RunStatus::Interrupted:
      say(stderr,
          "{}: interrupted at t = {:.6g} s{}{}; the results up to there are complete, saltus "
          "resume "
          "{} goes on\n",
          name, report.end_time, limit.empty() ? "" : ", for ", limit, directory.string());
      return Interrupted;
  }
  return InternalError;
}

}  // namespace saltus::cli
