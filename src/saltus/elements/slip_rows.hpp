// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/primitives.hpp"

namespace saltus {

// Rows of joints that roll or slide along an edge (docs/theory/constrained_dynamics.md, section 3):
// gradient and hessian as those of the primitives, G(q) and H = ∂Gᵀ/∂q. The last two are no
// derivatives of a function of the configuration: they hold velocities, G v = 0, and no position.

/// The rim of a wheel on a node: a ring about an axle with a round profile. Without a ring it is a
/// sphere.
struct Rim {
  Vector3 centre = Vector3::Zero();
  Vector3 axle = Vector3::UnitX();  ///< unit vector
  double ring = 0;                  ///< radius of the circle of the profile's centres, m
  double rounding = 0;              ///< radius of the profile, m

  /// The point that lies lowest over a plane with the normal n, all in axes of the node.
  /// @pre with a ring, the normal is not along the axle
  Vector3 lowest(const Vector3& n) const;
  /// Its derivative with respect to n.
  Matrix3 lowest_gradient(const Vector3& n) const;
};

/// s = height of the lowest point of a rim of B over the plane through d_A with the normal a of A.
struct RimHeight {
  Vector3 a, d_A;
  Rim rim;
  double value(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;
};

/// Velocity of a rim of B against A along a direction of A, where the rim is lowest over the plane
/// with the normal a of A.
struct RollingSlip {
  Vector3 a, direction;
  Rim rim;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;

 private:
  Dot2 along(const NodePair& pair) const;
};

/// Velocity of a point of B against A across an edge b of B, in the plane with the normal a of A:
/// along m = n × u/|n × u|. Where the edge is along the normal there is no such direction: gradient
/// and hessian are zero there.
struct EdgeSlip {
  Vector3 a, d_B, b;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;

 private:
  Vector3 across(const NodePair& pair) const;
};

}  // namespace saltus
