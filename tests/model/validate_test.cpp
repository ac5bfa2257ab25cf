// SPDX-License-Identifier: Apache-2.0
//
// Most rules are tested by the files in tests/bad_models; here is what files cannot say.
#include "saltus/model/validate.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <limits>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace validate_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

RigidBody ball(const std::string& name = "ball") {
  return {.name = name, .inertia = solid_sphere(1, 0.1)};
}

std::vector<std::string> messages(const std::vector<Issue>& issues) {
  std::vector<std::string> result;
  for (const Issue& issue : issues) result.push_back(issue.message());
  return result;
}

using Messages = std::vector<std::string>;
using Names = std::vector<std::string>;

TEST(Validate, AcceptsAPendulum) {
  Model model;
  const BodyId rod = model.add(
      RigidBody{.name = "rod", .inertia = slender_rod(1, 1), .pose = {.position = {0.5, 0, 0}}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), rod},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0)});
  EXPECT_EQ(messages(validate(model)), Messages());
  EXPECT_EQ(messages(validate(SimulationOptions(Dynamics{}))), Messages());
  EXPECT_EQ(messages(validate(SimulationOptions(Statics{}))), Messages());
  EXPECT_EQ(messages(validate(SimulationOptions(Modes{}))), Messages());
}

TEST(Validate, RefusesNumbersThatAreNotFinite) {
  Model model;
  model.gravity = {0, nan, -infinity};
  RigidBody body = ball();
  body.pose.orientation = Quaternion(1, 0, nan, 0);
  model.add(body);
  EXPECT_EQ(messages(validate(model)),
            (Messages{"/model/gravity/1: must be finite, got nan",
                      "/model/gravity/2: must be finite, got -inf",
                      "/model/bodies/0/pose/orientation/2: must be finite, got nan"}));
}

TEST(Validate, RefusesIdsOfOtherModels) {
  Model model;
  model.add(ball());
  model.add(Lock{.name = "lock", .body = BodyId{7}, .translation = {Axis::X}});
  model.add(TorsionalSpringDamper{.name = "spring", .joint = JointId{}, .stiffness = 1});
  EXPECT_EQ(messages(validate(model)),
            (Messages{"/model/joints/0/body: must be the id of something in this model, got 7; "
                      "use the id that `add` returned",
                      "/model/forces/0/joint: must be the id of something in this model, got -1; "
                      "use the id that `add` returned"}));
}

TEST(Validate, RefusesMissingNames) {
  Model model;
  model.bodies.push_back(ball(""));
  EXPECT_EQ(messages(validate(model)),
            Messages{"/model/bodies/0/name: must not be empty, got \"\""});
}

TEST(Validate, CollectsAllBrokenRules) {
  Model model;
  model.add(RigidBody{.name = "a b", .inertia = solid_sphere(-1, 0.1)});
  model.add(PointMass{.name = "m", .mass = 1, .velocity = {.angular = {1, 0, 0}}});
  EXPECT_EQ(validate(model).size(), 3U);
}

TEST(Validate, AcceptsARodGivenByItsMoments) {
  for (const Vector3& moments : {Vector3(0, 2, 2), Vector3(2, 0, 2), Vector3(1, 2, 3)}) {
    Model model;
    model.add(RigidBody{.name = "a", .inertia = ExplicitInertia{.mass = 1, .moments = moments}});
    EXPECT_EQ(messages(validate(model)), Messages()) << moments.transpose();
  }
}

TEST(Validate, AcceptsTheTensorOfATurnedRod) {
  const Matrix3 tensor = mass_properties(slender_rod(1, 1, Vector3(1, 2, 3))).tensor;
  Model model;
  model.add(RigidBody{.name = "a", .inertia = ExplicitInertia{.mass = 1, .tensor = tensor}});
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, PositionDriveMayStartAwayFromZero) {
  Model model;
  const BodyId body = model.add(ball());
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), body},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0),
                     .drive = Position{Expression{"cos(t)"}}});
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, PointMassesMayHangOnWhatHoldsNoRotation) {
  Model model;
  const BodyId bob =
      model.add(PointMass{.name = "bob", .mass = 1, .pose = {.position = {1, 0, 0}}});
  model.add(Distance{.name = "string", .between = {at(model.ground()), at(bob)}});
  model.add(PointOnPlane{.name = "plane",
                         .bodies = {model.ground(), bob},
                         .at = Vector3(1, 0, 0),
                         .axis = Vector3(0, 1, 0)});
  EXPECT_EQ(messages(validate(model)), Messages());
}

/// A ball over a floor, and what is between them.
Model bouncing_ball() {
  Model model;
  const BodyId body = model.add(ball());
  model.add(Collider{.name = "skin", .frame = at(body), .shape = Sphere{0.1}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "bounce", .between = {"skin", "floor"}, .friction = 0.3});
  return model;
}

TEST(Validate, AcceptsABouncingBall) {
  const Model model = bouncing_ball();
  EXPECT_EQ(messages(validate(model, Dynamics{})), Messages());
  EXPECT_EQ(messages(validate(model, Dynamics{.integrator = MoreauJean{}})), Messages());
}

TEST(Validate, MethodsWithoutContactsNeedAModelWithoutContacts) {
  Model model = bouncing_ball();
  EXPECT_EQ(validate(model, Dynamics{.integrator = GeneralizedAlpha{}}).size(), 1U);
  EXPECT_EQ(validate(model, Statics{}).size(), 1U);
  EXPECT_EQ(validate(model, Modes{}).size(), 1U);
  model.contacts.clear();
  EXPECT_EQ(validate(model, Dynamics{.integrator = GeneralizedAlpha{}}).size(), 0U);
  EXPECT_EQ(validate(model, Statics{}).size(), 0U);
  EXPECT_EQ(validate(model, Modes{}).size(), 0U);
}

TEST(Validate, CollidersMayBeCalledLikeTheirBodies) {
  Model model = bouncing_ball();
  model.colliders[0].name = "ball";
  model.colliders[1].name = "ground";
  model.contacts[0].between = {"ball", "ground"};
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, PatternsMayCatchMoreThanCanTouch) {
  Model model = bouncing_ball();
  model.contacts[0].between = {"*", "*"};
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, PointMassesMayCarryPointsAndSpheres) {
  for (const Shape& shape : {Shape(PointShape{}), Shape(Sphere{0.1})}) {
    Model model = bouncing_ball();
    model.bodies[0] = PointMass{.name = "ball", .mass = 1};
    model.colliders[0].shape = shape;
    EXPECT_EQ(messages(validate(model)), Messages());
  }
}

TEST(Validate, BeltsMayRunAlongATiltedPlane) {
  Model model = bouncing_ball();
  model.colliders[1].shape =
      HalfSpace{.normal = Vector3(0, -0.6, 0.8), .surface_velocity = {1, 0.8, 0.6}};
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, AcceptsEveryFrictionLaw) {
  for (const FrictionLaw& law :
       {FrictionLaw(0.3), FrictionLaw(ExponentialFriction{0.3, -0.3, 2}),
        FrictionLaw(ExponentialFriction{0, 0, 0}),
        FrictionLaw(StribeckFriction{
            .static_friction = 0.1, .kinetic = 0.3, .stribeck_velocity = 0.01, .viscous = 1})}) {
    Model model = bouncing_ball();
    model.contacts[0].friction = law;
    EXPECT_EQ(messages(validate(model)), Messages());
  }
}

TEST(Validate, CoupledFrictionMayFollowALaw) {
  Model model = bouncing_ball();
  model.contacts[0].friction = ExponentialFriction{0, 0.3, 2};
  model.contacts[0].spinning_friction = 1e-3;
  model.contacts[0].sliding_and_spinning = SlidingAndSpinning::Coupled;
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, ASphereMayBeNearlyAsLargeAsTheHollowOneAroundIt) {
  Model model = bouncing_ball();
  model.colliders[1].shape = HollowSphereShape{0.1 * (1 + 1e-12)};
  EXPECT_EQ(messages(validate(model)), Messages());
}

// A shell with a ball in it and a larger ball on its own body, which it cannot touch.
TEST(Validate, ASphereOnTheBodyOfAHollowOneMayBeLarger) {
  Model model = bouncing_ball();
  model.colliders[1].shape = HollowSphereShape{0.5};
  model.add(Collider{.name = "dome", .frame = at(model.ground()), .shape = Sphere{0.6}});
  model.contacts[0].between = {"*", "floor"};
  EXPECT_EQ(messages(validate(model)), Messages());
}

TEST(Validate, RollingFrictionNeedsOneSphereOnly) {
  Model model = bouncing_ball();
  model.add(Collider{.name = "corner", .frame = at(BodyId{0}), .shape = PointShape{}});
  model.contacts[0].between = {Names{"skin", "corner"}, "floor"};
  model.contacts[0].rolling_friction = 1e-3;
  model.contacts[0].spinning_friction = 1e-3;
  EXPECT_EQ(messages(validate(model)), Messages());
}

/// Balls in a hall, without contacts.
Model many_balls(int count) {
  Model model;
  for (int i = 0; i < count; ++i) {
    const std::string name = "ball" + std::to_string(i);
    const BodyId body = model.add(ball(name));
    model.add(Collider{.name = name, .frame = at(body), .shape = Sphere{0.1}});
  }
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  return model;
}

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr double patience = 1;  // s
#else
constexpr double patience = 30;
#endif

/// The messages of a model, which must come soon.
Messages messages_soon(const Model& model) {
  const std::clock_t start = std::clock();
  Messages result = messages(validate(model));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, patience);
  return result;
}

TEST(ValidateMany, PatternsOfManyBallsAreJudgedSoon) {
  Model model = many_balls(2000);
  model.add(Contact{.name = "balls", .between = {"ball*", "ball*"}});
  model.add(Contact{.name = "floor", .between = {"ball*", "floor"}});
  EXPECT_EQ(messages_soon(model), Messages());
}

TEST(ValidateMany, HalvesThatDoNotOverlapAreJudgedSoon) {
  Model model = many_balls(2000);
  model.add(Contact{.name = "one", .between = {"ball1*", "ball1*"}});
  model.add(Contact{.name = "mixed", .between = {"ball1*", Names{"ball0", "ball2*", "ball3*"}}});
  model.add(Contact{.name = "other", .between = {"ball2*", "ball3*"}});
  model.add(Contact{.name = "floor", .between = {"floor", "*"}});
  EXPECT_EQ(messages_soon(model), Messages());
}

TEST(ValidateMany, TwoPatternsForOnePairAreFoundSoon) {
  Model model = many_balls(2000);
  model.add(Contact{.name = "balls", .between = {"ball1*", "*"}});
  model.add(Contact{.name = "again", .between = {"*", "ball199?"}});
  EXPECT_EQ(messages_soon(model),
            Messages{"/model/contacts/1/between: /model/contacts/0 holds for \"ball1\" and "
                     "\"ball1990\" already; each pair has one contact: leave it out of one of "
                     "the two"});
}

TEST(ValidateMany, ManyNamedContactsBesideAPatternAreJudgedSoon) {
  Model model = many_balls(2000);
  model.add(Contact{.name = "balls", .between = {"ball*", "ball*"}});
  for (int i = 0; i < 1000; ++i) {
    model.add(Contact{.name = "floor" + std::to_string(i),
                      .between = {"ball" + std::to_string(i), "floor"}});
  }
  EXPECT_EQ(messages_soon(model), Messages());
  model.contacts.back().between[1] = "ball7";
  EXPECT_EQ(messages_soon(model).size(), 1U);
}

TEST(ValidateMany, ManyBallsInAHollowSphereAreJudgedSoon) {
  Model model = many_balls(2000);
  model.colliders.back().shape = HollowSphereShape{10};
  model.add(Contact{.name = "all", .between = {"*", "*"}, .rolling_friction = 1e-3});
  EXPECT_EQ(messages_soon(model), Messages());
  model.colliders.back().shape = HollowSphereShape{0.05};
  EXPECT_EQ(messages_soon(model).size(), 1U) << "the first that is too large, once";
}

TEST(ValidateExcept, ContactsOfUnreadableCollidersAreNotJudged) {
  Model model = bouncing_ball();
  model.colliders[1].shape = Cylinder{.radius = 0.1, .length = 0};  // a disc
  EXPECT_EQ(validate_except(model, {}).size(), 1U);
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/shape"}).size(), 0U);
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/frame/body"}).size(), 0U);
  model.contacts[0].between = {"skin", "flor"};
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/shape"}).size(), 1U);
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/name"}).size(), 0U);
  model.colliders.clear();
  EXPECT_EQ(validate_except(model, {}).size(), 2U);
  EXPECT_EQ(validate_except(model, {"/model/colliders"}).size(), 0U);
}

// What was not read has the shape and size that the struct starts with: nothing follows from it.
TEST(ValidateExcept, MomentsAndInsidesOfUnreadableShapesAreNotJudged) {
  Model model = bouncing_ball();
  model.colliders[0].shape = PointShape{};
  model.contacts[0].rolling_friction = 1e-3;
  EXPECT_EQ(validate_except(model, {}).size(), 1U);
  EXPECT_EQ(validate_except(model, {"/model/colliders/0/shape"}).size(), 0U);
  model.colliders[0].shape = Sphere{0.1};
  model.colliders[1].shape = HollowSphereShape{0};
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/shape/radius"}).size(), 0U);
}

TEST(ValidateExcept, PairsOfUnreadableShapesAreNotCountedTwice) {
  Model model = bouncing_ball();
  model.add(Contact{.name = "again", .between = {"*", "skin"}});
  EXPECT_EQ(validate_except(model, {}).size(), 1U);
  model.colliders[1].shape = PointShape{};
  EXPECT_EQ(validate_except(model, {"/model/colliders/1/shape"}).size(), 0U);
}

TEST(ValidateExcept, LeavesOutWhatFollowsFromUnreadablePlaces) {
  Model model;
  const BodyId a = model.add(RigidBody{.name = "a", .inertia = solid_sphere(0, 0.1)});
  const BodyId b = model.add(ball("b"));
  model.add(Distance{.name = "d", .between = {at(a), at(b)}});
  EXPECT_EQ(validate_except(model, {}).size(), 2U);
  EXPECT_EQ(validate_except(model, {"/model/bodies/0/inertia/mass"}).size(), 1U);
  EXPECT_EQ(validate_except(model, {"/model/bodies/0"}).size(), 0U);
  EXPECT_EQ(validate_except(model, {"/model/bodies/1/pose/position/2"}).size(), 1U);
  EXPECT_EQ(validate_except(model, {"/model/bodies/10"}).size(), 2U);
}

}  // namespace validate_test
}  // namespace saltus
