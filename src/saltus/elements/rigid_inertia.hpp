// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/element.hpp"

namespace saltus {

/// Inertia of a rigid body whose node is at its centre of mass: the mass matrix diag(m I, J) is
/// constant (docs/theory/constrained_dynamics.md, eq. 3–5).
struct RigidInertia {
  int node = 0;
  double mass = 0;                   ///< kg
  Matrix3 tensor = Matrix3::Zero();  ///< about the node, body axes, kg m²; zero for a point mass

  /// M v̇ + (0, Ω × J Ω)
  Vector6 force(const Vector6& v, const Vector6& vdot) const;
  Vector6 mass_times(const Vector6& v) const;
  Matrix6 mass_matrix() const;
  /// ∂force/∂v
  Matrix6 gyroscopic_matrix(const Vector6& v) const;
  double kinetic_energy(const Vector6& v) const;

  using View = NodeView;
  struct Forces {
    Vector6 inertia, gravity;
  };
  std::array<int, 1> node_ids() const { return {node}; }
  Forces forces(const NodeView& at) const;
  Vector6 momentum(const NodeView& at) const { return mass_times(at.velocity()); }
  double kinetic_energy(const NodeView& at) const { return kinetic_energy(at.velocity()); }
  double gravity_energy(const NodeView& at) const {
    return -(mass * at.input().gravity.dot(at.pose().x));
  }
  bool tangent(const NodeView& at, const TangentFactors& factors, Matrix6& A) const;
};

}  // namespace saltus
