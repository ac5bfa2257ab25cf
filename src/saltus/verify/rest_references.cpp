// SPDX-License-Identifier: Apache-2.0
// Boxes that rest, slide and fall; balls, rods and blocks that bounce, stick and jam.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace rests {

using enum Source;
using measures::at;
using measures::impact_time;
using measures::largest;
using measures::largest_error;
using measures::last;

constexpr double pi = std::numbers::pi, g = 9.81, h = 1e-3;
constexpr const char* balance = "forces balance in each step";
constexpr const char* a_step_late = "noticed at the end of the step";

/// Time of the impact of a contact with this number, from 0.
static Measure impact_of(const std::string& contact, std::size_t number) {
  return [=](const RecordedRun& run) {
    std::size_t count = 0;
    for (const EventRow& event : run.events()) {
      if (event.kind == "impact" && event.contact == contact && count++ == number) {
        return event.time;
      }
    }
    return std::nan("");
  };
}

/// Normal impulse of the first `count` rows of impacts.
static Measure first_impulse(std::size_t count) {
  return [=](const RecordedRun& run) {
    double sum = 0;
    for (std::size_t i = 0, found = 0; found < count; ++i) {
      if (i == run.events().size()) return std::nan("");
      const EventRow& event = run.events()[i];
      if (event.kind != "impact") continue;
      sum += event.impulse[0];
      ++found;
    }
    return sum;
  };
}

/// Force over the last step.
static Measure force_at_end(const std::string& column, double step) {
  return [=](const RecordedRun& run) { return run.last(column) / step; };
}

static ReferenceCase box_on_incline() {
  const auto creep = [](const RecordedRun& run, std::size_t row) {
    return (run.vector("box.position", row) - run.vector("box.position", 0)).norm();
  };
  return {"box_on_incline",
          {"/simulation/end_time=0.5"},
          {{"creep", "m", Exact, 0, 1e-11, "sticking is exact up to round-off", largest(creep)},
           {"carried by the slope", "N", Exact, 2 * g, 1e-9, balance,
            force_at_end("base.impulse.z", h)}}};
}

static ReferenceCase box_sliding() {
  const double angle = 35 * pi / 180, normal = g * std::cos(angle);
  const double a = g * std::sin(angle) - 0.5 * normal, x_0 = 0.05735764363510461;
  const char* const even = "constant acceleration: round-off of 1000 steps";
  return {"box_sliding",
          {},
          {{"error of its way", "m", Exact, 0, 1e-10, even,
            largest_error("box.position.x",
                          [=](double t) { return x_0 + std::cos(angle) * a * t * t / 2; })},
           {"friction takes", "J", Exact, 0.5 * 2 * normal * a / 2, 1e-9, even,
            last("energy.friction_loss")}}};
}

static ReferenceCase box_dropped_flat() {
  const double fall = std::sqrt(2 * 0.5 / g);
  return {"box_dropped_flat",
          {},
          {{"first impact", "s", Exact, fall, h, a_step_late, impact_time(0)},
           {"second impact", "s", Exact, 2 * fall, 2 * h, "each impact is at most a step late",
            impact_time(4)},
           {"impulse of the first", "N s", Exact, 1.5 * 2 * g * fall, 1.5 * 2 * g * h,
            "a step late: (1 + e) m g h", first_impulse(4)},
           {"height at rest", "m", Exact, 0.1, 1e-11, measures::contacts_hold,
            last("box.position.z")}}};
}

static ReferenceCase box_tipping() {
  return {
      "box_tipping",
      {},
      {{"height at rest", "m", Exact, 0.1, 1e-11, measures::contacts_hold, last("box.position.z")},
       {"carried by the floor", "N", Exact, 5 * g, 1e-7, balance,
        force_at_end("foot.impulse.z", h)}}};
}

/// It may come to lie on any of its faces.
static ReferenceCase box_dropped_corner() {
  const Measure off_a_face = [](const RecordedRun& run) {
    const double z = run.last("box.position.z");
    return std::min({std::abs(z - 0.1), std::abs(z - 0.15), std::abs(z - 0.2)});
  };
  return {"box_dropped_corner",
          {},
          {{"height off half an edge", "m", Exact, 0, 1e-11, measures::contacts_hold, off_a_face},
           {"carried by the floor", "N", Exact, 2 * g, 1e-7, balance,
            force_at_end("foot.impulse.z", h)},
           {"the same at 0.971 s", "N", Exact, 2 * g, 1e-7, "it has come to rest",
            [](const RecordedRun& run) { return run.at("foot.impulse.z", 0.971) / h; }}}};
}

/// Nine of 1 kg and one on top.
static ReferenceCase box_stack(const char* example, double top) {
  const double step = 5e-3, weight = (9 + top) * g;
  const auto drift = [](const RecordedRun& run, std::size_t row) {
    double farthest = 0;
    for (int i = 1; i <= 10; ++i) {
      const std::string place = fmt::format("box_{}.position", i);
      farthest = std::max(farthest, (run.vector(place, row) - run.vector(place, 0)).norm());
    }
    return farthest;
  };
  const char* const laws = "contact laws are met to 1e-12 of the largest impulses";
  return {
      example,
      {"/simulation/end_time=0.5", "/simulation/record/every=1"},
      {{"carried by the floor", "N", Exact, weight, 1e-9 * weight, laws,
        force_at_end("joint_1.impulse.z", step)},
       {"carried by box 9", "N", Exact, top * g, 1e-9 * weight, laws,
        force_at_end("joint_10.impulse.z", step)},
       {"drift", "m", Exact, 0, 1e-8, "sticking, to the accuracy of the laws", largest(drift)}}};
}

static ReferenceCase boxes_on_box() {
  const char* const rest = "contact laws are met to 1e-12 of the largest impulses";
  return {
      "boxes_on_box",
      {"/simulation/record/every=1"},
      {{"left at rest", "m", Exact, 0.2, 1e-10, measures::contacts_hold, last("left.position.z")},
       {"right at rest", "m", Exact, 0.2, 1e-10, measures::contacts_hold, last("right.position.z")},
       {"first impact", "s", Exact, std::sqrt(2 * 0.05 / g), h, a_step_late, impact_time(0)},
       {"carried by the base", "N", Exact, 2 * g, 1e-7, rest, force_at_end("drop.impulse.z", h)},
       {"carried by the floor", "N", Exact, 6 * g, 1e-7, rest, force_at_end("foot.impulse.z", h)}}};
}

static ReferenceCase cylinder_rolls() {
  const double a = 2.0 / 3 * g * std::sin(pi / 6), along = std::cos(pi / 6);
  const char* const even = "constant acceleration, rolling is exact: round-off of 1000 steps";
  return {
      "cylinder_rolls",
      {},
      {{"error of its way", "m", Exact, 0, 1e-10, even,
        largest_error("roller.position.x", [=](double t) { return 0.05 + along * a * t * t / 2; })},
       {"speed at the end", "m/s", Exact, along * a, 1e-10, even, last("roller.velocity.x")},
       {"turns with", "rad/s", Exact, a / 0.1, 1e-9, even, last("roller.angular_velocity.y")},
       {"friction takes", "J", Exact, 0, 1e-10, even, last("energy.friction_loss")}}};
}

/// Where a ball that hops down stairs comes to rest: each impact takes γ_r / (r (1 + 2/5)) of its
/// normal impulse from the speed, on the floor only, and rolling the same of the weight.
static double end_on_the_floor() {
  const double e = 0.6, rise = 0.17, brake = 0.002 / (0.04 * 1.4);
  double speed = std::sqrt(2 * g * rise), x = speed / g, along = 5.0 / 7;
  for (int stair = 0; stair < 3; ++stair) {
    const double next = std::sqrt(e * e * speed * speed + 2 * g * rise);
    x += along * (e * speed + next) / g;
    speed = next;
  }
  while (speed > 1e-12) {
    along -= brake * (1 + e) * speed;
    speed *= e;
    x += along * 2 * speed / g;
  }
  return x + along * along / (2 * brake * g);
}

static ReferenceCase ball_on_stairs() {
  const double fall = std::sqrt(2 * 0.17 / g);
  return {"ball_on_stairs",
          {},
          {{"first stair", "s", Exact, fall, h, a_step_late, impact_time(0)},
           {"speed after it", "m/s", Exact, 5.0 / 7, 1e-10, "sticking impact of a solid sphere",
            at("ball.velocity.x", 0.3)},
           {"place at the end", "m", Exact, end_on_the_floor(), 5e-4,
            "each of its impacts is up to a step late", last("ball.position.x")},
           {"height at the end", "m", Exact, 0.04, 1e-11, measures::contacts_hold,
            last("ball.position.z")},
           {"speed at the end", "m/s", Exact, 0, 1e-10, "rolling friction holds it",
            last("ball.velocity.x")}}};
}

static ReferenceCase gripper() {
  const char* const sticks = "what sticks does not creep";
  const auto way = [](double t) { return 0.05 + (t > 0.2 ? 0.5 * (t - 0.2) * (t - 0.2) : 0); };
  return {"gripper",
          {},
          {{"error of its way", "m", Exact, 0, 1e-9, sticks, largest_error("part.position.z", way)},
           {"the jaws bear", "N", Exact, 0.4 * (g + 1), 1e-7, balance,
            force_at_end("grip.impulse.z", h)}}};
}

static ReferenceCase stl_part() {
  const double mass = 7850 * (40 * 5 + 35 * 5) * 30 * 1e-9;
  return {"stl_part",
          {},
          {{"the table bears", "N", Exact, mass * g, 1e-9, balance,
            force_at_end("touch.impulse.z", 5e-4)},
           {"height at rest", "m", Exact, 0, 1e-11, measures::contacts_hold,
            last("bracket.position.z")}}};
}

static ReferenceCase car() {
  const double r = 0.15, J = 4 * r * r / 2, a = 2 * 6 / r / (60 + 4 * 4 + 4 * J / (r * r));
  const char* const even = "constant acceleration, rolling is exact: round-off of 2000 steps";
  return {
      "car",
      {},
      {{"error of its way", "m", Exact, 0, 1e-9, even,
        largest_error("chassis.position.x", [=](double t) { return a * t * t / 2; })},
       {"wheels turn with", "rad/s", Exact, 2 * a / r, 1e-8, even,
        last("rear_left.angular_velocity.y")},
       {"friction takes", "J", Exact, 0, 1e-9, even, last("energy.friction_loss")},
       {"the road bears", "N", Exact, 76 * g, 1e-7, balance, force_at_end("grip.impulse.z", h)}}};
}

static ReferenceCase cylinder_in_valley() {
  const double step = 5e-3, weight = 10 * g;
  const auto drift = [](const RecordedRun& run, std::size_t row) {
    return (run.vector("log.position", row) - run.vector("log.position", 0)).norm();
  };
  return {"cylinder_in_valley",
          {},
          {{"left carries, across", "N", Exact, weight / 2 * std::tan(pi / 6), 1e-8, balance,
            force_at_end("on_left.impulse.x", step)},
           {"left carries, upwards", "N", Exact, weight / 2, 1e-8, balance,
            force_at_end("on_left.impulse.z", step)},
           {"drift", "m", Exact, 0, 1e-11, "nothing moves", largest(drift)}}};
}

/// With a step that resolves them: one falls from 5 mm, one runs between walls 20 mm apart.
static ReferenceCase bounces_within_a_step() {
  const double step = 1e-4, fall = std::sqrt(2 * 0.005 / g), e = 0.9;
  const char* const late = "each impact is at most a step late";
  return {
      "bounces_within_a_step",
      {"/simulation/integrator/step=1e-4", "/simulation/end_time=0.2"},
      {{"fall", "s", Exact, fall, step, late, impact_of("bounce", 0)},
       {"second bounce", "s", Exact, fall + 2 * e * fall, 2 * step, late, impact_of("bounce", 1)},
       {"right wall", "s", Exact, 0.01, step, late, impact_of("walls.right.bead.0", 0)},
       {"left wall", "s", Exact, 0.01 + 0.02 / e, 2 * step, late,
        impact_of("walls.left.bead.0", 0)},
       {"right wall again", "s", Exact, 0.01 + 0.02 / e + 0.02 / (e * e), 3 * step, late,
        impact_of("walls.right.bead.0", 1)},
       {"kinetic energy at 0 s", "J", Exact, 0.5, 1e-12, "given", at("energy.kinetic", 0)},
       // Loses mass · g · h a bounce, at most.
       {"first impulse", "N s", Exact, 1 + e, 1e-12, "no friction", first_impulse(1)}}};
}

/// Slip u at the wall, u' = −e_T u; a solid ball has 2/7 of its mass there. The step does not end
/// at the impact.
static ReferenceCase superball() {
  const double r = 0.05, u = 1 - r * 30, v = 0.5, reversed = 1.6;
  const char* const exact = "no gravity: round-off";
  return {"superball",
          {"/simulation/integrator/step=7e-4"},
          {{"v_x after", "m/s", Exact, 1 - 2. / 7 * reversed * u, 1e-10, exact,
            last("ball.velocity.x")},
           {"v_y after", "m/s", Exact, 0.5 - 2. / 7 * reversed * v, 1e-10, exact,
            last("ball.velocity.y")},
           {"v_z after", "m/s", Exact, 4, 1e-10, exact, last("ball.velocity.z")},
           {"w_x after", "rad/s", Exact, -5. / 7 * reversed * v / r, 1e-8, exact,
            last("ball.angular_velocity.x")},
           {"w_y after", "rad/s", Exact, 30 + 5. / 7 * reversed * u / r, 1e-8, exact,
            last("ball.angular_velocity.y")},
           {"impulse", "N s", Exact, 0.1 * 9, 1e-10, exact, first_impulse(1)}}};
}

static ReferenceCase thrown_ball() {
  const double fall = std::sqrt(2 * 0.9 / g), e = 0.8;
  const char* const late = "each impact is at most a step late";
  return {"thrown_ball",
          {},
          {{"first impact", "s", Exact, fall, h, late, impact_time(0)},
           {"second impact", "s", Exact, fall + 2 * e * fall, 2 * h, late, impact_time(1)},
           {"impulse of the first", "N s", Exact, (1 + e) * g * fall, (1 + e) * g * h,
            "a step late: (1 + e) m g h", first_impulse(1)},
           {"speed when it rolls", "m/s", Exact, 2 * 5. / 7, 1e-9, "a solid ball: 5/7",
            last("ball.velocity.x")}}};
}

static ReferenceCase hinged_rod_stick() {
  const double lost = g * 0.5 * std::sqrt(0.5), omega = std::sqrt(3 * g * std::sqrt(0.5));
  const Measure losses = [](const RecordedRun& run) {
    return run.last("energy.impact_loss") + run.last("energy.friction_loss") +
           run.last("energy.numerical_loss");
  };
  return {
      "hinged_rod_stick",
      {},
      {{"impact", "s", Exact, 0.330171, h, a_step_late, impact_time(0)},
       {"lost until 1 s", "J", Exact, lost, lost * omega * h, "a step late: m g l/2 w h", losses},
       {"kinetic energy at 1 s", "J", Exact, 0, 1e-20, "it hangs on the wall",
        last("energy.kinetic")}}};
}

/// The jam stops the tip: the angular momentum about it is kept. In the end both ends carry.
static ReferenceCase painleve_rod() {
  const double height = 0.419335283972712, kept = height * height * 3 / 2;
  return {"painleve_rod",
          {},
          {{"kinetic energy, jammed", "J", Exact, kept, 2 * kept * g * h / (2. / 3 * height),
            "m g in a step, of the speed after", at("energy.kinetic", h)},
           {"carried by the tip", "N", Exact, g / 2, 1e-9, "it lies: half of its weight",
            force_at_end("chalk.impulse.n", h)},
           {"the same at 0.7 s", "N", Exact, g / 2, 1e-9, "it has landed without a bounce",
            [](const RecordedRun& run) { return run.at("chalk.impulse.n", 0.7) / h; }},
           {"carried by the other end", "N", Exact, g / 2, 1e-9, "it lies: half of its weight",
            force_at_end("landing.impulse.n", h)}}};
}

static ReferenceCase two_moving_faces() {
  const double plates = 5. / 8 + (2 * 0.01 + 3 * 0.01) * 1.01 / 24 + 3 * 0.04 * 2 / 24;
  const double ball = 0.5 * (4.09 + 0.4 * 0.01 * 25) / 2;
  const auto momentum = [](const RecordedRun& run, std::size_t row) {
    const Vector3 sum = 2 * run.vector("lower.velocity", row) +
                        3 * run.vector("upper.velocity", row) +
                        0.5 * run.vector("ball.velocity", row);
    return (sum - Vector3(0.15, 0, -1.5)).norm();
  };
  return {
      "two_moving_faces",
      {},
      {{"kinetic energy at 0 s", "J", Exact, plates + ball, 1e-12, "given",
        at("energy.kinetic", 0)},
       {"change of momentum", "N s", Exact, 0, 1e-12, "impulses are opposite", largest(momentum)}}};
}

/// 0.05 m at 2 Hz, friction 0.4: it slips to and fro, pieces of constant acceleration, joined by
/// bisection. The last turn of the slip is at 1.8037 s.
static ReferenceCase shaken_block() {
  const double mu_g = 0.4 * g, speed = mu_g * h, table = 0.05 * 4 * pi, v = 0.279697179;
  const char* const turn = "the slip turns within a step: mu g h from 1.8037 s on";
  return {"shaken_block",
          {},
          {{"block's x at 2 s", "m", Derived, -0.0335957583, 0.1963 * speed, turn,
            last("block.position.x")},
           {"friction takes", "J", Derived, 1.99008782, 8 * mu_g * 0.1963 * speed,
            "the same, at each of 8 turns", last("energy.friction_loss")},
           {"kinetic energy at 2 s", "J", Derived, 5 * table * table + v * v / 2, v * speed, turn,
            last("energy.kinetic")}}};
}

static ReferenceCase points_on_face() {
  return {"points_on_face",
          {"/simulation/record/every=1"},
          {{"height at rest", "m", Exact, 0.05, 1e-10, measures::contacts_hold,
            last("plate.position.z")},
           {"carried by the nails", "N", Exact, 10 * g, 1e-8 * 10 * g,
            "contact laws are met to 1e-8 of the impulses", force_at_end("bed.impulse.z", h)}}};
}

/// Speeds of balls that touch after the first is hit with v: impacts of two, one after the other,
/// until none approach.
static std::array<double, 5> speeds_after(double v) {
  const std::array<double, 5> m = {0.1, 0.2, 0.05, 0.2, 0.1};
  std::array<double, 5> u = {v, 0, 0, 0, 0};
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i + 1 < u.size(); ++i) {
      const double closing = u[i] - u[i + 1], p = 2 * m[i] * m[i + 1] / (m[i] + m[i + 1]) * closing;
      if (closing <= 1e-12 * v) continue;
      u[i] -= p / m[i];
      u[i + 1] += p / m[i + 1];
      again = true;
    }
  }
  return u;
}

static ReferenceCase newtons_cradle_unequal() {
  const double l = 0.3, height = l * (1 - std::cos(pi / 6)), v = std::sqrt(2 * g * height);
  const double fall = std::comp_ellint_1(std::sin(pi / 12)) * std::sqrt(l / g);
  const double turned = v * std::pow(v * h / l, 2);
  const char* const arc = "a step late: v (v h/l)^2";
  const std::array<double, 5> u = speeds_after(v);
  const auto after = [](const std::string& column) {
    return [=](const RecordedRun& run) { return run.at(column, run.impact_time(0)); };
  };
  ReferenceCase item = {"newtons_cradle_unequal",
                        {"/simulation/end_time=0.3"},
                        {{"first impact", "s", Exact, fall, h, a_step_late, impact_time(0)},
                         {"kinetic energy after it", "J", Exact, 0.1 * g * height, 0.2 * v * turned,
                          arc, after("energy.kinetic")}}};
  for (std::size_t i = 0; i < u.size(); ++i) {
    item.references.push_back({fmt::format("ball {} after it", i + 1), "m/s", Exact, u[i],
                               3 * turned, "a step late: v (v h/l)^2, of lighter ones more",
                               after(fmt::format("ball_{}.velocity.x", i + 1))});
  }
  return item;
}

}  // namespace rests

std::vector<ReferenceCase> rest_references() {
  using namespace rests;
  return {box_on_incline(),
          box_sliding(),
          box_dropped_flat(),
          box_tipping(),
          box_dropped_corner(),
          box_stack("box_stack", 1),
          box_stack("box_stack_heavy", 1000),
          boxes_on_box(),
          cylinder_rolls(),
          cylinder_in_valley(),
          ball_on_stairs(),
          gripper(),
          stl_part(),
          car(),
          bounces_within_a_step(),
          superball(),
          thrown_ball(),
          hinged_rod_stick(),
          painleve_rod(),
          two_moving_faces(),
          shaken_block(),
          points_on_face(),
          newtons_cradle_unequal()};
}

}  // namespace saltus
