// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// See Factorization::null_unknowns(). Dense up to `dense_size` unknowns by a singular value
/// decomposition, else by inverse iteration with a slightly shifted matrix. Internal to linalg.
std::vector<int> null_unknowns(const SparseMatrix& A, double threshold, int dense_size);

}  // namespace saltus::linalg
