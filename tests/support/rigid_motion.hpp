// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/node.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus::test {

/// The pose after a motion p ↦ R p + x of the whole space.
inline NodePose carried(const NodePose& pose, const Matrix3& R, const Vector3& x) {
  return NodePose::from(R * pose.x + x, R * pose.R);
}

/// Velocities of two nodes carried by one rigid velocity field: u + ω × p, inertial components.
inline Vector12 rigid_velocity(const NodePair& pair, const Vector3& u, const Vector3& w) {
  Vector12 v;
  v << u + w.cross(pair.A.x), pair.A.R.transpose() * w, u + w.cross(pair.B.x),
      pair.B.R.transpose() * w;
  return v;
}

/// Sum of forces and sum of moments about the origin, inertial components, of two nodes' forces.
inline Vector6 resultant(const NodePair& pair, const Vector12& f) {
  Vector6 sum;
  sum << f.head<3>() + f.segment<3>(6), pair.A.x.cross(f.head<3>()) + pair.A.R * f.segment<3>(3) +
                                            pair.B.x.cross(f.segment<3>(6)) +
                                            pair.B.R * f.tail<3>();
  return sum;
}

/// The poses after the time t of constant velocities v.
struct MovedPair {
  NodePose A, B;

  MovedPair(const NodePair& pair, const Vector12& v, double t)
      : A(pair.A.moved(t * v.head<3>(), t * v.segment<3>(3))),
        B(pair.B.moved(t * v.segment<3>(6), t * v.tail<3>())) {}
  NodePair pair() const { return {A, B}; }
};

}  // namespace saltus::test
