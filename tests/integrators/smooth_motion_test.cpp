// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/smooth_motion.hpp"

#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/scene.hpp"

namespace saltus {
namespace smooth_motion_test {

using namespace test;

constexpr double tolerance = 1e-10;

/// A scene and one smooth motion from its start.
struct OneMotion : Scene {
  SmoothMotion motion;
  State next;
  StepReport report;
  bool converged;

  OneMotion(const Model& model, double h, double rho_inf = 0.8, int max_iterations = 25)
      : Scene(model), motion(system, kkt, rho_inf, tolerance, max_iterations), next(state) {
    converged = motion.solve(state, h, {.time = h}, next, report);
  }
};

Model ballistic_box() {
  Model model;
  model.add(RigidBody{.name = "box",
                      .inertia = solid_box(2.0, {0.3, 0.2, 0.1}),
                      .pose = {.position = {1, 2, 3}},
                      .velocity = {.linear = {0.5, -1, 4}, .angular = {0, 0, 3}}});
  return model;
}

// Of constant acceleration and constant angular velocity the formulas (1)–(3) are exact.
TEST(SmoothMotion, OfAFreeBodyAboutAPrincipalAxisIsExact) {
  for (const double rho : {0.0, 0.8, 1.0}) {
    const double h = 0.1;
    const OneMotion step(ballistic_box(), h, rho);
    ASSERT_TRUE(step.converged) << step.report.message;
    const NodePose& end = step.motion.configuration().nodes[1];
    const Vector3 g(0, 0, -g_0);
    EXPECT_LE((end.x - (Vector3(1, 2, 3) + h * Vector3(0.5, -1, 4) + h * h / 2 * g)).norm(), 1e-14);
    EXPECT_LE((end.R - lie::so3::exp(Vector3(0, 0, 3 * h))).norm(), 1e-14);
    EXPECT_LE((step.linear(step.motion.velocity(), 1) - Vector3(0.5, -1, 4) - h * g).norm(), 1e-14);
    EXPECT_LE((step.angular(step.motion.velocity(), 1) - Vector3(0, 0, 3)).norm(), 1e-14);
  }
}

// A linear oscillator: the equations (1)–(3) and (7) are a linear system that can be solved apart.
TEST(SmoothMotion, OfALinearOscillatorSolvesTheFormulasOfTheMethod) {
  const double m = 2, k = 300, x_0 = 0.1, v_0 = -0.4, h = 0.05, rho = 0.6;
  Model model;
  model.gravity.setZero();
  const BodyId mass = model.add(PointMass{.name = "mass",
                                          .mass = m,
                                          .pose = {.position = {1 + x_0, 0, 0}},
                                          .velocity = {.linear = {v_0, 0, 0}}});
  model.add(
      SpringDamper{.between = {at(model.ground()), at(mass)}, .stiffness = k, .rest_length = 1});
  const OneMotion step(model, h, rho);
  ASSERT_TRUE(step.converged);
  EXPECT_EQ(step.report.smooth_iterations, 1);  // Newton's method on a linear equation

  const AlphaCoefficients c(rho);
  const double w = k / m, a_0 = -w * x_0;
  // v̇ = −w x, x = x_p + h²β a and (1 − α_m) a = (1 − α_f) v̇ + (α_f − α_m) a_0
  const double x_p = x_0 + h * v_0 + h * h * (0.5 - c.beta) * a_0;
  const double rest = (c.alpha_f - c.alpha_m) * a_0;
  const double a =
      (rest - (1 - c.alpha_f) * w * x_p) / (1 - c.alpha_m + (1 - c.alpha_f) * w * h * h * c.beta);
  const double x = x_p + h * h * c.beta * a, v = v_0 + h * ((1 - c.gamma) * a_0 + c.gamma * a);
  EXPECT_NEAR(step.motion.configuration().nodes[1].x.x(), 1 + x, 1e-14);
  EXPECT_NEAR(step.motion.velocity()[0], v, 1e-13);
  EXPECT_NEAR(step.next.acceleration[0], -w * x, 1e-11);
  EXPECT_NEAR(step.next.pseudo_acceleration[0], a, 1e-11);
  EXPECT_NEAR(step.motion.increment()[0], x - x_0, 1e-14);
}

TEST(SmoothMotion, BalancesForcesAndFollowsTheJoints) {
  const OneMotion step(skew_pendulum({0, 2, 1}), 0.01);
  ASSERT_TRUE(step.converged);
  const Configuration& q = step.motion.configuration();
  const VectorX f = step.forces(q, step.motion.velocity(), step.next.multiplier);
  const VectorX M_vdot = step.momentum(q, step.next.acceleration);
  EXPECT_LE((f - M_vdot).norm(), 1e-9 * M_vdot.norm());  // (7), to the tolerance of Newton's method
  EXPECT_LE((step.motion.balance() - f).norm(), 1e-12 * f.norm());
  EXPECT_LE(step.rates(q, step.motion.velocity()).norm(), 1e-9);
  const VectorX again =
      moved(step.system, step.state.configuration, step.motion.increment()).nodes[2].x;
  EXPECT_LE((again - q.nodes[2].x).norm(), 1e-15);
}

// Joints hold at velocity level only: positions leave them by the error of one step.
TEST(SmoothMotion, LeavesTheJointsWithTheThirdPowerOfTheStep) {
  const auto drift = [](double h) {
    const OneMotion step(skew_pendulum({0, 2, 1}), h);
    return step.violation(step.motion.configuration(), h).norm();
  };
  EXPECT_GT(drift(0.02), 1e-8);  // it does leave them
  EXPECT_NEAR(std::log2(drift(0.02) / drift(0.01)), 3, 0.2);
}

// Two half steps and one whole step differ by what one step does wrong.
TEST(SmoothMotion, HasALocalErrorOfThirdOrder) {
  const auto difference = [](double h) {
    OneMotion whole(skew_pendulum({0, 2, 1}), h, 1.0), fine(skew_pendulum({0, 2, 1}), h / 16, 1.0);
    for (int i = 2; i <= 16; ++i) {
      State start = fine.next;
      start.configuration = fine.motion.configuration();
      start.velocity = fine.motion.velocity();
      EXPECT_TRUE(fine.motion.solve(start, h / 16, {.time = i * h / 16}, fine.next, fine.report));
    }
    return (whole.motion.velocity() - fine.motion.velocity()).norm();
  };
  EXPECT_NEAR(std::log2(difference(0.02) / difference(0.01)), 3, 0.25);
}

// The hanging pendulum: the hinge carries the weight, and nothing moves.
TEST(SmoothMotion, LeavesAnEquilibriumWhereItIs) {
  Model model;
  const BodyId rod = model.add(RigidBody{.name = "rod",
                                         .inertia = slender_rod(3.0, 1.0, Vector3::UnitZ()),
                                         .pose = {.position = {0, 0, -0.5}}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), rod},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0)});
  // A thin rod has no inertia about itself, which the hinge holds.
  const OneMotion step(model, 0.01);
  ASSERT_TRUE(step.converged);
  EXPECT_LE(step.motion.increment().norm(), 1e-15);
  EXPECT_LE(step.motion.velocity().norm(), 1e-13);
  VectorX reaction = VectorX::Zero(step.system.velocities());
  step.system.add_constraint_forces(step.motion.configuration(), step.next.multiplier, reaction);
  EXPECT_NEAR(reaction[2], 3.0 * g_0, 1e-10);
}

// Momentum: forces between two bodies cancel at every instant.
TEST(SmoothMotion, KeepsTheMomentumOfTwoBodiesOnASpring) {
  Model model = spring_pair(1.5, 0.5, 200, 0.2, 3);
  std::get<PointMass>(model.bodies[1]).velocity.linear = {0.3, 1, -2};
  const OneMotion step(model, 0.02);
  ASSERT_TRUE(step.converged);
  const auto momentum = [&](const Configuration& q, const VectorX& v) {
    return resultant(step.system, q, step.momentum(q, v)).head<3>().eval();
  };
  const Vector3 before = momentum(step.state.configuration, step.state.velocity);
  EXPECT_LE((momentum(step.motion.configuration(), step.motion.velocity()) - before).norm(), 1e-9);
}

TEST(SmoothMotion, GoesWithTheSceneWhenThatIsTurned) {
  Random random(7);
  const Matrix3 R = random.rotation();
  const Vector3 x = random.vector(2);
  const Model model = skew_pendulum({0, 2, 1});
  const OneMotion step(model, 0.01), turned(carried(model, R, x), 0.01);
  ASSERT_TRUE(step.converged && turned.converged);
  for (std::size_t i : {1u, 2u}) {
    const NodePose &a = step.motion.configuration().nodes[i],
                   &b = turned.motion.configuration().nodes[i];
    EXPECT_LE((b.x - R * a.x - x).norm(), 1e-12);
    EXPECT_LE((b.R - R * a.R).norm(), 1e-12);
  }
  // Body axes and joint frames turn with the scene: angular velocities and loads are the same.
  EXPECT_LE((turned.angular(turned.motion.velocity(), 2) - step.angular(step.motion.velocity(), 2))
                .norm(),
            1e-10);
  EXPECT_NEAR(turned.next.multiplier.norm(), step.next.multiplier.norm(), 1e-8);
}

// The coupled scheme drives the same equations step by step; with no corrections they are the same.
TEST(SmoothMotion, InPartsWithoutCorrectionsIsTheSame) {
  const OneMotion whole(skew_pendulum({0, 2, 1}), 0.01);
  Scene scene(skew_pendulum({0, 2, 1}));
  SmoothMotion motion(scene.system, scene.kkt, 0.8, tolerance, 25);
  State next = scene.state;
  StepReport report;
  const VectorX zero = VectorX::Zero(scene.system.velocities());
  motion.begin(scene.state, 0.01, {.time = 0.01}, next);
  for (int i = 0; i < 10 && !motion.evaluate(scene.state, next, zero, zero); ++i) {
    ASSERT_TRUE(motion.correct(scene.state, next, report));
  }
  EXPECT_LE((motion.velocity() - whole.motion.velocity()).norm(), 1e-12);
  EXPECT_LE((next.multiplier - whole.next.multiplier).norm(), 1e-8);
}

// Forces are taken at the corrected state: with a velocity jump W a damper pulls by c W.
TEST(SmoothMotion, InPartsSeesTheCorrections) {
  const double c = 3, w = 0.2, m = 1.5, h = 0.02;
  Scene scene(spring_pair(m, 0.5, 0, 0, c));
  SmoothMotion motion(scene.system, scene.kkt, 0.8, tolerance, 25);
  State next = scene.state;
  StepReport report;
  VectorX W = VectorX::Zero(scene.system.velocities());
  const VectorX U = W;
  W[3] = w;  // of the second mass, away from the first
  motion.begin(scene.state, h, {.time = h}, next);
  bool converged = false;
  for (int i = 0; i < 10 && !converged; ++i) {
    converged = motion.evaluate(scene.state, next, U, W);
    if (!converged) {
      ASSERT_TRUE(motion.correct(scene.state, next, report));
    }
  }
  ASSERT_TRUE(converged);
  const double relative = motion.velocity()[3] + w - motion.velocity()[0];
  EXPECT_NEAR(m * next.acceleration[0], c * relative, 1e-9);
}

TEST(SmoothMotion, SaysWhatFailed) {
  Model model = ballistic_box();
  model.add(Force{.on = at(BodyId{0}), .value = {Expression{"sqrt(0.005-t)"}, 0.0, 0.0}});
  const OneMotion nan(model, 0.01);
  EXPECT_FALSE(nan.converged);
  EXPECT_NE(nan.report.message.find("not finite"), std::string::npos);
  const OneMotion impatient(skew_pendulum({0, 20, 10}), 0.05, 0.8, 1);
  EXPECT_FALSE(impatient.converged);
  EXPECT_NE(impatient.report.message.find("after 1 iterations"), std::string::npos);
}

}  // namespace smooth_motion_test
}  // namespace saltus
