// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/geometry/features.hpp"
#include "saltus/geometry/solid_core.hpp"

namespace saltus::io {
namespace {

using std::numbers::pi;
using Outline = std::vector<Eigen::Vector2d>;  // (distance from the axis, z)

VtkSurface dot() { return {.points = {Vector3::Zero()}, .dots = {0}}; }

/// An outline turned about z. If it runs upwards, outside is away from the axis.
VtkSurface turned(const Outline& outline, VtkRoundness roundness) {
  const int around = static_cast<int>(roundness);
  VtkSurface surface;
  std::vector<std::int32_t> first;
  for (const Eigen::Vector2d& p : outline) {
    first.push_back(static_cast<std::int32_t>(surface.points.size()));
    for (int k = 0; k < (p[0] == 0 ? 1 : around); ++k) {
      const double a = 2 * pi * k / around;
      surface.points.emplace_back(p[0] * std::cos(a), p[0] * std::sin(a), p[1]);
    }
  }
  const auto at = [&](std::size_t ring, int k) {
    return first[ring] + (outline[ring][0] == 0 ? 0 : k % around);
  };
  for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
    for (int k = 0; k < around; ++k) {
      const std::int32_t a = at(i, k), b = at(i, k + 1), c = at(i + 1, k + 1), d = at(i + 1, k);
      if (a != b) surface.triangles.push_back({a, b, c});
      if (c != d) surface.triangles.push_back({a, c, d});
    }
  }
  return surface;
}

/// Points at angles from `from` to `to` on a circle with its centre at (R, 0).
Outline arc(double R, double radius, double from, double to, int pieces) {
  Outline outline;
  for (int i = 0; i <= pieces; ++i) {
    const double a = from + (to - from) * i / pieces;
    outline.emplace_back(R + radius * std::cos(a), radius * std::sin(a));
  }
  return outline;
}

/// From the lower pole to the upper one.
Outline meridian(double radius, VtkRoundness roundness) {
  Outline outline = arc(0, radius, -pi / 2, pi / 2, static_cast<int>(roundness) / 2);
  outline.front()[0] = outline.back()[0] = 0;  // cos π/2 is not quite that
  return outline;
}

VtkSurface cylinder(double radius, double length, VtkRoundness roundness) {
  const double h = length / 2;
  if (h == 0) return turned({{radius, 0}, {0, 0}}, roundness);
  return turned({{0, -h}, {radius, -h}, {radius, h}, {0, h}}, roundness);
}

VtkSurface box(const Vector3& size) {
  VtkSurface surface;
  for (int i = 0; i < 8; ++i) {
    const Vector3 signs((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                        (i & 4) != 0 ? 0.5 : -0.5);
    surface.points.emplace_back(signs.cwiseProduct(size));
  }
  const std::array<std::int32_t, 4> faces[] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                               {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    surface.triangles.push_back({f[0], f[1], f[2]});
    surface.triangles.push_back({f[0], f[2], f[3]});
  }
  return surface;
}

// ---- colliders --------------------------------------------------------------------------------

VtkSurface shape(const PointShape&, VtkRoundness) { return dot(); }
VtkSurface shape(const Sphere& s, VtkRoundness n) {
  return turned(meridian(s.outer_radius(), n), n);
}
VtkSurface shape(const Box& s, VtkRoundness) { return box(s.size); }
VtkSurface shape(const HollowSphereShape& s, VtkRoundness n) {
  Outline outline = meridian(s.radius, n);
  std::ranges::reverse(outline);
  return turned(outline, n);
}
VtkSurface shape(const Cylinder& s, VtkRoundness n) {
  return cylinder(s.radius + s.rounding, s.length + 2 * s.rounding, n);
}
VtkSurface shape(const Bore& s, VtkRoundness n) {
  return turned({{s.radius, s.length / 2}, {s.radius, -s.length / 2}}, n);
}
VtkSurface shape(const Groove& s, VtkRoundness n) {
  const double from[] = {2 * pi, 1.5 * pi, 0.5 * pi}, to[] = {0, 0.5 * pi, -0.5 * pi};
  const auto k = static_cast<std::size_t>(s.opening);
  const int pieces = static_cast<int>(n) / (s.opening == GrooveOpening::Closed ? 1 : 2);
  return turned(arc(s.ring_radius, s.radius, from[k], to[k], pieces), n);
}
/// Half spheres at the ends of a line.
VtkSurface shape(const Capsule& s, VtkRoundness n) {
  Outline outline;
  for (const Eigen::Vector2d& p : meridian(s.outer_radius(), n)) {
    if (p[1] > 0 && outline.back()[1] <= 0) {
      outline.emplace_back(s.outer_radius(), -s.length / 2);
      outline.emplace_back(s.outer_radius(), s.length / 2);
    }
    outline.emplace_back(p[0], p[1] + (p[1] > 0 ? 0.5 : -0.5) * s.length);
  }
  return turned(outline, n);
}
template <class Mesh>
VtkSurface triangles(const Mesh& mesh) {
  VtkSurface surface{.points = mesh.vertices};
  for (const auto& t : mesh.triangles) surface.triangles.push_back({t[0], t[1], t[2]});
  return surface;
}
VtkSurface shape(const Convex& s, VtkRoundness) { return triangles(triangles_of(s)); }
VtkSurface shape(const MeshShape& s, VtkRoundness) { return triangles(s); }
// Planes are drawn as far as the mechanism goes, which is not known here.
VtkSurface shape(const HalfSpace&, VtkRoundness) { return {}; }
VtkSurface shape(const Face&, VtkRoundness) { return {}; }

// ---- what inertias stand for ------------------------------------------------------------------

VtkSurface along(const Vector3& axis, VtkSurface surface) {
  const Matrix3 axes = frame_with_normal(axis.normalized());
  for (Vector3& x : surface.points) x = axes * x;
  return surface;
}

VtkSurface solid(const SolidSphere& s, VtkRoundness n) { return turned(meridian(s.radius, n), n); }
VtkSurface solid(const HollowSphere& s, VtkRoundness n) { return turned(meridian(s.radius, n), n); }
VtkSurface solid(const SolidBox& s, VtkRoundness) { return box(s.size); }
VtkSurface solid(const SolidCylinder& s, VtkRoundness n) {
  return along(s.axis, cylinder(s.radius, s.length, n));
}
VtkSurface solid(const SlenderRod& s, VtkRoundness) {
  const Vector3 end(0, 0, s.length / 2);
  return along(s.axis, {.points = {-end, end}, .lines = {{0, 1}}});
}
VtkSurface solid(const ExplicitInertia&, VtkRoundness) { return {}; }
VtkSurface solid(const FromShape& s, VtkRoundness n) {
  VtkSurface surface = surface_of(s.shape, n);
  const Matrix3 axes = axes_of(s.shape);
  for (Vector3& x : surface.points) x = axes * x;
  return surface;
}

}  // namespace

VtkSurface surface_of(const Shape& collider, VtkRoundness roundness) {
  return std::visit([&](const auto& s) { return shape(s, roundness); }, collider);
}

VtkSurface surface_of(const Inertia& inertia, VtkRoundness roundness) {
  return std::visit([&](const auto& s) { return solid(s, roundness); }, inertia);
}

VtkSurface rectangle(double x_min, double x_max, double y_min, double y_max) {
  return {.points = {{x_min, y_min, 0}, {x_max, y_min, 0}, {x_max, y_max, 0}, {x_min, y_max, 0}},
          .triangles = {{0, 1, 2}, {0, 2, 3}}};
}

}  // namespace saltus::io
