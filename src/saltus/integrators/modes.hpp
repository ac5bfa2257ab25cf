// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/kkt.hpp"

namespace saltus {

/// One natural mode of the linearised motion M δq̈ + K δq = Gᵀδλ, G δq = 0.
struct Mode {
  double eigenvalue = 0;  ///< ω², rad²/s²; negative: the equilibrium is unstable
  VectorX shape = {};     ///< n_v entries, shapeᵀ M shape = 1

  double angular_frequency() const;  ///< rad/s, 0 if unstable
  double frequency() const;          ///< Hz, 0 if unstable
  double growth_rate() const;        ///< 1/s, 0 if stable
};

/// The `count` modes of lowest ω² (of lowest |ω²| for large systems) about state.configuration with
/// the multipliers of the equilibrium there; fewer if the system has fewer degrees of freedom.
/// Dense for small systems, shift-invert Lanczos (Spectra) for large ones
/// (docs/theory/statics_and_modes.md, section 2).
std::vector<Mode> natural_modes(const System& system, KktSolver& kkt, const State& state,
                                int count);

}  // namespace saltus
