// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <limits>
#include <vector>

namespace saltus::linalg {

/// The solution of least norm of A x = b, in the least-squares sense where there is none, for a
/// matrix of small rank r: O(m n r), by a pivoted QR decomposition that ends where columns vanish.
/// A square matrix that is clearly regular is solved by elimination, which costs a third.
class MinimumNorm {
 public:
  /// @param threshold  columns below this fraction of the largest are dependent on the others
  /// @param most_rank  what the rank cannot exceed; if it is less than n, A is known to be singular
  void compute(const Eigen::MatrixXd& A, double threshold,
               Eigen::Index most_rank = std::numeric_limits<Eigen::Index>::max());
  Eigen::Index rank() const { return rank_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// An orthonormal basis of what A takes to zero, n columns less the rank.
  Eigen::MatrixXd null_space() const;

 private:
  bool eliminate(const Eigen::MatrixXd& A);

  bool regular_ = false;
  Eigen::PartialPivLU<Eigen::MatrixXd> LU_;  // of a regular matrix
  Eigen::MatrixXd QR_;                       // reflections below the diagonal
  Eigen::VectorXd coefficients_;
  std::vector<Eigen::Index> columns_;  // in the order of the pivots
  Eigen::Index rank_ = 0;
  Eigen::HouseholderQR<Eigen::MatrixXd> rows_;  // of Rᵀ
};

}  // namespace saltus::linalg
