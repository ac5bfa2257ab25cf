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

AppliedLoad::Forces AppliedLoad::forces(const NodeView& at) const {
  const Instant& instant = at.input().at;
  return {instant.load_factor * force(at.pose(), instant.time)};
}

bool AppliedLoad::tangent(const NodeView& at, const TangentFactors& factors, Matrix6& A) const {
  if (factors.stiffness == 0) return false;
  const Instant& instant = at.input().at;
  A.setZero();
  A.bottomRightCorner<3, 3>() =
      factors.stiffness * instant.load_factor * rotation_tangent(at.pose(), instant.time);
  if (const Matrix3* T = at.tangent_operator()) A.bottomRightCorner<3, 3>() *= *T;
  return true;
}

static_assert(Element<AppliedLoad>);

}  // namespace saltus
