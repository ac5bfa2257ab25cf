// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "saltus/linalg/factorization.hpp"
#include "saltus/linalg/sparse_matrix.hpp"
#include "saltus/nonsmooth/contact_operator.hpp"

namespace saltus::nonsmooth {

/// K + Σ H_cᵀ C_c H_c, factorised: the unknowns of the bodies with the contacts condensed into
/// them. Pattern and symbolic factorisation stay as long as they contain K's pattern and the
/// contacts' couplings.
template <int N>
class CondensedSystem {
 public:
  /// @return false if the matrix is singular.
  bool factorize(const ContactOperator<N>& D, const std::vector<ContactMatrix<N>>& C);

  void solve_in_place(const Eigen::Ref<Eigen::VectorXd>& b) const;

  /// The pattern, and the pivots that Newton's systems keep from call to call.
  void archive(Archive& memory);

 private:
  using Columns = std::array<int, 12>;
  using ScatterMap = std::array<int, 144>;

  void fit_pattern(const ContactOperator<N>& D);
  bool has_pattern_of(const linalg::SparsityPattern& K) const;
  bool find_slots(const ContactOperator<N>& D);
  void rebuild(const ContactOperator<N>& D);
  void build();

  std::vector<int> starts_, rows_;  // K's pattern when the condensed one was made
  std::vector<Columns> couplings_;  // sorted, each once
  std::unique_ptr<linalg::SparsityPattern> pattern_;
  std::unique_ptr<linalg::SparseMatrix> matrix_;
  std::unique_ptr<linalg::Factorization> factorization_;
  std::vector<int> K_slots_;
  std::vector<Columns> map_columns_;  // of each contact's scatter map
  std::vector<ScatterMap> maps_;
};

extern template class CondensedSystem<3>;
extern template class CondensedSystem<6>;

}  // namespace saltus::nonsmooth
