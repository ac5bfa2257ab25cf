// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/dynamics/compile_bodies.hpp"

namespace saltus {

/// Puts the features of all colliders on nodes, and lists the points of the contacts between them.
/// @param bodies  of the model, all added; may get nodes for rigid patches
void add_contacts(const Model& model, BodyCompiler& bodies, CompiledModel& out);

}  // namespace saltus
