// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/event_scene.hpp"

#include <algorithm>
#include <limits>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Motion by velocities, forces by equations.
constexpr VectorX State::*by_velocities[] = {&State::velocity, &State::acceleration,
                                             &State::pseudo_acceleration};
constexpr VectorX State::*by_rows[] = {&State::multiplier, &State::impulse, &State::reaction};
constexpr VectorX ForceTerms::*force_terms[] = {&ForceTerms::inertia, &ForceTerms::gravity,
                                                &ForceTerms::elastic, &ForceTerms::damping,
                                                &ForceTerms::applied, &ForceTerms::constraint};
constexpr double EnergyLedger::*booked[] = {
    &EnergyLedger::external_work, &EnergyLedger::friction_loss, &EnergyLedger::impact_loss,
    &EnergyLedger::damping_loss, &EnergyLedger::numerical_loss};

VectorX taken(const VectorX& whole, const std::vector<int>& places) {
  if (whole.size() == 0) return VectorX::Zero(static_cast<Eigen::Index>(places.size()));
  return whole(places);
}

/// From boxes of the origins of nodes to those that hold their shapes, however they turn.
void add_reach(const TouchTable& touch, std::vector<Eigen::AlignedBox3d>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double reach = touch.reach(static_cast<int>(i));
    if (boxes[i].isEmpty()) continue;
    boxes[i] = {boxes[i].min().array() - reach, boxes[i].max().array() + reach};
  }
}

}  // namespace

// ---- parts

ScenePart::ScenePart(const System& whole, const std::vector<int>& components)
    : system_(whole.part(components)) {
  for (std::size_t n = 0; n < whole.nodes().size(); ++n) {
    const int unknowns = system_.nodes()[n].unknowns;
    if (unknowns == 0) continue;
    nodes_.push_back(static_cast<int>(n));
    for (int i = 0; i < unknowns; ++i) {
      velocities_.push_back(whole.nodes()[n].first_unknown + i);
    }
  }
  for (const JointEntry& joint : whole.elements().joints) {
    const int component = whole.component_of(whole.velocities() + joint.first_row);
    if (joint.element.rows() == 0 || !std::ranges::binary_search(components, component)) continue;
    for (int i = 0; i < joint.element.rows(); ++i) rows_.push_back(joint.first_row + i);
    if (joint.element.angle_index >= 0) angles_.push_back(joint.element.angle_index);
  }
}

void ScenePart::take(const State& whole, State& part) const {
  part.time = whole.time;
  part.configuration = whole.configuration;
  for (VectorX State::*v : by_velocities) part.*v = taken(whole.*v, velocities_);
  for (VectorX State::*v : by_rows) part.*v = taken(whole.*v, rows_);
  for (VectorX ForceTerms::*term : force_terms) {
    part.forces.*term = taken(whole.forces.*term, velocities_);
  }
  part.rotation = whole.rotation;
  part.contacts.clear();
  part.contact_losses.assign(whole.contact_losses.size(), {});
  part.energy = {};
}

void ScenePart::give(const State& part, State& whole) const {
  for (const int node : nodes_) {
    const auto n = static_cast<std::size_t>(node);
    whole.configuration.nodes[n] = part.configuration.nodes[n];
    whole.rotation[n] = part.rotation[n];
  }
  for (const int angle : angles_) {
    const auto i = static_cast<std::size_t>(angle);
    whole.configuration.angles[i] = part.configuration.angles[i];
  }
  for (VectorX State::*v : by_velocities) {
    if ((whole.*v).size() > 0) (whole.*v)(velocities_) = part.*v;
  }
  for (VectorX State::*v : by_rows) {
    if (!rows_.empty()) (whole.*v)(rows_) = part.*v;
  }
  for (VectorX ForceTerms::*term : force_terms) {
    if ((part.forces.*term).size() > 0) (whole.forces.*term)(velocities_) = part.forces.*term;
  }
  whole.contacts.insert(whole.contacts.end(), part.contacts.begin(), part.contacts.end());
  for (std::size_t i = 0; i < part.contact_losses.size(); ++i) {
    whole.contact_losses[i].friction += part.contact_losses[i].friction;
    whole.contact_losses[i].impact += part.contact_losses[i].impact;
  }
  for (double EnergyLedger::*term : booked) whole.energy.*term += part.energy.*term;
}

// ---- what may touch what

TouchTable::TouchTable(const System& system) : reaches_(system.nodes().size(), -1.0) {
  const ContactPoints& contacts = system.elements().contacts;
  for (const FeatureEntry& entry : contacts.features) {
    const ContactFeature& feature = entry.feature;
    double& reach = reaches_[static_cast<std::size_t>(feature.node)];
    // Surfaces have no end, or what touches them is beside or inside of them.
    reach = is_round(feature.form.kind)
                ? std::max(reach, feature.frame.d.norm() + feature.form.radius)
                : unbounded;
  }
  for (const ContactEntry& entry : contacts.listed) {
    listed_.emplace_back(std::minmax(entry.element.node_A, entry.element.node_B));
  }
  std::ranges::sort(listed_);
  for (const int group : contacts.unlisted) {
    const auto& pairs =
        std::get<FeaturePairs>(contacts.groups[static_cast<std::size_t>(group)].source);
    const auto nodes_of = [&](const std::vector<int>& features) {
      std::vector<char> nodes(system.nodes().size(), 0);
      for (const int f : features) {
        nodes[static_cast<std::size_t>(
            contacts.features[static_cast<std::size_t>(f)].feature.node)] = 1;
      }
      return nodes;
    };
    unlisted_.push_back({nodes_of(pairs.first), nodes_of(pairs.second)});
  }
}

bool TouchTable::may_touch(int node_A, int node_B) const {
  if (std::ranges::binary_search(listed_, std::pair<int, int>(std::minmax(node_A, node_B)))) {
    return true;
  }
  const auto A = static_cast<std::size_t>(node_A), B = static_cast<std::size_t>(node_B);
  return std::ranges::any_of(unlisted_, [&](const Selections& s) {
    return (s.first[A] && s.second[B]) || (s.first[B] && s.second[A]);
  });
}

// ---- the scene

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
  islands_.separate();
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
EventDrivenScene::Boxes EventDrivenScene::predicted(const State& state, double h) const {
  Boxes boxes(system_.nodes().size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Node& node = system_.nodes()[i];
    if (node.unknowns == 0 || touch_.reach(static_cast<int>(i)) < 0) continue;
    const Vector3& x = state.configuration.nodes[i].x;
    const Vector3 v = node.local(state.velocity).head<3>();
    const Vector3 a = state.acceleration.size() > 0
                          ? Vector3(node.local(state.acceleration).head<3>())
                          : system_.gravity();
    const Vector3 beside = Vector3::Constant(h * h / 2 * a.norm());
    for (const Vector3& place : {x, Vector3(x + h * v)}) {
      boxes[i].extend(Vector3(place - beside)).extend(Vector3(place + beside));
    }
  }
  add_reach(touch_, boxes);
  return boxes;
}

EventDrivenScene::Boxes EventDrivenScene::swept() const {
  Boxes boxes(system_.nodes().size());
  for (const Cluster& cluster : clusters_) {
    for (const int node : cluster.part->nodes()) {
      const auto n = static_cast<std::size_t>(node);
      if (touch_.reach(node) >= 0) boxes[n] = cluster.stepper->swept()[n];
    }
  }
  add_reach(touch_, boxes);
  return boxes;
}

/// By their order along x, so that only boxes near each other are compared.
void EventDrivenScene::connect_overlapping(const Boxes& boxes) {
  std::vector<int> order;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].isEmpty()) order.push_back(static_cast<int>(i));
  }
  const auto box = [&](int i) -> const Eigen::AlignedBox3d& {
    return boxes[static_cast<std::size_t>(i)];
  };
  std::ranges::sort(order, [&](int a, int b) {
    return std::pair(box(a).min().x(), a) < std::pair(box(b).min().x(), b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (box(order[j]).min().x() > box(order[i]).max().x()) break;
      if (!box(order[i]).intersects(box(order[j]))) continue;
      if (touch_.may_touch(order[i], order[j])) islands_.connect(order[i], order[j]);
    }
  }
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
  EventMemory memory{.step = unbounded, .is_settled = true};
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
  islands_.separate();
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
