// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/bearing_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "saltus/simulation/local_contact.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

/// A race that has turned by less does not turn: ratios of speeds mean nothing.
constexpr double smallest_turn = 1e-3;

/// An equivalent load below this share of what the balls bear together is not what loads them.
constexpr double smallest_share = 0.01;

/// Loads that differ by less stand still in the axes of both races, or turn in both.
constexpr double same_load = 1e-3;

/// Of the time at which counting begins: what sums of steps may be off.
constexpr double rounding = 1e-9;

int node_of(const System& system, const std::string& body) {
  const std::vector<BodyEntry>& bodies = system.elements().bodies;
  const auto found =
      std::ranges::find_if(bodies, [&](const BodyEntry& entry) { return entry.name == body; });
  return found->node;
}

int group_of(const System& system, const std::string& contact) {
  const std::vector<ContactGroup>& groups = system.elements().contacts.groups;
  const auto found = std::ranges::find_if(
      groups, [&](const ContactGroup& group) { return group.name == contact; });
  return static_cast<int>(found - groups.begin());
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The angle on the branch nearest to the last one.
double unwrapped(double angle, double last) {
  return angle + full_turn * std::round((last - angle) / full_turn);
}

double rolling_ratio(const BallBearing& b) {
  return b.inner_radius / (b.inner_radius + b.outer_radius);
}

/// Cage over inner speed; nothing turns: 0.
double ratio(double cage, double inner) { return inner != 0 ? cage / inner : 0; }

}  // namespace

BearingWatch::BearingWatch(const CheckedModel& model, const System& system) : system_(system) {
  const Model& given = model.given();
  for (const BallBearing& data : given.ball_bearings) {
    const Race inner = race(given, data.inner, data.name + ".inner");
    const Race outer = race(given, data.outer, data.name + ".outer");
    Bearing& b = bearings_.emplace_back(Bearing{.data = data,
                                                .inner = inner,
                                                .outer = outer,
                                                .friction = {system, outer.group},
                                                .loads = BearingLoads(data)});
    const auto count = static_cast<std::size_t>(data.balls);
    for (std::size_t k = 0; k < count; ++k) {
      b.balls.push_back(node_of(system, data.name + ".ball" + std::to_string(k)));
    }
    b.on_inner.resize(count);
    b.on_outer.resize(count);
    b.angles.resize(count);
  }
}

BearingWatch::Race BearingWatch::race(const Model& model, const Frame& frame,
                                      const std::string& contact) const {
  const ContactPoints& points = system_.elements().contacts;
  Race race;
  race.group = group_of(system_, contact);
  race.first = points.groups[static_cast<std::size_t>(race.group)].first;
  race.node = points.listed[static_cast<std::size_t>(race.first)].element.node_A;
  const ContactIndex end = race.first + points.groups[static_cast<std::size_t>(race.group)].count;
  for (const CompliantContact& e : system_.elements().compliant) {
    if (e.listed >= race.first && e.listed < end) race.contacts.push_back(e.memory);
  }
  const RacePose initial = race_pose(model, frame);
  const NodePose& node = system_.given_configuration().nodes[static_cast<std::size_t>(race.node)];
  race.frame = {node.R.transpose() * (initial.centre - system_.origin() - node.x),
                node.R.transpose() * initial.axes};
  return race;
}

/// The split is that of the step before.
void BearingWatch::Touch::take(const std::optional<hertz::ImpulseSplit>& split, double h) {
  const double force = split && step > 0 ? split->continuous / step : 0;
  if (force > peak) {
    peak = force;
    peak_cosine = cosine;
  }
  step = h;
}

/// Of a compliant contact.
void BearingWatch::Touch::take(double force) {
  if (force <= peak) return;
  peak = force;
  peak_cosine = cosine;
}

const ContactMemory& BearingWatch::memory(const Race& race, std::size_t ball,
                                          const State& state) const {
  return state.configuration.contacts[static_cast<std::size_t>(race.contacts[ball])];
}

const NodePose& BearingWatch::pose(const State& state, int node) const {
  return state.configuration.nodes[static_cast<std::size_t>(node)];
}

/// Of a node and its rotation, inertial components.
std::pair<Vector3, Vector3> BearingWatch::velocity(const State& state, int node) const {
  const Vector12 v = system_.local(state.velocity, node, node);
  return {v.head<3>(), pose(state, node).R * v.segment<3>(3)};
}

BearingWatch::Motion BearingWatch::motion(const Bearing& b, const State& state) const {
  const NodePose& node = pose(state, b.outer.node);
  const Vector3 centre = b.outer.frame.point(node);
  const Matrix3 axes = b.outer.frame.axes(node);
  const auto [v_node, omega] = velocity(state, b.outer.node);
  const Vector3 z = axes.col(2);
  Motion motion;
  motion.inner_speed = z.dot(velocity(state, b.inner.node).second - omega);
  for (const int ball : b.balls) {
    const Vector3& x = pose(state, ball).x;
    const Vector3 r = axes.transpose() * (x - centre);
    const Vector3 v = velocity(state, ball).first - v_node - omega.cross(x - node.x);
    const Vector3 v_r = axes.transpose() * v;
    motion.angles.push_back(std::atan2(r.y(), r.x()));
    motion.cage_speed += (r.x() * v_r.y() - r.y() * v_r.x()) / r.head<2>().squaredNorm() /
                         static_cast<double>(b.balls.size());
  }
  return motion;
}

void BearingWatch::start(const State& state) {
  last_time_ = row_time_ = state.time;
  for (Bearing& b : bearings_) {
    b.angles = motion(b, state).angles;
    for (std::size_t k = 0; k < b.angles.size(); ++k) {
      const double given = b.data.first_angle + full_turn * static_cast<double>(k) / b.data.balls;
      b.angles[k] = unwrapped(b.angles[k], given);
    }
    b.first_mean = mean(b.angles);
    b.friction.start(state);
  }
}

/// Forgets what was before.
void BearingWatch::begin_to_count(Bearing& b) const {
  b.counts = true;
  b.from = last_time_;
  b.from_mean = mean(b.angles);
  b.inner_angle = 0;
  b.loads = BearingLoads(b.data);
  b.inner_means = b.outer_means = {};
  b.seen_from_inner.setZero();
  for (std::vector<Touch>* touches : {&b.on_inner, &b.on_outer}) {
    for (Touch& touch : *touches) touch.total = touch.peak = touch.step = 0;
  }
}

void BearingWatch::step(const State& state, const StepReport& /*step*/, RunOutput& /*output*/) {
  const double h = state.time - last_time_;
  for (Bearing& b : bearings_) {
    if (!b.counts && last_time_ >= b.data.settle_time * (1 - rounding)) begin_to_count(b);
    const Vector3 impulse = take_impulses(b, state, h);
    const double angle = follow(b, state, h);
    b.loads.add(impulse, h, angle);
    if (b.data.is_compliant()) look_at_forces(b, state, std::abs(angle));
    const Matrix3 outer = b.outer.frame.axes(pose(state, b.outer.node));
    const Matrix3 inner = b.inner.frame.axes(pose(state, b.inner.node));
    b.seen_from_inner += inner.transpose() * (outer * impulse);
    b.friction.accumulate(state, [&](std::size_t k) { return b.angles[k]; });
  }
  last_time_ = state.time;
}

/// Returns what the inner race gets, in the axes of the outer one.
Vector3 BearingWatch::take_impulses(Bearing& b, const State& state, double h) const {
  const Matrix3 axes = b.outer.frame.axes(pose(state, b.outer.node));
  Vector3 on_inner = Vector3::Zero();
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    for (const bool is_inner : {true, false}) {
      Touch& touch = (is_inner ? b.on_inner : b.on_outer)[k];
      const ContactIndex index =
          (is_inner ? b.inner : b.outer).first + static_cast<ContactIndex>(k);
      const ContactState* contact = state.contact(index);
      touch.now = contact ? contact->impulse[0] : 0;
      touch.since_row += touch.now;
      touch.total += touch.now;
      if (!b.data.is_compliant()) {
        touch.take(touch.filter.push({.impulse = touch.now, .step = h}), h);
      }
      if (!contact) continue;
      const ContactElement& e =
          system_.elements().contacts.listed[static_cast<std::size_t>(index)].element;
      touch.cosine = e.groove_cosine(system_.pair(state.configuration, e.node_A, e.node_B));
      if (is_inner) on_inner -= axes.transpose() * contact->force;
    }
  }
  return on_inner;
}

/// Forces of the moment: peaks, and what wears.
/// @param angle  turned in the step, rad
void BearingWatch::look_at_forces(Bearing& b, const State& state, double angle) const {
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    const double inner = memory(b.inner, k, state).normal_force;
    const double outer = memory(b.outer, k, state).normal_force;
    b.on_inner[k].take(inner);
    b.on_outer[k].take(outer);
    b.inner_means.add(inner, angle);
    b.outer_means.add(outer, angle);
  }
}

/// Of the line through a ball from the inner to the outer race, in the axes of this one.
double BearingWatch::contact_angle(const Race& race, std::size_t ball, bool is_inner,
                                   const State& state) const {
  const auto contact = static_cast<std::size_t>(race.contacts[ball]);
  const ContactElement& e = system_.elements().compliant[contact].contact;
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const Matrix3 axes = race.frame.axes(q.A);
  const Vector3 r = axes.transpose() * (q.B.x - race.frame.point(q.A));
  const Vector3 n = (is_inner ? 1 : -1) * (axes.transpose() * e.axes(q).col(0));
  return std::atan2(n.z(), n.head<2>().dot(r.head<2>().normalized()));
}

/// Returns by how much the inner race turned.
double BearingWatch::follow(Bearing& b, const State& state, double h) const {
  const Motion now = motion(b, state);
  for (std::size_t k = 0; k < b.angles.size(); ++k) {
    b.angles[k] = unwrapped(now.angles[k], b.angles[k]);
  }
  const double angle = h * now.inner_speed;
  b.inner_angle += angle;
  return angle;
}

void BearingWatch::row(const State& state, Row& row) {
  const double time = state.time - row_time_;
  row_time_ = state.time;
  const auto load = [&](Touch& touch) {
    const double force = time > 0 ? touch.since_row / time : 0;
    touch.since_row = 0;
    return force;
  };
  for (Bearing& b : bearings_) {
    const OwnerView owner{OwnerKind::Bearings, b.data.name};
    const Motion now = motion(b, state);
    const double r = ratio(now.cage_speed, now.inner_speed);
    row.put(owner, quantities::cage_angle, mean(b.angles) - b.first_mean);
    row.put(owner, quantities::cage_speed, now.cage_speed);
    row.put(owner, quantities::inner_speed, now.inner_speed);
    row.put(owner, quantities::cage_ratio, r);
    row.put(owner, quantities::cage_slip, now.inner_speed != 0 ? 1 - r / rolling_ratio(b.data) : 0);
    for (std::size_t k = 0; k < b.balls.size(); ++k) {
      const OwnerView ball{OwnerKind::Balls, b.data.name, static_cast<int>(k)};
      row.put(ball, quantities::ball_angle, b.angles[k]);
      const double on_inner = load(b.on_inner[k]), on_outer = load(b.on_outer[k]);
      if (!b.data.is_compliant()) {
        row.put(ball, quantities::inner_load, on_inner);
        row.put(ball, quantities::outer_load, on_outer);
        continue;
      }
      row.put(ball, quantities::inner_load, memory(b.inner, k, state).normal_force);
      row.put(ball, quantities::outer_load, memory(b.outer, k, state).normal_force);
      row.put(ball, quantities::inner_angle, contact_angle(b.inner, k, true, state));
      row.put(ball, quantities::outer_angle, contact_angle(b.outer, k, false, state));
    }
  }
}

void BearingWatch::finish(const State& /*state*/, RunOutput& output) const {
  output.report().bearings = totals();
}

/// In an equilibrium loads are what they are, and the inner ring is thought to turn.
BearingTotal BearingWatch::at_rest(const Bearing& b, const State& state) const {
  BearingTotal total{.name = b.data.name};
  const Matrix3 axes = b.outer.frame.axes(pose(state, b.outer.node));
  Vector3 force = Vector3::Zero();
  Bearing copy = b;
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    force -= axes.transpose() * memory(b.inner, k, state).force;
    for (const bool is_inner : {true, false}) {
      Touch& touch = (is_inner ? copy.on_inner : copy.on_outer)[k];
      const Race& race = is_inner ? b.inner : b.outer;
      const auto contact = static_cast<std::size_t>(race.contacts[k]);
      const ContactElement& e = system_.elements().compliant[contact].contact;
      touch.cosine = e.groove_cosine(system_.pair(state.configuration, e.node_A, e.node_B));
      touch.total = memory(race, k, state).normal_force;
      touch.take(touch.total);
    }
  }
  look_at_forces(copy, state, 1);
  total.radial_force = force.head<2>().norm();
  total.axial_force = std::abs(force.z());
  put_loads(copy, 1, total);
  put_reference_life(copy, total);
  total.at_rest.emplace();
  const Vector5 u = race_displacement(system_, state, b.inner, b.outer);
  const Matrix5 K = bearing_stiffness(system_, state, b.inner, b.outer);
  for (std::size_t i = 0; i < 5; ++i) {
    total.at_rest->displacement[i] = u[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < 5; ++j) {
      total.at_rest->stiffness[i][j] =
          K(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  return total;
}

void BearingWatch::equilibrium(const State& state, RunOutput& output) const {
  output.report().bearings.clear();
  for (const Bearing& b : bearings_) output.report().bearings.push_back(at_rest(b, state));
}

void BearingWatch::archive(Archive& memory) {
  for (Bearing& b : bearings_) memory(b);
  memory(last_time_, row_time_);
}

/// Windows and filters are closed in a copy: the run may go on.
std::vector<BearingTotal> BearingWatch::totals() const {
  std::vector<BearingTotal> totals;
  for (Bearing b : bearings_) {
    b.loads.finish();
    totals.push_back(total(b));
  }
  return totals;
}

BearingTotal BearingWatch::total(Bearing& b) const {
  BearingTotal total{.name = b.data.name, .from = b.from, .friction_work = b.friction.work()};
  const double time = b.counts ? last_time_ - b.from : 0;
  if (!(time > 0)) return total;
  total.inner_speed = b.inner_angle / time;
  total.cage_speed = (mean(b.angles) - b.from_mean) / time;
  const Vector3 force = b.loads.impulse() / time;
  total.radial_force = force.head<2>().norm();
  total.axial_force = std::abs(force.z());
  put_loads(b, time, total);
  total.no_life = why_unrated(b.data);
  if (std::abs(b.inner_angle) > smallest_turn) {
    total.cage_ratio = ratio(total.cage_speed, total.inner_speed);
    total.cage_slip = 1 - total.cage_ratio / rolling_ratio(b.data);
    total.life = b.loads.life(total.inner_speed);
    // The standard knows forces only: of a moment, which balls bear without one, it says nothing.
    double borne = 0;
    for (const BallLoad& load : total.inner) borne += load.mean;
    if (total.life && total.life->equivalent_load < smallest_share * borne) total.life.reset();
    put_reference_life(b, total);
    if (total.reference_life) {
      const double turns = std::abs(total.inner_speed) * 60 / full_turn;
      total.reference_life->hours =
          hertz::life_hours(total.reference_life->million_revolutions, turns);
    }
  }
  return total;
}

/// Of balls that bear something, if the bearing is rated.
void BearingWatch::put_reference_life(const Bearing& b, BearingTotal& total) const {
  total.no_life = why_unrated(b.data);
  if (!b.data.is_compliant() || !total.no_life.empty()) return;
  if (!(b.inner_means.cube > 0 && b.outer_means.cube > 0)) return;
  const bool turns_with_inner =
      b.seen_from_inner.norm() > b.loads.impulse().norm() * (1 + same_load);
  total.reference_life = reference_life(b.data, b.inner_means, b.outer_means, turns_with_inner);
}

/// Ball by ball, and the stresses at the largest peaks.
void BearingWatch::put_loads(Bearing& b, double time, BearingTotal& total) const {
  for (const bool is_inner : {true, false}) {
    const Touch* largest = nullptr;
    for (Touch& touch : is_inner ? b.on_inner : b.on_outer) {
      touch.take(touch.filter.finish(), 0);
      (is_inner ? total.inner : total.outer).push_back({touch.total / time, touch.peak});
      if (!largest || touch.peak > largest->peak) largest = &touch;
    }
    (is_inner ? total.inner_stress : total.outer_stress) =
        race_stress(b.data, is_inner, largest->peak, largest->peak_cosine);
  }
}

}  // namespace saltus
