// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// A model turned into elements on nodes, before unknowns are numbered.
struct CompiledModel {
  Vector3 origin = Vector3::Zero();  ///< where places count from, in the inertial frame
  ElementLists elements = {};
  std::vector<NodeKind> node_kinds = {};  ///< node 0 is the ground
  Configuration configuration = {};       ///< as given
  std::vector<Vector6> node_velocities = {};
  std::vector<double> node_masses = {};  ///< about what moves with a node, kg
  /// Sizes of what is at a node, m: what widens tolerances there. 0: none.
  std::vector<double> node_lengths = {};
  /// Of nodes over planes: the distance at the start. It stands for the size of point masses.
  std::vector<double> node_heights = {};
};

/// @param origin  where the places of this model count from, in the inertial frame
CompiledModel compile(const Model& model, double time_scale, const Vector3& origin = {0, 0, 0});

/// A point near a compiled model that lies far from its own origin, for its size: coordinates from
/// there keep the digits that distances need. Zero for one that does not. In binary it is so round
/// that moving a place by it rounds nothing.
Vector3 far_origin(const CompiledModel& compiled);

}  // namespace saltus
