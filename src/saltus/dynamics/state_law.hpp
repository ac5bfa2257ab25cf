// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/element_lists.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// The law that a formula of what moves means in a compiled model.
/// @param origin  where positions of nodes count from
/// @param nodes   gets the nodes that the formula sees and that are not in it yet
/// @pre the formula can be read, and every name in it stands for something
StateLaw make_state_law(const Model& model, const ElementLists& elements, const Vector3& origin,
                        const std::string& text, std::vector<int>& nodes);

}  // namespace saltus
