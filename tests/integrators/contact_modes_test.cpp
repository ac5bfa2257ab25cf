// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_modes.hpp"

#include <cmath>

#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace contact_modes_test {

using namespace test;

constexpr double slow = 1e-8;

/// A scene whose modes were found.
struct Told : ClosedScene {
  ContactModes modes;
  bool found;

  explicit Told(const Model& model) : ClosedScene(model), modes(system, motion, {}) {
    found = modes.find(now(), slow);
  }
  bool all(ContactStatus mode) const {
    return std::ranges::all_of(motion.points(),
                               [&](const ClosedPoint& p) { return p.mode == mode; });
  }
};

Model box_on_incline(double angle, double friction, std::optional<double> static_friction = {}) {
  Model model = box_on_floor(2, {1, 0.6, 0.1}, {},
                             {.friction = friction, .static_friction = static_friction});
  model.gravity = inclined_gravity(angle);
  return model;
}

TEST(ContactModes, StickBelowTheAngleOfFrictionAndSlipAboveIt) {
  const double mu = 0.4, limit = std::atan(mu);
  Told below(box_on_incline(limit - 1e-3, mu)), above(box_on_incline(limit + 1e-3, mu));
  ASSERT_TRUE(below.found && above.found);
  EXPECT_TRUE(below.all(ContactStatus::Stick));
  EXPECT_TRUE(above.all(ContactStatus::Slip));
  for (const ClosedPoint& point : above.motion.points()) {
    const Vector3 way = point.axes.rightCols<2>() * point.direction;
    EXPECT_LE((way - Vector3::UnitX()).norm(), 1e-6);  // downhill
  }
  ASSERT_TRUE(below.accelerate());
  EXPECT_LE(below.motion.acceleration().norm(), 1e-8);
  ASSERT_TRUE(above.accelerate());
  const double a = g_0 * (std::sin(limit + 1e-3) - mu * std::cos(limit + 1e-3));
  EXPECT_NEAR(above.linear(above.motion.acceleration(), 1).x(), a, 1e-6);
}

// A box at rest is held by its static friction; once it slips, by less.
TEST(ContactModes, AtRestAskForStaticFriction) {
  const double mu = 0.3, mu_s = 0.5;
  Told held(box_on_incline(std::atan(0.45), mu, mu_s)),
      not_held(box_on_incline(std::atan(0.55), mu, mu_s));
  ASSERT_TRUE(held.found && not_held.found);
  EXPECT_TRUE(held.all(ContactStatus::Stick));
  EXPECT_TRUE(not_held.all(ContactStatus::Slip));
  ASSERT_TRUE(not_held.accelerate());
  const double angle = std::atan(0.55), a = g_0 * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(not_held.linear(not_held.motion.acceleration(), 1).x(), a, 1e-6);
  Model moving = box_on_incline(std::atan(0.45), mu, mu_s);
  std::get<RigidBody>(moving.bodies[0]).velocity.linear = {0.1, 0, 0};
  const Told slips(moving);
  ASSERT_TRUE(slips.found);
  EXPECT_TRUE(slips.all(ContactStatus::Slip));
}

// A solid ball rolls down an incline as long as 2/7 tan α ≤ μ.
TEST(ContactModes, OfABallOnAnInclineRollUpToSevenHalvesOfFriction) {
  const double mu = 0.2, limit = std::atan(3.5 * mu);
  for (const double part : {0.5, 0.99, 1.01, 1.2}) {
    Model model = ball_on_floor({.mass = 2, .position = {0, 0, 0.5}}, {.friction = mu});
    model.gravity = inclined_gravity(part * limit);
    const Told scene(model);
    ASSERT_TRUE(scene.found);
    EXPECT_TRUE(scene.all(part < 1 ? ContactStatus::Stick : ContactStatus::Slip)) << part;
  }
}

TEST(ContactModes, OfAMovingPointAreSlipAlongItsVelocity) {
  const Told scene(ball_on_floor({.position = {0, 0, 0.5}, .velocity = {.linear = {0.3, -0.4, 0}}},
                                 {.friction = 5.0}));
  ASSERT_TRUE(scene.found);
  EXPECT_TRUE(scene.all(ContactStatus::Slip));
  const ClosedPoint& point = scene.motion.points()[0];
  EXPECT_LE((point.axes.rightCols<2>() * point.direction - Vector3(0.6, -0.8, 0)).norm(), 1e-14);
}

// A slow slip that friction ends within the way allowed has ended; downhill of the limit it goes
// on.
TEST(ContactModes, OfFadingSlipsStickWhereFrictionStopsThem) {
  const double mu = 0.2, limit = std::atan(3.5 * mu), fading = 1e-5;
  for (const double part : {0.5, 1.2}) {
    Model model =
        ball_on_floor({.mass = 2, .position = {0, 0, 0.5}, .velocity = {.linear = {0, 1e-6, 0}}},
                      {.friction = mu});
    model.gravity = inclined_gravity(part * limit);
    Told scene(model);
    ASSERT_TRUE(scene.found);
    EXPECT_TRUE(scene.all(ContactStatus::Slip));
    ASSERT_TRUE(scene.modes.find(scene.now(), slow, fading));
    EXPECT_TRUE(scene.all(part < 1 ? ContactStatus::Stick : ContactStatus::Slip)) << part;
    // What goes on is not looked at again before it is slower.
    EXPECT_EQ(scene.motion.points()[0].fades_below<1e-6, part> 1);
  }
}

// Rolling is no slip although everything moves.
TEST(ContactModes, OfARollingBallAreStick) {
  const Told scene(ball_on_floor(
      {.position = {0, 0, 0.5}, .velocity = {.linear = {1, 0, 0}, .angular = {0, 2, 0}}},
      {.friction = 0.1}));
  ASSERT_TRUE(scene.found);
  EXPECT_TRUE(scene.all(ContactStatus::Stick));
}

TEST(ContactModes, OfAPointThatIsPulledOffAreLeaving) {
  for (const double pull : {0.9, 1.1}) {
    Model model = ball_on_floor({.mass = 2, .position = {0, 0, 0.5}}, {.friction = 0.3});
    model.add(Force{.on = at(BodyId{0}), .value = {0.0, 0.0, pull * 2 * g_0}});
    const Told scene(model);
    ASSERT_TRUE(scene.found);
    EXPECT_TRUE(scene.all(pull < 1 ? ContactStatus::Stick : ContactStatus::Open)) << pull;
  }
}

// On a curved top: a ball leaves where gravity no longer bends its way enough, v² = g ρ.
TEST(ContactModes, OfABallOnASphereLeaveAboveTheCriticalSpeed) {
  for (const double part : {0.99, 1.01}) {
    Model model;
    model.add(Collider{.name = "base", .frame = at(model.ground()), .shape = Sphere{1}});
    add_ball(model, "ball", 1, 0.5, {0, 0, 1.5}, {.linear = {part * std::sqrt(1.5 * g_0), 0, 0}});
    model.add(Contact{.between = {"base", "skin_of_ball"}});
    const Told scene(model);
    ASSERT_TRUE(scene.found);
    EXPECT_TRUE(scene.all(part < 1 ? ContactStatus::Slip : ContactStatus::Open)) << part;
  }
}

// A box that tips over its front edge: two corners leave, two stay.
TEST(ContactModes, OfATippingBoxLeaveAtTheRearCorners) {
  Model model = box_on_floor(2, {1, 0.6, 0.5}, {}, {.friction = 4.0});
  model.add(Force{.on = at(BodyId{0}), .value = {2.1 * 2 * g_0, 0.0, 0.0}});
  const Told scene(model);
  ASSERT_TRUE(scene.found);
  for (const ClosedPoint& point : scene.motion.points()) {
    EXPECT_EQ(point.mode,
              point.element().frame_B.d.x() < 0 ? ContactStatus::Open : ContactStatus::Stick);
  }
}

// A block on a block: the push on the lower one is passed on by friction up to μ g.
TEST(ContactModes, BetweenTwoBlocksSlipWhereTheLowerOneAcceleratesFaster) {
  const double mu = 0.3;
  for (const double part : {0.95, 1.05}) {
    Model model;
    model.gravity = {0, 0, -g_0};
    const BodyId plate = model.add(RigidBody{
        .name = "plate", .inertia = solid_box(3, {4, 4, 0.2}), .pose = {.position = {0, 0, -0.1}}});
    const BodyId box = model.add(RigidBody{
        .name = "box", .inertia = solid_box(1, {1, 1, 0.1}), .pose = {.position = {0, 0, 0.05}}});
    model.add(Prismatic{
        .bodies = {model.ground(), plate}, .at = Vector3(0, 0, 0), .axis = Vector3(1, 0, 0)});
    model.add(Collider{.name = "top", .frame = at(plate, {0, 0, 0.1}), .shape = HalfSpace{}});
    model.add(Collider{.name = "corners", .frame = at(box), .shape = Box{{1, 1, 0.1}}});
    model.add(Contact{.between = {"top", "corners"}, .friction = mu});
    model.add(Force{.on = at(plate), .value = {part * 4 * mu * g_0, 0.0, 0.0}});
    Told scene(model);
    ASSERT_TRUE(scene.found);
    EXPECT_TRUE(scene.all(part < 1 ? ContactStatus::Stick : ContactStatus::Slip)) << part;
    ASSERT_TRUE(scene.accelerate());
    const double together = part * mu * g_0, apart = mu * g_0;
    EXPECT_NEAR(scene.linear(scene.motion.acceleration(), 2).x(), part < 1 ? together : apart,
                1e-6);
  }
}

// Modes that were found hold; those of another motion do not.
TEST(ContactModes, HoldWhereTheLawsGiveThemAgain) {
  Told scene(box_on_incline(0.2, 0.4));
  ASSERT_TRUE(scene.found);
  EXPECT_TRUE(scene.modes.hold(scene.now(), slow, scene.accelerate()));
  EXPECT_TRUE(scene.all(ContactStatus::Stick));
  Told steep(box_on_incline(0.5, 0.4));  // tan 0.5 > 0.4
  for (ClosedPoint& point : steep.motion.points()) point.mode = ContactStatus::Stick;
  EXPECT_FALSE(steep.modes.hold(steep.now(), slow, steep.accelerate()));
  EXPECT_TRUE(steep.all(ContactStatus::Stick));  // it only looks
}

TEST(ContactModes, DoNotDependOnWhereTheSceneStands) {
  Random random(3);
  for (const double angle : {0.3, 0.5}) {
    const Told turned(carried(box_on_incline(angle, 0.4), random.rotation(), random.vector()));
    ASSERT_TRUE(turned.found);
    EXPECT_TRUE(turned.all(angle < std::atan(0.4) ? ContactStatus::Stick : ContactStatus::Slip))
        << angle;
  }
}

}  // namespace contact_modes_test
}  // namespace saltus
