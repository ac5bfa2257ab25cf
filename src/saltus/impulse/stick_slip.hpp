// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_flow.hpp"

namespace saltus::impulse {

/// What a sticking point has of friction beyond what it needs; negative: it cannot be held.
double cone_margin(const ImpactSystem& system, const Flow& flow, int point);

/// Decides which of the points at rest stick and which slip, and where (section 5). `u` has zero
/// tangential velocities at points of `rest`; modes of the other points are kept.
void settle(const ImpactSystem& system, const VectorX& u, const std::vector<int>& rest,
            ImpactModes& modes);

}  // namespace saltus::impulse
