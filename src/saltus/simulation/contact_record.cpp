// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/contact_record.hpp"

#include <algorithm>

#include "saltus/geometry/features.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

/// The contact's frame of the results, columns n, t1, t2 in the inertial frame, and the matrix that
/// takes (n, t1, t2) components along the element's axes on the point to that frame on the second
/// collider.
struct ContactFrame {
  Matrix3 axes;
  Matrix3 from_element;
};

ContactFrame contact_frame(const ContactEntry& entry, const NodePair& q) {
  const Matrix3 element = entry.element.axes(q);  // n from the surface to the point
  const double sign = entry.surface_is_first ? 1 : -1;
  const Matrix3 frame = frame_with_normal(sign * element.col(0));  // t1, t2, n
  ContactFrame result;
  result.axes << frame.col(2), frame.col(0), frame.col(1);
  result.from_element = sign * result.axes.transpose() * element;
  return result;
}

}  // namespace

ContactRecord::ContactRecord(const System& system, ContactDetail detail,
                             const ForceRecovery* forces)
    : system_(system),
      forces_(forces),
      shows_points_(detail == ContactDetail::Points),
      impulses_(system.elements().contacts.listed.size()),
      totals_(system.elements().contacts.groups.size(), Vector3::Zero()),
      memory_of_(impulses_.size(), -1) {
  for (const CompliantContact& e : system.elements().compliant) {
    memory_of_[static_cast<std::size_t>(e.listed)] = e.memory;
  }
}

void ContactRecord::step(const State& state, const StepReport& /*step*/, RunOutput& /*output*/) {
  const ContactPoints& points = system_.elements().contacts;
  for (const ContactState& contact : state.contacts) {
    if (contact.impulse[0] == 0 || points.is_of_joint(contact.contact)) continue;
    const ContactEntry entry = points.point(contact.contact, state.configuration);
    const ContactElement& e = entry.element;
    const double sign = entry.surface_is_first ? 1 : -1;
    const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
    const Vector3 force = sign * contact.force;
    totals_[static_cast<std::size_t>(entry.contact)] += force;
    if (!points.is_listed(contact.contact)) continue;
    // Components are those of the contact's own axes, for which the laws hold; the inertial ones
    // those that acted on the bodies, which turned meanwhile.
    const Matrix3 axes = e.axes(q, contact.t1);
    const Matrix3 to_results = sign * contact_frame(entry, q).axes.transpose() * axes;
    PointImpulse& impulse = impulses_[static_cast<std::size_t>(contact.contact)];
    impulse.along += to_results * contact.impulse;
    impulse.force += force;
    impulse.moment += to_results * contact.moment;
  }
}

void ContactRecord::row(const State& state, Row& row) {
  if (shows_points_) put_points(state, row);
  put_totals(state, row);
  for (PointImpulse& impulse : impulses_) impulse = {};
  for (Vector3& total : totals_) total.setZero();
}

void ContactRecord::put_points(const State& state, Row& row) const {
  auto next = state.contacts.begin();  // both are in the order of their indices
  for (std::size_t i = 0; i < impulses_.size(); ++i) {
    const auto index = static_cast<ContactIndex>(i);
    if (system_.elements().contacts.is_of_joint(index)) continue;  // JointRecord
    while (next != state.contacts.end() && next->contact < index) ++next;
    const bool known = next != state.contacts.end() && next->contact == index;
    put_point(i, known ? next->status : ContactStatus::Open, state, row);
  }
}

void ContactRecord::put_point(std::size_t listed, ContactStatus status, const State& state,
                              Row& row) const {
  const ContactPoints& points = system_.elements().contacts;
  const OwnerView owner{OwnerKind::Points, points.listed_names[listed]};
  const ContactEntry& entry = points.listed[listed];
  const ContactElement& e = entry.element;
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const ContactFrame frame = contact_frame(entry, q);
  const Vector3 slip =
      frame.from_element * e.slip_velocity(q, system_.local(state.velocity, e.node_A, e.node_B));
  const PointImpulse& impulse = impulses_[listed];
  row.put(owner, quantities::gap, e.distance(q));
  row.put(owner, quantities::status, static_cast<double>(status));
  row.put(owner, quantities::local_impulse, impulse.along);
  row.put(owner, quantities::point_impulse, impulse.force);
  if (const int memory = memory_of_[listed]; memory >= 0) {
    const ContactMemory& now = state.configuration.contacts[static_cast<std::size_t>(memory)];
    const double sign = entry.surface_is_first ? 1 : -1;
    row.put(owner, quantities::contact_force, Vector3(sign * (frame.axes.transpose() * now.force)));
    row.put(owner, quantities::indentation, now.indentation());
  }
  row.put(owner, quantities::slip, Eigen::Vector2d(slip.tail<2>()));
  if (e.has_moments) row.put(owner, quantities::moment_impulse, impulse.moment);
  if (e.is_journal()) row.put(owner, quantities::eccentricity, e.eccentricity(q));
  if (forces_ != nullptr && forces_->has(listed)) {
    row.put(owner, quantities::friction_work, forces_->friction_work(listed));
  }
}

bool ContactRecord::has_totals(const ContactGroup& group) const {
  if (group.joint) return false;
  return !shows_points_ || !group.is_listed() || group.has_solids || group.count > 1;
}

void ContactRecord::put_totals(const State& state, Row& row) {
  const ContactPoints& points = system_.elements().contacts;
  closed_.assign(points.groups.size(), 0);
  for (const ContactState& contact : state.contacts) {
    if (contact.status == ContactStatus::Open) continue;
    ++closed_[static_cast<std::size_t>(points.contact_of(contact.contact))];
  }
  for (std::size_t k = 0; k < points.groups.size(); ++k) {
    const ContactGroup& group = points.groups[k];
    if (!has_totals(group)) continue;
    const OwnerView owner{OwnerKind::Contacts, group.name};
    row.put(owner, quantities::contact_impulse, totals_[k]);
    if (!shows_points_ || !group.is_listed() || group.has_solids) {
      row.put(owner, quantities::closed, static_cast<double>(closed_[k]));
    }
  }
}

}  // namespace saltus
