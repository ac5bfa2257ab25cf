// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/geometry/core_pair.hpp"

namespace saltus {

/// Contacts of two cores, one of which is a mesh at least, unsorted: every pair of features that
/// may touch, each where it is met on the way.
void find_on_mesh(const CorePair& pair, const PairWay& way, CoreSearchSpace& space,
                  std::vector<CoreContact>& out);

}  // namespace saltus
