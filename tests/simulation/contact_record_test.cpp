// SPDX-License-Identifier: Apache-2.0
//
// The columns and events of contacts: which there are, and the signs of what they say.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/example_run.hpp"

namespace saltus::test {
namespace contact_record_test {

constexpr double mass = 2;      ///< kg
constexpr double radius = 0.1;  ///< m
constexpr double speed = 1;     ///< m/s
constexpr double round_off = 1e-12;

double sum(const TableSink& table, const std::string& column) {
  const std::vector<double>& values = table.column(column);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Vector3 sum_of_vector(const TableSink& table, const std::string& name) {
  return {sum(table, name + ".x"), sum(table, name + ".y"), sum(table, name + ".z")};
}

BodyId add_ball(Model& model, const std::string& name, const Vector3& position,
                const Vector3& velocity, const Vector3& angular = Vector3::Zero()) {
  const BodyId body = model.add(RigidBody{.name = name,
                                          .inertia = solid_sphere(mass, radius),
                                          .pose = {.position = position},
                                          .velocity = {.linear = velocity, .angular = angular}});
  model.add(Collider{.name = name, .frame = at(body), .shape = Sphere{radius}});
  return body;
}

/// A ball at rest and one that comes along −x and hits it centrally; the contact in either order.
Model collision(const std::string& first, const std::string& second) {
  Model model;
  model.gravity = Vector3::Zero();
  add_ball(model, "left", {0, 0, 0}, {0, 0, 0});
  add_ball(model, "right", {2 * radius + 0.05, 0, 0}, {-speed, 0, 0});
  model.add(Contact{.name = "hit", .between = {first, second}, .restitution = 1});
  return model;
}

// n is from the first collider to the second, and the impulse that on the second.
TEST(ContactRecord, ImpulsesOfSpheresActOnTheSecondAlongTheNormal) {
  for (const bool left_is_first : {true, false}) {
    const Model model = left_is_first ? collision("left", "right") : collision("right", "left");
    const TableSink table = run_model(model, Dynamics{.end_time = 0.1});
    EXPECT_NEAR(table.last("left.velocity.x"), -speed, 1e-9);
    EXPECT_NEAR(table.last("right.velocity.x"), 0, 1e-9);
    EXPECT_NEAR(sum(table, "hit.impulse.n"), mass * speed, 1e-9);
    const double side = left_is_first ? 1 : -1;
    EXPECT_LE((sum_of_vector(table, "hit.impulse") - Vector3(side * mass * speed, 0, 0)).norm(),
              1e-9);
    const std::vector<EventRow> impacts = table.events("impact", "hit");
    ASSERT_EQ(impacts.size(), 1U);
    EXPECT_NEAR(impacts[0].impulse[0], mass * speed, 1e-9);
    EXPECT_NEAR(impacts[0].before[0], -speed, 1e-9) << "they come together";
    EXPECT_NEAR(impacts[0].after[0], speed, 1e-9);
  }
}

// A point on a body hits a sphere: the sphere carries the surface, whichever is named first.
TEST(ContactRecord, ImpulsesOfAPointAndASphereActOnTheSecondToo) {
  for (const bool point_is_first : {true, false}) {
    Model model = point_is_first ? collision("right", "left") : collision("left", "right");
    model.colliders[1].shape = PointShape{};
    const TableSink table = run_model(model, Dynamics{.end_time = 0.3});
    EXPECT_NEAR(sum(table, "hit.impulse.n"), mass * speed, 1e-9);
    EXPECT_NEAR(sum(table, "hit.impulse.x"), (point_is_first ? -1 : 1) * mass * speed, 1e-9);
  }
}

// A ball in a shell that flies against its right side: on the ball the impulse is to the left.
TEST(ContactRecord, ImpulsesInsideOfAHollowSphereActOnTheSecond) {
  for (const bool shell_is_first : {true, false}) {
    Model model;
    model.gravity = Vector3::Zero();
    add_ball(model, "ball", {0, 0, 0}, {speed, 0, 0});
    model.add(Collider{
        .name = "shell", .frame = at(model.ground()), .shape = HollowSphereShape{2 * radius}});
    model.add(Contact{.name = "hit", .between = {"ball", "shell"}, .restitution = 1});
    if (shell_is_first) std::swap(model.contacts[0].between[0], model.contacts[0].between[1]);
    const TableSink table = run_model(model, Dynamics{.end_time = 0.15});
    EXPECT_NEAR(table.last("ball.velocity.x"), -speed, 1e-9);
    EXPECT_NEAR(sum(table, "hit.impulse.n"), 2 * mass * speed, 1e-9);
    EXPECT_NEAR(sum(table, "hit.impulse.x"), (shell_is_first ? -2 : 2) * mass * speed, 1e-9);
  }
}

// The columns n, t1, t2 and x, y, z are one vector, and slip is that of the second over the first.
// The impulse is along the normal where they touch, recorded along that at the end of the step.
TEST(ContactRecord, ObliqueImpulsesBalanceTheMomentumOfTheSecond) {
  const double mu = 0.02, turned_in_a_step = speed * 1e-3 / (2 * radius);
  for (const bool left_is_first : {true, false}) {
    Model model = left_is_first ? collision("left", "right") : collision("right", "left");
    std::get<RigidBody>(model.bodies[1]).pose.position.y() = 0.5 * radius;
    model.contacts[0].friction = mu;
    const TableSink table = run_model(model, Dynamics{.end_time = 0.1});
    const std::string second = left_is_first ? "right" : "left";
    const std::size_t last = table.rows() - 1;
    const Vector3 gained =
        mass * (table.vector(second + ".velocity", last) - table.vector(second + ".velocity", 0));
    EXPECT_LE((sum_of_vector(table, "hit.impulse") - gained).norm(),
              turned_in_a_step * gained.norm());
    const Vector3 along(sum(table, "hit.impulse.n"), sum(table, "hit.impulse.t1"),
                        sum(table, "hit.impulse.t2"));
    EXPECT_NEAR(along.norm(), gained.norm(), 1e-9);
    EXPECT_GT(along[0], 0);
    const EventRow impact = table.events("impact", "hit").at(0);
    const double slip = impact.before.tail<2>().norm();
    EXPECT_GT(slip, 0.1);
    EXPECT_LT(impact.impulse.tail<2>().dot(impact.before.tail<2>()), 0) << "friction is against it";
    EXPECT_NEAR(impact.impulse.tail<2>().norm(), mu * impact.impulse[0], 1e-9);
  }
}

/// A ball on the ground, in the contact "roll" with the floor.
Model ball_on_floor(const Vector3& angular, const Vector3& linear = Vector3::Zero()) {
  Model model;
  add_ball(model, "ball", {0, 0, radius}, linear, angular);
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "roll",
                    .between = {"floor", "ball"},
                    .friction = 0.3,
                    .rolling_friction = 1e-3,
                    .spinning_friction = 2e-3});
  return model;
}

TEST(ContactRecord, ThereAreMomentsWhereThereIsRollingOrSpinningFriction) {
  Model model = ball_on_floor(Vector3::Zero());
  const auto has_moments = [&] {
    const TableSink table = run_model(model, Dynamics{.end_time = 1e-3});
    return table.has("roll.moment_impulse.n") && table.has("roll.moment_impulse.t1") &&
           table.has("roll.moment_impulse.t2");
  };
  EXPECT_TRUE(has_moments());
  model.contacts[0].rolling_friction = 0;
  EXPECT_TRUE(has_moments());
  model.contacts[0].spinning_friction = 0;
  EXPECT_FALSE(has_moments());
  model.contacts[0].rolling_friction = 1e-3;
  EXPECT_TRUE(has_moments());
}

// Spinning about z: the moment is spinning_friction m g against it, and on the second collider.
TEST(ContactRecord, MomentImpulsesActOnTheSecondCollider) {
  const double spin = 20, time = 0.2;
  for (const bool floor_is_first : {true, false}) {
    Model model = ball_on_floor({0, 0, spin});
    if (!floor_is_first) std::swap(model.contacts[0].between[0], model.contacts[0].between[1]);
    const TableSink table = run_model(model, Dynamics{.end_time = time});
    const double gained =
        0.4 * mass * radius * radius * (table.last("ball.angular_velocity.z") - spin);
    EXPECT_NEAR(gained, -2e-3 * mass * 9.81 * time, 1e-3 * std::abs(gained) + 1e-9);
    // n = −z if the floor is the second, and the moment on the floor is opposite.
    EXPECT_NEAR(sum(table, "roll.moment_impulse.n"), gained, 1e-9);
    EXPECT_NEAR(sum(table, "roll.moment_impulse.t1"), 0, 1e-9);
    EXPECT_NEAR(sum(table, "roll.moment_impulse.t2"), 0, 1e-9);
  }
}

// Rolling along x: with n = z, t1 = x and t2 = y. What is lost about y is the moment and the force
// of friction on the arm of the radius.
TEST(ContactRecord, MomentImpulsesOfRollingAreTangential) {
  const double w = speed / radius;
  const Model model = ball_on_floor({0, w, 0}, {speed, 0, 0});
  const TableSink table = run_model(model, Dynamics{.end_time = 0.2});
  const double moment = sum(table, "roll.moment_impulse.t2");
  EXPECT_NEAR(moment, -1e-3 * sum(table, "roll.impulse.n"), 1e-6);
  const double gained = 0.4 * mass * radius * radius * (table.last("ball.angular_velocity.y") - w);
  EXPECT_NEAR(gained, moment - radius * sum(table, "roll.impulse.t1"), 1e-9);
  EXPECT_NEAR(mass * (table.last("ball.velocity.x") - speed), sum(table, "roll.impulse.t1"), 1e-9);
}

/// A box that falls flat on the floor, and slides.
Model box_on_floor() {
  Model model;
  const BodyId box = model.add(RigidBody{.name = "box",
                                         .inertia = solid_box(mass, {0.2, 0.2, 0.2}),
                                         .pose = {.position = {0, 0, 0.11}},
                                         .velocity = {.linear = {0.5, 0, 0}}});
  model.add(Collider{.name = "box", .frame = at(box), .shape = Box{{0.2, 0.2, 0.2}}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "slide", .between = {"floor", "box"}, .friction = 0.2});
  return model;
}

TEST(ContactRecord, TotalsAreTheSumsOfThePoints) {
  const TableSink points = run_model(box_on_floor(), Dynamics{.end_time = 0.1});
  const TableSink totals = run_model(
      box_on_floor(), Dynamics{.end_time = 0.1, .record = {.contacts = ContactDetail::Totals}});
  EXPECT_TRUE(points.has("slide.floor.box.0.gap"));
  EXPECT_TRUE(points.has("slide.impulse.x"));
  EXPECT_FALSE(points.has("slide.closed")) << "the points tell";
  EXPECT_FALSE(totals.has("slide.floor.box.0.gap"));
  ASSERT_EQ(points.rows(), totals.rows());
  for (std::size_t row = 0; row < points.rows(); ++row) {
    Vector3 impulse = Vector3::Zero();
    int closed = 0;
    for (int k = 0; k < 8; ++k) {
      const std::string name = "slide.floor.box." + std::to_string(k);
      impulse += points.vector(name + ".impulse", row);
      closed += points.at(name + ".status", row) > 0 ? 1 : 0;
    }
    EXPECT_LE((points.vector("slide.impulse", row) - impulse).norm(), round_off);
    EXPECT_EQ(totals.vector("slide.impulse", row), points.vector("slide.impulse", row));
    EXPECT_EQ(totals.at("slide.closed", row), closed);
  }
  EXPECT_EQ(totals.last("slide.closed"), 4);
}

TEST(ContactRecord, ASinglePointHasTotalsOnlyOnRequest) {
  Dynamics options{.end_time = 0.01};
  const Model model = ball_on_floor(Vector3::Zero());
  const TableSink points = run_model(model, options);
  EXPECT_TRUE(points.has("roll.gap"));
  EXPECT_FALSE(points.has("roll.closed"));
  options.record.contacts = ContactDetail::Totals;
  const TableSink totals = run_model(model, options);
  EXPECT_FALSE(totals.has("roll.gap"));
  EXPECT_FALSE(totals.has("roll.moment_impulse.n"));
  EXPECT_EQ(totals.last("roll.closed"), 1);
  EXPECT_NEAR(sum(totals, "roll.impulse.z"), mass * 9.81 * 0.01, 1e-9);
}

/// Balls in a row on the floor, the first two of them so near that they touch.
Model row_of_balls(int count) {
  Model model;
  for (int i = 0; i < count; ++i) {
    const double x = i == 0 ? 1 - 2 * radius : i;
    add_ball(model, "ball" + std::to_string(i), {x, 0, radius}, {i == 0 ? 0.1 : 0.0, 0, 0});
  }
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "balls", .between = {"ball*", "ball*"}});
  model.add(Contact{.name = "weight", .between = {"ball*", "floor"}});
  return model;
}

// 46 balls are 1035 pairs.
TEST(ContactRecord, ManyPointsHaveTotalsOnly) {
  const TableSink table = run_model(row_of_balls(46), Dynamics{.end_time = 0.01});
  EXPECT_TRUE(table.report().converged());
  EXPECT_FALSE(table.has("balls.ball0.ball1.0.gap"));
  EXPECT_TRUE(table.has("weight.ball0.floor.0.gap"));
  EXPECT_FALSE(table.has("weight.closed"));
  EXPECT_EQ(table.last("balls.closed"), 1);
  EXPECT_NEAR(sum(table, "balls.impulse.x"), mass * 0.1 / 2, 1e-9) << "of an inelastic collision";
  EXPECT_NEAR(sum(table, "weight.impulse.z"), -46 * mass * 9.81 * 0.01, 1e-6);
  ASSERT_FALSE(table.events("impact").empty());
  EXPECT_EQ(table.events("impact")[0].contact, "balls.ball0.ball1.0");
}

// Whether points are listed or not changes what is written, not what happens.
TEST(ContactRecord, ManyPointsMoveAsFewDo) {
  const TableSink few = run_model(row_of_balls(4), Dynamics{.end_time = 0.05});
  const TableSink many = run_model(row_of_balls(46), Dynamics{.end_time = 0.05});
  EXPECT_TRUE(few.has("balls.ball0.ball1.0.gap"));
  ASSERT_EQ(few.rows(), many.rows());
  for (const char* ball : {"ball0", "ball1"}) {
    const std::string name = std::string(ball) + ".position";
    EXPECT_LE((few.vector(name, few.rows() - 1) - many.vector(name, few.rows() - 1)).norm(), 1e-9);
  }
}

/// A ball that bounces, then slides and stops: events of all kinds but sticking at once.
TableSink bouncing(EventDetail events) {
  Model model = ball_on_floor(Vector3::Zero(), {0.3, 0, 0});
  std::get<RigidBody>(model.bodies[0]).pose.position.z() = radius + 0.01;
  model.contacts[0].restitution = 0.3;
  return run_model(model, Dynamics{.end_time = 0.5, .record = {.events = events}});
}

TEST(ContactRecord, EventsAreRecordedAsAsked) {
  const TableSink all = bouncing(EventDetail::All), impacts = bouncing(EventDetail::Impacts),
                  none = bouncing(EventDetail::None);
  const std::vector<EventRow> expected = all.events("impact");
  EXPECT_GE(expected.size(), 3U);
  EXPECT_GT(all.events().size(), expected.size()) << "and others";
  ASSERT_EQ(impacts.events().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(impacts.events()[i].kind, "impact");
    EXPECT_EQ(impacts.events()[i].time, expected[i].time);
    EXPECT_EQ(impacts.events()[i].impulse, expected[i].impulse);
  }
  EXPECT_TRUE(none.events().empty());
  for (const TableSink* table : {&all, &impacts, &none}) {
    EXPECT_EQ(table->report().impacts, static_cast<int>(expected.size())) << "counted in any case";
    EXPECT_EQ(table->last("ball.position.x"), all.last("ball.position.x"));
  }
}

}  // namespace contact_record_test
}  // namespace saltus::test
