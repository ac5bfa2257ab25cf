// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/bearing_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "saltus/hertz/rating_life.hpp"

namespace saltus {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// A race that has turned by less does not turn: ratios of speeds mean nothing.
constexpr double smallest_turn = 1e-3;

/// Loads of the rating are means over so much of a turn: impacts spread over it.
constexpr double window = turn / BearingWatch::sectors;

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
  return angle + turn * std::round((last - angle) / turn);
}

double rolling_ratio(const BallBearing& b) {
  return b.inner_radius / (b.inner_radius + b.outer_radius);
}

/// Cage over inner speed; nothing turns: 0.
double ratio(double cage, double inner) { return inner != 0 ? cage / inner : 0; }

hertz::BallBearing rated(const BallBearing& b) {
  return {.balls = b.balls,
          .ball_diameter = 2 * b.ball_radius,
          .pitch_diameter = b.inner_radius + b.outer_radius};
}

/// D/D_pw, up to 0.4 in the standard.
double gamma_of(const BallBearing& b) {
  return 2 * b.ball_radius / (b.inner_radius + b.outer_radius);
}
bool can_be_rated(const BallBearing& b) { return gamma_of(b) <= 0.4; }

std::optional<hertz::ContactStress> stress(const BallBearing& b, bool is_inner, double force) {
  if (!b.young_modulus || b.poisson_ratio < 0 || !(force > 0)) return {};
  const auto& groove = is_inner ? b.inner_groove_radius : b.outer_groove_radius;
  hertz::PrincipalRadii race{is_inner ? b.inner_radius : -b.outer_radius};
  if (groove) race.second = -*groove;
  const hertz::ElasticMaterial steel{*b.young_modulus, b.poisson_ratio};
  return hertz::PointContact(hertz::contact_geometry({b.ball_radius, b.ball_radius}, race),
                             hertz::contact_compliance(steel, steel), b.poisson_ratio)
      .stress(force);
}

}  // namespace

BearingWatch::BearingWatch(const Model& model, const System& system) : system_(system) {
  for (const BallBearing& data : model.ball_bearings) {
    Bearing& b = bearings_.emplace_back();
    b.data = data;
    b.inner = race(model, data.inner, data.name + ".inner");
    b.outer = race(model, data.outer, data.name + ".outer");
    const auto count = static_cast<std::size_t>(data.balls);
    for (std::size_t k = 0; k < count; ++k) {
      b.balls.push_back(node_of(system, data.name + ".ball" + std::to_string(k)));
    }
    b.on_inner.resize(count);
    b.on_outer.resize(count);
  }
}

BearingWatch::Race BearingWatch::race(const Model& model, const Frame& frame,
                                      const std::string& contact) const {
  const ContactPoints& points = system_.elements().contacts;
  Race race;
  race.group = group_of(system_, contact);
  race.first = points.groups[static_cast<std::size_t>(race.group)].first;
  race.node = points.listed[static_cast<std::size_t>(race.first)].element.node_A;
  const RacePose initial = race_pose(model, frame);
  const NodePose& node = system_.given_configuration().nodes[static_cast<std::size_t>(race.node)];
  race.frame = {node.R.transpose() * (initial.centre - node.x), node.R.transpose() * initial.axes};
  return race;
}

/// The split is that of the step before.
void BearingWatch::Touch::take(const std::optional<hertz::ImpulseSplit>& split, double h) {
  if (split && step > 0) peak = std::max(peak, split->continuous / step);
  step = h;
}

void BearingWatch::add_columns(std::vector<Column>& columns) const {
  for (const Bearing& b : bearings_) {
    const std::string& n = b.data.name;
    columns.push_back({n + ".cage_angle", "rad",
                       "mean angle that the balls have gone about the axis since t = 0, relative "
                       "to the outer race"});
    columns.push_back(
        {n + ".cage_speed", "rad/s", "mean speed of that, relative to the outer race"});
    columns.push_back(
        {n + ".inner_speed", "rad/s", "speed of the inner race relative to the outer"});
    columns.push_back({n + ".cage_ratio", "1", "cage_speed over inner_speed"});
    columns.push_back(
        {n + ".cage_slip", "1", "1 − cage_ratio over that of rolling, r_i/(r_i + r_o)"});
    for (std::size_t k = 0; k < b.balls.size(); ++k) {
      const std::string ball = n + ".ball" + std::to_string(k);
      columns.push_back({ball + ".angle", "rad",
                         "of the ball about the outer race's axis, from its x, unwrapped"});
      for (const char* side : {"inner", "outer"}) {
        columns.push_back({ball + ".load_" + side, "N",
                           std::string("normal force on the ") + side +
                               " race, mean since the last row: impulse over time"});
      }
    }
  }
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
  first_time_ = last_time_ = row_time_ = state.time;
  for (Bearing& b : bearings_) {
    b.angles = motion(b, state).angles;
    for (std::size_t k = 0; k < b.angles.size(); ++k) {
      const double given = b.data.first_angle + turn * static_cast<double>(k) / b.data.balls;
      b.angles[k] = unwrapped(b.angles[k], given);
    }
    b.first_mean = mean(b.angles);
    b.friction_loss = state.contact_losses[static_cast<std::size_t>(b.outer.group)].friction;
  }
}

void BearingWatch::accumulate(const State& state) {
  const double h = state.time - last_time_;
  last_time_ = state.time;
  for (Bearing& b : bearings_) {
    take_impulses(b, state, h);
    follow(b, state, h);
    take_friction(b, state);
  }
}

void BearingWatch::take_impulses(Bearing& b, const State& state, double h) const {
  const Matrix3 axes = b.outer.frame.axes(pose(state, b.outer.node));
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    for (const bool is_inner : {true, false}) {
      Touch& touch = (is_inner ? b.on_inner : b.on_outer)[k];
      const ContactIndex index =
          (is_inner ? b.inner : b.outer).first + static_cast<ContactIndex>(k);
      const ContactState* contact = state.contact(index);
      touch.now = contact ? contact->impulse[0] : 0;
      touch.since_row += touch.now;
      touch.total += touch.now;
      touch.take(touch.filter.push({.impulse = touch.now, .step = h}), h);
      if (contact && is_inner) b.window_force -= axes.transpose() * contact->force;
    }
  }
}

void BearingWatch::follow(Bearing& b, const State& state, double h) const {
  const Motion now = motion(b, state);
  for (std::size_t k = 0; k < b.angles.size(); ++k) {
    b.angles[k] = unwrapped(now.angles[k], b.angles[k]);
  }
  const double angle = h * now.inner_speed;
  b.inner_angle += angle;
  b.window_time += h;
  b.window_angle += std::abs(angle);
  if (b.window_angle >= window) close_window(b);
}

/// An entry of the history of loads.
void BearingWatch::close_window(Bearing& b) {
  b.force += b.window_force;
  if (b.window_time > 0 && can_be_rated(b.data)) {
    const Vector3 force = b.window_force / b.window_time;
    const double P = hertz::equivalent_load(force.head<2>().norm(), std::abs(force.z()),
                                            hertz::static_capacity_factor(gamma_of(b.data)),
                                            hertz::basic_static_rating(rated(b.data)))
                         .load;
    b.damage += P * P * P * b.window_angle;
    b.damage_angle += b.window_angle;
  }
  b.window_force.setZero();
  b.window_time = b.window_angle = 0;
}

/// The loss of the step as the energy ledger has it, shared by the balls as their friction times
/// slip at its end.
void BearingWatch::take_friction(Bearing& b, const State& state) const {
  const double loss = state.contact_losses[static_cast<std::size_t>(b.outer.group)].friction;
  const double lost = loss - b.friction_loss;
  b.friction_loss = loss;
  if (lost == 0) return;
  std::vector<double> weights(b.balls.size(), 0.0);
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    const ContactIndex index = b.outer.first + static_cast<ContactIndex>(k);
    const ContactState* contact = state.contact(index);
    if (!contact) continue;
    const ContactElement& e =
        system_.elements().contacts.listed[static_cast<std::size_t>(index)].element;
    const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
    const Vector6 rates = e.jacobian(q) * system_.local(state.velocity, e.node_A, e.node_B);
    weights[k] = contact->impulse.tail<2>().norm() * rates.segment<2>(1).norm();
  }
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0)) {
    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] = b.on_outer[k].now;
  }
  for (std::size_t k = 0; sum > 0 && k < weights.size(); ++k) {
    const double part = b.angles[k] / turn - std::floor(b.angles[k] / turn);
    const auto sector = std::min(static_cast<int>(part * sectors), sectors - 1);
    b.friction_work[static_cast<std::size_t>(sector)] += lost * weights[k] / sum;
  }
}

double* BearingWatch::put(const State& state, double* out) {
  const double time = state.time - row_time_;
  row_time_ = state.time;
  const auto load = [&](Touch& touch) {
    const double force = time > 0 ? touch.since_row / time : 0;
    touch.since_row = 0;
    return force;
  };
  for (Bearing& b : bearings_) {
    const Motion now = motion(b, state);
    const double r = ratio(now.cage_speed, now.inner_speed);
    *out++ = mean(b.angles) - b.first_mean;
    *out++ = now.cage_speed;
    *out++ = now.inner_speed;
    *out++ = r;
    *out++ = now.inner_speed != 0 ? 1 - r / rolling_ratio(b.data) : 0;
    for (std::size_t k = 0; k < b.balls.size(); ++k) {
      *out++ = b.angles[k];
      *out++ = load(b.on_inner[k]);
      *out++ = load(b.on_outer[k]);
    }
  }
  return out;
}

std::vector<BearingTotal> BearingWatch::finish() {
  std::vector<BearingTotal> totals;
  for (Bearing& b : bearings_) {
    close_window(b);
    totals.push_back(total(b));
  }
  return totals;
}

BearingTotal BearingWatch::total(Bearing& b) const {
  const double time = last_time_ - first_time_;
  BearingTotal total{.name = b.data.name, .friction_work = b.friction_work};
  if (!(time > 0)) return total;
  total.inner_speed = b.inner_angle / time;
  total.cage_speed = (mean(b.angles) - b.first_mean) / time;
  const bool turns = std::abs(b.inner_angle) > smallest_turn;
  if (turns) total.cage_ratio = ratio(total.cage_speed, total.inner_speed);
  if (turns) total.cage_slip = 1 - total.cage_ratio / rolling_ratio(b.data);
  const Vector3 force = b.force / time;
  total.radial_force = force.head<2>().norm();
  total.axial_force = std::abs(force.z());
  double peaks[2] = {};
  for (std::size_t k = 0; k < b.balls.size(); ++k) {
    for (Touch* touch : {&b.on_inner[k], &b.on_outer[k]}) touch->take(touch->filter.finish(), 0);
    total.inner.push_back({b.on_inner[k].total / time, b.on_inner[k].peak});
    total.outer.push_back({b.on_outer[k].total / time, b.on_outer[k].peak});
    peaks[0] = std::max(peaks[0], b.on_inner[k].peak);
    peaks[1] = std::max(peaks[1], b.on_outer[k].peak);
  }
  total.inner_stress = stress(b.data, true, peaks[0]);
  total.outer_stress = stress(b.data, false, peaks[1]);
  if (b.damage_angle > 0 && b.damage > 0 && turns) {
    BearingLife& life = total.life.emplace();
    life.dynamic_rating = hertz::basic_dynamic_rating(rated(b.data));
    life.static_rating = hertz::basic_static_rating(rated(b.data));
    life.equivalent_load = std::cbrt(b.damage / b.damage_angle);
    life.million_revolutions = hertz::basic_rating_life(life.dynamic_rating, life.equivalent_load);
    life.hours =
        hertz::life_hours(life.million_revolutions, std::abs(total.inner_speed) * 60 / turn);
  }
  return total;
}

}  // namespace saltus
