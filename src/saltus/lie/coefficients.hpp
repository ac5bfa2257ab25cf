// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::lie {

/// Coefficients of the exponential of SO(3), of its tangent operator and of that operator's
/// derivative, functions of the angle θ (docs/theory/rotations.md, eqs. 5 and 14):
///
///   a = sin θ / θ,   b = (1 − cos θ) / θ²,   c = (θ − sin θ) / θ³,   b1 = b′/θ,   c1 = c′/θ.
///
/// All are smooth in θ² and finite for every angle.
struct ExpCoefficients {
  double a = 1;
  double b = 1.0 / 2;
  double c = 1.0 / 6;
  double b1 = -1.0 / 12;
  double c1 = -1.0 / 60;
};

/// Coefficients of the inverse tangent operator of SO(3) and of its first two derivatives
/// (docs/theory/rotations.md, eqs. 12 and 14):
///
///   d = (1 − (θ/2) cot(θ/2)) / θ²,   e = d′/θ,   e1 = e′/θ.
///
/// All are smooth in θ² for θ < 2π and infinite at 2π.
struct LogCoefficients {
  double d = 1.0 / 12;
  double e = 1.0 / 360;
  double e1 = 1.0 / 3780;
};

/// Power series below θ = 0.5 rad, closed forms above. Relative error at most 1e-12 on [0, 6] rad.
/// @param angle_squared θ² in rad², ≥ 0.
ExpCoefficients exp_coefficients(double angle_squared);

/// Power series below θ = 1 rad, closed forms above. Relative error at most 2e-11 on [0, 6] rad.
/// @param angle_squared θ² in rad², ≥ 0 and ≠ (2π)².
LogCoefficients log_coefficients(double angle_squared);

}  // namespace saltus::lie
