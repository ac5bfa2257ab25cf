// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/elements/primitives.hpp"

namespace saltus {

/// What a joint lets move and its friction holds: a contact that is always closed, whose normal
/// reaction is no row of it but given, the bound. Its rows are those of the joint's coordinates,
/// rotations times `length`. (docs/theory/constrained_dynamics.md, section 6)
struct JointSlide {
  using Rows = Eigen::Matrix<double, 3, 12>;

  /// Row 1 is the displacement or, without one, the angle; row 2 the angle of what has both.
  std::optional<Dot2> displacement = {};
  std::optional<TwistAngle> angle = {};
  bool is_ball = false;  ///< three rows, the relative rotation in inertial components
  double length = 0;     ///< ℓ, m of a row for one radian; 0: the size of what turns

  // The bound of the reaction along the rows, in N:
  double coefficient = 0;  ///< μ
  double arm = 0;          ///< what moments of the reaction press with: 2/l, 1/m
  double force = 0;        ///< given, N
  double torque = 0;       ///< given, N m: torque/ℓ is a bound
  int entry = 0;           ///< of the joint, in the system's list

  int count() const { return is_ball ? 3 : (displacement ? 1 : 0) + (angle ? 1 : 0); }
  Rows gradient(const NodePair& pair) const;
  /// The bound of the impulse in a time h that goes with those of the joint's reaction and moment,
  /// without its drive, about its point.
  double bound(const Vector3& reaction, const Vector3& moment, double h) const {
    return coefficient * (reaction.norm() + arm * moment.norm()) + h * (force + torque / length);
  }
};

}  // namespace saltus
