// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/delassus_factor.hpp"

#include <cmath>

#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

MatrixX delassus_factor(const MatrixX& W) {
  const int n = static_cast<int>(W.rows());
  MatrixX L(n, n);
  VectorX rest = W.diagonal();  // of W − L Lᵀ
  int rank = 0;
  for (; rank < n; ++rank) {
    // Compared with the own diagonal: light and heavy bodies have entries of any ratio.
    int pivot = -1;
    double largest = RankTuning::factor_rank;
    for (int i = 0; i < n; ++i)
      if (W(i, i) > 0 && rest[i] / W(i, i) > largest) {
        largest = rest[i] / W(i, i);
        pivot = i;
      }
    if (pivot < 0) break;
    VectorX column = W.col(pivot) - L.leftCols(rank) * L.row(pivot).head(rank).transpose();
    column /= std::sqrt(rest[pivot]);
    L.col(rank) = column;
    rest -= column.cwiseAbs2();
    rest[pivot] = 0;
  }
  return L.leftCols(rank);
}

}  // namespace saltus::impulse
