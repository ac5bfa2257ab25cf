// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {

/// Anderson's acceleration of an iteration x → G(x): the next x is the combination of the last
/// results for which the change f = G(x) − x, as far as it is linear, is smallest.
class Anderson {
 public:
  /// Forgets everything. @param size  of x.
  void start(Eigen::Index size);

  /// @param x  in: where the iteration was applied; out: where to apply it next.
  /// @param G  its result there.
  /// Returns false, and leaves x, where the changes grew: the results before mislead.
  bool propose(Eigen::VectorXd& x, const Eigen::VectorXd& G);

 private:
  static constexpr int depth = SweepTuning::anderson_depth;
  void remember(const Eigen::VectorXd& G);
  void combine(Eigen::VectorXd& x, const Eigen::VectorXd& G) const;

  Eigen::MatrixXd dF_, dG_;  // differences of f and G between successive calls, a column each
  Eigen::Matrix<double, depth, depth> gram_;  // dFᵀ dF
  Eigen::VectorXd f_, last_f_, last_G_;
  int columns_ = 0, next_ = 0;
  bool has_last_ = false;
  double smallest_ = 0;  // ‖f‖ so far
};

}  // namespace saltus::nonsmooth
