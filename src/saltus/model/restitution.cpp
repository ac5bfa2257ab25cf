// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace saltus {
namespace {

double restitution_at(double e, double /*v*/) { return e; }

double restitution_at(const PowerRestitution& law, double v) {
  if (law.reference == 0) return 0;  // 0 · ∞ at rest
  return std::clamp(law.reference * std::pow(v / law.reference_speed, law.exponent), 0.0, 1.0);
}

double restitution_at(const TableRestitution& law, double v) {
  const auto next = std::upper_bound(law.speeds.begin(), law.speeds.end(), v);
  if (next == law.speeds.begin()) return law.values.front();
  if (next == law.speeds.end()) return law.values.back();
  const auto i = static_cast<std::size_t>(next - law.speeds.begin());
  const double from = law.speeds[i - 1], e = law.values[i - 1];
  return e + (v - from) / (law.speeds[i] - from) * (law.values[i] - e);
}

bool is_always_zero(double e) { return e == 0; }
bool is_always_zero(const PowerRestitution& law) { return law.reference == 0; }
bool is_always_zero(const TableRestitution& law) {
  return std::all_of(law.values.begin(), law.values.end(), [](double e) { return e == 0; });
}

}  // namespace

double coefficient_of_restitution(const Restitution& law, double approach_speed) {
  return std::visit([&](const auto& l) { return restitution_at(l, approach_speed); }, law);
}

bool is_inelastic(const Restitution& law) {
  return std::visit([](const auto& l) { return is_always_zero(l); }, law);
}

}  // namespace saltus
