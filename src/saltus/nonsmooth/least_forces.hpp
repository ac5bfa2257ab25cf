// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace saltus::nonsmooth {

/// What a point may exert: one row, f ≥ 0, or three rows (n, t1, t2) in Coulomb's cone.
struct ForceCone {
  int first = 0;  ///< row
  int rows = 1;   ///< 1 or 3
  double mu = 0;  ///< of three rows
};

/// The least forces that do what is asked for, f = argmin |f| such that A f = b and f in the cones,
/// for a matrix of any rank. With y the multipliers of A f = b the forces are P_K(Aᵀy), and y is
/// the maximum of the concave function b·y − |P_K(Aᵀy)|²/2, which Newton's method finds: the
/// projection on a cone is differentiable but on its edges. A proximal term, −δ|y − y₀|²/2, keeps
/// its matrix regular where A is not, and y finite where there are no such forces. Near the limit
/// of what cones can exert y is far away; there the term is made smaller once.
class LeastForces {
 public:
  /// Forces in the cones with A f as near to b as the proximal term lets it be.
  /// @param allowed  largest |A f − b| of a row that is none
  /// @param y        multipliers to start from, and those found; empty: from zero, or none found
  /// @param to_limit whether forces are sought up to the limit of the cones, where y is far away
  /// @returns whether it is not larger
  bool solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
             const std::vector<ForceCone>& cones, double allowed, Eigen::VectorXd& f,
             Eigen::VectorXd& y, bool to_limit = true);
  bool solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
             const std::vector<ForceCone>& cones, double allowed, Eigen::VectorXd& f) {
    Eigen::VectorXd y;
    return solve(A, b, cones, allowed, f, y);
  }

 private:
  double evaluate(const Eigen::VectorXd& y);
  void fill_matrix();
  void maximize(double balance);
  double approach(double wanted);

  const std::vector<ForceCone>* cones_ = nullptr;
  double proximal_ = 0;  // δ
  Eigen::MatrixXd A_, AD_, H_;
  Eigen::VectorXd b_, y_, y_0_, trial_, f_, gradient_, step_;
};

}  // namespace saltus::nonsmooth
