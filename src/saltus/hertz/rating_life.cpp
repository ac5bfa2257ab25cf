// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/rating_life.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

namespace {

double checked_gamma(double gamma) {
  if (!(gamma > 0 && gamma <= 0.4))
    throw std::invalid_argument(
        "balls must be smaller than 0.4 of the pitch diameter: the standard rates no others");
  return gamma;
}

double gamma_of(const RatedBearing& b) {
  require_positive(b.ball_diameter, "the diameter of the balls must be positive");
  require_positive(b.pitch_diameter, "the pitch diameter must be positive");
  if (b.balls < 1) throw std::invalid_argument("a bearing needs balls");
  if (b.rows != 1 && b.rows != 2) throw std::invalid_argument("a bearing has one row or two");
  if (!(b.contact_angle >= 0 && b.contact_angle < std::numbers::pi / 2))
    throw std::invalid_argument("the contact angle must lie between 0 and 90 degrees");
  return checked_gamma(b.ball_diameter * std::cos(b.contact_angle) / b.pitch_diameter);
}

// Table 3 of ISO 281 for single-row deep groove bearings, over f₀ F_a/C₀; X = 0.56.
constexpr std::array relative_axial_load = {0.172, 0.345, 0.689, 1.03, 1.38,
                                            2.07,  3.45,  5.17,  6.89};
constexpr std::array limit_ratio = {0.19, 0.22, 0.26, 0.28, 0.30, 0.34, 0.38, 0.42, 0.44};
constexpr std::array axial_factor = {2.30, 1.99, 1.71, 1.55, 1.45, 1.31, 1.15, 1.04, 1.00};

double interpolated(const std::array<double, 9>& values, double x) {
  const auto& nodes = relative_axial_load;
  if (x <= nodes.front()) return values.front();
  if (x >= nodes.back()) return values.back();
  const auto right = std::upper_bound(nodes.begin(), nodes.end(), x) - nodes.begin();
  const double part = (x - nodes[right - 1]) / (nodes[right] - nodes[right - 1]);
  return values[right - 1] + part * (values[right] - values[right - 1]);
}

constexpr Grooves standard = {};

/// The part of Lundberg and Palmgren's theory that the groove has, its radius in ball diameters.
double conformity(double groove) {
  if (!(groove > 0.5)) throw std::invalid_argument("a groove must be larger than the balls");
  return std::pow(2 * groove / (2 * groove - 1), 0.41);
}

/// f_c of one race, for conformities of both.
struct RaceFactors {
  double inner = 0, outer = 0;
};
RaceFactors race_factors(double gamma, double inner_conformity, double outer_conformity) {
  const double g = checked_gamma(gamma);
  // Lundberg and Palmgren's constant with λ = 0.95.
  constexpr double constant = 0.41 * 0.95 * 98.0665;
  const double inner_to_outer =
      1.04 * std::pow((1 - g) / (1 + g), 1.72) * inner_conformity / outer_conformity;
  const double inner =
      constant * inner_conformity * std::pow(g, 0.3) * std::pow(1 - g, 1.39) / std::cbrt(1 + g);
  return {inner, inner / inner_to_outer};
}

double together(const RaceFactors& f) {
  return f.inner * std::pow(1 + std::pow(f.inner / f.outer, 10.0 / 3), -0.3);
}

/// Of the ball's diameter in mm.
double size_factor(double D) { return D <= 25.4 ? std::pow(D, 1.8) : 3.647 * std::pow(D, 1.4); }

constexpr double b_m = 1.3;  // steels of today

/// C but for f_c: of one or two rows.
double rating_over_factor(const RatedBearing& bearing) {
  // Two rows of a deep groove bearing share the load less evenly: λ = 0.90.
  const double share = bearing.rows == 2 && bearing.contact_angle == 0 ? 0.90 / 0.95 : 1;
  return b_m * share * std::pow(bearing.rows * std::cos(bearing.contact_angle), 0.7) *
         std::pow(bearing.balls, 2.0 / 3) * size_factor(bearing.ball_diameter * 1e3);
}

/// The force that presses a ball of diameter 1 m into a race with 4200 MPa.
double rated_ball_force(const ContactGeometry& geometry) {
  constexpr double rated_pressure = 4.2e9, young_modulus = 2.07e11;
  const ElasticMaterial steel{young_modulus, 0.3};
  const double relative_compliance = contact_compliance(steel, steel) / (geometry.A + geometry.B);
  const ContactEllipse ellipse = contact_ellipse(geometry);
  const double b = rated_pressure * relative_compliance / ellipse.c_sigma;
  return std::pow(b / ellipse.c_b, 3) / relative_compliance;
}

}  // namespace

/// The standard has both grooves of 0.52 ball diameters in its table, which gives all 25 printed
/// values to within 0.06, for outer ones of up to 0.53.
double capacity_factor(double gamma, const Grooves& grooves) {
  const double most = conformity(standard.inner);
  const double outer_part = conformity(grooves.outer) / conformity(standard.outer);
  return together(race_factors(gamma, std::min(conformity(grooves.inner), most),
                               most * std::min(outer_part, 1.0)));  // (23)
}

double static_capacity_factor(double gamma) {
  const double g = checked_gamma(gamma);
  // A ball of diameter 1, the pitch circle of diameter 1/γ.
  const double inner_race = (1 / g - 1) / 2, outer_race = (1 / g + 1) / 2;
  const double force = std::min(rated_ball_force(ball_on_inner_race(0.5, 0.52, inner_race)),
                                rated_ball_force(ball_in_outer_race(0.5, 0.53, outer_race)));
  return force / 5 * 1e-6;  // (25), per mm²
}

double basic_dynamic_rating(const RatedBearing& bearing) {
  const double gamma = gamma_of(bearing);
  return capacity_factor(gamma, bearing.grooves) * rating_over_factor(bearing);  // (22)
}

RaceLoads race_ratings(const RatedBearing& bearing) {
  const double gamma = gamma_of(bearing);
  const double inner = conformity(bearing.grooves.inner), outer = conformity(bearing.grooves.outer);
  const double C = together(race_factors(gamma, inner, outer)) * rating_over_factor(bearing);
  const double ratio = 1.044 * std::pow((1 - gamma) / (1 + gamma), 1.72) * inner / outer;
  const double balls =
      bearing.balls * std::pow(bearing.rows * std::cos(bearing.contact_angle), 0.7);
  return {C / (0.407 * balls) * std::pow(1 + std::pow(ratio, 10.0 / 3), 0.3),
          C / (0.389 * balls) * std::pow(1 + std::pow(ratio, -10.0 / 3), 0.3)};  // (28)
}

double reference_rating_life(const RaceLoads& ratings, const RaceLoads& equivalent) {
  require_positive(ratings.inner, "the rating of the inner race must be positive");
  require_positive(ratings.outer, "the rating of the outer race must be positive");
  if (!(equivalent.inner >= 0 && equivalent.outer >= 0))
    throw std::invalid_argument("the loads must not be negative");
  const double damage = std::pow(equivalent.inner / ratings.inner, 10.0 / 3) +
                        std::pow(equivalent.outer / ratings.outer, 10.0 / 3);
  if (damage == 0) return std::numeric_limits<double>::infinity();
  return std::pow(damage, -0.9);  // (30)
}

double basic_static_rating(const RatedBearing& bearing) {
  const double gamma = gamma_of(bearing), D = bearing.ball_diameter * 1e3;
  return static_capacity_factor(gamma) * bearing.rows * bearing.balls * D * D *
         std::cos(bearing.contact_angle);  // (24)
}

EquivalentLoad equivalent_load(double radial_force, double axial_force, double f_0,
                               double static_rating) {
  if (!(radial_force >= 0 && axial_force >= 0))
    throw std::invalid_argument("the forces of a bearing are magnitudes, not negative");
  require_positive(f_0, "the factor f0 must be positive");
  require_positive(static_rating, "the static load rating must be positive");
  const double x = f_0 * axial_force / static_rating;
  EquivalentLoad P;
  P.limit = interpolated(limit_ratio, x);
  if (axial_force > P.limit * radial_force) {
    P.X = 0.56;
    P.Y = interpolated(axial_factor, x);
  }
  P.load = P.X * radial_force + P.Y * axial_force;
  return P;
}

double basic_rating_life(double dynamic_rating, double load) {
  require_positive(dynamic_rating, "the dynamic load rating must be positive");
  if (!(load >= 0)) throw std::invalid_argument("the load must not be negative");
  if (load == 0) return std::numeric_limits<double>::infinity();
  const double ratio = dynamic_rating / load;
  return ratio * ratio * ratio;
}

double life_hours(double million_revolutions, double speed) {
  require_positive(speed, "the speed must be positive");
  return million_revolutions * 1e6 / (60 * speed);
}

}  // namespace saltus::hertz
