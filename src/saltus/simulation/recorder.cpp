// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/recorder.hpp"

#include "saltus/geometry/features.hpp"

namespace saltus {
namespace {

/// The contact's frame of the results, columns n, t1, t2 in the inertial frame, and the matrix that
/// takes (n, t1, t2) components of the plane's axes on the point to that frame on the second
/// collider.
struct ContactFrame {
  Matrix3 axes;
  Matrix3 from_plane;
};

ContactFrame contact_frame(const ContactEntry& entry, const NodePair& q) {
  const Matrix3 plane = entry.element.axes(q);  // n from the plane to the point
  const double sign = entry.plane_is_first ? 1 : -1;
  const Matrix3 frame = frame_with_normal(sign * plane.col(0));  // t1, t2, n
  ContactFrame result;
  result.axes << frame.col(2), frame.col(0), frame.col(1);
  result.from_plane = sign * result.axes.transpose() * plane;
  return result;
}

}  // namespace

JointReaction joint_reaction(const JointElement& joint, const Configuration& q,
                             const Eigen::Ref<const VectorX>& multiplier) {
  const NodePose& A = q.nodes[static_cast<std::size_t>(joint.node_A)];
  const NodePose& B = q.nodes[static_cast<std::size_t>(joint.node_B)];
  JointElement::RowMatrix G;
  joint.jacobian({A, B}, G);
  const Vector12 f = G.transpose() * multiplier;
  const Vector3 force = f.segment<3>(6);
  return {force, B.R * f.tail<3>() - (B.R * joint.frame_B.d).cross(force)};
}

Recorder::Recorder(const System& system, FlexibleDetail detail) : system_(system) {
  columns_.push_back({"time", "s", "time"});
  const VectorX pull = nodal_pull(system);
  for (const BodyEntry& body : system.elements().bodies) {
    if (body.is_flexible()) {
      flexible_.emplace_back(system, body, pull, detail).add_columns(columns_);
    } else {
      add_body_columns(body);
    }
  }
  for (const JointEntry& joint : system.elements().joints) {
    if (!joint.internal) add_joint_columns(joint);
  }
  add_contact_columns();
  for (const char* kind : {"kinetic", "gravity", "elastic"}) {
    columns_.push_back({"energy." + std::string(kind), "J", std::string(kind) + " energy"});
  }
  columns_.push_back(
      {"energy.external_work", "J", "work of forces, torques and drives since t = 0"});
  for (const char* kind : {"friction", "impact", "damping", "numerical"}) {
    columns_.push_back({"energy." + std::string(kind) + "_loss", "J",
                        std::string(kind) + " loss since t = 0, positive if dissipated"});
  }
  columns_.push_back({"energy.residual", "J",
                      "energy − initial energy − external work + all losses: 0 if the ledger "
                      "closes"});
  row_.resize(columns_.size());
  joint_impulses_.assign(system.elements().joints.size(), {});
  last_reactions_ = joint_impulses_;
}

void Recorder::add_body_columns(const BodyEntry& body) {
  const std::string& n = body.name;
  add_vector(n + ".position", "m", "place of the body frame's origin, inertial frame");
  if (body.has_rotation()) {
    for (const char* c : {"w", "x", "y", "z"}) {
      columns_.push_back(
          {n + ".orientation." + c, "1",
           "unit quaternion from body to inertial axes, component " + std::string(c)});
    }
  }
  add_vector(n + ".velocity", "m/s", "velocity of the body frame's origin, inertial frame");
  if (!body.has_rotation()) return;
  add_vector(n + ".angular_velocity", "rad/s", "angular velocity, inertial frame");
  add_vector(n + ".rotation", "rad",
             "accumulated rotation: sum of the steps' rotation vectors, inertial frame");
}

void Recorder::add_joint_columns(const JointEntry& joint) {
  const std::string& n = joint.name;
  add_vector(n + ".force", "N",
             "smooth force of the joint on its second body at the joint, inertial frame");
  add_vector(n + ".torque", "N m",
             "smooth torque of the joint on its second body about the joint, inertial frame");
  add_vector(n + ".impulse", "N s",
             "impulse of the joint on its second body since the last row, inertial frame");
  add_vector(n + ".angular_impulse", "N m s",
             "angular impulse of the joint on its second body about the joint since the last row, "
             "inertial frame");
  if (joint.element.angle) {
    columns_.push_back({n + ".angle", "rad",
                        "rotation of the second body against the first about the axis, "
                        "unwrapped, zero at the initial pose"});
  }
  if (joint.element.displacement) {
    columns_.push_back({n + ".displacement", "m",
                        "displacement of the second body against the first along the axis, zero "
                        "at the initial pose"});
  }
}

void Recorder::add_contact_columns() {
  const ElementLists& elements = system_.elements();
  points_.assign(elements.contact_names.size(), 0);
  for (const ContactEntry& entry : elements.contacts) {
    ++points_[static_cast<std::size_t>(entry.contact)];
    const std::string& n = entry.name;
    columns_.push_back({n + ".gap", "m", "distance of the surfaces"});
    columns_.push_back({n + ".status", "1", "0 open, 1 slip, 2 stick"});
    for (const char* c : {"n", "t1", "t2"}) {
      columns_.push_back({n + ".impulse." + c, "N s",
                          "impulse on the second collider since the last row, along " +
                              std::string(c) + "; n from the first to the second"});
    }
    add_vector(n + ".impulse", "N s",
               "impulse on the second collider since the last row, inertial frame");
    for (const char* c : {"t1", "t2"}) {
      columns_.push_back(
          {n + ".slip." + c, "m/s",
           "tangential velocity of the second collider relative to the first, along " +
               std::string(c)});
    }
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i] < 2) continue;
    add_vector(elements.contact_names[i] + ".impulse", "N s",
               "sum over all points: impulse on the second colliders since the last row, inertial "
               "frame");
  }
  contact_impulses_.assign(elements.contacts.size(), Vector3::Zero());
}

void Recorder::put_contacts(const State& state) {
  const std::vector<ContactEntry>& contacts = system_.elements().contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactElement& e = contacts[i].element;
    const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
    const ContactFrame frame = contact_frame(contacts[i], q);
    const Vector3 velocity =
        e.jacobian(q) * system_.local(state.velocity, e.node_A, e.node_B) - e.surface_velocity;
    const Vector3 slip = frame.from_plane * velocity;
    row_[place_++] = e.gap(q);
    row_[place_++] = static_cast<double>(state.contacts[i].status);
    put(frame.axes.transpose() * contact_impulses_[i]);
    put(contact_impulses_[i]);
    row_[place_++] = slip[1];
    row_[place_++] = slip[2];
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k] < 2) continue;
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].contact == static_cast<int>(k)) sum += contact_impulses_[i];
    }
    put(sum);
  }
  for (Vector3& impulse : contact_impulses_) impulse.setZero();
}

EventRow Recorder::event(const ContactEvent& event, const Configuration& q) const {
  static constexpr const char* kinds[] = {"impact", "closes", "opens", "sticks", "slips"};
  const ContactEntry& entry = system_.elements().contacts[static_cast<std::size_t>(event.contact)];
  const ContactFrame frame =
      contact_frame(entry, system_.pair(q, entry.element.node_A, entry.element.node_B));
  return {.time = event.time,
          .contact = entry.name,
          .kind = kinds[static_cast<int>(event.kind)],
          .order = event.order,
          // + 0: no −0 in the results
          .impulse = (frame.from_plane * event.impulse).array() + 0.0,
          .before = (frame.from_plane * event.before).array() + 0.0,
          .after = (frame.from_plane * event.after).array() + 0.0,
          .energy_lost = event.energy_lost + 0.0};
}

void Recorder::add_vector(const std::string& prefix, const char* unit,
                          const std::string& description) {
  for (const char* c : {"x", "y", "z"}) {
    columns_.push_back({prefix + "." + c, unit, description + ", component " + c});
  }
}

void Recorder::put(const Vector3& v) {
  for (int i = 0; i < 3; ++i) row_[place_++] = v[i];
}

void Recorder::accumulate(const State& state) {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  const double h = state.time - last_time_;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].internal) continue;
    const JointElement& e = joints[i].element;
    const int first = joints[i].first_row, rows = e.rows();
    const JointReaction smooth =
        joint_reaction(e, state.configuration, state.multiplier.segment(first, rows));
    const JointReaction jump =
        joint_reaction(e, state.configuration, state.impulse.segment(first, rows));
    joint_impulses_[i].force += h / 2 * (last_reactions_[i].force + smooth.force) + jump.force;
    joint_impulses_[i].torque += h / 2 * (last_reactions_[i].torque + smooth.torque) + jump.torque;
    last_reactions_[i] = smooth;
  }
  const std::vector<ContactEntry>& contacts = system_.elements().contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vector3& impulse = state.contacts[i].impulse;
    if (impulse[0] == 0) continue;
    const ContactElement& e = contacts[i].element;
    const Matrix3 axes = e.axes(system_.pair(state.configuration, e.node_A, e.node_B));
    contact_impulses_[i] += (contacts[i].plane_is_first ? 1 : -1) * (axes * impulse);
  }
  last_time_ = state.time;
}

void Recorder::start(const State& state) {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].internal) continue;
    const JointElement& e = joints[i].element;
    last_reactions_[i] = joint_reaction(e, state.configuration,
                                        state.multiplier.segment(joints[i].first_row, e.rows()));
  }
  last_time_ = state.time;
}

std::span<const double> Recorder::row(const State& state) {
  place_ = 0;
  row_[place_++] = state.time;
  auto flexible = flexible_.begin();
  for (const BodyEntry& body : system_.elements().bodies) {
    if (!body.is_flexible()) {
      put_body(body, state);
      continue;
    }
    const double* end = flexible++->put(state, row_.data() + place_);
    place_ = static_cast<std::size_t>(end - row_.data());
  }
  put_joints(state);
  put_contacts(state);
  const EnergyLedger& energy = state.energy;
  for (const double value :
       {energy.kinetic, energy.gravity, energy.elastic, energy.external_work, energy.friction_loss,
        energy.impact_loss, energy.damping_loss, energy.numerical_loss, energy.residual()}) {
    row_[place_++] = value;
  }
  return row_;
}

void Recorder::put_body(const BodyEntry& body, const State& state) {
  const auto n = static_cast<std::size_t>(body.node);
  const NodePose& pose = state.configuration.nodes[n];
  const int k = system_.nodes()[n].first_unknown;
  const Vector3 arm = pose.R * body.origin;
  const Vector3 xdot = state.velocity.segment<3>(k);
  put(pose.x + arm);
  if (!body.has_rotation()) return put(xdot);
  const Quaternion& o = pose.orientation;
  for (const double c : {o.w(), o.x(), o.y(), o.z()}) row_[place_++] = c;
  const Vector3 omega = pose.R * state.velocity.segment<3>(k + 3);
  put(xdot + omega.cross(arm));
  put(omega);
  put(state.rotation[n]);
}

void Recorder::put_joints(const State& state) {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].internal) continue;
    const JointElement& e = joints[i].element;
    const JointReaction reaction = joint_reaction(
        e, state.configuration, state.multiplier.segment(joints[i].first_row, e.rows()));
    put(reaction.force);
    put(reaction.torque);
    put(joint_impulses_[i].force);
    put(joint_impulses_[i].torque);
    joint_impulses_[i] = {};
    if (e.angle)
      row_[place_++] = state.configuration.angles[static_cast<std::size_t>(e.angle_index)];
    if (e.displacement) {
      row_[place_++] =
          e.displacement_value({state.configuration.nodes[static_cast<std::size_t>(e.node_A)],
                                state.configuration.nodes[static_cast<std::size_t>(e.node_B)]});
    }
  }
}

}  // namespace saltus
