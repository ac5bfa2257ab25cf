// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/elements/element.hpp"
#include "saltus/model/force.hpp"

namespace saltus {

/// A force by the user's own law between two frames; the reaction acts on the same line
/// (docs/theory/constrained_dynamics.md, section 4). Without a law it does nothing.
struct UserForceElement {
  std::string name = {};
  int node_A = 0, node_B = 0;
  FrameOnNode frame_A = {}, frame_B = {};
  Vector3 origin =
      Vector3::Zero();  ///< where positions count from: the law gets those of the model
  ForceLaw law = {};

  struct Tangents {
    Matrix12 K = Matrix12::Zero(), C = Matrix12::Zero();  ///< −∂f/∂q and −∂f/∂v
  };

  /// @throws InputError if the law's force or torque is not finite at a finite motion.
  Vector12 force(const NodePair& pair, const Vector12& v, double t) const;
  /// By differences: the law is called 25 times.
  Tangents tangents(const NodePair& pair, const Vector12& v, double t) const;

  using View = PairView;
  struct Forces {
    Vector12 applied;
  };
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  Forces forces(const PairView& at) const;
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
};

}  // namespace saltus
