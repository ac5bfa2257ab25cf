// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/elements/element.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// A force at a body-fixed point, or a torque, with components in the inertial frame that depend on
/// time (docs/theory/constrained_dynamics.md, section 4).
struct AppliedLoad {
  enum class Kind { Force, Torque };

  int node = 0;
  Kind kind = Kind::Force;
  Vector3 d = Vector3::Zero();  ///< point of application from the node, body axes, m
  double share = 1;             ///< of the force that acts here
  std::array<CompiledFunction, 3> components;

  Vector3 vector(double t) const;
  Vector6 force(const NodePose& pose, double t) const;
  /// −∂f_Θ/∂Θ, the only block of the tangent that is not zero.
  Matrix3 rotation_tangent(const NodePose& pose, double t) const;

  using View = NodeView;
  struct Forces {
    Vector6 applied;
  };
  std::array<int, 1> node_ids() const { return {node}; }
  Forces forces(const NodeView& at) const;
  bool tangent(const NodeView& at, const TangentFactors& factors, Matrix6& A) const;
};

}  // namespace saltus
