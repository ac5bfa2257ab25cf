// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/solid_shape.hpp"

namespace saltus::solid {

/// Number of strain modes that EnhancedStrain adds to a Hex8.
constexpr int mode_count = 9;

/// Sets `mode_stress` and `mode_shape` of a Hex8 whose other constants are set. The modes M are
/// combined so that ∫ Mᵀ C M dV₀ = 1: their amplitudes are α = −∫ Mᵀ C E dV₀, without a solve.
///
/// `mode_stress` is C M times the volume of the point: six rows for each point (shear once), a
/// column for each mode. `mode_shape` is Q_m = ∑ ∇N (C M)_m ∇Nᵀ, the eight rows of each mode below
/// those of the mode before: ∂α_m/∂x = −Q_m x, because E is quadratic in x.
/// docs/theory/solids.md, (8)–(11).
/// @param X places of the nodes, a column each
void set_enhanced_modes(const SolidShape::Positions& X, SolidConstants& constants);

}  // namespace saltus::solid
