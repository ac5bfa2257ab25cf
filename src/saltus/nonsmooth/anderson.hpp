// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/nonsmooth/lane_sweeps.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {

/// Anderson's acceleration of sweeps l → G(l): the next l is the combination of the last results
/// for which the change g = G(l) − l, as far as it is linear, is smallest. The bodies' motions,
/// linear in the reactions, are combined with them.
template <int N>
class Anderson {
 public:
  using Sweeps = LaneSweeps<double, N>;

  /// Forgets everything.
  void start(const Sweeps& sweeps);

  /// After a sweep: puts the reactions and motions where to go on. Returns false, and leaves them,
  /// where the changes grew: the results before mislead.
  bool extrapolate(Sweeps& sweeps, double square_of_change);

  /// After Sweeps::take(): the origin of the motions has moved.
  void move_origin(const Sweeps& sweeps);

 private:
  static constexpr int depth = SweepTuning::anderson_depth;
  void remember(Sweeps& sweeps);
  void combine(Sweeps& sweeps);

  // Differences of g, l and w between successive sweeps, and what the last sweep left.
  std::vector<double> dg_[depth], dl_[depth], dw_[depth], last_g_, last_l_, last_w_;
  Eigen::Matrix<double, depth, depth> gram_;  // dgᵀ dg
  int columns_ = 0, next_ = 0;
  bool has_last_ = false;
  double smallest_ = 0;  // ‖g‖² so far
};

extern template class Anderson<3>;
extern template class Anderson<6>;

}  // namespace saltus::nonsmooth
