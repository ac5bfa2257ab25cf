// SPDX-License-Identifier: Apache-2.0
// What a ball bearing stands for: balls, races, cage, contacts, and how the balls start.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/validate.hpp"

namespace saltus {
namespace bearing_test {

constexpr double pi = std::numbers::pi;
constexpr double round_off = 1e-14;
/// Of the cage, while the balls float in the middle of the clearance c: (r_i + c/2)/(r_i + r_o).
constexpr double rolling_ratio = (0.01277125 + 0.5e-5) / (0.01277125 + 0.02071875);

/// A shaft in a bearing whose outer race is on the ground.
Model shaft_in_bearing() {
  Model model;
  const BodyId shaft = model.add(
      RigidBody{.name = "shaft", .inertia = solid_cylinder(1, 0.01, 0.1, Vector3(0, 0, 1))});
  model.add(BallBearing{.name = "bearing",
                        .inner = at(shaft),
                        .outer = at(ground_body),
                        .balls = 8,
                        .ball_radius = 0.00396875,
                        .inner_radius = 0.01277125,
                        .outer_radius = 0.02071875,
                        .friction = 0.001});
  return model;
}

BallBearing& bearing_of(Model& model) { return model.ball_bearings.front(); }
RigidBody& shaft_of(Model& model) { return std::get<RigidBody>(model.bodies.front()); }

const RigidBody& ball(const Model& expanded, std::size_t k) {
  return std::get<RigidBody>(expanded.bodies.at(1 + k));
}

Vector3 velocity_at(const RigidBody& body, const Vector3& point) {
  return body.velocity.linear + body.velocity.angular.cross(point - body.pose.position);
}

const Collider& collider(const Model& model, const std::string& name) {
  for (const Collider& c : model.colliders) {
    if (c.name == name) return c;
  }
  throw std::out_of_range("no collider is named " + name);
}

const Contact& contact(const Model& model, const std::string& name) {
  for (const Contact& c : model.contacts) {
    if (c.name == name) return c;
  }
  throw std::out_of_range("no contact is named " + name);
}

TEST(BallBearing, StandsForBallsRacesAndContacts) {
  const Model given = shaft_in_bearing();
  ASSERT_TRUE(validate(given).empty());
  const Model model = with_bearings_expanded(given);
  EXPECT_TRUE(model.ball_bearings.empty());
  ASSERT_EQ(model.bodies.size(), 9U);
  ASSERT_EQ(model.colliders.size(), 10U);
  EXPECT_EQ(ball(model, 3).name, "bearing.ball3");
  EXPECT_EQ(collider_pairs(model, contact(model, "bearing.inner")).size(), 8U);
  EXPECT_EQ(collider_pairs(model, contact(model, "bearing.outer")).size(), 8U);
  EXPECT_EQ(collider_pairs(model, contact(model, "bearing.balls")).size(), 28U);
  EXPECT_EQ(std::get<double>(contact(model, "bearing.inner").friction), 0.001);
  const MassProperties mass = mass_properties(ball(model, 0).inertia);
  EXPECT_NEAR(mass.mass, 0.0020424, 1e-7) << "Sanchez D-1";
  EXPECT_NEAR(mass.tensor(0, 0), 1.2868e-8, 1e-12);
}

TEST(BallBearing, WithoutAnEntryTheModelStaysAsItIs) {
  Model model = shaft_in_bearing();
  model.ball_bearings.clear();
  EXPECT_EQ(with_bearings_expanded(model).bodies.size(), 1U);
}

TEST(BallBearing, BallsBeginMidwayBetweenTheRacesAtEqualAngles) {
  Model given = shaft_in_bearing();
  BallBearing& b = bearing_of(given);
  b.first_angle = 0.3;
  b.outer.position = {0.1, 0.2, 0.3};
  b.outer.orientation = Quaternion(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
  shaft_of(given).pose = {.position = b.outer.position, .orientation = b.outer.orientation};
  const Model model = with_bearings_expanded(given);
  for (std::size_t k = 0; k < 8; ++k) {
    const Vector3 r =
        b.outer.rotation().transpose() * (ball(model, k).pose.position - b.outer.position);
    const double angle = 0.3 + pi / 4 * static_cast<double>(k);
    EXPECT_LT((r - 0.016745 * Vector3(std::cos(angle), std::sin(angle), 0)).norm(), round_off);
  }
}

TEST(BallBearing, OfARaceOffTheCentreBallsHaveEqualGaps) {
  Model given = shaft_in_bearing();
  const Vector3 d(3e-6, -9e-6, 0);
  shaft_of(given).pose.position = d;
  const BallBearing& b = bearing_of(given);
  for (const BallPlace& place : ball_places(given, b)) {
    const double outer = b.outer_radius - b.ball_radius - place.centre.norm();
    const double inner = (place.centre - d).norm() - b.inner_radius - b.ball_radius;
    EXPECT_NEAR(outer, inner, round_off);
    EXPECT_GT(outer, 0);
  }
}

TEST(BallBearing, InGroovesOffTheCentreBallsHaveEqualGaps) {
  Model given = shaft_in_bearing();
  BallBearing& b = bearing_of(given);
  b.inner_groove_radius = 0.0041;
  b.outer_groove_radius = 0.0042;
  const Vector3 d(3e-6, -4e-6, 2e-5);
  shaft_of(given).pose.position = d;
  const double R_i = b.inner_radius + 0.0041, R_o = b.outer_radius - 0.0042;
  for (const BallPlace& place : ball_places(given, b)) {
    const Vector3 x = place.centre, y = x - d;
    const double outer = 0.0042 - b.ball_radius - std::hypot(x.head<2>().norm() - R_o, x.z());
    const double inner = 0.0041 - b.ball_radius - std::hypot(y.head<2>().norm() - R_i, y.z());
    // The line through the centres of the sections leaves the plane through the axis by up to
    // 5 µm: d²/(2 |I − O|).
    EXPECT_NEAR(outer, inner, 6e-8);
    EXPECT_GT(outer, 0);
  }
}

TEST(BallBearing, BallsBeginInPureRolling) {
  Model given = shaft_in_bearing();
  shaft_of(given).velocity.angular = {0, 0, 52.36};
  const Model model = with_bearings_expanded(given);
  const double r = bearing_of(given).ball_radius;
  for (std::size_t k = 0; k < 8; ++k) {
    const RigidBody& b = ball(model, k);
    const Vector3 x = b.pose.position, e = x.normalized();
    const Vector3 inner = x - r * e, outer = x + r * e;
    EXPECT_LT((velocity_at(b, inner) - velocity_at(shaft_of(given), inner)).norm(), round_off);
    EXPECT_LT(velocity_at(b, outer).norm(), round_off);
    const double cage = Vector3::UnitZ().dot(x.cross(b.velocity.linear)) / x.squaredNorm();
    EXPECT_NEAR(cage / 52.36, rolling_ratio, 1e-12);
  }
}

TEST(BallBearing, BallsGoWithRacesThatMoveAsOneBody) {
  Model given = shaft_in_bearing();
  const Twist twist{{1, 2, 3}, {4, 5, 6}};
  shaft_of(given).velocity = twist;
  bearing_of(given).outer = at(given.add(RigidBody{
      .name = "housing",
      .inertia = solid_sphere(1, 0.1),
      .pose = {.position = {0.5, 0, 0}},
      .velocity = {twist.linear + twist.angular.cross(Vector3(0.5, 0, 0)), twist.angular}}));
  bearing_of(given).outer.position = {-0.5, 0, 0};
  bearing_of(given).cage = RingCage{.mass = 0.005, .clearance = 1e-4};
  const Model model = with_bearings_expanded(given);
  for (std::size_t k = 2; k < model.bodies.size(); ++k) {
    const RigidBody& b = std::get<RigidBody>(model.bodies[k]);
    EXPECT_LT((b.velocity.angular - twist.angular).norm(), 1e-12) << b.name;
    EXPECT_LT((b.velocity.linear - velocity_at(shaft_of(given), b.pose.position)).norm(), 1e-13);
  }
}

TEST(BallBearing, HertzianRadiiAreConcaveWhereTheRaceIs) {
  Model given = shaft_in_bearing();
  bearing_of(given).inner_groove_radius = 0.0041;
  bearing_of(given).planar = true;
  const Model model = with_bearings_expanded(given);
  const std::vector<double> inner = {0.00396875, 0.00396875, 0.01277125, -0.0041};
  const std::vector<double> outer = {0.00396875, 0.00396875, -0.02071875, 0};
  EXPECT_EQ(contact(model, "bearing.inner").radii, inner);
  EXPECT_EQ(contact(model, "bearing.outer").radii, outer);
  EXPECT_TRUE(std::holds_alternative<Cylinder>(collider(model, "bearing.inner_race").shape));
  EXPECT_TRUE(std::holds_alternative<Bore>(collider(model, "bearing.outer_race").shape));
}

TEST(BallBearing, GroovesTouchTheRacesAtTheirBottoms) {
  Model given = shaft_in_bearing();
  bearing_of(given).inner_groove_radius = 0.0041;
  bearing_of(given).outer_groove_radius = 0.0042;
  const Model model = with_bearings_expanded(given);
  const auto& inner = std::get<Groove>(collider(model, "bearing.inner_race").shape);
  const auto& outer = std::get<Groove>(collider(model, "bearing.outer_race").shape);
  EXPECT_DOUBLE_EQ(inner.ring_radius - inner.radius, 0.01277125);
  EXPECT_DOUBLE_EQ(outer.ring_radius + outer.radius, 0.02071875);
  EXPECT_EQ(inner.opening, GrooveOpening::Outwards);
  EXPECT_EQ(outer.opening, GrooveOpening::Inwards);
}

TEST(BallBearing, ACageOfSpringsJoinsEachBallWithTheNext) {
  Model given = shaft_in_bearing();
  bearing_of(given).cage = SpringCage{.stiffness = 1e8, .damping = 2};
  const Model model = with_bearings_expanded(given);
  ASSERT_EQ(model.forces.size(), 8U);
  EXPECT_EQ(model.contacts.size(), 2U);
  const auto& last = std::get<SpringDamper>(model.forces.back());
  EXPECT_EQ(last.name, "bearing.cage7");
  EXPECT_EQ(last.between[0].body, BodyId{8});
  EXPECT_EQ(last.between[1].body, BodyId{1});
  EXPECT_FALSE(last.rest_length) << "that of the initial pose";
  const double chord = (ball(model, 7).pose.position - ball(model, 0).pose.position).norm();
  EXPECT_NEAR(chord, 0.012816, 1e-6) << "Sanchez D-1";
}

TEST(BallBearing, ARingHasAPocketForEachBallAlone) {
  Model given = shaft_in_bearing();
  shaft_of(given).velocity.angular = {0, 0, 52.36};
  bearing_of(given).cage =
      RingCage{.mass = 0.005, .clearance = 1e-4, .friction = 0.1, .restitution = 0.2};
  const Model model = with_bearings_expanded(given);
  ASSERT_EQ(model.bodies.size(), 10U);
  const auto& ring = std::get<RigidBody>(model.bodies.back());
  EXPECT_EQ(ring.name, "bearing.cage");
  const MassProperties mass = mass_properties(ring.inertia);
  EXPECT_NEAR(mass.tensor(2, 2), 0.005 * 0.016745 * 0.016745, 1e-15);
  EXPECT_NEAR(mass.tensor(0, 0), mass.tensor(2, 2) / 2, 1e-15);
  EXPECT_NEAR(ring.velocity.angular.z() / 52.36, rolling_ratio, 1e-12);
  for (std::size_t k = 0; k < 8; ++k) {
    const std::string pocket = "bearing.pocket" + std::to_string(k);
    const Collider& c = collider(model, pocket);
    EXPECT_LT((c.frame.position - ball(model, k).pose.position).norm(), round_off);
    EXPECT_DOUBLE_EQ(std::get<HollowSphereShape>(c.shape).radius, 0.00406875);
    EXPECT_EQ(collider_pairs(model, contact(model, pocket)).size(), 1U);
    EXPECT_EQ(contact(model, pocket).restitution, 0.2);
  }
}

TEST(BallBearing, PatternsOfTheFileMeanTheCollidersOfTheFile) {
  Model given = shaft_in_bearing();
  given.add(Collider{.name = "floor", .frame = at(ground_body), .shape = HalfSpace{}});
  given.add(Collider{.name = "end", .frame = at(BodyId{0}, {0, 0, 1}), .shape = PointShape{}});
  given.add(Contact{.name = "all", .between = {"*", "*"}});
  ASSERT_TRUE(validate(given).empty());
  const Model model = with_bearings_expanded(given);
  EXPECT_EQ(collider_pairs(model, contact(model, "all")).size(), 1U);
}

TEST(BallBearing, FramesOnABeamCarryARace) {
  Model given = shaft_in_bearing();
  const BodyId beam =
      given.add(Beam{.name = "axle",
                     .start = {0, 0, -0.1},
                     .end = {0, 0, 0.1},
                     .elements = 4,
                     .section = CircularSection{.radius = 0.01},
                     .material = {.young_modulus = 2e11, .poisson_ratio = 0.3, .density = 7800}});
  // x of a beam's section is along the beam.
  bearing_of(given).inner = {
      .body = beam, .arclength = 0.1, .rotation_vector = Vector3(0, pi / 2, 0)};
  EXPECT_TRUE(validate(given).empty());
  const RacePose race = race_pose(given, bearing_of(given).inner);
  EXPECT_LT(race.centre.norm(), 1e-15);
  EXPECT_NEAR(std::abs(race.axes.col(2).z()), 1, 1e-15);
}

/// The same with grooves, its races pressed on the balls.
Model pressed_bearing(double interference) {
  Model model = shaft_in_bearing();
  BallBearing& b = bearing_of(model);
  b.model = ContactModel::Compliant;
  b.young_modulus = 2.07e11;
  b.inner_groove_radius = b.outer_groove_radius = 0.0041;
  b.outer_radius = b.inner_radius + 2 * b.ball_radius - interference;
  return model;
}

TEST(BallBearing, ElasticRacesShareTheInterference) {
  Model given = pressed_bearing(5e-6);
  ASSERT_TRUE(validate(given).empty());
  const BallBearing& b = bearing_of(given);
  for (const double speed : {0.0, 2000.0}) {
    shaft_of(given).velocity.angular = Vector3(0, 0, speed);
    const Model model = with_bearings_expanded(given);
    const RigidBody& one = ball(model, 2);
    const double rho = one.pose.position.norm();
    const double outer = rho + b.ball_radius - b.outer_radius;
    const double inner = b.inner_radius + b.ball_radius - rho;
    const double v = one.velocity.linear.norm(), m = mass_properties(one.inertia).mass;
    const double out = race_stiffness(b, true, -1) * std::pow(inner, 1.5) + m * v * v / rho;
    // The centrifugal force is that of the middle between the races.
    const double exactly = speed > 0 ? 1e-5 : 1e-9;
    EXPECT_NEAR(race_stiffness(b, false, 1) * std::pow(outer, 1.5), out, exactly * out) << speed;
  }
}

TEST(BallBearing, ElasticContactsAreThoseOfTheEntry) {
  Model given = pressed_bearing(5e-6);
  bearing_of(given).damping = 20;
  const Model model = with_bearings_expanded(given);
  for (const char* side : {"bearing.inner", "bearing.outer"}) {
    EXPECT_TRUE(contact(model, side).is_compliant());
    EXPECT_EQ(contact(model, side).damping, 20);
    EXPECT_FALSE(contact(model, side).divide_steps);
  }
  EXPECT_FALSE(contact(model, "bearing.balls").is_compliant());
}

TEST(BallBearing, InAnEquilibriumBallsArePointsInTheirPlanes) {
  Model given = pressed_bearing(5e-6);
  bearing_of(given).cage = RingCage{.mass = 0.005, .clearance = 2e-4};
  const Model model = with_bearings_expanded(given, BearingUse::Equilibrium);
  ASSERT_EQ(model.bodies.size(), 9U);  // no cage
  ASSERT_EQ(model.joints.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    const auto& point = std::get<PointMass>(model.bodies[1 + k]);
    const auto& plane = std::get<PointOnPlane>(model.joints[k]);
    const Vector3 normal = plane.between[0].rotation().col(2);
    EXPECT_NEAR(normal.dot(point.pose.position), 0, round_off);
    EXPECT_NEAR(normal.z(), 0, round_off);
  }
  EXPECT_TRUE(is_frictionless(contact(model, "bearing.inner").friction));
}

}  // namespace bearing_test
}  // namespace saltus
