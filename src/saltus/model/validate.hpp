// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// Every broken rule of a model, with JSON pointers as places ("/model/bodies/0/inertia/mass"):
/// ranges from the fields' rules, then what no single field can say (names, degenerate axes,
/// inertia that no body can have, joints placed twice or not at all).
std::vector<Issue> validate(const Model& model);

/// Every broken rule of the options ("/simulation/integrator/step").
std::vector<Issue> validate(const SimulationOptions& options);

/// Every broken rule of both, and of the two together: methods that know no contacts, for a model
/// that has some.
std::vector<Issue> validate(const Model& model, const SimulationOptions& options);

/// `validate` for a model of which some places could not be read: leaves out what only follows from
/// them, that is, rules about these places, about what contains them or lies in them, and about
/// joints and forces on bodies whose pose or kind is not known.
std::vector<Issue> validate_except(const Model& model, std::vector<std::string> unreadable);
std::vector<Issue> validate_except(const SimulationOptions& options,
                                   std::vector<std::string> unreadable);
/// What model and options cannot be at once; nothing else.
std::vector<Issue> validate_together(const Model& model, const SimulationOptions& options,
                                     const std::vector<std::string>& unreadable = {});

}  // namespace saltus
