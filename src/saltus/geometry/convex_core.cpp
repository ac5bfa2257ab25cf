// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/convex_core.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

const Vector3& corner(const Polytope& p, int i) { return p.vertices[static_cast<std::size_t>(i)]; }

/// A direction that has a positive part along every outward normal of an edge: the sum of its two
/// faces' normals, or, of a flat body, the way out in the plane of its faces.
Vector3 out_of_edge(const Polytope& p, const Polytope::Edge& edge) {
  Vector3 sum = Vector3::Zero();
  const Vector3 e = (corner(p, edge.vertices[1]) - corner(p, edge.vertices[0])).normalized();
  for (const int side : {0, 1}) {
    const int f = edge.faces[static_cast<std::size_t>(side)];
    if (f < 0) return Vector3::Zero();
    const Vector3& n = p.faces[static_cast<std::size_t>(f)].normal;
    // Out of the face in its own plane: right of the edge for the face on the left.
    sum += n + (side == 0 ? Vector3(e.cross(n)) : Vector3(n.cross(e)));
  }
  return sum.normalized();
}

void measure_polytope(ConvexCore& core) {
  const std::vector<Vector3>& x = core.polytope.vertices;
  Vector3 low = x[0], high = x[0];
  for (const Vector3& v : x) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  core.centre = (low + high) / 2;
  for (const Vector3& v : x) core.bound = std::max(core.bound, (v - core.centre).norm());
  core.bound += core.radius;
  core.size = core.bound;
}

}  // namespace

int ConvexCore::vertex_count() const {
  return round ? 2 * rim_points : static_cast<int>(polytope.vertices.size());
}

int ConvexCore::edge_count() const {
  if (round) return round->is_cylinder() ? 1 : 0;
  return static_cast<int>(polytope.edges.size());
}

int ConvexCore::face_count() const {
  if (plane) return 1;
  return round ? 2 : static_cast<int>(polytope.faces.size());
}

CoreFeature ConvexCore::vertex(int i) const {
  if (round) {
    const double angle = 2 * std::numbers::pi * (i % rim_points) / rim_points;
    const CoreFeature circle = rim(i / rim_points);
    const Matrix3 axes = frame_with_normal(round->axis);
    return {.kind = CoreFeatureKind::Vertex,
            .radius = radius,
            .position = circle.position + circle.extent * (std::cos(angle) * axes.col(0) +
                                                           std::sin(angle) * axes.col(1))};
  }
  return {.kind = CoreFeatureKind::Vertex, .radius = radius, .position = corner(polytope, i)};
}

CoreFeature ConvexCore::edge(int i) const {
  if (round) {
    return {.kind = CoreFeatureKind::Edge,
            .radius = radius + round->radius[0],
            .extent = round->half_length,
            .axis = round->axis};
  }
  const Polytope::Edge& edge = polytope.edges[static_cast<std::size_t>(i)];
  const Vector3& a = corner(polytope, edge.vertices[0]);
  const Vector3& b = corner(polytope, edge.vertices[1]);
  return {.kind = CoreFeatureKind::Edge,
          .radius = radius,
          .extent = (b - a).norm() / 2,
          .position = (a + b) / 2,
          .axis = (b - a).normalized(),
          .outward = out_of_edge(polytope, edge)};
}

CoreFeature ConvexCore::face(int i) const {
  if (round) {
    CoreFeature end = rim(i);
    end.kind = CoreFeatureKind::Face;
    return end;
  }
  if (plane) return {.kind = CoreFeatureKind::Face, .axis = plane->axes.col(2), .core = this};
  const Polytope::Face& face = polytope.faces[static_cast<std::size_t>(i)];
  return {.kind = CoreFeatureKind::Face,
          .radius = radius,
          .position = face.offset * face.normal,
          .axis = face.normal};
}

CoreFeature ConvexCore::whole() const {
  return {.kind = CoreFeatureKind::Core, .radius = radius, .core = this};
}

CoreFeature ConvexCore::rim(int i) const {
  const double sign = i == 0 ? -1 : 1;
  return {.kind = CoreFeatureKind::Circle,
          .radius = radius,
          .extent = round->radius[static_cast<std::size_t>(i)],
          .position = sign * round->half_length * round->axis,
          .axis = sign * round->axis};
}

ConvexCore sphere_core(double radius) {
  return polytope_core({.vertices = {Vector3::Zero()}}, radius);
}

ConvexCore capsule_core(double radius, double length, const Vector3& axis) {
  if (!(length > 0)) return sphere_core(radius);
  const Vector3 half = length / 2 * axis.normalized();
  return polytope_core({.vertices = {-half, half}, .edges = {{.vertices = {0, 1}}}}, radius);
}

ConvexCore box_core(const Vector3& size, double rounding) {
  return polytope_core(box_polytope(size), rounding);
}

ConvexCore polytope_core(Polytope polytope, double rounding) {
  ConvexCore out;
  out.polytope = std::move(polytope);
  out.radius = rounding;
  measure_polytope(out);
  return out;
}

ConvexCore round_core(const RoundCore& round, double rounding) {
  ConvexCore out;
  out.round = round;
  out.round->axis.normalize();
  out.radius = rounding;
  const double widest = std::max(round.radius[0], round.radius[1]);
  out.bound = std::hypot(round.half_length, widest) + rounding;
  out.size = out.bound;
  return out;
}

ConvexCore plane_core(const PlaneCore& plane) {
  ConvexCore out;
  out.plane = plane;
  return out;
}

}  // namespace saltus
