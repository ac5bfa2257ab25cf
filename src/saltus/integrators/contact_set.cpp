// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus {
namespace {

/// The inverse of a node's block; of a free body its mass and inertia apart.
Matrix6 inverse_of(const Matrix6& K) {
  const bool apart = K.topRightCorner<3, 3>().isZero(0) && K.bottomLeftCorner<3, 3>().isZero(0);
  if (!apart) return linalg::inverse(K);
  Matrix6 inverse = Matrix6::Zero();
  inverse.topLeftCorner<3, 3>() = K.topLeftCorner<3, 3>().inverse();
  inverse.bottomRightCorner<3, 3>() = K.bottomRightCorner<3, 3>().inverse();
  return inverse;
}

}  // namespace

bool is_approach(double normal_velocity, double speed) {
  return normal_velocity < -ContactTuning::approach_threshold * speed;
}

double inelastic_share(double restitution) {
  return std::max(0.0, 1 - restitution / ImpulseTuning::bouncing);
}

bool is_impact(const ContactGeometry& point, double speed) {
  return is_approach(point.velocity_n[0], speed);
}

bool has_joint_points(const System& system) {
  return std::ranges::any_of(system.elements().contacts.listed,
                             [](const ContactEntry& entry) { return entry.element.is_of_joint(); });
}

ContactSet::ContactSet(const System& system, double behind)
    : system_(system), behind_(behind), islands_(system), search_(system) {
  const std::size_t n = system.elements().contacts.listed.size();
  points_.reserve(n);
  chosen_.reserve(n);
  members_.reserve(n);
  bounds_.reserve(n);
  problem_.contacts.reserve(n);
  by_island_.reserve(n);
  for (const Node& node : system.nodes()) {
    double& length = node_lengths_.emplace_back(0);
    if (node.unknowns == 0) continue;
    const auto component = static_cast<std::size_t>(system.component_of(node.first_unknown));
    length =
        length_of(system.components()[component].length, system.components()[component].height);
  }
  margins_.assign(system.nodes().size(), 0.0);
  inverses_.assign(system.nodes().size(), Matrix6::Identity());
  inverse_stamp_.assign(system.nodes().size(), 0);
}

/// Bounded faces are open at their edges, and hollow spheres to what is outside: a point that was
/// not on the inner side at t_n is let through.
bool ContactSet::may_touch(const ContactElement& e, const State& state, const Configuration& q,
                           double margin) const {
  if (frozen_ != nullptr && is_frozen(e)) return false;
  const ContactElement::Place place = e.place(system_.pair(q, e.node_A, e.node_B));
  if (e.gap(place) >= margin || !e.is_along(place)) return false;
  if (!e.is_open()) return true;
  const ContactElement::Place from = e.place(system_.pair(state.configuration, e.node_A, e.node_B));
  const double length = std::max(node_lengths_[static_cast<std::size_t>(e.node_A)],
                                 node_lengths_[static_cast<std::size_t>(e.node_B)]);
  return e.is_felt(from, place, behind_ * length);
}

bool ContactSet::is_frozen(const ContactElement& e) const {
  return std::ranges::any_of(std::array{e.node_A, e.node_B}, [&](int node) {
    const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
    if (n.unknowns == 0) return false;
    return (*frozen_)[static_cast<std::size_t>(system_.component_of(n.first_unknown))] != 0;
  });
}

void ContactSet::select(const State& state, const Configuration& q, const VectorX& v, double h) {
  h_ = h;
  linearized_ = none_linearized;
  points_.clear();
  chosen_.clear();
  if (system_.elements().contacts.empty()) return;
  for (std::size_t n = 0; n < margins_.size(); ++n) {
    const Node& node = system_.nodes()[n];
    const double speed = node.unknowns > 0 ? v.segment<3>(node.first_unknown).norm() : 0;
    margins_[n] =
        ContactTuning::forecast * h * speed + ContactTuning::nearby * node_lengths_[n];  // (12)
  }
  for (const ContactIndex i : search_.find(q, margins_, state.configuration, behind_)) {
    const ContactEntry entry = system_.elements().contacts.point(i, q);
    const double margin = margins_[static_cast<std::size_t>(entry.element.node_A)] +
                          margins_[static_cast<std::size_t>(entry.element.node_B)];
    if (!may_touch(entry.element, state, q, margin)) continue;
    points_.push_back(make_point(state, i));
    chosen_.push_back(i);
  }
}

void ContactSet::take(const State& state, const std::vector<ContactIndex>& contacts) {
  h_ = 0;
  linearized_ = none_linearized;
  points_.clear();
  for (const ContactIndex i : contacts) {
    points_.push_back(make_point(state, i));
    points_.back().closed = true;
  }
  chosen_ = contacts;
  std::sort(chosen_.begin(), chosen_.end());
}

std::string ContactSet::passed_through(const State& state, const Configuration& q) const {
  const ContactPoints& points = system_.elements().contacts;
  for (std::size_t i = 0; i < points.listed.size(); ++i) {
    const ContactElement& e = points.listed[i].element;
    if (points.is_compliant(static_cast<ContactIndex>(i))) continue;
    if (!system_.is_present(e.node_A) || !system_.is_present(e.node_B)) continue;
    const auto way = [&](int node) {
      const auto n = static_cast<std::size_t>(node);
      return Vector3(q.nodes[n].x - state.configuration.nodes[n].x);
    };
    const Vector3 moved = way(e.node_B) - way(e.node_A);
    const NodePair before = system_.pair(state.configuration, e.node_A, e.node_B);
    if (e.passes_through(before, moved)) return points.listed_names[i];
  }
  return {};
}

bool ContactSet::add_violated(const State& state, const Configuration& q) {
  const ContactPoints& points = system_.elements().contacts;
  if (static_cast<ContactIndex>(points_.size()) == points.size()) return false;
  std::fill(margins_.begin(), margins_.end(), 0.0);
  const std::size_t before = chosen_.size();
  for (const ContactIndex i : search_.find(q, margins_, state.configuration, behind_)) {
    const auto known = chosen_.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::binary_search(chosen_.begin(), known, i)) continue;
    if (!may_touch(points.point(i, q).element, state, q, 0)) continue;
    points_.push_back(make_point(state, i));
    chosen_.push_back(i);
  }
  if (chosen_.size() == before) return false;
  std::sort(chosen_.begin(), chosen_.end());
  return true;
}

void ContactSet::divide(Connecting points) {
  const auto connects = [&](const ContactGeometry& c) {
    return points == Connecting::All || c.closed;
  };
  if (points_.empty() && !has_divided_points_) return;
  has_divided_points_ = !points_.empty();
  islands_.separate();
  for (const ContactGeometry& c : points_) {
    if (connects(c)) islands_.connect(c.element().node_A, c.element().node_B);
  }
  islands_.number();
  // Sorted by counting.
  first_of_.assign(static_cast<std::size_t>(islands_.count()) + 1, 0);
  for (const ContactGeometry& c : points_) {
    if (connects(c)) ++first_of_[static_cast<std::size_t>(island_of(c)) + 1];
  }
  with_points_.clear();
  for (std::size_t i = 0; i + 1 < first_of_.size(); ++i) {
    if (first_of_[i + 1] > 0) with_points_.push_back(static_cast<int>(i));
    first_of_[i + 1] += first_of_[i];
  }
  by_island_.resize(first_of_.back());
  for (std::size_t i = points_.size(); i-- > 0;) {
    if (!connects(points_[i])) continue;
    by_island_[--first_of_[static_cast<std::size_t>(island_of(points_[i])) + 1]] =
        static_cast<int>(i);
  }
  // Where an island's points began, its predecessor's end.
  for (std::size_t i = 0; i + 1 < first_of_.size(); ++i) first_of_[i] = first_of_[i + 1];
  first_of_.back() = by_island_.size();
}

void ContactSet::rest_at(std::size_t i) {
  ContactGeometry& c = points_[i];
  c.left_out = std::exchange(c.velocity_n[0], 0.0);
}

/// Whether a contact pressed in the last step by more than positions known to round-off make of the
/// lighter body's momentum: of bodies that touch without force round-off would decide.
bool ContactSet::has_pressed(const ContactElement& e, const ContactState* last) const {
  if (last == nullptr || !(last->impulse[0] > 0)) return false;
  if (h_ == 0) return true;
  double least = std::numeric_limits<double>::infinity();
  for (const int node : {e.node_A, e.node_B}) {
    if (system_.nodes()[static_cast<std::size_t>(node)].unknowns == 0) continue;
    const double length = node_lengths_[static_cast<std::size_t>(node)];
    least = std::min(least, system_.node_mass(node) * length);
  }
  return last->impulse[0] > ScaleTuning::position_round_off * least / h_;
}

ContactGeometry ContactSet::make_point(const State& state, ContactIndex contact) const {
  ContactGeometry c;
  c.contact = contact;
  c.entry = system_.elements().contacts.point(contact, state.configuration);
  const ContactElement& e = c.element();
  const NodePair q_n = system_.pair(state.configuration, e.node_A, e.node_B);
  const ContactState* last = state.contact(contact);
  c.from = last != nullptr ? e.place(q_n, last->t1) : e.place(q_n);
  c.H_n = e.jacobian(q_n, e.axes(q_n, c.from));
  c.velocity_n = c.H_n * system_.local(state.velocity, e.node_A, e.node_B);
  c.velocity_n.head<3>() -= e.surface_velocity;
  c.mu = coefficient(law(c).friction, c.velocity_n.segment<2>(1).norm());
  c.slipped = last != nullptr && last->status == ContactStatus::Slip;
  c.hold = has_pressed(e, last) ? std::min(1.0, c.mu / ContactTuning::holding_friction) : 0;
  return c;
}

Vector6 ContactSet::last_multiplier(const State& state, std::size_t i) const {
  Vector6 nu = Vector6::Zero();
  const ContactState* last = state.contact(points_[i].contact);
  if (last == nullptr) return nu;
  nu.head<3>() = h_ / 2 * last->impulse;  // (14)
  if (!points_[i].element().has_moments || points_[i].element().is_of_joint()) return nu;
  nu.tail<3>() = h_ / 2 / points_[i].element().length * last->moment;
  return nu;
}

bool ContactSet::is_linearized_at(const Configuration& q) const {
  if (linearized_ != points_.size()) return false;
  for (std::size_t n = 0; n < linearized_at_.size(); ++n) {
    const NodePose &before = linearized_at_[n], &now = q.nodes[n];
    if (before.x != now.x || before.R != now.R) return false;
  }
  return true;
}

void ContactSet::linearize(const Configuration& q) {
  touching_.clear();
  end_ = &q;
  if (is_linearized_at(q)) return;
  linearized_ = points_.size();
  linearized_at_ = q.nodes;
  for (ContactGeometry& c : points_) {
    const ContactElement& e = c.element();
    const NodePair pair = system_.pair(q, e.node_A, e.node_B);
    c.H = e.jacobian(pair, e.axes(pair, c.from));
    c.F = c.H;
    c.turned = false;
  }
}

namespace {

/// Whether the normals of two sets of rows are on the same side.
bool normals_agree(const ContactElement::Rows& first, const ContactElement::Rows& second) {
  return first.block<1, 3>(0, 6).dot(second.block<1, 3>(0, 6)) >= ContactTuning::same_side;
}

/// In a hollow body a step may lead from one side, or from the middle, to the other: what touches
/// at the end is not what touched at the beginning, and the normal there is not that here.
bool is_on_other_side(const ContactGeometry& c) {
  return c.element().is_hollow() && !normals_agree(c.H_n, c.H);
}

}  // namespace

std::string_view ContactSet::others(int island) const {
  const bool joints = std::ranges::any_of(system_.elements().joints, [&](const JointEntry& joint) {
    return !joint.is_internal() && joint.element.rows() > 0 &&
           islands_.of_unknown(system_.velocities() + joint.first_row) == island;
  });
  if (joints) return "joints or other contacts";
  return islands_.is_free(island) ? "other contacts" : "elements or other contacts";
}

bool ContactSet::is_loaded(int island, const State& state) const {
  return std::ranges::any_of(points_of(island), [&](int i) {
    const ContactGeometry& c = points_[static_cast<std::size_t>(i)];
    return has_pressed(c.element(), state.contact(c.contact));
  });
}

double ContactSet::largest_approach(int island) const {
  double largest = 0;
  for (const int i : points_of(island)) {
    const ContactGeometry& c = points_[static_cast<std::size_t>(i)];
    if (c.closed) largest = std::max(largest, -c.velocity_n[0]);
  }
  return largest;
}

double ContactSet::restitution(const ContactGeometry& point, double speed, double fastest) const {
  const double approach = is_impact(point, speed) ? -point.velocity_n[0] : fastest;
  return coefficient_of_restitution(law(point).restitution, approach);
}

bool ContactSet::has_impact(int island, double speed) const {
  return std::ranges::any_of(points_of(island), [&](int i) {
    const ContactGeometry& c = points_[static_cast<std::size_t>(i)];
    return c.closed && is_impact(c, speed);
  });
}

void ContactSet::find_touching_rows(int island, const State& state, const Configuration& smooth,
                                    double speed) {
  if (!has_impact(island, speed)) return;
  const double fastest = largest_approach(island);
  for (const int point : points_of(island)) {
    const auto i = static_cast<std::size_t>(point);
    const ContactGeometry& c = points_[i];
    const ContactElement& e = c.element();
    const double inelastic = inelastic_share(restitution(c, speed, fastest));
    if (!c.closed || !e.is_centred() || inelastic == 1) continue;
    const double part = e.part_to_touch(system_.pair(state.configuration, e.node_A, e.node_B),
                                        system_.pair(smooth, e.node_A, e.node_B));
    // Where the spheres are then, or with little restitution between there and the end; rotations
    // only turn the velocities' axes, which are those of the end.
    const auto at_touch = [&](int node) {
      const auto n = static_cast<std::size_t>(node);
      NodePose pose = end_->nodes[n];
      const Vector3 x = (1 - part) * state.configuration.nodes[n].x + part * smooth.nodes[n].x;
      pose.x = (1 - inelastic) * x + inelastic * pose.x;
      return pose;
    };
    const NodePose A = at_touch(e.node_A), B = at_touch(e.node_B);
    const NodePair pair{A, B};
    const ContactElement::Rows rows = e.jacobian(pair, e.axes(pair, c.from));
    // In a hollow sphere the touch may be on the other side.
    if (!normals_agree(rows, c.H)) continue;
    const ContactElement::Rows turned = inelastic * (c.F - c.H);
    touching_.push_back({i,
                         island,
                         c.turned && inelastic > 0,
                         {rows, rows + turned},
                         {c.H, c.H + turned}});  // (17)
  }
}

bool ContactSet::has_touching_rows(int island) const {
  return std::ranges::any_of(touching_,
                             [=](const TouchingRows& rows) { return rows.island == island; });
}

void ContactSet::use_touching_rows(int island, bool at_touch) {
  linearized_ = none_linearized;
  for (const TouchingRows& rows : touching_) {
    if (rows.island != island) continue;
    ContactGeometry& c = points_[rows.point];
    c.H = at_touch ? rows.at_touch.H : rows.at_end.H;
    c.F = at_touch ? rows.at_touch.F : rows.at_end.F;
    c.turned = rows.turned;
  }
}

bool ContactSet::turn_lasting(int island, const State& state, double speed) {
  linearized_ = none_linearized;
  bool lasting = false;
  for (const int point : points_of(island)) {
    const auto i = static_cast<std::size_t>(point);
    ContactGeometry& c = points_[i];
    if (is_on_other_side(c)) {
      c.velocity_n = velocity(state.velocity, i);
      c.H_n = c.H;
      c.hold = 0;
    }
    const ContactState* before = state.contact(c.contact);
    const bool was_closed = before != nullptr && before->status != ContactStatus::Open;
    c.turned = c.closed && was_closed && !is_impact(c, speed);
    if (c.turned) c.F = (c.H_n + c.H) / 2;  // nonsmooth_generalized_alpha.md (21)
    lasting |= c.turned;
  }
  return lasting && !has_impact(island, speed);
}

void ContactSet::turn_back(int island) {
  for (const int i : points_of(island)) {
    ContactGeometry& c = points_[static_cast<std::size_t>(i)];
    c.turned = false;
    c.F = c.H;
  }
}

Vector6 ContactSet::gap(const State& state, const Configuration& q, std::size_t i) const {
  const ContactGeometry& c = points_[i];
  const ContactElement& e = c.element();
  Vector6 g = e.gap_and_slip(c.from, e.place(system_.pair(q, e.node_A, e.node_B)), h_);
  if (const ContactState* last = state.contact(c.contact)) g.tail<5>() += last->creep;
  return g;
}

Vector6 ContactSet::velocity(const VectorX& v, std::size_t i) const {
  const ContactGeometry& c = points_[i];
  const ContactElement& e = c.element();
  Vector6 u = c.H * system_.local(v, e.node_A, e.node_B);
  u.head<3>() -= e.surface_velocity;
  return u;
}

/// The coupled bound is round in l_t and l_s · μ ℓ / γ.                                        (7c)
double ContactSet::spin_scale(const ContactGeometry& c, double mu) const {
  const ContactLaw& l = law(c);
  if (!l.coupled || !c.element().has_moments || mu == 0) return 1;
  return l.spinning / (mu * c.element().length);
}

double ContactSet::usage(const ContactGeometry& c, double mu, const Vector6& l,
                         const FrictionPart& part) const {
  const ContactLaw& laws = law(c);
  const double length = c.element().length;
  const bool moments = c.element().has_moments;
  const bool coupled = moments && laws.coupled && mu > 0 && part.first < 4;
  const double bound =
      part.first == 1 ? mu : (part.first == 3 ? laws.spinning : laws.rolling) / length;
  if (bound == 0 || (part.first > 1 && !moments) || !(l[0] > 0)) {
    return std::numeric_limits<double>::infinity();
  }
  if (coupled) {
    return std::hypot(l.segment<2>(1).norm() / mu, l[3] * length / laws.spinning) / l[0];
  }
  return l.segment(part.first, part.rows).norm() / (bound * l[0]);
}

double ContactSet::load_of(std::size_t i, const VectorX& joint_impulses, double h) const {
  const JointSlide& slide = *points_[i].element().slide();
  const JointEntry& entry = system_.elements().joints[static_cast<std::size_t>(slide.entry)];
  const JointElement& joint = entry.element;
  VectorX impulse = joint_impulses.segment(entry.first_row, joint.rows());
  if (joint.drive) impulse[joint.rows() - 1] = 0;  // it acts along the way
  const JointReaction reaction = joint_reaction(joint, *end_, impulse);
  return slide.bound(reaction.force, reaction.torque, h);
}

JointLoad ContactSet::joint_load(std::size_t i, const Vector6& force) const {
  const ContactGeometry& c = points_[i];
  const Vector12 acts = c.F.transpose() * force;
  const JointStop* stop = c.element().stop();
  const bool is_reversed = stop != nullptr && stop->is_reversed;
  return {.force = acts.segment<3>(is_reversed ? 0 : 6),
          .moment = acts.segment<3>(is_reversed ? 3 : 9)};
}

void ContactSet::put(std::size_t k, const Vector6& b, bool friction, const Vector6& start,
                     VectorX& l) {
  const ContactGeometry& c = points_[static_cast<std::size_t>(members_[k])];
  const ContactLaw& laws = law(c);
  const auto [mu, scale] = bounds_[k];
  nonsmooth::ContactRows& rows = problem_.contacts[k];
  const bool moments = friction && c.element().has_moments;
  rows.b = b;
  rows.b[3] *= scale;
  rows.mu = friction ? mu : 0;
  rows.is_loaded = c.element().slide() != nullptr;
  rows.load = friction ? c.load : 0;
  rows.coupled = moments && laws.coupled && mu > 0;
  rows.spin = moments ? laws.spinning / c.element().length : 0;
  rows.roll = moments ? laws.rolling / c.element().length : 0;
  const int n = problem_.rows_per_contact();
  auto place = l.segment(n * static_cast<Eigen::Index>(k), n);
  place = start.head(n);
  if (n == 6) place[3] /= scale;
}

Vector6 ContactSet::reaction(std::size_t k, const VectorX& l) const {
  const int n = problem_.rows_per_contact();
  Vector6 result = Vector6::Zero();
  result.head(n) = l.segment(n * static_cast<Eigen::Index>(k), n);
  if (n == 6) result[3] *= bounds_[k].spin_scale;
  return result;
}

void ContactSet::fill_problem(const KktSolver& kkt) {
  problem_.K = &kkt.matrix();
  problem_.factorization = &kkt.factorization();
  problem_.contacts.resize(members_.size());
  problem_.moments = false;
  for (const int i : members_) {
    problem_.moments |= points_[static_cast<std::size_t>(i)].element().has_moments;
  }
  ++stamp_;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const ContactGeometry& c = points_[static_cast<std::size_t>(members_[k])];
    const ContactElement& e = c.element();
    nonsmooth::ContactRows& rows = problem_.contacts[k];
    rows.columns = system_.unknowns_of(e.node_A, e.node_B);
    rows.turned = c.turned;
    const double scale = bounds_[k].spin_scale;
    const auto fill = [&](const ContactElement::Rows& from, nonsmooth::ContactRows::Rows& out) {
      out = from;
      if (scale != 1) out.row(3) *= scale;
      for (std::size_t j = 0; j < rows.columns.size(); ++j) {
        if (rows.columns[j] < 0) out.col(static_cast<Eigen::Index>(j)).setZero();
      }
    };
    fill(c.H, rows.H);
    if (c.turned) fill(c.F, rows.F);
    if (!problem_.local) continue;
    const nonsmooth::ContactRows::Rows& F = rows.directions();
    const Matrix6& inverse_A = inverse_block(kkt, e.node_A);
    const Matrix6& inverse_B = inverse_block(kkt, e.node_B);
    if (problem_.moments) {
      rows.Y.topRows<6>().noalias() = inverse_A * F.leftCols<6>().transpose();
      rows.Y.bottomRows<6>().noalias() = inverse_B * F.rightCols<6>().transpose();
    } else {
      rows.Y.topLeftCorner<6, 3>().noalias() = inverse_A * F.topLeftCorner<3, 6>().transpose();
      rows.Y.bottomLeftCorner<6, 3>().noalias() = inverse_B * F.topRightCorner<3, 6>().transpose();
    }
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
