// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/core_feature.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/assert.hpp"
#include "saltus/geometry/circle_touch.hpp"
#include "saltus/geometry/features.hpp"
#include "saltus/geometry/nearest.hpp"

namespace saltus {
namespace {

using Kind = CoreFeatureKind;

/// Below this sine edges count as parallel.
constexpr double parallel = 1e-9;

CoreFeature moved(CoreFeature f, const RelativePose& X) {
  f.position = X.point(f.position);
  f.axis = X.R * f.axis;
  f.outward = X.R * f.outward;
  return f;
}

Touch swapped(const Touch& t) {
  return {.point_A = t.point_B, .point_B = t.point_A, .normal = -t.normal, .gap = t.gap};
}

/// From the points of the cores that are nearest to each other, along n.
Touch between(const Vector3& a, double radius_A, const Vector3& b, double radius_B,
              const Vector3& n) {
  return {.point_A = a + radius_A * n,
          .point_B = b - radius_B * n,
          .normal = n,
          .gap = n.dot(b - a) - radius_A - radius_B};
}

Vector3 direction(const Vector3& d) {
  const double length = d.norm();
  return length > 0 ? Vector3(d / length) : Vector3(Vector3::UnitZ());
}

// Below, both features are in the same axes.

Touch vertex_vertex(const CoreFeature& a, const CoreFeature& b) {
  return between(a.position, a.radius, b.position, b.radius, direction(b.position - a.position));
}

Touch vertex_edge(const CoreFeature& a, const CoreFeature& b) {
  const Vector3 foot = b.position + b.axis.dot(a.position - b.position) * b.axis;
  return between(a.position, a.radius, foot, b.radius, direction(foot - a.position));
}

Touch vertex_face(const CoreFeature& a, const CoreFeature& b) {
  const Vector3 foot = a.position - b.axis.dot(a.position - b.position) * b.axis;
  return between(a.position, a.radius, foot, b.radius, -b.axis);
}

Touch vertex_core(const CoreFeature& a, const CoreFeature& b) {
  const Nearest at = nearest(*b.core, a.position);
  return between(a.position, a.radius, at.point, b.radius, -at.normal);
}

/// n or −n: out of a, or into b; if both are mere lines, from a to b.
Vector3 towards_b(const Vector3& n, const CoreFeature& a, const CoreFeature& b, const Vector3& d) {
  double side = n.dot(a.outward);
  if (a.outward.isZero(0)) side = b.outward.isZero(0) ? n.dot(d) : -n.dot(b.outward);
  return side < 0 ? Vector3(-n) : n;
}

/// In the middle of what both have in common, or of the hole between them.
Touch parallel_edges(const CoreFeature& a, const CoreFeature& b) {
  const Vector3 d = b.position - a.position;
  const double shift = a.axis.dot(d);
  const double low = std::max(-a.extent, shift - b.extent);
  const double high = std::min(a.extent, shift + b.extent);
  const Vector3 on_a = a.position + (low + high) / 2 * a.axis;
  const Vector3 across = d - shift * a.axis;
  const Vector3 any = frame_with_normal(a.axis).col(0);
  const Vector3 n = towards_b(across.isZero(0) ? any : direction(across), a, b, d);
  return between(on_a, a.radius, on_a + across, b.radius, n);
}

Touch edge_edge(const CoreFeature& a, const CoreFeature& b) {
  const Vector3 c = a.axis.cross(b.axis);
  const double s2 = c.squaredNorm();
  if (s2 < parallel * parallel) return parallel_edges(a, b);
  const Vector3 d = b.position - a.position;
  const Vector3 n = towards_b(c / std::sqrt(s2), a, b, d);
  const Vector3 on_a = a.position + d.cross(b.axis).dot(c) / s2 * a.axis;
  const Vector3 on_b = b.position + d.cross(a.axis).dot(c) / s2 * b.axis;
  return between(on_a, a.radius, on_b, b.radius, n);
}

Touch circle_face(const CoreFeature& a, const CoreFeature& b) {
  const Vector3 lowest = lowest_on_circle(a, b.axis);
  const Vector3 foot = lowest - b.axis.dot(lowest - b.position) * b.axis;
  return between(lowest, a.radius, foot, b.radius, -b.axis);
}

Touch circle_line(const CoreFeature& a, const CoreFeature& b) {
  const CirclePair at = circle_edge(a, b);
  return between(at.a, a.radius, at.b, b.radius, at.normal);
}

Touch circles(const CoreFeature& a, const CoreFeature& b) {
  const CirclePair at = circle_circle(a, b);
  return between(at.a, a.radius, at.b, b.radius, at.normal);
}

using TouchFunction = Touch (*)(const CoreFeature&, const CoreFeature&);

/// For a.kind ≤ b.kind but circles, which come first.
TouchFunction function_for(Kind a, Kind b) {
  if (a == Kind::Circle) {
    if (b == Kind::Face) return circle_face;
    if (b == Kind::Edge) return circle_line;
    if (b == Kind::Circle) return circles;
    return nullptr;
  }
  if (a == Kind::Vertex) {
    if (b == Kind::Vertex) return vertex_vertex;
    if (b == Kind::Edge) return vertex_edge;
    if (b == Kind::Face) return vertex_face;
    return nullptr;
  }
  return a == Kind::Edge && b == Kind::Edge ? edge_edge : nullptr;
}

Touch in_A(const Touch& t, const RelativePose& X) {
  return {X.point(t.point_A), X.point(t.point_B), X.R * t.normal, t.gap};
}

}  // namespace

Touch touch(const CoreFeature& a, const CoreFeature& b, const RelativePose& B_in_A) {
  if (a.kind == Kind::Core) return swapped(vertex_core(moved(b, B_in_A), a));
  if (b.kind == Kind::Core) return in_A(vertex_core(moved(a, B_in_A.inverse()), b), B_in_A);
  const CoreFeature b_in_A = moved(b, B_in_A);
  if (const TouchFunction f = function_for(a.kind, b.kind)) return f(a, b_in_A);
  const TouchFunction f = function_for(b.kind, a.kind);
  SALTUS_ASSERT(f != nullptr);
  return swapped(f(b_in_A, a));
}

Matrix3 touch_curvature(const CoreFeature& a, const CoreFeature& b, const RelativePose& B_in_A,
                        const Touch& t) {
  const double distance = t.gap + a.radius + b.radius;
  if (a.kind == Kind::Core) return nearest(*a.core, B_in_A.point(b.position)).curvature();
  if (b.kind == Kind::Core) {
    const Matrix3 bend = nearest(*b.core, B_in_A.inverse().point(a.position)).curvature();
    return B_in_A.R * bend * B_in_A.R.transpose();
  }
  const CoreFeature b_in_A = moved(b, B_in_A);
  if (a.kind == Kind::Circle && b.kind == Kind::Edge) return circle_edge(a, b_in_A).curvature;
  if (a.kind == Kind::Edge && b.kind == Kind::Circle) return circle_edge(b_in_A, a).curvature;
  if (a.kind == Kind::Circle && b.kind == Kind::Circle) return circle_circle(a, b_in_A).curvature;
  const bool has_vertex = a.kind == Kind::Vertex || b.kind == Kind::Vertex;
  const bool has_face = a.kind == Kind::Face || b.kind == Kind::Face;
  if (!has_vertex || has_face || !(distance > 0)) return Matrix3::Zero();
  Matrix3 flat = Matrix3::Identity() - t.normal * t.normal.transpose();
  if (a.kind == Kind::Edge) flat -= a.axis * a.axis.transpose();
  if (b.kind == Kind::Edge) flat -= b_in_A.axis * b_in_A.axis.transpose();
  return flat / distance;
}

}  // namespace saltus
