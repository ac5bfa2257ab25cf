// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <thread>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/study/study_table.hpp"
#include "saltus/study/workers.hpp"

namespace saltus::cli {
namespace {

using study::CaseCounts;
using study::Handled;

struct Shard {
  int part = 1, parts = 1;
};

Shard shard_of(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.part);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const bool is_whole = has_slash && [&] {
    const auto second = std::from_chars(first.ptr + 1, end, shard.parts);
    return second.ec == std::errc() && second.ptr == end;
  }();
  if (!is_whole || shard.part < 1 || shard.part > shard.parts) {
    throw InputError(Issue{.place = "--shard",
                           .rule = "must be i/n with 1 <= i <= n",
                           .value = text,
                           .remedy = "e.g. --shard 1/4"});
  }
  return shard;
}

int jobs_of(const SweepArguments& arguments) {
  if (arguments.jobs > 0) return arguments.jobs;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void print_counts(const CaseCounts& counts, int cases, const std::filesystem::path& directory) {
  std::string text = fmt::format("{} of {} cases completed", counts.completed, cases);
  if (counts.failed > 0) text += fmt::format(", the solver gave up in {}", counts.failed);
  if (counts.invalid > 0) text += fmt::format(", the model is wrong in {}", counts.invalid);
  if (counts.crashed > 0) text += fmt::format(", {} crashed", counts.crashed);
  if (counts.missing > 0) text += fmt::format(", {} not run yet", counts.missing);
  say("{}\ntable: {}\n", text, (directory / "cases.csv").string());
  if (counts.failed + counts.invalid + counts.crashed > 0) {
    say("reasons: {}\n", (directory / "failures.csv").string());
  }
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  const Shard shard = shard_of(arguments.shard);
  const study::Study study = study::read_study(arguments.study);
  const study::Cases cases(study);
  const std::filesystem::path directory =
      arguments.output.empty() ? std::filesystem::path(arguments.study).stem().string() + "-out"
                               : arguments.output;
  const study::CaseRunner runner(study, cases, directory);
  try {
    runner.check();
  } catch (const InputError& error) {
    throw InputError(error.issues(), error.file().empty() ? arguments.study : error.file());
  }
  io::make_directory(directory / "cases");

  std::vector<int> numbers;
  for (int i = shard.part; i <= cases.count(); i += shard.parts) numbers.push_back(i);
  std::set<int> crashed;
  std::size_t done = 0;
  Progress progress(arguments.quiet, false);
  catch_interrupts();
  study::run_in_processes(
      numbers, jobs_of(arguments), [&](int number) { return runner.run(number, is_interrupted); },
      [&](int number, Handled handled) {
        if (handled == Handled::Crashed) crashed.insert(number);
        progress.show(0, static_cast<double>(++done) / static_cast<double>(numbers.size()));
      },
      is_interrupted);
  progress.erase();
  const CaseCounts counts = write_tables(study, cases, runner, crashed, directory);
  if (!arguments.quiet) print_counts(counts, cases.count(), directory);
  return is_interrupted() ? Interrupted : Done;
}

}  // namespace saltus::cli
