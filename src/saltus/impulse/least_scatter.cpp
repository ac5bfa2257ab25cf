// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impulse_group.hpp"
#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

/// The x that minimises |A x − b| in `x + null·w` for any w.
struct LeastSquares {
  VectorX x;
  MatrixX null;
};

/// For A made of orthonormal columns: entries of round-off count as zero.
LeastSquares least_squares(const MatrixX& A, const VectorX& b) {
  if (A.cols() == 0) return {VectorX::Zero(0), MatrixX::Zero(0, 0)};
  const auto [U, sigma, V] = linalg::singular_values(A);
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > ShareTuning::share_rank) ++rank;
  const VectorX parts = (U.leftCols(rank).transpose() * b).cwiseQuotient(VectorX(sigma.head(rank)));
  return {V.leftCols(rank) * parts, V.rightCols(A.cols() - rank)};
}

/// Equal normal shares, if tangential ones exist that go with them; those with the least norm.
bool equal_normals(const MatrixX& B, int normals, VectorX& z) {
  // Σwx = 1 for weights of mean 1.
  const int tangential = static_cast<int>(B.cols()) - normals;
  z = VectorX::Constant(B.cols(), 1.0 / normals);
  const VectorX b = -B.leftCols(normals) * z.head(normals);
  if (tangential > 0) {
    z.tail(tangential) =
        linalg::LeastNorm(B.rightCols(tangential), ShareTuning::share_rank).solve(b);
  }
  return (B * z).lpNorm<Eigen::Infinity>() <= ShareTuning::equal_shares_fit;
}

}  // namespace

VectorX least_scatter(const MatrixX& B, const VectorX& weights) {
  const int normals = static_cast<int>(weights.size());
  const linalg::PivotedQr qr(B.transpose(), ShareTuning::share_rank);
  const int free = static_cast<int>(B.cols() - qr.rank());
  VectorX z;
  if (free > 1 && equal_normals(B, normals, z)) return z;
  const MatrixX basis = qr.Q().rightCols(free);
  const VectorX sums = basis.topRows(normals).transpose() * weights;
  if (!(sums.norm() > ShareTuning::no_sum)) return {};
  z = basis * (sums / sums.squaredNorm());
  if (free == 1) return z;
  // What is free beside the sum: first for the scatter, then for the tangential shares.
  const MatrixX N = basis * least_squares(sums.normalized().transpose(), VectorX::Zero(1)).null;
  const VectorX mean = VectorX::Constant(normals, 1.0 / normals);
  const VectorX root = weights.cwiseSqrt();
  const LeastSquares scatter = least_squares(root.asDiagonal() * N.topRows(normals),
                                             root.cwiseProduct(VectorX(mean - z.head(normals))));
  z += N * scatter.x;
  const MatrixX M = N * scatter.null;
  const int tangential = static_cast<int>(B.cols()) - normals;
  if (M.cols() > 0 && tangential > 0)
    z += M * least_squares(M.bottomRows(tangential), -z.tail(tangential)).x;
  return z;
}

}  // namespace saltus::impulse
