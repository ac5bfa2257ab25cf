// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/state_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "saltus/core/input_error.hpp"

namespace saltus {
namespace {

using StateKind = StateReference::Kind;

[[noreturn]] void refuse(const std::string& rule, const std::string& word,
                         const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  throw std::invalid_argument(near.empty()
                                  ? fmt::format("{}; known are {}", rule, fmt::join(known, ", "))
                                  : fmt::format("{}; did you mean \"{}\"?", rule, near));
}

template <class List>
int index_of(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (name_of(list[i]) == name) return static_cast<int>(i);
  }
  return -1;
}

StateReference of_joint(const Joint& joint, int index, const std::string& word,
                        const std::string& name) {
  std::vector<std::string> known;
  if (has_angle(joint)) known.emplace_back("angle");
  if (has_displacement(joint)) known.emplace_back("displacement");
  if (!known.empty()) known.emplace_back("rate");
  if (known.empty()) {
    throw std::invalid_argument(
        fmt::format("\"{}\": a {} joint has no coordinate for formulas", name, type_of(joint)));
  }
  if (std::find(known.begin(), known.end(), word) == known.end()) {
    refuse(fmt::format("\"{}\": the {} joint has no \"{}\"", name, type_of(joint), word), word,
           known);
  }
  if (word == "angle") return {StateKind::Angle, index};
  if (word == "displacement") return {StateKind::Displacement, index};
  return {has_angle(joint) ? StateKind::AngleRate : StateKind::DisplacementRate, index};
}

StateReference of_body(const Body& body, int index, const std::string& words,
                       const std::string& name) {
  const bool turns = std::holds_alternative<RigidBody>(body);
  if (!turns && !std::holds_alternative<PointMass>(body)) {
    throw std::invalid_argument(fmt::format(
        "\"{}\": formulas know rigid bodies and point masses, no {}", name, type_of(body)));
  }
  const std::size_t dot = words.find('.');
  const std::string word = words.substr(0, dot);
  std::vector<std::string> known = {"position", "velocity"};
  if (turns) known.emplace_back("angular_velocity");
  const auto found = std::find(known.begin(), known.end(), word);
  if (found == known.end()) {
    refuse(fmt::format("\"{}\": the body has no \"{}\"", name, word), word, known);
  }
  const std::string axis = dot == std::string::npos ? "" : words.substr(dot + 1);
  if (axis != "x" && axis != "y" && axis != "z") {
    throw std::invalid_argument(fmt::format("\"{}\": .x, .y or .z must follow", name));
  }
  constexpr StateKind kinds[] = {StateKind::Position, StateKind::Velocity, StateKind::Spin};
  return {kinds[found - known.begin()], index, axis[0] - 'x'};
}

StateReference of_contact(const Contact& contact, int index, const std::string& words,
                          const std::string& name) {
  if (!contact.is_compliant()) {
    throw std::invalid_argument(fmt::format(
        "\"{}\": the contact is rigid, its impulse follows from the step and is no force at a "
        "time; \"model\": \"compliant\" has one",
        name));
  }
  const std::size_t dot = words.find('.');
  const std::string word = words.substr(0, dot);
  const std::vector<std::string> known = {"force", "indentation"};
  if (std::find(known.begin(), known.end(), word) == known.end()) {
    refuse(fmt::format("\"{}\": formulas see no \"{}\" of a contact", name, word), word, known);
  }
  const std::string rest = dot == std::string::npos ? "" : words.substr(dot + 1);
  if (word == "indentation") {
    if (rest.empty()) return {StateKind::Indentation, index};
    throw std::invalid_argument(fmt::format("\"{}\": nothing follows .indentation", name));
  }
  const std::vector<std::string> axes = {"n", "t1", "t2"};
  const auto axis = std::find(axes.begin(), axes.end(), rest);
  if (axis == axes.end()) {
    throw std::invalid_argument(fmt::format("\"{}\": .n, .t1 or .t2 must follow", name));
  }
  return {StateKind::ContactForce, index, static_cast<int>(axis - axes.begin())};
}

}  // namespace

std::vector<BodyId> bodies_of(const Joint& joint) {
  return std::visit(
      []<class J>(const J& j) -> std::vector<BodyId> {
        std::vector<BodyId> bodies;
        if constexpr (requires { j.bodies; }) bodies = j.bodies;
        if constexpr (requires { j.between; }) {
          for (const Frame& frame : j.between) bodies.push_back(frame.body);
        }
        if constexpr (requires { j.body; }) bodies = {ground_body, j.body};
        return bodies;
      },
      joint);
}

bool has_angle(const Joint& joint) {
  return std::holds_alternative<Revolute>(joint) || std::holds_alternative<Cylindrical>(joint) ||
         std::holds_alternative<Screw>(joint);
}

bool has_displacement(const Joint& joint) {
  return std::holds_alternative<Prismatic>(joint) || std::holds_alternative<Cylindrical>(joint) ||
         std::holds_alternative<Screw>(joint);
}

bool has_one_coordinate(const Joint& joint) {
  return std::holds_alternative<Revolute>(joint) || std::holds_alternative<Prismatic>(joint) ||
         std::holds_alternative<Screw>(joint);
}

StateReference state_reference(const Model& model, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string owner = name.substr(0, dot), rest = name.substr(dot + 1);
  const int contact = index_of(model.contacts, owner);
  const std::string word = rest.substr(0, rest.find('.'));
  const bool names_contact = contact >= 0 && (word == "force" || word == "indentation");
  if (names_contact) {
    return of_contact(model.contacts[static_cast<std::size_t>(contact)], contact, rest, name);
  }
  const int joint = index_of(model.joints, owner);
  if (joint >= 0) {
    return of_joint(model.joints[static_cast<std::size_t>(joint)], joint, rest, name);
  }
  const int body = index_of(model.bodies, owner);
  if (body >= 0) return of_body(model.bodies[static_cast<std::size_t>(body)], body, rest, name);
  if (contact >= 0) {
    return of_contact(model.contacts[static_cast<std::size_t>(contact)], contact, rest, name);
  }
  std::vector<std::string> known;
  for (const Joint& j : model.joints) known.push_back(name_of(j));
  for (const Body& b : model.bodies) known.push_back(name_of(b));
  for (const Contact& c : model.contacts) {
    if (c.is_compliant()) known.push_back(c.name);
  }
  constexpr std::size_t most_names = 12;
  if (known.size() > most_names && nearest_name(owner, known).empty()) {
    throw std::invalid_argument(
        fmt::format("no joint, body or compliant contact is named \"{}\"", owner));
  }
  refuse(fmt::format("no joint, body or compliant contact is named \"{}\"", owner), owner, known);
}

}  // namespace saltus
