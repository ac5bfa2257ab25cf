// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_element.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/assert.hpp"
#include "saltus/elements/scalar_spring.hpp"
#include "saltus/elements/side_contact.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// Lengths that differ by less, relatively, are the same.
constexpr double same_length = 1e-9;

/// Spheres whose centres come nearer than this, over the sum of their radii, have met.
constexpr double surely_met = 0.9;

/// Asks a surface that has a point over it; of parts of solids and joints the element asks
/// otherwise.
template <class Ask>
auto ask(const ContactSurface& surface, Ask question) {
  return std::visit(
      [&]<class S>(const S& s) {
        if constexpr (std::is_same_v<S, SolidParts> || std::is_same_v<S, JointStop> ||
                      std::is_same_v<S, JointSlide>) {
          SALTUS_ASSERT(false);
          return question(PlaneSurface{});
        } else {
          return question(s);
        }
      },
      surface);
}

/// Where a joint is: its coordinates, or how it is turned.
ContactPlace slide_place(const JointSlide& slide, const NodePair& q) {
  ContactPlace place;
  if (slide.displacement) place.d[0] = slide.displacement->value(q);
  if (slide.angle) place.d[1] = slide.angle->value(q);
  if (slide.is_ball) place.R_AB = q.A.R.transpose() * q.B.R, place.R_A = q.A.R;
  return place;
}

/// What it has moved along its rows, on the shortest way.
ContactElement::Vector6 slide_way(const JointSlide& slide, const ContactPlace& from,
                                  const ContactPlace& to) {
  ContactElement::Vector6 way = ContactElement::Vector6::Zero();
  if (slide.is_ball) {
    const Matrix3 turn = to.R_AB * from.R_AB.transpose();  // in A's axes
    way.segment<3>(1) = slide.length * (to.R_A * lie::so3::log(turn));
    return way;
  }
  if (slide.displacement) way[1] = to.d[0] - from.d[0];
  if (slide.angle) {
    way[slide.displacement ? 2 : 1] = slide.length * nearest_branch(to.d[1] - from.d[1], 0);
  }
  return way;
}

}  // namespace

Vector3 ContactElement::place_in_A(const NodePair& q) const {
  return q.A.R.transpose() * (q.B.x + q.B.R * frame_B.d - q.A.x) - frame_A.d;
}

RelativePose ContactElement::relative_pose(const NodePair& q) const {
  const Matrix3 R_A = frame_A.axes(q.A);
  return {R_A.transpose() * frame_B.axes(q.B),
          R_A.transpose() * (frame_B.point(q.B) - frame_A.point(q.A))};
}

ContactElement::Place ContactElement::place(const NodePair& q) const {
  if (const JointStop* s = stop()) return {.gap = s->gap(q)};
  if (const JointSlide* s = slide()) return slide_place(*s, q);
  if (const SolidParts* s = parts()) return s->place(relative_pose(q), frame_A.axes(q.A));
  const Vector3 d = place_in_A(q);
  return ask(surface, [&](const auto& s) { return s.place(frame_A.E, q, d, radius); });
}

ContactElement::Place ContactElement::place(const NodePair& q, const Vector3& t1) const {
  Place result = place(q);
  if (is_of_joint()) return result;
  if (parts() != nullptr) {
    if (parts()->plane() != nullptr) return result;
    const Vector3 n = result.R_A * result.normal;
    result.t1 = (t1 - n.dot(t1) * n).normalized();
    return result;
  }
  ask(surface, [&](const auto& s) { s.carry(frame_A.E, q, t1, result); });
  return result;
}

/// Without the rest of the place: the search asks all points that are listed.
double ContactElement::gap(const NodePair& q) const {
  if (const JointStop* s = stop()) return s->gap(q);
  if (slide() != nullptr) return 0;
  if (const SolidParts* s = parts()) return s->form.touch(relative_pose(q)).gap;
  const Vector3 d = place_in_A(q);
  const Matrix3& E = frame_A.E;
  return ask(surface, [&](const auto& s) { return s.gap(E, s.seen(E, d), radius); });
}

double ContactElement::gap(const Place& place) const {
  if (!has_surface()) return place.gap;
  return ask(surface, [&](const auto& s) { return s.gap(frame_A.E, place.d, radius); });
}

double ContactElement::least_gap(const NodePair& from, const NodePair& to) const {
  if (const JointStop* s = stop()) return s->least_gap(from, to);
  SALTUS_ASSERT(has_surface());  // only the event-driven method asks, which has no solids
  const Vector3 d_0 = place_in_A(from), d_1 = place_in_A(to);
  return ask(surface, [&](const auto& s) { return s.least_gap(frame_A.E, d_0, d_1, radius); });
}

double ContactElement::distance(const NodePair& q) const {
  if (!has_surface()) return gap(q);
  const Place at = place(q);
  return ask(surface, [&](const auto& s) { return s.distance(frame_A.E, at, radius); });
}

bool ContactElement::is_on_side(const Place& place) const {
  if (const PlaneCore* p = solid_plane()) return p->is_above(place.d);
  if (!has_surface()) return true;
  return ask(surface, [&](const auto& s) { return s.is_on_side(frame_A.E, place, radius); });
}

bool ContactElement::is_along(const Place& place) const {
  if (!has_surface()) return true;
  return ask(surface, [&](const auto& s) { return s.is_along(frame_A.E, place); });
}

bool ContactElement::is_hollow() const {
  if (!has_surface()) return false;
  return ask(surface, [](const auto& s) { return s.is_hollow(); });
}

bool ContactElement::has_edges() const {
  if (const PlaneCore* p = solid_plane()) return p->half_size.has_value();
  if (!has_surface()) return false;
  return ask(surface, [](const auto& s) { return s.has_edges(); });
}

bool ContactElement::is_felt(const Place& from, const Place& to, double behind) const {
  if (is_hollow()) return is_on_side(from);
  return is_on_side(to) && gap(from) > -behind;
}

bool ContactElement::passes_through(const NodePair& before, const Vector3& moved) const {
  if (!has_surface()) return false;
  const std::optional<double> touch = ask(surface, [&](const auto& s) { return s.reach(radius); });
  if (!touch) return false;
  // What moves less is seen at one end of the step or the other.
  if (moved.squaredNorm() < *touch * *touch) return false;
  const Vector3 d = before.B.x + before.B.R * frame_B.d - before.A.x - before.A.R * frame_A.d;
  const double part = std::clamp(-d.dot(moved) / moved.squaredNorm(), 0.0, 1.0);
  const bool ends_apart = d.norm() > *touch && (d + moved).norm() > *touch;
  return ends_apart && (d + part * moved).norm() < surely_met * *touch;
}

bool ContactElement::is_centred() const {
  return has_surface() && ask(surface, [](const auto& s) { return s.is_sphere(); }) &&
         (node_A == 0 || frame_A.d.isZero(0)) && (node_B == 0 || frame_B.d.isZero(0));
}

double ContactElement::part_to_touch(const NodePair& from, const NodePair& to) const {
  const Vector3 d = frame_B.point(from.B) - frame_A.point(from.A);
  const Vector3 moved = frame_B.point(to.B) - frame_A.point(to.A) - d;
  const double side = is_hollow() ? -1 : 1, open = gap(from);
  if (!(open > 0)) return 0;
  // |d + α moved|² = ρ², ρ = |d| − σ g: the root with which the gap closes.
  const double towards = -side * d.dot(moved), square = moved.squaredNorm();
  const double missing = open * (2 * d.norm() - side * open);  // ±(d² − ρ²) > 0
  const double discriminant = towards * towards - side * square * missing;
  if (discriminant < 0) return std::clamp(towards / square, 0.0, 1.0);
  const double slope = towards + std::sqrt(discriminant);
  return slope > missing ? missing / slope : (slope > 0 ? 1 : 0);
}

Vector3 ContactElement::offset(const Vector3& d) const {
  return ask(surface, [&](const auto& s) { return s.offset(frame_A.E, d); });
}

Matrix3 ContactElement::curvature(const NodePair& q) const {
  SALTUS_ASSERT(!is_of_joint());
  if (const SolidParts* s = parts()) {
    const RelativePose X = relative_pose(q);
    const Matrix3 R_A = frame_A.axes(q.A);
    return R_A * touch_curvature(s->form.a, s->form.b, X, s->form.touch(X)) * R_A.transpose();
  }
  const Vector3 d = place_in_A(q);
  const Matrix3 B = ask(surface, [&](const auto& s) { return s.curvature(frame_A.E, d); });
  return q.A.R * B * q.A.R.transpose();
}

double ContactElement::groove_cosine(const NodePair& q) const {
  if (!has_surface()) return 1;
  const Vector3 d = place_in_A(q);
  return ask(surface, [&](const auto& s) { return s.section_cosine(frame_A.E, d); });
}

ContactElement::Vector6 ContactElement::gap_and_slip(const Place& from, const Place& to,
                                                     double h) const {
  if (stop() != nullptr) return to.gap * Vector6::Unit(0);
  if (const JointSlide* s = slide()) return slide_way(*s, from, to);
  const SolidParts* solids = parts();
  const ContactSlip slip =
      solids != nullptr
          ? solids->slip(from, to)
          : ask(surface, [&](const auto& s) { return s.slip(frame_A.E, from, to, radius); });
  Vector6 g = Vector6::Zero();
  g[0] = gap(to);  // (1, 1s)
  g.segment<2>(1) = slip.way;
  if (has_moments) g.tail<3>() = length * slip.turn;
  g.head<3>() -= h * surface_velocity;
  return g;
}

ContactElement::Rows ContactElement::jacobian(const NodePair& q, const Matrix3& e) const {
  if (const JointStop* s = stop()) {
    Rows H = Rows::Zero();
    H.row(0) = s->gradient(q);
    return H;
  }
  if (const JointSlide* s = slide()) {
    Rows H = Rows::Zero();
    H.middleRows<3>(1) = s->gradient(q);
    return H;
  }
  const Vector3 arm_B = contact_point(q, e.col(0)) - q.B.x;
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

Vector3 ContactElement::normal_in_A(const Vector3& d) const {
  return ask(surface, [&](const auto& s) { return s.normal(frame_A.E, d); });
}

Matrix3 ContactElement::normal_slope_in_A(const Vector3& d) const {
  return ask(surface, [&](const auto& s) { return s.normal_slope(frame_A.E, d); });
}

SectionCosine ContactElement::section_in_A(const Vector3& d) const {
  return ask(surface, [&](const auto& s) { return s.section(frame_A.E, d); });
}

bool ContactElement::are_balls() const {
  return has_surface() && ask(surface, [&](const auto& s) { return s.are_balls(radius); });
}

double ContactElement::half_gap(const NodePair& q) const {
  if (!has_surface()) return gap(q) / 2;
  return are_balls() ? gap(q) / 2 : 0;
}

/// The velocity at the point of contact, rows 1 to 3 of H v, moved on both sides to the surfaces.
Vector3 ContactElement::slip_velocity(const NodePair& q, const Vector12& v) const {
  if (const JointStop* s = stop()) return s->gradient(q).dot(v) * Vector3::UnitX();
  const Matrix3 e = axes(q);
  const Vector3 n = e.col(0), point = contact_point(q, n);
  const double to_B = half_gap(q), to_A = gap(q) - to_B;
  const Vector3 arm_A = point - to_A * n - q.A.x, arm_B = point + to_B * n - q.B.x;
  const Vector3 omega_A = q.A.R * v.segment<3>(3), omega_B = q.B.R * v.segment<3>(9);
  const Vector3 at_A = v.head<3>() + omega_A.cross(arm_A);
  const Vector3 at_B = v.segment<3>(6) + omega_B.cross(arm_B);
  return e.transpose() * (at_B - at_A) - surface_velocity;
}

Matrix3 ContactElement::axes(const NodePair& q) const {
  if (is_of_joint()) return Matrix3::Identity();
  if (const SolidParts* s = parts()) return s->axes(relative_pose(q), frame_A.axes(q.A));
  const Vector3 d = place_in_A(q);
  return ask(surface, [&](const auto& s) { return s.axes(frame_A.E, q, d); });
}

Matrix3 ContactElement::axes(const NodePair& q, const Place& from) const {
  if (is_of_joint()) return Matrix3::Identity();
  if (const SolidParts* s = parts()) return s->axes(relative_pose(q), frame_A.axes(q.A), from);
  const Vector3 d = place_in_A(q);
  return ask(surface, [&](const auto& s) { return s.axes(frame_A.E, q, d, from); });
}

Matrix3 ContactElement::axes(const NodePair& q, const Vector3& t1) const {
  Matrix3 e = axes(q);
  if (is_of_joint() || solid_plane() != nullptr) return e;
  if (parts() != nullptr) {
    e.col(1) = (t1 - e.col(0).dot(t1) * e.col(0)).normalized();
    e.col(2) = e.col(0).cross(e.col(1));
    return e;
  }
  return ask(surface, [&](const auto& s) { return s.axes_with(e, t1); });
}

Vector3 ContactElement::contact_point(const NodePair& q, const Vector3& n) const {
  if (is_of_joint()) return frame_B.point(q.B);
  if (const SolidParts* s = parts()) {
    const Touch touch = s->form.touch(relative_pose(q));
    return frame_A.point(q.A) + frame_A.axes(q.A) * s->point_of(touch);
  }
  return q.B.x + q.B.R * frame_B.d - (radius + half_gap(q)) * n;
}

Vector3 ContactElement::eccentricity(const NodePair& q) const {
  return (radius < 0 ? -1 : 1) * (q.A.R * offset(place_in_A(q)));
}

/// Where the rim of a bore touches its pin, the bore is on B.
double ContactElement::bore_angle(const NodePair& q) const {
  const Matrix3 bore = radius < 0 ? frame_B.axes(q.B) : frame_A.axes(q.A);
  const Vector3 r = bore.transpose() * eccentricity(q);
  return std::atan2(r.y(), r.x());
}

namespace {

bool is_hollow_form(const FeatureForm& form) {
  return form.kind == FeatureKind::HollowSphere || form.kind == FeatureKind::Tube ||
         form.kind == FeatureKind::Groove;
}

/// The surface of a feature that another touches.
ContactSurface surface_of(const FeatureForm& form, const FeatureForm& other) {
  const bool is_about = other.kind == FeatureKind::TubeRim;  // then the other is the hollow one
  const double radius = is_hollow_form(form) ? -form.radius : form.radius;
  const double side = is_hollow_form(form) || is_about ? -1 : 1;
  // Pins and bores of the same length touch once at each end: the pin's end counts.
  const double ends = is_about ? 1 - same_length : 1 + same_length;
  switch (form.kind) {
    case FeatureKind::Plane:
      return PlaneSurface{form.half_size};
    case FeatureKind::Sphere:
    case FeatureKind::HollowSphere:
      return SphereSurface{radius, side};
    case FeatureKind::Rod:
    case FeatureKind::Tube:
      return CylinderSurface{radius, side, {form.half_length, form.half_length * ends}};
    case FeatureKind::Groove:
      return TorusSurface{radius, side, {form.ring_radius, form.opening}};
    case FeatureKind::Point:
    case FeatureKind::Corner:
    case FeatureKind::PinEnd:
    case FeatureKind::TubeRim:
      break;  // touched by nothing
  }
  SALTUS_ASSERT(false);
  return {};
}

/// The smaller radius of the two, of what is hollow that of the inner.
double length_of(const FeatureForm& A, const FeatureForm& B) {
  const double other = A.kind == FeatureKind::Plane || is_hollow_form(A) ? 0 : A.radius;
  const double length =
      B.radius > 0 && other > 0 ? std::min(B.radius, other) : std::max(B.radius, other);
  return length > 0 ? length : 1;
}

}  // namespace

ContactElement touch(int node_A, const FrameOnNode& frame_A, int node_B, const FrameOnNode& frame_B,
                     const FeaturePairForm& form) {
  ContactElement e;
  e.node_A = node_A;
  e.node_B = node_B;
  e.frame_A = frame_A;
  e.frame_B = frame_B;
  const SolidParts parts{form};
  e.surface = parts;
  if (parts.plane() != nullptr) e.surface_velocity = parts.plane()->surface_velocity;
  const double a = form.a.radius, b = form.b.radius;
  const double length = a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
  e.length = length > 0 ? length : 1;
  return e;
}

ContactElement on_surface(const ContactFeature& A, const ContactFeature& B) {
  ContactElement e;
  e.node_A = A.node;
  e.node_B = B.node;
  e.frame_A = A.frame;
  e.surface = surface_of(A.form, B.form);
  e.frame_B = B.frame;
  e.radius = B.form.kind == FeatureKind::TubeRim ? -B.form.radius : B.form.radius;
  e.is_rim = is_rim(B.form.kind);
  e.surface_velocity = A.form.surface_velocity;
  e.length = length_of(A.form, B.form);
  return e;
}

FeaturePair touch(const ContactFeature& first, const ContactFeature& second) {
  const bool is_first = is_touched(first.form.kind, second.form.kind);
  const ContactFeature& A = is_first ? first : second;
  const ContactFeature& B = is_first ? second : first;
  SALTUS_ASSERT(is_touched(A.form.kind, B.form.kind));
  return {on_surface(A, B), is_first};
}

}  // namespace saltus
