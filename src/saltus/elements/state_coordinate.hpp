// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/elements/compliant_contact.hpp"
#include "saltus/elements/element.hpp"
#include "saltus/elements/primitives.hpp"

namespace saltus {

/// A component of the angular velocity of B, inertial axes.
struct SpinComponent {
  int axis = 0;
};

/// Of a compliant contact point: the force on the second collider in the axes of its results, or
/// the indentation.
struct ContactReading {
  enum class Kind { Force, Indentation };

  CompliantContact contact = {};
  Kind kind = Kind::Force;
  int component = 0;  ///< n, t1, t2
  double sign = 1;    ///< −1: the second collider is on A
};

/// A number that formulas see of what moves: a coordinate of two nodes, its rate, a component of
/// an angular velocity, or a force between them.
struct StateCoordinate {
  int node_A = 0, node_B = 0;
  std::variant<Dot2, TwistAngle, SpinComponent, ContactReading> coordinate = Dot2{};
  bool is_rate = false;
  double offset = 0;  ///< what is taken from the coordinate
  int angle = -1;     ///< index of the unwrapped joint angle, if it is one

  struct Gradient {
    Row12 by_q = Row12::Zero(), by_v = Row12::Zero();
  };

  /// Whether of several only the largest counts, and not the sum.
  bool is_greatest() const {
    const auto* contact = std::get_if<ContactReading>(&coordinate);
    return contact != nullptr && contact->kind == ContactReading::Kind::Indentation;
  }
  /// @param at  of its nodes
  double value(const PairView& at) const;
  Gradient gradient(const PairView& at) const;
};

}  // namespace saltus
