// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace saltus {

BoxTree::BoxTree(std::span<const Bounds> boxes) {
  if (boxes.empty()) return;
  std::vector<int> items(boxes.size());
  std::iota(items.begin(), items.end(), 0);
  nodes_.reserve(2 * boxes.size());
  build(boxes, items);
}

/// Divides at the median along the longest axis; the number of the node.
int BoxTree::build(std::span<const Bounds> boxes, std::span<int> items) {
  const auto number = static_cast<int>(nodes_.size());
  const auto box_of = [&](int i) -> const Bounds& { return boxes[static_cast<std::size_t>(i)]; };
  Bounds all = box_of(items[0]);
  for (const int i : items) {
    all.low = all.low.cwiseMin(box_of(i).low);
    all.high = all.high.cwiseMax(box_of(i).high);
  }
  nodes_.push_back({.box = all});
  if (items.size() == 1) {
    nodes_.back().item = items[0];
    return number;
  }
  Eigen::Index axis = 0;
  (all.high - all.low).maxCoeff(&axis);
  std::sort(items.begin(), items.end(), [&](int i, int j) {
    const double a = box_of(i).low[axis] + box_of(i).high[axis];
    const double b = box_of(j).low[axis] + box_of(j).high[axis];
    return a < b || (a == b && i < j);
  });
  const std::size_t half = items.size() / 2;
  const int left = build(boxes, items.first(half));
  const int right = build(boxes, items.subspan(half));
  nodes_[static_cast<std::size_t>(number)].left = left;
  nodes_[static_cast<std::size_t>(number)].right = right;
  return number;
}

}  // namespace saltus
