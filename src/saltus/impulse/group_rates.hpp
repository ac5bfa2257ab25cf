// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// How fast the groups of an event get their normal impulses, of a sum of 1.
struct GroupRates {
  VectorX rates;
  bool proportional = false;  ///< to speeds: no others were found, or wanted
};

/// (13): rates λ ≥ 0, Σλ = 1, of the normal impulses of several groups, so that all come to rest
/// together: A λ = −V, or V + A λ ≥ 0 where λ = 0. A group that has to be slowed against A is
/// slowed in proportion to its speed, and then all are. Zero if no group approaches.
GroupRates group_rates(const MatrixX& A, const VectorX& V, bool proportional);

/// z ≥ 0 with w = q + M z ≥ 0 and wᵀz = 0 by Lemke's method; empty if it ends on a ray.
VectorX complementary_solution(const MatrixX& M, const VectorX& q);

}  // namespace saltus::impulse
