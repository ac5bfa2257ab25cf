// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace saltus::nonsmooth {

/// LU with partial pivoting of a full matrix, in blocks, in a workspace that only grows.
class DenseSystem {
 public:
  /// The matrix to fill before factorize(), n × n.
  Eigen::Map<Eigen::MatrixXd> matrix(Eigen::Index n);

  /// False if a pivot is not above `singular` times the largest entry, or not a number.
  bool factorize(double singular);

  void solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const;

 private:
  bool factorize_panel(Eigen::Index start, Eigen::Index end, double smallest);

  Eigen::Index n_ = 0;
  std::vector<double> values_;
  std::vector<Eigen::Index> pivots_;
};

}  // namespace saltus::nonsmooth
