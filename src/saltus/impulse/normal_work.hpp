// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_flow.hpp"
#include "saltus/impulse/path_state.hpp"

namespace saltus::impulse {

/// The least work of a group so far, J, and its normal impulse then, N s: compression ends there.
struct LeastWork {
  double work = 0, impulse = 0;
};

/// What is compared to find the ends of compression and of a group: its normal work, (14) or (23),
/// and the impulse of Poisson's law.
class NormalWorkMeasure {
 public:
  NormalWorkMeasure(const ImpactSystem& system, NormalWork kind, const VectorX& u);

  double work(const PathState& state, int group) const;
  /// dW/dp, linear in u while the flow is the same.
  double rate(const Eigen::Ref<const VectorX>& u, const Flow& flow, int group) const;
  double impulse(const PathState& state, int group) const;
  double impulse_rate(const Flow& flow, int group) const;

 private:
  double form(const Eigen::Ref<const VectorX>& u, const Eigen::Ref<const VectorX>& w,
              int group) const;

  const ImpactSystem& system_;
  NormalWork kind_;
  VectorX u_0_;
  std::vector<MatrixX> forms_;  ///< symmetric: W = ½ uᵀ F u between u(0) and u
};

}  // namespace saltus::impulse
