// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/sleeping_scene.hpp"

#include <algorithm>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

constexpr double EnergyLedger::*stored[] = {&EnergyLedger::kinetic, &EnergyLedger::gravity,
                                            &EnergyLedger::elastic};

}  // namespace

// ---- who lies still

RestWatch::RestWatch(const System& system, double unit)
    : nodes_(system.components().size(), 0),
      lengths_(nodes_.size(), 0.0),
      still_(nodes_.size(), 0),
      unit_(unit),
      places_(nodes_.size()) {
  std::vector<int> elements(system.nodes().size(), 0);  // of nodes; inertias do not count
  ElementLists::for_each(system.elements(), [&](const auto& list) {
    for (const auto& element : list) {
      for (const int node : element.node_ids()) ++elements[static_cast<std::size_t>(node)];
    }
  });
  for (const RigidInertia& inertia : system.elements().inertias) {
    for (const int node : inertia.node_ids()) --elements[static_cast<std::size_t>(node)];
  }
  for (const ContactEntry& entry : system.elements().contacts.listed) {
    if (!entry.element.is_of_joint()) continue;  // ropes act from afar
    ++elements[static_cast<std::size_t>(entry.element.node_A)];
    ++elements[static_cast<std::size_t>(entry.element.node_B)];
  }
  for (std::size_t n = 0; n < system.nodes().size(); ++n) {
    const Node& node = system.nodes()[n];
    if (node.unknowns == 0 || elements[n] > 0) continue;
    const auto c = static_cast<std::size_t>(system.component_of(node.first_unknown));
    const Component& component = system.components()[c];
    if (!component.is_free()) continue;
    nodes_[c] = static_cast<int>(n);
    lengths_[c] = length_of(component.length, component.height);
    ++candidates_;
  }
}

/// Short steps are no rest: what is thrown does not move far in ten of them either.
void RestWatch::look(const State& state, const std::vector<char>& asleep, double h) {
  has_news_ = false;
  time_ += h;
  const bool counts = time_ >= unit_;
  if (counts) time_ = 0;
  for (std::size_t c = 0; c < nodes_.size(); ++c) {
    if (nodes_[c] == 0 || asleep[c] != 0) continue;
    const auto& pose = state.configuration.nodes[static_cast<std::size_t>(nodes_[c])];
    Place& place = places_[c];
    const double most = SleepTuning::still * lengths_[c];
    const bool has_moved =
        (pose.x - place.x).squaredNorm() > most * most ||
        (pose.R - place.R).squaredNorm() > SleepTuning::still * SleepTuning::still;
    if (has_moved) {
      place = {pose.x, pose.R};
      still_[c] = 0;
    } else if (counts && ++still_[c] % SleepTuning::steps == 0) {
      has_news_ = true;
    }
  }
}

bool RestWatch::rests(int component) const {
  return may_rest(component) && still_[static_cast<std::size_t>(component)] >= SleepTuning::steps;
}

void RestWatch::forget(int component) { still_[static_cast<std::size_t>(component)] = 0; }

// ---- the scene

SleepingScene::SleepingScene(const System& system, const NonsmoothGeneralizedAlpha& options,
                             const ContactOptions& contacts)
    : system_(system),
      options_(options),
      contacts_(contacts),
      touch_(system),
      rest_(system, options.step.adaptive() != nullptr ? options.step.longest() : 0),
      asleep_(system.components().size(), 0),
      groups_(system.components().size(), -1),
      awake_(std::make_unique<IslandSteps>(system, options, contacts)) {
  for (std::size_t n = 0; n < system.nodes().size(); ++n) {
    const Node& node = system.nodes()[n];
    reaches_.push_back(touch_.reach(static_cast<int>(n)));
    if (node.unknowns == 0 || reaches_.back() < 0) continue;
    const Component& c =
        system.components()[static_cast<std::size_t>(system.component_of(node.first_unknown))];
    reaches_.back() += ContactTuning::nearby * length_of(c.length, c.height);
  }
}

bool SleepingScene::is_of_use(const System& system) {
  if (!system.elements().compliant.empty()) return false;  // what rests on springs is never still
  return !system.elements().contacts.empty() && RestWatch(system).has_candidates();
}

void SleepingScene::start(State& state, double h) { awake_->start(state, h); }

StepReport SleepingScene::step(State& state, double h, double end, bool accept) {
  if (wake_beside(state, nullptr, h)) set_part(state);
  awake_->let_halve(halves());
  StepReport report = step_awake(state, h, end, accept);
  slept_ = sleeping_;
  report.sleeping = slept_;
  if (state.time != end) return report;  // it failed
  last_step_ = h;
  rest_.look(state, asleep_, h);
  if (rest_.has_news()) fall_asleep(state, h);
  return report;
}

/// Once more with others where those that are awake have come to who sleeps.
StepReport SleepingScene::step_awake(State& state, double h, double end, bool accept) {
  if (!part_) return awake_->step(state, h, end, accept);
  StepReport report;
  take(state);
  if (part_->nodes().empty()) {
    part_state_.time = end;
  } else {
    awake_->remember();
    report = awake_->step(part_state_, h, end, accept);
    if (part_state_.time != end) return report;
    if (wake_beside(state, &part_state_, h)) {
      awake_->go_back();
      set_part(state);
      awake_->let_halve(halves());
      return step_awake(state, h, end, accept);
    }
  }
  give(state, h);
  return report;
}

/// What is awake has books of its own of what it stores, and the contacts that nobody holds.
void SleepingScene::take(const State& state) {
  part_->take(state, part_state_);
  part_state_.contact_losses = state.contact_losses;
  part_state_.energy = state.energy;
  for (double EnergyLedger::*term : stored) part_state_.energy.*term = part_energy_.*term;
  for (const ContactState& contact : state.contacts) {
    const auto held = std::ranges::lower_bound(held_, contact.contact, {}, &ContactState::contact);
    if (held == held_.end() || held->contact != contact.contact)
      part_state_.contacts.push_back(contact);
  }
}

void SleepingScene::give(State& state, double h) {
  part_energy_ = part_state_.energy;
  state.time = part_state_.time;
  state.contacts = held_;
  for (ContactState& contact : state.contacts) {
    for (Vector3 ContactState::*impulse :
         {&ContactState::impulse, &ContactState::force, &ContactState::moment}) {
      contact.*impulse *= h / held_step_;
    }
  }
  state.contact_losses.assign(state.contact_losses.size(), {});
  part_->give(part_state_, state);
  std::ranges::sort(state.contacts, {}, &ContactState::contact);
  state.contact_losses = part_state_.contact_losses;
  state.energy = part_state_.energy;
  for (double EnergyLedger::*term : stored) state.energy.*term += at_rest_.*term;
}

// ---- waking

/// Wakes those beside which something moves: before a step where it would go at its acceleration
/// of now, after it where it went.
bool SleepingScene::wake_beside(const State& from, const State* to, double h) {
  if (sleeping_.empty() || part_->nodes().empty()) return false;
  bool wakes = false;
  for (const int node : part_->nodes()) {
    const auto n = static_cast<std::size_t>(node);
    const double reach = reaches_[n];
    if (reach < 0) continue;
    const Vector3& x = from.configuration.nodes[n].x;
    Eigen::AlignedBox3d box(x);
    if (to != nullptr) {
      box.extend(to->configuration.nodes[n].x);
    } else {
      const Node& moving = system_.nodes()[n];
      const Vector3 beside =
          Vector3::Constant(h * h / 2 * Vector3(moving.local(from.acceleration).head<3>()).norm());
      const Vector3 next = x + h * Vector3(moving.local(from.velocity).head<3>());
      box.extend(Vector3(next - beside)).extend(Vector3(next + beside));
    }
    box = grown(box, reach);
    const double first = box.min().x() - widest_;
    for (auto bed = std::ranges::lower_bound(beds_, std::pair(first, 0), {}, &NodeBox::order);
         bed != beds_.end() && bed->box.min().x() <= box.max().x(); ++bed) {
      const int component =
          system_.component_of(system_.nodes()[static_cast<std::size_t>(bed->node)].first_unknown);
      const auto c = static_cast<std::size_t>(component);
      if (asleep_[c] == 0 || !bed->box.intersects(box)) continue;
      if (!touch_.may_touch(node, bed->node)) continue;
      wake(groups_[c]);
      wakes = true;
    }
  }
  return wakes;
}

void SleepingScene::wake(int group) {
  for (std::size_t c = 0; c < groups_.size(); ++c) {
    if (groups_[c] != group) continue;
    groups_[c] = -1;
    asleep_[c] = 0;
    rest_.forget(static_cast<int>(c));
  }
}

// ---- falling asleep

/// Groups of bodies that may touch each other, all at rest, beside no surface that moves.
void SleepingScene::fall_asleep(const State& state, double h) {
  Islands islands(system_);
  std::vector<NodeBox> boxes;
  for (std::size_t n = 1; n < system_.nodes().size(); ++n) {
    const Node& node = system_.nodes()[n];
    if (node.unknowns == 0 || reaches_[n] < 0) continue;
    const double way = h * Vector3(node.local(state.velocity).head<3>()).norm();
    const Eigen::AlignedBox3d place(state.configuration.nodes[n].x);
    boxes.push_back({grown(place, reaches_[n] + way), static_cast<int>(n)});
  }
  islands.separate();
  connect_overlapping(boxes, touch_, islands);
  islands.number();
  std::vector<char> rests(static_cast<std::size_t>(islands.count()), 1);
  for (std::size_t c = 0; c < asleep_.size(); ++c) {
    if (asleep_[c] == 0 && !rest_.rests(static_cast<int>(c)))
      rests[static_cast<std::size_t>(islands.of_component(static_cast<int>(c)))] = 0;
  }
  for (const ContactState& contact : state.contacts) {
    const ContactElement e =
        system_.elements().contacts.point(contact.contact, state.configuration).element;
    if (!e.surface_velocity.isZero(0))
      rests[static_cast<std::size_t>(islands.of_pair(e.node_A, e.node_B))] = 0;
  }
  bool has_news = false;
  for (std::size_t c = 0; c < asleep_.size(); ++c) {
    const int island = islands.of_component(static_cast<int>(c));
    if (asleep_[c] != 0 || rests[static_cast<std::size_t>(island)] == 0) continue;
    asleep_[c] = 1;
    groups_[c] = next_group_ + island;
    has_news = true;
  }
  next_group_ += islands.count();
  if (has_news) set_part(state);
}

/// What is awake now as a system of its own, and where the others lie.
void SleepingScene::make_part() {
  std::vector<int> awake;
  beds_.clear();
  sleeping_.clear();
  widest_ = 0;
  for (int c = 0; c < static_cast<int>(asleep_.size()); ++c) {
    if (asleep_[static_cast<std::size_t>(c)] == 0) {
      awake.push_back(c);
      continue;
    }
    const int node = rest_.node(c);
    sleeping_.push_back(node);
    if (const double reach = reaches_[static_cast<std::size_t>(node)]; reach >= 0) {
      beds_.push_back({grown(Eigen::AlignedBox3d(rest_.place(c)), reach), node});
      widest_ = std::max(widest_, beds_.back().box.sizes().x());
    }
  }
  std::ranges::sort(beds_, {}, &NodeBox::order);
  part_.reset();
  if (!sleeping_.empty()) part_ = std::make_unique<ScenePart>(system_, awake);
  awake_ = std::make_unique<IslandSteps>(part_ ? part_->system() : system_, options_, contacts_);
}

void SleepingScene::set_part(const State& state) {
  const std::unique_ptr<IslandSteps> old = std::move(awake_);
  const std::unique_ptr<ScenePart> old_part = std::move(part_);  // the old stepper's system
  make_part();
  awake_->take_over(*old);
  held_.clear();
  held_step_ = last_step_;
  part_energy_ = at_rest_ = {};
  if (!part_) return;
  std::ranges::copy_if(state.contacts, std::back_inserter(held_), [&](const ContactState& contact) {
    const ContactElement e =
        system_.elements().contacts.point(contact.contact, state.configuration).element;
    return !part_->system().is_present(e.node_A) || !part_->system().is_present(e.node_B);
  });
  part_->take(state, part_state_);
  part_->take_energies(part_state_);
  for (double EnergyLedger::*term : stored) part_energy_.*term = part_state_.energy.*term;
  for (double EnergyLedger::*term : stored)
    at_rest_.*term = state.energy.*term - part_energy_.*term;
}

/// Who is awake seldom changes within the steps that are tried again.
void SleepingScene::archive(Archive& memory) {
  const std::vector<char> before = asleep_;
  memory(rest_, asleep_, groups_, next_group_, held_, held_step_, last_step_, at_rest_,
         part_energy_);
  if (memory.loads() && asleep_ != before) make_part();
  awake_->archive(memory);
}

}  // namespace saltus
