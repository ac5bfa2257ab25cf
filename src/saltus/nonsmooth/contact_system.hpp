// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/nonsmooth/condensed_system.hpp"
#include "saltus/nonsmooth/contact_operator.hpp"
#include "saltus/nonsmooth/dense_system.hpp"

namespace saltus::nonsmooth {

enum class SystemForm { Automatic, Full, Condensed };

/// The linear systems (B + A D) x = r of Newton's method and of ADMM; A and B have one N × N block
/// a contact, D is the Delassus operator.
///
/// Few contacts: as they stand, a full matrix of N rows a contact. Many: condensed into the
/// unknowns of the bodies, (K + Hᵀ B⁻¹A H) y = Hᵀ B⁻¹ r, x = B⁻¹ (r − A H y), a sparse matrix;
/// needs an invertible B.
template <int N>
class ContactSystem {
 public:
  using Form = SystemForm;
  using Vectors = ContactVectors<N>;
  using Matrices = std::vector<ContactMatrix<N>>;

  /// @return false if the matrix is singular.
  bool factorize(ContactOperator<N>& D, const Matrices& A, const Matrices& B,
                 Form form = Form::Automatic);

  /// @pre factorize() returned true, and D, A, B are unchanged.
  void solve(const Vectors& r, Vectors& x);

  /// K + Σ Fᵀ C H by itself, with the pattern that factorize() keeps.
  CondensedSystem<N>& condensed() { return condensed_; }

  /// What factorize() has for the next problem.
  void archive(Archive& memory) { memory(condensed_); }

 private:
  bool factorize_full();
  bool factorize_condensed();
  void solve_full(const Vectors& r, Vectors& x);
  void solve_condensed(const Vectors& r, Vectors& x);

  ContactOperator<N>* D_ = nullptr;
  const Matrices* A_ = nullptr;
  const Matrices* B_ = nullptr;
  bool full_ = true;
  DenseSystem dense_;
  CondensedSystem<N> condensed_;
  std::vector<double> row_scales_, column_scales_;  // full: one a contact row, one a contact
  Matrices inverse_;                                // condensed: B⁻¹
  Matrices C_;                                      // condensed: B⁻¹A
  std::vector<double> y_;                           // condensed: with a slot for absent unknowns
};

extern template class ContactSystem<3>;
extern template class ContactSystem<6>;

}  // namespace saltus::nonsmooth
