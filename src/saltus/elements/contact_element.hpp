// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "saltus/elements/node.hpp"

namespace saltus {

/// What a collider touches with, on a node.
struct ContactFeature {
  enum class Kind {
    Round,  ///< a point or sphere
    Plane,
    Hollow,   ///< the inside of a sphere
    Rod,      ///< the curved surface of a cylinder
    Tube,     ///< the same from inside: a bore
    Groove,   ///< the inside of a torus
    PinEnd,   ///< the rim at the end of a cylinder, in a bore
    TubeRim,  ///< the rim at the end of a bore, about a cylinder
  };

  Kind kind = Kind::Round;
  int node = 0;
  FrameOnNode frame = {};  ///< centre; axes: of a plane (t1, t2, n), of what is round about one, z
  double radius = 0;       ///< 0: a point
  double half_length = 0;  ///< of a rod or tube
  double ring_radius = 0;  ///< of a groove: of the circle of its sections' centres
  int groove_side = 0;     ///< only the half towards the axis: −1, away from it: 1, both: 0
  Vector3 surface_velocity = Vector3::Zero();           ///< of a plane, in (n, t1, t2), n being 0
  std::optional<std::array<double, 2>> half_size = {};  ///< of a face; none: an infinite plane
};

/// A point or sphere on node B against a surface on node A: a plane, or all points at a distance
/// from a core, which is a point (a sphere), a line (a cylinder) or a circle (a torus), seen from
/// outside or inside. The rim of a pin or bore counts as a sphere: it is nearer to the surface than
/// the true rim by r (1 − cos β) at most, β being the angle between the axes. Both may move. All
/// three-vectors of this element are in the order (n, t1, t2), n from the surface towards the
/// point. Equation numbers: docs/theory/frictional_contact.md.
struct ContactElement {
  /// (n, t1, t2), then relative rotation about the same axes, times `length`.
  using Rows = Eigen::Matrix<double, 6, 12>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  int node_A = 0;  ///< carries the surface
  int node_B = 0;  ///< carries the point
  enum class Core { Point, Line, Circle };

  bool is_plane = true;                        ///< else round about a core
  Core core = Core::Point;                     ///< at plane.d; its axis is the z of plane.E
  FrameOnNode plane = {};                      ///< origin and, of a plane, axes (t1, t2, n) on A
  double radius_A = 0;                         ///< about the core; < 0: we are inside of it
  double half_length = 0;                      ///< of a line
  bool ends_count = true;                      ///< whether the ends of the line belong to it
  double ring_radius = 0;                      ///< of a circle
  bool is_journal = false;                     ///< the rim of a pin in a bore, or of the bore
  int groove_side = 0;                         ///< as in ContactFeature
  Vector3 point = Vector3::Zero();             ///< point, or centre of the sphere, on B
  double radius = 0;                           ///< of the sphere on B; 0: a point; < 0: hollow
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

    void archive(Archive& memory) { memory(d, R_AB, R_A, t1); }
  };
  Place place(const NodePair& q) const;

  /// g_N = n·d − r_A − r_B                                                              (1, 1s)
  double gap(const NodePair& q) const { return gap(place(q)); }
  double gap(const Place& place) const;
  /// Whether the point is above the face and not beside it, or inside of what is hollow.
  bool is_on_side(const Place& place) const;
  /// Whether the surface goes as far: the length of a line, the half of a groove.
  bool is_along(const Place& place) const;
  /// From the core to the point, in A's axes.
  Vector3 offset(const Vector3& d) const;
  /// Whether one of the two is hollow, so that the other is inside of it.
  bool is_hollow() const { return side() < 0; }
  /// ∂²|offset|/∂d², inertial components: −n turns by this times what the point moves. Of what is
  /// hollow, without the small part along a circle where that is negative.
  Matrix3 curvature(const NodePair& q) const;

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
  /// Of a journal: from the bore's axis to the pin's, inertial components.
  Vector3 eccentricity(const NodePair& q) const;
  /// The point of contact in the inertial frame.
  Vector3 contact_point(const NodePair& q) const;

 private:
  double side() const { return radius_A < 0 || radius < 0 ? -1 : 1; }
  Vector3 axis() const { return plane.E.col(2); }
  Vector3 normal(const Vector3& d) const;
  Vector3 place_in_A(const NodePair& q) const;
  Vector3 way_of_core(const Place& from, const Place& to) const;
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
