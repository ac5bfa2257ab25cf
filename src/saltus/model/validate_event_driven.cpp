// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

const char* const other_integrator = "use \"nonsmooth_generalized_alpha\"";
const char* const integrator = "/simulation/integrator/";

bool is_one_problem(const EventDriven& options) {
  return options.restitution_law == RestitutionLaw::Complementarity;
}

/// The first pair of a contact whose points change with the configuration, if there is one.
std::optional<ColliderPair> solid_pair(const Model& model, const Contact& contact) {
  if (contact.between.size() != 2) return std::nullopt;
  const PairSelection selection(model, contact);
  const auto shape = [&](int i) -> const Shape& {
    return model.colliders[static_cast<std::size_t>(i)].shape;
  };
  for (const int a : selection.first()) {
    for (const int b : selection.second()) {
      if (selection.has(a, b) && touch_as_solids(shape(a), shape(b))) return ColliderPair{a, b};
    }
  }
  return std::nullopt;
}

bool is_solid(const Body& body) { return std::holds_alternative<Solid>(body); }

bool is_unknown(const Shape& shape) {
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Bore>(shape) ||
         std::holds_alternative<Groove>(shape) || std::holds_alternative<Capsule>(shape) ||
         std::holds_alternative<Convex>(shape) || std::holds_alternative<MeshShape>(shape);
}

/// An impact that is one problem has no events inside of it that options could speak of.
void check_options_of_events(const EventDriven& options, std::vector<Issue>& issues) {
  const auto refuse = [&](const char* key, const char* remedy) {
    issues.push_back({.place = integrator + std::string(key),
                      .rule = "is for impacts that are followed event by event, not for the "
                              "restitution_law \"complementarity\"",
                      .remedy = remedy});
  };
  if (options.energetic_restitution) {
    refuse("energetic_restitution", "leave it out: the contacts' restitution holds");
  }
  if (options.normal_work != impulse::NormalWork::Integral) refuse("normal_work", "leave it out");
  if (options.composition != impulse::Composition::Consistent) {
    refuse("composition", "leave it out");
  }
}

}  // namespace

void check_event_driven(const EventDriven& options, MultipleImpacts impacts,
                        std::vector<Issue>& issues) {
  if (is_one_problem(options)) {
    check_options_of_events(options, issues);
    return;
  }
  if (impacts == MultipleImpacts::Simultaneous) {
    issues.push_back({.place = "/simulation/multiple_impacts",
                      .rule = "event_driven follows an impact event by event; contacts at once "
                              "are for its restitution_law \"complementarity\"",
                      .value = "\"simultaneous\"",
                      .remedy = "choose that law, or leave multiple_impacts out"});
  }
  struct Count {
    std::size_t operator()(double) const { return 1; }
    std::size_t operator()(const RestitutionByPoints& list) const { return list.values.size(); }
    std::size_t operator()(const RestitutionByOrder& list) const { return list.values.size(); }
  };
  const auto& e = options.energetic_restitution;
  if (!e || std::visit(Count{}, *e) > 0) return;
  issues.push_back({.place = integrator + std::string("energetic_restitution/values"),
                    .rule = "must have at least one number",
                    .remedy = "leave energetic_restitution out to use the contacts' restitution"});
}

void check_event_driven(const Model& model, const EventDriven& options,
                        std::vector<Issue>& issues) {
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
    if (!is_unknown(model.colliders[i].shape)) continue;
    refuse(fmt::format("/model/colliders/{}/shape", i),
           "event_driven knows points, spheres, boxes, half-spaces, faces and hollow spheres only");
  }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (friction_of(model.joints[i]) == nullptr) continue;
    refuse(fmt::format("/model/joints/{}/friction", i),
           "event_driven does not know friction in joints yet");
  }
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const Contact& contact = model.contacts[i];
    const std::string at = fmt::format("/model/contacts/{}/", i);
    if (const auto pair = solid_pair(model, contact)) {
      refuse(at + "between", fmt::format("event_driven does not know contacts between {} yet",
                                         describe_pair(model, *pair)));
    }
    if (contact.rolling_friction > 0) {
      refuse(at + "rolling_friction", "event_driven has no friction against rolling");
    }
    if (contact.spinning_friction > 0) {
      refuse(at + "spinning_friction", "event_driven has no friction against spinning");
    }
    if (contact.tangential_restitution != 0 && !is_one_problem(options)) {
      issues.push_back({.place = at + "tangential_restitution",
                        .rule = "event_driven has it by the restitution_law \"complementarity\" "
                                "only",
                        .remedy = fmt::format("choose that law, or {}", other_integrator)});
    }
    if (contact.elastoplastic && is_one_problem(options)) {
      issues.push_back({.place = at + "elastoplastic",
                        .rule = "needs impacts that are followed event by event, which the "
                                "restitution_law \"complementarity\" does not",
                        .remedy = "choose \"energetic\", \"poisson\" or \"newton\""});
    }
  }
}

}  // namespace saltus
