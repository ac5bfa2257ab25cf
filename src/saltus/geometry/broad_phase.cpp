// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/geometry/round_contacts.hpp"

namespace saltus {
namespace {

bool is_finite(const Bounds& box) { return box.low.allFinite() && box.high.allFinite(); }

/// The axis along which the middles of the boxes are spread most.
int widest_axis(std::span<const Bounds> boxes) {
  Vector3 sum = Vector3::Zero(), squares = Vector3::Zero();
  double count = 0;
  for (const Bounds& box : boxes) {
    if (!is_finite(box)) continue;
    const Vector3 middle = (box.low + box.high) / 2;
    sum += middle;
    squares += middle.cwiseAbs2();
    ++count;
  }
  if (count == 0) return 0;
  Eigen::Index axis = 0;
  (squares / count - (sum / count).cwiseAbs2()).maxCoeff(&axis);
  return static_cast<int>(axis);
}

}  // namespace

Bounds bounds_of(const ConvexCore& core, const RelativePose& pose, double margin) {
  Bounds out;
  const double wider = core.radius + margin;
  for (int i = 0; i < 3; ++i) {
    const Vector3 n = pose.R.row(i).transpose();
    out.high[i] = pose.p[i] + support(core, n) + wider;
    out.low[i] = pose.p[i] - support(core, -n) - wider;
  }
  return out;
}

void BroadPhase::sort(std::span<const Bounds> boxes, int axis) {
  // Numbers that compare with nothing would spoil the order: such boxes go to the end.
  lows_.clear();
  for (const Bounds& box : boxes) lows_.push_back(is_finite(box) ? box.low[axis] : HUGE_VAL);
  if (order_.size() != boxes.size()) {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  const auto before = [&](int i, int j) {
    const double a = lows_[static_cast<std::size_t>(i)], b = lows_[static_cast<std::size_t>(j)];
    return a < b || (a == b && i < j);
  };
  // By insertion, as long as little has moved; else anew.
  std::size_t shifts = 0;
  for (std::size_t k = 1; k < order_.size(); ++k) {
    const int box = order_[k];
    std::size_t at = k;
    for (; at > 0 && before(box, order_[at - 1]); --at, ++shifts) order_[at] = order_[at - 1];
    order_[at] = box;
    if (shifts > 8 * order_.size()) {
      std::sort(order_.begin(), order_.end(), before);
      return;
    }
  }
}

void BroadPhase::find_pairs(std::span<const Bounds> boxes,
                            std::vector<std::pair<int, int>>& pairs) {
  pairs.clear();
  const int axis = widest_axis(boxes);
  sort(boxes, axis);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Bounds& box = boxes[static_cast<std::size_t>(order_[k])];
    if (!is_finite(box)) break;
    for (std::size_t m = k + 1; m < order_.size(); ++m) {
      const Bounds& other = boxes[static_cast<std::size_t>(order_[m])];
      if (other.low[axis] > box.high[axis]) break;
      if (is_finite(other) && box.meets(other)) {
        const auto [i, j] = std::minmax(order_[k], order_[m]);
        pairs.emplace_back(i, j);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace saltus
