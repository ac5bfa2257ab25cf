// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/elements/contact_memory.hpp"
#include "saltus/elements/node.hpp"

namespace saltus {

/// Where all nodes are; node 0 is the ground.
struct Configuration {
  std::vector<NodePose> nodes = {};
  /// Unwrapped angles of joints at the end of the last step, rad: springs and results take the
  /// branch nearest to them.
  std::vector<double> angles = {};
  /// What compliant contact points remember of the end of the last step.
  std::vector<ContactMemory> contacts = {};

  void archive(Archive& memory) { memory(nodes, angles, contacts); }
};

/// q = q_n ∘ exp(increment), node by node: x = x_n + Δx, R = R_n exp ψ̂. The stored angles and
/// memories are those of q_n. @pre q has as many nodes as q_n.
void advance(const Configuration& q_n, const std::vector<Node>& nodes, const VectorX& increment,
             Configuration& q);

/// T(ψ) of each node for the rotation part of an increment, the identity where a node has none.
void tangent_operators(const std::vector<Node>& nodes, const VectorX& increment,
                       std::vector<Matrix3>& T);

}  // namespace saltus
