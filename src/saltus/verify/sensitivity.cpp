// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/sensitivity.hpp"

#include <algorithm>

#include "saltus/io/model_file.hpp"
#include "saltus/model/contact.hpp"

namespace saltus {
namespace {

std::string excuse_of(const std::string& example, const std::string& parameter) {
  for (const Excuse& item : excuses()) {
    if (fits(example, item.example) && fits(parameter, item.parameter)) return item.reason;
  }
  return {};
}

/// Adds what the cases notice of a factor.
void run_with(double factor, const std::vector<ReferenceCase>& cases,
              const std::filesystem::path& examples, const RecordedRun::Watch& watch,
              Sensitivity& result) {
  result.rows = result.noticed = 0;
  result.refused = false;
  for (const ReferenceCase& item : cases) {
    bool is_there = false;
    const ModelChange change = [&](Model& model, SimulationOptions& options) {
      is_there = scale(model, options, result.parameter.name, factor);
      return is_there;
    };
    const CaseResult run = run_case(item, examples, watch, change);
    for (const CheckResult& check : run.checks) {
      ++result.rows;
      if (is_there && !run.refused && !check.is_ok()) ++result.noticed;
    }
    result.refused = result.refused || run.refused;
    result.interrupted = result.interrupted || run.interrupted;
    if (result.interrupted) return;
  }
}

}  // namespace

std::vector<Parameter> parameters(const std::vector<ReferenceCase>& cases,
                                  const std::filesystem::path& examples) {
  std::vector<Parameter> all;
  for (const ReferenceCase& item : cases) {
    const ModelFile file = read_model_file(examples / (item.example + ".json"), item.settings);
    for (Parameter& parameter : parameters(file.model, file.simulation)) {
      const bool known = std::any_of(all.begin(), all.end(),
                                     [&](const Parameter& p) { return p.name == parameter.name; });
      if (!known) all.push_back(std::move(parameter));
    }
  }
  return all;
}

Sensitivity sensitivity(const std::vector<ReferenceCase>& cases, const Parameter& parameter,
                        const std::filesystem::path& examples, const RecordedRun::Watch& watch) {
  Sensitivity result{.example = cases.at(0).example, .parameter = parameter};
  result.excuse = excuse_of(result.example, parameter.name);
  for (const double factor : {1.1, 0.9}) {
    run_with(factor, cases, examples, watch, result);
    if (result.interrupted || !result.refused) break;
  }
  return result;
}

}  // namespace saltus
