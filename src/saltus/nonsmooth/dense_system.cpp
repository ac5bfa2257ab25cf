// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/dense_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
Eigen::Map<Eigen::MatrixXd> DenseSystem::matrix(Eigen::Index n) {
  n_ = n;
  const auto entries = static_cast<std::size_t>(n * n);
  if (values_.size() < entries) values_.resize(entries);
  if (pivots_.size() < static_cast<std::size_t>(n)) pivots_.resize(static_cast<std::size_t>(n));
  return {values_.data(), n, n};
}

// Right-looking: a panel of columns, the rows of U beside it, the rest of the matrix.
bool DenseSystem::factorize(double singular) {
  Eigen::Map<Eigen::MatrixXd> A(values_.data(), n_, n_);
  const double largest = n_ > 0 ? A.cwiseAbs().maxCoeff() : 0;
  if (!std::isfinite(largest)) return false;
  for (Eigen::Index start = 0; start < n_; start += FormTuning::panel) {
    const Eigen::Index end = std::min(start + FormTuning::panel, n_);
    if (!factorize_panel(start, end, singular * largest)) return false;
    const Eigen::Index rest = n_ - end;
    if (rest == 0) break;
    auto upper = A.block(start, end, end - start, rest);
    A.block(start, start, end - start, end - start)
        .triangularView<Eigen::UnitLower>()
        .solveInPlace(upper);
    A.bottomRightCorner(rest, rest).noalias() -= A.block(end, start, rest, end - start) * upper;
  }
  return true;
}

bool DenseSystem::factorize_panel(Eigen::Index start, Eigen::Index end, double smallest) {
  Eigen::Map<Eigen::MatrixXd> A(values_.data(), n_, n_);
  for (Eigen::Index k = start; k < end; ++k) {
    Eigen::Index pivot = 0;
    const double size = A.col(k).tail(n_ - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (!(size > smallest)) return false;
    pivots_[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k) A.row(k).swap(A.row(pivot));
    const Eigen::Index below = n_ - k - 1;
    if (below == 0) break;
    A.col(k).tail(below) /= A(k, k);
    for (Eigen::Index j = k + 1; j < end; ++j) {
      A.col(j).tail(below) -= A(k, j) * A.col(k).tail(below);
    }
  }
  return true;
}

void DenseSystem::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  const Eigen::Map<const Eigen::MatrixXd> A(values_.data(), n_, n_);
  for (Eigen::Index k = 0; k < n_; ++k) std::swap(b[k], b[pivots_[static_cast<std::size_t>(k)]]);
  for (Eigen::Index k = 0; k < n_; ++k) {
    if (k + 1 < n_) b.tail(n_ - k - 1) -= b[k] * A.col(k).tail(n_ - k - 1);
  }
  for (Eigen::Index k = n_ - 1; k >= 0; --k) {
    b[k] /= A(k, k);
    if (k > 0) b.head(k) -= b[k] * A.col(k).head(k);
  }
}

}  // namespace saltus::nonsmooth
