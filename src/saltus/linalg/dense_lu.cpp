// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/dense_lu.hpp"

namespace saltus::linalg {

DenseLu::DenseLu(const SparsityPattern& pattern)
    : pattern_(&pattern),
      matrix_(pattern.size(), pattern.size()),
      lu_(pattern.size()),
      work_(pattern.size()) {}

void DenseLu::factorize(const SparseMatrix& B) {
  const int* starts = pattern_->column_starts().data();
  const int* rows = pattern_->row_indices().data();
  matrix_.setZero();
  for (int j = 0; j < pattern_->size(); ++j) {
    for (int k = starts[j]; k < starts[j + 1]; ++k) {
      matrix_(rows[k], j) = B.values()[static_cast<std::size_t>(k)];
    }
  }
  if (matrix_.size() > 0) lu_.compute(matrix_);
}

double DenseLu::smallest_pivot() const {
  if (matrix_.size() == 0) return 1;
  return lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
}

// By hand: PartialPivLU::solve would allocate a permutation mask or a temporary.
void DenseLu::solve_in_place(Eigen::VectorXd& b) const {
  if (matrix_.size() == 0) return;
  work_.noalias() = lu_.permutationP() * b;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(work_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(work_);
  b = work_;
}

void DenseLu::solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    column_ = B.col(j);
    solve_in_place(column_);
    B.col(j) = column_;
  }
}

}  // namespace saltus::linalg
