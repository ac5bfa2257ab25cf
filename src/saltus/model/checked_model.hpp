// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// A model that keeps all rules: whoever takes one need not check again. Making it checks the model
/// and replaces its ball bearings, once; copies share both, so it is handed on by value.
class CheckedModel {
 public:
  /// A plain model goes where a checked one is wanted.
  /// @throws InputError with every broken rule.
  CheckedModel(Model model);  // NOLINT(google-explicit-constructor)
  // Copies only: one that has been moved from would hold nothing.
  CheckedModel(const CheckedModel&) = default;
  CheckedModel& operator=(const CheckedModel&) = default;
  ~CheckedModel() = default;

  /// As it was described.
  const Model& given() const { return content_->given; }
  /// What is simulated: every ball bearing is the bodies, colliders and contacts it stands for. Ids
  /// and indices of the given model hold here too.
  const Model& simulated() const {
    return content_->expanded ? *content_->expanded : content_->given;
  }

 private:
  friend class CheckedRun;
  struct Content {
    Model given = {};
    std::optional<Model> expanded = {};  // if there is something to expand
  };
  struct IsChecked {};
  CheckedModel(Model model, IsChecked, BearingUse use = BearingUse::Motion);

  std::shared_ptr<const Content> content_;
};

/// A model with what is to be computed of it, checked together: what a model file says.
class CheckedRun {
 public:
  /// Whether forces of type "user" must have their laws. Files cannot give them; a run needs them.
  enum class Laws { MayBeMissing, Required };

  /// @throws InputError with every broken rule of the model, of the options, and of both together.
  CheckedRun(Model model, const SimulationOptions& options, Laws laws = Laws::MayBeMissing);

  const CheckedModel& model() const { return model_; }
  const SimulationOptions& options() const { return options_; }
  /// @throws InputError with every force of type "user" that has no law.
  void require_laws() const;

 private:
  CheckedModel model_;
  SimulationOptions options_;
};

}  // namespace saltus
