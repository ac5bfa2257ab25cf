// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/dynamics/state.hpp"
#include "saltus/integrators/step_report.hpp"

namespace saltus {

/// What joints give to their second bodies in a step, N s and N m s: the smooth forces as the
/// method weighs them, so that the sum is the momentum that was given, and the corrections, each
/// along the axes along which it acted. (docs/theory/nonsmooth_generalized_alpha.md, section 7)
class JointImpulses {
 public:
  /// @param system  must live longer
  explicit JointImpulses(const System& system);

  /// A run begins here.
  void start(const State& state);
  /// A method is at work already: the smooth multipliers at the time at which it has its a_n.
  void go_on(const State& state, const VectorX& smooth);
  /// Adds what a step of length h gave, to each joint of the system in its order.
  void step(const State& state, const StepReport& step, double h, std::vector<JointReaction>& sums);

  /// With which the next step begins.
  const std::vector<JointReaction>& means() const { return means_; }

  void archive(Archive& memory) { memory(last_reactions_, means_, last_, begins_); }

 private:
  JointReaction reaction(std::size_t i, const Configuration& q, const VectorX& multiplier) const;
  JointReaction correction(std::size_t i, const State& state, const StepReport& step) const;

  const System& system_;
  /// Of joints: the last smooth ones, and their means in the sense of ForceWeights.
  std::vector<JointReaction> last_reactions_, means_;
  Configuration last_;
  bool begins_ = true;  ///< the means are those of the smooth motion's beginning
  VectorX smooth_, ahead_;
};

}  // namespace saltus
