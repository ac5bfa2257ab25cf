// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// Tangential impulses p = −μ (cos φ, sin φ) of a point at rest turn its slip by
/// pᵀ Q_o p + Q_rᵀ p with Q = [Q_o Q_r], (10): an isocline is a φ where it does not turn.
using IsoclineMatrix = Eigen::Matrix<double, 2, 3>;

/// Coefficients c₀…c₄ of c₀ u⁴ + … + c₄ = 0 for u = tan φ, (11).
std::array<double, 5> isocline_quartic(const IsoclineMatrix& Q, double mu);

/// All isoclines φ ∈ (−π, π], ascending.
std::vector<double> isoclines(const IsoclineMatrix& Q, double mu);

/// A map of directions c, |c| = 1, to vectors of the same length.
using DirectionMap = std::function<VectorX(const VectorX&)>;

/// All directions c of length k with G(c) = κ c, κ > 0, that are found: k = 1 both, k = 2 a scan of
/// the circle, more by Newton's method from directions all over the sphere.
/// @param guess  of one of them, from which the method starts too; empty: none
std::vector<VectorX> outgoing_directions(const DirectionMap& G, int k, const VectorX& guess = {});

}  // namespace saltus::impulse
