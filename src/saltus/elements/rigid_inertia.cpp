// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/rigid_inertia.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;

Vector6 RigidInertia::force(const Vector6& v, const Vector6& vdot) const {
  const Vector3 Omega = v.tail<3>();
  Vector6 F;
  F.head<3>() = mass * vdot.head<3>();
  F.tail<3>() = tensor * vdot.tail<3>() + Omega.cross(tensor * Omega);  // (4)
  return F;
}

Vector6 RigidInertia::mass_times(const Vector6& v) const {
  Vector6 p;
  p.head<3>() = mass * v.head<3>();
  p.tail<3>() = tensor * v.tail<3>();
  return p;
}

Matrix6 RigidInertia::mass_matrix() const {
  Matrix6 M = Matrix6::Zero();
  M.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  M.bottomRightCorner<3, 3>() = tensor;
  return M;
}

Matrix6 RigidInertia::gyroscopic_matrix(const Vector6& v) const {
  const Vector3 Omega = v.tail<3>();
  Matrix6 C = Matrix6::Zero();
  C.bottomRightCorner<3, 3>() = hat(Omega) * tensor - hat(tensor * Omega);  // (5)
  return C;
}

double RigidInertia::kinetic_energy(const Vector6& v) const { return v.dot(mass_times(v)) / 2; }

RigidInertia::Forces RigidInertia::forces(const NodeView& at) const {
  Forces f{.inertia = force(at.velocity(), at.acceleration()), .gravity = Vector6::Zero()};
  f.gravity.head<3>() = at.input().at.load_factor * mass * at.input().gravity;
  return f;
}

bool RigidInertia::tangent(const NodeView& at, const TangentFactors& factors, Matrix6& A) const {
  A = factors.mass * mass_matrix();
  if (factors.damping != 0) A += factors.damping * gyroscopic_matrix(at.velocity());
  return true;
}

static_assert(MassElement<RigidInertia>);

}  // namespace saltus
