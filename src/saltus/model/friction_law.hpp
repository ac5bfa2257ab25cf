// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/core/field.hpp"

namespace saltus {

/// μ = base + amplitude exp(−decay s), s being the slip speed.
struct ExponentialFriction {
  static constexpr const char* type_name = "exponential";
  double base = 0;
  double amplitude = 0;
  double decay = 0;

  static constexpr void fields(auto&& field) {
    field("base", &ExponentialFriction::base, "coefficient of friction at high slip speeds", "",
          required & non_negative);
    field("amplitude", &ExponentialFriction::amplitude,
          "what is added to it at the slip speed 0; may be negative, but not below −base", "",
          required);
    field("decay", &ExponentialFriction::decay,
          "how quickly it goes: base + amplitude "
          "exp(−decay · slip speed)",
          "s/m", required & non_negative);
  }
};

/// μ = kinetic + (static − kinetic) exp(−(s/v_s)^exponent) + viscous s.
struct StribeckFriction {
  static constexpr const char* type_name = "stribeck";
  double static_friction = 0;
  double kinetic = 0;
  double stribeck_velocity = 0;
  double exponent = 2;
  double viscous = 0;

  static constexpr void fields(auto&& field) {
    field("static", &StribeckFriction::static_friction, "coefficient of a contact that sticks", "",
          required & non_negative);
    field("kinetic", &StribeckFriction::kinetic,
          "coefficient of one that slips quickly; above `static`, friction grows with the slip "
          "speed",
          "", required & non_negative);
    field("stribeck_velocity", &StribeckFriction::stribeck_velocity,
          "slip speed at which the difference has fallen to 1/e", "m/s", required & positive);
    field("exponent", &StribeckFriction::exponent,
          "δ in kinetic + (static − kinetic) exp(−(s/v)^δ) + viscous · s", "",
          positive & within(0, 100));
    field("viscous", &StribeckFriction::viscous, "growth with the slip speed s", "s/m",
          non_negative);
  }
};

/// Coulomb's coefficient: a number, or a law of the slip speed.
using FrictionLaw = std::variant<double, ExponentialFriction, StribeckFriction>;

/// The coefficient at a slip speed, ≥ 0.
double coefficient(const FrictionLaw& law, double slip_speed);

/// Whether the coefficient is zero at all speeds.
bool is_frictionless(const FrictionLaw& law);

}  // namespace saltus
