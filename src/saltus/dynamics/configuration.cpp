// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/configuration.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {

void advance(const Configuration& q_n, const std::vector<Node>& nodes, const VectorX& increment,
             Configuration& q) {
  q.angles = q_n.angles;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int k = nodes[i].first_unknown;
    if (nodes[i].unknowns == 6) {
      q.nodes[i] = q_n.nodes[i].moved(increment.segment<3>(k), increment.segment<3>(k + 3));
    } else if (nodes[i].unknowns == 3) {
      q.nodes[i] = q_n.nodes[i].translated(increment.segment<3>(k));
    }
  }
}

void tangent_operators(const std::vector<Node>& nodes, const VectorX& increment,
                       std::vector<Matrix3>& T) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].unknowns != 6) continue;
    T[i] = lie::so3::tangent(increment.segment<3>(nodes[i].first_unknown + 3));
  }
}

}  // namespace saltus
