// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace saltus::linalg {

/// What makes the entries of a row of a KKT matrix [S, −Gᵀ; −G, −δ] comparable, in which motions of
/// several units and forces stand side by side. Empty: they are as they stand.
struct UnitsOfUnknowns {
  /// A motion, or of a multiplier the value of its equation, times its size is a length.
  std::vector<double> sizes = {};
  std::vector<char> is_multiplier = {};
};

}  // namespace saltus::linalg
