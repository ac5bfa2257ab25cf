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
  /// Sizes of what is at a node, m: what widens tolerances there. 0: none.
  std::vector<double> node_lengths = {};
  /// Of nodes over planes: the distance at the start. It stands for the size of point masses.
  std::vector<double> node_heights = {};
  /// All functions of time that may jump or kink.
  std::vector<CompiledFunction> breaking_functions = {};
};

CompiledModel compile(const CheckedModel& model, double horizon);

}  // namespace saltus
