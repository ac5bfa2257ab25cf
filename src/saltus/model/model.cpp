// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/model.hpp"

namespace saltus {
namespace {

template <class Variant>
void set_default_name(Variant& item, std::size_t index) {
  std::string& name = name_of(item);
  if (name.empty()) name = type_of(item) + std::to_string(index);
}

template <class Variant>
int append(std::vector<Variant>& list, Variant item) {
  set_default_name(item, list.size());
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

}  // namespace

BodyId Model::add(Body body) { return {append(bodies, std::move(body))}; }
JointId Model::add(Joint joint) { return {append(joints, std::move(joint))}; }
void Model::add(ForceElement force) { append(forces, std::move(force)); }

std::string body_name(const Model& model, BodyId body) {
  if (body == ground_body) return "ground";
  return name_of(model.bodies.at(static_cast<std::size_t>(body.index)));
}

void set_default_names(Model& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) set_default_name(model.bodies[i], i);
  for (std::size_t i = 0; i < model.joints.size(); ++i) set_default_name(model.joints[i], i);
  for (std::size_t i = 0; i < model.forces.size(); ++i) set_default_name(model.forces[i], i);
}

}  // namespace saltus
