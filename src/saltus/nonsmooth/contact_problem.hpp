// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "saltus/linalg/factorization.hpp"
#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::nonsmooth {

/// One contact of a problem: three rows (normal, tangent 1, tangent 2) on at most 12 unknowns.
struct ContactRows {
  using Rows = Eigen::Matrix<double, 3, 12>;
  using Response = Eigen::Matrix<double, 12, 3>;

  std::array<int, 12> columns = {};             ///< the unknowns; −1: none
  Rows H = Rows::Zero();                        ///< 0 where there is no unknown
  Response Y = Response::Zero();                ///< K⁻¹Fᵀ on `columns`, if K is local
  Eigen::Vector3d b = Eigen::Vector3d::Zero();  ///< u without reactions
  /// Directions of the reactions where they are not those of the rows: K w = Fᵀ l.
  Rows F = Rows::Zero();
  bool turned = false;  ///< whether F is to be taken
  double mu = 0;        ///< coefficient of friction, ≥ 0

  const Rows& directions() const { return turned ? F : H; }
};

/// The frictional contact problem of one level (positions or velocities) of one step, linear but
/// for the contact laws (docs/theory/frictional_contact.md):
///
///   K w = Fᵀ l,   u = H w + b,   Signorini and Coulomb between l_c and u_c at every contact.
///
/// F is H, or a mean of H over the step. K holds inertia, stiffness, damping and joints: the
/// unknowns are motions first, then the joints' multipliers. At position level u is a gap with the
/// slip over the step (m) and l in kg m; at velocity level u is a velocity and l an impulse.
struct ContactProblem {
  const linalg::SparseMatrix* K = nullptr;
  const linalg::Factorization* factorization = nullptr;  ///< of K; may be null if K is local
  /// Whether K⁻¹Fᵀ of every contact is nonzero on the contact's own columns only (free bodies):
  /// then the contacts bring their Y.
  bool local = false;
  std::vector<ContactRows> contacts = {};

  int size() const { return K->size(); }
  int rows() const { return 3 * static_cast<int>(contacts.size()); }
};

}  // namespace saltus::nonsmooth
