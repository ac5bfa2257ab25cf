// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "saltus/nonsmooth/contact_solver.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

/// D, b and scales of one contact of three rows between free bodies: what a ContactOperator says of
/// it, under the same names.
class SingleOperator {
 public:
  /// @pre is_single(problem). False if it cannot move, or a number is not finite.
  bool attach(const ContactProblem& problem);

  static bool movable(std::size_t /*c*/) { return true; }
  double rho(std::size_t /*c*/) const { return rho_; }
  const Vector3& b(std::size_t /*c*/) const { return b_; }
  double cone(std::size_t /*c*/) const { return mu_; }
  double reference() const { return reference_; }
  const Matrix3& block() const { return D_; }

 private:
  Matrix3 D_ = Matrix3::Zero();
  Vector3 b_ = Vector3::Zero();
  double mu_ = 0, rho_ = 0, reference_ = 0;
};

/// The problem of a ball on a floor, and of everything else that has one contact without moments
/// between free bodies: open, sticking or sliding, in closed form.
bool is_single(const ContactProblem& problem);

/// Accepts the start if it is the solution to round-off, as every method does; else solves.
/// @param l, w  as of ContactSolver::solve
/// @return false, and nothing has changed, if the solution does not meet the laws to the tolerance:
///         where mobilities are nearly singular.
bool solve_single(const ContactProblem& problem, const SolverOptions& options, Eigen::VectorXd& l,
                  Eigen::VectorXd& w, SolveReport& report);

}  // namespace saltus::nonsmooth
