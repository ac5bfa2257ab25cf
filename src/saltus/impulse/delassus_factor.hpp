// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// L with W = L Lᵀ and as many columns as W has rank: Cholesky's factorisation with pivots.
/// Points of one pair of bodies have rank 6 at most, however many they are.
MatrixX delassus_factor(const MatrixX& W);

}  // namespace saltus::impulse
