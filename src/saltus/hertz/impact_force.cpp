// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/impact_force.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

namespace {

/// The place of the knot: k = αe/(1 + αe). Heuristic; 1.7 fits direct integrations.
constexpr double alpha = 1.7;

/// 3g² − 2g³ goes smoothly from 0 to 1; its derivative.
double blend(double g) { return g * g * (3 - 2 * g); }
double blend_slope(double g) { return 6 * g * (1 - g); }

/// (15): g(k) = ak such that nothing is left of the indentation at the end. One root in (0, 1]:
/// the polynomial is positive at 0, and k − 2e/(1 + e) < 0 at 1.
double knot_value(double e, double k) {
  const double c = k + (1 - e) / (1 + e);
  return bracketed_root([&](double y) { return ((y - (1 + k)) * y - (1 - k)) * y + c; }, 0, 1);
}

}  // namespace

ImpactShape::ImpactShape(double restitution, double exponent)
    : restitution_(restitution), n_(exponent) {
  if (!(restitution >= 0 && restitution <= 1))
    throw std::invalid_argument("the coefficient of restitution must lie between 0 and 1");
  require_positive(exponent, "the exponent of the local law must be positive and finite");
  e_ = std::max(restitution, smallest_restitution);
  k_ = alpha * e_ / (1 + alpha * e_);
  const double y = knot_value(e_, k_);
  a_ = y / k_;
  s_ = (1 - y) / (1 - k_);
  const double g = bracketed_root([&](double x) { return (1 + e_) * blend(x) - 1; }, 0, 1);
  deepest_ = g <= y ? g / a_ : 1 - (1 - g) / s_;
  I_d_ = integral_from_zero([&](double tau) { return std::pow(depth(tau), n_); }, k_) +
         integral_from_zero([&](double x) { return std::pow(depth_before_end(x), n_); }, 1 - k_);
}

double ImpactShape::rate(double tau) const {
  const double g = tau <= k_ ? a_ * tau : 1 - s_ * (1 - tau);
  return 1 - (1 + e_) * blend(g);  // (13)
}

double ImpactShape::rate_slope(double tau) const {
  return tau <= k_ ? -(1 + e_) * blend_slope(a_ * tau) * a_
                   : -(1 + e_) * blend_slope(1 - s_ * (1 - tau)) * s_;
}

double ImpactShape::depth(double tau) const {
  if (tau > k_) return depth_before_end(1 - tau);
  const double g = a_ * tau;
  return tau * (1 - (1 + e_) * g * g * (1 - g / 2));  // (16)
}

/// (16) from the end backwards, where the integral from the start would be a small difference.
double ImpactShape::depth_before_end(double sigma) const {
  const double r = s_ * sigma;
  return std::max(0.0, sigma * (e_ - (1 + e_) * r * r * (1 - r / 2)));
}

ImpactForce::ImpactForce(const ImpactShape& shape, double impulse, double approach_speed,
                         double stiffness, DampingModel model)
    : shape_(shape), v_(approach_speed), K_(stiffness) {
  require_positive(impulse, "the impulse must be positive and finite");
  require_positive(approach_speed, "the approach speed must be positive and finite");
  require_positive(stiffness, "the stiffness must be positive and finite");
  const double n = shape.exponent();
  D_ = damping_factor(model, K_, shape.restitution(), v_);
  T_ = std::pow(impulse / (K_ * std::pow(v_, n) * shape.integral()), 1 / (n + 1));  // (17)
  find_extremes();
}

double ImpactForce::deltadot(double t) const {
  return v_ * shape_.rate(std::clamp(t / T_, 0.0, 1.0));
}

double ImpactForce::delta(double t) const {
  if (t <= 0 || t >= T_) return 0;
  return T_ * v_ * shape_.depth(t / T_);
}

double ImpactForce::force(double t) const {
  if (t <= 0 || t >= T_) return 0;
  return (K_ + D_ * deltadot(t)) * std::pow(delta(t), shape_.exponent());  // (11)
}

/// F' = 0 without its factor d̄ⁿ⁻¹: η ρ' d̄ + n (1 + η ρ) ρ = 0, where η = D δ̇⁻/K. A grid finds the
/// changes of sign.
void ImpactForce::find_extremes() {
  constexpr int cells = 128;
  const double eta = D_ * v_ / K_, n = shape_.exponent();
  const auto slope = [&](double tau) {
    const double rho = shape_.rate(tau);
    return eta * shape_.rate_slope(tau) * shape_.depth(tau) + n * (1 + eta * rho) * rho;
  };
  double left = slope(0);
  for (int i = 1; i <= cells; ++i) {
    const double right = slope(static_cast<double>(i) / cells);
    if ((left > 0) != (right > 0)) {
      const double t =
          T_ * bracketed_root(slope, (i - 1.0) / cells, static_cast<double>(i) / cells);
      const double F = force(t);
      if (F > peak_force_) {
        peak_force_ = F;
        peak_time_ = t;
      }
      smallest_force_ = std::min(smallest_force_, F);
    }
    left = right;
  }
}

}  // namespace saltus::hertz
