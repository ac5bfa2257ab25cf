// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "saltus/elements/node.hpp"

namespace saltus {

/// A point or sphere on node B against a plane on node A, both of which may move. The plane's axes
/// E are (t1, t2, n), fixed on A; all three-vectors of this element are in the order (n, t1, t2).
/// Equation numbers: docs/theory/frictional_contact.md.
struct ContactElement {
  using Rows = Eigen::Matrix<double, 3, 12>;

  int node_A = 0;                              ///< carries the plane
  int node_B = 0;                              ///< carries the point
  FrameOnNode plane = {};                      ///< origin and axes (t1, t2, n) on A
  Vector3 point = Vector3::Zero();             ///< point, or centre of the sphere, on B
  double radius = 0;                           ///< of the sphere; 0: a point
  Vector3 surface_velocity = Vector3::Zero();  ///< of the surface on A, in (n, t1, t2), n being 0
  std::optional<std::array<double, 2>> half_size = {};  ///< of a face; none: an infinite plane

  /// Where the point is, seen from the plane: the reference for the slip over a step.
  struct Place {
    Vector3 d = Vector3::Zero();         ///< in the plane's axes (t1, t2, n)
    Matrix3 R_AB = Matrix3::Identity();  ///< R_Aᵀ R_B; only for spheres
  };
  Place place(const NodePair& q) const;

  /// g_N = d·n − r                                                                          (1)
  double gap(const NodePair& q) const { return gap(place(q)); }
  double gap(const Place& place) const { return place.d.z() - radius; }
  /// Whether the point is above the face, and not beside it.
  bool is_above_face(const Place& place) const;

  /// (g_N, slip from the place `from` to the place `to` in the time h).                     (2, 3)
  Vector3 gap_and_slip(const Place& from, const Place& to, double h) const;

  /// H with (ġ_N, slip velocity) = H v − surface velocity.                                  (4)
  Rows jacobian(const NodePair& q) const;

  /// Columns n, t1, t2 in the inertial frame.
  Matrix3 axes(const NodePair& q) const;
  /// The point of contact in the inertial frame.
  Vector3 contact_point(const NodePair& q) const;
};

}  // namespace saltus
