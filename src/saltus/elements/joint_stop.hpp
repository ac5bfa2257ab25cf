// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/elements/primitives.hpp"

namespace saltus {

/// An end of the way of a joint coordinate s, a contact with one row: g = ℓ σ (s − s₀ − b) ≥ 0.
/// (docs/theory/constrained_dynamics.md, section 5)
struct JointStop {
  std::variant<Dot2, PointDistance, TwistAngle> coordinate = {};
  double offset = 0;         ///< s₀, the coordinate's zero
  double bound = 0;          ///< b, rad or m
  double side = 1;           ///< σ: 1 a lower limit, −1 an upper one
  double length = 1;         ///< ℓ, m of a gap for one unit of s: 1, or the size of what turns
  int angle = -1;            ///< index of the unwrapped angle that s − s₀ is
  double near = 0;           ///< that angle at the beginning of the step, rad
  bool is_reversed = false;  ///< whether its node A is the joint's second

  double gap(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;  ///< ∂g/∂q
  /// A lower bound of the gaps on the straight way, seen from A, of B's point between two places;
  /// of an angle, which is to turn by less than π, between two values.
  double least_gap(const NodePair& from, const NodePair& to) const;
  bool is_angular() const { return std::holds_alternative<TwistAngle>(coordinate); }
};

/// The angle about an arm of the cross of a universal joint, for its stops and for results.
struct ArmAngle {
  int node_A = 0, node_B = 0;
  int joint = -1;            ///< in the model
  bool is_reversed = false;  ///< of the second arm: node A is the joint's second, the sign turned
  TwistAngle coordinate = {};
  double offset = 0;
  int index = -1;  ///< in Configuration::angles

  /// Unwrapped, on the branch nearest to `reference`.
  double value(const NodePair& pair, double reference) const;
};

}  // namespace saltus
