// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/state_formula.hpp"
#include "saltus/model/state_reference.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// Those that a contact's colliders are on.
std::set<int> bodies_of_contact(const Model& model, int contact) {
  std::set<int> bodies;
  for (const ColliderSelection& side : model.contacts[static_cast<std::size_t>(contact)].between) {
    for (const int collider : selected_colliders(model, side)) {
      bodies.insert(model.colliders[static_cast<std::size_t>(collider)].frame.body.index);
    }
  }
  return bodies;
}

bool has_one_node(const Model& model, int body) {
  if (body == ground_body.index) return true;
  const Body& given = model.bodies[static_cast<std::size_t>(body)];
  return std::holds_alternative<RigidBody>(given) || std::holds_alternative<PointMass>(given);
}

}  // namespace

void check_state_formula(const Subject& subject, const std::string& text, const Place& place,
                         std::vector<Issue>& issues) {
  try {
    const StateFormula formula(text);
    for (const std::string& name : formula.states()) state_reference(subject.model, name);
  } catch (const std::invalid_argument& error) {
    issues.push_back({.place = place.text(),
                      .rule = std::string("the formula cannot be read: ") + error.what(),
                      .value = quoted(text)});
  }
}

void check_seen_bodies(const Subject& subject, const Actuator& actuator, const std::string& text,
                       const Place& place, std::vector<Issue>& issues) {
  constexpr std::size_t most = 9;  // StateView::max_nodes
  std::set<int> seen;
  const auto see = [&](int joint) {
    const auto i = static_cast<std::size_t>(joint);
    for (const BodyId body : bodies_of(subject.model.joints[i])) seen.insert(body.index);
  };
  see(actuator.joint.index);
  const StateFormula formula(text);
  for (const std::string& name : formula.states()) {
    const StateReference state = state_reference(subject.model, name);
    if (state.is_of_contact()) {
      for (const int body : bodies_of_contact(subject.model, state.index)) {
        seen.insert(body);
        if (has_one_node(subject.model, body)) continue;
        issues.push_back({.place = place.text(),
                          .rule = "the formula of an actuator sees contacts of rigid bodies and "
                                  "point masses only",
                          .value = fmt::format("\"{}\" of \"{}\"", name,
                                               body_name(subject.model, BodyId{body}))});
        return;
      }
    } else if (state.is_of_joint()) {
      see(state.index);
    } else {
      seen.insert({ground_body.index, state.index});
    }
  }
  if (seen.size() <= most) return;
  issues.push_back({.place = place.text(),
                    .rule = "the formula of an actuator sees at most 9 bodies, ground included",
                    .value = std::to_string(seen.size()),
                    .remedy = "make two actuators of it"});
}

void check_stop(const Model& model, const Dynamics& options, std::vector<Issue>& issues) {
  if (options.stop_when.empty()) return;
  const Place simulation("/simulation");
  const std::size_t before = issues.size();
  check_state_formula({.model = model}, options.stop_when, simulation / "stop_when", issues);
  if (issues.size() > before || StateFormula(options.stop_when).is_condition()) return;
  issues.push_back({.place = "/simulation/stop_when",
                    .rule = "must be a condition, true or false",
                    .value = quoted(options.stop_when),
                    .remedy = "compare: e.g. \"ball.position.z < 0.1\""});
}

}  // namespace saltus
