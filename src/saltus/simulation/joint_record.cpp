// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/joint_record.hpp"

#include <algorithm>
#include <utility>

#include "saltus/simulation/quantities.hpp"

namespace saltus {

JointRecord::JointRecord(const System& system)
    : system_(system), smooth_(system), sums_(system.elements().joints.size()) {
  const std::vector<JointEntry>& entries = system.elements().joints;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].is_internal()) continue;
    const bool is_new = joints_.empty() || entries[joints_.back().first].joint != entries[i].joint;
    if (is_new && entries[i].is_term) {  // a coupling: EffortRecord
      while (i + 1 < entries.size() && entries[i + 1].continues) ++i;
      continue;
    }
    if (!is_new) {
      ++joints_.back().count;
      continue;
    }
    joints_.push_back({.first = i});
  }
  for (Shown& joint : joints_) {
    if (joint.count == 1) continue;
    const int node = entries[joint.first].element.node_B;
    const std::vector<BodyEntry>& bodies = system.elements().bodies;
    const auto body = std::ranges::find(bodies, node, &BodyEntry::node);
    if (body != bodies.end() && body->is_flexible()) {
      joint.held.emplace(system, *body, nodal_pull(system));
    }
  }
  for (const ContactGroup& group : system.elements().contacts.groups) {
    if (!group.joint) continue;
    const auto shown = std::ranges::find_if(
        joints_, [&](const Shown& joint) { return entries[joint.first].joint == group.joint; });
    if (shown == joints_.end()) continue;
    const ContactElement& first =
        system.elements().contacts.listed[static_cast<std::size_t>(group.first)].element;
    (first.slide() != nullptr ? shown->has_friction : shown->has_stops) = true;
  }
  for (auto* list : {&impulses_, &stops_, &stop_forces_, &frictions_}) list->resize(joints_.size());
  sticks_.assign(joints_.size(), 0);
}

/// From where the torque of a joint is told to where an entry of it acts.
Vector3 JointRecord::arm(const Shown& joint, std::size_t entry, const Configuration& q) const {
  if (!joint.held) return Vector3::Zero();  // a screw: all at one point
  const JointElement& e = system_.elements().joints[entry].element;
  return e.frame_B.point(q.nodes[static_cast<std::size_t>(e.node_B)]) - joint.held->position(q);
}

JointReaction JointRecord::reaction(const Shown& joint, const Configuration& q,
                                    const VectorX& multiplier) const {
  const auto of_entry = [&](std::size_t i) {
    const JointEntry& entry = system_.elements().joints[i];
    return joint_reaction(entry.element, q,
                          multiplier.segment(entry.first_row, entry.element.rows()));
  };
  if (joint.count == 1) return of_entry(joint.first);
  JointReaction sum;
  for (std::size_t i = joint.first; i < joint.first + joint.count; ++i) {
    const JointReaction one = of_entry(i);
    sum.force += one.force;
    sum.torque += one.torque + arm(joint, i, q).cross(one.force);
  }
  return sum;
}

bool JointRecord::is_of(const Shown& joint, ContactIndex contact) const {
  const ContactPoints& contacts = system_.elements().contacts;
  if (!contacts.is_of_joint(contact)) return false;
  const auto group = static_cast<std::size_t>(contacts.contact_of(contact));
  return contacts.groups[group].joint == system_.elements().joints[joint.first].joint;
}

/// What acts on the second body at its node, told at the joint.
JointReaction JointRecord::about_joint(const Shown& joint, const Configuration& q,
                                       const Vector3& force, const Vector3& moment) const {
  const JointElement& e = system_.elements().joints[joint.first].element;
  const Matrix3& R_B = q.nodes[static_cast<std::size_t>(e.node_B)].R;
  return {force, R_B * moment - (R_B * e.frame_B.d).cross(force)};
}

void JointRecord::look_at_stops(const State& state) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!joints_[i].acts()) continue;
    stops_[i] = {};
    for (const ContactState& contact : state.contacts) {
      if (!is_of(joints_[i], contact.contact)) continue;
      const JointReaction one =
          about_joint(joints_[i], state.configuration, contact.force, contact.moment);
      stops_[i].force += one.force;
      stops_[i].torque += one.torque;
    }
  }
}

void JointRecord::look_at_loads(const State& state) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!joints_[i].acts()) continue;
    stop_forces_[i] = frictions_[i] = {};
    sticks_[i] = 1;
    for (const ContactState& contact : state.contacts) {
      if (!is_of(joints_[i], contact.contact)) continue;
      const JointLoad& load = contact.load;
      const JointReaction one =
          about_joint(joints_[i], state.configuration, load.force, load.moment);
      stop_forces_[i].force += one.force;
      stop_forces_[i].torque += one.torque;
      if (system_.elements().contacts.is_stop(contact.contact)) continue;
      frictions_[i].force += one.force;
      frictions_[i].torque += one.torque;
      if (load.slips) sticks_[i] = 0;
    }
  }
}

void JointRecord::start(const State& state) {
  smooth_.start(state);
  if (!state.contacts.empty()) look_at_loads(state);
  last_time_ = state.time;
}

void JointRecord::add_impulses(const State& state, const std::vector<JointReaction>& sums) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Shown& joint = joints_[i];
    for (std::size_t k = joint.first; k < joint.first + joint.count; ++k) {
      impulses_[i].force += sums[k].force;
      impulses_[i].torque +=
          sums[k].torque + arm(joint, k, state.configuration).cross(sums[k].force);
    }
  }
}

/// A method may have summed them all itself, with those of stops.
void JointRecord::step(const State& state, const StepReport& step, RunOutput& /*output*/) {
  const double h = state.time - std::exchange(last_time_, state.time);
  if (!step.joint_impulses.empty() && step.summed_joints.empty()) {
    add_impulses(state, step.joint_impulses);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].has_stops) stop_forces_[i] = step.stop_forces[joints_[i].first];
    }
    return;
  }
  look_at_stops(state);
  look_at_loads(state);
  std::ranges::fill(sums_, JointReaction());
  smooth_.step(state, step, h, sums_);
  add_impulses(state, sums_);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!joints_[i].acts()) continue;
    impulses_[i].force += stops_[i].force;
    impulses_[i].torque += stops_[i].torque;
  }
}

/// Along and about the axis of the first body; of a ball all of the moment.
void JointRecord::put_friction(std::size_t i, const State& state, Row& row) const {
  const JointEntry& entry = system_.elements().joints[joints_[i].first];
  const OwnerView owner{OwnerKind::Joints, entry.name};
  const JointElement& e = entry.element;
  const Matrix3& R_A = state.configuration.nodes[static_cast<std::size_t>(e.node_A)].R;
  const Vector3 axis = R_A * e.frame_A.E.col(2);
  const JointReaction& friction = frictions_[i];
  if (!e.angle && !e.displacement) {
    row.put(owner, quantities::joint_friction_moment, friction.torque);
  }
  const bool is_collar = e.angle && e.displacement;
  if (e.angle) {
    row.put(owner,
            is_collar ? quantities::collar_friction_torque : quantities::joint_friction_torque,
            axis.dot(friction.torque) + 0.0);
  }
  if (e.displacement) {
    row.put(owner, is_collar ? quantities::collar_friction_force : quantities::joint_friction_force,
            axis.dot(friction.force) + 0.0);
  }
  row.put(owner, quantities::joint_sticks, static_cast<double>(sticks_[i]));
}

void JointRecord::row(const State& state, Row& row) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointEntry& entry = system_.elements().joints[joints_[i].first];
    const OwnerView owner{OwnerKind::Joints, entry.name};
    const JointElement& e = entry.element;
    JointReaction now = reaction(joints_[i], state.configuration, state.reaction);
    if (joints_[i].acts()) {
      now.force += stop_forces_[i].force;
      now.torque += stop_forces_[i].torque;
    }
    const JointReaction impulse = std::exchange(impulses_[i], {});
    row.put(owner, quantities::joint_force, now.force);
    row.put(owner, quantities::joint_torque, now.torque);
    row.put(owner, quantities::joint_impulse, impulse.force);
    row.put(owner, quantities::joint_angular_impulse, impulse.torque);
    if (joints_[i].has_friction) put_friction(i, state, row);
    if (e.angle) {
      row.put(owner, quantities::joint_angle,
              state.configuration.angles[static_cast<std::size_t>(e.angle_index)]);
    }
    for (const ArmAngle& arm : system_.elements().arm_angles) {
      if (entry.joint != arm.joint) continue;
      const double angle = state.configuration.angles[static_cast<std::size_t>(arm.index)];
      row.put(owner, arm.is_reversed ? quantities::joint_angle_2 : quantities::joint_angle_1,
              arm.is_reversed ? 0.0 - angle : angle);
    }
    if (e.displacement) {
      row.put(owner, quantities::joint_displacement,
              e.displacement_value(system_.pair(state.configuration, e.node_A, e.node_B)));
    }
  }
}

}  // namespace saltus
