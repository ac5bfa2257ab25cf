// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/LU>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// LU of a small equilibrated matrix, all n² entries. Internal to linalg; for the meaning of the
/// functions see Factorization.
class DenseLu {
 public:
  explicit DenseLu(const SparsityPattern& pattern);

  void factorize(const SparseMatrix& B);

  double smallest_pivot() const;

  void solve_in_place(Eigen::VectorXd& b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

 private:
  const SparsityPattern* pattern_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  mutable Eigen::VectorXd work_, column_;
};

}  // namespace saltus::linalg
