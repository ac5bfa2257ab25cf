// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

// The physical numbers of a model: masses, inertias, stiffnesses, coefficients, loads, drives,
// velocities, gravity. Left out are options of the method, and geometry that other geometry must
// fit: places, directions, shapes of colliders, lengths of joints, radii of bearings.

/// Numbers of the same meaning and value, of as many bodies, contacts and so on as have it.
struct Parameter {
  std::string name;           ///< as `--set` calls the first of them, without "/model"
  std::size_t count;          ///< how many are one
  std::vector<double> value;  ///< a vector's components; empty for a formula
};

std::vector<Parameter> parameters(const Model& model, const SimulationOptions& options);

/// Multiplies a parameter. Restitution and friction of zero become |factor − 1|.
/// @return false if the model has no such parameter.
bool scale(Model& model, SimulationOptions& options, const std::string& parameter, double factor);

}  // namespace saltus
