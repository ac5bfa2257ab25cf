// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/linalg/sparsity_pattern.hpp"

namespace saltus::linalg {

/// A square matrix with a fixed pattern: values in the order of the pattern's positions. Nothing
/// but the constructor and to_dense() allocates.
class SparseMatrix {
 public:
  /// All values zero. The pattern is not owned: it must outlive the matrix.
  explicit SparseMatrix(const SparsityPattern& pattern)
      : pattern_(&pattern), values_(static_cast<std::size_t>(pattern.nonzeros()), 0.0) {}

  const SparsityPattern& pattern() const { return *pattern_; }
  int size() const { return pattern_->size(); }

  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

  void set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

  /// Adds a dense block through its scatter map (SparsityPattern::scatter_map); entries with a
  /// negative position are dropped. A product in `local` is evaluated first, on the stack if its
  /// size is fixed.
  /// @pre map.size() = local.size().
  template <typename Derived>
  void add(std::span<const int> map, const Eigen::MatrixBase<Derived>& local);

  /// y = A x. @pre x and y do not overlap.
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> y) const;

  /// All n² entries; for small matrices and tests.
  Eigen::MatrixXd to_dense() const;

  /// The values; the pattern is whoever loads' own.
  void archive(Archive& memory) { memory(values_); }

 private:
  const SparsityPattern* pattern_;
  std::vector<double> values_;
};

template <typename Derived>
void SparseMatrix::add(std::span<const int> map, const Eigen::MatrixBase<Derived>& local) {
  assert(map.size() == static_cast<std::size_t>(local.size()));
  const typename Eigen::internal::nested_eval<Derived, 1>::type& block = local.derived();
  std::size_t entry = 0;
  for (Eigen::Index j = 0; j < block.cols(); ++j) {
    for (Eigen::Index i = 0; i < block.rows(); ++i, ++entry) {
      if (map[entry] >= 0) values_[static_cast<std::size_t>(map[entry])] += block.coeff(i, j);
    }
  }
}

inline void SparseMatrix::multiply(const Eigen::Ref<const Eigen::VectorXd>& x,
                                   Eigen::Ref<Eigen::VectorXd> y) const {
  assert(x.size() == size() && y.size() == size());
  const int* starts = pattern_->column_starts().data();
  const int* rows = pattern_->row_indices().data();
  y.setZero();
  for (int j = 0; j < size(); ++j) {
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      y[rows[k]] += values_[static_cast<std::size_t>(k)] * x[j];
    }
  }
}

inline Eigen::MatrixXd SparseMatrix::to_dense() const {
  const std::span<const int> starts = pattern_->column_starts();
  const std::span<const int> rows = pattern_->row_indices();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size(), size());
  for (std::size_t j = 0; j + 1 < starts.size(); ++j) {
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      const auto position = static_cast<std::size_t>(k);
      dense(rows[position], static_cast<Eigen::Index>(j)) = values_[position];
    }
  }
  return dense;
}

}  // namespace saltus::linalg
