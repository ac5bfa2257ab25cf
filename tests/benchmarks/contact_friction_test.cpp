// SPDX-License-Identifier: Apache-2.0
// Friction: a mass on an incline, a block on a belt, a chain of masses, a pendulum on a plate.
#include <numbers>

#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace contact_friction_test {

constexpr double h = 1e-3;

// ---- incline_point_mass
// --------------------------------------------------------------------------

constexpr double slope = 15 * std::numbers::pi / 180, mu = 0.3;
const double normal = 9.81 * std::cos(slope), weight = 9.81 * std::sin(slope);  // a kilogram's
const double stop = 2 / (weight + mu * normal);  // s; with 2 m/s the way is as many metres

// While it slips the motion has a constant acceleration, for which the scheme is exact, but for the
// step in which it stops.
TEST(InclinePointMass, StopsWhereItShould) {
  const TableSink table = run_example("incline_point_mass");
  const double x = table.last("mass.position.x");
  measured("x", x);
  EXPECT_TRUE(agrees(x, "incline_point_mass", "x at rest"));
  const std::vector<EventRow> sticks = table.events("sticks", "touch");
  ASSERT_EQ(sticks.size(), 1u);
  measured("stop", sticks[0].time);
  EXPECT_TRUE(agrees(sticks[0].time, "incline_point_mass", "time of the stop"));
}

TEST(InclinePointMass, ImpulsesBalanceTheWeight) {
  const TableSink table = run_example("incline_point_mass");
  const std::size_t slipping = table.row_at(0.2), sticking = table.row_at(1);
  const std::string name = "incline_point_mass";
  EXPECT_TRUE(agrees(table.at("touch.impulse.n", slipping), name, "normal impulse"));
  EXPECT_TRUE(agrees(table.at("touch.impulse.t1", slipping), name, "friction, slipping"));
  EXPECT_TRUE(agrees(table.at("touch.impulse.n", sticking), name, "normal impulse"));
  EXPECT_TRUE(agrees(table.at("touch.impulse.t1", sticking), name, "friction, sticking"));
}

TEST(InclinePointMass, DoesNotCreepInTenSeconds) {
  const TableSink table = run_example("incline_point_mass", {set_end(10)});
  const double creep =
      std::abs(table.last("mass.position.x") - table.at("mass.position.x", table.row_at(0.4)));
  measured("creep", creep);
  EXPECT_LE(creep, 1e-11);
}

// Without friction at position level each step moves by h²/2 times the acceleration that friction
// should have prevented: ½ h (μ g cos α · t_s − g sin α (T − t_s)) in all.
TEST(InclinePointMass, DriftsWithoutFrictionAtPositionLevelInProportionToTheStep) {
  const auto drift = [](double step) {
    const TableSink table = run_example(
        "incline_point_mass", {set_step(step), "/simulation/integrator/position_friction=false"});
    return table.last("mass.position.x") - stop;
  };
  const double predicted = h / 2 * (mu * normal * stop - weight * (2 - stop));
  measured("drift", drift(h));
  EXPECT_NEAR(predicted, -1.54e-3, 1e-5);
  // The step of the stop: h² × acceleration.
  EXPECT_NEAR(drift(h), predicted, 10 * h * h);
  EXPECT_NEAR(drift(2 * h), 2 * predicted, 40 * h * h);
}

// ---- block_on_belt
// -------------------------------------------------------------------------------

double onset() { return known("block_on_belt", "x where slip begins"); }

TEST(BlockOnBelt, BouncesSticksAndSlips) {
  const TableSink table = run_example("block_on_belt");
  const std::vector<EventRow> impacts = table.events("impact", "touch");
  ASSERT_GE(impacts.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    measured(fmt::format("impact_{}", k + 1), impacts[k].time);
    EXPECT_TRUE(agrees(impacts[k].time, "block_on_belt", fmt::format("bounce {}", k + 1)));
  }
  const std::vector<EventRow> sticks = table.events("sticks", "touch");
  ASSERT_FALSE(sticks.empty());
  std::size_t slip = table.row_at(0.7);  // all bounces are over at 0.6878 s
  EXPECT_EQ(table.at("touch.status", slip), 2);
  while (slip + 1 < table.rows() && table.at("touch.status", slip) == 2) ++slip;
  measured("slip_time", table.time(slip));
  measured("slip_x", table.at("block.position.x", slip));
  EXPECT_TRUE(agrees(table.time(slip), "block_on_belt", "slip begins"));
  // It is carried on until the end of the step after the one in which the spring wins.
  EXPECT_TRUE(agrees(table.at("block.position.x", slip), "block_on_belt", "x where slip begins"));
  EXPECT_GE(table.at("block.position.x", slip), onset());
}

TEST(BlockOnBelt, MovesWithTheBeltWhileItSticks) {
  const TableSink table = run_example("block_on_belt");
  int rows = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.at("touch.status", row) != 2) continue;
    ++rows;
    ASSERT_NEAR(table.at("block.velocity.x", row), 1, 1e-12);
  }
  EXPECT_GE(rows, 150);
}

// Slip that begins 2 h late begins with an amplitude too large by d²/2A, d = 2 h × 1 m/s.
TEST(BlockOnBelt, OscillatesAboutTheOnset) {
  const TableSink table = run_example("block_on_belt");
  const std::vector<double>& x = table.column("block.position.x");
  const auto high = std::max_element(x.begin(), x.end());
  const auto low = std::min_element(high, x.end());
  const Reference& amplitude = reference("block_on_belt", "amplitude");
  measured("largest", *high);
  measured("smallest", *low);
  EXPECT_TRUE(agrees(*high, "block_on_belt", "largest x"));
  EXPECT_NEAR(*low, onset() - amplitude.value, amplitude.tolerance);
  const double half_period = static_cast<double>(low - high) * h;
  measured("period", 2 * half_period);
  // Both ends to the nearest step.
  EXPECT_NEAR(2 * half_period, known("block_on_belt", "period"), 3 * h);
}

// ---- sliding_masses
// ------------------------------------------------------------------------------

TEST(SlidingMasses, AWaveReachesTheLastMass) {
  const TableSink table = run_example("sliding_masses", {set_end(0.5)});
  const std::size_t row = first_motion(table, "m21.position.x", 1e-9);
  measured("arrival", table.time(row));
  // A discrete chain has forerunners.
  EXPECT_NEAR(table.time(row), known("sliding_masses", "arrival of the wave"), 0.01);
  EXPECT_NEAR(table.time(row), known("sliding_masses", "last mass moves"), 2 * h);
}

// The final place falls linearly with the step: 0.3760 at 1e-3, 0.3740 at 1e-4, 0.3738 at 0.
TEST(SlidingMasses, RestWithTheirInitialLengths) {
  const auto check = [](double step) {  // the last wave dies out after 1.5 s
    const TableSink table =
        run_example("sliding_masses", {set_step(step), set_end(2), set_record(10)});
    const double u_1 = table.last("m1.position.x"), u_21 = table.last("m21.position.x") + 1;
    measured(fmt::format("u_1_h_{}", step), u_1);
    measured(fmt::format("u_21_h_{}", step), u_21);
    EXPECT_NEAR(u_1, 0.3738 + 2.2 * step, 5e-4) << "h = " << step;
    EXPECT_NEAR(u_21, 0.3730 + 2.4 * step, 5e-4) << "h = " << step;
    // Friction can hold 20 springs at 3.7e-4 m each; the chain keeps a tenth of that.
    EXPECT_LE(std::abs(u_1 - u_21), 20 * 0.0073575 / 20 / 5);
    for (int i = 1; i <= 21; ++i) {
      EXPECT_LE(std::abs(table.last(fmt::format("m{}.velocity.x", i))), 1e-12) << "mass " << i;
    }
  };
  check(1e-3);
  check(5e-4);
}

TEST(SlidingMasses, StretchAndShortenAsComputedElsewhere) {
  const TableSink table = run_example("sliding_masses");
  double longest = 0, shortest = 0, fastest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double change = table.at("m1.position.x", row) - table.at("m21.position.x", row) - 1;
    longest = std::max(longest, change);
    shortest = std::min(shortest, change);
    fastest = std::max(fastest, table.at("m1.velocity.x", row));
  }
  measured("longest", longest);
  measured("shortest", shortest);
  measured("fastest", fastest);
  EXPECT_NEAR(longest, 0.1675, 0.01 * 0.1675);  // first order at h = 1e-3: a per cent
  EXPECT_NEAR(shortest, -0.1136, 0.02 * 0.1136);
  EXPECT_NEAR(fastest, 2.973, 0.01 * 2.973);
}

// ---- pendulum_on_flexible_supports
// ---------------------------------------------------------------

TEST(PendulumOnFlexibleSupports, TouchesInTimeAndShowsAllStates) {
  const TableSink table = run_example("pendulum_on_flexible_supports");
  const std::vector<EventRow> impacts = table.events("impact", "touch");
  ASSERT_FALSE(impacts.empty());
  measured("impact", impacts[0].time);
  EXPECT_TRUE(agrees(impacts[0].time, "pendulum_on_flexible_supports", "time of impact 1"));
  bool seen[3] = {};
  for (const double status : table.column("touch.status")) seen[static_cast<int>(status)] = true;
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
  EXPECT_FALSE(table.events("sticks").empty());
  EXPECT_FALSE(table.events("slips").empty());
}

}  // namespace contact_friction_test
}  // namespace saltus::test
