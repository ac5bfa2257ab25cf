// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/elements/element.hpp"
#include "saltus/elements/primitives.hpp"

namespace saltus {

/// A component of the angular velocity of B, inertial axes.
struct SpinComponent {
  int axis = 0;
};

/// A number that formulas see of what moves: a coordinate of two nodes, its rate, or a component of
/// an angular velocity.
struct StateCoordinate {
  int node_A = 0, node_B = 0;
  std::variant<Dot2, TwistAngle, SpinComponent> coordinate = Dot2{};
  bool is_rate = false;
  double offset = 0;  ///< what is taken from the coordinate
  int angle = -1;     ///< index of the unwrapped joint angle, if it is one

  struct Gradient {
    Row12 by_q = Row12::Zero(), by_v = Row12::Zero();
  };

  /// @param at  of its nodes
  double value(const PairView& at) const;
  Gradient gradient(const PairView& at) const;
};

}  // namespace saltus
