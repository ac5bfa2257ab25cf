// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "saltus/model/state_formula.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// More steps than this no one waits for.
constexpr double most_steps = 1e12;

/// Calls visit(id, place) for every id of a body or joint in a value.
template <class T, class Visitor>
void for_each_id(const T& value, const Place& place, const Visitor& visit) {
  if constexpr (HasFields<T>) {
    for_each_field<T>(
        [&](const auto& field) { for_each_id(value.*field.member, place / field.name, visit); });
  } else if constexpr (Variant<T>) {
    std::visit([&](const auto& item) { for_each_id(item, place, visit); }, value);
  } else if constexpr (Optional<T>) {
    if (value) for_each_id(*value, place, visit);
  } else if constexpr (List<T> || FixedArray<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) for_each_id(value[i], place / i, visit);
  } else if constexpr (TypedId<T>) {
    visit(value, place);
  }
}

bool exists(const Model& model, BodyId id) {
  return id.index >= -1 && id.index < static_cast<int>(model.bodies.size());
}
bool exists(const Model& model, JointId id) {
  return id.index >= 0 && id.index < static_cast<int>(model.joints.size());
}

/// Ids that refer to nothing. Files cannot have them, programs can.
std::vector<Issue> check_ids(const Model& model) {
  std::vector<Issue> issues;
  for_each_id(model, Place("/model"), [&](auto id, const Place& place) {
    if (exists(model, id)) return;
    issues.push_back({.place = place.text(),
                      .rule = "must be the id of something in this model",
                      .value = std::to_string(id.index),
                      .remedy = "use the id that `add` returned"});
  });
  return issues;
}

bool is_at_or_under(std::string_view place, std::string_view ancestor) {
  return place.substr(0, ancestor.size()) == ancestor &&
         (place.size() == ancestor.size() || place[ancestor.size()] == '/');
}

/// Whether `place` contains one of the places or is contained in one.
bool touches(std::string_view place, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(), [&](const std::string& other) {
    return is_at_or_under(place, other) || is_at_or_under(other, place);
  });
}

/// Functions of time, wherever they stand.
template <class T>
void check_functions(const T& value, const Place& place, std::vector<Issue>& issues) {
  if constexpr (std::is_same_v<T, TimeFunction>) {
    check_function(value, place, issues);
  } else if constexpr (HasFields<T>) {
    if constexpr (std::is_same_v<T, Actuator>) {
      const auto* formula = std::get_if<Expression>(&value.value);
      if (formula != nullptr && names_states(formula->text)) return;  // check_forces knows those
    }
    for_each_field<T>([&](const auto& field) {
      check_functions(value.*field.member, place / field.name, issues);
    });
  } else if constexpr (Variant<T>) {
    std::visit([&](const auto& item) { check_functions(item, place, issues); }, value);
  } else if constexpr (Optional<T>) {
    if (value) check_functions(*value, place, issues);
  } else if constexpr (List<T> || FixedArray<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) check_functions(value[i], place / i, issues);
  }
}

/// What is known of a model in which some places could not be read.
Subject subject(const Model& model, const std::vector<std::string>& unreadable) {
  Subject result{.model = model};
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const std::string body = "/model/bodies/" + std::to_string(i);
    bool known = true;
    for (const char* key : {"/pose", "/start", "/end", "/through", "/elements", "/mesh"}) {
      known &= !touches(body + key, unreadable);
    }
    result.known_bodies.push_back(known);
  }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const std::string joint = "/model/joints/" + std::to_string(i);
    result.known_joints.push_back(!touches(joint + "/type", unreadable));
  }
  result.knows_collider_names = !touches("/model/colliders/-", unreadable);
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const std::string collider = "/model/colliders/" + std::to_string(i);
    result.known_colliders.push_back(!touches(collider + "/shape/type", unreadable) &&
                                     !touches(collider + "/frame/body", unreadable));
    if (touches(collider + "/name", unreadable)) result.knows_collider_names = false;
  }
  const auto knows_law = [&](const char* list, std::size_t i) {
    const std::string owner = fmt::format("/model/{}/{}", list, i);
    return !touches(owner + "/stiffness", unreadable) &&
           !touches(owner + "/young_modulus", unreadable) &&
           !touches(owner + "/materials", unreadable);
  };
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    result.known_laws.push_back(knows_law("contacts", i));
  }
  for (std::size_t i = 0; i < model.ball_bearings.size(); ++i) {
    result.known_bearing_laws.push_back(knows_law("ball_bearings", i));
  }
  return result;
}

void check_alpha(const NonsmoothGeneralizedAlpha& options, std::vector<Issue>& issues) {
  if (options.coupling != Coupling::Coupled || !options.neglect_force_difference) return;
  issues.push_back({.place = "/simulation/integrator/neglect_force_difference",
                    .rule = "is for the decoupled scheme: the coupled one has no force differences",
                    .value = "true",
                    .remedy = "leave it out, or choose the coupling \"decoupled\""});
}

/// A row at each multiple of an interval needs a step that ends there.
void check_interval(const Dynamics& options, std::vector<Issue>& issues) {
  constexpr double round_off = 1e-9;
  const RecordOptions& record = options.record;
  const bool is_adaptive = adaptive_step(options.integrator) != nullptr;
  if (record.every != 1 && (record.interval || is_adaptive)) {
    issues.push_back({.place = "/simulation/record/every",
                      .rule = record.interval ? "counts steps, and interval says when rows are"
                                              : "counts steps, which have no fixed length here",
                      .value = fmt::format("{}", record.every),
                      .remedy = record.interval ? "leave one of the two out"
                                                : "give \"interval\", the time between rows"});
  }
  if (!record.interval || is_adaptive) return;
  const double h = step_of(options.integrator);
  const double steps = *record.interval / h, nearest = std::max(1.0, std::round(steps));
  if (std::abs(steps - nearest) <= round_off * nearest) return;
  issues.push_back({.place = "/simulation/record/interval",
                    .rule = fmt::format("must be a multiple of the step, {} s", shown(h)),
                    .value = shown(*record.interval),
                    .remedy = fmt::format("{:.12g} s is the nearest", nearest * h)});
}

void check_adaptive(const AdaptiveStep& step, std::vector<Issue>& issues) {
  if (!step.min || *step.min <= step.max) return;
  issues.push_back({.place = "/simulation/integrator/step/min",
                    .rule = fmt::format("must be at most max, {} s", shown(step.max)),
                    .value = shown(*step.min),
                    .remedy = "leave it out, or choose it far below max: impacts need it"});
}

/// The place of the length of steps.
std::string step_place(const Integrator& integrator) {
  return adaptive_step(integrator) != nullptr ? "/simulation/integrator/step/max"
                                              : "/simulation/integrator/step";
}

void append(std::vector<Issue>& issues, std::vector<Issue> more,
            const std::vector<std::string>& except) {
  for (Issue& issue : more) {
    if (!touches(issue.place, except)) issues.push_back(std::move(issue));
  }
}

/// What no single field can say. @pre ids refer to what exists.
std::vector<Issue> check_meaning(const Subject& subject) {
  std::vector<Issue> issues;
  if (subject.model.bodies.empty()) {
    issues.push_back({.place = "/model/bodies",
                      .rule = "the model has no bodies",
                      .remedy = "add at least one"});
  }
  check_names(subject.model, issues);
  check_bodies(subject.model, issues);
  check_flexible_bodies(subject, issues);
  check_joints(subject, issues);
  check_forces(subject, issues);
  check_contacts(subject, issues);
  check_compliant(subject, issues);
  check_local_laws(subject, issues);
  check_bearings(subject, issues);
  return issues;
}

}  // namespace

std::vector<Issue> validate_except(const Model& model, std::vector<std::string> unreadable) {
  std::vector<Issue> issues;
  const Place place("/model");
  std::vector<Issue> numbers;
  check_fields(model, any, place, numbers);
  append(issues, std::move(numbers), unreadable);
  std::vector<Issue> wrong_ids;
  append(wrong_ids, check_ids(model), unreadable);
  append(issues, wrong_ids, {});
  for (const Issue& issue : issues) unreadable.push_back(issue.place);

  std::vector<Issue> functions;
  check_functions(model, place, functions);
  append(issues, std::move(functions), unreadable);
  if (wrong_ids.empty()) append(issues, check_meaning(subject(model, unreadable)), unreadable);
  return issues;
}

std::vector<Issue> validate_except(const SimulationOptions& options,
                                   std::vector<std::string> unreadable) {
  std::vector<Issue> issues;
  std::vector<Issue> numbers;
  check_fields(options, any, Place("/simulation"), numbers);
  append(issues, std::move(numbers), unreadable);
  for (const Issue& issue : issues) unreadable.push_back(issue.place);
  if (touches("/simulation/end_time", unreadable) ||
      touches("/simulation/integrator", unreadable)) {
    return issues;
  }
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  if (dynamics != nullptr) {
    const EventDriven* events = std::get_if<EventDriven>(&dynamics->integrator);
    if (events != nullptr) check_event_driven(*events, dynamics->multiple_impacts, issues);
    const auto* alpha = std::get_if<NonsmoothGeneralizedAlpha>(&dynamics->integrator);
    if (alpha != nullptr) check_alpha(*alpha, issues);
    const AdaptiveStep* adaptive = adaptive_step(dynamics->integrator);
    if (adaptive != nullptr) check_adaptive(*adaptive, issues);
    if (!touches("/simulation/record", unreadable)) check_interval(*dynamics, issues);
  }
  const double steps = dynamics ? dynamics->end_time / step_of(dynamics->integrator) : 0;
  if (steps > most_steps) {
    issues.push_back({.place = step_place(dynamics->integrator),
                      .rule = fmt::format("{:g} s makes {:.2g} steps to end_time, more than {:g}",
                                          step_of(dynamics->integrator), steps, most_steps),
                      .remedy = "choose a larger step or an earlier end"});
  }
  const bool has_rows = dynamics != nullptr && !touches("/simulation/record", unreadable);
  const double rows = has_rows ? dynamics->end_time / interval_of(*dynamics) : 0;
  if (rows > most_steps && steps <= most_steps) {
    issues.push_back(
        {.place = "/simulation/record/interval",
         .rule = fmt::format("makes {:.2g} rows to end_time, more than {:g}", rows, most_steps),
         .value = shown(interval_of(*dynamics)),
         .remedy = "choose a larger interval"});
  }
  return issues;
}

namespace {

/// What of a model without contacts would have to go.
std::string what_touches(const Model& model) {
  if (model.ball_bearings.empty()) return "\"contacts\"";
  return model.contacts.empty() ? "\"ball_bearings\"" : "\"contacts\" and \"ball_bearings\"";
}

bool all_compliant(const Model& model) {
  return std::ranges::all_of(model.contacts, &Contact::is_compliant) &&
         std::ranges::all_of(model.ball_bearings, &BallBearing::is_compliant);
}

/// Balls touch each other and the pockets of a ring as rigid bodies.
bool has_rigid_cages(const Model& model) {
  return !std::ranges::all_of(model.ball_bearings, [](const BallBearing& bearing) {
    return std::holds_alternative<SpringCage>(bearing.cage);
  });
}

/// Nothing slides in an equilibrium: what friction bears depends on how it was reached.
std::vector<Issue> check_friction_at_rest(const Model& model, const SimulationOptions& options) {
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    if (is_frictionless(model.contacts[i].friction)) continue;
    issues.push_back(
        {.place = fmt::format("/model/contacts/{}/friction", i),
         .rule = fmt::format("friction of contacts is not part of {}", type_of(options)),
         .remedy = "leave it out, or choose \"dynamics\""});
  }
  return issues;
}

/// Names of contacts whose impacts are to be recorded.
std::vector<Issue> check_recorded_impacts(const Model& model, const Dynamics& dynamics) {
  std::vector<Issue> issues;
  if (!dynamics.record.impacts) return issues;
  std::vector<std::string> names;
  for (const Contact& contact : model.contacts) names.push_back(contact.name);
  const std::vector<std::string>& wanted = dynamics.record.impacts->contacts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::find(names.begin(), names.end(), wanted[i]) != names.end()) continue;
    const std::string near = nearest_name(wanted[i], names);
    issues.push_back({.place = fmt::format("/simulation/record/impacts/contacts/{}", i),
                      .rule = "no contact is named " + quoted(wanted[i]),
                      .remedy = near.empty() ? "leave contacts out to record those of all"
                                             : "did you mean " + quoted(near) + "?"});
  }
  return issues;
}

/// Neither an equilibrium nor the modes about it follow from velocities that are held: every place
/// that can be reached is one, and the stiffness of a loaded joint is not symmetric.
std::vector<Issue> check_nonholonomic(const Model& model, const SimulationOptions& options) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) {
    if (!is_nonholonomic(joint)) continue;
    names.push_back(quoted(std::visit([](const auto& j) { return j.name; }, joint)));
  }
  if (names.empty()) return {};
  return {{.place = "/simulation/type",
           .rule = fmt::format("the joint{} {} roll{} or slide{} along an edge, which {} cannot "
                               "say: {} velocities, not positions",
                               names.size() > 1 ? "s" : "", fmt::join(names, ", "),
                               names.size() > 1 ? "" : "s", names.size() > 1 ? "" : "s",
                               type_of(options), names.size() > 1 ? "they hold" : "it holds"),
           .remedy = "choose \"dynamics\", or hold the bodies by other joints"}};
}

/// Stops and friction are contacts of joints.
std::vector<Issue> check_stops(const Model& model, const SimulationOptions& options) {
  std::vector<Issue> issues;
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  const bool is_smooth =
      dynamics != nullptr && std::holds_alternative<GeneralizedAlpha>(dynamics->integrator);
  if (dynamics != nullptr && !is_smooth) return issues;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (friction_of(model.joints[i]) != nullptr) {
      issues.push_back(
          {.place = fmt::format("/model/joints/{}/friction", i),
           .rule = is_smooth
                       ? "generalized_alpha is for models without friction in joints"
                       : fmt::format("friction in joints is not part of {}", type_of(options)),
           .remedy = is_smooth ? "use \"nonsmooth_generalized_alpha\""
                               : "remove \"friction\", or choose \"dynamics\""});
    }
    if (!has_limits(model.joints[i])) continue;
    issues.push_back({.place = fmt::format("/model/joints/{}/limits", i),
                      .rule = is_smooth
                                  ? "generalized_alpha is for models without stops"
                                  : fmt::format("stops are not part of {} yet", type_of(options)),
                      .remedy = is_smooth ? "use \"nonsmooth_generalized_alpha\""
                                          : "remove \"limits\", or choose \"dynamics\""});
  }
  return issues;
}

/// A bearing whose summary would count nothing.
std::vector<Issue> check_settle_times(const Model& model, const Dynamics& dynamics) {
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < model.ball_bearings.size(); ++i) {
    const double settle_time = model.ball_bearings[i].settle_time;
    if (settle_time < dynamics.end_time || !(settle_time > 0)) continue;
    issues.push_back({.place = fmt::format("/model/ball_bearings/{}/settle_time", i),
                      .rule = "must be before the end of the run",
                      .value = shown(settle_time),
                      .remedy = fmt::format("end_time is {} s", shown(dynamics.end_time))});
  }
  return issues;
}

}  // namespace

std::vector<Issue> validate_together(const Model& model, const SimulationOptions& options,
                                     const std::vector<std::string>& unreadable) {
  std::vector<Issue> issues;
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  const EventDriven* events =
      dynamics != nullptr ? std::get_if<EventDriven>(&dynamics->integrator) : nullptr;
  if (events != nullptr) {
    std::vector<Issue> refused;
    check_event_driven(model, *events, refused);
    append(issues, std::move(refused), unreadable);
  }
  if (dynamics != nullptr) append(issues, check_compliant(model, *dynamics), unreadable);
  if (dynamics != nullptr) append(issues, check_recorded_impacts(model, *dynamics), unreadable);
  if (dynamics != nullptr && unreadable.empty()) check_stop(model, *dynamics, issues);
  if (dynamics == nullptr) append(issues, check_nonholonomic(model, options), unreadable);
  append(issues, check_stops(model, options), unreadable);
  if (model.contacts.empty() && model.ball_bearings.empty()) return issues;
  if (dynamics == nullptr && all_compliant(model)) {
    append(issues, check_friction_at_rest(model, options), unreadable);
  } else if (dynamics == nullptr) {
    append(issues,
           {{.place = "/simulation/type",
             .rule = fmt::format("rigid {} not part of {} yet",
                                 model.contacts.empty() ? "ball bearings are" : "contacts are",
                                 type_of(options)),
             .remedy = fmt::format("remove {} from the model, use the model \"compliant\", or "
                                   "choose \"dynamics\"",
                                   what_touches(model))}},
           unreadable);
  } else if (std::holds_alternative<GeneralizedAlpha>(dynamics->integrator) &&
             !(all_compliant(model) && !has_rigid_cages(model))) {
    append(issues,
           {{.place = "/simulation/integrator/type",
             .rule = model.contacts.empty()
                         ? (all_compliant(model)
                                ? "generalized_alpha is for models without rigid contacts: balls "
                                  "touch each other, or the pockets of a ring"
                                : "generalized_alpha is for models without contacts: a ball "
                                  "bearing has them")
                         : "generalized_alpha is for models without rigid contacts",
             .remedy = "use \"nonsmooth_generalized_alpha\""}},
           unreadable);
  }
  if (dynamics != nullptr && !touches("/simulation/end_time", unreadable)) {
    append(issues, check_settle_times(model, *dynamics), unreadable);
  }
  return issues;
}

std::vector<Issue> validate(const Model& model, const SimulationOptions& options) {
  std::vector<Issue> issues = validate(model);
  append(issues, validate(options), {});
  append(issues, validate_together(model, options), {});
  return issues;
}

std::vector<Issue> validate(const Model& model) { return validate_except(model, {}); }

std::vector<Issue> validate(const SimulationOptions& options) {
  return validate_except(options, {});
}

}  // namespace saltus
