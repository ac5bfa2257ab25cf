// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/joint_reaction.hpp"

#include <algorithm>

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

void add_joint_reactions(const System& system, const Configuration& q, const VectorX& multiplier,
                         double weight, std::vector<JointReaction>& sums) {
  const std::vector<JointEntry>& joints = system.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointElement& e = joints[i].element;
    if (e.rows() == 0) continue;
    const JointReaction one =
        joint_reaction(e, q, multiplier.segment(joints[i].first_row, e.rows()));
    sums[i].force += weight * one.force;
    sums[i].torque += weight * one.torque;
  }
}

void add_stop_reaction(const System& system, const ContactEntry& stop, const Configuration& q,
                       double impulse, std::vector<JointReaction>& sums) {
  const ContactElement& e = stop.element;
  const bool is_reversed = e.stop()->is_reversed;
  const int at = is_reversed ? 0 : 6;
  const Vector12 f = impulse * e.stop()->gradient(system.pair(q, e.node_A, e.node_B)).transpose();
  const Matrix3& R = q.nodes[static_cast<std::size_t>(is_reversed ? e.node_A : e.node_B)].R;
  const Vector3 force = f.segment<3>(at);
  const Vector3 arm = R * (is_reversed ? e.frame_A : e.frame_B).d;
  const auto joint =
      system.elements().contacts.groups[static_cast<std::size_t>(stop.contact)].joint;
  const std::vector<JointEntry>& joints = system.elements().joints;
  const auto i = std::ranges::find(joints, joint, &JointEntry::joint) - joints.begin();
  JointReaction& sum = sums[static_cast<std::size_t>(i)];
  sum.force += force;
  sum.torque += R * f.segment<3>(at + 3) - arm.cross(force);
}

}  // namespace saltus
