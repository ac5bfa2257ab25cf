// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_stop.hpp"

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

double StopAngle::value(const NodePair& pair, double reference) const {
  return nearest_branch(coordinate.value(pair) - offset, reference);
}

}  // namespace saltus
