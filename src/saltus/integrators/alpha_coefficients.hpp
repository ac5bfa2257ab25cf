// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus {

/// The coefficients of the generalized-α method for a spectral radius ρ∞ at infinite frequency
/// (docs/theory/generalized_alpha.md, eq. 4).
struct AlphaCoefficients {
  double alpha_m, alpha_f, gamma, beta;

  explicit constexpr AlphaCoefficients(double rho_inf)
      : alpha_m((2 * rho_inf - 1) / (rho_inf + 1)),
        alpha_f(rho_inf / (rho_inf + 1)),
        gamma(0.5 + alpha_f - alpha_m),
        beta((gamma + 0.5) * (gamma + 0.5) / 4) {}
};

}  // namespace saltus
