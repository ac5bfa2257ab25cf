// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_element.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/geometry/features.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// The cosine of normals between which there is no shortest way: in the middle of a hollow sphere.
constexpr double opposite = -0.9;

/// What is farther out of a hollow sphere, over its radius, is outside of it.
constexpr double wall_thickness = 1.01;

/// Lengths that differ by less, relatively, are the same.
constexpr double same_length = 1e-9;

/// The tangent vector s at the unit vector `from`, turned with it to `to` on the shortest way.
Vector3 transported(const Vector3& s, const Vector3& from, const Vector3& to) {
  return s - to.dot(s) / (1 + from.dot(to)) * (from + to);
}

/// Length of the arc between two unit vectors over that of its chord.
double arc_over_chord(const Vector3& a, const Vector3& b) {
  const double half = std::min(1.0, (b - a).norm() / 2);
  return half < 1e-4 ? 1 + half * half / 6 : std::asin(half) / half;
}

/// Columns n, t1, t2.
Matrix3 axes_along(const Vector3& n) {
  const Matrix3 E = frame_with_normal(n);
  Matrix3 e;
  e << E.col(2), E.col(0), E.col(1);
  return e;
}

}  // namespace

Vector3 ContactElement::offset(const Vector3& d) const {
  if (core == Core::Point) return d;
  const Vector3 across = d - axis().dot(d) * axis();
  if (core == Core::Line) return across;
  const double distance = across.norm();
  if (!(distance > 0)) return d - ring_radius * plane.E.col(0);
  return d - ring_radius / distance * across;
}

/// From the surface on A towards the point, in A's axes. On the core any direction across will do:
/// nothing touches there.
Vector3 ContactElement::normal(const Vector3& d) const {
  const Vector3 from_core = offset(d);
  const double distance = from_core.norm();
  if (!(distance > 0)) return plane.E.col(0);
  return side() / distance * from_core;
}

Vector3 ContactElement::place_in_A(const NodePair& q) const {
  return q.A.R.transpose() * (q.B.x + q.B.R * point - q.A.x) - plane.d;
}

ContactElement::Place ContactElement::place(const NodePair& q) const {
  Place place;
  place.d = place_in_A(q);
  if (radius > 0 || !is_plane) place.R_AB = q.A.R.transpose() * q.B.R;
  if (is_plane) {
    place.d = plane.E.transpose() * place.d;
  } else {
    place.R_A = q.A.R;
    place.t1 = axes_along(q.A.R * normal(place.d)).col(1);
  }
  return place;
}

double ContactElement::gap(const Place& place) const {
  if (is_plane) return place.d.z() - radius;
  return side() * offset(place.d).norm() - radius_A - radius;
}

bool ContactElement::is_on_side(const Place& place) const {
  const double hollow = std::max(-radius_A, -radius);
  if (hollow > 0) return offset(place.d).norm() <= wall_thickness * hollow;
  if (!half_size) return true;
  return std::abs(place.d.x()) <= (*half_size)[0] && std::abs(place.d.y()) <= (*half_size)[1];
}

/// Pins and bores of the same length touch once at each end: the pin's end counts.
bool ContactElement::is_along(const Place& place) const {
  const double along = axis().dot(place.d);
  if (core == Core::Line) {
    return std::abs(along) <= half_length * (ends_count ? 1 + same_length : 1 - same_length);
  }
  if (core != Core::Circle || groove_side == 0) return true;
  return groove_side * ((place.d - along * axis()).norm() - ring_radius) > 0;
}

/// How far the point of the core that is nearest to B moves: along the line or the circle.
Vector3 ContactElement::way_of_core(const Place& from, const Place& to) const {
  const Vector3 chord = (to.d - offset(to.d)) - (from.d - offset(from.d));
  if (core != Core::Circle) return chord;
  const Vector3 first = (from.d - offset(from.d)) / ring_radius;
  return arc_over_chord(first, first + chord / ring_radius) * chord;
}

/// Seen from A: the centre of B moves about the core by an arc, and with it, and B turns by `theta`
/// (out: inertial axes at the end). Along the mean normal, so that it is of second order, and exact
/// where two spheres turn about fixed axes.
Vector3 ContactElement::slip_on_sphere(const Place& from, const Place& to, Vector3& theta) const {
  const Vector3 n_0 = normal(from.d), n_1 = normal(to.d);
  const Vector3 n = n_0.dot(n_1) < opposite ? n_1 : Vector3((n_0 + n_1).normalized());
  const double distance = (offset(from.d).norm() + offset(to.d).norm()) / 2;
  Vector3 arc = side() * distance * arc_over_chord(n_0, n_1) * (n_1 - n_0);
  if (core != Core::Point) arc += way_of_core(from, to);
  const Vector3 turn = lie::so3::log(to.R_AB * from.R_AB.transpose());
  theta = to.R_A * turn;
  return to.R_A * transported(arc - radius * turn.cross(n), n, n_1);
}

ContactElement::Vector6 ContactElement::gap_and_slip(const Place& from, const Place& to,
                                                     double h) const {
  Vector6 g = Vector6::Zero();
  g[0] = gap(to);  // (1)
  if (!is_plane) {
    Vector3 theta;
    const Vector3 slip = slip_on_sphere(from, to, theta);  // (2s)
    const Matrix3 e = axes_at(from, to.R_A * normal(to.d));
    g[1] = e.col(1).dot(slip);
    g[2] = e.col(2).dot(slip);
    if (has_moments) g.tail<3>() = length * (e.transpose() * theta);
    return g;
  }
  g[1] = to.d.x() - from.d.x();  // (2)
  g[2] = to.d.y() - from.d.y();
  if (radius > 0) {
    // The sphere's own rotation on the plane: −r Θ × n.                                     (3)
    const Vector3 theta = plane.E.transpose() * lie::so3::log(to.R_AB * from.R_AB.transpose());
    g[1] -= radius * theta.y();
    g[2] += radius * theta.x();
    if (has_moments) g.tail<3>() = length * Vector3(theta.z(), theta.x(), theta.y());
  }
  g.head<3>() -= h * surface_velocity;
  return g;
}

ContactElement::Rows ContactElement::jacobian(const NodePair& q, const Matrix3& e) const {
  const Vector3 centre = q.B.R * point;
  const Vector3 arm_B = centre - radius * e.col(0);
  const Vector3 arm_A = q.B.x + arm_B - q.A.x;
  Rows H;
  for (int i = 0; i < 3; ++i) {
    const Vector3 e_i = e.col(i);
    H.block<1, 3>(i, 0) = -e_i.transpose();
    H.block<1, 3>(i, 3) = -(q.A.R.transpose() * arm_A.cross(e_i)).transpose();
    H.block<1, 3>(i, 6) = e_i.transpose();
    H.block<1, 3>(i, 9) = (q.B.R.transpose() * arm_B.cross(e_i)).transpose();
  }
  H.bottomRows<3>().setZero();
  if (has_moments) {
    H.block<3, 3>(3, 3) = -length * (e.transpose() * q.A.R);
    H.block<3, 3>(3, 9) = length * (e.transpose() * q.B.R);
  }
  return H;
}

Matrix3 ContactElement::axes(const NodePair& q) const {
  if (!is_plane) {
    return axes_along(q.A.R * normal(place_in_A(q)));
  }
  const Matrix3 E = q.A.R * plane.E;
  Matrix3 e;
  e << E.col(2), E.col(0), E.col(1);
  return e;
}

/// Columns n, t1, t2 for a normal n that was that of `from`.
Matrix3 ContactElement::axes_at(const Place& from, const Vector3& n) const {
  const Vector3 n_0 = from.R_A * normal(from.d);
  if (n_0.dot(n) < opposite) return axes_along(n);
  const Vector3 t1 = transported(from.t1, n_0, n);
  Matrix3 e;
  e << n, t1, n.cross(t1);
  return e;
}

Matrix3 ContactElement::axes(const NodePair& q, const Place& from) const {
  if (is_plane) return axes(q);
  return axes_at(from, q.A.R * normal(place_in_A(q)));
}

Vector3 ContactElement::eccentricity(const NodePair& q) const {
  return (radius < 0 ? -1 : 1) * (q.A.R * offset(place_in_A(q)));
}

Matrix3 ContactElement::curvature(const NodePair& q) const {
  const Vector3 d = place_in_A(q);
  const Vector3 from_core = offset(d);
  const double distance = from_core.norm();
  if (!(distance > 0)) return Matrix3::Zero();
  const Vector3 n = from_core / distance;
  Matrix3 B = (Matrix3::Identity() - n * n.transpose()) / distance;
  if (core == Core::Line) B -= axis() * axis().transpose() / distance;
  if (core == Core::Circle) {
    const Vector3 outwards = d - axis().dot(d) * axis();
    const Vector3 tau = axis().cross(outwards).normalized();
    const double along = outwards.dot(n) / outwards.squaredNorm();
    B += (std::max(0.0, along) - 1 / distance) * tau * tau.transpose();
  }
  return q.A.R * B * q.A.R.transpose();
}

Vector3 ContactElement::contact_point(const NodePair& q) const {
  return q.B.x + q.B.R * point - radius * axes(q).col(0);
}

namespace {

using Kind = ContactFeature::Kind;

bool is_surface(const ContactFeature& feature) {
  return feature.kind != Kind::Round && feature.kind != Kind::PinEnd &&
         feature.kind != Kind::TubeRim;
}

bool is_hollow(Kind kind) {
  return kind == Kind::Hollow || kind == Kind::Tube || kind == Kind::Groove;
}

ContactElement::Core core_of(Kind kind) {
  if (kind == Kind::Rod || kind == Kind::Tube) return ContactElement::Core::Line;
  return kind == Kind::Groove ? ContactElement::Core::Circle : ContactElement::Core::Point;
}

}  // namespace

FeaturePair touch(const ContactFeature& first, const ContactFeature& second) {
  const bool is_first =
      is_surface(first) || (!is_surface(second) && (first.radius > 0 || second.radius == 0));
  const ContactFeature& A = is_first ? first : second;
  const ContactFeature& B = is_first ? second : first;
  ContactElement e;
  e.node_A = A.node;
  e.node_B = B.node;
  e.is_plane = A.kind == Kind::Plane;
  e.core = core_of(A.kind);
  e.plane = A.frame;
  e.radius_A = is_hollow(A.kind) ? -A.radius : A.radius;
  e.half_length = A.half_length;
  e.ends_count = B.kind != Kind::TubeRim;
  e.is_journal = B.kind == Kind::TubeRim || B.kind == Kind::PinEnd;
  e.ring_radius = A.ring_radius;
  e.groove_side = A.groove_side;
  e.point = B.frame.d;
  e.radius = B.kind == Kind::TubeRim ? -B.radius : B.radius;
  e.surface_velocity = A.surface_velocity;
  e.half_size = A.half_size;
  const double other = e.is_plane || is_hollow(A.kind) ? 0 : A.radius;
  e.length = B.radius > 0 && other > 0 ? std::min(B.radius, other) : std::max(B.radius, other);
  if (!(e.length > 0)) e.length = 1;
  return {e, is_first};
}

}  // namespace saltus
