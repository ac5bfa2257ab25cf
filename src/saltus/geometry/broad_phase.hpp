// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "saltus/geometry/core_feature.hpp"

namespace saltus {

struct ConvexCore;

/// A box along the axes.
struct Bounds {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();

  bool meets(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// The least box about a shape at a pose, rounding included, wider by `margin` on all sides.
Bounds bounds_of(const ConvexCore& core, const RelativePose& pose, double margin);

/// Pairs of boxes that meet, for shapes of any kind and size: sweep and prune. Boxes are sorted
/// along the axis along which their centres are spread most, and each is compared with those that
/// begin before it ends. The order of the last call is kept, so that sorting boxes that have moved
/// little costs little.
class BroadPhase {
 public:
  /// All pairs i < j that meet, in ascending order: first i, then j. A box that is not finite meets
  /// nothing. A call with no more boxes and pairs than an earlier one allocates nothing.
  void find_pairs(std::span<const Bounds> boxes, std::vector<std::pair<int, int>>& pairs);

 private:
  void sort(std::span<const Bounds> boxes, int axis);

  std::vector<int> order_;
  std::vector<double> lows_;
};

}  // namespace saltus
