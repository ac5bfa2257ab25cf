// SPDX-License-Identifier: Apache-2.0
// Static equilibria by hand, natural frequencies in closed form.
#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::angular_frequency;
using measures::last;

constexpr double tight = 1e-9;
constexpr const char* balanced = "Newton's method balances forces to 1e-10";
constexpr const char* dense = "round-off times the condition of a small problem";

/// s with 2 k s (1 − 1/√(1 + s²)) = force, k = 1000 N/m.
double sag(double force) {
  double low = 0, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double s = (low + high) / 2;
    (2000 * s * (1 - 1 / std::sqrt(1 + s * s)) < force ? low : high) = s;
  }
  return low;
}

/// Of two equal rods of 1 m and 1 kg in line: Λ of (M, K) in the rods' own angles.
std::pair<double, double> double_pendulum_frequencies() {
  const double J = (1 + 4e-4) / 12;
  const double m_11 = 1.25 + J, m_12 = 0.5, m_22 = 0.25 + J, k_1 = 1.5 * 9.81, k_2 = 0.5 * 9.81;
  const double det = m_11 * m_22 - m_12 * m_12;
  const double half_trace = (m_22 * k_1 + m_11 * k_2) / det / 2;
  const double root = std::sqrt(half_trace * half_trace - k_1 * k_2 / det);
  return {std::sqrt(half_trace - root), std::sqrt(half_trace + root)};
}

double carriage_frequency(int j) {
  return 2 * std::sqrt(800.0 / 2) * std::sin(j * std::numbers::pi / 8);
}

}  // namespace

std::vector<ReferenceCase> equilibrium_references() {
  const auto [slow, fast] = double_pendulum_frequencies();
  return {{"hanging_mass_static",
           {},
           {{"weight's z", "m", Exact, -0.5 - 2 * 9.81 / 500, tight, balanced,
             last("weight.position.z")},
            {"lamp's z", "m", Exact, -sag(98.1), tight, balanced, last("lamp.position.z")}}},
          {"double_pendulum_modes",
           {},
           {{"first frequency", "rad/s", Exact, slow, tight, dense, angular_frequency(0)},
            {"second frequency", "rad/s", Exact, fast, tight, dense, angular_frequency(1)}}},
          {"coupled_oscillators_modes",
           {},
           {{"first frequency", "rad/s", Exact, carriage_frequency(1), 1e-8, dense,
             angular_frequency(0)},
            {"third frequency", "rad/s", Exact, carriage_frequency(3), 1e-8, dense,
             angular_frequency(2)}}}};
}

}  // namespace saltus
