// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/start_warnings.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "saltus/geometry/surface_crossing.hpp"
#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/flexible_places.hpp"
#include "saltus/simulation/observers.hpp"

namespace saltus {
namespace {

/// What makes a node set rigid besides colliders: all frames on it but those of forces, which are
/// spread.
bool is_meant_to_be_rigid(const Model& model, const Frame& set) {
  return std::ranges::any_of(frames_of(model), [&](const FramePlace& f) {
    if (f.frame->body != set.body || f.frame->nodes != set.nodes) return false;
    const auto is_spread = [&](const ForceElement& force) {
      const Force* load = std::get_if<Force>(&force);
      return load != nullptr && &load->on == f.frame;
    };
    return !f.place.starts_with("/model/colliders") &&
           std::ranges::none_of(model.forces, is_spread);
  });
}

/// Colliders that stiffen the body on which they stand.
void add_rigid_sets(const CheckedModel& checked, std::vector<std::string>& warnings) {
  const Model& model = checked.given();
  const std::vector<bool> used = used_colliders(checked.simulated());
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    if (!used[i] || !collider.frame.nodes || stands_on_each_node(model, collider)) continue;
    if (is_meant_to_be_rigid(model, collider.frame)) continue;
    warnings.push_back(fmt::format(
        "collider \"{}\": its {} makes the node set \"{}\" of solid \"{}\" rigid; a point or "
        "sphere stands on each node and leaves the set soft",
        collider.name, type_of(collider.shape), *collider.frame.nodes,
        std::visit([](const auto& b) { return b.name; },
                   model.bodies[static_cast<std::size_t>(collider.frame.body.index)])));
  }
}

/// Pairs that patterns select and nothing holds apart.
void add_untouchable(const Model& model, std::vector<std::string>& warnings) {
  for (const Contact& contact : model.contacts) {
    const UntouchablePairs left_out = PairSelection(model, contact).untouchable();
    if (!left_out) continue;
    warnings.push_back(fmt::format(
        "contact \"{}\": {} of the pairs that it selects cannot touch in this version and are left "
        "out, first {}; {}",
        contact.name, left_out.count, describe_pair(model, left_out.first), kinds_that_touch));
  }
}

/// Pieces of a mesh that go through each other: files of whole assemblies.
void add_crossing(const CheckedModel& checked, std::vector<std::string>& warnings) {
  constexpr std::size_t most_looked_at = 200'000;  // some seconds
  const Model& model = checked.given();
  const std::vector<bool> used = used_colliders(checked.simulated());
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const auto* mesh = std::get_if<MeshShape>(&model.colliders[i].shape);
    if (mesh == nullptr || !used[i] || mesh->triangles.size() > most_looked_at) continue;
    const auto crossing = crossing_of(mesh->vertices, mesh->triangles);
    if (!crossing) continue;
    const Vector3& x = crossing->place;
    warnings.push_back(fmt::format(
        "collider \"{}\": its mesh goes through itself, first at ({:.4g}, {:.4g}, {:.4g}) m, "
        "triangles {} and {}: contacts there, and volumes, may be wrong; unite the pieces, or give "
        "each a collider of its own",
        model.colliders[i].name, x[0], x[1], x[2], crossing->edge_of, crossing->through));
  }
}

/// Options that repeat published tables and are not what a mechanic would compute.
void add_repeating(const EventDriven& options, std::vector<std::string>& warnings) {
  if (options.normal_work == impulse::NormalWork::Pseudoinverse) {
    warnings.push_back(
        "normal_work \"pseudoinverse\": this expression is not the work that normal impulses do; "
        "impacts with friction at several points end too early or too late, and what comes back is "
        "not what the coefficient says. It repeats a published table; choose \"integral\" for "
        "anything else");
  }
  if (options.composition == impulse::Composition::Frozen) {
    warnings.push_back(
        "composition \"frozen\": points that part in an event keep their velocities while later "
        "events push the same bodies, so that impacts of several points keep neither momentum nor "
        "energy (numerical_loss says how much). It repeats a published table; choose "
        "\"consistent\" for anything else");
  }
}

}  // namespace

std::vector<std::string> first_warnings(const CheckedModel& checked,
                                        const SimulationOptions& options) {
  const Model& model = checked.given();
  std::vector<std::string> warnings;
  add_rigid_sets(checked, warnings);
  add_untouchable(model, warnings);
  add_crossing(checked, warnings);
  if (const EventDriven* events = event_driven(options)) add_repeating(*events, warnings);
  if (event_driven(options) != nullptr || !std::holds_alternative<Dynamics>(options)) {
    return warnings;
  }
  if (record_of(options).impacts) {
    warnings.push_back(
        "record/impacts is for the event_driven integrator and left out here: a time step has "
        "impulses, but no way through the impulse domain");
  }
  for (const Contact& contact : model.contacts) {
    if (!contact.static_friction) continue;
    warnings.push_back(fmt::format(
        "contact \"{}\": static_friction is for the event_driven integrator and left out here: a "
        "contact that sticks has the coefficient friction",
        contact.name));
  }
  return warnings;
}

}  // namespace saltus
