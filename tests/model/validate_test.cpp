// SPDX-License-Identifier: Apache-2.0
//
// Most rules are tested by the files in tests/bad_models; here is what files cannot say.
#include "saltus/model/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

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

TEST(ValidateExcept, ContactsOfUnreadableCollidersAreNotJudged) {
  Model model = bouncing_ball();
  model.colliders[1].shape = Sphere{1};
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

}  // namespace
}  // namespace saltus
