// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/info_text.hpp"
#include "apps/cli/model_counts.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/dynamics/system.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t most_listed = 30;

template <class Item, class Detail>
void print_list(const char* title, const std::vector<Item>& items, const Detail& detail) {
  if (items.empty()) return;
  say("{}:\n", title);
  for (std::size_t i = 0; i < std::min(items.size(), most_listed); ++i) {
    say("  {:<20} {:<24} {}\n", name_of(items[i]), type_of(items[i]), detail(i));
  }
  if (items.size() > most_listed) say("  and {} more\n", items.size() - most_listed);
}

std::string body_detail(const System& system, std::size_t i) {
  const BodyEntry& body = system.elements().bodies[i];
  const Vector3 x =
      system.origin() + system.given_configuration().nodes[static_cast<std::size_t>(body.node)].x;
  double mass = 0;
  for (int k = 0; k < body.nodes; ++k) mass += system.node_mass(body.node + k);
  std::string text = fmt::format("{:.6g} kg", mass);
  if (body.is_flexible()) {
    text += ", " + counted(static_cast<std::size_t>(body.nodes), "node", "nodes") + " and " +
            counted(static_cast<std::size_t>(body.elements), "element", "elements") +
            ", the first node";
  }
  return text + fmt::format(" at ({:.4g}, {:.4g}, {:.4g}) m", x[0], x[1], x[2]);
}

std::string joint_detail(const Model& model, const Joint& joint) {
  return std::visit(
      [&](const auto& j) -> std::string {
        if constexpr (requires { j.body; }) {
          return body_name(model, j.body);
        } else if constexpr (requires { j.joints; }) {
          std::vector<std::string> names;
          for (const JointId id : j.joints) {
            names.push_back(name_of(model.joints[static_cast<std::size_t>(id.index)]));
          }
          return fmt::format("{}", fmt::join(names, " – "));
        } else {
          std::vector<std::string> names;
          for (const Frame& frame : j.between) names.push_back(body_name(model, frame.body));
          if constexpr (requires { j.bodies; }) {
            for (const BodyId body : j.bodies) names.push_back(body_name(model, body));
          }
          std::string text = fmt::format("{}", fmt::join(names, " – "));
          if constexpr (requires { j.drive; }) {
            if (j.drive) text += fmt::format(", driven: {}", type_of(*j.drive));
          }
          return text;
        }
      },
      joint);
}

std::string force_detail(const Model& model, const ForceElement& force) {
  return std::visit(
      [&](const auto& f) -> std::string {
        if constexpr (requires { f.on; }) {
          return "on " + body_name(model, f.on.body);
        } else if constexpr (requires { f.joint; }) {
          return "at " + name_of(model.joints[static_cast<std::size_t>(f.joint.index)]);
        } else {
          std::vector<std::string> names;
          for (const Frame& frame : f.between) names.push_back(body_name(model, frame.body));
          return fmt::format("{}", fmt::join(names, " – "));
        }
      },
      force);
}

std::string selection_text(const ColliderSelection& selection) {
  return fmt::format("{}", fmt::join(selection.patterns, ", "));
}

/// "0.3" or "0.4 at rest (stribeck)".
std::string friction_law_text(const FrictionLaw& law) {
  return std::visit(
      [&](const auto& value) {
        if constexpr (requires { value.type_name; }) {
          return fmt::format("{:.4g} at rest ({})", coefficient(law, 0), value.type_name);
        } else {
          return fmt::format("{:.4g}", value);
        }
      },
      law);
}

/// "0.3, rolling 0.01 m".
std::string friction_text(const Contact& contact) {
  std::string text = friction_law_text(contact.friction);
  if (contact.rolling_friction > 0)
    text += fmt::format(", rolling {:.4g} m", contact.rolling_friction);
  if (contact.spinning_friction > 0) {
    text += fmt::format(", spinning {:.4g} m", contact.spinning_friction);
  }
  if (contact.sliding_and_spinning == SlidingAndSpinning::Coupled) text += " coupled with sliding";
  return text;
}

/// "0.8" or "0.8 at 1 m/s (power)".
std::string restitution_law_text(const Restitution& law) {
  if (const auto* e = std::get_if<double>(&law)) return fmt::format("{:.4g}", *e);
  if (const auto* power = std::get_if<PowerRestitution>(&law)) {
    return fmt::format("{:.4g} at {:.4g} m/s (power {:.4g})", power->reference,
                       power->reference_speed, power->exponent);
  }
  const auto& table = std::get<TableRestitution>(law);
  return fmt::format("{:.4g} at {:.4g} m/s to {:.4g} at {:.4g} m/s (table)", table.values.front(),
                     table.speeds.front(), table.values.back(), table.speeds.back());
}

/// "0.8, tangential 0.5, local law".
std::string restitution_text(const Contact& contact) {
  std::string text = restitution_law_text(contact.restitution);
  if (contact.tangential_restitution != 0) {
    text += fmt::format(", tangential {:.4g}", contact.tangential_restitution);
  }
  if (contact.has_local_law()) text += ", local law: forces are recovered";
  return text;
}

void print_bearings(const Model& model) {
  if (!model.ball_bearings.empty()) say("ball bearings:\n");
  for (const BallBearing& bearing : model.ball_bearings) {
    say("  {:<20} {:<24} {} – {}, ball radius {:.4g} m, cage {}\n", bearing.name,
        counted(static_cast<std::size_t>(bearing.balls), "ball", "balls"),
        body_name(model, bearing.inner.body), body_name(model, bearing.outer.body),
        bearing.ball_radius, type_of(bearing.cage));
  }
}

void print_contacts(const Model& model, const System& system) {
  if (!model.colliders.empty()) say("colliders:\n");
  for (std::size_t i = 0; i < std::min(model.colliders.size(), most_listed); ++i) {
    const Collider& collider = model.colliders[i];
    say("  {:<20} {:<24} on {}\n", collider.name, type_of(collider.shape),
        body_name(model, collider.frame.body));
  }
  if (model.colliders.size() > most_listed) {
    say("  and {} more\n", model.colliders.size() - most_listed);
  }
  if (!model.contacts.empty()) say("contacts:\n");
  for (std::size_t i = 0; i < std::min(model.contacts.size(), most_listed); ++i) {
    const Contact& contact = model.contacts[i];
    const ContactGroup& group = system.elements().contacts.groups[i];
    say("  {:<20} {:<24} {} – {}, friction {}, restitution {}\n", contact.name,
        (group.is_listed() ? "" : "up to ") +
            counted(static_cast<std::size_t>(group.count), "point", "points"),
        selection_text(contact.between[0]), selection_text(contact.between[1]),
        friction_text(contact), restitution_text(contact));
  }
  if (model.contacts.size() > most_listed) {
    say("  and {} more\n", model.contacts.size() - most_listed);
  }
}

std::string describe(const Dynamics& options) {
  const std::string parameter = std::visit(
      [](const auto& integrator) {
        if constexpr (requires { integrator.theta; }) {
          return fmt::format("theta = {:.4g}", integrator.theta);
        } else if constexpr (requires { integrator.contact_speed; }) {
          return fmt::format("tolerance = {:.4g}", integrator.tolerance);
        } else {
          return fmt::format("rho_inf = {:.4g}", integrator.rho_inf);
        }
      },
      options.integrator);
  const AdaptiveStep* adaptive = adaptive_step(options.integrator);
  const std::string steps =
      adaptive == nullptr
          ? fmt::format("steps of {:.6g} s", step_of(options.integrator))
          : fmt::format(
                "steps of at most {:.6g} s chosen by their error, tolerance {:.4g}, rows every "
                "{:.6g} s",
                adaptive->max, adaptive->tolerance, interval_of(options));
  const bool at_once = options.multiple_impacts == MultipleImpacts::Simultaneous;
  return fmt::format("to t = {:.6g} s by {} with {}, {}{}", options.end_time,
                     type_of(options.integrator), steps, parameter,
                     at_once ? ", multiple impacts simultaneous" : "");
}
std::string describe(const Statics& options) {
  return "in " + counted(static_cast<std::size_t>(options.load_steps), "load step", "load steps");
}
std::string describe(const Modes& options) {
  return fmt::format("the lowest {}, about the {}", options.count,
                     options.equilibrium ? "static equilibrium" : "initial pose");
}

}  // namespace

void print_model(const std::string& name, const CheckedModelFile& file) {
  const Model& model = file.run.model().given();
  const SimulationOptions& simulation = file.run.options();
  const Dynamics* dynamics = std::get_if<Dynamics>(&simulation);
  const System system(file.run.model(), dynamics != nullptr ? dynamics->end_time : 1.0);
  say("{}: model, hash {}\n", name, file.hash);
  if (!file.comment.empty()) say("{}\n", file.comment);
  say("{}, {}, {}{}: {}\n", counted(model.bodies.size(), "body", "bodies"),
      counted(model.joints.size(), "joint", "joints"),
      counted(model.forces.size(), "force", "forces"), contact_counts(system),
      describe(count(system)));
  say("gravity ({:.6g}, {:.6g}, {:.6g}) m/s²\n", model.gravity[0], model.gravity[1],
      model.gravity[2]);
  print_list("bodies", model.bodies, [&](std::size_t i) { return body_detail(system, i); });
  print_list("joints", model.joints,
             [&](std::size_t i) { return joint_detail(model, model.joints[i]); });
  print_list("forces", model.forces,
             [&](std::size_t i) { return force_detail(model, model.forces[i]); });
  print_contacts(model, system);
  print_bearings(model);
  say("simulation: {} {}\n", type_of(simulation),
      std::visit([](const auto& options) { return describe(options); }, simulation));
}

}  // namespace saltus::cli
