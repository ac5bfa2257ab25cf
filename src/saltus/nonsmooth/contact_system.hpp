// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/nonsmooth/condensed_system.hpp"
#include "saltus/nonsmooth/contact_operator.hpp"
#include "saltus/nonsmooth/dense_system.hpp"

namespace saltus::nonsmooth {

/// The linear systems (B + A D) x = r of Newton's method and of ADMM; A and B have one 3 × 3 block
/// a contact, D is the Delassus operator.
///
/// Few contacts: as they stand, a full matrix of three rows a contact. Many: condensed into the
/// unknowns of the bodies, (K + Hᵀ B⁻¹A H) y = Hᵀ B⁻¹ r, x = B⁻¹ (r − A H y), a sparse matrix;
/// needs an invertible B.
class ContactSystem {
 public:
  enum class Form { Automatic, Full, Condensed };

  /// @return false if the matrix is singular.
  bool factorize(ContactOperator& D, const std::vector<Matrix3>& A, const std::vector<Matrix3>& B,
                 Form form = Form::Automatic);

  /// @pre factorize() returned true, and D, A, B are unchanged.
  void solve(const ContactVectors& r, ContactVectors& x);

 private:
  bool factorize_full();
  bool factorize_condensed();
  void solve_full(const ContactVectors& r, ContactVectors& x);
  void solve_condensed(const ContactVectors& r, ContactVectors& x);

  ContactOperator* D_ = nullptr;
  const std::vector<Matrix3>* A_ = nullptr;
  const std::vector<Matrix3>* B_ = nullptr;
  bool full_ = true;
  DenseSystem dense_;
  CondensedSystem condensed_;
  std::vector<double> row_scales_, column_scales_;  // full: one a contact row, one a contact
  std::vector<Matrix3> inverse_;                    // condensed: B⁻¹
  std::vector<Matrix3> C_;                          // condensed: B⁻¹A
  std::vector<double> y_;                           // condensed: with a slot for absent unknowns
};

}  // namespace saltus::nonsmooth
