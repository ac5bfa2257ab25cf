// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/load.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

Vector3 AppliedLoad::vector(double t) const {
  return share * Vector3(components[0].value(t), components[1].value(t), components[2].value(t));
}

Vector6 AppliedLoad::force(const NodePose& pose, double t) const {
  const Vector3 F = vector(t);
  const Vector3 F_body = pose.R.transpose() * F;
  Vector6 f;
  if (kind == Kind::Force) {
    f << F, d.cross(F_body);
  } else {
    f << Vector3::Zero(), F_body;
  }
  return f;
}

Matrix3 AppliedLoad::rotation_tangent(const NodePose& pose, double t) const {
  const Matrix3 F_hat = lie::hat(pose.R.transpose() * vector(t));
  if (kind == Kind::Force) return -lie::hat(d) * F_hat;
  return -F_hat;
}

}  // namespace saltus
