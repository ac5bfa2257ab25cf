// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/reference_case.hpp"

#include <cmath>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace {

/// Runs the example of a case; returns why it did not get to its end.
std::string run_example(const ReferenceCase& item, const std::filesystem::path& path,
                        RecordedRun& run) {
  try {
    const CheckedModelFile file = read_checked_model_file(path, item.settings);
    const std::string message = Simulation(file.run).run(&run).message;
    return message.empty() ? "" : path.string() + ": the solver gave up: " + message;
  } catch (const InputError& error) {
    return error.what();
  } catch (const FileError& error) {
    return error.what();
  }
}

/// Without the directories in front of the file's name.
std::string with_short_name(std::string text, const std::filesystem::path& path) {
  const std::string name = path.string();
  for (std::size_t place = 0; (place = text.find(name, place)) != std::string::npos;) {
    text.replace(place, name.size(), path.filename().string());
  }
  return text;
}

}  // namespace

double CheckResult::error() const { return std::abs(measured - check.reference); }

CaseResult run_case(const ReferenceCase& item, const std::filesystem::path& examples,
                    RecordedRun::Watch watch) {
  const std::filesystem::path path = examples / (item.example + ".json");
  RecordedRun run(std::move(watch));
  CaseResult result;
  result.failure = with_short_name(run_example(item, path, run), path);
  result.interrupted = run.report().status == RunStatus::Interrupted;
  const bool completed = result.failure.empty() && !result.interrupted;
  for (const ReferenceCheck& check : item.checks) {
    result.checks.push_back({check, completed ? check.measure(run) : std::nan("")});
  }
  return result;
}

}  // namespace saltus
