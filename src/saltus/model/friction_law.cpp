// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/friction_law.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

double value(double mu, double /*s*/) { return mu; }

double value(const ExponentialFriction& law, double s) {
  return law.base + law.amplitude * std::exp(-law.decay * s);
}

double value(const StribeckFriction& law, double s) {
  const double falling = std::exp(-std::pow(s / law.stribeck_velocity, law.exponent));
  return law.kinetic + (law.static_friction - law.kinetic) * falling + law.viscous * s;
}

bool is_zero(double mu) { return mu == 0; }
bool is_zero(const ExponentialFriction& law) { return law.base == 0 && law.amplitude == 0; }
bool is_zero(const StribeckFriction& law) {
  return law.static_friction == 0 && law.kinetic == 0 && law.viscous == 0;
}

/// A wider cone holds all that this one holds but forces within 0.006° of the tangent plane, and
/// contact problems lose as many digits as it has.
constexpr double largest_coefficient = 1e4;

}  // namespace

double coefficient(const FrictionLaw& law, double slip_speed) {
  const double given = std::visit([&](const auto& l) { return value(l, slip_speed); }, law);
  return std::min(std::max(0.0, given), largest_coefficient);
}

bool is_frictionless(const FrictionLaw& law) {
  return std::visit([](const auto& l) { return is_zero(l); }, law);
}

}  // namespace saltus
