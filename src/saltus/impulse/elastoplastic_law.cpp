// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/elastoplastic_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace saltus::impulse {

using std::numbers::pi;

double yield_factor(double poisson_ratio) {
  const auto stress = [&](double u) {
    return -(1 + poisson_ratio) * (1 - u * std::atan2(1, u)) + 1.5 / (1 + u * u);
  };
  // One maximum, at about half the radius below the surface: golden section.
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = 0, b = 2;
  for (int i = 0; i < 80; ++i) {
    const double width = golden * (b - a);
    if (stress(b - width) > stress(a + width))
      b = a + width;
    else
      a = b - width;
  }
  const double largest = stress((a + b) / 2);
  return largest * largest;
}

ElastoplasticLaw::ElastoplasticLaw(const ContactMaterial& first, const ContactMaterial& second,
                                   double radius, double hardness, double damping)
    : R_(radius), p_0_(hardness), b_(damping) {
  for (const double value : {first.young_modulus, second.young_modulus, first.yield_strength,
                             second.yield_strength, radius, hardness})
    if (!(value > 0) || std::isinf(value))
      throw std::invalid_argument("moduli, strengths, radius and hardness must be positive");
  if (!(damping >= 0)) throw std::invalid_argument("the damping must not be negative");
  const ContactMaterial& weak = first.yield_strength <= second.yield_strength ? first : second;
  const double S_y = weak.yield_strength;
  if (!(hardness > S_y))
    throw std::invalid_argument("the hardness must be greater than the yield strength");
  const auto compliance = [](const ContactMaterial& m) {
    return (1 - m.poisson_ratio * m.poisson_ratio) / m.young_modulus;
  };
  E_ = 1 / (compliance(first) + compliance(second));
  const double strain = pi * S_y / (2 * E_);
  delta_y_ = R_ / yield_factor(weak.poisson_ratio) * strain * strain;
  f_y_ = 4.0 / 3 * E_ * std::sqrt(R_) * std::pow(delta_y_, 1.5);
  k_y_ = 2 * E_ * std::sqrt(R_ * delta_y_);
  delta_p_ = hardness * hardness / (S_y * S_y) * delta_y_;
  f_p_ = std::pow(3 * R_ / (4 * E_), 2) * std::pow(pi * hardness, 3);
  k_p_ = 2 * pi * R_ * hardness;
  a_p_ = R_ * 3 * pi / 4 * hardness / E_;
}

double ElastoplasticLaw::static_force(double delta) const {
  if (delta <= 0) return 0;
  if (delta < delta_y_) return 4.0 / 3 * E_ * std::sqrt(R_) * std::pow(delta, 1.5);
  if (delta >= delta_p_) return pi * p_0_ * (2 * R_ * (delta - delta_p_) + a_p_ * a_p_);
  const double D = delta_p_ - delta_y_, s = (delta - delta_y_) / D;  // (19)
  return (2 * f_y_ - 2 * f_p_ + D * (k_y_ + k_p_)) * s * s * s +
         (-3 * f_y_ + 3 * f_p_ - D * (2 * k_y_ + k_p_)) * s * s + D * k_y_ * s + f_y_;
}

double ElastoplasticLaw::force(double delta, double delta_rate) const {
  return static_force(delta) + b_ * std::pow(std::max(delta_rate, 0.0), 1.5);
}

}  // namespace saltus::impulse
