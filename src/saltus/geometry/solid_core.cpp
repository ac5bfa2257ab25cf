// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/solid_core.hpp"

#include "saltus/geometry/features.hpp"
#include "saltus/geometry/hull.hpp"
#include "saltus/geometry/mesh_core.hpp"
#include "saltus/model/mesh_surface.hpp"

namespace saltus {
namespace {

using Core = std::optional<ConvexCore>;

Core core(const PointShape&) { return sphere_core(0); }
Core core(const Sphere& s) { return sphere_core(s.outer_radius()); }
Core core(const Capsule& s) {
  return capsule_core(s.outer_radius(), s.length, s.axis.normalized());
}
Core core(const Box& s) { return box_core(s.size, s.rounding); }
Core core(const Convex& s) { return polytope_core(convex_hull(s.points).polytope, s.rounding); }
Core core(const MeshShape& s) {
  if (!is_convex(s)) return mesh_core(s.vertices, s.triangles, s.rounding);
  return polytope_core(convex_hull(s.vertices).polytope, s.rounding);
}
Core core(const Cylinder& s) {
  if (!(s.length > 0)) return std::nullopt;
  return round_core({.axis = s.axis, .half_length = s.length / 2, .radius = {s.radius, s.radius}},
                    s.rounding);
}
template <class Plane>
Core plane(const Plane& s) {
  const PlaneFeature feature = *plane_feature(s);
  const Vector3& v = feature.surface_velocity;
  return plane_core({feature.axes, {0, v.x(), v.y()}, feature.half_size});
}
Core core(const HalfSpace& s) { return plane(s); }
Core core(const Face& s) { return plane(s); }
template <class Other>
Core core(const Other&) {
  return std::nullopt;
}

}  // namespace

Triangles triangles_of(const Convex& shape) {
  const Polytope hull = convex_hull(shape.points).polytope;
  Triangles out{.vertices = hull.vertices};
  for (const Polytope::Face& face : hull.faces) {
    const auto corner = [&](int k) { return hull.loops[static_cast<std::size_t>(face.first + k)]; };
    for (int k = 2; k < face.count; ++k) {
      out.triangles.push_back({corner(0), corner(k - 1), corner(k)});
    }
  }
  return out;
}

std::optional<ConvexCore> core_of(const Shape& shape) {
  return std::visit([](const auto& s) { return core(s); }, shape);
}

}  // namespace saltus
