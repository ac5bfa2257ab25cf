// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "saltus/linalg/factorization.hpp"
#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus::nonsmooth {

/// One contact of a problem on at most 12 unknowns: rows (n, t1, t2), and where moments resist
/// rotation (s, r1, r2) besides: spinning about the normal and rolling about two tangents, times a
/// length, so that all rows have the same unit.
struct ContactRows {
  using Rows = Eigen::Matrix<double, 6, 12>;
  using Response = Eigen::Matrix<double, 12, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  std::array<int, 12> columns = {};  ///< the unknowns; −1: none
  Rows H = Rows::Zero();             ///< 0 where there is no unknown
  Response Y = Response::Zero();     ///< K⁻¹Fᵀ on `columns`, if K is local
  Vector6 b = Vector6::Zero();       ///< u without reactions
  /// Directions of the reactions where they are not those of the rows: K w = Fᵀ l.
  Rows F = Rows::Zero();
  bool turned = false;  ///< whether F is to be taken
  // Bounds of the reactions over the normal one, ≥ 0:
  double mu = 0;    ///< ‖(l_t1, l_t2)‖ ≤ μ l_n
  double spin = 0;  ///< |l_s| ≤ spin · l_n
  double roll = 0;  ///< ‖(l_r1, l_r2)‖ ≤ roll · l_n
  /// Coulomb–Contensou: sliding and spinning share one bound, ‖(l_t1, l_t2, l_s)‖ ≤ μ l_n; `spin`
  /// is not used.
  bool coupled = false;

  /// Whether the normal reaction is given, `load` ≥ 0: row n of H and F is 0, and the operator puts
  /// a spring there that `load` compresses to the gap 0 (constrained_dynamics.md, section 6).
  bool is_loaded = false;
  double load = 0;

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
  /// Whether the contacts have six rows; else the last three are not looked at.
  bool moments = false;
  std::vector<ContactRows> contacts = {};

  int size() const { return K->size(); }
  int rows_per_contact() const { return moments ? 6 : 3; }
  int rows() const { return rows_per_contact() * static_cast<int>(contacts.size()); }
};

}  // namespace saltus::nonsmooth
