// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <suitesparse/klu.h>

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::linalg {

/// Sparse LU of an equilibrated matrix by KLU. Internal to linalg; for the meaning of the functions
/// see Factorization.
class KluLu {
 public:
  /// Work of P A Pᵀ = L U with the minimum degree ordering and pivots from the diagonal.
  struct Estimate {
    double flops = 0;    ///< floating-point operations
    double entries = 0;  ///< of L, about
  };
  static Estimate estimate(const SparsityPattern& pattern);

  explicit KluLu(const SparsityPattern& pattern);

  /// Chooses pivots, the first time also the ordering. False if a pivot is zero.
  bool factorize(const SparseMatrix& B);

  /// Whether the last factorize() left pivots for refactorize().
  bool has_pivots() const { return numeric_ != nullptr; }

  /// Keeps the pivots. False if one is zero.
  bool refactorize(const SparseMatrix& B);

  double smallest_pivot() const;

  void solve_in_place(Eigen::VectorXd& b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;
  void solve_transpose_in_place(Eigen::VectorXd& b) const;

  /// Ordering and pivots. KLU's objects cannot be copied: kept is what they follow from, and
  /// loading factorises once more. A refactorize() after that is left to whoever has the matrix.
  void archive(Archive& memory);
  /// Whether the factors are those of refactorize().
  bool is_refactored() const { return is_refactored_; }

 private:
  struct Free {
    void operator()(klu_symbolic* symbolic) const;
    void operator()(klu_numeric* numeric) const;
  };
  using Symbolic = std::unique_ptr<klu_symbolic, Free>;
  using Numeric = std::unique_ptr<klu_numeric, Free>;

  void analyze(const SparseMatrix& B);
  void try_dissection(const SparseMatrix& B);
  Symbolic ordered() const;
  Symbolic ordered_by(std::vector<int>& order) const;
  Numeric factorize(klu_symbolic& symbolic, std::span<const double> values) const;

  const SparsityPattern* pattern_;
  mutable klu_common common_;
  Symbolic symbolic_;
  Numeric numeric_;
  std::vector<int> dissection_;       // order of the unknowns, if it is that of nested dissection
  std::vector<double> pivot_values_;  // values for which the pivots were chosen
  bool is_refactored_ = false;
};

}  // namespace saltus::linalg
