// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/constrained_motion.hpp"

#include <cmath>

#include "tests/support/closed_points.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace constrained_motion_test {

using namespace test;

// Results of a few products and one small solve: some ten units of round-off.
constexpr double close = 1e-12;

Model resting_ball(double mass, double friction, const Twist& velocity = {}) {
  return ball_on_floor({.mass = mass, .position = {0, 0, 0.5}, .velocity = velocity},
                       {.friction = friction});
}

/// A ball of radius 0.5 on top of a fixed one of radius 1, or at the bottom of a hollow one.
Model ball_on_sphere(double speed, bool inside) {
  Model model;
  model.add(Collider{.name = "base",
                     .frame = at(model.ground()),
                     .shape = inside ? Shape(HollowSphereShape{1}) : Shape(Sphere{1})});
  add_ball(model, "ball", 2, 0.5, {0, 0, inside ? -0.5 : 1.5}, {.linear = {0, speed, 0}});
  model.add(Contact{.between = {"base", "skin_of_ball"}});
  return model;
}

/// A bar that lies on a hinge at its left end and with a round tip on the floor.
Model propped_bar() {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId bar = model.add(RigidBody{
      .name = "bar", .inertia = solid_box(3, {1, 0.1, 0.1}), .pose = {.position = {0.5, 0, 0.2}}});
  model.add(Collider{.name = "tip", .frame = at(bar, {0.5, 0, 0}), .shape = Sphere{0.2}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), bar},
                     .at = Vector3(0, 0, 0.2),
                     .axis = Vector3(0, 1, 0)});
  model.add(Contact{.between = {"floor", "tip"}});
  return model;
}

TEST(ConstrainedMotion, OfABallAtRestCarriesItsWeight) {
  ClosedScene scene(resting_ball(3, 0));
  ASSERT_TRUE(scene.accelerate());
  EXPECT_LE((scene.point().force - Vector3(3 * g_0, 0, 0)).norm(), close);
  EXPECT_LE(scene.motion.acceleration().norm(), close);
}

// a = −μ g along the slip, and the skin is dragged: Ω̇ = 5/2 μ g / r about the other axis.
TEST(ConstrainedMotion, OfASlidingBallIsThatOfCoulombsLaw) {
  const double mu = 0.3, m = 2, r = 0.5;
  ClosedScene scene(resting_ball(m, mu, {.linear = {3, 4, 0}}));
  ASSERT_TRUE(scene.accelerate());
  const Vector3 way(0.6, 0.8, 0), a = -mu * g_0 * way;
  EXPECT_LE((scene.linear(scene.motion.acceleration(), 1) - a).norm(), close);
  const Vector3 spin = 2.5 * mu * g_0 / r * Vector3(-0.8, 0.6, 0);
  EXPECT_LE((scene.angular(scene.motion.acceleration(), 1) - spin).norm(), 10 * close);
  const Vector3 force = scene.point().axes * scene.point().force;
  EXPECT_LE((force - m * (a + Vector3(0, 0, g_0))).norm(), 10 * close);
}

// A ball that rolls down: 5/7 of g sin α, held by 2/7 of the downhill force.
TEST(ConstrainedMotion, OfARollingBallHasTwoSeventhsAsFriction) {
  const double angle = 0.4;
  Model model = resting_ball(2, 1);
  model.gravity = inclined_gravity(angle);
  ClosedScene scene(model, ContactStatus::Stick);
  ASSERT_TRUE(scene.accelerate());
  const double downhill = g_0 * std::sin(angle);
  EXPECT_NEAR(scene.linear(scene.motion.acceleration(), 1).x(), 5.0 / 7 * downhill, close);
  EXPECT_NEAR((scene.point().axes * scene.point().force).x(), -2.0 / 7 * 2 * downhill, close);
  EXPECT_NEAR(scene.point().force[0], 2 * g_0 * std::cos(angle), 10 * close);
}

// m v²/ρ of the curved way, on top of a sphere and inside of one.
TEST(ConstrainedMotion, AddsTheCentripetalForceOfACurvedSurface) {
  const double speed = 1.5;
  ClosedScene outside(ball_on_sphere(speed, false)), inside(ball_on_sphere(speed, true));
  ASSERT_TRUE(outside.accelerate());
  ASSERT_TRUE(inside.accelerate());
  // The bias is a difference of fourth order over 2e-4 of the size: 1e-10 of it.
  EXPECT_NEAR(outside.point().force[0], 2 * (g_0 - speed * speed / 1.5), 1e-8);
  EXPECT_NEAR(inside.point().force[0], 2 * (g_0 + speed * speed / 0.5), 1e-8);
}

// A contact cannot pull: above √(g ρ) the ball flies off, and the modes contradict that.
TEST(ConstrainedMotion, HasNoForcesWhereAPointWouldHaveToPull) {
  const double limit = std::sqrt(1.5 * g_0);
  ClosedScene slow(ball_on_sphere(0.999 * limit, false)),
      fast(ball_on_sphere(1.001 * limit, false));
  EXPECT_TRUE(slow.accelerate());
  EXPECT_FALSE(fast.accelerate());
  EXPECT_EQ(fast.point().force.norm(), 0);
  fast.point().mode = ContactStatus::Open;
  EXPECT_TRUE(fast.accelerate());
  EXPECT_LE((fast.linear(fast.motion.acceleration(), 1) + Vector3(0, 0, g_0)).norm(), close);
}

// g(t) along q ∘ exp(t v + t²/2 v̇) has no second derivative: neither penetrates nor opens.
TEST(ConstrainedMotion, KeepsGapsClosedToSecondOrder) {
  Random random(3);
  Model model = two_balls({.mass = 1, .velocity = {.linear = {0, 0.5, 0}, .angular = {1, 2, 3}}},
                          {.mass = 2, .radius = 0.3, .position = {0.8, 0, 0}}, {.friction = 0.4});
  model.add(SpringDamper{.between = {at(BodyId{0}), at(BodyId{1})},
                         .stiffness = 100,
                         .rest_length = 0.1});  // presses them together
  ClosedScene scene(model);
  ASSERT_TRUE(scene.accelerate());
  EXPECT_GT(scene.point().force[0], 0);
  EXPECT_LE(scene.imbalance().norm(), 1e-11);
  const auto gap = [&](double t) {
    const VectorX increment = t * scene.state.velocity + t * t / 2 * scene.motion.acceleration();
    return scene.gap(moved(scene.system, scene.state.configuration, increment));
  };
  const double rate = derivative(gap);
  const auto gap_rate = [&](double t) { return derivative([&](double s) { return gap(t + s); }); };
  EXPECT_NEAR(rate, 0, 1e-11);
  EXPECT_NEAR(derivative(gap_rate), 0, 1e-7);  // of terms of the order of 1
}

// Action and reaction: what a contact does to two bodies has no resultant, with moments.
TEST(ConstrainedMotion, KeepsMomentumAndAngularMomentumOfTwoBodies) {
  Model model = two_balls({.mass = 1, .velocity = {.linear = {0, 2, 1}, .angular = {1, 2, 3}}},
                          {.mass = 2, .radius = 0.3, .position = {0.8, 0, 0}}, {.friction = 0.4});
  model.add(SpringDamper{
      .between = {at(BodyId{0}), at(BodyId{1})}, .stiffness = 1000, .rest_length = 0.1});
  for (const ContactStatus mode : {ContactStatus::Slip, ContactStatus::Stick}) {
    ClosedScene scene(model, mode);
    ASSERT_TRUE(scene.accelerate());
    const VectorX f = scene.contact_forces();
    EXPECT_GT(f.norm(), 1);
    EXPECT_LE(resultant(scene.system, scene.state.configuration, f).norm(), 1e-12 * f.norm());
  }
}

// Statics: the hinge and the prop carry half of the weight each.
TEST(ConstrainedMotion, SharesALoadBetweenAJointAndAPoint) {
  ClosedScene scene(propped_bar());
  ASSERT_TRUE(scene.accelerate());
  EXPECT_NEAR(scene.point().force[0], 3 * g_0 / 2, 1e-9);
  EXPECT_LE(scene.motion.acceleration().norm(), 1e-9);
  VectorX reaction = VectorX::Zero(6);
  scene.system.add_constraint_forces(scene.state.configuration, scene.motion.multiplier(),
                                     reaction);
  EXPECT_NEAR(reaction[2], 3 * g_0 / 2, 1e-9);
}

Model pulled_box(double pull, double friction) {
  Model model = box_on_floor(2, {1, 0.6, 0.5}, {}, {.friction = friction});
  model.add(Force{.on = at(BodyId{0}), .value = {pull, 0.0, 0.0}});
  return model;
}

// Four corners are one too many; of all forces that hold the box those of least norm are linear in
// the place: W/4 ± P z/(2 l).
TEST(ConstrainedMotion, OfABoxOnFourCornersIsTheLeastNorm) {
  const double W = 2 * g_0, P = 5;
  ClosedScene scene(pulled_box(P, 1), ContactStatus::Stick);
  ASSERT_EQ(scene.motion.points().size(), 4u);
  ASSERT_TRUE(scene.accelerate());
  EXPECT_LE(scene.motion.acceleration().norm(), 1e-9);
  for (const ClosedPoint& point : scene.motion.points()) {
    const double side = point.element().frame_B.d.x() > 0 ? 1 : -1;
    EXPECT_NEAR(point.force[0], W / 4 + side * P * 0.25 / 2, 1e-9);
  }
  EXPECT_LE((resultant(scene.system, scene.state.configuration, scene.contact_forces()) -
             (Vector6() << -P, 0, W, 0, 0, 0).finished())
                .head<3>()
                .norm(),
            1e-9);
}

// (4): with equal friction at all corners the light ones would slip, though the others could hold.
TEST(ConstrainedMotion, SharesFrictionUntilAllCornersAreAtTheLimit) {
  const double W = 2 * g_0, mu = 0.5;
  ClosedScene scene(pulled_box(0.96 * mu * W, mu), ContactStatus::Stick);
  ASSERT_TRUE(scene.accelerate());
  double friction = 0;
  for (const ClosedPoint& point : scene.motion.points()) {
    EXPECT_TRUE(point.is_held());
    EXPECT_GT(point.force[0], 0);
    friction += (point.axes * point.force).x();
  }
  EXPECT_NEAR(friction, -0.96 * mu * W, 1e-9);
  // Pulled harder, no share of the friction holds it.
  ClosedScene beyond(pulled_box(1.04 * mu * W, mu), ContactStatus::Stick);
  EXPECT_FALSE(beyond.accelerate());
}

// A box that would tip: the rear corners cannot hold it down, so its modes contradict each other.
TEST(ConstrainedMotion, OfATippingBoxFindsNoForces) {
  const double W = 2 * g_0;
  EXPECT_TRUE(ClosedScene(pulled_box(1.9 * W, 4), ContactStatus::Stick).accelerate());
  EXPECT_FALSE(ClosedScene(pulled_box(2.1 * W, 4), ContactStatus::Stick).accelerate());
}

// (4a): where corners slip in different directions the two rules choose other forces; each is best
// in its own measure, and both keep all gaps closed.
TEST(ConstrainedMotion, OfASpinningBoxFollowsTheRuleOfItsForces) {
  const Model model = box_on_floor(
      2, {1, 0.6, 0.5}, {.linear = {0.5, 0.2, 0}, .angular = {0, 0, 2}}, {.friction = 0.3});
  ClosedScene least(model), rigid(model, ContactStatus::Slip, HyperstaticForces::RigidBody);
  const auto differences = [](const ClosedScene& scene) {
    double sum = 0;
    for (const ClosedPoint& a : scene.motion.points()) {
      for (const ClosedPoint& b : scene.motion.points()) {
        if (&a == &b) continue;
        const Vector3 line = (a.element().frame_B.d - b.element().frame_B.d).normalized();
        sum += std::pow(line.dot(a.axes * a.force - b.axes * b.force), 2);
      }
    }
    return sum;
  };
  const auto squares = [](const ClosedScene& scene) {
    double sum = 0;
    for (const ClosedPoint& p : scene.motion.points()) sum += p.force[0] * p.force[0];
    return sum;
  };
  ASSERT_TRUE(least.accelerate());
  ASSERT_TRUE(rigid.accelerate());
  for (ClosedScene* scene : {&least, &rigid}) {
    EXPECT_LE(scene->imbalance().norm(), 1e-9);
    for (const ClosedPoint& p : scene->motion.points()) {
      EXPECT_NEAR(p.force.tail<2>().norm(), 0.3 * p.force[0], 1e-9);
      EXPECT_LT(p.force.tail<2>().dot(p.velocity.tail<2>()), 0);  // friction takes power
    }
    EXPECT_NEAR(scene->linear(scene->motion.acceleration(), 1).z(), 0, 1e-9);
  }
  EXPECT_LT(differences(rigid), differences(least));
  EXPECT_LT(squares(least), squares(rigid));
}

// W = H K⁻¹ Hᵀ of two balls: 1/m₁ + 1/m₂ along the normal, 7/2 of it along the tangents.
TEST(ConstrainedMotion, RespondsToAPointWithTheInverseOfTheMass) {
  ClosedScene scene(two_balls({.mass = 1}, {.mass = 4, .position = {1, 0, 0}}, {}));
  ASSERT_TRUE(scene.motion.factorize(scene.state.configuration, 0));
  scene.motion.look(scene.now());
  MatrixX Y;
  scene.motion.respond(scene.point(), Y);
  Matrix3 W;
  for (int k = 0; k < 3; ++k) {
    MatrixX row(1, 3);
    scene.motion.feel(scene.point(), k, Y, row.row(0));
    W.row(k) = row;
  }
  const Vector3 expected = 1.25 * Vector3(1, 3.5, 3.5);
  EXPECT_LE((W - Matrix3(expected.asDiagonal())).norm(), close);
}

// v = H v − s: the surface of a belt runs under the point.
TEST(ConstrainedMotion, SeesVelocitiesFromTheSurface) {
  Model model = resting_ball(1, 0.3, {.linear = {2, 0, 0}});
  std::get<HalfSpace>(model.colliders[0].shape).surface_velocity = {5, 1, 0};
  ClosedScene scene(model);
  ASSERT_TRUE(scene.accelerate());
  const Vector3 seen = scene.point().axes * scene.point().velocity;
  EXPECT_LE((seen - Vector3(-3, -1, 0)).norm(), close);
  // And friction pulls along with it.
  const Vector3 way = Vector3(3, 1, 0).normalized();
  EXPECT_LE((scene.linear(scene.motion.acceleration(), 1) - 0.3 * g_0 * way).norm(), close);
}

// At rest the direction of the slip is that which the point was given.
TEST(ConstrainedMotion, KeepsTheDirectionOfASlipThatIsRoundOff) {
  Model model = resting_ball(1, 0.3);
  ClosedScene scene(model);
  scene.motion.set_slowest_slip(1e-8);
  scene.motion.look(scene.now());
  scene.point().direction = scene.point().axes.rightCols<2>().transpose() * Vector3(0.6, 0.8, 0);
  ASSERT_TRUE(scene.accelerate());
  EXPECT_LE(
      (scene.linear(scene.motion.acceleration(), 1) + 0.3 * g_0 * Vector3(0.6, 0.8, 0)).norm(),
      close);
}

TEST(ConstrainedMotion, TurnsWithTheScene) {
  Random random(9);
  const Model model = box_on_floor(2, {1, 0.6, 0.5}, {.linear = {1, 0.3, 0}}, {.friction = 0.3});
  for (int i = 0; i < 5; ++i) {
    const Matrix3 R = random.rotation();
    ClosedScene scene(model), turned(carried(model, R, random.vector(2)));
    ASSERT_TRUE(scene.accelerate());
    ASSERT_EQ(turned.motion.points().size(), 4u);
    ASSERT_TRUE(turned.accelerate());
    EXPECT_LE((turned.linear(turned.motion.acceleration(), 1) -
               R * scene.linear(scene.motion.acceleration(), 1))
                  .norm(),
              1e-9);
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector3 a = scene.point(k).axes * scene.point(k).force;
      EXPECT_LE((turned.point(k).axes * turned.point(k).force - R * a).norm(), 1e-8);
    }
  }
}

// Forces of points that nothing connects do not know of each other: the same bits as alone.
TEST(ConstrainedMotion, OfUnconnectedBodiesIsThatOfEachAlone) {
  const auto sliding = [](bool both) {
    Model model = resting_ball(2, 0.3, {.linear = {3, 4, 0}});
    if (both) {
      add_ball(model, "other", 1, 0.5, {4, 0, 0.5}, {.linear = {0, 2, 0}});
      model.add(Contact{.between = {"floor", "skin_of_other"}, .friction = 0.1});
    }
    return model;
  };
  ClosedScene alone(sliding(false)), both(sliding(true));
  ASSERT_TRUE(alone.accelerate());
  ASSERT_TRUE(both.accelerate());
  ASSERT_EQ(both.motion.points().size(), 2U);
  EXPECT_LE((alone.point().force - both.point().force).norm(), close);
  EXPECT_LE((alone.motion.acceleration() - both.motion.acceleration().head<6>()).norm(), close);
  EXPECT_LE(both.imbalance().norm(), close);
}

}  // namespace constrained_motion_test
}  // namespace saltus
