// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/system.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "saltus/dynamics/compile.hpp"
#include "saltus/dynamics/element_loops.hpp"
#include "saltus/model/moved.hpp"

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

double length_of(double length, double height) {
  constexpr double atom = 1e-10;  // m: smaller heights are round-off of a point on its plane
  if (length > 0) return length;
  return height > atom ? height : 1.0;
}

namespace {

CompiledModel compile_near(const Model& model, double time_scale) {
  CompiledModel compiled = compile(model, time_scale);
  const Vector3 origin = far_origin(compiled);
  if (origin.isZero()) return compiled;
  return compile(moved(model, -origin), time_scale, origin);
}

}  // namespace

System::System(const CheckedModel& model, double time_scale, Places places)
    : System(places == Places::Near ? compile_near(model.simulated(), time_scale)
                                    : compile(model.simulated(), time_scale),
             model.given().gravity) {}

System::System(CompiledModel&& compiled, const Vector3& gravity)
    : origin_(compiled.origin),
      gravity_(gravity),
      elements_(std::move(compiled.elements)),
      given_configuration_(std::move(compiled.configuration)),
      node_masses_(std::move(compiled.node_masses)),
      pattern_(linalg::PatternBuilder(0)) {
  number_unknowns(compiled);
  list_breaking_functions();
  pattern_ = make_pattern();
  find_components(compiled);
  scale_stops();
  make_maps();
  if (origin_.isZero()) return;
  Configuration there = given_configuration_;
  for (NodePose& node : there.nodes) node.x += origin_;
  energy_at_origin_ = gravity_energy(there) - gravity_energy(given_configuration_);
}

/// Gaps and slips of angles are measured where the parts that turn end: in m, as all others.
void System::scale_stops() {
  for (ContactEntry& entry : elements_.contacts.listed) {
    double length = 1;
    for (const int n : {entry.element.node_A, entry.element.node_B}) {
      const Node& node = nodes_[static_cast<std::size_t>(n)];
      if (node.unknowns == 0) continue;
      length = components_[static_cast<std::size_t>(component_of(node.first_unknown))].length;
    }
    if (const JointStop* stop = entry.element.stop(); stop != nullptr && stop->is_angular()) {
      JointStop scaled = *stop;
      scaled.length = length;
      entry.element.surface = scaled;
    } else if (const JointSlide* slide = entry.element.slide()) {
      JointSlide scaled = *slide;
      if (scaled.length == 0) scaled.length = length;
      const int joint = *elements_.contacts.groups[static_cast<std::size_t>(entry.contact)].joint;
      const auto of = std::ranges::find(elements_.joints, joint, &JointEntry::joint);
      scaled.entry = static_cast<int>(of - elements_.joints.begin());
      entry.element.surface = scaled;
    }
  }
}

void System::list_breaking_functions() {
  const auto consider = [&](const CompiledFunction& function) {
    if (function.has_breaks()) breaking_functions_.push_back(function);
  };
  for (const JointEntry& joint : elements_.joints) {
    if (joint.element.drive) consider(joint.element.drive->function);
  }
  for (const AppliedLoad& load : elements_.loads) {
    for (const CompiledFunction& component : load.components) consider(component);
  }
  for (const ActuatorElement& actuator : elements_.actuators) {
    if (const auto* law = std::get_if<CompiledFunction>(&actuator.law)) consider(*law);
  }
}

std::optional<Break> System::next_break(double after, double until) const {
  std::optional<Break> first;
  for (const CompiledFunction& function : breaking_functions_) {
    const auto found = function.next_break(after, until);
    if (!found) continue;
    first = found;
    until = found->after;
  }
  return first;
}

/// Unknowns are connected where the Newton matrix is not zero.
void System::find_components(const CompiledModel& compiled) {
  const std::span<const int> starts = pattern_.column_starts(), rows = pattern_.row_indices();
  component_of_.assign(static_cast<std::size_t>(unknowns()), -1);
  std::vector<int> open;
  for (std::size_t first = 0; first < component_of_.size(); ++first) {
    if (component_of_[first] >= 0) continue;
    const int number = static_cast<int>(components_.size());
    components_.emplace_back();
    component_of_[first] = number;
    open.push_back(static_cast<int>(first));
    while (!open.empty()) {
      const auto column = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (int k = starts[column]; k < starts[column + 1]; ++k) {
        const int row = rows[static_cast<std::size_t>(k)];
        int& component = component_of_[static_cast<std::size_t>(row)];
        if (component >= 0) continue;
        component = number;
        open.push_back(row);
      }
    }
  }
  double length = 0, height = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].unknowns == 0) continue;
    Component& c = components_[static_cast<std::size_t>(component_of(nodes_[n].first_unknown))];
    ++c.nodes;
    c.length = std::max(c.length, compiled.node_lengths[n]);
    c.height = std::max(c.height, compiled.node_heights[n]);
    const double speed = compiled.node_velocities[n].head<3>().norm();
    if (gravity_.norm() > 0) c.height = std::max(c.height, speed * speed / gravity_.norm());
    length = std::max(length, c.length);
    height = std::max(height, c.height);
  }
  for (int row = velocities_; row < unknowns(); ++row) {
    ++components_[static_cast<std::size_t>(component_of(row))].constraints;
  }
  characteristic_length_ = length_of(length, height);
}

void System::number_unknowns(const CompiledModel& compiled) {
  for (const NodeKind kind : compiled.node_kinds) {
    const Node node = Node::make(kind, velocities_);
    for (int i = 0; i < node.unknowns; ++i) is_rotation_.push_back(node.is_rotation(i));
    velocities_ += node.unknowns;
    nodes_.push_back(node);
  }
  given_velocity_.setZero(velocities_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    given_velocity_.segment(std::max(nodes_[i].first_unknown, 0), nodes_[i].unknowns) =
        compiled.node_velocities[i].head(nodes_[i].unknowns);
  }
  for (JointEntry& joint : elements_.joints) {
    joint.first_row = joint.continues ? constraints_ - 1 : constraints_;
    if (joint.continues) continue;
    for (int row = 0; row < joint.element.rows(); ++row) {
      is_angular_.push_back(joint.element.is_angular(row));
      is_slip_.push_back(joint.element.is_slip(row));
      has_slips_ |= is_slip_.back();
    }
    constraints_ += joint.element.rows();
  }
}

std::string System::owner_name(int unknown) const {
  if (unknown < velocities_) {
    for (const BodyEntry& body : elements_.bodies) {
      for (int i = 0; i < body.nodes; ++i) {
        const Node& node = nodes_[static_cast<std::size_t>(body.node + i)];
        if (!node.contains(unknown)) continue;
        if (!body.is_flexible()) return fmt::format("body \"{}\"", body.name);
        return fmt::format("node {} of body \"{}\"", i, body.name);
      }
    }
    for (const JointEntry& joint : elements_.joints) {  // the node of a rigid node set
      const Node& node = nodes_[static_cast<std::size_t>(joint.element.node_A)];
      if (joint.is_internal() && node.contains(unknown)) return joint.name;
    }
  }
  for (const JointEntry& joint : elements_.joints) {
    const int row = unknown - velocities_ - joint.first_row;
    if (row < 0 || row >= joint.element.rows()) continue;
    return joint.is_internal() ? joint.name : fmt::format("joint \"{}\"", joint.name);
  }
  return fmt::format("unknown {}", unknown);
}

std::string System::unknown_name(int unknown) const {
  std::string owner = owner_name(unknown);
  if (unknown < velocities_) {
    for (const Node& node : nodes_) {
      if (!node.contains(unknown)) continue;
      return fmt::format("{}, {}", owner, node.unknown_name(unknown - node.first_unknown));
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

Vector12 System::local(const VectorX& v, int node_A, int node_B) const {
  Vector12 out;
  out << nodes_[static_cast<std::size_t>(node_A)].local(v),
      nodes_[static_cast<std::size_t>(node_B)].local(v);
  return out;
}

void System::scatter(const Vector12& f, int node_A, int node_B, VectorX& out) const {
  nodes_[static_cast<std::size_t>(node_A)].add(f.head<6>(), out);
  nodes_[static_cast<std::size_t>(node_B)].add(f.tail<6>(), out);
}

ContactBooks System::end_contacts(State& next) const {
  ContactBooks total;
  if (elements_.compliant.empty()) return total;
  for (const CompliantContact& e : elements_.compliant) {
    const ContactElement& c = e.contact;
    ContactMemory& memory = next.configuration.contacts[static_cast<std::size_t>(e.memory)];
    const NodePair q = pair(next.configuration, c.node_A, c.node_B);
    ContactBooks books;
    memory = e.end(q, local(next.velocity, c.node_A, c.node_B), next.time, memory, books);
    total.friction_loss += books.friction_loss;
    total.belt_work += books.belt_work;
    const auto listed = static_cast<std::size_t>(e.listed);
    const auto contact = static_cast<std::size_t>(elements_.contacts.listed[listed].contact);
    next.contact_losses[contact].friction += books.friction_loss;
    if (!memory.is_closed && memory.impulse.isZero(0)) continue;
    const Matrix3 axes = c.axes(q);
    ContactState& state = next.contacts.emplace_back();
    state.contact = e.listed;
    state.status = !memory.is_closed ? ContactStatus::Open
                   : memory.sticks   ? ContactStatus::Stick
                                     : ContactStatus::Slip;
    state.force = memory.impulse;
    state.impulse = axes.transpose() * memory.impulse;
    state.t1 = axes.col(1);
  }
  std::ranges::sort(next.contacts, {}, &ContactState::contact);
  return total;
}

void System::start_contacts(Configuration& q, const VectorX& v, double time) const {
  q.contacts.assign(elements_.compliant.size(), {});
  for (const CompliantContact& e : elements_.compliant) {
    const ContactElement& c = e.contact;
    q.contacts[static_cast<std::size_t>(e.memory)] =
        e.start(pair(q, c.node_A, c.node_B), local(v, c.node_A, c.node_B), time);
  }
}

SolidShape::Positions System::solid_positions(const SolidElement& e, const Configuration& q) const {
  return CellView(input_at(q), e.node_ids()).positions();
}

// ---- evaluation

void System::forces(const Configuration& q, const VectorX& v, const VectorX& vdot,
                    const Instant& at, const VectorX& lambda, ForceTerms& terms) const {
  terms.resize(velocities_);
  ElementInput input = input_at(q);
  input.at = at;
  input.velocity = &v;
  input.acceleration = &vdot;
  ElementLists::for_each(elements_, [&](const auto& list) { add_forces(list, input, terms); });
  add_constraint_forces(q, lambda, terms.constraint);
}

void System::mass_times(const Configuration& q, const VectorX& x, VectorX& y) const {
  y.setZero(velocities_);
  ElementInput input = input_at(q);
  input.velocity = &x;
  ElementLists::for_each(elements_, [&](const auto& list) { add_momentum(list, input, y); });
}

void System::constraints(const Configuration& q, double t, VectorX& g) const {
  g.setZero(constraints_);
  JointElement::Rows rows;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (joint.is_term) {
      g[joint.first_row] += e.scalar_rows[0].term(pair(q, e.node_A, e.node_B), q.angles);
      continue;
    }
    e.constraint(pair(q, e.node_A, e.node_B), t, rows);
    g.segment(joint.first_row, e.rows()) = rows;
  }
}

void System::constraint_rates(const Configuration& q, const VectorX& v, double t,
                              VectorX& gdot) const {
  gdot.setZero(constraints_);
  JointElement::RowMatrix G;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    e.jacobian(pair(q, e.node_A, e.node_B), G);
    gdot.segment(joint.first_row, e.rows()).noalias() += G * local(v, e.node_A, e.node_B);
    if (e.drive) gdot[joint.first_row + e.rows() - 1] += e.time_rate(t);
  }
}

void System::constraint_accelerations(const Configuration& q, const VectorX& v, double t,
                                      VectorX& gddot) const {
  gddot.setZero(constraints_);
  JointElement::RowMatrix V;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const Vector12 v_local = local(v, e.node_A, e.node_B);
    e.rate_gradient(pair(q, e.node_A, e.node_B), v_local, V);
    gddot.segment(joint.first_row, e.rows()).noalias() += V * v_local;
    if (e.drive) gddot[joint.first_row + e.rows() - 1] += e.time_second_rate(t);
  }
}

void System::add_constraint_forces(const Configuration& q, const VectorX& lambda,
                                   VectorX& f) const {
  JointElement::RowMatrix G;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const auto of_joint = lambda.segment(joint.first_row, e.rows());
    if (of_joint.isZero(0)) continue;  // as in every first iterate
    e.jacobian(pair(q, e.node_A, e.node_B), G);
    const Vector12 reaction = G.transpose() * of_joint;
    scatter(reaction, e.node_A, e.node_B, f);
  }
}

double System::kinetic_energy(const Configuration& q, const VectorX& v) const {
  ElementInput input = input_at(q);
  input.velocity = &v;
  return sum_energies(elements_, input, []<MassElement E>(const E& e, const typename E::View& at) {
    return e.kinetic_energy(at);
  });
}

double System::gravity_energy(const Configuration& q) const {
  return energy_at_origin_ +
         sum_energies(elements_, input_at(q),
                      []<MassElement E>(const E& e, const typename E::View& at) {
                        return e.gravity_energy(at);
                      });
}

double System::elastic_energy(const Configuration& q) const {
  return sum_energies(elements_, input_at(q),
                      []<ElasticElement E>(const E& e, const typename E::View& at) {
                        return e.elastic_energy(at);
                      });
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

double System::drive_power(double t, const VectorX& lambda) const {
  double power = 0;
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (e.drive) power -= lambda[joint.first_row + e.rows() - 1] * e.time_rate(t);
  }
  return power;
}

Effort System::effort(const ActuatorElement& actuator, const Configuration& q, const VectorX& v,
                      double t) const {
  ElementInput input = input_at(q);
  input.at.time = t;
  input.velocity = &v;
  const StateView at(input, actuator.node_ids());
  return {actuator.effort(at), actuator.rate(at)};
}

Effort System::effort(const JointEntry& term, const Configuration& q, const VectorX& v,
                      const VectorX& lambda) const {
  const JointElement& e = term.element;
  JointElement::RowMatrix G;
  e.jacobian(pair(q, e.node_A, e.node_B), G);
  const double factor = e.scalar_rows[0].factor;
  return {factor * lambda[term.first_row], G.row(0).dot(local(v, e.node_A, e.node_B)) / factor};
}

double System::margin(const StateLaw& law, std::span<const int> nodes, const Configuration& q,
                      const VectorX& v, double t) const {
  ElementInput input = input_at(q);
  input.at.time = t;
  input.velocity = &v;
  return law.margin(StateView(input, nodes), t);
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
  for (const ArmAngle& e : elements_.arm_angles) {
    const auto i = static_cast<std::size_t>(e.index);
    const Row12 G = e.coordinate.gradient(pair(q, e.node_A, e.node_B));
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
  for (const ArmAngle& e : elements_.arm_angles) {
    double& angle = q.angles[static_cast<std::size_t>(e.index)];
    angle = e.value(pair(q, e.node_A, e.node_B), angle);
  }
}

}  // namespace saltus
