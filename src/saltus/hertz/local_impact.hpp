// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace saltus::hertz {

/// Two bodies with the local law F = (K + D δ̇) δⁿ between them and nothing else.
struct LocalLaw {
  double mass = 1;        ///< effective: 1/m = 1/m₁ + 1/m₂, kg
  double stiffness = 1;   ///< K, N/mⁿ
  double exponent = 1.5;  ///< n > 0
  double damping = 0;     ///< D ≥ 0, N s/m^{n+1}
};

/// A moment of an impact: s, m, m/s, N.
struct LocalSample {
  double time, delta, deltadot, force;
};

/// An impact from first touch to parting.
struct LocalImpact {
  double duration = 0;
  double peak_force = 0, peak_indentation = 0;
  double restitution = 0;            ///< the one that the law gives: −δ̇⁺/δ̇⁻
  std::vector<LocalSample> history;  ///< all steps of the integration
};

/// Direct integration of m δ̈ = −F from δ = 0 with the approach speed to δ = 0: the check of
/// ImpactForce. Relative error below 1e−9. Damping of 300 K/δ̇⁻ at most: beyond, bodies creep
/// apart for ever.
LocalImpact integrate_local_law(const LocalLaw& law, double approach_speed);

}  // namespace saltus::hertz
