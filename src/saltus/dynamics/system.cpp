// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/system.hpp"

#include <fmt/core.h>

#include "saltus/dynamics/compile.hpp"

namespace saltus {

void ForceTerms::resize(int n) {
  for (VectorX* v : {&inertia, &gravity, &elastic, &damping, &applied, &constraint}) {
    v->setZero(n);
  }
}

void ForceTerms::residual(VectorX& r) const {
  r = inertia - gravity - elastic - damping - applied - constraint;
}

void ForceTerms::set_mean(const ForceTerms& first, const ForceTerms& last, double weight) {
  for (VectorX ForceTerms::*term :
       {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::elastic, &ForceTerms::damping,
        &ForceTerms::applied, &ForceTerms::constraint}) {
    this->*term = (1 - weight) * (first.*term) + weight * (last.*term);
  }
}

System::System(const CheckedModel& model, double horizon)
    : System(compile(model, horizon), model.given().gravity) {}

System::System(CompiledModel&& compiled, const Vector3& gravity)
    : gravity_(gravity),
      elements_(std::move(compiled.elements)),
      given_configuration_(std::move(compiled.configuration)),
      node_masses_(std::move(compiled.node_masses)),
      characteristic_length_(compiled.characteristic_length),
      pattern_(linalg::PatternBuilder(0)) {
  number_unknowns(compiled);
  pattern_ = make_pattern();
  make_maps();
}

void System::number_unknowns(const CompiledModel& compiled) {
  for (const int count : compiled.node_unknowns) {
    nodes_.push_back({count > 0 ? velocities_ : -1, count});
    for (int i = 0; i < count; ++i) is_rotation_.push_back(i >= 3);
    velocities_ += count;
  }
  given_velocity_.setZero(velocities_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    given_velocity_.segment(std::max(nodes_[i].first_unknown, 0), nodes_[i].unknowns) =
        compiled.node_velocities[i].head(nodes_[i].unknowns);
  }
  for (const JointEntry& joint : elements_.joints) {
    for (int row = 0; row < joint.element.rows(); ++row) {
      is_angular_.push_back(joint.element.is_angular(row));
    }
    constraints_ += joint.element.rows();
  }
}

std::string System::owner_name(int unknown) const {
  if (unknown < velocities_) {
    for (const BodyEntry& body : elements_.bodies) {
      for (int i = 0; i < body.nodes; ++i) {
        const Node& node = nodes_[static_cast<std::size_t>(body.node + i)];
        if (unknown < node.first_unknown || unknown >= node.first_unknown + node.unknowns) continue;
        if (!body.is_flexible()) return fmt::format("body \"{}\"", body.name);
        return fmt::format("node {} of body \"{}\"", i, body.name);
      }
    }
    for (const JointEntry& joint : elements_.joints) {  // the node of a rigid node set
      const Node& node = nodes_[static_cast<std::size_t>(joint.element.node_A)];
      const int i = unknown - node.first_unknown;
      if (joint.internal && i >= 0 && i < node.unknowns) return joint.name;
    }
  }
  for (const JointEntry& joint : elements_.joints) {
    const int row = unknown - velocities_ - joint.first_row;
    if (row < 0 || row >= joint.element.rows()) continue;
    return joint.internal ? joint.name : fmt::format("joint \"{}\"", joint.name);
  }
  return fmt::format("unknown {}", unknown);
}

std::string System::unknown_name(int unknown) const {
  const std::string owner = owner_name(unknown);
  if (unknown < velocities_) {
    for (const Node& node : nodes_) {
      const int i = unknown - node.first_unknown;
      if (node.unknowns == 0 || i < 0 || i >= node.unknowns) continue;
      return fmt::format("{}, {} {}", owner, i < 3 ? "translation" : "rotation", "xyz"[i % 3]);
    }
  }
  for (const JointEntry& joint : elements_.joints) {
    const int row = unknown - velocities_ - joint.first_row;
    if (row >= 0 && row < joint.element.rows()) {
      return fmt::format("{}, equation {} of {}", owner, row + 1, joint.element.rows());
    }
  }
  return owner;
}

// ---- local and global vectors
// --------------------------------------------------------------------

System::Unknowns12 System::unknowns_of(int node_A, int node_B) const {
  Unknowns12 unknowns;
  unknowns.fill(-1);
  int offset = 0;
  for (const int n : {node_A, node_B}) {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    for (int i = 0; i < node.unknowns; ++i) {
      unknowns[static_cast<std::size_t>(offset + i)] = node.first_unknown + i;
    }
    offset += 6;
  }
  return unknowns;
}

Vector6 System::local(const VectorX& v, int node) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  Vector6 out = Vector6::Zero();
  if (n.unknowns == 6) {
    out = v.segment<6>(n.first_unknown);
  } else if (n.unknowns == 3) {
    out.head<3>() = v.segment<3>(n.first_unknown);
  }
  return out;
}

Vector12 System::local(const VectorX& v, int node_A, int node_B) const {
  Vector12 out;
  out << local(v, node_A), local(v, node_B);
  return out;
}

void System::scatter(const Vector6& f, int node, VectorX& out) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  if (n.unknowns == 6) {
    out.segment<6>(n.first_unknown) += f;
  } else if (n.unknowns == 3) {
    out.segment<3>(n.first_unknown) += f.head<3>();
  }
}

void System::scatter(const Vector12& f, int node_A, int node_B, VectorX& out) const {
  scatter(Vector6(f.head<6>()), node_A, out);
  scatter(Vector6(f.tail<6>()), node_B, out);
}

double System::angle_reference(const ScalarSpring& spring, const Configuration& q) const {
  if (spring.angle < 0) return 0;
  return q.angles[static_cast<std::size_t>(spring.angle)] + spring.angle_offset;
}

// ---- evaluation
// ----------------------------------------------------------------------------------

void System::forces(const Configuration& q, const VectorX& v, const VectorX& vdot,
                    const Instant& at, const VectorX& lambda, ForceTerms& terms) const {
  terms.resize(velocities_);
  for (const RigidInertia& inertia : elements_.inertias) {
    scatter(inertia.force(local(v, inertia.node), local(vdot, inertia.node)), inertia.node,
            terms.inertia);
    Vector6 weight = Vector6::Zero();
    weight.head<3>() = at.load_factor * inertia.mass * gravity_;
    scatter(weight, inertia.node, terms.gravity);
  }
  for (const ScalarSpring& s : elements_.springs) {
    const auto f =
        s.forces(pair(q, s.node_A, s.node_B), local(v, s.node_A, s.node_B), angle_reference(s, q));
    scatter(f.elastic, s.node_A, s.node_B, terms.elastic);
    scatter(f.damping, s.node_A, s.node_B, terms.damping);
  }
  for (const BushingElement& b : elements_.bushings) {
    const auto f = b.forces(pair(q, b.node_A, b.node_B), local(v, b.node_A, b.node_B));
    scatter(f.elastic, b.node_A, b.node_B, terms.elastic);
    scatter(f.damping, b.node_A, b.node_B, terms.damping);
  }
  for (const UserForceElement& u : elements_.user_forces) {
    const Vector12 f = u.force(pair(q, u.node_A, u.node_B), local(v, u.node_A, u.node_B), at.time);
    scatter(Vector12(at.load_factor * f), u.node_A, u.node_B, terms.applied);
  }
  for (const AppliedLoad& load : elements_.loads) {
    const NodePose& pose = q.nodes[static_cast<std::size_t>(load.node)];
    scatter(Vector6(at.load_factor * load.force(pose, at.time)), load.node, terms.applied);
  }
  add_flexible_forces(q, v, vdot, at, terms);
  add_constraint_forces(q, lambda, terms.constraint);
}

void System::mass_times(const Configuration& q, const VectorX& x, VectorX& y) const {
  y.setZero(velocities_);
  for (const RigidInertia& inertia : elements_.inertias) {
    scatter(inertia.mass_times(local(x, inertia.node)), inertia.node, y);
  }
  add_flexible_momentum(q, x, y);
}

void System::constraints(const Configuration& q, double t, VectorX& g) const {
  g.resize(constraints_);
  JointElement::Rows rows;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    e.constraint(pair(q, e.node_A, e.node_B), t, rows);
    g.segment(joint.first_row, e.rows()) = rows;
  }
}

void System::constraint_rates(const Configuration& q, const VectorX& v, double t,
                              VectorX& gdot) const {
  gdot.resize(constraints_);
  JointElement::RowMatrix G;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    e.jacobian(pair(q, e.node_A, e.node_B), G);
    gdot.segment(joint.first_row, e.rows()).noalias() = G * local(v, e.node_A, e.node_B);
    if (e.drive) gdot[joint.first_row + e.rows() - 1] += e.time_rate(t);
  }
}

void System::constraint_accelerations(const Configuration& q, const VectorX& v, double t,
                                      VectorX& gddot) const {
  gddot.resize(constraints_);
  JointElement::RowMatrix V;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const Vector12 v_local = local(v, e.node_A, e.node_B);
    e.rate_gradient(pair(q, e.node_A, e.node_B), v_local, V);
    gddot.segment(joint.first_row, e.rows()).noalias() = V * v_local;
    if (e.drive) gddot[joint.first_row + e.rows() - 1] += e.time_second_rate(t);
  }
}

void System::add_constraint_forces(const Configuration& q, const VectorX& lambda,
                                   VectorX& f) const {
  JointElement::RowMatrix G;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    e.jacobian(pair(q, e.node_A, e.node_B), G);
    const Vector12 reaction = G.transpose() * lambda.segment(joint.first_row, e.rows());
    scatter(reaction, e.node_A, e.node_B, f);
  }
}

double System::kinetic_energy(const Configuration& q, const VectorX& v) const {
  double energy = flexible_kinetic_energy(q, v);
  for (const RigidInertia& inertia : elements_.inertias) {
    energy += inertia.kinetic_energy(local(v, inertia.node));
  }
  return energy;
}

double System::gravity_energy(const Configuration& q) const {
  double energy = flexible_gravity_energy(q);
  for (const RigidInertia& inertia : elements_.inertias) {
    energy -= inertia.mass * gravity_.dot(q.nodes[static_cast<std::size_t>(inertia.node)].x);
  }
  return energy;
}

double System::elastic_energy(const Configuration& q) const {
  double energy = flexible_elastic_energy(q);
  for (const ScalarSpring& s : elements_.springs) {
    energy += s.energy(pair(q, s.node_A, s.node_B), angle_reference(s, q));
  }
  for (const BushingElement& b : elements_.bushings) {
    energy += b.energy(pair(q, b.node_A, b.node_B));
  }
  return energy;
}

double System::drive_work(double t_0, double t_1, const VectorX& lambda_0,
                          const VectorX& lambda_1) const {
  double work = 0;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (!e.drive) continue;
    const int row = joint.first_row + e.rows() - 1;
    work += (lambda_0[row] + lambda_1[row]) / 2 * (e.drive->target(t_1) - e.drive->target(t_0));
  }
  return work;
}

void System::predict_angles(const Configuration& q, const VectorX& v, double h,
                            std::vector<double>& angles) const {
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (!e.angle) continue;
    const auto i = static_cast<std::size_t>(e.angle_index);
    const Row12 G = e.angle->gradient(pair(q, e.node_A, e.node_B));
    angles[i] = q.angles[i] + h * G.dot(local(v, e.node_A, e.node_B));
  }
}

void System::update_angles(Configuration& q) const {
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (!e.angle) continue;
    double& angle = q.angles[static_cast<std::size_t>(e.angle_index)];
    angle = nearest_branch(e.angle->value(pair(q, e.node_A, e.node_B)) - e.angle_offset, angle);
  }
}

}  // namespace saltus
