// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/node.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

NodePose NodePose::from(const Vector3& position, const Matrix3& rotation) {
  NodePose pose;
  pose.x = position;
  pose.orientation = Quaternion(rotation).normalized();
  pose.R = pose.orientation.toRotationMatrix();
  return pose;
}

NodePose NodePose::moved(const Vector3& dx, const Vector3& psi) const {
  if (psi.isZero(0)) return translated(dx);  // normalising again would change the last digit
  NodePose pose;
  pose.x = x + dx;
  pose.orientation = (orientation * lie::so3::exp_quaternion(psi)).normalized();
  pose.R = pose.orientation.toRotationMatrix();
  return pose;
}

Node Node::make(NodeKind kind, int first) {
  switch (kind) {
    case NodeKind::Fixed:
      break;
    case NodeKind::Point:
      return {kind, first, 3};
    case NodeKind::Frame:
      return {kind, first, 6};
  }
  return {};
}

std::string Node::unknown_name(int i) const {
  return std::string(is_rotation(i) ? "rotation " : "translation ") + "xyz"[i % 3];
}

void Node::advance(const NodePose& start, const VectorX& increment, NodePose& end) const {
  const int k = first_unknown;
  switch (kind) {
    case NodeKind::Fixed:
      break;
    case NodeKind::Point:
      end = start.translated(increment.segment<3>(k));
      break;
    case NodeKind::Frame:
      end = start.moved(increment.segment<3>(k), increment.segment<3>(k + 3));
      break;
  }
}

void Node::set_tangent_operator(const VectorX& increment, Matrix3& T) const {
  if (turns()) T = lie::so3::tangent(increment.segment<3>(first_unknown + 3));
}

}  // namespace saltus
