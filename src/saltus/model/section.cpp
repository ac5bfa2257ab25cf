// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {
namespace {

constexpr double plane_shear_factor = 5.0 / 6;  // of a rectangle, for every ν

/// A disc of radius r with a hole of radius r_i; Cowper's shear factor.
SectionProperties ring(double r, double r_i, double nu) {
  const double I = std::numbers::pi / 4 * (std::pow(r, 4) - std::pow(r_i, 4));
  const double m2 = (r_i / r) * (r_i / r);
  const double s = (1 + m2) * (1 + m2);
  const double k = 6 * (1 + nu) * s / ((7 + 6 * nu) * s + (20 + 12 * nu) * m2);
  return {.area = std::numbers::pi * (r * r - r_i * r_i),
          .inertia_y = I,
          .inertia_z = I,
          .torsion = 2 * I,
          .shear_y = k,
          .shear_z = k};
}

struct ReduceSection {
  double nu;

  SectionProperties operator()(const CircularSection& s) const { return ring(s.radius, 0, nu); }
  SectionProperties operator()(const PipeSection& s) const {
    return ring(s.radius, s.inner_radius, nu);
  }
  SectionProperties operator()(const RectangularSection& s) const {
    const double b = s.width, h = s.height;
    return {.area = b * h,
            .inertia_y = b * h * h * h / 12,
            .inertia_z = h * b * b * b / 12,
            .torsion = rectangle_torsion(b, h),
            .shear_y = plane_shear_factor,
            .shear_z = plane_shear_factor};
  }
  SectionProperties operator()(const ExplicitSection& s) const {
    const double A = s.area;
    const double square = A * A / 12;
    const double I_y = s.inertia_y.value_or(s.inertia_z.value_or(square));
    const double I_z = s.inertia_z.value_or(s.inertia_y.value_or(square));
    // J ~ A⁴/(I_y + I_z), the factor that of a square.
    const double estimate = rectangle_torsion(1, 1) / 6 * std::pow(A, 4) / (I_y + I_z);
    return {.area = A,
            .inertia_y = I_y,
            .inertia_z = I_z,
            .torsion = s.torsion.value_or(estimate),
            .shear_y = s.shear_y.value_or(plane_shear_factor),
            .shear_z = s.shear_z.value_or(plane_shear_factor)};
  }
};

}  // namespace

SectionProperties properties(const Section& section, double poisson_ratio) {
  return std::visit(ReduceSection{poisson_ratio}, section);
}

double rectangle_torsion(double a, double b) {
  const double p = std::max(a, b), q = std::min(a, b);
  // Σ tanh(nπp/2q)/n⁵ over odd n, as Σ 1/n⁵ less what tanh lacks of 1: that decays like
  // exp(−nπp/q), so that few terms give every digit.
  double sum = 1.00452376279513961613;  // Σ 1/n⁵ over odd n
  for (int n = 1; n <= 11; n += 2) {
    sum -= 2 / (std::exp(n * std::numbers::pi * p / q) + 1) / std::pow(n, 5);
  }
  return p * q * q * q * (1.0 / 3 - 64 * q / (std::pow(std::numbers::pi, 5) * p) * sum);
}

Vector6 section_stiffness(const SectionProperties& section, const ElasticMaterial& material) {
  const double E = material.young_modulus, G = material.shear_modulus();
  Vector6 stiffness;
  stiffness << E * section.area, section.shear_y * G * section.area,
      section.shear_z * G * section.area, G * section.torsion, E * section.inertia_y,
      E * section.inertia_z;
  return stiffness;
}

Vector3 rotary_inertia(const SectionProperties& section, const ElasticMaterial& material) {
  return material.density *
         Vector3(section.inertia_y + section.inertia_z, section.inertia_y, section.inertia_z);
}

}  // namespace saltus
