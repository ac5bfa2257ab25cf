// SPDX-License-Identifier: Apache-2.0
// Spheres that slide, roll and spin, and collide with each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::at;
using measures::contacts_hold;
using measures::impact_time;
using measures::largest;
using measures::last;
using std::numbers::pi;

constexpr double g = 9.8;
constexpr const char* late = "noticed at the end of the step, after forecasts of a step";
constexpr const char* balance = "impulses balance in each step";

Reference no_penetration() {
  return {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, [](const RecordedRun& run) {
            return run.report().max_penetration;
          }};
}

/// The time from which the column is zero.
Measure rests(const std::string& column) {
  return [=](const RecordedRun& run) {
    std::size_t row = run.rows();
    while (row > 0 && std::abs(run.value(column, row - 1)) <= 1e-10) --row;
    return row < run.rows() ? run.times()[row] : std::nan("");
  };
}

/// The first event of this kind at this contact after a time.
Measure first_event(const std::string& kind, const std::string& contact, double after = 0) {
  return [=](const RecordedRun& run) {
    for (const EventRow& event : run.events()) {
      if (event.kind == kind && event.contact == contact && event.time > after) return event.time;
    }
    return std::nan("");
  };
}

Measure length_at_end(const std::string& name) {
  return [=](const RecordedRun& run) { return run.vector(name, run.rows() - 1).norm(); };
}

// ---- a sphere on the floor
// -----------------------------------------------------------------------

constexpr double m = 1309, J = 131, r = 0.5;  // of a stone sphere
constexpr double k = J / (m * r * r);         // 2/5, nearly
constexpr double h = 1e-3;

/// Slip falls by μ g (1 + 1/k) each second.
ReferenceCase sphere_sliding() {
  const double mu = 0.25, v_0 = 1.5 * std::numbers::sqrt2;
  const double t = v_0 / (mu * g * (1 + 1 / k)), v = v_0 - mu * g * t;
  const double way = v_0 * t - mu * g * t * t / 2 + v * (1 - t);
  const auto moved = [](const RecordedRun& run) {
    return (run.vector("ball.position", run.rows() - 1) - run.vector("ball.position", 0)).norm();
  };
  return {"sphere_sliding",
          {},
          {{"slip ends", "s", Exact, t, 2 * h, late, first_event("sticks", "touch")},
           {"angular speed", "rad/s", Exact, v / r, 1e-9, balance,
            length_at_end("ball.angular_velocity")},
           {"way in 1 s", "m", Exact, way, mu * g * h * h, "the step in which slip ends, mu g h^2",
            moved},
           no_penetration()}};
}

/// A moment of c m g stops a turn of w.
ReferenceCase sphere_turning(const char* example, const std::string& axis, double w, double c) {
  const double a = c * m * g / J;
  return {example,
          {},
          {{"turns until", "s", Exact, w / a, 2 * h, late, rests("ball.angular_velocity." + axis)},
           {"angle", "rad", Exact, w * w / (2 * a), a * h * h, "the step in which it stops, a h^2",
            last("ball.rotation." + axis)},
           no_penetration()}};
}

/// It rolls, braked by ρ g / (r (1 + k)).
ReferenceCase sphere_roll_slide_1() {
  const double v = 2.5, a = 0.04 * g / (r * (1 + k));
  return {"sphere_roll_slide_1",
          {},
          {{"stops", "s", Exact, v / a, 2 * h, late, rests("ball.velocity.x")},
           {"way", "m", Exact, v * v / (2 * a), a * h * h, "the step in which it stops, a h^2",
            last("ball.position.x")},
           {"largest slip", "m/s", Exact, 0, 1e-9, "rolls from the start",
            largest([](auto& run, auto i) { return run.value("touch.slip.t1", i); })},
           no_penetration()}};
}

/// It slips with 1.25 m/s at first.
ReferenceCase sphere_roll_slide_2() {
  const double mu = 0.2, rho = 0.04;
  const double turning = (mu * r - rho) * g / (k * r * r), t = 1.25 / (mu * g + r * turning);
  const double w = 2.5 + turning * t, rolling = rho * g / (r * (1 + k));
  const auto spin = [](const RecordedRun& run, std::size_t i) {
    return run.value("ball.angular_velocity.z", i);
  };
  return {"sphere_roll_slide_2",
          {},
          {{"slip ends", "s", Exact, t, 2 * h, late, first_event("sticks", "touch")},
           {"largest spin", "rad/s", Exact, w, turning * h, "a step of its growth", largest(spin)},
           {"stops", "s", Exact, t + w * r / rolling, 2 * h, late, rests("ball.velocity.x")},
           no_penetration()}};
}

/// Friction is too small for rolling, rolling resistance too large for friction.
ReferenceCase sphere_roll_slide_3() {
  const double mu = 0.05, rho = 0.04, t = 5 / ((rho - mu * r) * g / (k * r * r));
  const auto speed = [](const RecordedRun& run) {
    return run.at("ball.velocity.x", rests("ball.angular_velocity.z")(run));
  };
  return {"sphere_roll_slide_3",
          {},
          {{"rotation stops", "s", Exact, t, 2 * h, late, rests("ball.angular_velocity.z")},
           {"speed then", "m/s", Exact, 2.5 - mu * g * t, 2 * mu * g * h, "two steps of friction",
            speed},
           {"stops", "s", Exact, 2.5 / (mu * g), 2 * h, late, rests("ball.velocity.x")},
           no_penetration()}};
}

ReferenceCase sphere_wall() {
  const char* const published = "published with three digits by another program with this step";
  return {
      "sphere_wall",
      {},
      {{"time of impact", "s", Sanchez, 0.411, 4e-3, published, first_event("impact", "bounce")},
       {"rolls from", "s", Sanchez, 0.685, 4e-3, published, first_event("sticks", "touch", 0.42)},
       {"rests from", "s", Sanchez, 2.266, 4e-3, published, rests("ball.velocity.z")},
       {"spin, frictionless wall", "", Exact, 0, 1e-9, "no moment about the vertical",
        largest([](auto& run, auto i) { return run.value("ball.angular_velocity.y", i); })},
       no_penetration()}};
}

/// Moved by its spin, the ball is a pendulum of length 7/5 (R − r).
ReferenceCase sphere_in_bowl() {
  const double a = 0.1, w = std::sqrt(9.81 / (1.4 * 0.9));
  const double period = 2 * pi / w * (1 + a * a / 16 + 11 * std::pow(a, 4) / 3072);
  const auto x = [](const RecordedRun& run, std::size_t i) {
    return run.value("ball.position.x", i);
  };
  return {"sphere_in_bowl",
          {},
          {{"period", "s", Exact, period, period * w * w * h * h / 2, "second order: T (w h)^2/2",
            [=](const RecordedRun& run) { return measures::time_of_sign_changes(8, x)(run) / 4; }},
           {"largest kinetic energy", "J", Exact, 9.81 * 0.9 * (1 - std::cos(a)), 1e-6,
            "m g (R - r)(1 - cos a); rows half a step off the bottom, and (w h)^2",
            largest([](auto& run, auto i) { return run.value("energy.kinetic", i); })},
           no_penetration()}};
}

// ---- two spheres
// ---------------------------------------------------------------------------------

/// The torque k t turns both, up to f = μ m g; then the upper one gets μ m g r, the lower the rest.
ReferenceCase driven_spheres() {
  const double c = 20, inertia = 0.4, t = 2 * g * 0.3 / c;
  const double w_a = c * t / (2 * inertia) * (1 - t / 2);
  const double w_b = -c / (4 * inertia) * (t * t + 2 * (1 - t));
  const double mean = c * t / (4 * inertia) * (1 - t), limit = c * t * t * t / (12 * inertia);
  const double a = mean + limit, b = mean + c / (6 * inertia) * (t * t * t / 2 - 1);
  const double off = c / inertia * h * h;
  const char* const begin = "the step in which slip begins: c h^2/J";
  return {"driven_spheres",
          {},
          {{"slip begins", "s", Exact, t, 2 * h, late, first_event("slips", "touch")},
           {"friction at 1 s", "N", Exact, 0.3 * g, 1e-9, balance,
            [](const RecordedRun& run) { return std::abs(run.last("touch.impulse.x")) / h; }},
           {"upper, w", "rad/s", Exact, w_a, off, begin, last("upper.angular_velocity.z")},
           {"lower, w", "rad/s", Exact, w_b, off, begin, last("lower.angular_velocity.z")},
           {"upper, angle", "rad", Exact, a, off, begin, last("upper.rotation.z")},
           {"lower, angle", "rad", Exact, b, off, begin, last("lower.rotation.z")},
           no_penetration()}};
}

constexpr double ball = 0.028575;  // radius

/// The cue ball's direction after it hit a share f of the other ball and rolls again.
ReferenceCase cue_ball_collision(double f) {
  const double a = std::asin(1 - f), s = std::sin(a), c = std::cos(a);
  const double angle = std::atan2(s * c, s * s + 0.4) * 180 / pi;
  // The hit takes v cos a along the normal; then friction ends that slip, in 2/7 of v cos a/(mu g).
  const double v = 1.8, speed = v / 1.4 * std::hypot(s * c, s * s + 0.4);
  const double rolls = 0.1 / v + 2 * v * c / (7 * 0.2 * g);
  const auto direction = [](const RecordedRun& run) {
    return std::atan2(run.last("cue_ball.velocity.y"), run.last("cue_ball.velocity.x")) * 180 / pi;
  };
  ReferenceCase item = {
      "cue_ball_collision",
      {fmt::format("/model/bodies/object_ball/pose/position=[{},{},{}]", 2 * ball * c,
                   -2 * ball * s, ball)},
      {{fmt::format("hit {}: speed", f), "m/s", Exact, speed, 2e-3 * v,
        "a step late: the normal turns by v sin a h/(2 r)",
        [](const RecordedRun& run) {
          return run.vector("cue_ball.velocity", run.rows() - 1).norm();
        }},
       {fmt::format("hit {}: cloth carries", f), "N", Exact, 0.17 * g, 1e-9, "the cue ball",
        [](const RecordedRun& run) { return run.at("cue_cloth.impulse.n", 0.02) / 1e-3; }},
       {fmt::format("hit {}: angle", f), "deg", Exact, angle, 0.1,
        "a step late: the normal turns by v sin a h/(2 r)", direction},
       {fmt::format("hit {}: penetration", f), "m", Exact, 0, 1e-9, contacts_hold,
        [](const RecordedRun& run) { return run.report().max_penetration; }}}};
  if (c > 1e-9) {
    item.references.push_back({fmt::format("hit {}: rolls again", f), "s", Exact, rolls, 5e-4,
                               "a step late, after forecasts of a step; the normal is turned",
                               first_event("sticks", "cue_cloth", 0.1 / v)});
  }
  return item;
}

/// Throw of the object ball: friction over normal impulse, at most that which ends the slip.
ReferenceCase throw_angle(double degrees, double roll, double ratio) {
  const double v = 1.341, a = degrees * pi / 180, w_roll = 46.929;
  const double across = v * std::sin(a) - ratio * v, down = ball * roll * w_roll * std::cos(a);
  const double slip = std::hypot(across, down), mu = 9.951e-3 + 0.108 * std::exp(-1.088 * slip);
  const double share = slip > 0 ? std::min(mu * v * std::cos(a) / slip, 1.0 / 7) : 0;
  const double angle = std::atan(share * across / (v * std::cos(a))) * 180 / pi;
  const auto thrown = [=](const RecordedRun& run) {
    const Vector3 u = run.vector("object_ball.velocity", run.rows() - 1);
    return (a - std::atan2(u.y(), u.x())) * 180 / pi;
  };
  return {"throw_angle",
          {fmt::format("/model/bodies/object_ball/pose/position=[{},{},{}]", 2 * ball * std::cos(a),
                       2 * ball * std::sin(a), ball),
           fmt::format("/model/bodies/cue_ball/velocity/angular=[0,{},{}]", roll * w_roll,
                       ratio * v / ball)},
          {{fmt::format("{} deg, {}, {}: throw", degrees, roll, ratio), "", Exact, angle, 0.05,
            "a step late: the normal turns by v sin a h/(2 r)", thrown}}};
}

// ---- several spheres at once
// ---------------------------------------------------------------------

ReferenceCase three_in_a_row(const char* example, double gap, double v, double mass,
                             const char* floor) {
  return {
      example,
      {},
      {{"time of impact", "s", Exact, gap / v, h, "noticed at the end of the step", impact_time(0)},
       {"ball 1, v", "m/s", Exact, 0, 1e-9, "equal masses exchange velocities",
        last("ball_1.velocity.x")},
       {"ball 2, v", "m/s", Exact, 0, 1e-9, "the same", last("ball_2.velocity.x")},
       {"ball 3, v", "m/s", Exact, v, 1e-9, "the same", last("ball_3.velocity.x")},
       {"floor carries ball 1", "N", Exact, mass * g, 1e-9, "its weight, while it slides",
        [=](const RecordedRun& run) { return run.at(floor, 0.1) / h; }},
       no_penetration()}};
}

/// After the impact of three_balls_frictional with a step of 1e-4, by another scheme.
std::vector<Reference> after_the_impact() {
  const double gh = 9.8e-4;
  const char* const step = "gravity takes up to g h of a jump";
  return {{"carried at 0.349 s", "N", Exact, 3 * 0.185 * g, 1e-6,
           "three weights; no ball bounces after its landing",
           [](const RecordedRun& run) { return run.at("table.impulse.y", 0.349) / h; }},
          {"ball 1, v_x after", "m/s", Derived, -0.0088, 0.05 * 0.0088, "5 %"},
          {"ball 1, v_y after", "m/s", Derived, 0.0862, gh, step},
          {"ball 2, v_x after", "m/s", Derived, -0.0050, gh, step},
          {"ball 3, v_x after", "m/s", Derived, 1.4355, gh, step},
          {"ball 3, v_y after", "m/s", Derived, 0.0251, gh, step},
          {"jump of ball 1", "mm", Derived, 0.38, 0.01, "last digit"}};
}

/// The first ball slides over a floor with friction μ, then rolls, then hits the others.
ReferenceCase three_with_friction(const char* example, double gap, double v_0, double mu,
                                  double k_3, const std::string& floor,
                                  const std::vector<Reference>& more = {}) {
  const double t = v_0 / (mu * g * (1 + 1 / k_3)), v = v_0 - mu * g * t;
  const double impact = t + (gap - v_0 * t + mu * g * t * t / 2) / v;
  ReferenceCase balls = {example,
                         {},
                         {{"rolls from", "s", Exact, t, 2 * h, late, first_event("sticks", floor)},
                          {"impact", "s", Exact, impact, h, "noticed at the end of the step",
                           first_event("impact", "hit_1_2")},
                          no_penetration()}};
  balls.references.insert(balls.references.end(), more.begin(), more.end());
  return balls;
}

/// The last ball leaves with the velocity with which the first arrives.
ReferenceCase newtons_cradle() {
  const double height = 0.3 * (1 - std::cos(pi / 6)), v = std::sqrt(2 * 9.81 * height);
  const auto after = [](const char* column) {
    return [=](const RecordedRun& run) { return run.at(column, run.impact_time(0)); };
  };
  const double turned = v * std::pow(v * h / 0.3, 2);
  const char* const arc = "a step late: v (v h/l)^2";
  return {"newtons_cradle",
          {},
          {{"ball 5 after impact", "m/s", Exact, v, turned, arc, after("ball_5.velocity.x")},
           {"ball 1 after impact", "m/s", Exact, 0, turned, arc, after("ball_1.velocity.x")},
           {"lost in impacts", "J", Exact, 0, 1e-6, "restitution 1", last("energy.impact_loss")},
           {"kinetic energy after it", "J", Exact, 0.1 * 9.81 * height, 0.2 * v * turned, arc,
            after("energy.kinetic")},
           no_penetration()}};
}

ReferenceCase roller_crank_rigid() {
  const auto kink = [](const RecordedRun& run) {
    double worst = 0;
    const auto w = [&](std::size_t i) { return run.value("roller.angular_velocity.z", i); };
    for (std::size_t i = 6; run.value("rolling.status", i) == 2; ++i) {
      worst = std::max(worst, std::abs(w(i) - 3 * w(i - 1) + 3 * w(i - 2) - w(i - 3)) / h);
    }
    return worst;
  };
  return {"roller_crank_rigid",
          {},
          {{"kinks of w'", "rad/s^2", Exact, 0, 1.2e-3,
            "1 % of its change in a step: no oscillation", kink},
           no_penetration()}};
}

ReferenceCase bernoulli_balls() {
  const double tan_2 = 1.0 / 3, v = 2 / (3 + tan_2);
  const char* const exact = "one impact, with the normals of the touch";
  return {
      "bernoulli_balls",
      {},
      {{"ball 2, v_x", "m/s", Exact, 1 - 2 * v, 1e-9, exact, last("ball_2.velocity.x")},
       {"ball 1, v_x", "m/s", Exact, v, 1e-9, exact, last("ball_1.velocity.x")},
       {"ball 1, v_y", "m/s", Exact, v * std::sqrt(tan_2), 1e-9, exact, last("ball_1.velocity.y")},
       {"ball 3, v_y", "m/s", Exact, -v * std::sqrt(tan_2), 1e-9, exact, last("ball_3.velocity.y")},
       {"floor carries ball 1", "N", Exact, g, 1e-9, "its weight",
        [](const RecordedRun& run) {
          return run.at("floor.plane.skin_1.0.impulse.n", 0.05) / 0.01;
        }},
       no_penetration()}};
}

constexpr double break_time = 0.114236;  // s

/// Just after the break. The jump is not that of its own velocity, v_z.
ReferenceCase billiard_break() {
  const auto row = [](const char* name, double value, const char* column) {
    return Reference{name,
                     "m/s",
                     Derived,
                     value,
                     0.05 * std::abs(value),
                     "of another scheme's program: 5 %",
                     [=](const RecordedRun& run) {
                       return run.at(column, first_event("impact", "balls.skin_2.skin_3.0")(run));
                     }};
  };
  return {"billiard_break",
          {"/simulation/end_time=0.2"},
          {{"break", "s", Derived, break_time, h, "noticed at the end of the step",
            first_event("impact", "balls.skin_2.skin_3.0")},
           row("ball 2, v_x", -1.454, "ball_2.velocity.x"),
           row("ball 2, v_z", 0.113, "ball_2.velocity.z"),
           row("ball 3, v_x", 0.285, "ball_3.velocity.x"),
           row("ball 4, v_x", 5.820, "ball_4.velocity.x"),
           row("ball 4, v_y", 3.608, "ball_4.velocity.y"),
           row("ball 5, v_x", 5.820, "ball_5.velocity.x"),
           row("ball 5, v_y", -3.608, "ball_5.velocity.y"),
           {"jump of the cue ball", "mm", Derived, 1.53, 0.05 * 1.53,
            "of another scheme's program: 5 %"},
           no_penetration()}};
}

ReferenceCase billiard_break_rolling() {
  const auto speed = [](const RecordedRun& run) {
    double sum = 0;
    for (const char* name :
         {"ball_2.velocity", "ball_3.velocity", "ball_4.velocity", "ball_5.velocity"}) {
      sum += run.vector(name, run.rows() - 1).norm();
    }
    return sum;
  };
  return {"billiard_break_rolling",
          {},
          {{"break", "s", Derived, break_time, h, "noticed at the end of the step",
            first_event("impact", "balls.skin_2.skin_3.0")},
           {"speeds at 3 s", "m/s", Exact, 0, 1e-9, "all balls rest", speed},
           no_penetration()}};
}

}  // namespace

std::vector<ReferenceCase> sphere_references() {
  std::vector<ReferenceCase> all = {
      sphere_sliding(),
      sphere_turning("sphere_rolling", "x", 0.4, 0.01),
      sphere_turning("sphere_spinning", "y", 1, 0.0167),
      sphere_roll_slide_1(),
      sphere_roll_slide_2(),
      sphere_roll_slide_3(),
      sphere_wall(),
      sphere_in_bowl(),
      driven_spheres(),
      three_in_a_row("three_balls_frictionless", 0.5534, 2, 0.185,
                     "table.cloth.skin_1.0.impulse.n"),
      three_in_a_row("three_spheres_plane", 0.15, 1, 1, "floor.plane.skin_1.0.impulse.n"),
      three_with_friction("three_balls_frictional", 0.5534, 2, 0.2,
                          5.7e-5 / (0.185 * 0.0283 * 0.0283), "table.cloth.skin_1.0",
                          after_the_impact()),
      three_with_friction("three_spheres_plane_frictional", 0.15, 1, 0.3, 0.4,
                          "floor.plane.skin_1.0"),
      bernoulli_balls(),
      billiard_break(),
      billiard_break_rolling(),
      newtons_cradle(),
      roller_crank_rigid()};
  for (const double f : {0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0}) {
    all.push_back(cue_ball_collision(f));
  }
  for (const double degrees : {0.0, 30.0}) {
    for (const double roll : {0.0, 0.5}) {
      for (const double ratio : {-1.25, -0.9, -0.4, 0.0, 0.4, 0.9, 1.25}) {
        all.push_back(throw_angle(degrees, roll, ratio));
      }
    }
  }
  return all;
}

}  // namespace saltus
