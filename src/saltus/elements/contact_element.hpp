// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/contact_feature.hpp"
#include "saltus/elements/contact_surface.hpp"

namespace saltus {

/// A point or sphere on node B against a surface on node A, or parts of two solids. The rim of a
/// pin or bore counts as a sphere: it is nearer to the surface than the true rim by r (1 − cos β)
/// at most, β being the angle between the axes. Both may move. All three-vectors of this element
/// are in the order (n, t1, t2), n from the surface towards the point. Whoever has an element asks
/// it, never what its surface is. Equation numbers: docs/theory/frictional_contact.md.
struct ContactElement {
  /// (n, t1, t2), then relative rotation about the same axes, times `length`.
  using Rows = Eigen::Matrix<double, 6, 12>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Place = ContactPlace;

  int node_A = 0;               ///< carries the surface
  int node_B = 0;               ///< carries the point
  FrameOnNode frame_A = {};     ///< the surface's origin and axes on A
  ContactSurface surface = {};  ///< in that frame
  FrameOnNode frame_B = {};     ///< the point, or centre of the sphere, on B; of a rim its axes
  double radius = 0;            ///< of the sphere on B; 0: a point; < 0: hollow
  bool is_rim = false;          ///< on B is the rim of a pin in a bore, or of the bore
  Vector3 surface_velocity = Vector3::Zero();  ///< of the surface on A, in (n, t1, t2), n being 0
  /// Whether moments resist relative rotation; then rows 4 to 6 are wanted.
  bool has_moments = false;
  double length = 1;  ///< the unit of length of rotations, m: the smaller radius

  /// Of a stop of a joint, which has one row and no axes: forces and velocities are along it.
  const JointStop* stop() const { return std::get_if<JointStop>(&surface); }
  /// Of the friction of a joint, whose rows are those of its coordinates; it has no axes either.
  const JointSlide* slide() const { return std::get_if<JointSlide>(&surface); }
  bool is_of_joint() const { return stop() != nullptr || slide() != nullptr; }

  Place place(const NodePair& q) const;
  /// The same, the tangent t1 being that of an earlier time, carried along.
  Place place(const NodePair& q, const Vector3& t1) const;

  /// g_N = n·d − r_A − r_B                                                              (1, 1s)
  double gap(const NodePair& q) const;
  double gap(const Place& place) const;
  /// A lower bound of the gaps on the straight way, seen from A, between two places.
  double least_gap(const NodePair& from, const NodePair& to) const;
  /// The gap; of a cylinder or bore beside whose ends the point is, not less than to its end.
  double distance(const NodePair& q) const;
  /// Whether the point is above the face and not beside it, or inside of what is hollow.
  bool is_on_side(const Place& place) const;
  /// Whether the surface goes as far: the length of a line, the half of a groove.
  bool is_along(const Place& place) const;
  /// Whether there is a surface where the point is: an overlap is one.
  bool is_there(const Place& place) const { return is_on_side(place) && is_along(place); }

  /// Whether one of the two is hollow, so that the other is inside of it.
  bool is_hollow() const;
  /// Whether it is a bounded face: what is behind it has come round its edges.
  bool has_edges() const;
  /// Whether a point can be behind it without having passed through: it depends on where it was.
  bool is_open() const { return has_edges() || is_hollow(); }
  /// Of what is open: whether a point that was at `from` is felt at `to`. A face is felt from
  /// above, and by what is not deeper than `behind`; a hollow surface by what was inside.
  bool is_felt(const Place& from, const Place& to, double behind) const;
  /// Whether two spheres that are apart at both ends of a step have met in the middle of it.
  /// @param moved  what the centre of B moves relative to that of A
  bool passes_through(const NodePair& before, const Vector3& moved) const;
  /// Whether both are spheres about their nodes' origins, or fixed: rotations move neither.
  bool is_centred() const;
  /// Of centred spheres that move straight from one place to another: the part of the way after
  /// which they touch; where they come nearest if they do not, 0 if they are closed at `from`.
  double part_to_touch(const NodePair& from, const NodePair& to) const;
  /// Whether a sphere about the origin of its node is on B.
  bool is_ball() const { return radius > 0 && frame_B.d.isZero(0); }

  /// From the core to the point at d, in A's axes.
  Vector3 offset(const Vector3& d) const;
  /// ∂²|offset|/∂d², inertial components: −n turns by this times what the point moves. Of what is
  /// hollow, without the small part along a circle where that is negative.
  Matrix3 curvature(const NodePair& q) const;
  /// The cosine of the angle β in the section of a groove at which a ball touches, from the
  /// direction away from the axis. 1 if the surface is no groove.
  double groove_cosine(const NodePair& q) const;

  /// (g_N, slip, rotation × length) from the place `from` to the place `to` in the time h.
  /// (2, 2s, 3, 3m)
  Vector6 gap_and_slip(const Place& from, const Place& to, double h) const;

  /// H with (ġ_N, slip velocity, angular velocity × length) = H v − surface velocity.   (4, 4m)
  /// Rows 4 to 6 are zero without moments.
  /// @param e  the axes
  Rows jacobian(const NodePair& q, const Matrix3& e) const;
  Rows jacobian(const NodePair& q) const { return jacobian(q, axes(q)); }
  /// The velocity of the point relative to the nearest place on the surface, in (n, t1, t2). The
  /// rows take the surface's velocity where the point is, which is the same when it touches.
  Vector3 slip_velocity(const NodePair& q, const Vector12& v) const;

  /// Columns n, t1, t2 in the inertial frame.
  Matrix3 axes(const NodePair& q) const;
  /// The axes at `from`, turned with the normal to q on the shortest way.
  Matrix3 axes(const NodePair& q, const Place& from) const;
  /// The axes whose tangent t1 was carried to here; a plane keeps its own.
  Matrix3 axes(const NodePair& q, const Vector3& t1) const;
  /// The point of contact in the inertial frame.
  Vector3 contact_point(const NodePair& q) const { return contact_point(q, axes(q).col(0)); }

  /// Whether it is a pin in a bore, which has an eccentricity.
  bool is_journal() const { return is_rim; }
  /// From the bore's axis to the pin's, inertial components.
  Vector3 eccentricity(const NodePair& q) const;
  /// Where round the bore's axis the pin has gone to, in the bore's axes.
  double bore_angle(const NodePair& q) const;

  /// Whether it is over a surface that has a core or a plane.
  bool has_surface() const { return parts() == nullptr && !is_of_joint(); }
  /// Of such a surface: where the point is, seen from the surface's origin, in A's axes.
  Vector3 place_in_A(const NodePair& q) const;
  /// The normal there, in A's axes, and its derivative with respect to d.
  Vector3 normal_in_A(const Vector3& d) const;
  Matrix3 normal_slope_in_A(const Vector3& d) const;
  /// Where in its section a groove is met there.
  SectionCosine section_in_A(const Vector3& d) const;
  /// Whether two spheres meet from outside, in the middle of their gap.
  bool are_balls() const;

 private:
  const SolidParts* parts() const { return std::get_if<SolidParts>(&surface); }
  /// The plane that a cylinder touches.
  const PlaneCore* solid_plane() const { return parts() != nullptr ? parts()->plane() : nullptr; }
  /// Of the second frame, seen from the first.
  RelativePose relative_pose(const NodePair& q) const;
  /// @param n  the normal
  Vector3 contact_point(const NodePair& q, const Vector3& n) const;
  /// Of two spheres from outside, which meet in the middle of their gap: neither is first. The
  /// nearest point of every other surface is where the point is: 0.
  double half_gap(const NodePair& q) const;
};

/// The element of parts of two solids.
/// @param frame_A, frame_B  the axes of the colliders on their nodes
ContactElement touch(int node_A, const FrameOnNode& frame_A, int node_B, const FrameOnNode& frame_B,
                     const FeaturePairForm& form);

/// The element of two features that can touch. `surface_is_first`: whether A is the first.
struct FeaturePair {
  ContactElement element;
  bool surface_is_first = true;
};
FeaturePair touch(const ContactFeature& first, const ContactFeature& second);

}  // namespace saltus
