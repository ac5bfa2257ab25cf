// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/group_rates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

/// The tableau [I, −M, −1 | q] of w − M z − 1 z₀ = q. Variables: w 0…n−1, z n…2n−1, z₀ 2n.
struct Tableau {
  MatrixX entries;
  std::vector<int> basis;

  void pivot(int row, int column) {
    entries.row(row) /= entries(row, column);
    for (int i = 0; i < entries.rows(); ++i)
      if (i != row && entries(i, column) != 0)
        entries.row(i) -= entries(i, column) * entries.row(row);
    basis[row] = column;
  }
};

/// The row that leaves: least ratio; among equal ones z₀, or else the largest pivot.
int leaving_row(const Tableau& t, int column, int artificial, double small) {
  const int right = static_cast<int>(t.entries.cols()) - 1;
  int best = -1;
  double least = 0;
  for (int i = 0; i < t.entries.rows(); ++i) {
    const double d = t.entries(i, column);
    if (d <= small) continue;
    const double ratio = t.entries(i, right) / d;
    const double slack = ShareTuning::same_ratio * (1 + std::abs(least));
    const bool tie = best >= 0 && std::abs(ratio - least) <= slack;
    const bool better = tie ? t.basis[i] == artificial ||
                                  (t.basis[best] != artificial && d > t.entries(best, column))
                            : best < 0 || ratio < least;
    if (!better) continue;
    best = i;
    least = tie ? std::min(ratio, least) : ratio;
  }
  return best;
}

bool solves(const MatrixX& M, const VectorX& q, const VectorX& z) {
  const VectorX w = q + M * z;
  const double tolerance = ShareTuning::complementary *
                           (q.lpNorm<Eigen::Infinity>() + (M.cwiseAbs() * z.cwiseAbs()).maxCoeff());
  return z.allFinite() && z.minCoeff() >= 0 && w.minCoeff() >= -tolerance &&
         std::abs(w.dot(z)) <= tolerance * z.sum();
}

}  // namespace

VectorX complementary_solution(const MatrixX& M, const VectorX& q) {
  const int n = static_cast<int>(q.size());
  if (q.minCoeff() >= 0) return VectorX::Zero(n);
  Tableau t{MatrixX::Zero(n, 2 * n + 2), std::vector<int>(n)};
  t.entries.leftCols(n).setIdentity();
  t.entries.middleCols(n, n) = -M;
  t.entries.col(2 * n).setConstant(-1);
  t.entries.col(2 * n + 1) = q;
  int row = 0;
  for (int i = 0; i < n; ++i) {
    t.basis[i] = i;
    if (q[i] < q[row]) row = i;
  }
  int leaves = row;
  t.pivot(row, 2 * n);
  for (int i = 0; i < ShareTuning::pivots_of_a_group * (n + 1); ++i) {
    const int enters = leaves < n ? leaves + n : leaves - n;
    row = leaving_row(t, enters, 2 * n, ShareTuning::least_pivot);
    if (row < 0) return {};
    leaves = t.basis[row];
    t.pivot(row, enters);
    if (leaves == 2 * n) {
      VectorX z = VectorX::Zero(n);
      for (int k = 0; k < n; ++k)
        if (t.basis[k] >= n && t.basis[k] < 2 * n)
          z[t.basis[k] - n] = std::max(t.entries(k, 2 * n + 1), 0.0);
      return z;
    }
  }
  return {};
}

GroupRates group_rates(const MatrixX& A, const VectorX& V, bool proportional) {
  const int n = static_cast<int>(V.size());
  if (n == 1) return {VectorX::Ones(1), proportional};
  VectorX rates;
  if (!proportional && A.diagonal().minCoeff() > 0) {
    // Unit diagonal: masses of any ratio. The speeds are scaled with it.
    const VectorX d = A.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixX M = d.asDiagonal() * A * d.asDiagonal();
    VectorX q = d.asDiagonal() * V;
    if (q.minCoeff() >= 0) return {VectorX::Zero(n), false};
    q /= -q.minCoeff();
    VectorX z = linalg::solve(M, -q);
    if (!(z.allFinite() && z.minCoeff() >= 0 && solves(M, q, z))) z = complementary_solution(M, q);
    if (z.size() > 0 && solves(M, q, z)) rates = d.asDiagonal() * z;
  }
  proportional = rates.size() == 0;
  if (proportional) rates = (-V).cwiseMax(0);
  const double sum = rates.sum();
  if (sum > 0) rates /= sum;
  return {rates, proportional};
}

}  // namespace saltus::impulse
