// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/core/field.hpp"

namespace saltus {

/// The generalized-α method on the Lie group, for models without contacts
/// (docs/theory/generalized_alpha.md).
struct GeneralizedAlpha {
  static constexpr const char* type_name = "generalized_alpha";
  double step = 1e-3;
  double rho_inf = 0.8;
  double tolerance = 1e-10;
  int max_iterations = 25;

  static constexpr auto fields() {
    return std::tuple{
        Field{"step", &GeneralizedAlpha::step, "time step h", "s", positive},
        Field{"rho_inf", &GeneralizedAlpha::rho_inf,
              "spectral radius at high frequencies: 1 damps no linear oscillation, 0 damps most",
              "", within(0, 1)},
        Field{"tolerance", &GeneralizedAlpha::tolerance,
              "of Newton's method, relative to the forces that balance each other", "",
              positive & within(0, 1e-2)},
        Field{"max_iterations", &GeneralizedAlpha::max_iterations,
              "of Newton's method in each sub-problem", "", within(1, 1000)}};
  }
};

using Integrator = std::variant<GeneralizedAlpha>;

/// What to do with a step that does not converge.
enum class FailurePolicy { Stop, Halve, Accept };

template <>
struct EnumNames<FailurePolicy> {
  static constexpr const char* names[] = {"stop", "halve", "accept"};
};

struct RecordOptions {
  int every = 1;

  static constexpr auto fields() {
    return std::tuple{Field{"every", &RecordOptions::every,
                            "record every n-th step; the first and the last always", "",
                            within(1, 1e9)}};
  }
};

/// Motion in time.
struct Dynamics {
  static constexpr const char* type_name = "dynamics";
  double end_time = 1.0;
  Integrator integrator = GeneralizedAlpha{};
  FailurePolicy on_failure = FailurePolicy::Halve;
  RecordOptions record = {};

  static constexpr auto fields() {
    return std::tuple{
        Field{"end_time", &Dynamics::end_time, "the run goes from 0 to this time", "s",
              required & positive},
        Field{"integrator", &Dynamics::integrator, "the time-stepping method"},
        Field{"on_failure", &Dynamics::on_failure,
              "what to do with a step that does not converge: stop, halve the step, or accept"},
        Field{"record", &Dynamics::record, "what goes into the results, and how often"}};
  }
};

/// Static equilibrium under the loads at time 0, reached in load steps.
struct Statics {
  static constexpr const char* type_name = "statics";
  int load_steps = 1;
  double tolerance = 1e-10;
  int max_iterations = 200;

  static constexpr auto fields() {
    return std::tuple{
        Field{"load_steps", &Statics::load_steps,
              "gravity and forces (as they are at t = 0) are raised in this many equal steps", "",
              within(1, 1e6)},
        Field{"tolerance", &Statics::tolerance,
              "largest unbalanced force relative to the forces that balance each other", "",
              positive & within(0, 1e-2)},
        Field{"max_iterations", &Statics::max_iterations, "in each load step", "", within(1, 1e5)}};
  }
};

/// Natural frequencies and mode shapes about the static equilibrium.
struct Modes {
  static constexpr const char* type_name = "modes";
  int count = 10;
  bool equilibrium = true;
  int load_steps = 1;

  static constexpr auto fields() {
    return std::tuple{
        Field{"count", &Modes::count, "how many modes, lowest frequencies first", "",
              within(1, 1e5)},
        Field{"equilibrium", &Modes::equilibrium,
              "find the static equilibrium first; false: linearise at the initial pose"},
        Field{"load_steps", &Modes::load_steps, "of the static equilibrium", "", within(1, 1e6)}};
  }
};

using SimulationOptions = std::variant<Dynamics, Statics, Modes>;

}  // namespace saltus
