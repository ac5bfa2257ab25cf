// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/element.hpp"

namespace saltus {

/// A six-component spring and damper between two frames. Its deformation is the place of frame B's
/// origin in the axes of frame A and the rotation vector from A to B, less their values at rest:
/// objective, and a rigid motion of both frames does nothing
/// (docs/theory/constrained_dynamics.md, section 4). With rotational stiffness or damping the
/// relative rotation must stay below π; without them it may be anything.
struct BushingElement {
  int node_A = 0, node_B = 0;
  FrameOnNode frame_A = {}, frame_B = {};
  Vector6 stiffness = Vector6::Zero();  ///< translations first
  Vector6 damping = Vector6::Zero();
  Vector6 rest = Vector6::Zero();

  struct Forces {
    Vector12 elastic, damping;
  };
  struct Tangents {
    Matrix12 K, C;  ///< −∂f/∂q and −∂f/∂v
  };

  Vector6 deformation(const NodePair& pair) const;  ///< (d, ψ) − rest
  double energy(const NodePair& pair) const;
  Forces forces(const NodePair& pair, const Vector12& v) const;
  Tangents tangents(const NodePair& pair, const Vector12& v) const;

  using View = PairView;
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  Forces forces(const PairView& at) const { return forces(at.poses(), at.velocity()); }
  double elastic_energy(const PairView& at) const { return energy(at.poses()); }
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
};

}  // namespace saltus
