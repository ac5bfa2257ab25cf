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
