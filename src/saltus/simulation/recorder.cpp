// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/recorder.hpp"

#include <algorithm>
#include <utility>

#include "saltus/geometry/features.hpp"

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

Recorder::Recorder(const System& system, const RecordOptions& options, const ForceRecovery* forces,
                   BearingWatch* bearings)
    : system_(system),
      forces_(forces),
      bearings_(bearings),
      shows_points_(options.contacts == ContactDetail::Points) {
  columns_.push_back({"time", "s", "time"});
  const VectorX pull = nodal_pull(system);
  for (const BodyEntry& body : system.elements().bodies) {
    if (body.is_flexible()) {
      flexible_.emplace_back(system, body, pull, options.flexible).add_columns(columns_);
    } else {
      add_body_columns(body);
    }
  }
  for (const JointEntry& joint : system.elements().joints) {
    if (!joint.internal) add_joint_columns(joint);
  }
  add_contact_columns();
  if (bearings_ != nullptr) bearings_->add_columns(columns_);
  for (const auto& [name, text] :
       {std::pair{"smooth", "smooth motion"}, std::pair{"position", "position correction"},
        std::pair{"velocity", "velocity correction"}}) {
    columns_.push_back(
        {"iterations." + std::string(name), "1",
         "most Newton iterations of the " + std::string(text) + " in a step since the last row"});
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

/// Columns for each listed point, and for contacts with more than one point their sums.
void Recorder::add_contact_columns() {
  const ContactPoints& points = system_.elements().contacts;
  for (std::size_t i = 0; shows_points_ && i < points.listed.size(); ++i) {
    const ContactElement& e = points.listed[i].element;
    add_point_columns(points.listed_names[i], e.has_moments, e.is_journal);
    if (!has_forces(i)) continue;
    columns_.push_back({points.listed_names[i] + ".friction_work", "J",
                        "what sliding friction has taken at this point since t = 0, impacts "
                        "included"});
  }
  for (const ContactGroup& group : points.groups) {
    if (!has_totals(group)) continue;
    add_vector(group.name + ".impulse", "N s",
               "sum over all points: impulse on the second colliders since the last row, inertial "
               "frame");
    if (shows_points_ && group.is_listed) continue;
    columns_.push_back({group.name + ".closed", "1", "number of points that touch"});
  }
  impulses_.assign(points.listed.size(), {});
  totals_.assign(points.groups.size(), Vector3::Zero());
  closed_.assign(points.groups.size(), 0);
}

void Recorder::add_point_columns(const std::string& n, bool has_moments, bool is_journal) {
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
    columns_.push_back({n + ".slip." + c, "m/s",
                        "tangential velocity of the second collider relative to the first, along " +
                            std::string(c)});
  }
  for (const char* c : {"n", "t1", "t2"}) {
    if (!has_moments) break;
    columns_.push_back({n + ".moment_impulse." + c, "N m s",
                        "angular impulse against spinning (n) and rolling (t1, t2) on the second "
                        "collider since the last row, along " +
                            std::string(c)});
  }
  if (is_journal) {
    add_vector(n + ".eccentricity", "m", "from the bore's axis to the pin's, inertial frame");
  }
}

/// A single listed point is its own total.
bool Recorder::has_totals(const ContactGroup& group) const {
  return !shows_points_ || !group.is_listed || group.count > 1;
}

void Recorder::put_contacts(const State& state) {
  const ContactPoints& points = system_.elements().contacts;
  std::fill(closed_.begin(), closed_.end(), 0);
  for (const ContactState& contact : state.contacts) {
    if (contact.status == ContactStatus::Open) continue;
    ++closed_[static_cast<std::size_t>(points.contact_of(contact.contact))];
  }
  auto next = state.contacts.begin();
  for (std::size_t i = 0; shows_points_ && i < points.listed.size(); ++i) {
    const auto index = static_cast<ContactIndex>(i);
    while (next != state.contacts.end() && next->contact < index) ++next;
    const bool known = next != state.contacts.end() && next->contact == index;
    put_point(i, known ? next->status : ContactStatus::Open, state);
  }
  for (std::size_t k = 0; k < points.groups.size(); ++k) {
    if (!has_totals(points.groups[k])) continue;
    put(totals_[k]);
    if (!shows_points_ || !points.groups[k].is_listed) row_[place_++] = closed_[k];
  }
  for (PointImpulse& impulse : impulses_) impulse = {};
  for (Vector3& total : totals_) total.setZero();
}

namespace {

/// The gap; of a cylinder or bore beside whose ends the point is, not less than to its end.
double distance_of(const ContactElement& e, const NodePair& q) {
  const double gap = e.gap(q);
  const ContactElement::Place place = e.place(q);
  if (e.is_plane || e.is_along(place)) return gap;
  const double beyond = std::abs(e.plane.E.col(2).dot(place.d)) - e.half_length;
  return e.core == ContactElement::Core::Line ? std::hypot(std::max(gap, 0.0), beyond)
                                              : std::max(gap, 0.0);
}

}  // namespace

namespace {

/// The velocity of the point relative to the nearest place on the surface, in (n, t1, t2). The rows
/// of the element take the surface's velocity where the point is, which is the same when it
/// touches.
Vector3 slip_of(const ContactElement& e, const NodePair& q, const Vector12& v) {
  const Matrix3 axes = e.axes(q);
  const Vector6 rates = e.jacobian(q, axes) * v;
  const Vector3 way = e.gap(q) * axes.col(0);
  const Vector3 omega_A = q.A.R * v.segment<3>(3);
  return rates.head<3>() - e.surface_velocity + axes.transpose() * omega_A.cross(way);
}

}  // namespace

void Recorder::put_point(std::size_t i, ContactStatus status, const State& state) {
  const ContactEntry& entry = system_.elements().contacts.listed[i];
  const ContactElement& e = entry.element;
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const ContactFrame frame = contact_frame(entry, q);
  const Vector3 slip =
      frame.from_element * slip_of(e, q, system_.local(state.velocity, e.node_A, e.node_B));
  row_[place_++] = distance_of(e, q);
  row_[place_++] = static_cast<double>(status);
  put(impulses_[i].along);
  put(impulses_[i].force);
  row_[place_++] = slip[1];
  row_[place_++] = slip[2];
  if (e.has_moments) put(impulses_[i].moment);
  if (e.is_journal) put(e.eccentricity(q));
  if (has_forces(i)) row_[place_++] = forces_->friction_work(i);
}

void Recorder::accumulate_contacts(const State& state) {
  const ContactPoints& points = system_.elements().contacts;
  for (const ContactState& contact : state.contacts) {
    if (contact.impulse[0] == 0) continue;
    const ContactEntry entry = points.point(contact.contact);
    const ContactElement& e = entry.element;
    const double sign = entry.surface_is_first ? 1 : -1;
    const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
    const Vector3 force = sign * contact.force;
    totals_[static_cast<std::size_t>(entry.contact)] += force;
    if (!points.is_listed(contact.contact)) continue;
    // Components are those of the contact's own axes, for which the laws hold; the inertial ones
    // those that acted on the bodies, which turned meanwhile.
    Matrix3 axes = e.axes(q);
    if (!e.is_plane) axes << axes.col(0), contact.t1, axes.col(0).cross(contact.t1);
    const Matrix3 to_results = sign * contact_frame(entry, q).axes.transpose() * axes;
    PointImpulse& impulse = impulses_[static_cast<std::size_t>(contact.contact)];
    impulse.along += to_results * contact.impulse;
    impulse.force += force;
    impulse.moment += to_results * contact.moment;
  }
}

EventRow Recorder::event(const ContactEvent& event) const {
  static constexpr const char* kinds[] = {"impact", "closes", "opens", "sticks", "slips"};
  const ContactPoints& points = system_.elements().contacts;
  const double sign = points.point(event.contact).surface_is_first ? 1 : -1;
  const Matrix3 frame = frame_with_normal(sign * event.normal);  // t1, t2, n
  Matrix3 to_results;
  to_results << frame.col(2), frame.col(0), frame.col(1);
  to_results.transposeInPlace();
  to_results *= sign;
  return {.time = event.time,
          .contact = points.name(event.contact),
          .kind = kinds[static_cast<int>(event.kind)],
          .order = event.order,
          // + 0: no −0 in the results
          .impulse = (to_results * event.impulse).array() + 0.0,
          .before = (to_results * event.before).array() + 0.0,
          .after = (to_results * event.after).array() + 0.0,
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
  accumulate_contacts(state);
  last_time_ = state.time;
}

void Recorder::count_iterations(int smooth, int position, int velocity) {
  iterations_ = {std::max(iterations_[0], smooth), std::max(iterations_[1], position),
                 std::max(iterations_[2], velocity)};
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
  if (bearings_ != nullptr) {
    const double* end = bearings_->put(state, row_.data() + place_);
    place_ = static_cast<std::size_t>(end - row_.data());
  }
  for (int& most : iterations_) row_[place_++] = std::exchange(most, 0);
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
