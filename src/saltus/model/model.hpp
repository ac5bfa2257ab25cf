// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/model/ball_bearing.hpp"
#include "saltus/model/body.hpp"
#include "saltus/model/collider.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/model/force.hpp"
#include "saltus/model/joint.hpp"

namespace saltus {

/// The description of a mechanism: data only, nothing computed. SI units.
struct Model {
  Vector3 gravity = {0, 0, -9.81};
  std::vector<Body> bodies = {};
  std::vector<Joint> joints = {};
  std::vector<ForceElement> forces = {};
  std::vector<Collider> colliders = {};
  std::vector<Contact> contacts = {};
  std::vector<BallBearing> ball_bearings = {};

  BodyId ground() const { return ground_body; }

  // `add` appends, gives the thing its default name if it has none, and returns its id.
  BodyId add(Body body);
  JointId add(Joint joint);
  void add(ForceElement force);
  ColliderId add(Collider collider);
  void add(Contact contact);
  void add(BallBearing bearing);

  static constexpr void fields(auto&& field) {
    field("gravity", &Model::gravity, "acceleration of gravity, inertial components", "m/s²");
    field("bodies", &Model::bodies, "what moves", "", required);
    field("joints", &Model::joints, "what holds bodies together");
    field("forces", &Model::forces, "what acts on bodies");
    field("colliders", &Model::colliders, "what can touch: shapes on bodies and on the ground");
    field("contacts", &Model::contacts, "which colliders touch each other, and how");
    field("ball_bearings", &Model::ball_bearings,
          "ball bearings: each stands for races, balls, cage and contacts");
  }
};

/// The name of a body, joint, force, collider or contact: a reference to its member `name`.
template <class Variant>
const std::string& name_of(const Variant& item) {
  return std::visit([](const auto& i) -> const std::string& { return i.name; }, item);
}
template <class Variant>
std::string& name_of(Variant& item) {
  return std::visit([](auto& i) -> std::string& { return i.name; }, item);
}

inline const std::string& name_of(const Collider& collider) { return collider.name; }
inline std::string& name_of(Collider& collider) { return collider.name; }
inline const std::string& name_of(const Contact& contact) { return contact.name; }
inline std::string& name_of(Contact& contact) { return contact.name; }
inline const std::string& name_of(const BallBearing& bearing) { return bearing.name; }
inline std::string& name_of(BallBearing& bearing) { return bearing.name; }

/// The word that stands for a thing's kind in files, e.g. "revolute".
template <class Variant>
const char* type_of(const Variant& item) {
  return std::visit([](const auto& i) { return i.type_name; }, item);
}

/// The name of a body, "ground" for the ground.
std::string body_name(const Model& model, BodyId body);

/// Gives every unnamed thing its default name: `<type><index>`; `collider<index>`,
/// `contact<index>`.
void set_default_names(Model& model);

}  // namespace saltus
