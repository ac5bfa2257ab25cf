// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/configuration.hpp"

namespace saltus {

void advance(const Configuration& q_n, const std::vector<Node>& nodes, const VectorX& increment,
             Configuration& q) {
  q.angles = q_n.angles;
  q.contacts = q_n.contacts;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].advance(q_n.nodes[i], increment, q.nodes[i]);
  }
}

void tangent_operators(const std::vector<Node>& nodes, const VectorX& increment,
                       std::vector<Matrix3>& T) {
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].set_tangent_operator(increment, T[i]);
}

}  // namespace saltus
