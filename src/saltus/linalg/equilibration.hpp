// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"
#include "saltus/linalg/units_of_unknowns.hpp"

namespace saltus::linalg {

/// B = R A C with diagonal R, C such that the largest entry of each row and column is about one:
/// first the rows, then the columns. The factors are powers of two, so no digit is lost. Where the
/// units of the unknowns are given, B is the same in any system of units. Internal to linalg.
class Equilibration {
 public:
  explicit Equilibration(const SparsityPattern& pattern);

  void set_units(UnitsOfUnknowns units);

  /// False if an entry of A is infinite or not a number; then B is undefined.
  bool compute(const SparseMatrix& A);

  /// The same with the row factors of the last compute(): quicker, and enough as long as the pivots
  /// are not chosen anew.
  bool compute_columns(const SparseMatrix& A);

  /// B. Its columns have their largest entry in [1, 2), except columns of zeros.
  const SparseMatrix& matrix() const { return matrix_; }

  const Eigen::ArrayXd& row_factors() const { return row_factors_; }
  const Eigen::ArrayXd& column_factors() const { return column_factors_; }

  void archive(Archive& memory) { memory(matrix_, row_factors_, column_factors_); }

 private:
  void weigh(const SparseMatrix& A);

  SparseMatrix matrix_;
  Eigen::ArrayXd row_factors_;
  Eigen::ArrayXd column_factors_;
  UnitsOfUnknowns units_;
  std::vector<int> diagonal_;  // slots
  Eigen::ArrayXd weights_;     // of columns; none: all are one
};

}  // namespace saltus::linalg
