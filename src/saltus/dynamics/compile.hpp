// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// A model turned into elements on nodes, before unknowns are numbered.
struct CompiledModel {
  ElementLists elements = {};
  std::vector<NodeKind> node_kinds = {};  ///< node 0 is the ground
  Configuration configuration = {};       ///< as given
  std::vector<Vector6> node_velocities = {};
  std::vector<double> node_masses = {};  ///< about what moves with a node, kg
  double characteristic_length = 1;
};

CompiledModel compile(const CheckedModel& model, double horizon);

}  // namespace saltus
