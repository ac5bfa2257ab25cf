// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus::linalg {
namespace {

template <int n>
using Small = Eigen::Matrix<double, n, n>;

/// Factorises an n × n matrix in its place, columns one after the other; order says which row
/// became which.
/// @return the smallest pivot, of its column; 0 where there is none.
template <int n>
double factorize_small(double* data, int* order) {
  Eigen::Map<Small<n>> a(data);
  Eigen::Matrix<double, n, 1> scale = a.cwiseAbs().rowwise().maxCoeff();
  if (!(scale.minCoeff() > 0)) return 0;
  scale = scale.cwiseInverse();
  const Eigen::Matrix<double, 1, n> largest =
      (scale.asDiagonal() * a.cwiseAbs()).colwise().maxCoeff();
  for (int i = 0; i < n; ++i) order[i] = i;
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    double size = std::abs(a(k, k)) * scale[k];
    for (int i = k + 1; i < n; ++i) {
      const double other = std::abs(a(i, k)) * scale[i];
      if (other > size) size = other, pivot = i;
    }
    if (!(size > 0)) return 0;
    smallest = std::min(smallest, size / largest[k]);
    if (pivot != k) {
      a.row(k).swap(a.row(pivot));
      std::swap(scale[k], scale[pivot]);
      std::swap(order[k], order[pivot]);
    }
    for (int i = k + 1; i < n; ++i) {
      if (a(i, k) == 0) continue;
      a(i, k) /= a(k, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return smallest;
}

template <int n>
void solve_small(const double* data, const int* order, double* b) {
  const Eigen::Map<const Small<n>> lu(data);
  Eigen::Matrix<double, n, 1> x;
  for (int i = 0; i < n; ++i) x[i] = b[order[i]];
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= lu(i, k) * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] /= lu(k, k);
    for (int i = 0; i < k; ++i) x[i] -= lu(i, k) * x[k];
  }
  Eigen::Map<Eigen::Matrix<double, n, 1>>{b} = x;
}

}  // namespace

bool BlockLu::is_block(const SparsityPattern& pattern, const std::vector<int>& unknowns) {
  const auto size = static_cast<int>(unknowns.size());
  if (size != 3 && size != 6) return false;
  if (unknowns.back() - unknowns.front() != size - 1) return false;
  return std::ranges::all_of(unknowns, [&](int i) {
    const auto column = static_cast<std::size_t>(i);
    return pattern.column_starts()[column + 1] - pattern.column_starts()[column] == size;
  });
}

void BlockLu::add(int first) {
  const std::span<const int> starts = pattern_->column_starts();
  Block& block = blocks_.emplace_back();
  block.first = first;
  block.slot = starts[static_cast<std::size_t>(first)];
  block.size = starts[static_cast<std::size_t>(first) + 1] - block.slot;
}

bool BlockLu::factorize(const SparseMatrix& A) {
  smallest_pivot_ = std::numeric_limits<double>::infinity();
  bool finite = true;
  for (Block& block : blocks_) {
    const double* values = A.values().data() + block.slot;
    double* lu = block.lu.data();
    if (block.size == 3) {
      const Eigen::Map<const Small<3>> K(values);
      finite &= K.cwiseAbs().sum() < std::numeric_limits<double>::infinity();
      Eigen::Map<Small<3>>{lu} = K;
      smallest_pivot_ = std::min(smallest_pivot_, factorize_small<3>(lu, block.order.data()));
      continue;
    }
    const Eigen::Map<const Small<6>> K(values);
    finite &= K.cwiseAbs().sum() < std::numeric_limits<double>::infinity();
    block.is_split = K.topRightCorner<3, 3>().isZero(0) && K.bottomLeftCorner<3, 3>().isZero(0);
    if (block.is_split) {
      Eigen::Map<Small<3>>{lu} = K.topLeftCorner<3, 3>();
      Eigen::Map<Small<3>>{lu + 9} = K.bottomRightCorner<3, 3>();
      const double above = factorize_small<3>(lu, block.order.data());
      const double below = factorize_small<3>(lu + 9, block.order.data() + 3);
      smallest_pivot_ = std::min({smallest_pivot_, above, below});
    } else {
      Eigen::Map<Small<6>>{lu} = K;
      smallest_pivot_ = std::min(smallest_pivot_, factorize_small<6>(lu, block.order.data()));
    }
  }
  return finite;
}

void BlockLu::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  for (const Block& block : blocks_) {
    double* x = b.data() + block.first;
    const double* lu = block.lu.data();
    const int* order = block.order.data();
    if (block.size == 6 && !block.is_split) {
      solve_small<6>(lu, order, x);
      continue;
    }
    solve_small<3>(lu, order, x);
    if (block.is_split) solve_small<3>(lu + 9, order + 3, x + 3);
  }
}

void BlockLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  for (Eigen::Index j = 0; j < B.cols(); ++j) solve_in_place(B.col(j));
}

void BlockLu::archive(Archive& memory) {
  for (Block& block : blocks_) memory(block.lu, block.order, block.is_split);
  memory(smallest_pivot_);
}

}  // namespace saltus::linalg
