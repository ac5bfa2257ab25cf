// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/joint_impulses.hpp"

namespace saltus {
namespace {

constexpr Vector3 JointReaction::*parts[] = {&JointReaction::force, &JointReaction::torque};

}  // namespace

JointImpulses::JointImpulses(const System& system)
    : system_(system),
      last_reactions_(system.elements().joints.size()),
      means_(last_reactions_.size()) {}

JointReaction JointImpulses::reaction(std::size_t i, const Configuration& q,
                                      const VectorX& multiplier) const {
  const JointEntry& entry = system_.elements().joints[i];
  const int rows = entry.element.rows();
  if (rows == 0 || entry.is_internal()) return {};
  return joint_reaction(entry.element, q, multiplier.segment(entry.first_row, rows));
}

/// What the last correction of velocities added.                                            (11)
JointReaction JointImpulses::correction(std::size_t i, const State& state,
                                        const StepReport& step) const {
  JointReaction jump = reaction(i, state.configuration, state.impulse);
  if (step.joints_along_mean.empty() || step.joints_along_mean[i] == 0) return jump;
  const JointReaction at_start = reaction(i, last_, state.impulse);
  for (Vector3 JointReaction::*part : parts) jump.*part = (jump.*part + at_start.*part) / 2;
  return jump;
}

void JointImpulses::start(const State& state) {
  go_on(state, state.multiplier);
  begins_ = true;
}

void JointImpulses::go_on(const State& state, const VectorX& smooth) {
  for (std::size_t i = 0; i < means_.size(); ++i) {
    last_reactions_[i] = reaction(i, state.configuration, state.multiplier);
    means_[i] = reaction(i, state.configuration, smooth);
  }
  last_ = state.configuration;
  begins_ = false;
}

void JointImpulses::step(const State& state, const StepReport& step, double h,
                         std::vector<JointReaction>& sums) {
  if (means_.empty()) return;
  const auto [alpha_m, alpha_f, gamma, stretch] = step.weights;
  const bool renewed = !step.smooth_multiplier.empty();
  const auto rows = [&](std::span<const double> values) {
    return Eigen::Map<const VectorX>(values.data(), system_.constraints());
  };
  if (renewed) {  // the multipliers of the step, and with which means the next one begins
    smooth_ = rows(step.smooth_multiplier);
    ahead_ = state.multiplier + rows(step.multiplier_ahead);
  }
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (system_.elements().joints[i].is_internal()) continue;
    const JointReaction next = reaction(i, state.configuration, state.multiplier);
    if (step.is_summed(i)) {
      for (Vector3 JointReaction::*part : parts) sums[i].*part += step.joint_impulses[i].*part;
      means_[i] = step.joint_means[i];
      last_reactions_[i] = next;
      continue;
    }
    const JointReaction smooth = renewed ? reaction(i, state.configuration, smooth_) : next;
    const JointReaction jump = correction(i, state, step);
    for (Vector3 JointReaction::*part : parts) {
      // The first mean is that of the time at which the method has its first acceleration.
      if (begins_) {
        means_[i].*part += (alpha_m - alpha_f) * (smooth.*part - last_reactions_[i].*part);
      }
      const Vector3 last = last_reactions_[i].*part;
      if (stretch != 1 && !begins_) means_[i].*part = last + stretch * (means_[i].*part - last);
      const Vector3 before = means_[i].*part;
      const Vector3 mean =
          (alpha_f * last + (1 - alpha_f) * (smooth.*part) - alpha_m * before) / (1 - alpha_m);
      sums[i].*part += h * ((1 - gamma) * before + gamma * mean) + jump.*part;
      means_[i].*part = mean;
    }
    last_reactions_[i] = next;
    const bool is_new = next.force != smooth.force || next.torque != smooth.torque;
    if (is_new) means_[i] = reaction(i, state.configuration, ahead_);
  }
  begins_ = false;
  last_ = state.configuration;
}

}  // namespace saltus
