// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/reference_case.hpp"

#include <cmath>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace {

std::string message_of(const std::filesystem::path& path, const RunReport& report) {
  return report.message.empty() ? "" : path.string() + ": the solver gave up: " + report.message;
}

/// Runs the example of a case; returns why it did not get to its end.
std::string run_example(const ReferenceCase& item, const std::filesystem::path& path,
                        const ModelChange& change, RecordedRun& run, bool& refused) {
  try {
    if (!change) {
      const CheckedModelFile file = read_checked_model_file(path, item.settings);
      return message_of(path, Simulation(file.run).run(&run));
    }
    ModelFile file = read_model_file(path, item.settings);
    if (!change(file.model, file.simulation)) return {};
    return message_of(path, Simulation(file.model, file.simulation).run(&run));
  } catch (const InputError& error) {
    refused = true;
    return error.what();
  } catch (const FileError& error) {
    refused = true;
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

std::string text_of(Source source) {
  switch (source) {
    case Source::Exact:
      return "exact";
    case Source::Derived:
      return "derived";
    case Source::Galvez:
      return "printed: Galvez 2020";
    case Source::Sanchez:
      return "printed: Sánchez 2025";
    case Source::Chatterjee:
      return "printed: Chatterjee 2019";
    case Source::Own:
      return "own value";
    case Source::Literature:
      break;
  }
  return "printed: literature";
}

std::string Reference::label() const {
  return unit.empty() ? quantity : quantity + " (" + unit + ")";
}

double CheckResult::error() const { return std::abs(measured - reference.value); }

CaseResult run_case(const ReferenceCase& item, const std::filesystem::path& examples,
                    RecordedRun::Watch watch, const ModelChange& change) {
  const std::filesystem::path path = examples / (item.example + ".json");
  RecordedRun run(std::move(watch));
  CaseResult result;
  result.failure = with_short_name(run_example(item, path, change, run, result.refused), path);
  result.interrupted = run.report().status == RunStatus::Interrupted;
  const bool completed = result.failure.empty() && !result.interrupted;
  for (const Reference& row : item.references) {
    if (!row.measure) continue;
    result.checks.push_back({row, completed ? row.measure(run) : std::nan("")});
  }
  return result;
}

}  // namespace saltus
