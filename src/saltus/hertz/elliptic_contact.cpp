// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/elliptic_contact.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "saltus/hertz/elliptic.hpp"
#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

using std::numbers::pi;

namespace {

double body_compliance(const ElasticMaterial& body) {
  if (!(body.young_modulus > 0)) throw std::invalid_argument("Young's modulus must be positive");
  if (!(body.poisson_ratio >= 0 && body.poisson_ratio <= 0.5))
    throw std::invalid_argument("Poisson's ratio must lie between 0 and 0.5");
  return (1 - body.poisson_ratio * body.poisson_ratio) / body.young_modulus;
}

double checked_compliance(double compliance) {
  if (!(compliance > 0) || std::isinf(compliance))
    throw std::invalid_argument("the compliance must be positive and finite");
  return compliance;
}

/// (5): B/A as a function of κ, exactly 1 for a circle.
double curvature_ratio(double kappa) {
  const double k_2 = kappa * kappa;
  return carlson_rd(0, 1, k_2) / carlson_rd(0, k_2, 1);
}

double solve_kappa(const ContactGeometry& g) {
  if (!(g.A > 0 && g.A <= g.B) || std::isinf(g.B / g.A))
    throw std::invalid_argument(
        "relative curvatures must satisfy 0 < A <= B: for A = 0 the contact is a line, for A < 0 "
        "the surfaces conform");
  if (g.A == g.B) return 1;
  // B/A grows like κ^{−3/2} near the circle and nearly like κ^{−2} near the line: in logarithms
  // the function is almost straight, and κ > A/B.
  const double ratio = std::log(g.B / g.A);
  const auto f = [&](double x) { return std::log(curvature_ratio(std::exp(x))) - ratio; };
  return std::exp(bracketed_root(f, -ratio, 0));
}

double stiffness_of(const ContactEllipse& ellipse, double curvature, double relative_compliance) {
  return std::pow(ellipse.c_b / ellipse.c_delta * pi / curvature, 1.5) /
         relative_compliance;  // (6)
}

}  // namespace

double contact_compliance(const ElasticMaterial& body_1, const ElasticMaterial& body_2) {
  return checked_compliance(body_compliance(body_1) + body_compliance(body_2));
}

ContactEllipse contact_ellipse(const ContactGeometry& geometry) {
  ContactEllipse ellipse;
  const double kappa = ellipse.kappa = solve_kappa(geometry);
  const double E = complete_e(kappa);
  ellipse.c_b = std::cbrt(3 * kappa * E / (2 * pi));
  ellipse.c_sigma = 1 / E;
  ellipse.c_delta = 1.5 * kappa * complete_k(kappa);
  return ellipse;
}

double contact_stiffness(const ContactGeometry& geometry, double compliance) {
  const double curvature = geometry.A + geometry.B;
  return stiffness_of(contact_ellipse(geometry), curvature,
                      checked_compliance(compliance) / curvature);
}

double sphere_stiffness(double radius_1, double radius_2, double compliance) {
  const double curvature = 2 * sphere_on_sphere(radius_1, radius_2).A;
  return 4 / (3 * checked_compliance(compliance) * std::sqrt(curvature));
}

PointContact::PointContact(const ContactGeometry& geometry, double compliance, double poisson_ratio)
    : ellipse_(contact_ellipse(geometry)),
      peaks_(subsurface_peaks(ellipse_.kappa, poisson_ratio)),
      relative_compliance_(checked_compliance(compliance) / (geometry.A + geometry.B)),
      stiffness_(stiffness_of(ellipse_, geometry.A + geometry.B, relative_compliance_)) {}

double PointContact::force(double indentation) const {
  return indentation > 0 ? stiffness_ * indentation * std::sqrt(indentation) : 0;
}

ContactStress PointContact::stress(double force) const {
  if (!(force >= 0)) throw std::invalid_argument("the force of a contact must not be negative");
  ContactStress s;
  const double b = ellipse_.c_b * std::cbrt(force * relative_compliance_);
  s.minor_semi_axis = b;
  s.major_semi_axis = b / ellipse_.kappa;
  s.indentation = std::pow(force / stiffness_, 2.0 / 3);
  s.peak_pressure = ellipse_.c_sigma * b / relative_compliance_;
  s.shear = peaks_.shear * s.peak_pressure;
  s.shear_depth = peaks_.shear_depth * b;
  s.octahedral_shear = peaks_.octahedral * s.peak_pressure;
  s.octahedral_depth = peaks_.octahedral_depth * b;
  return s;
}

}  // namespace saltus::hertz
