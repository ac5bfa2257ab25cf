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
  NodePose pose;
  pose.x = x + dx;
  pose.orientation = (orientation * lie::so3::exp_quaternion(psi)).normalized();
  pose.R = pose.orientation.toRotationMatrix();
  return pose;
}

}  // namespace saltus
