// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/model.hpp"

namespace saltus {
namespace {

template <class Variant>
std::string kind_of(const Variant& item) {
  return type_of(item);
}
std::string kind_of(const Collider&) { return "collider"; }
std::string kind_of(const Contact&) { return "contact"; }
std::string kind_of(const BallBearing&) { return "ball_bearing"; }

template <class Item>
void set_default_name(Item& item, std::size_t index) {
  std::string& name = name_of(item);
  if (name.empty()) name = kind_of(item) + std::to_string(index);
}

template <class Item>
void set_default_names(std::vector<Item>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) set_default_name(list[i], i);
}

template <class Item>
int append(std::vector<Item>& list, Item item) {
  set_default_name(item, list.size());
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

}  // namespace

BodyId Model::add(Body body) { return {append(bodies, std::move(body))}; }
JointId Model::add(Joint joint) { return {append(joints, std::move(joint))}; }
void Model::add(ForceElement force) { append(forces, std::move(force)); }
ColliderId Model::add(Collider collider) { return {append(colliders, std::move(collider))}; }
void Model::add(Contact contact) {
  for (ColliderSelection& side : contact.between) {
    const auto index = static_cast<std::size_t>(side.collider.index);
    if (side.patterns.empty() && index < colliders.size()) side = colliders[index].name;
  }
  append(contacts, std::move(contact));
}
void Model::add(BallBearing bearing) { append(ball_bearings, std::move(bearing)); }

std::string body_name(const Model& model, BodyId body) {
  if (body == ground_body) return "ground";
  return name_of(model.bodies.at(static_cast<std::size_t>(body.index)));
}

void set_default_names(Model& model) {
  set_default_names(model.bodies);
  set_default_names(model.joints);
  set_default_names(model.forces);
  set_default_names(model.colliders);
  set_default_names(model.contacts);
  set_default_names(model.ball_bearings);
}

}  // namespace saltus
