// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/runge_kutta_motion.hpp"

#include <cmath>

#include "tests/support/closed_points.hpp"

namespace saltus {
namespace runge_kutta_motion_test {

using namespace test;

/// A scene that takes steps one after the other.
struct Flying : ClosedScene {
  RungeKuttaMotion flow;

  explicit Flying(const Model& model, ContactStatus mode = ContactStatus::Slip)
      : ClosedScene(model, mode), flow(system, motion) {}
  bool step(double h) { return flow.step(state.configuration, state.velocity, state.time, h); }
  /// The state at a part of the last step.
  State at(double theta) const {
    State result = state;
    flow.state_at(theta, result.configuration, result.velocity);
    return result;
  }
  /// Many steps, all accepted.
  Flying& steps(double h, int n) {
    for (int i = 0; i < n; ++i) {
      EXPECT_TRUE(step(h));
      flow.state_at(1, state.configuration, state.velocity);
      state.time += h;
    }
    return *this;
  }
};

Model thrown_box() {
  Model model;
  model.add(RigidBody{.name = "box",
                      .inertia = solid_box(2.0, {0.3, 0.2, 0.1}),
                      .velocity = {.linear = {1, -2, 3}, .angular = {0, 0, 4}}});
  return model;
}

double distance(const State& a, const State& b) {
  double sum = (a.velocity - b.velocity).norm();
  for (std::size_t i = 1; i < a.configuration.nodes.size(); ++i) {
    sum += (a.configuration.nodes[i].x - b.configuration.nodes[i].x).norm() +
           (a.configuration.nodes[i].R - b.configuration.nodes[i].R).norm();
  }
  return sum;
}

/// A mechanism with rotations in space: what one step of length h differs from sixteen shorter.
double error_at(double h, double theta) {
  Flying coarse(skew_pendulum({1, 2, 1})), fine(skew_pendulum({1, 2, 1}));
  EXPECT_TRUE(coarse.step(h));
  fine.steps(theta * h / 16, 16);
  return distance(coarse.at(theta), fine.state);
}

// Free fall and constant spin: polynomials of low degree are exact, inside of the step as well.
TEST(RungeKuttaMotion, OfAFreeBodyIsExactAtAllPlacesOfAStep) {
  Flying scene(thrown_box());
  const double h = 0.4;
  ASSERT_TRUE(scene.step(h));
  for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const double t = theta * h;
    const State now = scene.at(theta);
    const Vector3 g(0, 0, -g_0);
    EXPECT_LE((now.configuration.nodes[1].x - (t * Vector3(1, -2, 3) + t * t / 2 * g)).norm(),
              1e-14);
    EXPECT_LE((now.configuration.nodes[1].R - lie::so3::exp(Vector3(0, 0, 4 * t))).norm(), 1e-14);
    EXPECT_LE((scene.linear(now.velocity, 1) - Vector3(1, -2, 3) - t * g).norm(), 1e-14);
  }
  EXPECT_LE(scene.flow.error(1, 1), 1e-14);
  EXPECT_LE((scene.flow.motion().segment<3>(3) - Vector3(0, 0, 4 * h)).norm(), 1e-14);
}

TEST(RungeKuttaMotion, HasALocalErrorOfSixthOrder) {
  EXPECT_NEAR(std::log2(error_at(0.02, 1) / error_at(0.01, 1)), 6, 0.5);
}

TEST(RungeKuttaMotion, HasAContinuousExtensionOfFourthOrder) {
  for (const double theta : {0.3, 0.6}) {
    EXPECT_NEAR(std::log2(error_at(0.04, theta) / error_at(0.02, theta)), 5, 0.5) << theta;
  }
}

// A step that is stretched by a little is the step that is as long.
TEST(RungeKuttaMotion, IsStretchedWithoutDoingItAgain) {
  const double h = 0.01, more = 1e-5 * h;
  Flying stretched(skew_pendulum({1, 2, 1})), whole(skew_pendulum({1, 2, 1}));
  ASSERT_TRUE(stretched.step(h));
  stretched.flow.stretch(more);
  ASSERT_TRUE(whole.step(h + more));
  EXPECT_LE(distance(stretched.at(1), whole.at(1)), 1e-14);
  const JointReaction& one = stretched.flow.totals().joints.front();
  const JointReaction& other = whole.flow.totals().joints.front();
  EXPECT_LE((one.force - other.force).norm(), 1e-10);
  EXPECT_LE((one.torque - other.torque).norm(), 1e-10);
}

// Steps of any length from one place, whose accelerations are found once.
TEST(RungeKuttaMotion, TriesStepsOfOtherLengthsFromTheSamePlace) {
  Flying scene(skew_pendulum({1, 2, 1})), other(skew_pendulum({1, 2, 1}));
  ASSERT_TRUE(scene.step(0.05));
  ASSERT_TRUE(scene.flow.try_step(0.02));
  ASSERT_TRUE(other.step(0.02));
  EXPECT_EQ(distance(scene.at(1), other.at(1)), 0);
}

// The estimate is that of the embedded method of order 4, one order larger than the error itself.
TEST(RungeKuttaMotion, EstimatesItsErrorFromAbove) {
  const auto estimate = [](double h) {
    Flying scene(skew_pendulum({1, 2, 1}));
    EXPECT_TRUE(scene.step(h));
    return scene.flow.error(1, 1);
  };
  EXPECT_NEAR(std::log2(estimate(0.1) / estimate(0.05)), 5, 0.5);
  EXPECT_GT(estimate(0.02), error_at(0.02, 1));
  // In units of the tolerance.
  Flying scene(skew_pendulum({1, 2, 1}));
  ASSERT_TRUE(scene.step(0.1));
  EXPECT_NEAR(scene.flow.error(1e-6, 1), 1e6 * scene.flow.error(1, 1), 1e-6);
}

TEST(RungeKuttaMotion, TotalsTheImpulseOfARestingBall) {
  Flying scene(ball_on_floor({.mass = 3, .position = {0, 0, 0.5}}, {.friction = 0.3}),
               ContactStatus::Stick);
  ASSERT_TRUE(scene.step(0.2));
  const MotionTotals& totals = scene.flow.totals();
  EXPECT_LE((totals.impulse.at(0) - Vector3(3 * g_0 * 0.2, 0, 0)).norm(), 1e-13);
  EXPECT_LE((totals.force.at(0) - Vector3(0, 0, 3 * g_0 * 0.2)).norm(), 1e-13);
  EXPECT_EQ(totals.friction.at(0), 0);
  EXPECT_EQ(scene.at(1).velocity.norm(), 0);
}

// A ball slides: v = v₀ − μ g t, its skin gains 5/2 of that, and μ m g times the slipped way is
// lost.
TEST(RungeKuttaMotion, TotalsTheFrictionOfASlidingBall) {
  const double m = 2, mu = 0.2, v = 4, h = 0.3;
  Flying scene(ball_on_floor(
      {.mass = m, .position = {0, 0, 0.5}, .velocity = {.linear = {v, 0, 0}}}, {.friction = mu}));
  ASSERT_TRUE(scene.step(h));
  const double slipped = v * h - 3.5 * mu * g_0 * h * h / 2;
  const MotionTotals& totals = scene.flow.totals();
  EXPECT_NEAR(totals.friction.at(0), mu * m * g_0 * slipped, 1e-12);
  EXPECT_LE((totals.force.at(0) - m * g_0 * h * Vector3(-mu, 0, 1)).norm(), 1e-12);
  const State end = scene.at(1);
  const double before = scene.energy(scene.state.configuration, scene.state.velocity);
  EXPECT_NEAR(scene.energy(end.configuration, end.velocity), before - totals.friction.at(0), 1e-12);
}

// A belt brings work in, part of which friction takes.
TEST(RungeKuttaMotion, TotalsTheWorkOfABelt) {
  Model model = ball_on_floor({.mass = 2, .position = {0, 0, 0.5}}, {.friction = 0.2});
  std::get<HalfSpace>(model.colliders[0].shape).surface_velocity = {3, 0, 0};
  Flying scene(model);
  const double h = 0.1;
  ASSERT_TRUE(scene.step(h));
  const MotionTotals& totals = scene.flow.totals();
  EXPECT_NEAR(totals.external, 0.2 * 2 * g_0 * 3 * h, 1e-12);
  const State end = scene.at(1);
  const double gained = scene.system.kinetic_energy(end.configuration, end.velocity);
  EXPECT_NEAR(gained, totals.external - totals.friction.at(0), 1e-12);
}

// Loads, drives and dampers: what comes in and goes out is what the stored energy changes by.
TEST(RungeKuttaMotion, ClosesTheBooksOfLoadsDrivesAndDampers) {
  const auto gap = [](double h) {
    Model model = skew_pendulum({0, 1, 0.2});
    std::get<Revolute>(model.joints[1]).drive = Position{Sine{.amplitude = 0.5, .frequency = 0.4}};
    model.add(TorsionalSpringDamper{.joint = JointId{0}, .stiffness = 5, .damping = 0.8});
    model.add(Force{.on = at(BodyId{1}), .value = {2.0, Sine{.amplitude = 3}, 1.0}});
    Flying scene(model);
    EXPECT_TRUE(scene.step(h));
    const State end = scene.at(1);
    const MotionTotals& totals = scene.flow.totals();
    EXPECT_GT(totals.damping, 0);
    return scene.energy(end.configuration, end.velocity) -
           scene.energy(scene.state.configuration, scene.state.velocity) - totals.external +
           totals.damping;
  };
  EXPECT_LE(std::abs(gap(0.05)), 1e-6);
  EXPECT_NEAR(std::log2(std::abs(gap(0.1) / gap(0.05))), 6, 0.8);
}

// What a joint gives that holds a weight.
TEST(RungeKuttaMotion, TotalsTheImpulsesOfJoints) {
  Model model;
  model.add(PointMass{.name = "mass", .mass = 2, .velocity = {.linear = {3, 0, 0}}});
  model.add(Lock{.body = BodyId{0}, .translation = {Axis::Z}});
  Flying scene(model);
  ASSERT_TRUE(scene.step(0.25));
  ASSERT_EQ(scene.flow.totals().joints.size(), 1U);
  const Vector3 impulse = scene.flow.totals().joints.front().force;
  EXPECT_LE((impulse - Vector3(0, 0, 2 * g_0 * 0.25)).norm(), 1e-12);
  EXPECT_NEAR(scene.flow.totals().external, 0, 1e-15);  // an ideal joint does no work
}

TEST(RungeKuttaMotion, GivesUpWhereAForceIsNotANumber) {
  Model model = thrown_box();
  model.add(Force{.on = at(BodyId{0}), .value = {Expression{"sqrt(0.05-t)"}, 0.0, 0.0}});
  Flying scene(model);
  EXPECT_TRUE(scene.step(0.04));
  EXPECT_FALSE(scene.step(0.2));
}

}  // namespace runge_kutta_motion_test
}  // namespace saltus
