// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/run_watch.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/checkpoint.hpp"
#include "saltus/io/directory_lock.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/io/result_info.hpp"

namespace saltus::cli {
namespace {

using io::Checkpoint;

CheckedModelFile read_model(const Checkpoint& checkpoint, const std::filesystem::path& directory,
                            const std::optional<double>& end_time) {
  std::vector<std::string> settings;
  if (end_time) settings.push_back(fmt::format("/simulation/end_time={}", *end_time));
  return parse_checked_model(checkpoint.given_text, checkpoint.model, settings,
                             io::stored_meshes(directory));
}

/// @throws FileError if the checkpoint was put here from elsewhere.
void refuse_foreign(const Checkpoint& checkpoint, const ResultInfo& info) {
  if (checkpoint.model_hash == info.model_hash) return;
  throw FileError(fmt::format(
      "{}: the checkpoint is of another run, of {} with the hash {}; the results are of {}, {}",
      info.directory.string(), checkpoint.model, checkpoint.model_hash, info.model,
      info.model_hash));
}

/// A number that a user has given.
void require_later(const std::optional<double>& end_time, const Checkpoint& checkpoint) {
  if (!end_time || *end_time > checkpoint.time) return;
  throw InputError(Issue{.place = "--end-time",
                         .rule = fmt::format("the run is at t = {:.6g} s already", checkpoint.time),
                         .value = fmt::format("{:g}", *end_time),
                         .remedy = "choose a later one"});
}

}  // namespace

int resume_command(const ResumeArguments& arguments) {
  const std::filesystem::path directory = arguments.directory;
  const ResultInfo info = read_result_info(directory);
  const Checkpoint checkpoint = io::read_checkpoint(directory);
  if (!checkpoint.memory.empty()) refuse_foreign(checkpoint, info);
  if (info.status == "completed" && !info.stopped_by.empty()) {
    say("{}: is complete: it stopped at t = {:.6g} s by its condition {}; saltus run with another "
        "stop_when goes further\n",
        directory.string(), info.end_time, info.stopped_by);
    return Done;
  }
  if (info.status == "completed" && !arguments.end_time) {
    say("{}: is complete, to t = {:.6g} s; --end-time makes it longer\n", directory.string(),
        info.end_time);
    return Done;
  }
  { const io::DirectoryLock nobody_else(directory); }  // its files are not to be read while it runs
  require_later(arguments.end_time, checkpoint);
  const int threads = arguments.threads.value_or(checkpoint.threads);
  set_threads(threads);
  const CheckedModelFile file = read_model(checkpoint, directory, arguments.end_time);
  Progress progress(arguments.quiet, std::holds_alternative<Dynamics>(file.run.options()));
  Simulation simulation =
      make_simulation(file.run, checkpoint.model, WarningPrinter(progress, arguments.quiet));
  ignore_write_signals();
  ResultDirectory results(directory,
                          {.model = checkpoint.model,
                           .model_hash = arguments.end_time ? file.hash : checkpoint.model_hash,
                           .source = checkpoint.source,
                           .model_text = write_model(file.run),
                           .given_text = file.text,
                           .threads = threads,
                           .meshes = meshes_from_files(simulation.model())},
                          checkpoint);
  results.keep_checkpoints(arguments.limits.checkpoint_seconds.value_or(checkpoint.interval));
  results.keep_steps(arguments.limits.capsules);
  LimitWatch limits(arguments.limits);
  WatchedSink sink(results, progress, limits);
  catch_interrupts();
  if (!arguments.quiet) {
    say("{}: goes on from t = {:.6g} s\n", directory.string(), checkpoint.time);
  }
  const RunReport report = checkpoint.memory.empty() ? simulation.run(&sink)
                                                     : simulation.resume(checkpoint.memory, sink);
  progress.erase();
  return finish_run(checkpoint.model, arguments.quiet, report, directory, limits.reached());
}

}  // namespace saltus::cli
