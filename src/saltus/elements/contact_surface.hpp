// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "saltus/elements/joint_slide.hpp"
#include "saltus/elements/joint_stop.hpp"
#include "saltus/elements/node.hpp"
#include "saltus/geometry/core_pair.hpp"
#include "saltus/model/collider.hpp"

namespace saltus {

// The surfaces of contact elements: a plane, or all points at a distance from a core, which is a
// point (a sphere), a line (a cylinder) or a circle (a torus), seen from outside or inside. They
// are a closed set, and answer the same questions; only contact_element.cpp asks them, so that
// nobody else needs to know which one it is. Everywhere
//   E  are the axes of the surface on node A: of a plane (t1, t2, n), of a core z is the axis
//   d  goes from the surface's origin to the point on node B, in A's axes
//   r  is the radius of what is on node B: 0 a point, < 0 a hollow sphere
// `seen` is d as a place keeps it.
// Equation numbers: docs/theory/frictional_contact.md.

/// Where the point is, seen from the surface: the reference for the slip over a step.
struct ContactPlace {
  Vector3 d = Vector3::Zero();         ///< of a plane in its axes (t1, t2, n), else in A's axes
  Matrix3 R_AB = Matrix3::Identity();  ///< R_Aᵀ R_B; only for spheres
  Matrix3 R_A = Matrix3::Identity();   ///< only if A is round
  /// If A is round: the direction t1, inertial components. It is carried along with the normal, for
  /// no rule that gives it from the normal alone is continuous.
  Vector3 t1 = Vector3::UnitX();
  // Of two parts of solids, in the axes of their colliders: d is the point on A.
  Vector3 on_B = Vector3::Zero();     ///< the point on B, in B's axes
  Vector3 normal = Vector3::UnitZ();  ///< from A to B, in A's axes
  double gap = 0;

  void archive(Archive& memory) { memory(d, R_AB, R_A, t1, on_B, normal, gap); }
};

/// What a step moves the point over the surface.
struct ContactSlip {
  Eigen::Vector2d way = Eigen::Vector2d::Zero();  ///< along (t1, t2), m
  Vector3 turn = Vector3::Zero();                 ///< relative rotation about (n, t1, t2)
};

/// The cosine of the angle in the section of a torus at which it is met, from the direction away
/// from the axis, and its derivatives with respect to d. Of other surfaces it is 1.
struct SectionCosine {
  double value = 1;
  Vector3 slope = Vector3::Zero();
  Matrix3 curvature = Matrix3::Zero();
};

/// A plane, or a rectangle of it, which is open at its edges.
struct PlaneSurface {
  std::optional<std::array<double, 2>> half_size = {};  ///< none: infinite

  ContactPlace place(const Matrix3& E, const NodePair& q, const Vector3& d, double r) const;
  Vector3 seen(const Matrix3& E, const Vector3& d) const { return E.transpose() * d; }
  double gap(const Matrix3&, const Vector3& seen, double r) const { return seen.z() - r; }  // (1)
  double least_gap(const Matrix3& E, const Vector3& from, const Vector3& to, double r) const {
    return std::min(E.col(2).dot(from), E.col(2).dot(to)) - r;
  }
  Vector3 offset(const Matrix3& E, const Vector3& d) const { return E.col(2).dot(d) * E.col(2); }
  Vector3 normal(const Matrix3& E, const Vector3&) const { return E.col(2); }
  Matrix3 curvature(const Matrix3&, const Vector3&) const { return Matrix3::Zero(); }
  Matrix3 normal_slope(const Matrix3&, const Vector3&) const { return Matrix3::Zero(); }
  Matrix3 axes(const Matrix3& E, const NodePair& q, const Vector3& d) const;
  /// Its tangents stand on A: nothing is carried.
  Matrix3 axes(const Matrix3& E, const NodePair& q, const Vector3& d, const ContactPlace&) const {
    return axes(E, q, d);
  }
  Matrix3 axes_with(const Matrix3& axes, const Vector3&) const { return axes; }
  void carry(const Matrix3&, const NodePair&, const Vector3&, ContactPlace&) const {}
  ContactSlip slip(const Matrix3& E, const ContactPlace& from, const ContactPlace& to,
                   double r) const;

  bool is_hollow() const { return false; }
  bool has_edges() const { return half_size.has_value(); }
  bool is_on_side(const Matrix3&, const ContactPlace& place, double) const {
    if (!half_size) return true;
    return std::abs(place.d.x()) <= (*half_size)[0] && std::abs(place.d.y()) <= (*half_size)[1];
  }
  bool is_along(const Matrix3&, const ContactPlace&) const { return true; }
  double distance(const Matrix3& E, const ContactPlace& place, double r) const {
    return gap(E, place.d, r);
  }
  double section_cosine(const Matrix3&, const Vector3&) const { return 1; }
  SectionCosine section(const Matrix3&, const Vector3&) const { return {}; }
  std::optional<double> reach(double) const { return std::nullopt; }
  bool is_sphere() const { return false; }
  bool are_balls(double) const { return false; }
};

/// The least distance from the origin on the straight way between two points.
double distance_of_way(const Vector3& from, const Vector3& to);

/// The core of a sphere.
struct PointCore {
  Vector3 offset(const Matrix3&, const Vector3& d) const { return d; }
  double least_distance(const Matrix3&, const Vector3& from, const Vector3& to) const {
    return distance_of_way(from, to);
  }
  Vector3 with_way(const Matrix3&, const Vector3&, const Vector3&, const Vector3& arc) const {
    return arc;
  }
  void curve(const Matrix3&, const Vector3&, const Vector3&, double, Matrix3&) const {}
  Matrix3 left_out(const Matrix3&, const Vector3&, const Vector3&) const { return Matrix3::Zero(); }
  bool is_along(const Matrix3&, const Vector3&) const { return true; }
  double beyond(const Matrix3&, const Vector3&) const { return 0; }
  double section_cosine(const Matrix3&, const Vector3&) const { return 1; }
  SectionCosine section(const Matrix3&, const Vector3&) const { return {}; }
};

/// The core of a cylinder.
struct LineCore {
  double half_length = 0;
  double touched_half = 0;  ///< how much of that touches: with the ends, or without

  Vector3 offset(const Matrix3& E, const Vector3& d) const {
    const Vector3 axis = E.col(2);
    return d - axis.dot(d) * axis;
  }
  double least_distance(const Matrix3& E, const Vector3& from, const Vector3& to) const {
    return distance_of_way(offset(E, from), offset(E, to));
  }
  Vector3 with_way(const Matrix3& E, const Vector3& from, const Vector3& to,
                   const Vector3& arc) const;
  void curve(const Matrix3& E, const Vector3& d, const Vector3& n, double distance,
             Matrix3& B) const;
  Matrix3 left_out(const Matrix3&, const Vector3&, const Vector3&) const { return Matrix3::Zero(); }
  bool is_along(const Matrix3& E, const Vector3& d) const {
    const Vector3 axis = E.col(2);
    return std::abs(axis.dot(d)) <= touched_half;
  }
  double beyond(const Matrix3& E, const Vector3& d) const {
    const Vector3 axis = E.col(2);
    return std::abs(axis.dot(d)) - half_length;
  }
  double section_cosine(const Matrix3&, const Vector3&) const { return 1; }
  SectionCosine section(const Matrix3&, const Vector3&) const { return {}; }
};

/// The core of a torus.
struct CircleCore {
  double radius = 0;
  GrooveOpening opening = GrooveOpening::Closed;

  Vector3 offset(const Matrix3& E, const Vector3& d) const;
  /// A distance changes by no more than the way.
  double least_distance(const Matrix3& E, const Vector3& from, const Vector3& to) const {
    return (offset(E, from).norm() + offset(E, to).norm() - (to - from).norm()) / 2;
  }
  Vector3 with_way(const Matrix3& E, const Vector3& from, const Vector3& to,
                   const Vector3& arc) const;
  void curve(const Matrix3& E, const Vector3& d, const Vector3& n, double distance,
             Matrix3& B) const;
  Matrix3 left_out(const Matrix3& E, const Vector3& d, const Vector3& n) const;
  bool is_along(const Matrix3& E, const Vector3& d) const;
  double beyond(const Matrix3&, const Vector3&) const { return 0; }
  double section_cosine(const Matrix3& E, const Vector3& d) const;
  SectionCosine section(const Matrix3& E, const Vector3& d) const;
};

/// All points at a distance from a core. The core answers, for a point at d:
///   offset          from the nearest point of the core to d
///   least_distance  a lower bound of |offset| on the straight way between two points
///   with_way        the arc about the core, and how far that nearest point moves along the core
///   curve           takes from B, (1 − n nᵀ)/|offset|, what is straight or curved otherwise
///   left_out        of the true ∂²|offset|/∂d² what `curve` leaves out
///   is_along        whether the surface goes as far: the length of a line, the half of a groove
///   beyond          how far d is beyond the end of a line
///   section_cosine  of the angle at which the section of a torus is met; 1 of others
///   section         the same with its derivatives
template <class Core>
struct RoundSurface {
  double radius = 0;  ///< < 0: we are inside of it, as in (1s)
  double side = 1;    ///< σ in (1s): −1 where one of the two is inside of the other
  Core core = {};

  Vector3 offset(const Matrix3& E, const Vector3& d) const { return core.offset(E, d); }
  /// From the surface towards the point, in A's axes. On the core any direction across will do:
  /// nothing touches there.
  Vector3 normal(const Matrix3& E, const Vector3& d) const {
    const Vector3 from_core = core.offset(E, d);
    const double distance = from_core.norm();
    if (!(distance > 0)) return E.col(0);
    return side / distance * from_core;
  }
  ContactPlace place(const Matrix3& E, const NodePair& q, const Vector3& d, double r) const;
  Vector3 seen(const Matrix3&, const Vector3& d) const { return d; }
  double gap(const Matrix3& E, const Vector3& seen, double r) const {
    return side * core.offset(E, seen).norm() - radius - r;  // (1s)
  }
  /// No less than on the straight way from one d to another. From inside the farthest point counts,
  /// which is an end of the way but about a circle.
  double least_gap(const Matrix3& E, const Vector3& from, const Vector3& to, double r) const;
  /// ∂²|offset|/∂d².
  Matrix3 curvature(const Matrix3& E, const Vector3& d) const;
  /// ∂(normal)/∂d, with nothing left out.
  Matrix3 normal_slope(const Matrix3& E, const Vector3& d) const;
  Matrix3 axes(const Matrix3& E, const NodePair& q, const Vector3& d) const;
  Matrix3 axes(const Matrix3& E, const NodePair& q, const Vector3& d,
               const ContactPlace& from) const {
    return axes_at(E, from, q.A.R * normal(E, d));
  }
  /// The axes, but the tangent t1.
  Matrix3 axes_with(const Matrix3& axes, const Vector3& t1) const {
    Matrix3 e;
    e << axes.col(0), t1, axes.col(0).cross(t1);
    return e;
  }
  /// Puts the tangent t1 of an earlier time into the place at q, turned along the surface there.
  void carry(const Matrix3& E, const NodePair& q, const Vector3& t1, ContactPlace& place) const;
  ContactSlip slip(const Matrix3& E, const ContactPlace& from, const ContactPlace& to,
                   double r) const;

  bool is_hollow() const { return side < 0; }
  bool has_edges() const { return false; }
  bool is_on_side(const Matrix3& E, const ContactPlace& place, double r) const;
  bool is_along(const Matrix3& E, const ContactPlace& place) const {
    return core.is_along(E, place.d);
  }
  /// The gap; beside the ends of a cylinder, or of the half of a groove, no overlap.
  double distance(const Matrix3& E, const ContactPlace& place, double r) const;
  double section_cosine(const Matrix3& E, const Vector3& d) const {
    return core.section_cosine(E, d);
  }
  SectionCosine section(const Matrix3& E, const Vector3& d) const { return core.section(E, d); }
  /// Of two spheres that meet from outside: the distance of their centres where they touch.
  std::optional<double> reach(double r) const {
    if (!is_sphere() || radius < 0) return std::nullopt;
    return radius + r;
  }
  bool is_sphere() const { return std::is_same_v<Core, PointCore>; }
  /// Whether two spheres touch from outside, of which either may be called the surface.
  bool are_balls(double r) const { return is_sphere() && side > 0 && radius > 0 && r > 0; }

 private:
  Vector3 way(const Matrix3& E, const Vector3& from, const Vector3& to, const Vector3& turn,
              double r) const;
  Matrix3 axes_at(const Matrix3& E, const ContactPlace& from, const Vector3& n) const;
};

using SphereSurface = RoundSurface<PointCore>;
using CylinderSurface = RoundSurface<LineCore>;
using TorusSurface = RoundSurface<CircleCore>;

extern template struct RoundSurface<PointCore>;
extern template struct RoundSurface<LineCore>;
extern template struct RoundSurface<CircleCore>;

/// Parts of two solids that may touch: a vertex, edge, face, rim or core on either side. Neither is
/// first, but for a plane. Of such an element frame_A and frame_B are the axes of the two
/// colliders, and places are in these axes; the element asks it with the pose of the second seen
/// from the first.
struct SolidParts {
  FeaturePairForm form = {};

  /// Of a plane on A; null of others.
  const PlaneCore* plane() const {
    const bool is_plane = form.a.kind == CoreFeatureKind::Face && form.a.core != nullptr;
    return is_plane ? &*form.a.core->plane : nullptr;
  }
  ContactPlace place(const RelativePose& B_in_A, const Matrix3& R_A) const;
  /// Where the two meet: on what lies on a plane, and on a rim over a face, so that rolling is
  /// linear in what the body turns by, gap or no gap; else half-way.
  Vector3 point_of(const Touch& touch) const {
    using Kind = CoreFeatureKind;
    const bool rolls_on_A = form.a.kind == Kind::Face && form.b.kind == Kind::Circle;
    const bool rolls_on_B = form.b.kind == Kind::Face && form.a.kind == Kind::Circle;
    if (plane() != nullptr || rolls_on_A) return touch.point_B;
    return rolls_on_B ? touch.point_A : Vector3((touch.point_A + touch.point_B) / 2);
  }
  /// Columns n, t1, t2 by the rule of the results. A plane's tangents stand on it.
  Matrix3 axes(const RelativePose& B_in_A, const Matrix3& R_A) const;
  /// The same for a place whose n was that of `from`.
  Matrix3 axes(const RelativePose& B_in_A, const Matrix3& R_A, const ContactPlace& from) const;
  /// What the point of contact moves over A, less what it moves over B, each by the arcs that it
  /// describes, in the axes half-way: of second order, and exact where something rolls. (2p)
  ContactSlip slip(const ContactPlace& from, const ContactPlace& to) const;

 private:
  Matrix3 axes_for(const Vector3& n, const ContactPlace& from, const Matrix3& R_A) const;
};

/// Columns n, t1, t2 by the rule of the results.
Matrix3 axes_along(const Vector3& n);

/// The closed set; stops and slides of joints are no surfaces, but the least of what touches.
/// Copies are plain bytes: points that are searched for are made at every step.
using ContactSurface = std::variant<PlaneSurface, SphereSurface, CylinderSurface, TorusSurface,
                                    SolidParts, JointStop, JointSlide>;
static_assert(std::is_trivially_destructible_v<ContactSurface>);

}  // namespace saltus
