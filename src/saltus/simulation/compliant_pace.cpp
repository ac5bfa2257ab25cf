// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/compliant_pace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Part of the way to a contact that a step may go: what comes after is looked at again.
constexpr double part_of_way = 0.9;
/// Who is farther than this many times what it moves in the step does not come near.
constexpr double far = 2;
/// Lengths that differ by less are the same step.
constexpr double same = 1.01;

/// Rows (n, t1, t2), then rotations; only the first is used.
ContactElement::Rows rows(const System& system, const CompliantContact& e, const State& state) {
  const ContactElement& c = e.contact;
  return c.jacobian(system.pair(state.configuration, c.node_A, c.node_B));
}

}  // namespace

CompliantPace::CompliantPace(const System& system)
    : system_(system), inverse_(system.nodes().size(), Matrix6::Zero()) {
  for (std::size_t n = 0; n < inverse_.size(); ++n) {
    const Node& node = system.nodes()[n];
    if (node.unknowns == 0) continue;
    const double mass = system.node_mass(static_cast<int>(n));
    const double counted = mass > 0 ? mass : fallback_mass(static_cast<int>(n));
    if (counted > 0) inverse_[n].diagonal().head<3>().setConstant(1 / counted);
  }
  for (const RigidInertia& inertia : system.elements().inertias) {
    Matrix6& inverse = inverse_[static_cast<std::size_t>(inertia.node)];
    inverse.diagonal().head<3>().setConstant(1 / inertia.mass);
    // A rod turns about its own axis without inertia: that motion is held, or not felt.
    const double least = 1e-6 * inertia.tensor.trace();
    if (!(least > 0)) continue;
    inverse.bottomRightCorner<3, 3>() = (inertia.tensor + least * Matrix3::Identity()).inverse();
  }
}

/// What stands for the mass of a node without any: the lightest that hangs together with it.
double CompliantPace::fallback_mass(int node) const {
  const int first = system_.nodes()[static_cast<std::size_t>(node)].first_unknown;
  double least = 0;
  for (std::size_t n = 0; n < system_.nodes().size(); ++n) {
    const Node& other = system_.nodes()[n];
    const double mass = system_.node_mass(static_cast<int>(n));
    if (other.unknowns == 0 || !(mass > 0)) continue;
    if (system_.component_of(other.first_unknown) != system_.component_of(first)) continue;
    if (least == 0 || mass < least) least = mass;
  }
  return least;
}

/// Joints make a body heavier, never lighter: without them time scales come out too short.
double CompliantPace::inverse_mass(const CompliantContact& e, const ContactElement::Rows& H) const {
  const Vector6 A = H.row(0).head<6>().transpose(), B = H.row(0).tail<6>().transpose();
  return A.dot(inverse_[static_cast<std::size_t>(e.contact.node_A)] * A) +
         B.dot(inverse_[static_cast<std::size_t>(e.contact.node_B)] * B);
}

/// T/N of what the contact is doing.                                                        (7)
double CompliantPace::resolved(const CompliantContact& e, const State& state) const {
  const double inverse = inverse_mass(e, rows(system_, e, state));
  if (!(inverse > 0)) return never;
  const ContactMemory& now = state.configuration.contacts[static_cast<std::size_t>(e.memory)];
  return e.time_scale(now, 1 / inverse) / steps_per_contact;
}

/// The gap, at the rate and acceleration of now and with the curvature of the ways, is gone.   (8)
double CompliantPace::time_to_close(const CompliantContact& e, const State& state,
                                    double rest) const {
  const ContactElement& c = e.contact;
  const ContactMemory& now = state.configuration.contacts[static_cast<std::size_t>(e.memory)];
  const NodePair q = system_.pair(state.configuration, c.node_A, c.node_B);
  const Vector6 pull = c.jacobian(q) * system_.local(state.acceleration, c.node_A, c.node_B);
  const Vector12 v = system_.local(state.velocity, c.node_A, c.node_B);
  const Vector3 turn_A = q.A.R * v.segment<3>(3), turn_B = q.B.R * v.tail<3>();
  const Vector3 arm_B = q.B.R * c.frame_B.d, arm_A = q.B.x + arm_B - q.A.x;
  const Vector3 u = v.segment<3>(6) + turn_B.cross(arm_B) - v.head<3>() - turn_A.cross(arm_A);
  const double speed = u.norm();
  const double bend = std::abs(u.dot(c.curvature(q) * u)) + turn_B.squaredNorm() * arm_B.norm() +
                      2 * turn_A.norm() * speed;
  const double reach = (speed + rest * (pull.head<3>().norm() + bend)) * rest;
  if (now.gap > far * reach) return never;
  const double towards = std::max(0.0, -pull[0]) + bend, rate = now.rate;
  const double root = std::sqrt(rate * rate + 2 * towards * now.gap);  // (8)
  if (!(root + rate > 0)) return never;
  return 2 * now.gap / (root + rate);
}

CompliantPace::Step CompliantPace::look(const State& state, double rest) {
  Step step{.length = rest};
  was_closed_.assign(system_.elements().compliant.size(), 0);
  for (const CompliantContact& e : system_.elements().compliant) {
    const auto i = static_cast<std::size_t>(e.memory);
    const ContactMemory& now = state.configuration.contacts[i];
    was_closed_[i] = now.is_closed ? 1 : 0;
    if (!e.divides_steps) continue;
    if (now.is_closed) {
      step.length = std::min(step.length, resolved(e, state));
      continue;
    }
    if (!now.is_felt || now.gap < 0) continue;
    const double time = time_to_close(e, state, rest);
    if (time == never) continue;
    step.is_risky = true;
    if (time >= rest) continue;
    const double inverse = inverse_mass(e, rows(system_, e, state));
    if (!(inverse > 0)) continue;
    const double speed = 2 * now.gap / time - now.rate;  // where it closes, by (8)
    const double wanted = e.law.duration(1 / inverse, speed) / steps_per_contact;
    step.length = std::min(step.length, std::max(wanted, part_of_way * time));
  }
  return step;
}

bool CompliantPace::has_overrun(const State& state, double h) const {
  return std::ranges::any_of(system_.elements().compliant, [&](const CompliantContact& e) {
    const auto i = static_cast<std::size_t>(e.memory);
    if (!e.divides_steps || was_closed_[i] != 0 || !state.configuration.contacts[i].is_closed)
      return false;
    return h > same * resolved(e, state);
  });
}

}  // namespace saltus
