// SPDX-License-Identifier: Apache-2.0
// Where along a bore friction takes energy.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "saltus/simulation/friction_sectors.hpp"
#include "tests/support/example_run.hpp"

namespace saltus::test {
namespace journal_watch_test {

constexpr double pi = std::numbers::pi;
constexpr double mu = 0.2, weight = 20, pin_radius = 0.01, clearance = 1e-4;
constexpr double omega = 40;          // of the bore
constexpr int steps_of_a_turn = 900;  // 25 a sector
constexpr double h = 2 * pi / omega / steps_of_a_turn;

/// Where the pin stands still in a bore that turns to the left: its reaction is the weight.
double angle_of_rest() { return -pi / 2 + std::atan(mu); }

/// A pin that does not turn, loaded downwards, in a bore that turns about z.
/// @param lengths  of pin and bore
Model pin_in_turning_bore(double pin_length, double bore_length, double restitution = 0) {
  Model model;
  model.gravity = Vector3(0, -10, 0);
  const Vector3 rest(std::cos(angle_of_rest()), std::sin(angle_of_rest()), 0);
  const BodyId wheel =
      model.add(RigidBody{.name = "wheel",
                          .inertia = solid_cylinder(1, 0.1, 0.02, Vector3(0, 0, 1)),
                          .velocity = {.angular = Vector3(0, 0, omega)}});
  const BodyId pin = model.add(RigidBody{.name = "pin",
                                         .inertia = solid_sphere(weight / 10, 0.01),
                                         .pose = {.position = clearance * rest}});
  model.add(Revolute{.name = "axle",
                     .bodies = {model.ground(), wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3(0, 0, 1),
                     .drive = Speed{omega}});
  model.add(Lock{.name = "hand",
                 .body = pin,
                 .translation = {Axis::Z},
                 .rotation = {Axis::X, Axis::Y, Axis::Z}});
  model.add(Collider{.name = "bore",
                     .frame = at(wheel),
                     .shape = Bore{.radius = pin_radius + clearance, .length = bore_length}});
  model.add(Collider{.name = "pin",
                     .frame = at(pin),
                     .shape = Cylinder{.radius = pin_radius, .length = pin_length}});
  model.add(Contact{
      .name = "fit", .between = {"bore", "pin"}, .restitution = restitution, .friction = mu});
  return model;
}

RunReport run(const Model& model, int steps) {
  const TableSink table = run_model(
      model, Dynamics{.end_time = steps * h, .integrator = NonsmoothGeneralizedAlpha{.step = h}});
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  return table.report();
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// What friction takes in a step: the bore slides under the pin.
double work_of_a_step() {
  const double N = weight * std::cos(std::atan(mu));
  return mu * N * (pin_radius + clearance) * omega * h;
}

// The point of contact stands still and the bore turns under it: it goes backwards in the bore.
TEST(JournalWatch, EverySectorHasTheWorkOfTheStepsInIt) {
  const int steps = steps_of_a_turn / 2 + 7;
  const RunReport report = run(pin_in_turning_bore(0, 0.02), steps);
  std::vector<double> expected(FrictionSectors::count, 0.0);
  for (int n = 1; n <= steps; ++n) {
    const double turns = (angle_of_rest() - omega * h * n) / (2 * pi);
    const double part = turns - std::floor(turns);
    expected[static_cast<std::size_t>(part * FrictionSectors::count)] += work_of_a_step();
  }
  const std::vector<double>& work = report.contacts.at(0).friction_work;
  ASSERT_EQ(work.size(), expected.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    EXPECT_NEAR(work[i], expected[i], 1e-6 * work_of_a_step() * 25) << "sector " << i;
  }
}

TEST(JournalWatch, AWholeTurnWearsTheBoreAllRound) {
  const RunReport report = run(pin_in_turning_bore(0, 0.02), steps_of_a_turn);
  const std::vector<double>& work = report.contacts.at(0).friction_work;
  ASSERT_EQ(work.size(), 36U);
  for (const double w : work) EXPECT_NEAR(w, 25 * work_of_a_step(), 1e-6 * w);
  EXPECT_NEAR(sum(work), report.contacts[0].friction_loss, 1e-12 * sum(work));
}

// A pin through the bore touches with the bore's rims, whose element is the other way round.
TEST(JournalWatch, PinsThroughTheBoreAndPinsInItGiveTheSame) {
  const RunReport inside = run(pin_in_turning_bore(0.01, 0.02), 300);
  const RunReport through = run(pin_in_turning_bore(0.03, 0.02), 300);
  const std::vector<double>& a = inside.contacts.at(0).friction_work;
  const std::vector<double>& b = through.contacts.at(0).friction_work;
  EXPECT_GT(sum(a), 299 * work_of_a_step());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.02 * sum(a) / 12);
}

TEST(JournalWatch, WithoutFrictionOrWithoutABoreThereAreNoSectors) {
  Model smooth = pin_in_turning_bore(0, 0.02);
  smooth.contacts[0].friction = 0.0;
  EXPECT_TRUE(run(smooth, 3).contacts.at(0).friction_work.empty());
  Model ball = pin_in_turning_bore(0, 0.02);
  ball.colliders[1].shape = Sphere{pin_radius};
  EXPECT_TRUE(run(ball, 3).contacts.at(0).friction_work.empty());
}

}  // namespace journal_watch_test
}  // namespace saltus::test
