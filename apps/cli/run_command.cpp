// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/run_watch.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/result_directory.hpp"

namespace saltus::cli {
namespace {

std::filesystem::path output_directory(const RunArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  return std::filesystem::path(arguments.model).stem().string() + "-out";
}

}  // namespace

int run_command(const RunArguments& arguments) {
  set_threads(arguments.threads);
  const CheckedModelFile file = read_checked_model_file(arguments.model, arguments.settings);
  Progress progress(arguments.quiet, std::holds_alternative<Dynamics>(file.run.options()));
  Simulation simulation =
      make_simulation(file.run, arguments.model, WarningPrinter(progress, arguments.quiet));

  const std::filesystem::path directory = output_directory(arguments);
  ignore_write_signals();
  ResultDirectory results(directory,
                          {.model = std::filesystem::path(arguments.model).filename().string(),
                           .model_hash = file.hash,
                           .source = source_of(arguments.model),
                           .model_text = write_model(file.run),
                           .given_text = file.text,
                           .threads = arguments.threads,
                           .meshes = meshes_from_files(simulation.model())},
                          arguments.overwrite ? ForeignFiles::Overwrite : ForeignFiles::Refuse);
  results.keep_checkpoints(
      arguments.limits.checkpoint_seconds.value_or(file.checkpoint.every_seconds));
  results.keep_steps(arguments.limits.capsules);
  LimitWatch limits(arguments.limits);
  WatchedSink sink(results, progress, limits);
  catch_interrupts();
  const RunReport report = simulation.run(&sink);
  progress.erase();
  return finish_run(arguments.model, arguments.quiet, report, directory, limits.reached());
}

}  // namespace saltus::cli
