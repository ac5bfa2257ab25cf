// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "saltus/elements/node.hpp"

namespace saltus {

/// What a collider touches with: a point or sphere, a plane, or the inside of a sphere, on a node.
struct ContactFeature {
  enum class Kind { Round, Plane, Hollow };

  Kind kind = Kind::Round;
  int node = 0;
  FrameOnNode frame = {};                      ///< centre; of a plane also its axes (t1, t2, n)
  double radius = 0;                           ///< 0: a point
  Vector3 surface_velocity = Vector3::Zero();  ///< of a plane, in (n, t1, t2), n being 0
  std::optional<std::array<double, 2>> half_size = {};  ///< of a face; none: an infinite plane
};

/// A point or sphere on node B against a surface on node A: a plane, a sphere, or the inside of a
/// sphere. Both may move. All three-vectors of this element are in the order (n, t1, t2), n from
/// the surface towards the point. Equation numbers: docs/theory/frictional_contact.md.
struct ContactElement {
  /// (n, t1, t2), then relative rotation about the same axes, times `length`.
  using Rows = Eigen::Matrix<double, 6, 12>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  int node_A = 0;                              ///< carries the surface
  int node_B = 0;                              ///< carries the point
  bool is_plane = true;                        ///< else a sphere about plane.d
  FrameOnNode plane = {};                      ///< origin and, of a plane, axes (t1, t2, n) on A
  double radius_A = 0;                         ///< of the sphere on A; < 0: we are inside of it
  Vector3 point = Vector3::Zero();             ///< point, or centre of the sphere, on B
  double radius = 0;                           ///< of the sphere on B; 0: a point
  Vector3 surface_velocity = Vector3::Zero();  ///< of the surface on A, in (n, t1, t2), n being 0
  std::optional<std::array<double, 2>> half_size = {};  ///< of a face; none: an infinite plane
  /// Whether moments resist relative rotation; then rows 4 to 6 are wanted.
  bool has_moments = false;
  double length = 1;  ///< the unit of length of rotations, m: the smaller radius

  /// Where the point is, seen from the surface: the reference for the slip over a step.
  struct Place {
    Vector3 d = Vector3::Zero();         ///< of a plane in its axes (t1, t2, n), else in A's axes
    Matrix3 R_AB = Matrix3::Identity();  ///< R_Aᵀ R_B; only for spheres
    Matrix3 R_A = Matrix3::Identity();   ///< only if A is a sphere
    /// If A is a sphere: the direction t1, inertial components. It is carried along with the
    /// normal, for no rule that gives it from the normal alone is continuous.
    Vector3 t1 = Vector3::UnitX();
  };
  Place place(const NodePair& q) const;

  /// g_N = n·d − r_A − r_B                                                              (1, 1s)
  double gap(const NodePair& q) const { return gap(place(q)); }
  double gap(const Place& place) const;
  /// Whether the point is above the face and not beside it, or inside of the hollow sphere.
  bool is_on_side(const Place& place) const;

  /// (g_N, slip, rotation × length) from the place `from` to the place `to` in the time h.
  /// (2, 2s, 3, 3m)
  Vector6 gap_and_slip(const Place& from, const Place& to, double h) const;

  /// H with (ġ_N, slip velocity, angular velocity × length) = H v − surface velocity.   (4, 4m)
  /// Rows 4 to 6 are zero without moments.
  /// @param e  the axes
  Rows jacobian(const NodePair& q, const Matrix3& e) const;
  Rows jacobian(const NodePair& q) const { return jacobian(q, axes(q)); }

  /// Columns n, t1, t2 in the inertial frame.
  Matrix3 axes(const NodePair& q) const;
  /// The axes at `from`, turned with the normal to q on the shortest way.
  Matrix3 axes(const NodePair& q, const Place& from) const;
  /// The point of contact in the inertial frame.
  Vector3 contact_point(const NodePair& q) const;

 private:
  Vector3 normal(const Vector3& d) const;
  Matrix3 axes_at(const Place& from, const Vector3& n) const;
  Vector3 slip_on_sphere(const Place& from, const Place& to, Vector3& theta) const;
};

/// The element of two features that can touch. `surface_is_first`: whether A is the first.
struct FeaturePair {
  ContactElement element;
  bool surface_is_first = true;
};
FeaturePair touch(const ContactFeature& first, const ContactFeature& second);

}  // namespace saltus
