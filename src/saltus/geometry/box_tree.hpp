// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "saltus/geometry/broad_phase.hpp"

namespace saltus {

/// Boxes that stand still, in a binary tree: those that meet another box are found without looking
/// at the rest. The same boxes give the same tree.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::span<const Bounds> boxes);

  bool empty() const { return nodes_.empty(); }
  /// The box about all of them.
  const Bounds& bounds() const { return nodes_.front().box; }

  /// Calls take(i) for each box that meets `box`, in an order that depends on the tree alone.
  template <class Take>
  void visit(const Bounds& box, Take&& take) const {
    if (nodes_.empty()) return;
    // Halves of equal number: no tree of an int of boxes is deeper.
    std::array<int, 64> stack = {};
    std::size_t depth = 1;
    while (depth > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--depth])];
      if (!node.box.meets(box)) continue;
      if (node.item >= 0) {
        take(node.item);
        continue;
      }
      stack[depth++] = node.right;
      stack[depth++] = node.left;
    }
  }

 private:
  struct Node {
    Bounds box = {};
    int item = -1;  ///< of a leaf
    int left = -1, right = -1;
  };
  int build(std::span<const Bounds> boxes, std::span<int> items);

  std::vector<Node> nodes_;
};

}  // namespace saltus
