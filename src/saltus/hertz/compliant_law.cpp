// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/compliant_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace saltus::hertz {

/// A contact that is pressed quicker than it closed has no other δ̇⁻ than this: (3)
NormalForce CompliantLaw::force(double indentation, double rate, double approach) const {
  NormalForce f;
  f.elastic = stiffness * std::pow(indentation, exponent);
  f.stiffness = exponent * f.elastic / indentation;
  if (damping_ratio > 0 && approach > 0) {  // (2)
    const double part = std::min(rate / approach, 1.0);
    f.damping = damping_ratio * part * f.elastic;
    f.damping_slope = damping_ratio * part * f.stiffness;
    f.damping_rate = part < 1 ? damping_ratio * f.elastic / approach : 0;
  }
  f.damping += damping * rate;  // (4)
  f.damping_rate += damping;
  if (f.elastic + f.damping < 0) {  // surfaces do not pull
    f.damping = -f.elastic;
    f.damping_slope = -f.stiffness;
    f.damping_rate = 0;
  }
  f.by_stiffness = f.total() - (f.elastic + f.damping > 0 ? damping * rate : 0);
  return f;
}

double CompliantLaw::energy(double indentation) const {
  if (!(indentation > 0)) return 0;
  return stiffness * std::pow(indentation, exponent + 1) / (exponent + 1);
}

double CompliantLaw::shear_stiffness(double indentation) const {
  if (!(indentation > 0)) return 0;
  return shear_ratio * exponent * stiffness * std::pow(indentation, exponent - 1);
}

double CompliantLaw::shear_stiffness_slope(double indentation) const {
  if (!(indentation > 0) || exponent == 1) return 0;
  return (exponent - 1) * shear_stiffness(indentation) / indentation;
}

/// 2 ∫ dδ/√(v² − 2 K δ^{n+1}/((n+1) m)) up to the largest δ.                                  (6)
double CompliantLaw::duration(double mass, double speed) const {
  const double p = exponent + 1;
  const double beta =
      std::sqrt(std::numbers::pi) * std::tgamma(1 + 1 / p) / std::tgamma(0.5 + 1 / p);
  if (exponent == 1) return 2 * beta * std::sqrt(mass / stiffness);
  if (!(speed > 0)) return std::numeric_limits<double>::infinity();
  const double deepest = std::pow(p * mass * speed * speed / (2 * stiffness), 1 / p);
  return 2 * beta * deepest / speed;
}

/// Newton's divided differences, multiplied out.
StiffnessInGroove stiffness_in_groove(double bottom,
                                      const std::function<double(double)>& stiffness) {
  constexpr int n = StiffnessInGroove::degree;
  std::array<double, n + 1> x = {}, y = {};
  const double at_bottom = stiffness(bottom);
  for (int i = 0; i <= n; ++i) {  // Chebyshev's places from the bottom to 0
    x[i] = bottom * (1 + std::cos(i * std::numbers::pi / n)) / 2;
    y[i] = stiffness(x[i]) / at_bottom;
  }
  for (int order = 1; order <= n; ++order) {
    for (int i = n; i >= order; --i) y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - order]);
  }
  StiffnessInGroove k;
  for (int i = n; i >= 0; --i) {
    for (int j = n; j >= 1; --j) {
      k.coefficients[j] = k.coefficients[j - 1] - x[i] * k.coefficients[j];
    }
    k.coefficients[0] = y[i] - x[i] * k.coefficients[0];
  }
  return k;
}

StiffnessInGroove::Value StiffnessInGroove::at(double cosine) const {
  Value v{.value = 0};
  for (int i = degree; i >= 0; --i) {
    v.curvature = v.curvature * cosine + 2 * v.slope;
    v.slope = v.slope * cosine + v.value;
    v.value = v.value * cosine + coefficients[static_cast<std::size_t>(i)];
  }
  return v;
}

double CompliantLaw::meeting_speed(double mass, double indentation, double rate) const {
  return std::sqrt(rate * rate + 2 * energy(indentation) / mass);
}

}  // namespace saltus::hertz
