// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "saltus/core/field.hpp"
#include "saltus/model/collider.hpp"
#include "saltus/model/types.hpp"

namespace saltus {

struct SolidSphere {
  static constexpr const char* type_name = "solid_sphere";
  double mass = 0;
  double radius = 0;

  static constexpr void fields(auto&& field) {
    field("mass", &SolidSphere::mass, "mass", "kg", required & positive);
    field("radius", &SolidSphere::radius, "radius", "m", required & positive);
  }
};

/// A thin spherical shell.
struct HollowSphere {
  static constexpr const char* type_name = "hollow_sphere";
  double mass = 0;
  double radius = 0;

  static constexpr void fields(auto&& field) {
    field("mass", &HollowSphere::mass, "mass", "kg", required & positive);
    field("radius", &HollowSphere::radius, "radius of the shell", "m", required & positive);
  }
};

struct SolidBox {
  static constexpr const char* type_name = "solid_box";
  double mass = 0;
  Vector3 size = Vector3::Zero();

  static constexpr void fields(auto&& field) {
    field("mass", &SolidBox::mass, "mass", "kg", required & positive);
    field("size", &SolidBox::size, "edge lengths along x, y, z", "m", required & positive);
  }
};

struct SolidCylinder {
  static constexpr const char* type_name = "solid_cylinder";
  double mass = 0;
  double radius = 0;
  double length = 0;
  Direction axis = Vector3::UnitX();

  static constexpr void fields(auto&& field) {
    field("mass", &SolidCylinder::mass, "mass", "kg", required & positive);
    field("radius", &SolidCylinder::radius, "radius", "m", required & positive);
    field("length", &SolidCylinder::length, "length", "m", required & positive);
    field("axis", &SolidCylinder::axis, "direction of the axis in the body frame");
  }
};

/// A rod without thickness: no inertia about its own axis, so joints must hold that rotation.
struct SlenderRod {
  static constexpr const char* type_name = "slender_rod";
  double mass = 0;
  double length = 0;
  Direction axis = Vector3::UnitX();

  static constexpr void fields(auto&& field) {
    field("mass", &SlenderRod::mass, "mass", "kg", required & positive);
    field("length", &SlenderRod::length, "length", "m", required & positive);
    field("axis", &SlenderRod::axis, "direction of the rod in the body frame");
  }
};

/// Given numbers. Exactly one of `moments` and `tensor`, about the centre of mass, in body axes.
struct ExplicitInertia {
  static constexpr const char* type_name = "explicit";
  double mass = 0;
  Maybe<Vector3> moments = {};
  std::optional<Matrix3> tensor = {};
  Vector3 centre_of_mass = Vector3::Zero();

  static constexpr void fields(auto&& field) {
    field("mass", &ExplicitInertia::mass, "mass", "kg", required & positive);
    field("moments", &ExplicitInertia::moments,
          "principal moments Ixx, Iyy, Izz about the centre of mass", "kg m²", non_negative);
    field("tensor", &ExplicitInertia::tensor,
          "inertia tensor about the centre of mass in body axes, instead of moments", "kg m²");
    field("centre_of_mass", &ExplicitInertia::centre_of_mass, "centre of mass in the body frame",
          "m");
  }
};

/// That of a homogeneous solid. Exactly one of `density` and `mass`.
struct FromShape {
  static constexpr const char* type_name = "from_shape";
  Shape shape = {};
  std::optional<double> density = {};
  std::optional<double> mass = {};

  static constexpr void fields(auto&& field) {
    field("shape", &FromShape::shape,
          "as of a collider, in the body frame: a sphere, capsule, box, cylinder, convex or closed "
          "mesh; centre of mass and tensor follow from it",
          "", required);
    field("density", &FromShape::density, "of the material", "kg/m³", positive);
    field("mass", &FromShape::mass, "mass, instead of the density", "kg", positive);
  }
};

using Inertia = std::variant<SolidSphere, HollowSphere, SolidBox, SolidCylinder, SlenderRod,
                             ExplicitInertia, FromShape>;

Inertia solid_sphere(double mass, double radius);
Inertia hollow_sphere(double mass, double radius);
Inertia solid_box(double mass, const Vector3& size);
Inertia solid_cylinder(double mass, double radius, double length,
                       const Direction& axis = Vector3::UnitX());
Inertia slender_rod(double mass, double length, const Direction& axis = Vector3::UnitX());

/// Any inertia reduced to numbers.
struct MassProperties {
  double mass = 0;                           ///< kg
  Vector3 centre_of_mass = Vector3::Zero();  ///< in the body frame, m
  Matrix3 tensor = Matrix3::Zero();          ///< about the centre of mass, body axes, kg m²
};

MassProperties mass_properties(const Inertia& inertia);

}  // namespace saltus
