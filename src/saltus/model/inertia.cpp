// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/inertia.hpp"

#include <numbers>

#include "saltus/core/assert.hpp"
#include "saltus/model/rounded_solid.hpp"

namespace saltus {
namespace {

/// Tensor of a body of revolution about the unit vector a.
Matrix3 axisymmetric(const Vector3& a, double axial, double transverse) {
  return transverse * Matrix3::Identity() + (axial - transverse) * a * a.transpose();
}

using std::numbers::pi;

/// Volume, centre and tensor of homogeneous solids: mass properties for the density 1.
struct ReduceShape {
  MassProperties operator()(const Sphere& s) const {
    const double r = s.outer_radius(), volume = 4 * pi / 3 * r * r * r;
    return {volume, Vector3::Zero(), 0.4 * volume * r * r * Matrix3::Identity()};
  }
  MassProperties operator()(const Box& b) const {
    if (b.rounding > 0) return rounded_box(b.size, b.rounding);
    const Vector3 squares = b.size.cwiseAbs2();
    const double volume = b.size.prod();
    const Vector3 moments = volume / 12 * (Vector3::Constant(squares.sum()) - squares);
    return {volume, Vector3::Zero(), moments.asDiagonal()};
  }
  MassProperties operator()(const Cylinder& c) const {
    if (c.rounding > 0) return rounded_cylinder(c, c.rounding);
    const double r2 = c.radius * c.radius, volume = pi * r2 * c.length;
    return {volume, Vector3::Zero(),
            axisymmetric(c.axis.normalized(), volume * r2 / 2,
                         volume * (3 * r2 + c.length * c.length) / 12)};
  }
  /// A cylinder and two half spheres, whose centres are 3/8 of the radius beyond its ends.
  MassProperties operator()(const Capsule& c) const {
    const double r = c.outer_radius(), r2 = r * r, half = c.length / 2;
    const double tube = pi * r2 * c.length, ball = 4 * pi / 3 * r2 * r;
    const double arm = half * half + 0.75 * half * r;
    return {tube + ball, Vector3::Zero(),
            axisymmetric(c.axis.normalized(), tube * r2 / 2 + 0.4 * ball * r2,
                         tube * (3 * r2 + c.length * c.length) / 12 + ball * (0.4 * r2 + arm))};
  }
  /// By the divergence theorem: tetrahedra from a point to the triangles of the surface.
  MassProperties operator()(const MeshShape& mesh) const {
    if (mesh.rounding > 0) return rounded_convex(mesh, mesh.rounding);
    const Vector3 origin = mesh.vertices[0];
    double volume = 0;
    Vector3 first = Vector3::Zero();
    Matrix3 second = Matrix3::Zero();  // ∫ x xᵀ about the origin
    for (const auto& t : mesh.triangles) {
      const Vector3 a = mesh.vertices[static_cast<std::size_t>(t[0])] - origin;
      const Vector3 b = mesh.vertices[static_cast<std::size_t>(t[1])] - origin;
      const Vector3 c = mesh.vertices[static_cast<std::size_t>(t[2])] - origin;
      const double v = a.dot(b.cross(c)) / 6;
      const Vector3 sum = a + b + c;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
                (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
    const Vector3 centre = first / volume;
    const Matrix3 about = second - volume * centre * centre.transpose();
    return {volume, origin + centre, about.trace() * Matrix3::Identity() - about};
  }
  template <class Other>
  MassProperties operator()(const Other&) const {
    SALTUS_ASSERT(false);  // validation refuses them
    return {};
  }
};

struct ReduceInertia {
  MassProperties operator()(const SolidSphere& s) const {
    return {s.mass, Vector3::Zero(), 0.4 * s.mass * s.radius * s.radius * Matrix3::Identity()};
  }
  MassProperties operator()(const HollowSphere& s) const {
    return {s.mass, Vector3::Zero(),
            2.0 / 3.0 * s.mass * s.radius * s.radius * Matrix3::Identity()};
  }
  MassProperties operator()(const SolidBox& b) const {
    const Vector3 squares = b.size.cwiseAbs2();
    const Vector3 moments = b.mass / 12 * (Vector3::Constant(squares.sum()) - squares);
    return {b.mass, Vector3::Zero(), moments.asDiagonal()};
  }
  MassProperties operator()(const SolidCylinder& c) const {
    const double r2 = c.radius * c.radius;
    return {c.mass, Vector3::Zero(),
            axisymmetric(c.axis.normalized(), c.mass * r2 / 2,
                         c.mass * (3 * r2 + c.length * c.length) / 12)};
  }
  MassProperties operator()(const SlenderRod& r) const {
    return {r.mass, Vector3::Zero(),
            axisymmetric(r.axis.normalized(), 0, r.mass * r.length * r.length / 12)};
  }
  MassProperties operator()(const ExplicitInertia& e) const {
    Matrix3 tensor = Matrix3::Zero();
    if (e.moments) tensor = e.moments->asDiagonal();
    if (e.tensor) tensor = (*e.tensor + e.tensor->transpose()) / 2;
    return {e.mass, e.centre_of_mass, tensor};
  }
  MassProperties operator()(const FromShape& from) const {
    const MassProperties unit = std::visit(ReduceShape{}, from.shape);
    const double density = from.density ? *from.density : *from.mass / unit.mass;
    return {density * unit.mass, unit.centre_of_mass, density * unit.tensor};
  }
};

}  // namespace

Inertia solid_sphere(double mass, double radius) { return SolidSphere{mass, radius}; }
Inertia hollow_sphere(double mass, double radius) { return HollowSphere{mass, radius}; }
Inertia solid_box(double mass, const Vector3& size) { return SolidBox{mass, size}; }
Inertia solid_cylinder(double mass, double radius, double length, const Direction& axis) {
  return SolidCylinder{mass, radius, length, axis};
}
Inertia slender_rod(double mass, double length, const Direction& axis) {
  return SlenderRod{mass, length, axis};
}

MassProperties mass_properties(const Inertia& inertia) {
  return std::visit(ReduceInertia{}, inertia);
}

}  // namespace saltus
