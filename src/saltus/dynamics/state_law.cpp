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

/// One for each of the contact's points.
std::vector<StateCoordinate> contact_coordinates(const StateReference& state,
                                                 const ElementLists& elements) {
  std::vector<StateCoordinate> points;
  for (const CompliantContact& e : elements.compliant) {
    const ContactEntry& entry = elements.contacts.listed[static_cast<std::size_t>(e.listed)];
    if (entry.contact != state.index) continue;
    const auto kind = state.kind == Kind::ContactForce ? ContactReading::Kind::Force
                                                       : ContactReading::Kind::Indentation;
    points.push_back({.node_A = e.contact.node_A,
                      .node_B = e.contact.node_B,
                      .coordinate = ContactReading{.contact = e,
                                                   .kind = kind,
                                                   .component = state.component,
                                                   .sign = entry.surface_is_first ? 1.0 : -1.0}});
  }
  return points;
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
  const std::vector<std::string>& names = law.formula.states();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const StateReference state = state_reference(model, names[i]);
    const auto add = [&](const StateCoordinate& c) {
      const int a = place_of(c.node_A, nodes), b = place_of(c.node_B, nodes);
      law.terms.push_back({c, a, b, static_cast<int>(i)});
    };
    if (state.is_of_contact()) {
      for (const StateCoordinate& c : contact_coordinates(state, elements)) add(c);
    } else {
      add(state.is_of_joint() ? joint_coordinate(state, elements)
                              : body_coordinate(state, elements, origin));
    }
  }
  return law;
}

}  // namespace saltus
