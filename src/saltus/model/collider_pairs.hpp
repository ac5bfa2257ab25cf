// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/model/joined_filter.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// Two colliders that may touch, as indices into `Model::colliders`.
struct ColliderPair {
  int first = -1;   ///< selected by the first entry of `between`
  int second = -1;  ///< selected by the second
};

/// `"crate" (a box) and "peg" (a point)`
std::string describe_pair(const Model& model, const ColliderPair& pair);

/// Whether a feature of one shape can touch one of the other, in either order (feature_kind.hpp):
/// the points of such a pair are the same at all configurations.
bool touch_with_features(const Shape& first, const Shape& second);
/// Whether the two touch as solids, with points that change with the configuration.
bool touch_as_solids(const Shape& first, const Shape& second);
/// Whether this version can compute contacts between the two shapes, in either order.
bool can_touch(const Shape& first, const Shape& second);

/// Pairs of moving bodies that a joint connects, the lower index first, sorted. A lock connects
/// nothing, nor does the ground.
std::vector<std::pair<int, int>> joined_bodies(const Model& model);

/// The indices of the colliders that are selected, increasing.
std::vector<int> selected_colliders(const Model& model, const ColliderSelection& selection);

/// Pairs on two bodies that a contact selects, but whose shapes this version cannot let touch.
struct UntouchablePairs {
  std::size_t count = 0;    ///< each pair once
  ColliderPair first = {};  ///< the first of them, in the order of the model
  explicit operator bool() const { return count > 0; }
};

/// The pairs of a contact: what its two entries select. Pairs are not stored, for there may be
/// millions of them.
class PairSelection {
 public:
  /// @pre contact.between has two entries.
  PairSelection(const Model& model, const Contact& contact);

  const std::vector<int>& first() const { return first_; }
  const std::vector<int>& second() const { return second_; }
  const JoinedFilter& filter() const { return filter_; }
  /// Pairs that are left out because a joint connects their bodies; at most `limit` of them.
  std::vector<ColliderPair> joined(std::size_t limit) const;

  /// Whether (a, b), a selected by the first entry and b by the second, is a pair of the contact:
  /// on two bodies, of shapes that can touch, and not (b, a) of another place in the order.
  bool has(int a, int b) const;
  /// All pairs in the order of the model, each once; at most `limit` of them.
  std::vector<ColliderPair> pairs(std::size_t limit) const;
  /// Whether the collider is one of a pair.
  bool uses(int collider) const;
  /// Whether it is one of a pair that touches as solids.
  bool uses_as_solid(int collider) const;
  /// What is selected and left out because of its shapes.
  UntouchablePairs untouchable() const;
  /// A pair that both contacts have, if there is one.
  std::optional<ColliderPair> common_pair(const PairSelection& other) const;

 private:
  bool can_pair(int a, int b) const;
  bool selects(const std::vector<int>& list, int collider) const;
  std::optional<ColliderPair> any_pair(const std::vector<int>& a, const std::vector<int>& b) const;
  std::size_t count_untouchable(const std::vector<int>& a, const std::vector<int>& b) const;

  const Model* model_;
  std::vector<int> first_, second_;
  JoinedFilter filter_;
};

/// The pairs of a contact that are named outright, without a pattern on either side.
PairSelection named_pairs(const Model& model, const Contact& contact);

/// All pairs of a contact, in the order of the model.
std::vector<ColliderPair> collider_pairs(const Model& model, const Contact& contact);

/// Which colliders may touch another in some contact. The others are drawn, and change nothing.
std::vector<bool> used_colliders(const Model& model);

/// Whether the collider stands on each node of its node set: points and spheres do, and all shapes
/// on sets of beams and bars, which are one node then. Others on a solid need a set with axes.
bool stands_on_each_node(const Model& model, const Collider& collider);

}  // namespace saltus
