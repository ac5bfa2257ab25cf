// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/step_ledger.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "saltus/integrators/correction_limits.hpp"

namespace saltus {
namespace {

/// Energy won in an impact, over the kinetic energy before it, that is worth a warning.
constexpr double suspicious_gain = 1e-9;

ContactStatus status_of(const Candidate& c, double mu, double speed) {
  const bool closed =
      c.active && (c.impulse[0] > 0 || c.velocity[0] <= contact_velocity_tolerance * speed);
  if (!closed) return ContactStatus::Open;
  if (mu == 0) return ContactStatus::Slip;
  const bool below_bound = c.impulse.tail<2>().norm() < (1 - status_margin) * mu * c.impulse[0];
  if (below_bound || c.velocity.tail<2>().norm() <= contact_velocity_tolerance * speed) {
    return ContactStatus::Stick;
  }
  return ContactStatus::Slip;
}

}  // namespace

StepLedger::StepLedger(const System& system) : system_(system) {
  Mx_.setZero(system.velocities());
  sum_.setZero(system.velocities());
}

void StepLedger::close_contacts(const State& start, const ContactSet& contacts, double speed,
                                State& next, StepReport& report) {
  contact_work_ = 0;
  if (next.contacts.empty()) return;
  for (ContactState& contact : next.contacts) {
    contact.status = ContactStatus::Open;
    contact.impulse.setZero();
    contact.creep.setZero();
  }
  bool impact = false;
  for (const Candidate& c : contacts.candidates()) {
    impact |= c.impulse[0] > 0 && is_impact(c, speed);
  }
  sum_ = start.velocity + next.velocity;
  for (const Candidate& c : contacts.candidates()) {
    const ContactEntry& entry = contacts.entry(c);
    const ContactElement& e = entry.element;
    ContactState& state = next.contacts[static_cast<std::size_t>(c.contact)];
    Candidate end = c;
    end.velocity = c.H * system_.local(next.velocity, e.node_A, e.node_B) - e.surface_velocity;
    state.status = status_of(end, entry.friction, speed);
    state.impulse = c.impulse;
    state.creep = c.creep;
    // With an impact somewhere, losses are those of the impulses along the velocities' mean. In a
    // contact that impacts, friction is part of it: only the sum has a sign.
    const Vector3 mean =
        impact ? Vector3(c.F * system_.local(sum_, e.node_A, e.node_B) / 2 - e.surface_velocity)
               : Vector3((c.velocity_n + end.velocity) / 2);
    const double normal_loss = -c.impulse[0] * mean[0];                     // energy.md (11)
    const double friction_loss = -c.impulse.tail<2>().dot(mean.tail<2>());  // energy.md (12)
    const double belt_work = c.impulse.dot(e.surface_velocity);             // energy.md (13)
    const bool is_one = impact && (is_impact(c, speed) || friction_loss < 0);
    const double lost_by_impact = is_one ? normal_loss + friction_loss : normal_loss;
    const double lost_by_friction = is_one ? 0 : friction_loss;
    state.impact_loss += lost_by_impact;
    state.friction_loss += lost_by_friction;
    next.energy.impact_loss += lost_by_impact;
    next.energy.friction_loss += lost_by_friction;
    next.energy.external_work += belt_work;
    contact_work_ += belt_work - normal_loss - friction_loss;
    add_events(start, end, speed, normal_loss + friction_loss, next, report);
  }
  if (impact) warn_of_gain(start, next, report);
  // Contacts that were closed and are no candidates any more have opened.
  for (std::size_t i = 0; i < next.contacts.size(); ++i) {
    if (start.contacts[i].status == ContactStatus::Open) continue;
    if (next.contacts[i].status != ContactStatus::Open) continue;
    ContactEvent event;
    event.time = next.time;
    event.contact = static_cast<int>(i);
    event.kind = ContactEventKind::Opens;
    event.before = velocity_of(event.contact, start);
    event.after = velocity_of(event.contact, next);
    for (const Candidate& c : contacts.candidates()) {
      if (c.contact == event.contact) event.impulse = c.impulse;
    }
    report.events.push_back(event);
  }
}

Vector3 StepLedger::velocity_of(int contact, const State& state) const {
  const ContactElement& e = system_.elements().contacts[static_cast<std::size_t>(contact)].element;
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  return e.jacobian(q) * system_.local(state.velocity, e.node_A, e.node_B) - e.surface_velocity;
}

/// An impact that wins energy: restitution of contacts that depend on each other, or a body that
/// turns much in a step.
void StepLedger::warn_of_gain(const State& start, const State& next, StepReport& report) const {
  const double lost = next.energy.impact_loss - start.energy.impact_loss;
  if (lost >= -suspicious_gain * start.energy.kinetic) return;
  report.warn(
      "an impact wins energy: the restitution of contacts that act on each other, or a step too "
      "large for the rotation",
      fmt::format("{:.3g} J", -lost));
}

void StepLedger::add_events(const State& start, const Candidate& c, double speed, double lost,
                            const State& next, StepReport& report) const {
  const auto i = static_cast<std::size_t>(c.contact);
  const ContactStatus was = start.contacts[i].status, is = next.contacts[i].status;
  // Impulse and loss stand in one row of a step, so that sums over rows are right.
  bool booked = false;
  const auto add = [&](ContactEventKind kind) {
    ContactEvent event{next.time, c.contact, kind, 0, Vector3::Zero(), c.velocity_n, c.velocity, 0};
    if (!booked) event.impulse = c.impulse, event.energy_lost = lost;
    booked = true;
    report.events.push_back(event);
  };
  if (c.impulse[0] > 0 && is_impact(c, speed)) add(ContactEventKind::Impact);
  if (is == ContactStatus::Open) return;
  if (was == ContactStatus::Open) add(ContactEventKind::Closes);
  if (was == is || system_.elements().contacts[i].friction == 0) return;
  add(is == ContactStatus::Stick ? ContactEventKind::Sticks : ContactEventKind::Slips);
}

void StepLedger::close(const State& start, const ForceTerms& mean, const VectorX& multiplier,
                       const VectorX& motion, const VectorX& change, State& next) {
  EnergyLedger& energy = next.energy;
  const double inertia_work = mean.inertia.dot(motion);
  const double elastic_work = mean.elastic.dot(motion);
  const double damping_work = mean.damping.dot(motion);
  const double applied_work = mean.applied.dot(motion);
  const double constraint_work = mean.constraint.dot(motion);
  const double drive_work = system_.drive_work(start.time, next.time, multiplier, multiplier);

  // ΔT of the scheme: v̄·M (v − v_n) + ½ v_n·(M(q) − M(q_n)) v_n
  system_.mass_times(next.configuration, change, Mx_);
  double kinetic_change = 0.5 * (start.velocity.dot(Mx_) + next.velocity.dot(Mx_));
  system_.mass_times(next.configuration, start.velocity, Mx_);
  kinetic_change += 0.5 * start.velocity.dot(Mx_) - energy.kinetic;

  const double elastic = system_.elastic_energy(next.configuration);
  const double gravity = system_.gravity_energy(next.configuration);
  energy.external_work += applied_work + drive_work;
  energy.damping_loss -= damping_work;
  energy.numerical_loss += inertia_work + contact_work_ - kinetic_change;  // energy.md (6)
  energy.numerical_loss += -elastic_work - (elastic - energy.elastic);     // energy.md (7)
  if (!system_.has_constant_mass()) {  // else gravity is linear in the motion
    energy.numerical_loss += -mean.gravity.dot(motion) - (gravity - energy.gravity);
  }
  energy.numerical_loss += drive_work - constraint_work;  // energy.md (8)
  energy.kinetic = system_.kinetic_energy(next.configuration, next.velocity);
  energy.gravity = gravity;
  energy.elastic = elastic;
}

}  // namespace saltus
