// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/compile_bodies.hpp"

namespace saltus {

/// A stop of a joint or its friction, before it is one of the points.
struct CompiledStop {
  std::string name = {};  ///< of the joint
  int joint = 0;
  double restitution = 0;
  std::vector<ContactElement> ends = {};
};

/// Puts the features of all colliders on nodes, and lists the points of the contacts between them.
/// Stops of joints are listed after the points of contacts that are.
/// @param bodies  of the model, all added; may get nodes for rigid patches
void add_contacts(const Model& model, const std::vector<CompiledStop>& stops, BodyCompiler& bodies,
                  CompiledModel& out);

}  // namespace saltus
