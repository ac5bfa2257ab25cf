// SPDX-License-Identifier: Apache-2.0
// A part of a system as a system of its own: the same compiled model, without what belongs to other
// components.
#include <algorithm>

#include "saltus/dynamics/compile.hpp"

namespace saltus {
namespace {

/// Elements of a component have all their nodes in it, or on the ground: one that is present is
/// enough to know.
template <class Nodes>
bool has_present(const Nodes& nodes, const std::vector<NodeKind>& kinds) {
  return std::ranges::any_of(
      nodes, [&](int node) { return kinds[static_cast<std::size_t>(node)] != NodeKind::Fixed; });
}

template <Element E>
void keep_present(ElementList<E>& list, const std::vector<NodeKind>& kinds) {
  ElementList<E> kept;
  for (const E& element : list) {
    if (has_present(element.node_ids(), kinds)) kept.push_back(element);
  }
  list = std::move(kept);
}

}  // namespace

System System::part(const std::vector<int>& components) const {
  CompiledModel compiled;
  compiled.origin = origin_;
  compiled.configuration = given_configuration_;
  compiled.node_masses = node_masses_;
  compiled.elements = elements_;
  compiled.node_kinds.assign(nodes_.size(), NodeKind::Fixed);
  compiled.node_velocities.assign(nodes_.size(), Vector6::Zero());
  compiled.node_lengths.assign(nodes_.size(), 0.0);
  compiled.node_heights.assign(nodes_.size(), 0.0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (node.unknowns == 0) continue;
    const int component = component_of(node.first_unknown);
    if (!std::ranges::binary_search(components, component)) continue;
    compiled.node_kinds[n] = node.kind;
    compiled.node_velocities[n] = node.local(given_velocity_);
    compiled.node_lengths[n] = components_[static_cast<std::size_t>(component)].length;
    compiled.node_heights[n] = components_[static_cast<std::size_t>(component)].height;
  }
  ElementLists::for_each(compiled.elements,
                         [&](auto& list) { keep_present(list, compiled.node_kinds); });
  std::erase_if(compiled.elements.joints, [&](const JointEntry& joint) {
    return !has_present(std::array{joint.element.node_A, joint.element.node_B},
                        compiled.node_kinds);
  });
  return {std::move(compiled), gravity_};
}

}  // namespace saltus
