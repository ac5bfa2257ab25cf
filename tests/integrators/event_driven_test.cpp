// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/event_driven.hpp"

#include <cmath>

#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"
#include "tests/support/stepped.hpp"

namespace saltus {
namespace event_driven_test {

using namespace test;

/// A run of intervals that keeps all events.
struct Events : Stepped {
  std::vector<ContactEvent> all;

  Events(const Model& model, double interval, int intervals, const EventDriven& options = {})
      : Stepped(model, with_step(options, interval)) {
    for (int i = 0; i < intervals && steps(); ++i) {
      all.insert(all.end(), report.events.begin(), report.events.end());
    }
    EXPECT_TRUE(report.converged) << report.message;
  }
  static EventDriven with_step(EventDriven options, double interval) {
    options.step = interval;
    return options;
  }
  std::vector<double> times(ContactEventKind kind) const {
    std::vector<double> result;
    for (const ContactEvent& event : all) {
      if (event.kind == kind) result.push_back(event.time);
    }
    return result;
  }
};

Model dropped_ball(double height, double restitution, const Vector3& velocity = {0, 0, 0}) {
  return ball_on_floor(
      {.mass = 2, .position = {0, 0, 0.5 + height}, .velocity = {.linear = velocity}},
      {.restitution = restitution, .friction = 0.2});
}

// t₁ = √(2 h/g), and then 2 e^k t₁ between two bounces.
TEST(EventDriven, FindsTheTimesOfBouncesToTheLastDigits) {
  const double height = 0.8, e = 0.7, fall = std::sqrt(2 * height / g_0);
  const Events ball(dropped_ball(height, e), 0.1, 18);
  const std::vector<double> times = ball.times(ContactEventKind::Impact);
  ASSERT_GE(times.size(), 4u);
  double t = fall, flight = 2 * e * fall;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(times[k], t, 1e-12) << k;
    t += flight;
    flight *= e;
  }
}

// Bounces without number in a finite time: afterwards the ball rests, and all energy is lost.
TEST(EventDriven, ComesToTheEndOfBounces) {
  const double height = 0.2, e = 0.5, fall = std::sqrt(2 * height / g_0);
  const double end = fall * (1 + e) / (1 - e);
  const Events ball(dropped_ball(height, e), 0.1, 8);
  ASSERT_GT(ball.state.time, end);
  EXPECT_NEAR(ball.times(ContactEventKind::Impact).back(), end, 1e-4);
  EXPECT_NEAR(ball.gap(ball.state.configuration), 0, 1e-14);
  EXPECT_EQ(ball.state.velocity.norm(), 0);
  EXPECT_NEAR(ball.state.energy.impact_loss, 2 * g_0 * height, 1e-8);
  EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-9);
  // And its support carries it from then on.
  ASSERT_EQ(ball.state.contacts.size(), 1u);
  EXPECT_NEAR(ball.state.contacts[0].impulse[0], 2 * g_0 * 0.1, 1e-9);
}

// A ball that is pushed off slips, and rolls from t = 2 v/(7 μ g) on with 5/7 of its speed.
TEST(EventDriven, FindsTheMomentAtWhichABallRolls) {
  const double v = 2, mu = 0.2;
  const Events ball(dropped_ball(0, 0, {v, 0, 0}), 0.1, 5);
  const std::vector<double> sticks = ball.times(ContactEventKind::Sticks);
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0], 2 * v / (7 * mu * g_0), 1e-9);
  EXPECT_NEAR(ball.velocity(1).x(), 5.0 / 7 * v, 1e-9);
  EXPECT_NEAR(ball.spin(1).y(), 5.0 / 7 * v / 0.5, 1e-8);
  EXPECT_NEAR(ball.state.energy.friction_loss, 0.5 * 2 * v * v * 2 / 7, 1e-8);
}

// Across an incline the slip of a ball turns ever faster until it rolls. It is stopped before that,
// within the tolerance: what follows is the same as with another one.
TEST(EventDriven, StopsATurningSlipWithinTheTolerance) {
  Model model = dropped_ball(0, 0, {0, 1, 0});
  model.gravity = inclined_gravity(0.2);
  const Events ball(model, 0.1, 5), sharp(model, 0.1, 5, {.tolerance = 1e-13});
  const std::vector<double> times = ball.times(ContactEventKind::Sticks);
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], sharp.times(ContactEventKind::Sticks).at(0), 1e-5);
  EXPECT_LE((ball.node(1).x - sharp.node(1).x).norm(), 2e-10);
  EXPECT_LE((ball.state.velocity - sharp.state.velocity).norm(), 1e-9);
  EXPECT_NEAR(ball.state.energy.friction_loss, sharp.state.energy.friction_loss, 1e-9);
  EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-9);
  EXPECT_NEAR(ball.state.contact_losses[0].friction, ball.state.energy.friction_loss, 1e-12);
}

// A box slides v²/(2 μ g) far and stops.
TEST(EventDriven, StopsASlidingBoxWhereFrictionHasTakenItsEnergy) {
  const double v = 1, mu = 0.3;
  const Events box(box_on_floor(2, {1, 0.6, 0.1}, {.linear = {v, 0, 0}}, {.friction = mu}), 0.1, 6);
  EXPECT_NEAR(box.node(1).x.x(), v * v / (2 * mu * g_0), 1e-9);
  EXPECT_LE(box.state.velocity.norm(), 1e-10);
  EXPECT_NEAR(box.state.energy.friction_loss, 0.5 * 2 * v * v, 1e-8);
  EXPECT_NEAR(box.times(ContactEventKind::Sticks).at(0), v / (mu * g_0), 1e-8);
}

// On an incline a static coefficient holds what a kinetic one would not.
TEST(EventDriven, HoldsABoxByItsStaticFriction) {
  for (const double mu_s : {0.35, 0.6}) {
    Model model = box_on_floor(2, {1, 0.6, 0.1}, {}, {.friction = 0.3, .static_friction = mu_s});
    const double angle = std::atan(0.45);
    model.gravity = inclined_gravity(angle);
    const Events box(model, 0.1, 2);
    const double a = mu_s < 0.45 ? g_0 * (std::sin(angle) - 0.3 * std::cos(angle)) : 0;
    EXPECT_NEAR(box.velocity(1).x(), 0.2 * a, 1e-8) << mu_s;
  }
}

// A ball on top of a sphere, frictionless: it leaves where cos θ = (2/3) cos θ₀.
TEST(EventDriven, FindsWhereABallLeavesASphere) {
  const double start = 0.2;
  Model model;
  model.add(Collider{.name = "base", .frame = at(model.ground()), .shape = Sphere{1}});
  add_ball(model, "ball", 1, 0.5, 1.5 * Vector3(std::sin(start), 0, std::cos(start)));
  model.add(Contact{.between = {"base", "skin_of_ball"}});
  const Events ball(model, 0.05, 24);
  const std::vector<double> opens = ball.times(ContactEventKind::Opens);
  ASSERT_EQ(opens.size(), 1u);
  for (const ContactEvent& event : ball.all) {
    if (event.kind != ContactEventKind::Opens) continue;
    // A force counts as negative from 1e-7 of the accelerations on.
    EXPECT_NEAR(event.normal.z(), 2.0 / 3 * std::cos(start), 3e-7);
  }
  EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-8);
}

TEST(EventDriven, KeepsTheMomentumOfTwoBalls) {
  const Model model =
      two_balls({.mass = 1, .velocity = {.linear = {2, 0.2, 0.1}, .angular = {1, 0, 2}}},
                {.mass = 3, .position = {1.3, 0, 0}}, {.restitution = 0.6, .friction = 0.3});
  const Stepped before(model, EventDriven{});
  const Events balls(model, 0.1, 4);
  ASSERT_EQ(balls.times(ContactEventKind::Impact).size(), 1u);
  EXPECT_LE((balls.momenta() - before.momenta()).norm(), 1e-9);
  const double lost =
      before.system.kinetic_energy(before.state.configuration, before.state.velocity) -
      balls.state.energy.kinetic;
  EXPECT_NEAR(balls.state.energy.impact_loss, lost, 1e-9);
}

// Joints and closed gaps are met after every interval, whatever the tolerance of the motion.
TEST(EventDriven, StaysOnJointsAndGaps) {
  Stepped pendulum(skew_pendulum({0, 2, 1}), EventDriven{.step = 0.05, .tolerance = 1e-6});
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(pendulum.steps());
    const Configuration& q = pendulum.state.configuration;
    EXPECT_LE(pendulum.violation(q).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LE(pendulum.rates(q, pendulum.state.velocity).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// A result does not depend on how often it is asked for.
TEST(EventDriven, DoesNotDependOnTheInterval) {
  const Model model = dropped_ball(0.3, 0.6, {1, 0.5, 0});
  const Events coarse(model, 0.3, 2), fine(model, 0.06, 10);
  EXPECT_LE((coarse.node(1).x - fine.node(1).x).norm(), 1e-8);
  EXPECT_LE((coarse.state.velocity - fine.state.velocity).norm(), 1e-8);
  EXPECT_EQ(coarse.times(ContactEventKind::Impact).size(),
            fine.times(ContactEventKind::Impact).size());
}

TEST(EventDriven, ThatFailsLeavesTheStateAsItWas) {
  Model model = dropped_ball(10, 0.5);
  model.add(Force{.on = at(BodyId{0}), .value = {Expression{"sqrt(0.5-t)"}, 0.0, 0.0}});
  Stepped ball(model, EventDriven{.step = 0.1});
  ASSERT_TRUE(ball.steps());
  ball.state.time = 1;  // where the force is not a number
  const State before = ball.state;
  EXPECT_FALSE(ball.steps());
  EXPECT_TRUE(is_same(ball.state, before));
  EXPECT_NE(ball.report.message.find("event-driven"), std::string::npos);
}

TEST(EventDriven, TurnsWithTheScene) {
  Random random(3);
  const Matrix3 R = random.rotation();
  const Vector3 x = random.vector();
  const Model model = dropped_ball(0.1, 0.6, {1, 0.5, 0});
  const Events ball(model, 0.1, 4), turned(carried(model, R, x), 0.1, 4);
  EXPECT_LE((turned.node(1).x - R * ball.node(1).x - x).norm(), 1e-8);
  EXPECT_LE((turned.velocity(1) - R * ball.velocity(1)).norm(), 1e-8);
}

}  // namespace event_driven_test
}  // namespace saltus
