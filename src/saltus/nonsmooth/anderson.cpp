// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace saltus::nonsmooth {

template <int N>
void Anderson<N>::start(const Sweeps& sweeps) {
  for (int k = 0; k < depth; ++k) {
    dg_[k].resize(sweeps.reactions());
    dl_[k].resize(sweeps.reactions());
    dw_[k].resize(sweeps.motions());
  }
  last_g_.resize(sweeps.reactions());
  last_l_.resize(sweeps.reactions());
  last_w_.resize(sweeps.motions());
  gram_.setZero();
  columns_ = next_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
}

template <int N>
bool Anderson<N>::extrapolate(Sweeps& sweeps, double square_of_change) {
  constexpr double growth = SweepTuning::anderson_growth * SweepTuning::anderson_growth;
  if (!(square_of_change <= growth * smallest_)) {
    start(sweeps);
    return false;
  }
  smallest_ = std::min(smallest_, square_of_change);
  remember(sweeps);
  combine(sweeps);
  return true;
}

template <int N>
void Anderson<N>::remember(Sweeps& sweeps) {
  const LaneKernel<double>& kernel = sweeps.kernel();
  const std::size_t n = sweeps.reactions();
  // The first time the differences are not of this iteration, and are written over.
  kernel.difference(n, sweeps.g(), last_g_.data(), dg_[next_].data());
  kernel.difference(n, sweeps.l(), last_l_.data(), dl_[next_].data());
  kernel.difference(sweeps.motions(), sweeps.w(), last_w_.data(), dw_[next_].data());
  if (!has_last_) {
    has_last_ = true;
    return;
  }
  columns_ = std::min(columns_ + 1, depth);
  for (int k = 0; k < columns_; ++k) {
    gram_(k, next_) = gram_(next_, k) = kernel.dot(n, dg_[k].data(), dg_[next_].data());
  }
  next_ = (next_ + 1) % depth;
}

// min ‖g − dg γ‖; l −= dl γ.
template <int N>
void Anderson<N>::combine(Sweeps& sweeps) {
  if (columns_ == 0) return;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;
  const LaneKernel<double>& kernel = sweeps.kernel();
  const double* dl[depth];
  const double* dw[depth];
  Column right(columns_);
  for (int k = 0; k < columns_; ++k) {
    dl[k] = dl_[k].data();
    dw[k] = dw_[k].data();
    right[k] = kernel.dot(sweeps.reactions(), dg_[k].data(), sweeps.g());
  }
  Small A = gram_.topLeftCorner(columns_, columns_);
  A.diagonal().array() += SweepTuning::anderson_regularisation * A.trace();
  const Column gamma = A.ldlt().solve(right);
  if (!gamma.allFinite()) return;
  kernel.combine(sweeps.reactions(), columns_, gamma.data(), dl, sweeps.l());
  kernel.combine(sweeps.motions(), columns_, gamma.data(), dw, sweeps.w());
}

template <int N>
void Anderson<N>::move_origin(const Sweeps& sweeps) {
  for (std::size_t i = 0; i < last_w_.size(); ++i) last_w_[i] -= sweeps.shift()[i];
}

template class Anderson<3>;
template class Anderson<6>;

}  // namespace saltus::nonsmooth
