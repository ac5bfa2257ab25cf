// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/choices.hpp"

namespace saltus::hertz {

/// D over K/δ̇⁻: a number that depends on the coefficient of restitution alone, 0 ≤ e ≤ 1.
/// Below smallest_restitution(model) it keeps the value that it has there.
double damping_ratio(DampingModel model, double restitution);

/// Hu, Flores and Zhang grow without bound for e → 0 (Hu has a pole at e = 0.0212 and the wrong
/// sign below it): 0.05. The others: 0.
double smallest_restitution(DampingModel model);

/// D in N s/m^{n+1}. stiffness K > 0, approach speed δ̇⁻ > 0 in m/s.
double damping_factor(DampingModel model, double stiffness, double restitution,
                      double approach_speed);

}  // namespace saltus::hertz
