// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/support/one_step.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace velocity_correction_test {

using namespace test;

constexpr double h = 0.01;

Model ball(double height, const Vector3& velocity, Contact contact) {
  return ball_on_floor(
      {.mass = 2, .position = {0, 0, 0.5 + height}, .velocity = {.linear = velocity}},
      std::move(contact));
}

// (5): a ball at rest has ν = ½ m g h² and Λ = m g h, and neither moves nor gains speed.
TEST(VelocityCorrection, LetsABallRest) {
  OneStep step(ball(0, {0, 0, 0}, {.restitution = 0.7, .friction = 0.3}), h);
  ASSERT_TRUE(step.to_velocities());
  EXPECT_NEAR(step.nu()[0], 2 * g_0 * h * h / 2, 1e-15);
  EXPECT_NEAR(step.impulse()[0], 2 * g_0 * h, 1e-14);
  EXPECT_LE(step.next.velocity.norm(), 1e-15);
  EXPECT_LE((step.W() + step.smooth.velocity()).norm(), 1e-15);
  EXPECT_TRUE(step.velocity.impulses().impacts().empty());
}

// Newton's law along the normal, Coulomb's along the tangents; without friction the rest goes on.
TEST(VelocityCorrection, ReversesTheApproach) {
  for (const double e : {0.0, 0.6, 1.0}) {
    OneStep step(ball(0.005, {1, -0.5, -2}, {.restitution = e}), h);
    ASSERT_TRUE(step.to_velocities());
    EXPECT_LE((step.linear(step.next.velocity, 1) - Vector3(1, -0.5, 2 * e)).norm(), 1e-13);
    // What the ball got: its own reversal and the fall of the step.
    EXPECT_NEAR(step.impulse()[0], 2 * ((1 + e) * 2 + g_0 * h), 1e-12);
  }
}

// A ball slips as long as μ Λ_N is below 2/7 m v; else it rolls.
TEST(VelocityCorrection, HoldsOrOpposesTheSlip) {
  const double along = 1.5;
  for (const double mu : {0.05, 1.0}) {
    OneStep step(ball(0.005, {along, 0, -2}, {.restitution = 0.5, .friction = mu}), h);
    ASSERT_TRUE(step.to_velocities());
    const double normal = step.impulse()[0];
    const double friction = std::min(mu * normal, 2.0 / 7 * 2 * along);
    EXPECT_NEAR(step.inertial(step.impulse()).x(), -friction, 1e-11) << mu;
    EXPECT_NEAR(step.linear(step.next.velocity, 1).x(), along - friction / 2, 1e-12) << mu;
    const double slip = step.contacts.velocity(step.next.velocity, 0).segment<2>(1).norm();
    EXPECT_NEAR(slip, along - 3.5 * friction / 2, 1e-11) << mu;
  }
}

// A superball: if friction can do it, the slip comes back with −e_T.
TEST(VelocityCorrection, ReversesTheSlipWithTangentialRestitution) {
  const double e_T = 0.6;
  OneStep step(ball(0.005, {1.5, 0, -2},
                    {.restitution = 0.9, .tangential_restitution = e_T, .friction = 10.0}),
               h);
  ASSERT_TRUE(step.to_velocities());
  const Vector6 u = step.contacts.velocity(step.next.velocity, 0);
  EXPECT_NEAR((step.point().axes() * u.head<3>()).x(), -e_T * 1.5, 1e-11);
}

TEST(VelocityCorrection, GivesNoImpulseToOpenContacts) {
  OneStep step(ball(0.1, {1, 0, -2}, {.restitution = 0.6, .friction = 0.3}), h);
  ASSERT_TRUE(step.to_velocities());
  EXPECT_EQ(step.W().norm(), 0);
  EXPECT_EQ(step.next.velocity, step.smooth.velocity());
}

// A contact that is closed and parts has no impulse either: it cannot pull.
TEST(VelocityCorrection, LetsAClosedContactPart) {
  Model model = ball(0, {0, 0, 0}, {.restitution = 0.6});
  model.add(Force{.on = at(BodyId{0}), .value = {0.0, 0.0, 30.0}});
  OneStep step(model, h);
  ASSERT_TRUE(step.to_velocities());
  EXPECT_NEAR(step.next.velocity[2], (15 - g_0) * h, 1e-14);
}

TEST(VelocityCorrection, HoldsJointsAtVelocityLevelWithTheLeastJump) {
  OneStep step(skew_pendulum({0, 4, 2}), 0.02, {.force_difference = false});
  ASSERT_TRUE(step.to_velocities());
  const Configuration& q = step.next.configuration;
  EXPECT_LE(step.rates(q, step.next.velocity).cwiseAbs().maxCoeff(), 1e-12);
  // M W = GᵀΛ
  VectorX reaction = VectorX::Zero(step.system.velocities());
  step.system.add_constraint_forces(q, step.next.impulse, reaction);
  const VectorX M_W = step.momentum(q, step.W());
  EXPECT_GT(M_W.norm(), 1e-7);
  EXPECT_LE((M_W - reaction).norm(), 1e-6 * M_W.norm());
}

// (7): a damper feels the velocity that the contact takes, Λ = (m + h c) W.
TEST(VelocityCorrection, TellsDampersWhatItTakes) {
  const double m = 2, c = 50;
  for (const bool aware : {true, false}) {
    Model model = point_on_floor(m, {0, 0, 0}, {0, 0, 0}, {});
    const BodyId mass{0};
    model.add(SpringDamper{
        .between = {at(model.ground(), {0, 0, 1}), at(mass)}, .stiffness = 0, .damping = c});
    OneStep step(model, h, {.force_difference = aware});
    ASSERT_TRUE(step.to_velocities());
    EXPECT_NEAR(step.next.velocity[2], 0, 1e-12);
    const double W = step.W()[2];
    EXPECT_GT(W, 0.01);
    EXPECT_NEAR(step.impulse()[0] / W, m + (aware ? h * c : 0), 1e-8);
  }
}

// Impulses of a contact have no resultant on the pair; what is lost is what the books say.
TEST(VelocityCorrection, KeepsTheMomentumOfTwoBalls) {
  OneStep step(two_balls({.mass = 1, .velocity = {.linear = {2, 1, 0.3}, .angular = {1, 2, 3}}},
                         {.mass = 3, .radius = 0.3, .position = {0.801, 0, 0}},
                         {.restitution = 0.5, .friction = 0.4}),
               1e-3);
  ASSERT_TRUE(step.to_velocities());
  const Configuration& q = step.next.configuration;
  const VectorX M_W = step.momentum(q, step.W());
  EXPECT_GT(M_W.norm(), 1);
  EXPECT_LE(resultant(step.system, q, M_W).head<3>().norm(), 1e-13);
  // Along inertial axes: the correction of positions has turned the balls.
  const Configuration& before = step.smooth.configuration();
  const VectorX& force = step.velocity.impulses().force();
  for (const int node : {1, 2}) {
    const auto n = static_cast<std::size_t>(node);
    const auto spin = [&](const VectorX& v, const Configuration& at) {
      const int first = step.system.nodes()[n].first_unknown + 3;
      return Vector3(at.nodes[n].R * step.momentum(at, v).segment<3>(first));
    };
    const Vector3 gained = spin(step.next.velocity, q) - spin(step.smooth.velocity(), before);
    const int first = step.system.nodes()[n].first_unknown;
    EXPECT_LE((gained - q.nodes[n].R * force.segment<3>(first + 3)).norm(), 1e-12);
    EXPECT_LE((M_W - force).segment<3>(first).norm(), 1e-12);
  }
  double lost = 0;
  for (const SubImpact& part : step.velocity.impulses().impacts()) {
    lost += part.normal_loss + part.friction_loss;
  }
  const auto T = [&](const VectorX& v) { return step.system.kinetic_energy(q, v); };
  EXPECT_NEAR(T(step.state.velocity) - T(step.next.velocity), lost, 1e-12);
}

// A hinged bar that comes down: impulse and hinge share the blow, and the tip leaves with e.
TEST(VelocityCorrection, MeetsJointsAndImpactsAtOnce) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId bar = model.add(RigidBody{.name = "bar",
                                         .inertia = solid_box(3, {1, 0.1, 0.2}),
                                         .pose = {.position = {0.5, 0, 0.2001}},
                                         .velocity = {.linear = {0, 0, -1}, .angular = {0, 2, 0}}});
  model.add(Collider{.name = "tip", .frame = at(bar, {0.5, 0, 0}), .shape = Sphere{0.2}});
  model.add(Revolute{
      .bodies = {model.ground(), bar}, .at = Vector3(0, 0, 0.2001), .axis = Vector3(0, 1, 0)});
  model.add(Contact{.between = {"floor", "tip"}, .restitution = 0.4});
  model.gravity.setZero();
  OneStep step(model, 1e-3);
  ASSERT_TRUE(step.to_velocities()) << step.report.message;
  EXPECT_LE(step.rates(step.next.configuration, step.next.velocity).norm(), 1e-11);
  EXPECT_NEAR(step.angular(step.next.velocity, 1).y(), -0.8, 1e-3);  // the tip turns in the step
  const double J = 3 * (1 + 0.04) / 12 + 0.75;
  EXPECT_NEAR(step.impulse()[0], 1.4 * 2 * J, 1e-2);
}

/// A rod that slides on its tip, leaning over it towards its motion by θ from the horizontal.
Model sliding_rod(double theta, double friction) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId rod =
      model.add(RigidBody{.name = "rod",
                          .inertia = solid_box(1, {1, 0.01, 0.01}),
                          .pose = {.position = 0.5 * Vector3(-std::cos(theta), 0, std::sin(theta)),
                                   .rotation_vector = {0, theta, 0}},
                          .velocity = {.linear = {1, 0, 0}}});
  model.add(Collider{.name = "tip", .frame = at(rod, {0.5, 0, 0}), .shape = PointShape{}});
  model.add(Contact{.between = {"floor", "tip"}, .friction = friction});
  return model;
}

// Painlevé's rod: 1 + 3 cos θ (cos θ − μ sin θ) < 0 jams it.
TEST(VelocityCorrection, WarnsOfARodThatJams) {
  const double theta = std::atan(2.0);
  const double limit =
      (1 + 3 * std::pow(std::cos(theta), 2)) / (3 * std::sin(theta) * std::cos(theta));
  for (const double part : {0.9, 1.1}) {
    OneStep step(sliding_rod(theta, part * limit), 1e-4);
    step.to_velocities();
    const bool warned = std::ranges::any_of(step.report.warnings, [](const StepWarning& w) {
      return w.text.find("Painlev") != std::string::npos;
    });
    EXPECT_EQ(warned, part > 1) << part;
  }
}

TEST(VelocityCorrection, SaysWhatRemains) {
  OneStep step(skew_pendulum({0, 4, 2}), 0.02);
  ASSERT_TRUE(step.to_positions());
  VelocityCorrection impatient(step.system, step.kkt, step.contacts, {.max_iterations = 0});
  EXPECT_FALSE(impatient.solve(step.smooth, step.position, step.data()));
  EXPECT_NE(step.report.message.find("velocity correction"), std::string::npos);
}

TEST(VelocityCorrection, TurnsWithTheScene) {
  Random random(5);
  const Model model = ball(0.005, {1.5, 0.3, -2}, {.restitution = 0.5, .friction = 0.1});
  for (int i = 0; i < 5; ++i) {
    const Matrix3 R = random.rotation();
    OneStep step(model, h), turned(carried(model, R, random.vector()), h);
    ASSERT_TRUE(step.to_velocities());
    ASSERT_TRUE(turned.to_velocities());
    EXPECT_LE(
        (turned.linear(turned.next.velocity, 1) - R * step.linear(step.next.velocity, 1)).norm(),
        1e-10);
    EXPECT_LE((turned.inertial(turned.impulse()) - R * step.inertial(step.impulse())).norm(),
              1e-10);
  }
}

}  // namespace velocity_correction_test
}  // namespace saltus
