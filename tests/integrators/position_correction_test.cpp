// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/support/one_step.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace position_correction_test {

using namespace test;

constexpr double h = 0.01;

/// A ball that comes down on the floor within the step.
Model falling_ball(const Vector3& velocity, double friction) {
  return ball_on_floor({.mass = 2, .position = {0, 0, 0.501}, .velocity = {.linear = velocity}},
                       {.friction = friction});
}

/// A bar on a hinge whose tip comes down on the floor.
Model falling_bar() {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId bar = model.add(RigidBody{.name = "bar",
                                         .inertia = solid_box(3, {1, 0.1, 0.2}),
                                         .pose = {.position = {0.5, 0, 0.201}},
                                         .velocity = {.linear = {0, 0, -1}, .angular = {0, 2, 0}}});
  model.add(Collider{.name = "tip", .frame = at(bar, {0.5, 0, 0}), .shape = Sphere{0.2}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), bar},
                     .at = Vector3(0, 0, 0.201),
                     .axis = Vector3(0, 1, 0)});
  model.add(Contact{.name = "stop", .between = {"floor", "tip"}, .friction = 0.2});
  return model;
}

TEST(PositionCorrection, BringsJointsBackExactly) {
  OneStep step(skew_pendulum({0, 4, 2}), 0.02);
  ASSERT_TRUE(step.predict());
  ASSERT_GT(step.violation(step.smooth.configuration()).norm(), 1e-7);
  ASSERT_TRUE(step.correct_position()) << step.report.message;
  EXPECT_LE(step.violation(step.next.configuration).cwiseAbs().maxCoeff(), 2e-13);
  // q = q̃ ∘ exp U
  const Configuration q = moved(step.system, step.smooth.configuration(), step.U());
  for (std::size_t i : {1u, 2u}) {
    EXPECT_LE((q.nodes[i].R - step.next.configuration.nodes[i].R).norm(), 1e-14);
  }
}

// Without force differences M U = Gᵀν: the least motion, normal to all that the joints allow.
TEST(PositionCorrection, IsTheLeastMotionOntoTheJoints) {
  OneStep step(skew_pendulum({0, 4, 2}), 0.02, {.force_difference = false});
  ASSERT_TRUE(step.to_positions());
  const int n = step.system.velocities();
  MatrixX G(step.system.constraints(), n);
  for (int i = 0; i < n; ++i) G.col(i) = step.rates(step.next.configuration, VectorX::Unit(n, i));
  const linalg::PivotedQr qr(G.transpose(), 1e-9);
  const MatrixX Z = qr.Q().rightCols(n - qr.rank());
  ASSERT_EQ(Z.cols(), 2);
  const VectorX M_U = step.momentum(step.next.configuration, step.U());
  EXPECT_GT(M_U.norm(), 1e-8);
  EXPECT_LE((Z.transpose() * M_U).norm(), 1e-6 * M_U.norm());  // its balance needs no more
}

// M U = Hᵀν of a ball: it is lifted onto the floor, and ν_N = m times what it sank in.
TEST(PositionCorrection, ClosesAGapWithTheMultiplierOfTheMotion) {
  OneStep step(falling_ball({0, 0, -2}, 0), h);
  ASSERT_TRUE(step.predict());
  const double depth = -step.gap(step.smooth.configuration());
  ASSERT_NEAR(depth, 2 * h + g_0 * h * h / 2 - 0.001, 1e-12);
  ASSERT_TRUE(step.correct_position());
  EXPECT_NEAR(step.gap(step.next.configuration), 0, 1e-15);
  EXPECT_NEAR(step.nu()[0], 2 * depth, 1e-13);
  EXPECT_NEAR(step.U()[2], depth, 1e-15);
  EXPECT_TRUE(step.point().closed);
  EXPECT_NEAR(step.report.penetration, 0, 1e-15);
}

// Signorini: a point that stays open has no multiplier, and nothing is moved.
TEST(PositionCorrection, LeavesOpenPointsAlone) {
  OneStep step(falling_ball({0, 0, 1}, 0.5), h);
  ASSERT_TRUE(step.to_positions());
  EXPECT_EQ(step.U().norm(), 0);
  for (std::size_t i = 0; i < step.contacts.points().size(); ++i) {
    EXPECT_EQ(step.nu(i).norm(), 0);
    EXPECT_FALSE(step.point(i).closed);
  }
  EXPECT_EQ(step.report.position_iterations, 0);
}

// Coulomb's law between the slip of the step and ν: of a ball 2/7 of m h v hold it, if μ allows.
TEST(PositionCorrection, HoldsTheSlipOfAStepOrOpposesIt) {
  const double along = 1.5;
  for (const double mu : {0.1, 2.0}) {
    OneStep step(falling_ball({0, along, -2}, mu), h);
    ASSERT_TRUE(step.to_positions()) << step.report.message;
    const double normal = step.nu()[0], holding = 2.0 / 7 * 2 * h * along;
    const double friction = std::min(mu * normal, holding);
    const Vector3 reaction = step.inertial(step.nu());
    EXPECT_NEAR(reaction.y(), -friction, 1e-13) << mu;
    EXPECT_NEAR(reaction.x(), 0, 1e-15);
    const Vector6 g = step.contacts.gap(step.state, step.next.configuration, 0);
    EXPECT_NEAR(g.segment<2>(1).norm(), h * along - 3.5 * friction / 2, 1e-13) << mu;
  }
}

TEST(PositionCorrection, WithoutFrictionAtThisLevelMovesAlongTheNormalOnly) {
  OneStep step(falling_ball({0, 1.5, -2}, 2), h, {.position_friction = false});
  ASSERT_TRUE(step.to_positions());
  EXPECT_EQ(step.nu().tail<5>().norm(), 0);
  EXPECT_NEAR(step.next.configuration.nodes[1].x.y(), h * 1.5, 1e-15);
}

// (6): (M + ½h² K + h C) U = Hᵀν. What the contact moves, springs and dampers feel.
TEST(PositionCorrection, TellsForcesWhatItMoves) {
  const double m = 2, k = 5e4, c = 300;
  for (const bool aware : {true, false}) {
    Model model = point_on_floor(m, {0, 0, 0.001}, {0, 0, -2}, {});
    const BodyId mass{0};
    model.add(Lock{.body = mass, .translation = {Axis::X, Axis::Y}});
    model.add(SpringDamper{
        .between = {at(model.ground(), {0, 0, 1}), at(mass)}, .stiffness = k, .damping = c});
    OneStep step(model, h, {.force_difference = aware});
    ASSERT_TRUE(step.to_positions()) << step.report.message;
    const double U = step.U()[2], feels = aware ? h * h / 2 * k + h * c : 0;
    EXPECT_GT(U, 1e-4);
    EXPECT_NEAR(step.nu()[0] / U, m + feels, 1e-6);
    EXPECT_NEAR(step.gap(step.next.configuration), 0, 1e-13);
  }
}

// What a sticking contact slipped within the tolerance is taken back in the next step.
TEST(PositionCorrection, TakesCreepBack) {
  OneStep step(point_on_floor(2, {0, 0, 0}, {0, 0, 0}, {.friction = 0.5}), h);
  const Vector3 t1(1, 0, 0);
  ContactState last{
      .contact = 0, .status = ContactStatus::Stick, .impulse = {2 * g_0 * h, 0, 0}, .t1 = t1};
  last.creep << 3e-7, -4e-7, 0, 0, 0;
  step.state.contacts = {last};
  ASSERT_TRUE(step.to_positions());
  const Matrix3 axes = step.point().axes();
  const Vector3 moved_by = step.next.configuration.nodes[1].x;
  EXPECT_LE((moved_by + axes.rightCols<2>() * last.creep.head<2>()).norm(), 1e-16);
  EXPECT_LE(step.position.reactions()[0].creep.norm(), 1e-16);  // nothing is left of it
}

// Two free balls: each gives way by its share, and angular momentum of the correction vanishes.
TEST(PositionCorrection, BetweenTwoBodiesHasNoResultant) {
  OneStep step(two_balls({.mass = 1, .velocity = {.linear = {2, 1, 0.3}}},
                         {.mass = 3, .radius = 0.3, .position = {0.81, 0, 0}}, {.friction = 0.4}),
               h);
  ASSERT_TRUE(step.to_positions());
  EXPECT_GT(step.nu()[0], 0);
  EXPECT_NEAR(step.gap(step.next.configuration), 0, 1e-11);
  const VectorX M_U = step.momentum(step.next.configuration, step.U());
  EXPECT_GT(M_U.norm(), 1e-3);
  EXPECT_LE(resultant(step.system, step.next.configuration, M_U).head<3>().norm(), 1e-15);
}

TEST(PositionCorrection, MeetsJointsAndGapsAtOnce) {
  OneStep step(falling_bar(), h);
  ASSERT_TRUE(step.predict());
  ASSERT_LT(step.gap(step.smooth.configuration()), -1e-3);
  ASSERT_TRUE(step.correct_position()) << step.report.message;
  EXPECT_NEAR(step.gap(step.next.configuration), 0, 1e-11);
  EXPECT_LE(step.violation(step.next.configuration).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(PositionCorrection, SaysWhatRemains) {
  OneStep joint(skew_pendulum({0, 4, 2}), 0.02, {.max_iterations = 0});
  EXPECT_FALSE(joint.to_positions());
  EXPECT_NE(joint.report.message.find("position correction"), std::string::npos);
  EXPECT_NE(joint.report.message.find("joint violation"), std::string::npos);
  OneStep contact(falling_bar(), h, {.max_iterations = 0});
  EXPECT_FALSE(contact.to_positions());
  EXPECT_NE(contact.report.message.find("\"stop\""), std::string::npos);
}

TEST(PositionCorrection, TurnsWithTheScene) {
  Random random(5);
  const Model model = falling_bar();
  for (int i = 0; i < 5; ++i) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector();
    OneStep step(model, h), turned(carried(model, R, x), h);
    ASSERT_TRUE(step.to_positions());
    ASSERT_TRUE(turned.to_positions());
    EXPECT_LE(
        (turned.next.configuration.nodes[1].x - R * step.next.configuration.nodes[1].x - x).norm(),
        1e-11);
    EXPECT_NEAR(turned.nu()[0], step.nu()[0], 1e-9);
  }
}

}  // namespace position_correction_test
}  // namespace saltus
