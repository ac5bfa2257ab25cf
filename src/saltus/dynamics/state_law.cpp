// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/state_law.hpp"

#include <algorithm>

#include "saltus/model/state_reference.hpp"

namespace saltus {
namespace {

using Kind = StateReference::Kind;

StateCoordinate joint_coordinate(const StateReference& state, const ElementLists& elements) {
  const auto entry =
      std::find_if(elements.joints.begin(), elements.joints.end(),
                   [&](const JointEntry& joint) { return joint.joint == state.index; });
  const JointElement& joint = entry->element;
  StateCoordinate c{.node_A = joint.node_A, .node_B = joint.node_B};
  c.is_rate = state.kind == Kind::AngleRate || state.kind == Kind::DisplacementRate;
  if (state.kind == Kind::Angle || state.kind == Kind::AngleRate) {
    c.coordinate = *joint.angle;
    c.offset = joint.angle_offset;
    c.angle = joint.angle_index;
  } else {
    c.coordinate = *joint.displacement;
    c.offset = joint.displacement_offset;
  }
  return c;
}

StateCoordinate body_coordinate(const StateReference& state, const ElementLists& elements,
                                const Vector3& origin) {
  const BodyEntry& body = elements.bodies[static_cast<std::size_t>(state.index)];
  StateCoordinate c{.node_A = 0, .node_B = body.node};
  if (state.kind == Kind::Spin) {
    c.coordinate = SpinComponent{state.component};
    return c;
  }
  c.coordinate = Dot2{Vector3::Unit(state.component), Vector3::Zero(), body.origin};
  c.is_rate = state.kind == Kind::Velocity;
  c.offset = -origin[state.component];
  return c;
}

int place_of(int node, std::vector<int>& nodes) {
  const auto found = std::find(nodes.begin(), nodes.end(), node);
  const int place = static_cast<int>(found - nodes.begin());
  if (found == nodes.end()) nodes.push_back(node);
  return place;
}

}  // namespace

StateLaw make_state_law(const Model& model, const ElementLists& elements, const Vector3& origin,
                        const std::string& text, std::vector<int>& nodes) {
  StateLaw law{StateFormula(text)};
  for (const std::string& name : law.formula.states()) {
    const StateReference state = state_reference(model, name);
    const StateCoordinate c = state.is_of_joint() ? joint_coordinate(state, elements)
                                                  : body_coordinate(state, elements, origin);
    const int a = place_of(c.node_A, nodes), b = place_of(c.node_B, nodes);
    law.terms.push_back({c, a, b});
  }
  return law;
}

}  // namespace saltus
