// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_surface.hpp"

#include "saltus/geometry/features.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// The cosine of normals between which there is no shortest way: in the middle of a hollow sphere.
constexpr double opposite = -0.9;

/// Cosines of the turn of a rim's lowest point over a face in a step: up to the first the way round
/// the rim counts, beyond the second none of it.
constexpr double near_turn = 0.9, far_turn = 0.6;

/// What is farther out of a hollow sphere, over its radius, is outside of it.
constexpr double wall_thickness = 1.01;

/// The tangent vector s at the unit vector `from`, turned with it to `to` on the shortest way.
Vector3 transported(const Vector3& s, const Vector3& from, const Vector3& to) {
  return s - to.dot(s) / (1 + from.dot(to)) * (from + to);
}

/// Length of the arc between two unit vectors over that of its chord.
double arc_over_chord(const Vector3& a, const Vector3& b) {
  const double half = std::min(1.0, (b - a).norm() / 2);
  return half < 1e-4 ? 1 + half * half / 6 : std::asin(half) / half;
}

}  // namespace

Matrix3 axes_along(const Vector3& n) {
  const Matrix3 E = frame_with_normal(n);
  Matrix3 e;
  e << E.col(2), E.col(0), E.col(1);
  return e;
}

// ---- plane ------------------------------------------------------------------------------------

ContactPlace PlaneSurface::place(const Matrix3& E, const NodePair& q, const Vector3& d,
                                 double r) const {
  ContactPlace place;
  if (r > 0) place.R_AB = q.A.R.transpose() * q.B.R;
  place.d = seen(E, d);
  return place;
}

Matrix3 PlaneSurface::axes(const Matrix3& on_A, const NodePair& q, const Vector3&) const {
  const Matrix3 E = q.A.R * on_A;
  Matrix3 e;
  e << E.col(2), E.col(0), E.col(1);
  return e;
}

ContactSlip PlaneSurface::slip(const Matrix3& E, const ContactPlace& from, const ContactPlace& to,
                               double r) const {
  ContactSlip slip;
  slip.way = {to.d.x() - from.d.x(), to.d.y() - from.d.y()};  // (2)
  if (r > 0) {
    // The sphere's own rotation on the plane: −r Θ × n.                                     (3)
    const Vector3 theta = E.transpose() * lie::so3::log(to.R_AB * from.R_AB.transpose());
    slip.way[0] -= r * theta.y();
    slip.way[1] += r * theta.x();
    slip.turn = {theta.z(), theta.x(), theta.y()};
  }
  return slip;
}

double distance_of_way(const Vector3& from, const Vector3& to) {
  const Vector3 way = to - from;
  const double length = way.squaredNorm();
  if (!(length > 0)) return from.norm();
  return (from + std::clamp(-from.dot(way) / length, 0.0, 1.0) * way).norm();
}

// ---- cores ------------------------------------------------------------------------------------

Vector3 LineCore::with_way(const Matrix3& E, const Vector3& from, const Vector3& to,
                           const Vector3& arc) const {
  const Vector3 chord = (to - offset(E, to)) - (from - offset(E, from));
  return arc + chord;
}

void LineCore::curve(const Matrix3& E, const Vector3&, const Vector3&, double distance,
                     Matrix3& B) const {
  const Vector3 axis = E.col(2);
  B -= axis * axis.transpose() / distance;
}

Vector3 CircleCore::offset(const Matrix3& E, const Vector3& d) const {
  const Vector3 axis = E.col(2);
  const Vector3 across = d - axis.dot(d) * axis;
  const double distance = across.norm();
  if (!(distance > 0)) return d - radius * E.col(0);
  return d - radius / distance * across;
}

Vector3 CircleCore::with_way(const Matrix3& E, const Vector3& from, const Vector3& to,
                             const Vector3& arc) const {
  const Vector3 chord = (to - offset(E, to)) - (from - offset(E, from));
  const Vector3 first = (from - offset(E, from)) / radius;
  return arc + arc_over_chord(first, first + chord / radius) * chord;
}

/// Without the small part along the circle where that is negative.
void CircleCore::curve(const Matrix3& E, const Vector3& d, const Vector3& n, double distance,
                       Matrix3& B) const {
  const Vector3 axis = E.col(2);
  const Vector3 outwards = d - axis.dot(d) * axis;
  const Vector3 tau = axis.cross(outwards).normalized();
  const double along = outwards.dot(n) / outwards.squaredNorm();
  B += (std::max(0.0, along) - 1 / distance) * tau * tau.transpose();
}

Matrix3 CircleCore::left_out(const Matrix3& E, const Vector3& d, const Vector3& n) const {
  const Vector3 axis = E.col(2);
  const Vector3 outwards = d - axis.dot(d) * axis;
  const Vector3 tau = axis.cross(outwards).normalized();
  return std::min(0.0, outwards.dot(n) / outwards.squaredNorm()) * tau * tau.transpose();
}

bool CircleCore::is_along(const Matrix3& E, const Vector3& d) const {
  if (opening == GrooveOpening::Closed) return true;
  const Vector3 axis = E.col(2);
  const double distance = (d - axis.dot(d) * axis).norm();
  return opening == GrooveOpening::Outwards ? distance < radius : distance > radius;
}

double CircleCore::section_cosine(const Matrix3& E, const Vector3& d) const {
  const Vector3 axis = E.col(2);
  const Vector3 from_core = offset(E, d), outwards = d - axis.dot(d) * axis;
  const double lengths = from_core.norm() * outwards.norm();
  return lengths > 0 ? std::clamp(from_core.dot(outwards) / lengths, -1.0, 1.0) : 1;
}

/// Of the offset (u, w) in the section, u away from the axis and w along it: u/√(u² + w²).
SectionCosine CircleCore::section(const Matrix3& E, const Vector3& d) const {
  const Vector3 axis = E.col(2);
  const double w = axis.dot(d);
  const Vector3 outwards = d - w * axis;
  const double rho = outwards.norm(), u = rho - radius, s = std::hypot(u, w);
  if (!(rho > 0 && s > 0)) return {};
  const Vector3 e = outwards / rho, tau = axis.cross(e), across = w * e - u * axis;
  const double f = w / (s * s * s);
  const Vector3 f_slope = axis / (s * s * s) - 3 * f / (s * s) * (u * e + w * axis);
  SectionCosine c{.value = u / s, .slope = f * across};
  c.curvature = across * f_slope.transpose() +
                f * (e * axis.transpose() - axis * e.transpose() + w / rho * tau * tau.transpose());
  return c;
}

// ---- round about a core -----------------------------------------------------------------------

template <class Core>
ContactPlace RoundSurface<Core>::place(const Matrix3& E, const NodePair& q, const Vector3& d,
                                       double) const {
  ContactPlace place;
  place.d = d;
  place.R_AB = q.A.R.transpose() * q.B.R;
  place.R_A = q.A.R;
  place.t1 = axes_along(q.A.R * normal(E, d)).col(1);
  return place;
}

template <class Core>
double RoundSurface<Core>::least_gap(const Matrix3& E, const Vector3& from, const Vector3& to,
                                     double r) const {
  if (side > 0) return core.least_distance(E, from, to) - radius - r;
  double farthest = std::max(core.offset(E, from).norm(), core.offset(E, to).norm());
  if constexpr (std::is_same_v<Core, CircleCore>) {
    farthest = (core.offset(E, from).norm() + core.offset(E, to).norm() + (to - from).norm()) / 2;
  }
  return -farthest - radius - r;
}

template <class Core>
Matrix3 RoundSurface<Core>::axes(const Matrix3& E, const NodePair& q, const Vector3& d) const {
  return axes_along(q.A.R * normal(E, d));
}

template <class Core>
void RoundSurface<Core>::carry(const Matrix3& E, const NodePair& q, const Vector3& t1,
                               ContactPlace& place) const {
  const Vector3 n = axes(E, q, place.d).col(0);
  place.t1 = (t1 - n.dot(t1) * n).normalized();
}

/// Columns n, t1, t2 for a normal n that was that of `from`.
template <class Core>
Matrix3 RoundSurface<Core>::axes_at(const Matrix3& E, const ContactPlace& from,
                                    const Vector3& n) const {
  const Vector3 n_0 = from.R_A * normal(E, from.d);
  if (n_0.dot(n) < opposite) return axes_along(n);
  const Vector3 t1 = transported(from.t1, n_0, n);
  Matrix3 e;
  e << n, t1, n.cross(t1);
  return e;
}

/// Seen from A, in its axes at the end: the centre of B moves about the core by an arc, and with
/// it, and B turns. Along the mean normal, so that it is of second order, and exact where two
/// spheres turn about fixed axes. (2s)
template <class Core>
Vector3 RoundSurface<Core>::way(const Matrix3& E, const Vector3& from, const Vector3& to,
                                const Vector3& turn, double r) const {
  const Vector3 n_0 = normal(E, from), n_1 = normal(E, to);
  const Vector3 n = n_0.dot(n_1) < opposite ? n_1 : Vector3((n_0 + n_1).normalized());
  const double distance = (offset(E, from).norm() + offset(E, to).norm()) / 2;
  const Vector3 arc =
      core.with_way(E, from, to, side * distance * arc_over_chord(n_0, n_1) * (n_1 - n_0));
  return transported(arc - r * turn.cross(n), n, n_1);
}

/// Of two spheres neither is first: the mean of the ways seen from either.
template <class Core>
ContactSlip RoundSurface<Core>::slip(const Matrix3& E, const ContactPlace& from,
                                     const ContactPlace& to, double r) const {
  const Vector3 turn = lie::so3::log(to.R_AB * from.R_AB.transpose());
  Vector3 moved = way(E, from.d, to.d, turn, r);
  if constexpr (std::is_same_v<Core, PointCore>) {
    if (are_balls(r)) {
      const Matrix3 R_BA = to.R_AB.transpose();
      const Vector3 seen_from_B = RoundSurface{.radius = r}.way(
          E, -(from.R_AB.transpose() * from.d), -(R_BA * to.d), -(R_BA * turn), radius);
      moved = (moved - to.R_AB * seen_from_B) / 2;
    }
  }
  const Matrix3 e = axes_at(E, from, to.R_A * normal(E, to.d));
  const Vector3 along = to.R_A * moved, theta = to.R_A * turn;
  return {{e.col(1).dot(along), e.col(2).dot(along)}, e.transpose() * theta};
}

template <class Core>
Matrix3 RoundSurface<Core>::curvature(const Matrix3& E, const Vector3& d) const {
  const Vector3 from_core = offset(E, d);
  const double distance = from_core.norm();
  if (!(distance > 0)) return Matrix3::Zero();
  const Vector3 n = from_core / distance;
  Matrix3 B = (Matrix3::Identity() - n * n.transpose()) / distance;
  core.curve(E, d, n, distance, B);
  return B;
}

template <class Core>
Matrix3 RoundSurface<Core>::normal_slope(const Matrix3& E, const Vector3& d) const {
  const Vector3 from_core = offset(E, d);
  const double distance = from_core.norm();
  if (!(distance > 0)) return Matrix3::Zero();
  return side * (curvature(E, d) + core.left_out(E, d, from_core / distance));
}

template <class Core>
bool RoundSurface<Core>::is_on_side(const Matrix3& E, const ContactPlace& place, double r) const {
  const double hollow = std::max(-radius, -r);
  return !(hollow > 0) || offset(E, place.d).norm() <= wall_thickness * hollow;
}

template <class Core>
double RoundSurface<Core>::distance(const Matrix3& E, const ContactPlace& place, double r) const {
  const double to_surface = gap(E, place.d, r);
  if (is_along(E, place)) return to_surface;
  return std::hypot(std::max(to_surface, 0.0), core.beyond(E, place.d));
}

// ---- parts of solids --------------------------------------------------------------------------

ContactPlace SolidParts::place(const RelativePose& B_in_A, const Matrix3& R_A) const {
  const Touch touch = form.touch(B_in_A);
  ContactPlace place;
  place.d = touch.point_A;
  place.on_B = B_in_A.R.transpose() * (touch.point_B - B_in_A.p);
  place.normal = touch.normal;
  place.gap = touch.gap;
  place.R_AB = B_in_A.R;
  place.R_A = R_A;
  place.t1 = plane() != nullptr ? Vector3(R_A * plane()->axes.col(0))
                                : Vector3(axes_along(R_A * touch.normal).col(1));
  return place;
}

namespace {

/// Columns n, t1, t2 of a plane whose axes are t1, t2, n.
Matrix3 plane_axes(const PlaneCore& plane, const Matrix3& R_A) {
  Matrix3 e;
  e << R_A * plane.axes.col(2), R_A * plane.axes.col(0), R_A * plane.axes.col(1);
  return e;
}

}  // namespace

Matrix3 SolidParts::axes(const RelativePose& B_in_A, const Matrix3& R_A) const {
  if (plane() != nullptr) return plane_axes(*plane(), R_A);
  return axes_along(R_A * form.touch(B_in_A).normal);
}

Matrix3 SolidParts::axes(const RelativePose& B_in_A, const Matrix3& R_A,
                         const ContactPlace& from) const {
  if (plane() != nullptr) return plane_axes(*plane(), R_A);
  return axes_for(R_A * form.touch(B_in_A).normal, from, R_A);
}

Matrix3 SolidParts::axes_for(const Vector3& n, const ContactPlace& from, const Matrix3& R_A) const {
  if (plane() != nullptr) return plane_axes(*plane(), R_A);
  const Vector3 n_0 = from.R_A * from.normal;
  if (n_0.dot(n) < opposite) return axes_along(n);
  const Vector3 t1 = transported(from.t1, n_0, n).normalized();
  Matrix3 e;
  e << n, t1, n.cross(t1);
  return e;
}

namespace {

/// Whether the normal is one of the side of a cylinder.
bool is_on_side(const CoreFeature& part, const Vector3& n) {
  constexpr double square = 1e-9;
  if (!part.core->round) return false;
  return part.core->round->is_cylinder() && std::abs(part.core->round->axis.dot(n)) < square;
}

/// Of a rim on B that touches a face on A: from its centre to where it touches, of length 1, in B.
Vector3 rim_radial(const CoreFeature& rim, const ContactPlace& place) {
  const Vector3 n = -(place.R_AB.transpose() * place.normal);  // out of B
  return (place.on_B - rim.radius * n - rim.position) / rim.extent;
}

/// Along the rim there, in A.
Vector3 rim_tangent(const CoreFeature& rim, const ContactPlace& place) {
  return place.R_AB * rim.axis.cross(rim_radial(rim, place));
}

/// The lowest point of a rim goes over a face along the rim's tangent: an arc, over its chord, if
/// that turns. On a coin that lies nearly flat the point runs round the rim, and the face under it
/// the same way.
/// @param way  over the face, which is on A
Vector3 bent_way(const Vector3& way, const CoreFeature& rim, const ContactPlace& from,
                 const ContactPlace& to) {
  return arc_over_chord(rim_tangent(rim, from), rim_tangent(rim, to)) * way;
}

/// The place from which the way of a rim's lowest point counts. A coin that lies flat, or rocks
/// through that, stands on another point of its rim at the end of the step: it has not rolled
/// there. What slips then is the material point on which it stands at the end, from where that was
/// at the beginning, as with the fixed points of the rim; a mean of two far points, one of them
/// chosen by round-off, would contradict those and the rows H.                              (2q)
/// @param rim  on B; the face is on A
ContactPlace start_on_rim(const CoreFeature& rim, const ContactPlace& from,
                          const ContactPlace& to) {
  const double cosine = rim_tangent(rim, from).dot(rim_tangent(rim, to));
  if (cosine >= near_turn) return from;
  const double part = std::max(0.0, (cosine - far_turn) / (near_turn - far_turn));
  const Vector3 u_0 = rim_radial(rim, from), u_1 = rim_radial(rim, to);
  const double angle = std::atan2(rim.axis.dot(u_0.cross(u_1)), u_0.dot(u_1));
  const Vector3 u = lie::so3::exp(Vector3(-part * angle * rim.axis)) * u_1;
  const Vector3 on_rim = rim.extent * (u - u_0), over_face = from.R_AB * on_rim;
  ContactPlace start = from;
  start.on_B += on_rim;
  start.d += over_face - from.normal.dot(over_face) * from.normal;
  return start;
}

/// The place seen from the other side.
ContactPlace swapped(const ContactPlace& p) {
  ContactPlace out = p;
  out.d = p.on_B;
  out.on_B = p.d;
  out.R_AB = p.R_AB.transpose();
  out.normal = -(out.R_AB * p.normal);
  return out;
}

/// The way of a point over the surface of a part, in the part's axes: the core's by a straight
/// line, or on a rim or the side of a cylinder by an arc, and that of the normal by an arc.
/// @param n_0, n_1  out of the part
Vector3 way_over(const CoreFeature& part, const Vector3& from, const Vector3& to,
                 const Vector3& n_0, const Vector3& n_1) {
  const Vector3 turned = n_1 - n_0;
  Vector3 along = to - from - part.radius * turned;
  if (part.kind == CoreFeatureKind::Circle) {
    const Vector3 u = (from - part.radius * n_0 - part.position) / part.extent;
    along *= arc_over_chord(u, u + along / part.extent);
  }
  if (part.kind == CoreFeatureKind::Core && is_on_side(part, n_0) && is_on_side(part, n_1)) {
    const Vector3& axis = part.core->round->axis;
    along += (arc_over_chord(n_0, n_1) - 1) * (along - axis.dot(along) * axis);
  }
  return along + part.radius * arc_over_chord(n_0, n_1) * turned;
}

Matrix3 half_way(const Matrix3& from, const Matrix3& to) {
  return from * lie::so3::exp(lie::so3::log(from.transpose() * to) / 2);
}

}  // namespace

ContactSlip SolidParts::slip(const ContactPlace& last, const ContactPlace& to) const {
  using Kind = CoreFeatureKind;
  const bool rim_on_face = form.a.kind == Kind::Face && form.b.kind == Kind::Circle;
  const bool face_on_rim = form.b.kind == Kind::Face && form.a.kind == Kind::Circle;
  ContactPlace from = last;
  if (rim_on_face) from = start_on_rim(form.b, last, to);
  if (face_on_rim) from = swapped(start_on_rim(form.a, swapped(last), swapped(to)));
  Vector3 over_A = way_over(form.a, from.d, to.d, from.normal, to.normal);
  Vector3 over_B = way_over(form.b, from.on_B, to.on_B, -(from.R_AB.transpose() * from.normal),
                            -(to.R_AB.transpose() * to.normal));
  if (rim_on_face) {
    over_A = bent_way(over_A, form.b, from, to);
  } else if (face_on_rim) {
    over_B = bent_way(over_B, form.a, swapped(from), swapped(to));
  }
  const Vector3 n_0 = from.R_A * from.normal, n_1 = to.R_A * to.normal;
  const Vector3 n = n_0.dot(n_1) < opposite ? n_1 : Vector3((n_0 + n_1).normalized());
  const Matrix3 R_B0 = from.R_A * from.R_AB, R_B1 = to.R_A * to.R_AB;
  const Vector3 moved = half_way(from.R_A, to.R_A) * over_A - half_way(R_B0, R_B1) * over_B;
  const Vector3 along = transported(moved, n, n_1);
  const Matrix3 e = axes_for(n_1, from, to.R_A);
  const Vector3 turn = to.R_A * lie::so3::log(to.R_AB * from.R_AB.transpose());
  return {{e.col(1).dot(along), e.col(2).dot(along)}, e.transpose() * turn};
}

template struct RoundSurface<PointCore>;
template struct RoundSurface<LineCore>;
template struct RoundSurface<CircleCore>;

}  // namespace saltus
