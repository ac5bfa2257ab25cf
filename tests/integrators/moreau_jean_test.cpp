// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/moreau_jean.hpp"

#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/stepped.hpp"

namespace saltus {
namespace moreau_jean_test {

using namespace test;

Model oscillator(double stretch) {
  Model model = spring_pair(2, 3, 120, stretch);
  return model;
}

Model dropped_ball(double height, const Vector3& velocity, Contact contact) {
  return ball_on_floor(
      {.mass = 2, .position = {0, 0, 0.5 + height}, .velocity = {.linear = velocity}},
      std::move(contact));
}

// x += h ((1 − θ) v_n + θ v): with θ = ½ the parabola is exact.
TEST(MoreauJean, OfABodyInFreeFallIsExactAtTheMidpoint) {
  for (const double theta : {0.0, 0.5, 1.0}) {
    Stepped ball(dropped_ball(100, {1, 2, 3}, {}), MoreauJean{.step = 0.1, .theta = theta});
    ASSERT_TRUE(ball.steps(5));
    const double t = 0.5, error = (theta - 0.5) * 0.1 * g_0 * t;
    EXPECT_NEAR(ball.node(1).x.z(), 100.5 + 3 * t - g_0 * t * t / 2 - error, 1e-12) << theta;
    EXPECT_LE((ball.velocity(1) - Vector3(1, 2, 3 - g_0 * t)).norm(), 1e-13);
  }
}

// The midpoint rule keeps quadratic invariants; the other weights win or lose energy.
TEST(MoreauJean, KeepsTheEnergyOfALinearOscillatorWithOneHalf) {
  const auto energy_after = [](double theta) {
    Stepped pair(oscillator(0.1), MoreauJean{.step = 0.02, .theta = theta});
    EXPECT_TRUE(pair.steps(100));
    return pair.energy(pair.state.configuration, pair.state.velocity);
  };
  const double start = 0.5 * 120 * 0.01;
  EXPECT_NEAR(energy_after(0.5), start, 1e-10);
  EXPECT_LT(energy_after(1), 0.5 * start);
  EXPECT_GT(energy_after(0.4), 1.1 * start);
}

// With Ω = h ω: stretch and speed are turned by 2 atan(Ω/2) in a step.
TEST(MoreauJean, TurnsALinearOscillatorByItsAngle) {
  const double h = 0.02, w = std::sqrt(120 * (1.0 / 2 + 1.0 / 3));
  Stepped pair(oscillator(0.1), MoreauJean{.step = h});
  ASSERT_TRUE(pair.steps(10));
  const double angle = 10 * 2 * std::atan(h * w / 2);
  EXPECT_NEAR(pair.node(2).x.x() - pair.node(1).x.x(), 1 + 0.1 * std::cos(angle), 1e-11);
}

TEST(MoreauJean, HasFirstOrderWithoutTheMidpointAndSecondWithIt) {
  const auto error = [](double theta, int n) {
    const double end = 0.4, w = std::sqrt(100.0);
    Stepped pair(oscillator(0.1), MoreauJean{.step = end / n, .theta = theta});
    EXPECT_TRUE(pair.steps(n));
    return std::abs(pair.node(2).x.x() - pair.node(1).x.x() - 1 - 0.1 * std::cos(w * end));
  };
  EXPECT_NEAR(std::log2(error(0.5, 40) / error(0.5, 80)), 2, 0.1);
  EXPECT_NEAR(std::log2(error(1, 160) / error(1, 320)), 1, 0.15);
}

// (20): a contact takes part from the step on in whose middle it would be closed.
TEST(MoreauJean, SeesAContactThatClosesInTheMiddleOfTheStep) {
  const double h = 0.01, speed = 2;
  for (const double part : {0.45, 0.55}) {
    Model model = dropped_ball(part * h * speed, {0, 0, -speed}, {.restitution = 0.5});
    model.gravity.setZero();
    Stepped ball(model, MoreauJean{.step = h});
    ASSERT_TRUE(ball.steps());
    EXPECT_NEAR(ball.velocity(1).z(), part < 0.5 ? 0.5 * speed : -speed, 1e-13) << part;
    EXPECT_EQ(ball.count(ContactEventKind::Impact), part < 0.5 ? 1 : 0);
  }
}

// v⁺ = −e v⁻ whatever gravity does in the step; without it exactly ½ (1 − e²) m v² are lost.
TEST(MoreauJean, ReversesTheApproachAndBooksTheLoss) {
  for (const double e : {0.0, 0.3, 1.0}) {
    for (const double gravity : {0.0, g_0}) {
      Model model = dropped_ball(0, {1, 0, -2}, {.restitution = e});
      model.gravity = {0, 0, -gravity};
      Stepped ball(model, MoreauJean{.step = 0.01});
      ASSERT_TRUE(ball.steps());
      EXPECT_NEAR(ball.velocity(1).z(), 2 * e, 1e-12);
      EXPECT_NEAR(ball.velocity(1).x(), 1, 1e-14);
      if (gravity == 0) {
        EXPECT_NEAR(ball.state.energy.impact_loss, 4 * (1 - e * e), 1e-12);
      }
      EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-12);
    }
  }
}

TEST(MoreauJean, LetsABallRest) {
  Stepped ball(dropped_ball(0, {0, 0, 0}, {.restitution = 0.8, .friction = 0.3}),
               MoreauJean{.step = 0.01});
  ASSERT_TRUE(ball.steps(20));
  EXPECT_LE((ball.node(1).x - Vector3(0, 0, 0.5)).norm(), 1e-15);
  ASSERT_EQ(ball.state.contacts.size(), 1u);
  EXPECT_EQ(ball.state.contacts[0].status, ContactStatus::Stick);
  EXPECT_LE((ball.state.contacts[0].force - Vector3(0, 0, 2 * g_0 * 0.01)).norm(), 1e-13);
}

// A box slides: v −= μ g h in each step, and friction takes μ m g times the way.
TEST(MoreauJean, BrakesASlidingBoxByCoulombsLaw) {
  const double mu = 0.3, h = 0.01;
  Stepped box(box_on_floor(2, {1, 0.6, 0.1}, {.linear = {2, 0, 0}}, {.friction = mu}),
              MoreauJean{.step = h});
  ASSERT_TRUE(box.steps(20));
  const double v = 2 - mu * g_0 * 20 * h;
  EXPECT_NEAR(box.velocity(1).x(), v, 1e-9);
  EXPECT_NEAR(box.state.energy.friction_loss, 0.5 * 2 * (4 - v * v), 1e-9);
  EXPECT_NEAR(box.state.energy.residual(), 0, 1e-10);
  for (const ContactState& contact : box.state.contacts) {
    EXPECT_EQ(contact.status, ContactStatus::Slip);
  }
}

TEST(MoreauJean, KeepsTheMomentumOfTwoBallsThatCollide) {
  Stepped balls(
      two_balls({.mass = 1, .velocity = {.linear = {2, 0.4, 0}, .angular = {0, 0, 3}}},
                {.mass = 3, .position = {1, 0, 0}}, {.restitution = 0.7, .friction = 0.3}),
      MoreauJean{.step = 1e-3});
  const Vector6 before = balls.momenta();
  ASSERT_TRUE(balls.steps());
  ASSERT_EQ(balls.count(ContactEventKind::Impact), 1);
  EXPECT_LE((balls.momenta() - before).head<3>().norm(), 1e-13);
  // The bodies move on within the step: angular momentum is that of first order.
  EXPECT_LE((balls.momenta() - before).tail<3>().norm(), 5e-3);
}

TEST(MoreauJean, HoldsJointsAtVelocityLevelAndReportsTheirDrift) {
  Stepped pendulum(skew_pendulum({0, 2, 1}), MoreauJean{.step = 0.01});
  ASSERT_TRUE(pendulum.steps(20));
  const Configuration& q = pendulum.state.configuration;
  EXPECT_LE(pendulum.rates(q, pendulum.state.velocity).norm(), 1e-12);
  const double drift = pendulum.violation(q).norm();
  EXPECT_GT(drift, 1e-7);
  EXPECT_LE(pendulum.report.position_violation, drift);
  EXPECT_GT(pendulum.report.position_violation, drift / 10);
}

// Joint forces are means over the step: a weight that hangs on a joint.
TEST(MoreauJean, GivesJointsTheWeightTheyCarry) {
  Model model;
  model.add(PointMass{.name = "mass", .mass = 3});
  model.add(Lock{.body = BodyId{0}, .translation = {Axis::X, Axis::Y, Axis::Z}});
  Stepped mass(model, MoreauJean{.step = 0.01, .theta = 1});
  ASSERT_TRUE(mass.steps(3));
  VectorX force = VectorX::Zero(3);
  mass.system.add_constraint_forces(mass.state.configuration, mass.state.multiplier, force);
  EXPECT_NEAR(force[2], 3 * g_0, 1e-10);
}

TEST(MoreauJean, ThatFailsLeavesTheStateAsItWas) {
  Stepped pendulum(skew_pendulum({0, 20, 10}), MoreauJean{.step = 0.05, .max_iterations = 1});
  const State before = pendulum.state;
  EXPECT_FALSE(pendulum.steps());
  EXPECT_TRUE(is_same(pendulum.state, before));
  EXPECT_NE(pendulum.report.message.find("not in balance"), std::string::npos);
  // Unless the last iterate will do.
  const StepReport accepted = pendulum.stepper->step(pendulum.state, 0.05, 0.05, true);
  EXPECT_FALSE(accepted.converged);
  EXPECT_TRUE(accepted.usable);
  EXPECT_EQ(pendulum.state.time, 0.05);
}

TEST(MoreauJean, TurnsWithTheScene) {
  Random random(8);
  const Matrix3 R = random.rotation();
  const Model model = box_on_floor(2, {1, 0.6, 0.5}, {.linear = {1, 0.5, -1}, .angular = {1, 0, 0}},
                                   {.restitution = 0.4, .friction = 0.3});
  Stepped box(model, MoreauJean{.step = 0.01}),
      turned(carried(model, R, random.vector()), MoreauJean{.step = 0.01});
  ASSERT_TRUE(box.steps(5));
  ASSERT_TRUE(turned.steps(5));
  EXPECT_LE((turned.velocity(1) - R * box.velocity(1)).norm(), 1e-7);
  EXPECT_LE((turned.spin(1) - box.spin(1)).norm(), 1e-7);
}

}  // namespace moreau_jean_test
}  // namespace saltus
