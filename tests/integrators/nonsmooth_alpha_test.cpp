// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/nonsmooth_alpha.hpp"

#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/stepped.hpp"

namespace saltus {
namespace nonsmooth_alpha_test {

using namespace test;

using Alpha = NonsmoothGeneralizedAlpha;

Model dropped_ball(const Vector3& velocity, Contact contact, double height = 0) {
  return ball_on_floor(
      {.mass = 2, .position = {0, 0, 0.5 + height}, .velocity = {.linear = velocity}},
      std::move(contact));
}

/// A ball on the floor that carries a mass on a spring, at rest.
Model carrying_ball(double stiffness, double damping) {
  Model model = dropped_ball({0, 0, 0}, {.friction = 0.3});
  const double squeezed = 3 * g_0 / stiffness;
  const BodyId top =
      model.add(PointMass{.name = "top", .mass = 3, .pose = {.position = {0, 0, 1.5 - squeezed}}});
  model.add(Lock{.body = top, .translation = {Axis::X, Axis::Y}});
  model.add(SpringDamper{.between = {at(BodyId{0}), at(top)},
                         .stiffness = stiffness,
                         .damping = damping,
                         .rest_length = 1});
  return model;
}

TEST(NonsmoothAlpha, OfAFreeBodyIsExact) {
  Model model = dropped_ball({1, 2, 3}, {}, 100);
  std::get<RigidBody>(model.bodies[0]).velocity.angular = {1, -2, 0.5};
  Stepped ball(model, Alpha{.step = 0.1});
  ASSERT_TRUE(ball.steps(10));
  EXPECT_LE((ball.node(1).x - Vector3(1, 2, 103.5 - g_0 / 2)).norm(), 1e-12);
  EXPECT_LE((ball.velocity(1) - Vector3(1, 2, 3 - g_0)).norm(), 1e-12);
  // A ball turns about any axis; the turns are counted beyond π.
  EXPECT_LE((ball.node(1).R - lie::so3::exp(Vector3(1, -2, 0.5))).norm(), 1e-12);
  ASSERT_TRUE(ball.steps(20));
  EXPECT_LE((ball.state.rotation[1] - 3 * Vector3(1, -2, 0.5)).norm(), 1e-11);
  EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-10);
  EXPECT_NEAR(ball.state.energy.numerical_loss, 0, 1e-10);
}

// Both levels: after any number of steps joints are where they belong, and so are their rates.
TEST(NonsmoothAlpha, HoldsJointsAtBothLevels) {
  Stepped pendulum(skew_pendulum({0, 2, 1}), Alpha{.step = 0.01});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(pendulum.steps());
    const Configuration& q = pendulum.state.configuration;
    EXPECT_LE(pendulum.violation(q).cwiseAbs().maxCoeff(), 2e-13);
    EXPECT_LE(pendulum.rates(q, pendulum.state.velocity).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// One matrix for the smooth motion, one for both corrections; with a spring these have their own.
TEST(NonsmoothAlpha, CorrectsAMechanismAtBothLevelsWithOneMatrix) {
  for (const bool has_spring : {false, true}) {
    Model model = skew_pendulum({0, 2, 1});
    if (has_spring) {
      model.add(SpringDamper{.between = {at(model.ground(), {3, 0, 0}), at(BodyId{0})},
                             .stiffness = 10,
                             .rest_length = 1});
    }
    const System system(model);
    NonsmoothAlphaStepper stepper(system, {.step = 1e-3});
    State state = initial_state(system, stepper.kkt());
    const auto steps = [&](int first, int last) {
      for (int n = first; n <= last; ++n)
        ASSERT_TRUE(stepper.step(state, 1e-3, n * 1e-3).converged);
    };
    steps(1, 2);
    const int before = stepper.kkt().counts().numeric;
    steps(3, 12);
    const int matrices = stepper.kkt().counts().numeric - before;
    EXPECT_EQ(matrices > 20, has_spring) << matrices;
    EXPECT_GE(matrices, 20);
  }
}

// The ledger closes to round-off while the scheme itself loses a little, with the square of h.
TEST(NonsmoothAlpha, ClosesItsBooks) {
  const auto lost = [](double h) {
    Stepped pendulum(skew_pendulum({0, 2, 1}), Alpha{.step = h});
    const int n = static_cast<int>(std::lround(0.4 / h));
    const double start = pendulum.energy(pendulum.state.configuration, pendulum.state.velocity);
    EXPECT_TRUE(pendulum.steps(n));
    EXPECT_NEAR(pendulum.state.energy.residual(), 0, 1e-11);
    const double end = pendulum.energy(pendulum.state.configuration, pendulum.state.velocity);
    EXPECT_NEAR(start - end, pendulum.state.energy.numerical_loss, 1e-11);
    return pendulum.state.energy.numerical_loss;
  };
  EXPECT_NEAR(std::log2(lost(0.01) / lost(0.005)), 2, 0.3);
}

// (18): a₀ is the acceleration at t₀ + (α_m − α_f) h, of a force that grows with time.
TEST(NonsmoothAlpha, StartsWithTheAccelerationOfItsOwnInstant) {
  Model model;
  model.gravity.setZero();
  const BodyId mass = model.add(PointMass{.name = "mass", .mass = 2});
  model.add(Force{.on = at(mass), .value = {Expression{"3+5*t"}, 0.0, 0.0}});
  const double h = 0.1;
  Stepped scene(model, Alpha{.step = h, .rho_inf = 0.8});
  const AlphaCoefficients c(0.8);
  EXPECT_NEAR(scene.state.pseudo_acceleration[0], 1.5 + (c.alpha_m - c.alpha_f) * h * 2.5, 1e-13);
  // So the first step is exact already: v = 1.5 t + 1.25 t².
  ASSERT_TRUE(scene.steps());
  EXPECT_NEAR(scene.state.velocity[0], 1.5 * h + 1.25 * h * h, 1e-13);
}

// Newton's law exactly, whatever gravity does in the step: v⁺ = −e v⁻, and the gap is closed.
TEST(NonsmoothAlpha, ReversesTheApproachOfAnImpact) {
  for (const double e : {0.0, 0.4, 1.0}) {
    Stepped ball(dropped_ball({1, 0, -2}, {.restitution = e}, 0.005), Alpha{.step = 0.01});
    ASSERT_TRUE(ball.steps());
    EXPECT_NEAR(ball.velocity(1).z(), 2 * e, 1e-12);
    EXPECT_NEAR(ball.velocity(1).x(), 1, 1e-14);
    EXPECT_NEAR(ball.gap(ball.state.configuration), 0, 1e-14);
    EXPECT_EQ(ball.count(ContactEventKind::Impact), 1);
    EXPECT_NEAR(ball.state.energy.residual(), 0, 1e-12);
  }
}

TEST(NonsmoothAlpha, LosesWhatRestitutionDoesNotGiveBack) {
  for (const double e : {0.0, 0.4, 1.0}) {
    Stepped balls(two_balls({.mass = 1, .velocity = {.linear = {2, 0, 0}}},
                            {.mass = 3, .position = {1.001, 0, 0}}, {.restitution = e}),
                  Alpha{.step = 1e-3});
    const Vector6 before = balls.momenta();
    ASSERT_TRUE(balls.steps());
    EXPECT_NEAR(balls.velocity(2).x() - balls.velocity(1).x(), 2 * e, 1e-12);
    const double lost = 0.5 * (1 - e * e) * 0.75 * 4;
    EXPECT_NEAR(balls.state.energy.impact_loss, lost, 1e-12);
    EXPECT_NEAR(balls.state.contact_losses.at(0).impact, lost, 1e-12);
    EXPECT_LE((balls.momenta() - before).norm(), 1e-12);
  }
}

// Statics is a fixed point of the step: ν = ½ h² λ, Λ = h λ, with stiff springs and dampers.
TEST(NonsmoothAlpha, LetsWhatAContactCarriesComeToRest) {
  for (const double damping : {0.0, 20.0}) {
    const double h = 0.01, k = 1e5;  // h² k/m is 3: far beyond what explicit steps could do
    Stepped scene(carrying_ball(k, damping), Alpha{.step = h});
    ASSERT_TRUE(scene.steps(200)) << scene.report.message;
    EXPECT_LE(scene.state.velocity.norm(), 1e-9);
    EXPECT_NEAR(scene.node(1).x.z(), 0.5, 1e-12);
    EXPECT_NEAR(scene.node(2).x.z(), 1.5 - 3 * g_0 / k, 1e-9);
    ASSERT_EQ(scene.state.contacts.size(), 1u);
    EXPECT_NEAR(scene.state.contacts[0].impulse[0], 5 * g_0 * h, 1e-7);
  }
}

// Friction at both levels: a box on an incline below the angle of friction does not creep.
TEST(NonsmoothAlpha, LetsABoxStickWithoutCreep) {
  Model model = box_on_floor(2, {1, 0.6, 0.2}, {}, {.friction = 0.5});
  model.gravity = g_0 * Vector3(std::sin(0.4), 0, -std::cos(0.4));
  Stepped box(model, Alpha{.step = 0.01});
  ASSERT_TRUE(box.steps(200));
  EXPECT_LE((box.node(1).x - Vector3(0, 0, 0.1)).norm(), 1e-13);
  Stepped creeping(model, Alpha{.step = 0.01, .position_friction = false});
  ASSERT_TRUE(creeping.steps(200));
  EXPECT_GT(creeping.node(1).x.x(), 1e-3);
}

// A ball that rolls on a curved base turns its normal: lasting contacts are of second order.
TEST(NonsmoothAlpha, RollsDownASphereWithSecondOrder) {
  const auto energy_lost = [](double h) {
    Model model;
    model.add(Collider{.name = "base", .frame = at(model.ground()), .shape = Sphere{1}});
    add_ball(model, "ball", 1, 0.5, 1.5 * Vector3(std::sin(0.3), 0, std::cos(0.3)));
    model.add(Contact{.between = {"base", "skin_of_ball"}, .friction = 2.0});
    Stepped ball(model, Alpha{.step = h});
    EXPECT_TRUE(ball.steps(static_cast<int>(std::lround(0.2 / h))));
    // Rolling without slip: 7/10 m v² is all the energy that the height gave.
    const double fallen = 1.5 * std::cos(0.3) - ball.node(1).x.z();
    return g_0 * fallen - 0.7 * ball.velocity(1).squaredNorm();
  };
  EXPECT_NEAR(std::log2(std::abs(energy_lost(0.01) / energy_lost(0.005))), 2, 0.4);
}

// The two schemes solve other equations, and agree to the order of the step.
TEST(NonsmoothAlpha, CoupledAndDecoupledDifferWithTheSquareOfTheStep) {
  const auto difference = [](double h) {
    Stepped a(skew_pendulum({0, 2, 1}), Alpha{.step = h}),
        b(skew_pendulum({0, 2, 1}), Alpha{.step = h, .coupling = Coupling::Coupled});
    const int n = static_cast<int>(std::lround(0.2 / h));
    EXPECT_TRUE(a.steps(n));
    EXPECT_TRUE(b.steps(n)) << b.report.message;
    return (a.state.velocity - b.state.velocity).norm();
  };
  const double coarse = difference(0.01), fine = difference(0.005);
  EXPECT_LE(coarse, 1e-3);
  EXPECT_GE(std::log2(coarse / fine), 1.7);
}

TEST(NonsmoothAlpha, ThatFailsLeavesTheStateAsItWas) {
  Stepped pendulum(skew_pendulum({0, 20, 10}), Alpha{.step = 0.05, .max_iterations = 1});
  const State before = pendulum.state;
  EXPECT_FALSE(pendulum.steps());
  EXPECT_TRUE(is_same(pendulum.state, before));
  EXPECT_FALSE(pendulum.report.message.empty());
  const StepReport accepted = pendulum.stepper->step(pendulum.state, 0.05, 0.05, true);
  EXPECT_FALSE(accepted.converged);
  EXPECT_EQ(pendulum.state.time, 0.05);
  EXPECT_TRUE(pendulum.state.velocity.allFinite());
}

TEST(NonsmoothAlpha, IsTheSameToTheLastBitTwice) {
  const Model model = box_on_floor(2, {1, 0.6, 0.5}, {.linear = {1, 0.5, -1}, .angular = {1, 0, 0}},
                                   {.restitution = 0.4, .friction = 0.3});
  Stepped first(model, Alpha{.step = 0.01}), again(model, Alpha{.step = 0.01});
  ASSERT_TRUE(first.steps(20));
  ASSERT_TRUE(again.steps(20));
  EXPECT_TRUE(is_same(first.state, again.state));
}

TEST(NonsmoothAlpha, TurnsWithTheScene) {
  Random random(8);
  const Matrix3 R = random.rotation();
  const Vector3 x = random.vector();
  const Model model =
      two_balls({.mass = 1, .velocity = {.linear = {2, 0.4, 0}, .angular = {0, 0, 3}}},
                {.mass = 3, .position = {1.01, 0, 0}}, {.restitution = 0.7, .friction = 0.3});
  Stepped balls(model, Alpha{.step = 0.01}), turned(carried(model, R, x), Alpha{.step = 0.01});
  ASSERT_TRUE(balls.steps(3));
  ASSERT_TRUE(turned.steps(3));
  for (const int i : {1, 2}) {
    EXPECT_LE((turned.node(i).x - R * balls.node(i).x - x).norm(), 1e-10);
    EXPECT_LE((turned.velocity(i) - R * balls.velocity(i)).norm(), 1e-10);
    EXPECT_LE((turned.spin(i) - balls.spin(i)).norm(), 1e-9);
  }
  EXPECT_NEAR(turned.state.energy.impact_loss, balls.state.energy.impact_loss, 1e-10);
}

}  // namespace nonsmooth_alpha_test
}  // namespace saltus
