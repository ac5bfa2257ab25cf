// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/dynamics/kkt.hpp"
#include "saltus/model/options.hpp"

namespace saltus {

/// How a search for equilibrium ended.
struct EquilibriumReport {
  bool converged = false;
  int iterations = 0;
  double violation = 0;  ///< largest joint violation, m
  std::string message = {};
};

/// Static equilibrium f(q, 0) + Gᵀλ = 0, g(q) = 0 under the loads at t = 0 times `load_factor`,
/// starting at state.configuration: Newton's method with pseudo-transient continuation, which tends
/// to stable equilibria (docs/theory/statics_and_modes.md, section 1).
EquilibriumReport find_equilibrium(const System& system, KktSolver& kkt, const Statics& options,
                                   double load_factor, State& state);

}  // namespace saltus
