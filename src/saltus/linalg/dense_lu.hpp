// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// LU of a small equilibrated matrix in dense storage, so that loops run over adjacent numbers, but
/// with an order of unknowns that keeps zeros, which are passed over. Pivots are chosen anew each
/// time: nothing but the order is remembered. Internal to linalg; for the meaning of the functions
/// see Factorization.
class DenseLu {
 public:
  explicit DenseLu(const SparsityPattern& pattern);

  void factorize(const SparseMatrix& B);

  double smallest_pivot() const;

  void solve_in_place(Eigen::VectorXd& b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  /// The order, which is that of the first matrix. Factors are made again from the last one.
  void archive(Archive& memory) { memory(order_); }

 private:
  void choose_order(const SparseMatrix& B);
  void copy(const SparseMatrix& B);
  int pivot_row(int k) const;
  void swap_rows(int a, int b);

  const SparsityPattern* pattern_;
  int size_ = 0;
  std::vector<int> order_;   // of unknowns: who is eliminated when
  std::vector<int> places_;  // of unknowns in the order
  std::vector<int> rows_;    // of the factors, in B
  Eigen::MatrixXd lu_;
  Eigen::VectorXd inverse_pivots_;
  mutable Eigen::VectorXd work_, column_;
};

}  // namespace saltus::linalg
