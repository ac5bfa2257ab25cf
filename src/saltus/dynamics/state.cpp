// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/state.hpp"

#include <algorithm>

namespace saltus {

const ContactState* State::contact(ContactIndex index) const {
  // Where all points of a short list are closed, each stands at its own number.
  const auto own = static_cast<std::size_t>(index);
  if (own < contacts.size() && contacts[own].contact == index) return &contacts[own];
  const auto found =
      std::lower_bound(contacts.begin(), contacts.end(), index,
                       [](const ContactState& state, ContactIndex i) { return state.contact < i; });
  return found != contacts.end() && found->contact == index ? &*found : nullptr;
}

void State::accumulate_rotations(const std::vector<Node>& nodes, const Configuration& q_n,
                                 const VectorX& increment) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].turns()) continue;
    rotation[i] += q_n.nodes[i].R * increment.segment<3>(nodes[i].first_unknown + 3);
  }
}

}  // namespace saltus
