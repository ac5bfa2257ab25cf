// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <variant>

#include "saltus/linalg/dense_lu.hpp"
#include "saltus/linalg/equilibration.hpp"
#include "saltus/linalg/factorization.hpp"
#include "saltus/linalg/klu_lu.hpp"
#include "saltus/linalg/mumps_lu.hpp"

namespace saltus::linalg {

/// LU of one matrix as a whole: scaling, method, ordering, pivots. Internal to linalg; for the
/// meaning of the functions see Factorization.
class ConnectedLu {
 public:
  ConnectedLu(const SparsityPattern& pattern, const FactorizationOptions& options);

  void set_units(UnitsOfUnknowns units) { equilibration_.set_units(std::move(units)); }

  FactorizationReport factorize(const SparseMatrix& A);

  void solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const;
  void solve_columns_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  const FactorizationCounts& counts() const { return counts_; }

  void archive(Archive& memory);

 private:
  // Each gives the report of the new factors, Singular if there are none.
  FactorizationReport renew(const SparseMatrix& A);  // with the old pivots if they are good
  FactorizationReport with_old_pivots(const SparseMatrix& A);
  FactorizationReport with_new_pivots(const SparseMatrix& A);

  void set_method(std::size_t index);  // index: in lu_

  // New factors in lu_. False if a pivot is zero.
  bool factorize_scaled();

  // Whether the matrix may be singular in spite of its pivots. MUMPS compares a pivot with its row
  // only, so that a tiny one can hide as the product of several. @pre report() has set work_.
  bool is_doubtful() const;

  double smallest_pivot() const;
  double backward_error() const;
  FactorizationReport report() const;

  // b ← B⁻¹ b with the equilibrated matrix B.
  void solve(Eigen::VectorXd& b) const;

  // Calls `function` with the method in use. @pre there is one.
  template <class Function>
  auto visit_lu(Function function) const {
    if (const auto* dense = std::get_if<DenseLu>(&lu_)) return function(*dense);
    if (const auto* mumps = std::get_if<MumpsLu>(&lu_)) return function(*mumps);
    return function(std::get<KluLu>(lu_));
  }

  const SparsityPattern* pattern_;
  FactorizationOptions options_;
  FactorizationCounts counts_;
  Equilibration equilibration_;
  std::variant<std::monostate, DenseLu, KluLu, MumpsLu> lu_;
  double error_with_new_pivots_ = 0;
  bool has_factors_ = false;  // whether the last report was Ok
  Eigen::VectorXd probe_;
  mutable Eigen::VectorXd work_;
  mutable Eigen::VectorXd residual_;
};

}  // namespace saltus::linalg
