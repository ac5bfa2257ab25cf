// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::hertz {

// Elliptic integrals, all through Carlson's symmetric forms (docs/theory/contact_forces.md, (4)).
// Their argument is the complementary modulus κ = √(1 − m), which for Hertz is the ratio of the
// semi-axes: a slender ellipse has κ → 0, and 1 − κ² would have lost its digits.

/// R_F(x, y, z); none negative, at most one zero.
double carlson_rf(double x, double y, double z);
/// R_D(x, y, z); none negative, z > 0, at most one of x, y zero.
double carlson_rd(double x, double y, double z);

double complete_k(double kappa);  ///< K, 0 < κ ≤ 1
double complete_e(double kappa);  ///< E, 0 ≤ κ ≤ 1

/// F(φ) and E(φ) up to the angle φ with cot φ = t ≥ 0; t = 0 is the complete integral. 0 < κ ≤ 1.
double incomplete_f(double t, double kappa);
double incomplete_e(double t, double kappa);

}  // namespace saltus::hertz
