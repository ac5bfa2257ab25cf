// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/inertia.hpp"

namespace saltus {
namespace {

/// Tensor of a body of revolution about the unit vector a.
Matrix3 axisymmetric(const Vector3& a, double axial, double transverse) {
  return transverse * Matrix3::Identity() + (axial - transverse) * a * a.transpose();
}

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
