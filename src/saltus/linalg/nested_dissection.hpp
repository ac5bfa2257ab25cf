// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// Which unknowns of the equilibrated matrix B have a diagonal entry too small for a pivot, as the
/// multipliers of constraints do. Internal to linalg, like all of this file.
std::vector<bool> weak_unknowns(const SparseMatrix& B);

/// The unknowns of the equilibrated matrix B in an order of elimination with little fill for large
/// grids, by METIS on a compressed graph: unknowns with the same neighbours are one vertex, and a
/// weak unknown is put behind a neighbour that is not weak (a multiplier behind its body), so that
/// it is eliminated after that neighbour has filled its diagonal.
std::vector<int> nested_dissection(const SparseMatrix& B);

}  // namespace saltus::linalg
