// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/model/model.hpp"

namespace saltus {

/// Two colliders that may touch, as indices into `Model::colliders`.
struct ColliderPair {
  int first = -1;   ///< selected by the first entry of `between`
  int second = -1;  ///< selected by the second
};

/// Whether this version can compute contacts between the two shapes: a point, sphere or box against
/// a half-space or face, in either order.
bool can_touch(const Shape& first, const Shape& second);

/// The indices of the colliders that are selected, increasing.
std::vector<int> selected_colliders(const Model& model, const ColliderSelection& selection);

/// The pairs that a contact speaks of, in the order of the model, each once: (a, b) and (b, a), if
/// both entries select both, are the pair that comes first. Left out are pairs on one body, pairs
/// on the ground, and shapes that cannot touch.
/// @pre contact.between has two entries.
std::vector<ColliderPair> collider_pairs(const Model& model, const Contact& contact);

}  // namespace saltus
