// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

using Region = Nearest::Region;

constexpr double infinity = std::numeric_limits<double>::infinity();

const Vector3& vertex_of(const Polytope& p, int i) {
  return p.vertices[static_cast<std::size_t>(i)];
}

/// A direction at right angles to n.
Vector3 any_across(const Vector3& n) {
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  return n.cross(Vector3::Unit(least)).normalized();
}

Nearest on_face(const Vector3& x, const Vector3& normal, double height) {
  Nearest out;
  out.point = x - height * normal;
  out.normal = normal;
  out.distance = height;
  out.region = Region::Face;
  out.along = any_across(normal);
  return out;
}

/// Outside, on an edge along `axis`, or a vertex if it is zero. `fallback`: the normal where x is
/// on the edge itself.
Nearest off_edge(const Vector3& x, const Vector3& point, const Vector3& axis,
                 const Vector3& fallback) {
  Nearest out;
  out.point = point;
  const Vector3 d = x - point;
  out.distance = d.norm();
  out.normal = out.distance > 0 ? Vector3(d / out.distance) : fallback;
  const bool is_vertex = axis.isZero(0);
  out.region = is_vertex ? Region::Vertex : Region::Edge;
  out.along = is_vertex ? any_across(out.normal) : axis;
  const double bend = out.distance > 0 ? 1 / out.distance : 0;
  out.bend_across = bend;
  out.bend_along = is_vertex ? bend : 0;
  return out;
}

Nearest nearest_of_box(const Vector3& half, const Vector3& x) {
  const Eigen::Array3d over = x.array().abs() - half.array();
  const int outside = static_cast<int>((over > 0).count());
  int axis = 0;
  const double height = over.maxCoeff(&axis);
  const Vector3 normal = std::copysign(1.0, x[axis]) * Vector3::Unit(axis);
  if (outside <= 1) return on_face(x, normal, height);
  const Vector3 point = x.cwiseMax(-half).cwiseMin(half);
  Vector3 along = Vector3::Zero();
  if (outside == 2) {
    for (int i = 0; i < 3; ++i) along[i] = over[i] > 0 ? 0 : 1;
  }
  return off_edge(x, point, along, normal);
}

/// Whether the foot of x on the plane of a face is within the face.
bool is_above(const Polytope& p, const Polytope::Face& face, const Vector3& x) {
  for (int k = 0; k < face.count; ++k) {
    const auto first = static_cast<std::size_t>(face.first);
    const Vector3& a = vertex_of(p, p.loops[first + static_cast<std::size_t>(k)]);
    const Vector3& b =
        vertex_of(p, p.loops[first + static_cast<std::size_t>((k + 1) % face.count)]);
    if (face.normal.cross(b - a).dot(x - a) < 0) return false;
  }
  return true;
}

/// The nearest of all edges, or vertices where there are none. Of edges that have faces only those
/// next to a face below x.
Nearest nearest_edge(const Polytope& p, const Vector3& x, const Vector3& fallback) {
  double best = infinity;
  Vector3 point = p.vertices[0], along = Vector3::Zero();
  const auto is_below = [&](int f) {
    if (f < 0) return true;
    const Polytope::Face& face = p.faces[static_cast<std::size_t>(f)];
    return face.normal.dot(x) > face.offset;
  };
  for (const Polytope::Edge& edge : p.edges) {
    if (!is_below(edge.faces[0]) && !is_below(edge.faces[1])) continue;
    const Vector3& a = vertex_of(p, edge.vertices[0]);
    const Vector3 e = vertex_of(p, edge.vertices[1]) - a;
    const double t = e.dot(x - a) / e.squaredNorm();
    const bool is_end = !(t > 0 && t < 1);
    const Vector3 foot = t <= 0 ? a : t >= 1 ? vertex_of(p, edge.vertices[1]) : Vector3(a + t * e);
    const double distance = (x - foot).squaredNorm();
    if (distance >= best) continue;
    best = distance;
    point = foot;
    along = is_end ? Vector3(Vector3::Zero()) : Vector3(e.normalized());
  }
  return off_edge(x, point, along, fallback);
}

Nearest nearest_of_polytope(const Polytope& p, const Vector3& x) {
  if (p.is_box()) return nearest_of_box(p.box, x);
  double highest = -infinity;
  const Polytope::Face* top = nullptr;
  for (const Polytope::Face& face : p.faces) {
    const double height = face.normal.dot(x) - face.offset;
    if (height > highest) {
      highest = height;
      top = &face;
    }
    // A foot within a face that x is above is the nearest point of a convex body.
    if (height > 0 && is_above(p, face, x)) return on_face(x, face.normal, height);
  }
  if (top == nullptr) return nearest_edge(p, x, Vector3::UnitZ());
  return highest <= 0 ? on_face(x, top->normal, highest) : nearest_edge(p, x, top->normal);
}

/// On a rim of radius rho, whose point nearest to x is in the direction `radial`.
Nearest off_rim(const Vector3& x, const Vector3& centre, const Vector3& axis, double rho,
                const Vector3& radial, const Vector3& fallback) {
  Nearest out = off_edge(x, centre + rho * radial, axis.cross(radial), fallback);
  if (rho == 0) return off_edge(x, centre, Vector3::Zero(), fallback);
  out.region = Region::Rim;
  const double c = out.normal.dot(radial);
  out.bend_along = c / (rho + out.distance * c);
  return out;
}

/// In the half-plane of the axis and x, with coordinates (ρ, z): the side goes from (r0, −L) to
/// (r1, L).
Nearest nearest_of_round(const RoundCore& core, const Vector3& x) {
  const double z = core.axis.dot(x), L = core.half_length;
  const Vector3 flat = x - z * core.axis;
  const double rho = flat.norm();
  const Vector3 radial = rho > 0 ? Vector3(flat / rho) : any_across(core.axis);
  const auto [r0, r1] = core.radius;
  const double length = std::hypot(r1 - r0, 2 * L);
  const double t_rho = (r1 - r0) / length, t_z = 2 * L / length;
  const double along = t_rho * (rho - r0) + t_z * (z + L);
  const double side = t_z * (rho - r0) - t_rho * (z + L);
  const Vector3 side_normal = t_z * radial - t_rho * core.axis;
  const double top = z - L, bottom = -L - z;
  const auto on_side = [&] {
    Nearest out = on_face(x, side_normal, side);
    out.region = Region::Side;
    out.along = core.axis.cross(radial);
    out.bend_along = rho > 0 ? t_z / rho : 0;
    return out;
  };
  if (top <= 0 && bottom <= 0 && side <= 0) {
    if (side >= std::max(top, bottom)) return on_side();
    return on_face(x, top >= bottom ? core.axis : Vector3(-core.axis), std::max(top, bottom));
  }
  if (top > 0 && rho <= r1) return on_face(x, core.axis, top);
  if (bottom > 0 && rho <= r0) return on_face(x, -core.axis, bottom);
  if (side > 0 && along > 0 && along < length) return on_side();
  const bool is_upper = along >= length / 2;
  const double sign = is_upper ? 1 : -1;
  return off_rim(x, sign * L * core.axis, core.axis, is_upper ? r1 : r0, radial, side_normal);
}

}  // namespace

Nearest nearest(const ConvexCore& core, const Vector3& x) {
  return core.round ? nearest_of_round(*core.round, x) : nearest_of_polytope(core.polytope, x);
}

}  // namespace saltus
