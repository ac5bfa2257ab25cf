// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

const char* const other_integrator = "use \"nonsmooth_generalized_alpha\"";

bool is_solid(const Body& body) { return std::holds_alternative<Solid>(body); }

bool is_round_about_an_axis(const Shape& shape) {
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Bore>(shape) ||
         std::holds_alternative<Groove>(shape);
}

}  // namespace

void check_event_driven(const EventDriven& options, std::vector<Issue>& issues) {
  struct Count {
    std::size_t operator()(double) const { return 1; }
    std::size_t operator()(const RestitutionByPoints& list) const { return list.values.size(); }
    std::size_t operator()(const RestitutionByOrder& list) const { return list.values.size(); }
  };
  const auto& e = options.energetic_restitution;
  if (!e || std::visit(Count{}, *e) > 0) return;
  issues.push_back({.place = "/simulation/integrator/energetic_restitution/values",
                    .rule = "must have at least one number",
                    .remedy = "leave energetic_restitution out to use the contacts' restitution"});
}

void check_event_driven(const Model& model, std::vector<Issue>& issues) {
  const auto refuse = [&](std::string place, std::string rule) {
    issues.push_back(
        {.place = std::move(place), .rule = std::move(rule), .remedy = other_integrator});
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!is_solid(model.bodies[i])) continue;
    refuse(fmt::format("/model/bodies/{}", i),
           "event_driven has no solids: its steps would be as short as their shortest waves");
  }
  for (std::size_t i = 0; i < model.ball_bearings.size(); ++i) {
    refuse(fmt::format("/model/ball_bearings/{}", i), "event_driven has no ball bearings");
  }
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    if (!is_round_about_an_axis(model.colliders[i].shape)) continue;
    refuse(fmt::format("/model/colliders/{}/shape", i),
           "event_driven knows points, spheres, boxes, half-spaces, faces and hollow spheres only");
  }
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const Contact& contact = model.contacts[i];
    const std::string at = fmt::format("/model/contacts/{}/", i);
    if (contact.rolling_friction > 0) {
      refuse(at + "rolling_friction", "event_driven has no friction against rolling");
    }
    if (contact.spinning_friction > 0) {
      refuse(at + "spinning_friction", "event_driven has no friction against spinning");
    }
    if (contact.tangential_restitution != 0) {
      refuse(at + "tangential_restitution", "event_driven has no tangential restitution");
    }
  }
}

}  // namespace saltus
