// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_set.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace saltus {
namespace {

/// A point is a candidate if its gap at q̃ is below this times h (|v_A| + |v_B|).
constexpr double forecast = 0.5;

/// And in any case below this fraction of the mechanism's size.
constexpr double nearby = 1e-6;

/// Approach velocities below this fraction of the speeds at hand are rest.
constexpr double approach_threshold = 1e-6;

/// The inverse of a node's block; of a free body its mass and inertia apart.
Matrix6 inverse_of(const Matrix6& K) {
  const bool apart = K.topRightCorner<3, 3>().isZero(0) && K.bottomLeftCorner<3, 3>().isZero(0);
  if (!apart) return K.partialPivLu().inverse();
  Matrix6 inverse = Matrix6::Zero();
  inverse.topLeftCorner<3, 3>() = K.topLeftCorner<3, 3>().inverse();
  inverse.bottomRightCorner<3, 3>() = K.bottomRightCorner<3, 3>().inverse();
  return inverse;
}

}  // namespace

bool is_impact(const Candidate& candidate, double speed) {
  return candidate.velocity_n[0] < -approach_threshold * speed;
}

ContactSet::ContactSet(const System& system, double behind) : system_(system), behind_(behind) {
  const std::size_t n = system.elements().contacts.size();
  candidates_.reserve(n);
  members_.reserve(n);
  problem_.contacts.reserve(n);
  problem_.local = system.is_uncoupled();
  is_candidate_.assign(n, false);
  inverses_.assign(system.nodes().size(), Matrix6::Identity());
  inverse_stamp_.assign(system.nodes().size(), 0);
}

bool ContactSet::may_touch(const ContactElement& e, const State& state, const Configuration& q,
                           double margin) const {
  const ContactElement::Place place = e.place(system_.pair(q, e.node_A, e.node_B));
  if (e.gap(place) >= margin) return false;
  if (!e.half_size) return true;
  const double gap_n = e.gap(system_.pair(state.configuration, e.node_A, e.node_B));
  return e.is_above_face(place) && gap_n > -behind_ * system_.characteristic_length();
}

void ContactSet::select(const State& state, const Configuration& q, const VectorX& v, double h) {
  h_ = h;
  candidates_.clear();
  const std::vector<ContactEntry>& contacts = system_.elements().contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactElement& e = contacts[i].element;
    const Vector12 motion = system_.local(v, e.node_A, e.node_B);
    const double speed = motion.segment<3>(0).norm() + motion.segment<3>(6).norm();
    const double margin = forecast * h * speed + nearby * system_.characteristic_length();  // (12)
    is_candidate_[i] = may_touch(e, state, q, margin);
    if (is_candidate_[i]) candidates_.push_back(make_candidate(state, static_cast<int>(i)));
  }
}

bool ContactSet::add_violated(const State& state, const Configuration& q) {
  const std::vector<ContactEntry>& contacts = system_.elements().contacts;
  if (candidates_.size() == contacts.size()) return false;
  bool added = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_candidate_[i] || !may_touch(contacts[i].element, state, q, 0)) continue;
    is_candidate_[i] = true;
    added = true;
    candidates_.push_back(make_candidate(state, static_cast<int>(i)));
  }
  return added;
}

Candidate ContactSet::make_candidate(const State& state, int contact) const {
  const auto i = static_cast<std::size_t>(contact);
  const ContactElement& e = system_.elements().contacts[i].element;
  Candidate candidate;
  candidate.contact = contact;
  const NodePair q_n = system_.pair(state.configuration, e.node_A, e.node_B);
  candidate.from = e.place(q_n);
  candidate.H_n = e.jacobian(q_n);
  candidate.velocity_n =
      candidate.H_n * system_.local(state.velocity, e.node_A, e.node_B) - e.surface_velocity;
  candidate.nu = h_ / 2 * state.contacts[i].impulse;  // (14)
  return candidate;
}

void ContactSet::linearize(const Configuration& q) {
  for (Candidate& c : candidates_) {
    const ContactElement& e = entry(c).element;
    c.H = e.jacobian(system_.pair(q, e.node_A, e.node_B));
    c.F = c.H;
    c.turned = false;
  }
}

bool ContactSet::turn_lasting(const State& state, double speed) {
  bool lasting = false, impact = false;
  for (Candidate& c : candidates_) {
    const ContactStatus before = state.contacts[static_cast<std::size_t>(c.contact)].status;
    c.turned = c.active && before != ContactStatus::Open && !is_impact(c, speed);
    if (c.turned) c.F = (c.H_n + c.H) / 2;  // nonsmooth_generalized_alpha.md (21)
    lasting |= c.turned;
    impact |= c.active && is_impact(c, speed);
  }
  return lasting && !impact;
}

void ContactSet::set_approach(const VectorX& v_n) {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].approach = std::min(0.0, velocity(v_n, i)[0]);
  }
}

void ContactSet::fill_velocities(const VectorX& v, double speed, double factor, VectorX& l) {
  l.resize(problem_.rows());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const auto i = static_cast<std::size_t>(members_[k]);
    const Candidate& c = candidates_[i];
    nonsmooth::ContactRows& rows = problem_.contacts[k];
    rows.b = velocity(v, i);
    rows.mu = entry(c).friction;
    if (is_impact(c, speed)) {  // (16)
      rows.b[0] += entry(c).restitution * c.approach;
      rows.b.tail<2>() += entry(c).tangential_restitution * c.velocity_n.tail<2>();
    }
    l.segment<3>(3 * static_cast<Eigen::Index>(k)) = factor * c.impulse;
  }
}

Vector3 ContactSet::gap(const State& state, const Configuration& q, std::size_t i) const {
  const Candidate& c = candidates_[i];
  const ContactElement& e = entry(c).element;
  Vector3 g = e.gap_and_slip(c.from, e.place(system_.pair(q, e.node_A, e.node_B)), h_);
  g.tail<2>() += state.contacts[static_cast<std::size_t>(c.contact)].creep;
  return g;
}

Vector3 ContactSet::velocity(const VectorX& v, std::size_t i) const {
  const Candidate& c = candidates_[i];
  const ContactElement& e = entry(c).element;
  return c.H * system_.local(v, e.node_A, e.node_B) - e.surface_velocity;
}

void ContactSet::add_forces(Vector3 Candidate::*l, VectorX& f) const {
  for (const Candidate& c : candidates_) {
    if ((c.*l)[0] == 0) continue;
    const ContactElement& e = entry(c).element;
    system_.scatter(Vector12(c.F.transpose() * (c.*l)), e.node_A, e.node_B, f);
  }
}

void ContactSet::fill_problem(const KktSolver& kkt) {
  problem_.K = &kkt.matrix();
  problem_.factorization = &kkt.factorization();
  problem_.contacts.resize(members_.size());
  ++stamp_;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Candidate& c = candidates_[static_cast<std::size_t>(members_[k])];
    const ContactElement& e = entry(c).element;
    nonsmooth::ContactRows& rows = problem_.contacts[k];
    rows.columns = system_.unknowns_of(e.node_A, e.node_B);
    rows.H = c.H;
    rows.F = c.F;
    rows.turned = c.turned;
    for (std::size_t j = 0; j < rows.columns.size(); ++j) {
      if (rows.columns[j] >= 0) continue;
      rows.H.col(static_cast<Eigen::Index>(j)).setZero();
      rows.F.col(static_cast<Eigen::Index>(j)).setZero();
    }
    if (!problem_.local) continue;
    rows.Y.topRows<6>() = inverse_block(kkt, e.node_A) * rows.F.leftCols<6>().transpose();
    rows.Y.bottomRows<6>() = inverse_block(kkt, e.node_B) * rows.F.rightCols<6>().transpose();
  }
}

const Matrix6& ContactSet::inverse_block(const KktSolver& kkt, int node) {
  const auto n = static_cast<std::size_t>(node);
  if (node != 0 && inverse_stamp_[n] != stamp_) {
    inverse_stamp_[n] = stamp_;
    inverses_[n] = inverse_of(system_.node_block(kkt.matrix(), node));
  }
  return inverses_[n];
}

}  // namespace saltus
