// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/checked_model.hpp"

#include <fmt/format.h>

#include <utility>

#include "saltus/model/validate.hpp"

namespace saltus {
namespace {

void refuse_if_any(std::vector<Issue> issues) {
  if (!issues.empty()) throw InputError(std::move(issues));
}

/// Forces whose laws a program forgot to give.
std::vector<Issue> missing_laws(const Model& model) {
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const UserForce* force = std::get_if<UserForce>(&model.forces[i]);
    if (force == nullptr || force->law) continue;
    issues.push_back({.place = fmt::format("/model/forces/{}", i),
                      .rule = "a force of type \"user\" needs a law",
                      .remedy = "a program (C++ or Python) gives it; a model file cannot"});
  }
  return issues;
}

Model checked(Model model) {
  refuse_if_any(validate(model));
  return model;
}

Model checked(Model model, const SimulationOptions& options, CheckedRun::Laws laws) {
  std::vector<Issue> issues = validate(model, options);
  if (laws == CheckedRun::Laws::Required) {
    for (Issue& issue : missing_laws(model)) issues.push_back(std::move(issue));
  }
  refuse_if_any(std::move(issues));
  return model;
}

BearingUse use_of(const SimulationOptions& options) {
  return std::holds_alternative<Dynamics>(options) ? BearingUse::Motion : BearingUse::Equilibrium;
}

}  // namespace

CheckedModel::CheckedModel(Model model) : CheckedModel(checked(std::move(model)), IsChecked()) {}

CheckedModel::CheckedModel(Model model, IsChecked, BearingUse use) {
  Content content{.given = std::move(model)};
  if (!content.given.ball_bearings.empty()) {
    content.expanded = with_bearings_expanded(content.given, use);
  }
  content_ = std::make_shared<const Content>(std::move(content));
}

CheckedRun::CheckedRun(Model model, const SimulationOptions& options, Laws laws)
    : model_(checked(std::move(model), options, laws), CheckedModel::IsChecked(), use_of(options)),
      options_(options) {}

void CheckedRun::require_laws() const { refuse_if_any(missing_laws(model_.given())); }

}  // namespace saltus
