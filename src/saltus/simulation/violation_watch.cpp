// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/violation_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

/// How far a frame is from its node: a part reaches at least so far.
void reach_to(const FrameOnNode& frame, int node, std::vector<double>& sizes) {
  double& size = sizes[static_cast<std::size_t>(node)];
  size = std::max(size, frame.d.norm());
}

/// Of bodies with several nodes the diagonal of the box around them.
void spread_over(const BodyEntry& body, const Configuration& q, std::vector<double>& sizes) {
  const auto first = static_cast<std::size_t>(body.node),
             last = first + static_cast<std::size_t>(body.nodes);
  Eigen::AlignedBox3d box;
  for (std::size_t n = first; n < last; ++n) box.extend(q.nodes[n].x);
  double size = box.diagonal().norm();
  for (std::size_t n = first; n < last; ++n) size = std::max(size, sizes[n]);
  for (std::size_t n = first; n < last; ++n) sizes[n] = size;
}

constexpr const char* joint_remedy =
    "look for joints or drives that contradict each other or a contact, or for a singular position";
constexpr const char* contact_remedy = "look for a drive or joints that push them into each other";

}  // namespace

ViolationWatch::ViolationWatch(const System& system, bool drifts)
    : system_(system), drifts_(drifts), sizes_(system.given_configuration().nodes.size(), 0.0) {
  const ElementLists& elements = system.elements();
  for (const RigidInertia& inertia : elements.inertias) {
    double& size = sizes_[static_cast<std::size_t>(inertia.node)];
    size =
        std::max(size, std::sqrt(2 * inertia.tensor.trace() / inertia.mass));  // of a sphere: 1.1 d
  }
  for (const JointEntry& joint : elements.joints) {
    reach_to(joint.element.frame_A, joint.element.node_A, sizes_);
    reach_to(joint.element.frame_B, joint.element.node_B, sizes_);
  }
  for (const std::vector<Site>& sites : elements.places.colliders) {
    for (const Site& site : sites) reach_to(site.frame, site.node, sizes_);
  }
  for (const BodyEntry& body : elements.bodies) {
    spread_over(body, system.given_configuration(), sizes_);
  }
  smallest_ = system.characteristic_length();
  for (const BodyEntry& body : elements.bodies) {
    const double size = sizes_[static_cast<std::size_t>(body.node)];
    if (size > 0) smallest_ = std::min(smallest_, size);
  }
}

/// Of the larger one: the smaller may be a point. The ground has no size of its own.
double ViolationWatch::size_at(int node_A, int node_B) const {
  double size = 0;
  for (const BodyEntry& body : system_.elements().bodies) {
    for (const int node : {node_A, node_B}) {
      if (node < body.node || node >= body.node + body.nodes) continue;
      size = std::max(size, sizes_[static_cast<std::size_t>(node)]);
    }
  }
  return size > 0 ? size : system_.characteristic_length();
}

ViolationWatch::Violation ViolationWatch::look(const State& state, const StepReport& step, double h,
                                               PushedThrough& pushed) {
  if (!drifts_) return look(state, step);
  if (step.converged && step.contradiction == 0) return {};
  push_through(state, step, h, pushed);
  return pushed_through(state, pushed);
}

ViolationWatch::Violation ViolationWatch::look(const State& state, const StepReport& step) {
  // Nothing to measure one by one as long as the worst would do for the smallest part.
  const double least = allowed * smallest_;
  Violation broken;
  if (step.position_violation > least) broken = joint(state);
  if (!broken && step.penetration > least) broken = contact(state);
  return broken;
}

ViolationWatch::Violation ViolationWatch::joint(const State& state) {
  g_.resize(system_.constraints());
  system_.constraints(state.configuration, state.time, g_);
  const JointEntry* worst = nullptr;
  double most = allowed, far = 0, worst_size = 0;
  for (const JointEntry& entry : system_.elements().joints) {
    const double size = size_at(entry.element.node_A, entry.element.node_B);
    for (int i = entry.first_row; i < entry.first_row + entry.element.rows(); ++i) {
      const double gape = std::abs(g_[i]) * (system_.is_angular(i) ? size : 1);
      if (gape / size <= most) continue;
      most = gape / size, far = gape, worst_size = size, worst = &entry;
    }
  }
  if (worst == nullptr) return {};
  return {most, fmt::format("joint \"{}\" is violated by {:.2g} m, {:.1g} of the {:.3g} m of the "
                            "parts that it joins (at most {:g} is a motion of this model); {}",
                            worst->name, far, most, worst_size, allowed, joint_remedy)};
}

template <class Visit>
void ViolationWatch::for_each_contact(const State& state, const Visit& visit) const {
  const ContactPoints& points = system_.elements().contacts;
  for (std::size_t i = 0; i < points.listed.size(); ++i) {
    const auto index = static_cast<ContactIndex>(i);
    if (points.is_compliant(index)) continue;
    visit(points.point(index, state.configuration).element, index);
  }
  for (const ContactState& touching : state.contacts) {
    if (points.is_listed(touching.contact)) continue;
    visit(points.point(touching.contact, state.configuration).element, touching.contact);
  }
}

ViolationWatch::Violation ViolationWatch::contact(const State& state) const {
  const ContactPoints& points = system_.elements().contacts;
  std::string worst;
  double most = allowed, far = 0, worst_size = 0;
  const auto consider = [&](const ContactElement& e, ContactIndex index) {
    const double gap = e.gap(system_.pair(state.configuration, e.node_A, e.node_B));
    const double size = size_at(e.node_A, e.node_B);
    if (-gap / size <= most) return;
    most = -gap / size, far = -gap, worst_size = size, worst = points.name(index);
  };
  for_each_contact(state, consider);
  if (worst.empty()) return {};
  return {most, fmt::format("contact \"{}\" is violated: {:.2g} m deep, {:.1g} of the {:.3g} m of "
                            "the parts that touch (at most {:g} is a motion of this model); {}",
                            worst, far, most, worst_size, allowed, contact_remedy)};
}

/// The velocities at the end of a step that go against what should hold, times the step. Of a step
/// that was solved not more than its contradiction: the normals have turned since its middle.
void ViolationWatch::push_through(const State& state, const StepReport& step, double h,
                                  PushedThrough& pushed) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double most = step.converged ? step.contradiction : unlimited;
  for_each_contact(state, [&](const ContactElement& e, ContactIndex index) {
    const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
    if (e.gap(q) >= 0) return;
    const double approach =
        -e.jacobian(q).row(0).dot(system_.local(state.velocity, e.node_A, e.node_B));
    if (approach > 0) pushed.contacts[index] += h * std::min(approach, most);
  });
  if (step.converged) return;
  g_.resize(system_.constraints());
  system_.constraint_rates(state.configuration, state.velocity, state.time, g_);
  for (int i = 0; i < system_.constraints(); ++i) pushed.joints[i] += h * std::abs(g_[i]);
}

ViolationWatch::Violation ViolationWatch::pushed_through(const State& state,
                                                         const PushedThrough& pushed) const {
  Violation worst;
  worst.ratio = allowed;
  for (const auto& [row, way] : pushed.joints) {
    const JointEntry& entry = joint_of(row);
    const double size = size_at(entry.element.node_A, entry.element.node_B);
    const double far = way * (system_.is_angular(row) ? size : 1);
    if (far / size <= worst.ratio) continue;
    worst = {far / size,
             fmt::format("joint \"{}\" is violated by {:.2g} m besides the drift of the method, "
                         "{:.1g} of the {:.3g} m of the parts that it joins (at most {:g} is a "
                         "motion of this model); {}",
                         entry.name, far, far / size, size, allowed, joint_remedy)};
  }
  const ContactPoints& points = system_.elements().contacts;
  for_each_contact(state, [&](const ContactElement& e, ContactIndex index) {
    const auto way = pushed.contacts.find(index);
    if (way == pushed.contacts.end()) return;
    const double far = way->second, size = size_at(e.node_A, e.node_B);
    if (far / size <= worst.ratio) return;
    worst = {far / size,
             fmt::format("contact \"{}\" is violated: {:.2g} m deep besides the drift of the "
                         "method, {:.1g} of the {:.3g} m of the parts that touch (at most {:g} is "
                         "a motion of this model); {}",
                         points.name(index), far, far / size, size, allowed, contact_remedy)};
  });
  return worst;
}

const JointEntry& ViolationWatch::joint_of(int row) const {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  return *std::find_if(joints.begin(), joints.end(), [&](const JointEntry& entry) {
    return row >= entry.first_row && row < entry.first_row + entry.element.rows();
  });
}

}  // namespace saltus
