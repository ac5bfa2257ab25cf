// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/scene_part.hpp"

#include <algorithm>
#include <array>
#include <limits>

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

/// Zero where the whole has nothing.
void take_places(const VectorX& whole, const std::vector<int>& places, VectorX& part) {
  part.setZero(static_cast<Eigen::Index>(places.size()));
  if (whole.size() == 0) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    part[static_cast<Eigen::Index>(i)] = whole[places[i]];
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
  const std::vector<JointEntry>& joints = whole.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto moves = [&](int node) {
      return system_.nodes()[static_cast<std::size_t>(node)].unknowns > 0;
    };
    if (moves(joints[i].element.node_A) || moves(joints[i].element.node_B))
      joints_.push_back(static_cast<int>(i));
  }
  for (const JointEntry& joint : joints) {
    if (joint.element.rows() == 0 || joint.continues) continue;
    const int component = whole.component_of(whole.velocities() + joint.first_row);
    if (!std::ranges::binary_search(components, component)) continue;
    for (int i = 0; i < joint.element.rows(); ++i) rows_.push_back(joint.first_row + i);
    if (joint.element.angle_index >= 0) angles_.push_back(joint.element.angle_index);
  }
  for (const ArmAngle& angle : whole.elements().arm_angles) {
    const bool is_here = std::ranges::any_of(std::array{angle.node_A, angle.node_B}, [&](int n) {
      return system_.nodes()[static_cast<std::size_t>(n)].unknowns > 0;
    });
    if (is_here) angles_.push_back(angle.index);
  }
}

void ScenePart::take(const State& whole, State& part) const {
  part.time = whole.time;
  part.configuration = whole.configuration;
  for (VectorX State::*v : by_velocities) take_places(whole.*v, velocities_, part.*v);
  for (VectorX State::*v : by_rows) take_places(whole.*v, rows_, part.*v);
  for (VectorX ForceTerms::*term : force_terms) {
    take_places(whole.forces.*term, velocities_, part.forces.*term);
  }
  part.rotation = whole.rotation;
  part.contacts.clear();
  part.contact_losses.assign(whole.contact_losses.size(), {});
  part.energy = {};
}

void ScenePart::take_energies(State& part) const {
  part.energy.kinetic = system_.kinetic_energy(part.configuration, part.velocity);
  part.energy.gravity = system_.gravity_energy(part.configuration);
  part.energy.elastic = system_.elastic_energy(part.configuration);
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
  for (std::size_t i = 0; i < contacts.solids.size(); ++i) {
    const SolidEntry& solid = contacts.solids[i];
    const ConvexCore& core = contacts.core(static_cast<int>(i));
    double& reach = reaches_[static_cast<std::size_t>(solid.node)];
    if (reach == unbounded) continue;
    reach = std::max(reach, (solid.frame.d + solid.frame.E * core.centre).norm() + core.bound);
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
  for (const SolidPairs& pairs : contacts.solid_pairs) {
    const auto nodes_of = [&](const std::vector<int>& solids) {
      std::vector<char> nodes(system.nodes().size(), 0);
      for (const int s : solids) {
        nodes[static_cast<std::size_t>(contacts.solids[static_cast<std::size_t>(s)].node)] = 1;
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

// ---- boxes

Eigen::AlignedBox3d grown(const Eigen::AlignedBox3d& box, double margin) {
  return {box.min().array() - margin, box.max().array() + margin};
}

void connect_overlapping(std::vector<NodeBox>& boxes, const TouchTable& touch, Islands& islands) {
  std::ranges::sort(boxes, {}, &NodeBox::order);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[j].box.min().x() > boxes[i].box.max().x()) break;
      if (!boxes[i].box.intersects(boxes[j].box)) continue;
      if (touch.may_touch(boxes[i].node, boxes[j].node))
        islands.connect(boxes[i].node, boxes[j].node);
    }
  }
}

}  // namespace saltus
