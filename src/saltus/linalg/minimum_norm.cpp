// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/minimum_norm.hpp"

#include <algorithm>
#include <numeric>

namespace saltus::linalg {

using Eigen::Index;

namespace {

/// A reciprocal condition from which a matrix is clearly regular: far above all thresholds, so that
/// the decomposition with pivots would find the full rank too.
constexpr double clearly_regular = 1e-6;

}  // namespace

bool MinimumNorm::eliminate(const Eigen::MatrixXd& A) {
  LU_.compute(A);
  // The estimate of the condition divides by the pivots.
  const Eigen::ArrayXd pivots = LU_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > clearly_regular * pivots.maxCoeff() && LU_.rcond() > clearly_regular;
}

void MinimumNorm::compute(const Eigen::MatrixXd& A, double threshold, Index most_rank) {
  regular_ = A.rows() == A.cols() && A.cols() <= most_rank && threshold < clearly_regular &&
             A.size() > 0 && eliminate(A);
  if (regular_) {
    rank_ = A.cols();
    return;
  }
  QR_ = A;
  const Index m = A.rows(), n = A.cols(), most = std::min(m, n);
  columns_.resize(static_cast<std::size_t>(n));
  std::iota(columns_.begin(), columns_.end(), Index{0});
  coefficients_.setZero(most);
  Eigen::VectorXd work(n);
  double largest = 0;
  rank_ = 0;
  for (Index k = 0; k < most; ++k, ++rank_) {
    Index pivot = 0;
    const double norm =
        std::sqrt(QR_.bottomRightCorner(m - k, n - k).colwise().squaredNorm().maxCoeff(&pivot));
    if (k == 0) largest = norm;
    if (!(norm > threshold * largest)) break;
    if (pivot > 0) {
      QR_.col(k).swap(QR_.col(k + pivot));
      std::swap(columns_[static_cast<std::size_t>(k)],
                columns_[static_cast<std::size_t>(k + pivot)]);
    }
    double beta = 0;
    QR_.col(k).tail(m - k).makeHouseholderInPlace(coefficients_[k], beta);
    QR_(k, k) = beta;
    QR_.bottomRightCorner(m - k, n - k - 1)
        .applyHouseholderOnTheLeft(QR_.col(k).tail(m - k - 1), coefficients_[k], work.data());
  }
  Eigen::MatrixXd R = QR_.topRows(rank_);
  for (Index k = 0; k < rank_; ++k) R.row(k).head(k).setZero();
  rows_.compute(R.transpose());
}

Eigen::VectorXd MinimumNorm::solve(const Eigen::VectorXd& b) const {
  if (regular_) return LU_.solve(b);
  Eigen::VectorXd c = b;
  double work = 0;
  for (Index k = 0; k < rank_; ++k) {
    c.tail(c.size() - k)
        .applyHouseholderOnTheLeft(QR_.col(k).tail(c.size() - k - 1), coefficients_[k], &work);
  }
  // R = (Z T)ᵀ, so that R x = c has the solution Z T⁻ᵀ c of least norm.
  Eigen::VectorXd x = Eigen::VectorXd::Zero(QR_.cols());
  if (rank_ > 0) {
    const auto T = rows_.matrixQR().topRows(rank_).triangularView<Eigen::Upper>();
    x.head(rank_) = T.transpose().solve(c.head(rank_));
    x.applyOnTheLeft(rows_.householderQ());
  }
  Eigen::VectorXd result(x.size());
  for (Index j = 0; j < x.size(); ++j) result[columns_[static_cast<std::size_t>(j)]] = x[j];
  return result;
}

Eigen::MatrixXd MinimumNorm::null_space() const {
  if (regular_) return {rank_, 0};
  const Index n = QR_.cols();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  if (rank_ > 0) Z.applyOnTheLeft(rows_.householderQ());
  Eigen::MatrixXd result(n, n - rank_);
  for (Index j = 0; j < n; ++j) {
    result.row(columns_[static_cast<std::size_t>(j)]) = Z.row(j).tail(n - rank_);
  }
  return result;
}

}  // namespace saltus::linalg
