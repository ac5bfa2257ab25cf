// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_stop.hpp"

#include <algorithm>

#include "saltus/elements/scalar_spring.hpp"

namespace saltus {

double JointStop::gap(const NodePair& pair) const {
  double s = std::visit([&](const auto& c) { return c.value(pair); }, coordinate) - offset;
  if (is_angular()) s = nearest_branch(s, near);
  return length * side * (s - bound);
}

Row12 JointStop::gradient(const NodePair& pair) const {
  return length * side * std::visit([&](const auto& c) { return c.gradient(pair); }, coordinate);
}

/// Only how near two points come is less on the way than at its ends.
double JointStop::least_gap(const NodePair& from, const NodePair& to) const {
  const double ends = std::min(gap(from), gap(to));
  const auto* distance = std::get_if<PointDistance>(&coordinate);
  if (distance == nullptr || side < 0) return ends;
  const PointDifference difference{distance->d_A, distance->d_B};
  const Vector3 start = from.A.R.transpose() * difference.value(from);
  const Vector3 way = to.A.R.transpose() * difference.value(to) - start;
  const double part = std::clamp(-start.dot(way) / way.squaredNorm(), 0.0, 1.0);
  if (!(part > 0)) return ends;
  return std::min(ends, length * ((start + part * way).norm() - offset - bound));
}

double ArmAngle::value(const NodePair& pair, double reference) const {
  return nearest_branch(coordinate.value(pair) - offset, reference);
}

}  // namespace saltus
