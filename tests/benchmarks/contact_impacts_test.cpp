// SPDX-License-Identifier: Apache-2.0
// Impacts: the bouncing ball, the tumbling box and the rocking rod.
#include <array>
#include <numbers>

#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace contact_impacts_test {

// ---- bouncing_ball
// -------------------------------------------------------------------------------

constexpr double ball_g = 9.8, ball_e = 0.8, ball_height = 0.8;

/// Impact k + 1 comes 2 eᵏ v/g after impact k.
double ball_impact_time(int k) {
  const double first = std::sqrt(2 * ball_height / ball_g);
  double t = first;
  for (int i = 1; i <= k; ++i) t += 2 * std::pow(ball_e, i) * first;
  return t;
}

// An impact is noticed at the end of its step, and each inherits the delays before it.
TEST(BouncingBall, StrikesAtTheExactTimes) {
  const double h = 1e-3;
  const TableSink table = run_example("bouncing_ball");
  const std::vector<EventRow> impacts = table.events("impact", "bounce");
  ASSERT_GE(impacts.size(), 7u);
  for (int k = 0; k < 7; ++k) {
    const double t = impacts[static_cast<std::size_t>(k)].time;
    measured(fmt::format("impact_{}", k + 1), t);
    EXPECT_NEAR(t, ball_impact_time(k), (k + 1) * h) << "impact " << k + 1;
  }
  const double speed = std::sqrt(2 * ball_g * ball_height);
  // One step of gravity is lost or won before the impact, reversed after it.
  EXPECT_NEAR(std::abs(impacts[0].impulse[0]), 1.8 * speed, 2 * ball_g * h);
  EXPECT_NEAR(impacts[0].after[0], -0.8 * impacts[0].before[0], 1e-12);  // Newton's law, exactly
}

TEST(BouncingBall, RestsWithoutJitterAfterTheAccumulation) {
  const double accumulation = std::sqrt(2 * ball_height / ball_g) * 1.8 / 0.2;
  const TableSink table = run_example("bouncing_ball");
  const double last = table.events().back().time;
  measured("last_event", last);
  EXPECT_LE(last, accumulation + 1e-2);  // ten steps for what is left of the bounces
  for (std::size_t row = table.row_at(last) + 2; row < table.rows(); ++row) {
    ASSERT_LE(std::abs(table.at("ball.velocity.z", row)), 1e-13) << "t = " << table.time(row);
    ASSERT_LE(std::abs(table.at("ball.position.z", row)), 1e-13) << "t = " << table.time(row);
    ASSERT_NEAR(table.at("bounce.impulse.n", row), ball_g * 1e-3, 1e-12);
  }
}

// ---- rigid_box_impact
// ----------------------------------------------------------------------------

// The box turns by 85 rad/s × h before its impact is noticed; impulse and motion after it are off
// in this proportion. The reference: eight corners, steps of 1e-6.
TEST(RigidBoxImpact, HasOneImpactWithTheRightImpulse) {
  const double h = 1e-5, spin = 60 * std::numbers::sqrt2;
  const TableSink table = run_example("rigid_box_impact", {set_step(h), set_record(100)});
  const std::vector<EventRow> impacts = table.events("impact");
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].contact, "impact.floor.corners.5");  // (+, −, +)
  measured("impact", impacts[0].time);
  measured("impulse", impacts[0].impulse[0]);
  const double impulse = known("rigid_box_impact", "impulse");
  EXPECT_NEAR(impacts[0].time, known("rigid_box_impact", "time of impact"), h);
  EXPECT_NEAR(impacts[0].impulse[0], impulse, spin * h * impulse);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_NEAR(table.at("box.velocity.x", row), 3, 1e-12);
  }
}

TEST(RigidBoxImpact, ReachesTheStateAfterIt) {
  const double h = 1e-5, late = 60 * std::numbers::sqrt2 * h;
  const TableSink table = run_example("rigid_box_impact", {set_step(h), set_record(100)});
  const std::size_t end = table.rows() - 1;
  const Eigen::Vector3d omega =
      table.rotation("box", end).transpose() * table.vector("box.angular_velocity", end);
  measured("z", table.last("box.position.z"));
  measured("v_z", table.last("box.velocity.z"));
  measured("omega_x", omega.x());
  EXPECT_NEAR(table.last("box.position.x"), 2.07, 1e-10);
  const std::string name = "rigid_box_impact";
  EXPECT_NEAR(table.last("box.velocity.z"), known(name, "v_z at 0.69 s"), late * 500 / 46.8);
  EXPECT_NEAR(table.last("box.position.z"), known(name, "z at 0.69 s"), late * 500 / 46.8 * 0.275);
  const Eigen::Vector3d spin(known(name, "Ω_x at 0.69 s"), known(name, "Ω_y at 0.69 s"),
                             known(name, "Ω_z at 0.69 s"));
  // The impulse turns the box by Λ × arm / J: 500 N s × 0.15 m / 0.195 kg m².
  EXPECT_LE((omega - spin).norm(), late * 500 * 0.15 / 0.195);
}

// ---- rocking_rod
// ---------------------------------------------------------------------------------

// The rod falls with its slope of 12° until it meets support 1.
TEST(RockingRod, FirstImpactComesAfterTheFreeFall) {
  for (const char* name : {"rocking_rod_1", "rocking_rod_2", "rocking_rod_3", "rocking_rod_4"}) {
    const TableSink table = run_example(name);
    const std::vector<EventRow> impacts = table.events("impact");
    ASSERT_GE(impacts.size(), 3u);
    EXPECT_EQ(impacts[0].contact, "support_1");
    EXPECT_TRUE(agrees(impacts[0].time, name, "first impact"));
  }
}

TEST(RockingRod, CaseOneStrikesTheSupportsInTurn) {
  const TableSink table = run_example("rocking_rod_1");
  const std::vector<EventRow> impacts = table.events("impact");
  const std::array<const char*, 3> contacts = {"support_1", "support_2", "support_1"};
  const std::array<const char*, 3> names = {"impact 1, support 1", "impact 1, support 2",
                                            "impact 2, support 1"};
  for (std::size_t k = 0; k < 3; ++k) {
    measured(fmt::format("impact_{}", k + 1), impacts.at(k).time);
    EXPECT_EQ(impacts[k].contact, contacts[k]);
    EXPECT_TRUE(agrees(impacts[k].time, "rocking_rod_1", names[k]));
  }
}

/// The rod at rest on both supports, `drop` being the height of support 1 over support 2.
void expect_rest_on_supports(const TableSink& table, double drop) {
  const double slope = std::atan(drop / 0.4), h = 1e-3, weight = 0.48 * 9.8;
  const double x = table.last("rod.position.x");
  EXPECT_NEAR(table.last("rod.position.y"), -drop / 2 - drop / 0.4 * x, 1e-11);
  EXPECT_LE(std::abs(table.last("rod.velocity.x")) + std::abs(table.last("rod.velocity.y")), 1e-12);
  const double n_1 = table.last("support_1.impulse.n") / h;
  const double n_2 = table.last("support_2.impulse.n") / h;
  const double friction =
      (table.last("support_1.impulse.t1") + table.last("support_2.impulse.t1")) / h;
  measured("n_1", n_1);
  measured("n_2", n_2);
  measured("friction", friction);
  measured("x", x);
  EXPECT_NEAR(n_1, weight * std::cos(slope) * (0.2 - x) / 0.4, 1e-8);  // forces and moments
  EXPECT_NEAR(n_2, weight * std::cos(slope) * (0.2 + x) / 0.4, 1e-8);
  EXPECT_NEAR(friction, -weight * std::sin(slope), 1e-8);  // up the slope
}

TEST(RockingRod, RestsInBalanceInEveryCase) {
  expect_rest_on_supports(run_example("rocking_rod_1"), 0);
  expect_rest_on_supports(run_example("rocking_rod_2"), 0);
  expect_rest_on_supports(run_example("rocking_rod_3"), 0.04);
  expect_rest_on_supports(run_example("rocking_rod_4"), 0.04);
}

// Other schemes and signs of the angle give x from 0.0120 to 0.0133.
TEST(RockingRod, CaseThreeRestsAsPrinted) {
  const TableSink table = run_example("rocking_rod_3");
  const std::string name = "rocking_rod_3";
  const auto force = [&](const char* column) { return table.last(column) / 1e-3; };
  EXPECT_TRUE(agrees(force("support_1.impulse.n"), name, "normal force 1"));
  EXPECT_TRUE(agrees(force("support_2.impulse.n"), name, "normal force 2"));
  EXPECT_TRUE(agrees(-force("support_1.impulse.t1") - force("support_2.impulse.t1"), name,
                     "sum of tangential forces"));
  EXPECT_TRUE(agrees(table.last("rod.position.x"), name, "x at rest"));
}

// Friction of support 1 only is different: the motions part at its first impact.
TEST(RockingRod, CasesPartAtTheFirstImpact) {
  for (const auto& [first, second] :
       {std::pair("rocking_rod_1", "rocking_rod_2"), std::pair("rocking_rod_3", "rocking_rod_4")}) {
    const TableSink a = run_example(first), b = run_example(second);
    const std::size_t impact = a.row_at(a.events("impact")[0].time);
    EXPECT_EQ(a.at("rod.velocity.x", impact - 1), b.at("rod.velocity.x", impact - 1));
    EXPECT_GT(std::abs(a.at("rod.velocity.x", impact) - b.at("rod.velocity.x", impact)), 1e-3);
  }
}

}  // namespace contact_impacts_test
}  // namespace saltus::test
