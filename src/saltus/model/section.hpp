// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "saltus/core/field.hpp"
#include "saltus/model/types.hpp"

namespace saltus {

// Cross-sections of beams and bars, in section axes: x along the beam, y and z principal axes
// through the centroid.

struct CircularSection {
  static constexpr const char* type_name = "circular";
  double radius = 0;

  static constexpr void fields(auto&& field) {
    field("radius", &CircularSection::radius, "radius", "m", required & positive);
  }
};

struct RectangularSection {
  static constexpr const char* type_name = "rectangular";
  double width = 0;
  double height = 0;

  static constexpr void fields(auto&& field) {
    field("width", &RectangularSection::width, "size along the section's y", "m",
          required & positive);
    field("height", &RectangularSection::height, "size along the section's z", "m",
          required & positive);
  }
};

struct PipeSection {
  static constexpr const char* type_name = "pipe";
  double radius = 0;
  double inner_radius = 0;

  static constexpr void fields(auto&& field) {
    field("radius", &PipeSection::radius, "outer radius", "m", required & positive);
    field("inner_radius", &PipeSection::inner_radius, "inner radius, smaller than the outer one",
          "m", required & non_negative);
  }
};

/// Given numbers; for a bar the area is enough.
struct ExplicitSection {
  static constexpr const char* type_name = "explicit";
  double area = 0;
  std::optional<double> inertia_y = {};
  std::optional<double> inertia_z = {};
  std::optional<double> torsion = {};
  std::optional<double> shear_y = {};
  std::optional<double> shear_z = {};

  static constexpr void fields(auto&& field) {
    field("area", &ExplicitSection::area, "area A", "m²", required & positive);
    field("inertia_y", &ExplicitSection::inertia_y,
          "second moment of area I_y = ∫z² dA, for bending in the plane xz; if not given, "
          "inertia_z, or A²/12 (a square) if that is not given either",
          "m⁴", positive);
    field("inertia_z", &ExplicitSection::inertia_z,
          "second moment of area I_z = ∫y² dA, for bending in the plane xy; if not given, "
          "inertia_y, or A²/12 (a square) if that is not given either",
          "m⁴", positive);
    field("torsion", &ExplicitSection::torsion,
          "torsion constant J; if not given, 0.0234295 A⁴/(I_y + I_z): Saint-Venant's estimate "
          "for solid sections, exact for a square (0.140577 A²), much too small for closed "
          "thin walls",
          "m⁴", positive);
    field("shear_y", &ExplicitSection::shear_y,
          "shear factor k_y: k_y A carries the shear force along y; 5/6 if not given", "",
          positive);
    field("shear_z", &ExplicitSection::shear_z,
          "shear factor k_z: k_z A carries the shear force along z; 5/6 if not given", "",
          positive);
  }
};

using Section = std::variant<CircularSection, RectangularSection, PipeSection, ExplicitSection>;

inline Section circular_section(double radius) { return CircularSection{radius}; }
inline Section rectangular_section(double width, double height) {
  return RectangularSection{width, height};
}
inline Section pipe_section(double radius, double inner_radius) {
  return PipeSection{radius, inner_radius};
}

/// A linear, isotropic, elastic material.
struct ElasticMaterial {
  double young_modulus = 0;
  double poisson_ratio = 0.3;
  double density = 0;

  static constexpr void fields(auto&& field) {
    field("young_modulus", &ElasticMaterial::young_modulus, "Young's modulus E", "Pa",
          required & positive);
    field("poisson_ratio", &ElasticMaterial::poisson_ratio,
          "Poisson's ratio ν, greater than −1 and smaller than 0.5", "", strictly_within(-1, 0.5));
    field("density", &ElasticMaterial::density, "density ρ", "kg/m³", required & positive);
  }

  double shear_modulus() const { return young_modulus / (2 * (1 + poisson_ratio)); }
};

/// How the mass of a beam or bar stands in its equations.
enum class BeamMass { Consistent, Lumped, Mixed, Hermite };

template <>
struct EnumNames<BeamMass> {
  static constexpr const char* names[] = {"consistent", "lumped", "mixed", "hermite"};
};

/// Any section reduced to numbers.
struct SectionProperties {
  double area = 0;       ///< A, m²
  double inertia_y = 0;  ///< I_y = ∫z² dA, m⁴
  double inertia_z = 0;  ///< I_z = ∫y² dA, m⁴
  double torsion = 0;    ///< J, m⁴
  double shear_y = 0;    ///< k_y
  double shear_z = 0;    ///< k_z
};

/// @param poisson_ratio ν of the material, on which the shear factors of round sections depend.
SectionProperties properties(const Section& section, double poisson_ratio);

/// Torsion constant of a rectangle with sides a and b, in either order, m⁴.
double rectangle_torsion(double a, double b);

/// (EA, k_y GA, k_z GA, GJ, EI_y, EI_z): resultants N, Q_y, Q_z, M_x, M_y, M_z per strain.
Vector6 section_stiffness(const SectionProperties& section, const ElasticMaterial& material);

/// ρ (I_y + I_z, I_y, I_z): moments of inertia per length about the section axes, kg m.
Vector3 rotary_inertia(const SectionProperties& section, const ElasticMaterial& material);

}  // namespace saltus
