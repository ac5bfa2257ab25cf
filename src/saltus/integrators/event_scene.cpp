// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/event_scene.hpp"

#include <algorithm>
#include <limits>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
EventDrivenScene::EventDrivenScene(const System& system, const EventDriven& options,
                                   const ContactOptions& contacts)
    : system_(system), options_(options), contacts_(contacts), touch_(system), islands_(system) {}

/// Of each part when it is made.
void EventDrivenScene::detect_redundancy(const State& /*state*/) {}

/// Parts that are no longer followed are kept as systems, for balls meet again; not their steppers,
/// so that nothing but the last interval is remembered.
std::shared_ptr<const ScenePart> EventDrivenScene::part(const Components& components) {
  const auto known = known_parts_.find(components);
  if (known != known_parts_.end()) return known->second;
  if (known_parts_.size() >= std::size_t{EventTuning::most_parts}) known_parts_.clear();
  return known_parts_[components] = std::make_shared<ScenePart>(system_, components);
}

EventDrivenScene::Cluster EventDrivenScene::make(const Components& components) {
  Cluster cluster;
  cluster.components = components;
  cluster.part = part(components);
  cluster.stepper =
      std::make_unique<EventDrivenStepper>(cluster.part->system(), options_, contacts_);
  cluster.stepper->set_listener([this](double time) { return go_on(time); });
  return cluster;
}

/// The components of each island.
std::vector<EventDrivenScene::Components> EventDrivenScene::groups() const {
  std::vector<Components> result(static_cast<std::size_t>(islands_.count()));
  for (int c = 0; c < static_cast<int>(system_.components().size()); ++c) {
    result[static_cast<std::size_t>(islands_.of_component(c))].push_back(c);
  }
  return result;
}

void EventDrivenScene::start(State& state, double h) {
  separate();
  connect_overlapping(predicted(state, h));
  islands_.number();
  state.acceleration.setZero(system_.velocities());
  state.multiplier.setZero(system_.constraints());
  state.impulse.setZero(system_.constraints());
  state.reaction = state.multiplier;
  clusters_.clear();
  for (const Components& components : groups()) {
    Cluster& cluster = clusters_.emplace_back(make(components));
    cluster.part->take(state, cluster.state);
    cluster.stepper->detect_redundancy(cluster.state);
    cluster.stepper->start(cluster.state, h);
    cluster.part->give(cluster.state, state);
  }
}

/// Where the nodes go in the next interval at their accelerations of now.
std::vector<NodeBox> EventDrivenScene::predicted(const State& state, double h) const {
  std::vector<NodeBox> boxes;
  for (std::size_t i = 0; i < system_.nodes().size(); ++i) {
    const Node& node = system_.nodes()[i];
    const double reach = touch_.reach(static_cast<int>(i));
    if (node.unknowns == 0 || reach < 0) continue;
    const Vector3& x = state.configuration.nodes[i].x;
    const Vector3 v = node.local(state.velocity).head<3>();
    const Vector3 a = state.acceleration.size() > 0
                          ? Vector3(node.local(state.acceleration).head<3>())
                          : system_.gravity();
    const Vector3 beside = Vector3::Constant(h * h / 2 * a.norm());
    Eigen::AlignedBox3d box;
    for (const Vector3& place : {x, Vector3(x + h * v)}) {
      box.extend(Vector3(place - beside)).extend(Vector3(place + beside));
    }
    boxes.push_back({grown(box, reach), static_cast<int>(i)});
  }
  return boxes;
}

std::vector<NodeBox> EventDrivenScene::swept() const {
  std::vector<NodeBox> boxes;
  for (const Cluster& cluster : clusters_) {
    for (const int node : cluster.part->nodes()) {
      const double reach = touch_.reach(node);
      if (reach < 0) continue;
      boxes.push_back(
          {grown(cluster.stepper->swept()[static_cast<std::size_t>(node)], reach), node});
    }
  }
  return boxes;
}

/// But for what ropes connect: they act from afar.
void EventDrivenScene::separate() {
  islands_.separate();
  for (const ContactEntry& entry : system_.elements().contacts.listed) {
    const ContactElement& e = entry.element;
    if (e.stop() != nullptr) islands_.connect(e.node_A, e.node_B);
  }
}

void EventDrivenScene::connect_overlapping(std::vector<NodeBox> boxes) {
  saltus::connect_overlapping(boxes, touch_, islands_);
}

/// What the clusters of the last interval know of these components. A closed point that joins two
/// of them is an overlap of boxes: its components are together.
EventMemory EventDrivenScene::combined(const Components& components, const State& state) const {
  const System& system = known_parts_.at(components)->system();
  const auto is_ours = [&](ContactIndex contact) {
    const ContactElement e =
        system_.elements().contacts.point(contact, state.configuration).element;
    return system.is_present(e.node_A) && system.is_present(e.node_B);
  };
  EventMemory memory{.step = std::numeric_limits<double>::infinity(), .is_settled = true};
  for (const Cluster& cluster : clusters_) {
    const bool is_involved = std::ranges::any_of(
        cluster.components, [&](int c) { return std::ranges::binary_search(components, c); });
    if (!is_involved) continue;
    const EventMemory& old = cluster.before;
    memory.step = std::min(memory.step, old.step);
    memory.fastest = std::max(memory.fastest, old.fastest);
    memory.is_settled &= old.is_settled;
    std::ranges::copy_if(old.points, std::back_inserter(memory.points),
                         [&](const ClosedPoint& point) { return is_ours(point.contact); });
    for (const auto& status : old.status) {
      if (is_ours(status.first)) memory.status.insert(status);
    }
    for (const auto& way : old.ways) {
      if (is_ours(way.first)) memory.ways.insert(way);
    }
  }
  std::ranges::sort(memory.points, {}, &ClosedPoint::contact);
  return memory;
}

/// Clusters that stay as they are keep their steppers.
void EventDrivenScene::regroup(const State& state, double h) {
  const std::vector<Components> wanted = groups();
  const auto known = [&](const Components& components) {
    return std::ranges::find(clusters_, components, &Cluster::components);
  };
  std::vector<Cluster> next(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (known(wanted[i]) != clusters_.end()) continue;
    next[i] = make(wanted[i]);
    next[i].before = combined(wanted[i], state);
    next[i].part->take(state, next[i].state);
    next[i].stepper->detect_redundancy(next[i].state);
    next[i].stepper->resume(next[i].state, h, next[i].before);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto old = known(wanted[i]);
    if (old != clusters_.end()) next[i] = std::move(*old);
  }
  clusters_ = std::move(next);
}

StepReport EventDrivenScene::step(State& state, double h, double end, bool /*accept*/) {
  for (Cluster& cluster : clusters_) {
    cluster.before = cluster.stepper->memory();
    cluster.is_done = false;
  }
  separate();
  connect_overlapping(predicted(state, h));
  for (const Cluster& cluster : clusters_) {
    for (const ClosedPoint& point : cluster.before.points) {
      islands_.connect(point.element().node_A, point.element().node_B);
    }
  }
  for (int count = -1; count != islands_.count();) {
    islands_.number();
    count = islands_.count();
    regroup(state, h);
    for (Cluster& cluster : clusters_) {
      if (cluster.is_done) continue;
      cluster.part->take(state, cluster.state);
      cluster.report = cluster.stepper->step(cluster.state, h, end);
      if (!cluster.report.converged) return give_up(cluster, state, h);
      cluster.is_done = true;
    }
    connect_overlapping(swept());
    islands_.number();
  }
  return collect(state, end);
}

/// The report of the part that failed; the others go back to where they were.
StepReport EventDrivenScene::give_up(const Cluster& failed, const State& state, double h) {
  StepReport report = failed.report;
  for (Cluster& cluster : clusters_) {
    cluster.before.is_settled = false;
    cluster.part->take(state, cluster.state);
    cluster.stepper->resume(cluster.state, h, cluster.before);
  }
  return report;
}

StepReport EventDrivenScene::collect(State& state, double end) {
  StepReport report;
  report.overlooked = 0;
  report.joint_impulses.resize(system_.elements().joints.size());
  report.stop_forces.resize(system_.elements().joints.size());
  state.time = end;
  state.contacts.clear();
  if (state.forces.inertia.size() == 0) state.forces.resize(system_.velocities());
  for (Cluster& cluster : clusters_) {
    cluster.part->give(cluster.state, state);
    StepReport& part = cluster.report;
    report.usable &= part.usable;
    report.accurate &= part.accurate;
    report.contact_residual = std::max(report.contact_residual, part.contact_residual);
    report.smooth_iterations += part.smooth_iterations;
    report.position_violation = std::max(report.position_violation, part.position_violation);
    report.velocity_violation = std::max(report.velocity_violation, part.velocity_violation);
    report.penetration = std::max(report.penetration, part.penetration);
    report.overlooked = std::max(report.overlooked, part.overlooked);
    for (std::size_t i = 0; i < part.joint_impulses.size(); ++i) {
      report.joint_impulses[static_cast<std::size_t>(cluster.part->joints()[i])] =
          part.joint_impulses[i];
    }
    for (std::size_t i = 0; i < part.stop_forces.size(); ++i) {
      report.stop_forces[static_cast<std::size_t>(cluster.part->joints()[i])] = part.stop_forces[i];
    }
    std::ranges::move(part.warnings, std::back_inserter(report.warnings));
    std::ranges::move(part.events, std::back_inserter(report.events));
    std::ranges::move(part.collisions, std::back_inserter(report.collisions));
  }
  std::ranges::sort(state.contacts, {}, &ContactState::contact);
  std::ranges::stable_sort(report.events, {}, &ContactEvent::time);
  std::ranges::stable_sort(report.collisions, {}, &Collision::time);
  state.energy.kinetic = system_.kinetic_energy(state.configuration, state.velocity);
  state.energy.gravity = system_.gravity_energy(state.configuration);
  state.energy.elastic = system_.elastic_energy(state.configuration);
  return report;
}

void EventDrivenScene::archive(Archive& memory) {
  std::vector<Components> groups;
  for (const Cluster& cluster : clusters_) groups.push_back(cluster.components);
  memory(groups);
  if (memory.loads()) {
    clusters_.clear();
    for (const Components& components : groups) {
      clusters_.push_back(make(components));
    }
  }
  for (Cluster& cluster : clusters_) cluster.stepper->archive(memory);
}

}  // namespace saltus
