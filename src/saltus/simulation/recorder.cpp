// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/recorder.hpp"

namespace saltus {

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

Recorder::Recorder(const System& system) : system_(system) {
  columns_.push_back({"time", "s", "time"});
  for (const BodyEntry& body : system.elements().bodies) {
    const std::string& n = body.name;
    add_vector(n + ".position", "m", "place of the body frame's origin, inertial frame");
    if (body.has_rotation) {
      for (const char* c : {"w", "x", "y", "z"}) {
        columns_.push_back(
            {n + ".orientation." + c, "1",
             "unit quaternion from body to inertial axes, component " + std::string(c)});
      }
    }
    add_vector(n + ".velocity", "m/s", "velocity of the body frame's origin, inertial frame");
    if (body.has_rotation) {
      add_vector(n + ".angular_velocity", "rad/s", "angular velocity, inertial frame");
      add_vector(n + ".rotation", "rad",
                 "accumulated rotation: sum of the steps' rotation vectors, inertial frame");
    }
  }
  for (const JointEntry& joint : system.elements().joints) {
    const std::string& n = joint.name;
    add_vector(n + ".force", "N",
               "smooth force of the joint on its second body at the joint, inertial frame");
    add_vector(n + ".torque", "N m",
               "smooth torque of the joint on its second body about the joint, inertial frame");
    add_vector(n + ".impulse", "N s",
               "impulse of the joint on its second body since the last row, inertial frame");
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
  joint_impulses_.assign(system.elements().joints.size(), Vector3::Zero());
  last_forces_ = joint_impulses_;
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
    const JointElement& e = joints[i].element;
    const int first = joints[i].first_row, rows = e.rows();
    const Vector3 force =
        joint_reaction(e, state.configuration, state.multiplier.segment(first, rows)).force;
    const Vector3 correction =
        joint_reaction(e, state.configuration, state.impulse.segment(first, rows)).force;
    joint_impulses_[i] += h / 2 * (last_forces_[i] + force) + correction;
    last_forces_[i] = force;
  }
  last_time_ = state.time;
}

void Recorder::start(const State& state) {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointElement& e = joints[i].element;
    last_forces_[i] = joint_reaction(e, state.configuration,
                                     state.multiplier.segment(joints[i].first_row, e.rows()))
                          .force;
  }
  last_time_ = state.time;
}

std::span<const double> Recorder::row(const State& state) {
  place_ = 0;
  row_[place_++] = state.time;
  for (const BodyEntry& body : system_.elements().bodies) {
    const auto n = static_cast<std::size_t>(body.node);
    const NodePose& pose = state.configuration.nodes[n];
    const int k = system_.nodes()[n].first_unknown;
    const Vector3 arm = pose.R * body.origin;
    const Vector3 xdot = state.velocity.segment<3>(k);
    put(pose.x + arm);
    if (!body.has_rotation) {
      put(xdot);
      continue;
    }
    const Quaternion& o = pose.orientation;
    for (const double c : {o.w(), o.x(), o.y(), o.z()}) row_[place_++] = c;
    const Vector3 omega = pose.R * state.velocity.segment<3>(k + 3);
    put(xdot + omega.cross(arm));
    put(omega);
    put(state.rotation[n]);
  }
  const std::vector<JointEntry>& joints = system_.elements().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointElement& e = joints[i].element;
    const JointReaction reaction = joint_reaction(
        e, state.configuration, state.multiplier.segment(joints[i].first_row, e.rows()));
    put(reaction.force);
    put(reaction.torque);
    put(joint_impulses_[i]);
    joint_impulses_[i].setZero();
    if (e.angle)
      row_[place_++] = state.configuration.angles[static_cast<std::size_t>(e.angle_index)];
    if (e.displacement) {
      row_[place_++] =
          e.displacement_value({state.configuration.nodes[static_cast<std::size_t>(e.node_A)],
                                state.configuration.nodes[static_cast<std::size_t>(e.node_B)]});
    }
  }
  const EnergyLedger& energy = state.energy;
  for (const double value :
       {energy.kinetic, energy.gravity, energy.elastic, energy.external_work, energy.friction_loss,
        energy.impact_loss, energy.damping_loss, energy.numerical_loss, energy.residual()}) {
    row_[place_++] = value;
  }
  return row_;
}

}  // namespace saltus
