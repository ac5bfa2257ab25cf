// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/step_ledger.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// What is left of a loss after a debt, ≥ 0; what is negative becomes debt.
double without_debt(double loss, double& debt) {
  debt += loss;
  const double rest = std::max(0.0, debt);
  debt = std::min(0.0, debt);
  return rest;
}

/// Of a point that the state may not know.
bool is_open(const ContactState* contact) {
  return contact == nullptr || contact->status == ContactStatus::Open;
}

}  // namespace

bool only_gravity_acts(const System& system) {
  bool found = system.constraints() > 0;
  ElementLists::for_each(system.elements(), [&](const auto& list) {
    using List = std::remove_cvref_t<decltype(list)>;
    if constexpr (!std::is_same_v<List, ElementList<RigidInertia>>) found |= list.size() > 0;
  });
  return !found;
}

StepLedger::StepLedger(const System& system)
    : system_(system), only_gravity_acts_(only_gravity_acts(system)) {
  Mx_.setZero(system.velocities());
  velocities_.reserve(system.elements().contacts.listed.size());
}

/// Closed is who pushed, or touches and does not part; a contact that only passed by in the step is
/// open. Sticking is friction inside of its bound, or no slip: where contacts are redundant, some
/// of those that do not move are at their bound.
ContactStatus StepLedger::status_of(const StepContacts& contacts, std::size_t i) const {
  const ContactGeometry& c = contacts.set.points()[i];
  const VelocityReaction& reaction = contacts.impulses.reactions()[i];
  if (!c.closed) return ContactStatus::Open;
  const auto island = static_cast<std::size_t>(contacts.set.island_of(c));
  const double none = VelocityTuning::contact_velocity_tolerance * contacts.speeds[island];
  const bool closed = c.closed && (reaction.impulse[0] > 0 || velocities_[i][0] <= none);
  if (!closed) return ContactStatus::Open;
  if (reaction.mu == 0) return ContactStatus::Slip;
  const double usage = contacts.set.usage(c, reaction.mu, reaction.impulse, friction_parts[0]);
  const bool below_bound = usage < 1 - VelocityTuning::status_margin;
  const int rows = c.element().slide() != nullptr ? 3 : 2;  // of a ball in its socket three
  if (below_bound || velocities_[i].segment(1, rows).norm() <= none) return ContactStatus::Stick;
  return ContactStatus::Slip;
}

void StepLedger::close_contacts(const State& start, const StepContacts& contacts, State& next,
                                StepReport& report) {
  contact_work_ = 0;
  next.contacts.clear();
  if (start.contacts.empty() && contacts.set.empty()) return;
  const std::vector<ContactGeometry>& points = contacts.set.points();
  has_impact_.assign(static_cast<std::size_t>(contacts.set.islands().count()), 0);
  const auto island_of = [&](std::size_t i) {
    return static_cast<std::size_t>(contacts.set.island_of(points[i]));
  };
  for (const SubImpact& part : contacts.impulses.impacts()) {
    has_impact_[island_of(static_cast<std::size_t>(part.point))] = 1;
  }
  velocities_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactGeometry& c = points[i];
    const VelocityReaction& reaction = contacts.impulses.reactions()[i];
    const ContactElement& e = c.element();
    velocities_[i] = contacts.set.velocity(next.velocity, i);
    const ContactStatus status = status_of(contacts, i);
    if (status != ContactStatus::Open) {
      ContactState& state = next.contacts.emplace_back();
      state.contact = c.contact;
      state.status = status;
      state.impulse = reaction.impulse.head<3>();
      state.force = reaction.force;
      // At the end, wherever the rows are: the tangent is one of that place's axes.
      const NodePair q = system_.pair(next.configuration, e.node_A, e.node_B);
      state.t1 = e.axes(q, c.from).col(1);
      state.moment = e.length * reaction.impulse.tail<3>();
      if (e.is_of_joint()) {
        const JointLoad acted = contacts.set.joint_load(i, reaction.impulse);
        state.force = acted.force;
        state.moment = acted.moment;
        state.load = contacts.set.joint_load(i, reaction.lasting / contacts.h);
        state.load.slips = status == ContactStatus::Slip;
      }
      if (!contacts.positions.empty()) state.creep = contacts.positions[i].creep;
    }
    const double belt_work = reaction.impulse.head<3>().dot(e.surface_velocity);  // energy.md (13)
    next.energy.external_work += belt_work;
    contact_work_ += belt_work;
    if (has_impact_[island_of(i)] != 0) continue;
    Vector6 mean = (c.velocity_n + velocities_[i]) / 2;
    // What closes and stays loses its approach, however small; of what was closed it is the
    // scheme's.
    if (c.left_out != 0 && is_open(start.contact(c.contact))) mean[0] += c.left_out / 2;
    // Losses have a sign: what the means of a step make of a contact that parts, stops or turns
    // back in it is an error of the scheme until later steps make up for it.
    ContactLoss& books = next.contact_losses[static_cast<std::size_t>(c.entry.contact)];
    const double friction = without_debt(-reaction.impulse.tail<5>().dot(mean.tail<5>()),
                                         books.friction_debt);  // energy.md (12)
    const double lost =
        without_debt(-reaction.impulse[0] * mean[0], books.impact_debt);  // energy.md (11)
    lose(c.entry.contact, lost, friction, next);
    add_changes(start, contacts, {i, status, reaction.force, lost + friction}, next, report);
  }
  // On an island with an impact losses are those of the impulses along the velocities' mean.
  if (!contacts.impulses.impacts().empty()) book_impacts(start, contacts, next, report);
  std::sort(next.contacts.begin(), next.contacts.end(),
            [](const ContactState& a, const ContactState& b) { return a.contact < b.contact; });
  add_openings(start, next, report);
}

/// Their forces are in the balance of the smooth motion; what of their work is friction, or that of
/// a moving surface, they say themselves.
ContactBooks StepLedger::close_compliant(const State& start, State& next, StepReport& report) {
  const ContactBooks books = system_.end_contacts(next);
  next.energy.friction_loss += books.friction_loss;
  next.energy.external_work += books.belt_work;
  for (const CompliantContact& e : system_.elements().compliant) {
    const auto i = static_cast<std::size_t>(e.memory);
    const ContactMemory &before = start.configuration.contacts[i],
                        &now = next.configuration.contacts[i];
    if (before.is_closed == now.is_closed) continue;
    ContactEvent& event = report.events.emplace_back();
    event.time = next.time;
    event.contact = e.listed;
    event.kind = now.is_closed ? ContactEventKind::Closes : ContactEventKind::Opens;
    const ContactElement& c = e.contact;
    event.normal = c.axes(system_.pair(next.configuration, c.node_A, c.node_B)).col(0);
    event.impulse = now.impulse;
    event.before = velocity_of(e.listed, start);
    event.after = velocity_of(e.listed, next);
  }
  return books;
}

void StepLedger::lose(int contact, double by_impact, double by_friction, State& next) {
  next.contact_losses[static_cast<std::size_t>(contact)].impact += by_impact;
  next.contact_losses[static_cast<std::size_t>(contact)].friction += by_friction;
  next.energy.impact_loss += by_impact;
  next.energy.friction_loss += by_friction;
  contact_work_ -= by_impact + by_friction;
}

/// In a contact that impacts, friction is part of it: only the sum has a sign.
void StepLedger::book_impacts(const State& start, const StepContacts& contacts, State& next,
                              StepReport& report) {
  const std::vector<ContactGeometry>& points = contacts.set.points();
  std::vector<double> others(points.size(), 0.0);  // what is lost without an impact
  std::vector<Vector3> in_impacts(points.size(), Vector3::Zero());
  lost_.assign(has_impact_.size(), 0.0);
  const auto island_of = [&](std::size_t i) {
    return static_cast<std::size_t>(contacts.set.island_of(points[i]));
  };
  for (const SubImpact& part : contacts.impulses.impacts()) {
    const auto i = static_cast<std::size_t>(part.point);
    if (!part.by_forces) lost_[island_of(i)] += part.normal_loss + part.friction_loss;
    const int contact = points[i].entry.contact;
    // In an impact only the sum has a sign; contacts that last beside it, and what forces do after
    // it, are as in any other step.
    ContactLoss& books = next.contact_losses[static_cast<std::size_t>(contact)];
    const double by_normal =
        part.is_impact ? part.normal_loss : without_debt(part.normal_loss, books.impact_debt);
    const double by_friction =
        part.is_impact ? part.friction_loss : without_debt(part.friction_loss, books.friction_debt);
    const double lost = by_normal + by_friction;
    lose(contact, part.is_impact ? lost : by_normal, part.is_impact ? 0 : by_friction, next);
    if (!part.is_impact) {
      others[i] += lost;
      continue;
    }
    in_impacts[i] += part.force;
    report.events.push_back({.time = next.time,
                             .contact = points[i].contact,
                             .kind = ContactEventKind::Impact,
                             .order = part.order,
                             .normal = part.normal,
                             .impulse = part.force,
                             .before = part.before,
                             .after = part.after,
                             .energy_lost = lost});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (has_impact_[island_of(i)] == 0) continue;
    Vector3 force = contacts.impulses.reactions()[i].force;
    force -= in_impacts[i];  // which stands in the rows of the impacts
    add_changes(start, contacts, {i, status_of(contacts, i), force, others[i]}, next, report);
  }
  warn_of_gain(contacts, start, report);
}

/// Contacts that were closed and are so no longer.
void StepLedger::add_openings(const State& start, const State& next, StepReport& report) const {
  for (const ContactState& before : start.contacts) {
    if (before.status == ContactStatus::Open) continue;
    const ContactState* now = next.contact(before.contact);
    if (now != nullptr && now->status != ContactStatus::Open) continue;
    if (system_.elements().contacts.is_compliant(before.contact)) continue;  // close_compliant()
    ContactEvent event;
    event.time = next.time;
    event.contact = before.contact;
    event.kind = ContactEventKind::Opens;
    const ContactElement e =
        system_.elements().contacts.point(event.contact, next.configuration).element;
    event.normal = e.axes(system_.pair(next.configuration, e.node_A, e.node_B)).col(0);
    event.before = velocity_of(event.contact, start);
    event.after = velocity_of(event.contact, next);
    report.events.push_back(event);
  }
}

Vector3 StepLedger::velocity_of(ContactIndex contact, const State& state) const {
  const ContactElement e = system_.elements().contacts.point(contact, state.configuration).element;
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const Vector6 u = e.jacobian(q) * system_.local(state.velocity, e.node_A, e.node_B);
  return e.axes(q) * (u.head<3>() - e.surface_velocity);
}

/// The impact of one contact by itself that won most; null: only those of several together did. Its
/// normal part loses, whatever the step is: it is friction that turns the slip and gives energy.
const SubImpact* StepLedger::find_gain_alone(const StepContacts& contacts, int island) const {
  const std::vector<SubImpact>& impacts = contacts.impulses.impacts();
  const auto is_here = [&](const SubImpact& part) {
    const auto i = static_cast<std::size_t>(part.point);
    return !part.by_forces && contacts.set.island_of(contacts.set.points()[i]) == island;
  };
  const SubImpact* found = nullptr;
  double most = 0;
  for (const SubImpact& part : impacts) {
    const double gain = -part.normal_loss - part.friction_loss;
    if (!is_here(part) || !(gain > most)) continue;
    const auto members = std::ranges::count_if(impacts, [&](const SubImpact& other) {
      return is_here(other) && other.order == part.order;
    });
    if (members > 1 || part.friction_loss >= 0) return nullptr;
    found = &part;
    most = gain;
  }
  return found;
}

/// An impact that wins energy: Newton's law with friction, restitution of contacts that depend on
/// each other, or a body that turns much in a step. Its island's energy is what it is compared
/// with.
void StepLedger::warn_of_gain(const StepContacts& contacts, const State& start,
                              StepReport& report) {
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    if (!(lost_[i] < 0)) continue;
    const double kinetic = kinetic_energy(system_, contacts.set.islands(), static_cast<int>(i),
                                          start.configuration, start.velocity, Mx_);
    if (lost_[i] >= -ImpulseTuning::gain_of_impact * kinetic) continue;
    const int island = static_cast<int>(i);
    const SubImpact* alone = find_gain_alone(contacts, island);
    const int point = alone != nullptr ? alone->point : contacts.set.points_of(island).front();
    const char* why =
        alone != nullptr
            ? "friction turns its slip round, and Newton's restitution does not know of that (no "
              "error of the step: a smaller one does not help, less restitution or the energetic "
              "law of \"event_driven\" does)"
            : "the restitution of contacts that act on each other, or a step too large for the "
              "rotation";
    report.warn(
        fmt::format("contact \"{}\": an impact wins energy: {}",
                    contacts.set.name(contacts.set.points()[static_cast<std::size_t>(point)]), why),
        fmt::format("{:.3g} J", -lost_[i]));
  }
}

/// Impulse and loss stand in one row of a step, so that sums over rows are right.
void StepLedger::add_changes(const State& start, const StepContacts& contacts, const Change& change,
                             const State& next, StepReport& report) const {
  if (change.is == ContactStatus::Open) return;
  const ContactGeometry& c = contacts.set.points()[change.i];
  const ContactState* before = start.contact(c.contact);
  const ContactStatus was = before != nullptr ? before->status : ContactStatus::Open;
  bool is_booked = false;
  const auto add = [&](ContactEventKind kind) {
    ContactEvent event;
    event.time = next.time;
    event.contact = c.contact;
    event.kind = kind;
    event.normal = c.axes().col(0);
    const Vector3 before_n = c.velocity_n.head<3>() + c.left_out * Vector3::UnitX();
    event.before = c.axes_at_start() * before_n;
    event.after = c.axes() * velocities_[change.i].head<3>();
    if (!is_booked) event.impulse = change.impulse, event.energy_lost = change.lost;
    is_booked = true;
    report.events.push_back(event);
  };
  const bool is_slide = c.element().slide() != nullptr;  // which is always closed
  if (is_slide && was == ContactStatus::Open) return;
  if (was == ContactStatus::Open) add(ContactEventKind::Closes);
  if (was == change.is || contacts.impulses.reactions()[change.i].mu == 0) return;
  add(change.is == ContactStatus::Stick ? ContactEventKind::Sticks : ContactEventKind::Slips);
}

void StepLedger::close(const State& start, const ForceTerms& mean, const VectorX& multiplier,
                       const VectorX& motion, const VectorX& change, State& next) {
  EnergyLedger& energy = next.energy;
  // ΔT of the scheme: v̄·M (v − v_n) + ½ v_n·(M(q) − M(q_n)) v_n
  system_.mass_times(next.configuration, change, Mx_);
  double kinetic_change = 0.5 * (start.velocity.dot(Mx_) + next.velocity.dot(Mx_));
  const double gravity = system_.gravity_energy(next.configuration);
  if (!system_.has_constant_mass()) {  // else gravity is linear in the motion
    system_.mass_times(next.configuration, start.velocity, Mx_);
    kinetic_change += 0.5 * start.velocity.dot(Mx_) - energy.kinetic;
    energy.numerical_loss += -mean.gravity.dot(motion) - (gravity - energy.gravity);
  }
  energy.numerical_loss +=
      mean.inertia.dot(motion) + contact_work_ - kinetic_change;  // energy.md (6)
  energy.kinetic = system_.kinetic_energy(next.configuration, next.velocity);
  energy.gravity = gravity;
  if (!only_gravity_acts_) close_others(start, mean, multiplier, motion, next);
}

/// What else acts than gravity and contacts.
void StepLedger::close_others(const State& start, const ForceTerms& mean, const VectorX& multiplier,
                              const VectorX& motion, State& next) const {
  EnergyLedger& energy = next.energy;
  const double drive_work = system_.drive_work(start.time, next.time, multiplier, multiplier);
  const double elastic = system_.elastic_energy(next.configuration);
  energy.external_work += mean.applied.dot(motion) + drive_work;
  energy.damping_loss -= mean.damping.dot(motion);
  energy.numerical_loss += -mean.elastic.dot(motion) - (elastic - energy.elastic);  // energy.md (7)
  energy.numerical_loss += drive_work - mean.constraint.dot(motion);                // energy.md (8)
  energy.elastic = elastic;
}

}  // namespace saltus
