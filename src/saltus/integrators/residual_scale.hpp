// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Norms of a vector of velocities or forces, translations and rotations apart: they have different
/// units and are never added.
struct SplitNorm {
  double translation = 0;
  double rotation = 0;
};
SplitNorm split_norm(const System& system, const VectorX& v);

/// Σ over the force terms of their norms, and that of M v̇ (which gyroscopic terms may balance):
/// what a residual is compared with (docs/theory/generalized_alpha.md, eq. 12).
SplitNorm force_scale(const System& system, const ForceTerms& terms, const VectorX& M_vdot);

/// Largest |row|, in m (or m/s); rows in rad are taken times the characteristic length.
double largest_row(const System& system, const VectorX& rows);

/// "joint "pin", equation 3 of 5": whose row is the largest.
std::string worst_row_name(const System& system, const VectorX& rows);

/// What joint velocities are compared with, m/s: the largest speed, the largest change of speed in
/// a step h, and what round-off of positions makes of rest.
double speed_scale(const System& system, const VectorX& v, const VectorX& vdot, double h);

/// Largest component, in m (or m/s); rotations times the characteristic length.
double largest_motion(const System& system, const VectorX& v);

/// Largest rotation component, rad (or rad/s).
double largest_rotation(const System& system, const VectorX& v);

}  // namespace saltus
