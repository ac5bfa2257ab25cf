// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Force and torque (about the joint's point) of a joint on its second body, inertial components;
/// or their impulses.
struct JointReaction {
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();

  void archive(Archive& memory) { memory(force, torque); }
};
JointReaction joint_reaction(const JointElement& joint, const Configuration& q,
                             const Eigen::Ref<const VectorX>& multiplier);

/// Adds `weight` times the reactions of all joints of the system at q, in the system's order: so
/// what they give is summed along the axes along which it acts. That of a screw has three entries.
void add_joint_reactions(const System& system, const Configuration& q, const VectorX& multiplier,
                         double weight, std::vector<JointReaction>& sums);

/// Adds what a stop of a joint gives to it, of the force or impulse along the stop's gap.
void add_stop_reaction(const System& system, const ContactEntry& stop, const Configuration& q,
                       double impulse, std::vector<JointReaction>& sums);

}  // namespace saltus
