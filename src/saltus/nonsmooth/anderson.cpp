// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace saltus::nonsmooth {
void Anderson::start(Eigen::Index size) {
  dF_.resize(size, depth);
  dG_.resize(size, depth);
  gram_.setZero();
  columns_ = next_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
}

bool Anderson::propose(Eigen::VectorXd& x, const Eigen::VectorXd& G) {
  f_ = G - x;
  const double size = f_.norm();
  if (!(size <= SweepTuning::anderson_growth * smallest_)) {
    start(G.size());
    return false;
  }
  smallest_ = std::min(smallest_, size);
  if (has_last_) remember(G);
  last_f_ = f_;
  last_G_ = G;
  has_last_ = true;
  combine(x, G);
  return true;
}

void Anderson::remember(const Eigen::VectorXd& G) {
  dF_.col(next_) = f_ - last_f_;
  dG_.col(next_) = G - last_G_;
  columns_ = std::min(columns_ + 1, depth);
  for (int k = 0; k < columns_; ++k) {
    gram_(k, next_) = gram_(next_, k) = dF_.col(k).dot(dF_.col(next_));
  }
  next_ = (next_ + 1) % depth;
}

// min ‖f − dF γ‖; x = G − dG γ.
void Anderson::combine(Eigen::VectorXd& x, const Eigen::VectorXd& G) const {
  x = G;
  if (columns_ == 0) return;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;
  Small A = gram_.topLeftCorner(columns_, columns_);
  A.diagonal().array() += SweepTuning::anderson_regularisation * A.trace();
  const Column right = dF_.leftCols(columns_).transpose() * f_;
  const Column gamma = A.ldlt().solve(right);
  if (gamma.allFinite()) x.noalias() -= dG_.leftCols(columns_) * gamma;
}

}  // namespace saltus::nonsmooth
