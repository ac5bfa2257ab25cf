// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/collider_pairs.hpp"

#include <algorithm>

#include "saltus/core/assert.hpp"

namespace saltus {
namespace {

bool is_plane(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<Face>(shape);
}

bool contains(const std::vector<int>& sorted, int value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

bool can_touch(const Shape& first, const Shape& second) {
  return is_plane(first) != is_plane(second);
}

std::vector<int> selected_colliders(const Model& model, const ColliderSelection& selection) {
  std::vector<int> selected;
  const bool is_name = selection.is_name();  // comparing is much quicker than matching
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const std::string& name = model.colliders[i].name;
    const bool found = is_name ? name == selection.patterns[0] : selection.matches(name);
    if (found) selected.push_back(static_cast<int>(i));
  }
  return selected;
}

std::vector<ColliderPair> collider_pairs(const Model& model, const Contact& contact) {
  SALTUS_ASSERT(contact.between.size() == 2);
  const std::vector<int> first = selected_colliders(model, contact.between[0]);
  const std::vector<int> second = selected_colliders(model, contact.between[1]);
  std::vector<ColliderPair> pairs;
  for (const int a : first) {
    const Collider& one = model.colliders[static_cast<std::size_t>(a)];
    for (const int b : second) {
      const Collider& other = model.colliders[static_cast<std::size_t>(b)];
      if (one.frame.body == other.frame.body || !can_touch(one.shape, other.shape)) continue;
      if (b < a && contains(first, b) && contains(second, a)) continue;  // (b, a) stands there
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

}  // namespace saltus
