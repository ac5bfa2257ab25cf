// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/joint_record.hpp"

#include <utility>

#include "saltus/simulation/quantities.hpp"

namespace saltus {

JointReaction joint_reaction(const JointElement& joint, const Configuration& q,
                             const Eigen::Ref<const VectorX>& multiplier) {
  const NodePose& A = q.nodes[static_cast<std::size_t>(joint.node_A)];
  const NodePose& B = q.nodes[static_cast<std::size_t>(joint.node_B)];
  JointElement::RowMatrix G;
  joint.jacobian({A, B}, G);
  const Vector12 f = G.transpose() * multiplier;
  const Vector3 force = f.segment<3>(6);
  return {force, B.R * f.tail<3>() - (B.R * joint.frame_B.d).cross(force)};
}

JointRecord::JointRecord(const System& system)
    : system_(system),
      impulses_(system.elements().joints.size()),
      last_reactions_(system.elements().joints.size()),
      means_(system.elements().joints.size()) {}

JointReaction JointRecord::reaction(std::size_t joint, const State& state,
                                    const VectorX& multiplier) const {
  const JointEntry& entry = system_.elements().joints[joint];
  return joint_reaction(entry.element, state.configuration,
                        multiplier.segment(entry.first_row, entry.element.rows()));
}

void JointRecord::start(const State& state) {
  for (std::size_t i = 0; i < last_reactions_.size(); ++i) {
    if (system_.elements().joints[i].internal) continue;
    last_reactions_[i] = means_[i] = reaction(i, state, state.multiplier);
  }
  last_time_ = state.time;
}

void JointRecord::step(const State& state, const StepReport& step, RunOutput& /*output*/) {
  const auto [alpha_m, alpha_f, gamma] = step.weights;
  const double h = state.time - last_time_;
  for (std::size_t i = 0; i < impulses_.size(); ++i) {
    if (system_.elements().joints[i].internal) continue;
    const JointReaction smooth = reaction(i, state, state.multiplier);
    const JointReaction jump = reaction(i, state, state.impulse);
    for (Vector3 JointReaction::*part : {&JointReaction::force, &JointReaction::torque}) {
      // The first mean is that of the time at which the method has its first acceleration.
      if (is_first_) {
        means_[i].*part += (alpha_m - alpha_f) * (smooth.*part - last_reactions_[i].*part);
      }
      const Vector3 before = means_[i].*part;
      const Vector3 mean = (alpha_f * (last_reactions_[i].*part) + (1 - alpha_f) * (smooth.*part) -
                            alpha_m * before) /
                           (1 - alpha_m);
      impulses_[i].*part += h * ((1 - gamma) * before + gamma * mean) + jump.*part;
      means_[i].*part = mean;
    }
    last_reactions_[i] = smooth;
  }
  is_first_ = false;
  last_time_ = state.time;
}

void JointRecord::row(const State& state, Row& row) {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].internal) continue;
    const OwnerView owner{OwnerKind::Joints, joints[i].name};
    const JointElement& e = joints[i].element;
    const JointReaction now = reaction(i, state, state.reaction);
    const JointReaction impulse = std::exchange(impulses_[i], {});
    row.put(owner, quantities::joint_force, now.force);
    row.put(owner, quantities::joint_torque, now.torque);
    row.put(owner, quantities::joint_impulse, impulse.force);
    row.put(owner, quantities::joint_angular_impulse, impulse.torque);
    if (e.angle) {
      row.put(owner, quantities::joint_angle,
              state.configuration.angles[static_cast<std::size_t>(e.angle_index)]);
    }
    if (e.displacement) {
      row.put(owner, quantities::joint_displacement,
              e.displacement_value(system_.pair(state.configuration, e.node_A, e.node_B)));
    }
  }
}

}  // namespace saltus
