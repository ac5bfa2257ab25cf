// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "saltus/core/field.hpp"

namespace saltus {

/// e = reference (v / reference_speed)^exponent, between 0 and 1; v is the speed of approach.
struct PowerRestitution {
  static constexpr const char* type_name = "power";
  double reference = 0;
  double reference_speed = 0;
  double exponent = 0;

  static constexpr void fields(auto&& field) {
    field("reference", &PowerRestitution::reference,
          "coefficient at the reference speed: e = reference · (speed / reference_speed)^exponent, "
          "but at most 1",
          "", required & within(0, 1));
    field("reference_speed", &PowerRestitution::reference_speed,
          "speed of approach at which `reference` holds", "m/s", required & positive);
    field("exponent", &PowerRestitution::exponent,
          "negative where quicker impacts give back less, −0.25 for bodies that yield; an impact "
          "that is slow enough then has e = 1",
          "", required);
  }
};

/// Linear between the given speeds of approach, constant outside of them.
struct TableRestitution {
  static constexpr const char* type_name = "table";
  std::vector<double> speeds = {};
  std::vector<double> values = {};

  static constexpr void fields(auto&& field) {
    field("speeds", &TableRestitution::speeds, "increasing speeds of approach", "m/s",
          required & non_negative);
    field("values", &TableRestitution::values,
          "coefficients at these speeds, linear between them, constant outside", "",
          required & within(0, 1));
  }
};

/// Newton's coefficient e: a number, or a law of the speed of approach.
struct Restitution : std::variant<double, PowerRestitution, TableRestitution> {
  using Laws = std::variant<double, PowerRestitution, TableRestitution>;

  Restitution() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number> Restitution(Number e)
      : Laws(static_cast<double>(e)) {}                        // NOLINT: a number is a law
  Restitution(const PowerRestitution& law) : Laws(law) {}      // NOLINT: so is a struct
  Restitution(TableRestitution law) : Laws(std::move(law)) {}  // NOLINT: so is a struct

  /// Whether it is this number.
  bool operator==(double e) const {
    const double* number = std::get_if<double>(this);
    return number != nullptr && *number == e;
  }
};

/// The coefficient at a speed of approach v ≥ 0, in [0, 1]. (8e) of
/// docs/theory/nonsmooth_dynamics.md
double coefficient_of_restitution(const Restitution& law, double approach_speed);

/// Whether the coefficient is zero at all speeds.
bool is_inelastic(const Restitution& law);

}  // namespace saltus
