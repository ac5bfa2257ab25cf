// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/geometry/core_pair.hpp"

namespace saltus {

/// The largest n · x over a core without its rounding.
double support(const ConvexCore& core, const Vector3& n);

/// Contacts of the plane A and the round core B, unsorted.
void find_on_plane(const CorePair& pair, const RelativePose& B_in_A, double reach,
                   std::vector<CoreContact>& out);

/// Contacts of two cores, one of which is round at least, unsorted.
void find_round(const CorePair& pair, const RelativePose& B_in_A, double reach,
                CorePairMemory& memory, CoreSearchSpace& space, std::vector<CoreContact>& out);

/// As CorePair::separation.
double round_separation(const CorePair& pair, const RelativePose& B_in_A, CoreSearchSpace& space);

}  // namespace saltus
