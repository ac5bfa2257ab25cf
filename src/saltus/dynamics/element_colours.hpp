// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace saltus {

/// Elements in groups ("colours") without common nodes: those of one group may add to global
/// vectors and matrices at the same time, and sums come out the same whatever the number of
/// threads, for each entry gets its terms in the order of the groups.
using ElementColours = std::vector<std::vector<int>>;

/// @param nodes  of each element; node 0 is the ground and may be common.
ElementColours colour_elements(const std::vector<std::vector<int>>& nodes);

}  // namespace saltus
