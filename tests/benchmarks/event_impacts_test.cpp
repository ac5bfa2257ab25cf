// SPDX-License-Identifier: Apache-2.0
// The examples of spec/chatterjee.md: impacts of several points with an energetic coefficient.
#include <cmath>
#include <numbers>

#include "tests/benchmarks/force_runs.hpp"
#include "tests/support/contact_checks.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace event_impacts_test {

ForceSink run(const std::string& name, const Settings& settings = {}) {
  ForceSink table = run_forces(name, settings);
  EXPECT_LE(table.report().max_penetration, 1e-12) << name;
  return table;
}

/// In the consistent mode.
void expect_no_gain(const TableSink& table) {
  EXPECT_LE(energy_gain(table), 1e-10 * largest_energy(table));
  EXPECT_LE(largest_of(table.column("energy.residual")), 1e-10 * largest_energy(table));
}

/// The velocities right after what happens at the start.
TableSink right_after(const std::string& name) {
  return run(name, {set_end(1e-9), set_step(1e-9)});
}

// ---- planar block -------------------------------------------------------------------------------

void check_planar_block(const std::string& name) {
  const TableSink table = right_after(name);
  const std::vector<EventRow> events = table.events("impact");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(agrees(events[0].after[0], name, "corner 1 leaves with")) << "the event of both";
  EXPECT_EQ(events[2].order, 2);
  const double b = 0.1087;
  const double v_z = table.last("block.velocity.z");
  const double omega = table.last("block.angular_velocity.y");
  const double v_1 = v_z + omega * b / 2, v_2 = v_z - omega * b / 2;
  EXPECT_TRUE(agrees(v_1, name, "corner 1 leaves with"));
  EXPECT_TRUE(agrees(v_2, name, "corner 2 leaves with"));
}

TEST(EventImpacts, PlanarBlockLeavesAsInTheExperiment) {
  check_planar_block("planar_block");
  check_planar_block("planar_block_friction");
}

TEST(EventImpacts, PlanarBlockByConsistentEventsWinsNothing) {
  const TableSink table =
      run("planar_block_friction", {"/simulation/integrator/composition=consistent"});
  expect_no_gain(table);
}

// ---- corner -------------------------------------------------------------------------------------

void check_ball_in_corner(const std::string& name) {
  const TableSink table = right_after(name);
  EXPECT_TRUE(agrees(table.last("ball.velocity.x"), name, "v_x"));
  EXPECT_TRUE(agrees(table.last("ball.velocity.z"), name, "v_z"));
  EXPECT_TRUE(agrees(std::abs(table.last("ball.angular_velocity.y")), name, "angular velocity"));
}

TEST(EventImpacts, BallInACornerByTheWorkThatIsDone) {
  check_ball_in_corner("planar_ball_corner");
  expect_no_gain(run("planar_ball_corner"));
}

TEST(EventImpacts, ModesThatRepeatATableSayWhatIsWrongWithThem) {
  const Settings short_run = {set_end(1e-3)};
  EXPECT_TRUE(any_mentions(run_troubled("planar_block", short_run).report().warnings,
                           "neither momentum nor energy"));
  EXPECT_TRUE(any_mentions(run_troubled("planar_ball_corner_thesis", short_run).report().warnings,
                           "choose \"integral\""));
  EXPECT_TRUE(run_troubled("planar_ball_corner", short_run).report().warnings.empty());
}

TEST(EventImpacts, BallInACornerByTheThesis) { check_ball_in_corner("planar_ball_corner_thesis"); }

TEST(EventImpacts, ASmoothCornerTurnsEveryVelocityBack) {
  Settings smooth;
  for (int i = 0; i < 3; ++i) smooth.push_back(fmt::format("/model/contacts/{}/friction=0", i));
  smooth.push_back("/model/bodies/0/velocity/linear=[9.81,9.81,0]");
  smooth.push_back("/model/bodies/0/pose/position=[-9.81,-9.81,5.405]");
  const TableSink table = run("sphere_corner", smooth);
  const std::vector<EventRow> events = table.events("impact");
  ASSERT_GE(events.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(events[i].time, 1, 1e-12);
    EXPECT_NEAR(events[i].before[0], -9.81, 1e-9) << i;
    EXPECT_NEAR(events[i].after[0], 9.81 / 2, 1e-9) << i;
  }
  expect_no_gain(table);
}

TEST(EventImpacts, SphereInACornerHasForcesOfTheRightSize) {
  const ForceSink table = run("sphere_corner");
  expect_no_gain(table);
  ASSERT_GE(table.impacts().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const ForceRow row = table.impacts()[i];
    EXPECT_NEAR(row.time, 1, 1e-12);
    EXPECT_GT(row.peak_force, 1e4);
    EXPECT_LT(row.peak_force, 1e5);
    EXPECT_GT(row.peak_indentation, 5e-5);
    EXPECT_LT(row.peak_indentation, 5e-4);
    EXPECT_GT(row.duration, 1e-5);
    EXPECT_LT(row.duration, 1e-4);
    EXPECT_LT(row.permanent_indentation, row.peak_indentation);
  }
}

// ---- blocks -------------------------------------------------------------------------------------

TEST(EventImpacts, BlockOnFourPointsStrikesTwice) {
  const ForceSink table = run("block_four_point");
  expect_no_gain(table);
  const std::vector<EventRow> events = table.events("impact");
  ASSERT_GE(events.size(), 6u);
  EXPECT_TRUE(agrees(events[0].time, "block_four_point", "impact of the face"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(events[i].order, 1);
  EXPECT_TRUE(agrees(events[0].after[0], "block_four_point", "struck edge, event 1"));
  EXPECT_TRUE(agrees(events[2].after[0], "block_four_point", "other edge, event 1"));
  EXPECT_EQ(events[4].order, 2);
  EXPECT_EQ(events[5].order, 2);
  EXPECT_GT(events[4].after[0], 0);
}

TEST(EventImpacts, EdgesOfABlockSlipAndStick) {
  const std::string name = "block_edge_impacts";
  const ForceSink table = run(name);
  expect_no_gain(table);
  const std::vector<EventRow> events = table.events("impact");
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(agrees(events[0].time, name, "first edge"));
  EXPECT_TRUE(agrees(events[2].time, name, "second edge"));
  // The source's block has 1502.4 kg exactly as the example.
  EXPECT_TRUE(agrees(events[0].impulse[0], name, "impulse a corner"));
  EXPECT_NEAR(std::abs(events[0].impulse[2]), 950.95, 0.01);
  EXPECT_TRUE(agrees(events[0].after[0], name, "first edge leaves"));
  EXPECT_NEAR(std::hypot(events[0].after[1], events[0].after[2]), 0, 1e-10) << "sticks";
  EXPECT_TRUE(agrees(events[2].after[0], name, "second edge leaves"));
  EXPECT_GT(std::hypot(events[2].after[1], events[2].after[2]), 0.1) << "slips";
  const TableSink after = run(name, {set_end(0.4872284), set_step(1)});
  EXPECT_TRUE(agrees(after.last("block.velocity.y"), name, "v_y after the second"));
  EXPECT_TRUE(agrees(after.last("block.velocity.z"), name, "v_z after the second"));
  EXPECT_TRUE(agrees(after.last("block.angular_velocity.x"), name, "w_x after the second"));
  const ForceRow force = table.impacts().at(0);
  EXPECT_TRUE(agrees(force.peak_force, name, "peak force"));
  EXPECT_TRUE(agrees(force.peak_indentation, name, "indentation"));
  EXPECT_NEAR(force.permanent_indentation, 1.2147e-2, 1e-6);
  EXPECT_TRUE(agrees(force.duration, name, "duration"));
}

TEST(EventImpacts, TheNumberOfPointsDoesNotChangeTheMotion) {
  std::vector<TableSink> tables;
  for (const int n : {4, 8, 16, 25}) {
    const std::string name = fmt::format("block_surface_{}", n);
    tables.push_back(run(name));
    const TableSink& table = tables.back();
    expect_no_gain(table);
    const EventRow first = table.events("impact").at(0);
    EXPECT_TRUE(agrees(first.time, name, "first edge"));
    EXPECT_TRUE(agrees(first.impulse[0], name, "impulse a point"));
    EXPECT_NEAR(first.after[0], 2.0550, 5e-5);
    // Until a follow-up event has only some of the points.
    const std::size_t until = table.row_at(0.58);
    for (const char* column : {"block.position.y", "block.position.z", "block.rotation.x"}) {
      double worst = 0;
      for (std::size_t row = 0; row <= until; ++row) {
        worst = std::max(worst, std::abs(table.at(column, row) - tables[0].at(column, row)));
      }
      EXPECT_LE(worst, 1e-9) << n << ' ' << column;
    }
    const std::size_t row = table.row_at(0.42);
    const double t = table.time(row) - first.time;
    EXPECT_NEAR(table.at("block.velocity.y", row), -0.56245, 1e-5);
    EXPECT_NEAR(table.at("block.velocity.z", row) + 9.81 * t, -1.29775, 1e-5);
    EXPECT_NEAR(table.at("block.angular_velocity.x", row), 5.27398, 1e-5);
  }
}

TEST(EventImpacts, ForcesOfSurfacesFallWithTheNumberOfPoints) {
  for (const auto& [name, permanent] :
       {std::pair("block_surface_force", 1.984e-4), std::pair("block_surface_force_8", 1.638e-4),
        std::pair("block_surface_force_16", 1.428e-4),
        std::pair("block_surface_force_25", 1.282e-4)}) {
    const ForceSink table = run(name);
    const ForceRow row = table.impacts().at(0);
    EXPECT_TRUE(agrees(row.peak_force, name, "peak force"));
    EXPECT_TRUE(agrees(row.peak_indentation, name, "indentation"));
    EXPECT_NEAR(row.permanent_indentation, permanent, 1e-3 * permanent) << name;
    EXPECT_TRUE(agrees(row.duration, name, "duration"));
    double impulse = 0;
    for (std::size_t k = 1; k < row.history.size(); ++k) {
      impulse += (row.history[k].force + row.history[k - 1].force) / 2 *
                 (row.history[k].time - row.history[k - 1].time);
    }
    EXPECT_NEAR(impulse, row.impulse, 0.01 * row.impulse) << name;
  }
}

// ---- rocking ------------------------------------------------------------------------------------

struct Specimen {
  int number;
  double width, height;
};

/// What the angular velocity falls to at the first rock, once the bounces of the new edge have died
/// away: they keep the angular momentum about it, but for gravity.
double first_rock(const Specimen& s, const std::string& name) {
  const TableSink whole = run(name, {set_end(1.0)});
  const double rock = whole.events("impact").at(0).time;
  const TableSink before = run(name, {set_end(rock - 1e-9), set_step(1)});
  const TableSink after = run(name, {set_end(rock + 1e-9), set_step(1)});
  // From the new pivot to the centre; the mass does not matter.
  const double x = -s.width / 2, z = s.height / 2,
               I = (s.width * s.width + s.height * s.height) / 12;
  const double momentum = I * after.last("block.angular_velocity.y") +
                          z * after.last("block.velocity.x") - x * after.last("block.velocity.z");
  return momentum / (I + x * x + z * z) / before.last("block.angular_velocity.y");
}

TEST(EventImpacts, RockingSpecimensLoseTheRightShare) {
  for (const Specimen& s :
       {Specimen{1, 0.23, 1}, Specimen{2, 0.155, 1}, Specimen{4, 0.115, 0.457}}) {
    const std::string name = fmt::format("rocking_specimen_{}", s.number);
    const TableSink planar = run(name);
    const TableSink spatial = run(fmt::format("rocking_specimen_{}_3d", s.number));
    expect_no_gain(planar);
    expect_no_gain(spatial);
    double worst = 0;
    for (std::size_t row = 0; row < planar.rows(); ++row) {
      worst = std::max(worst, std::abs(planar.at("block.rotation.y", row) -
                                       spatial.at("block.rotation.y", row)));
    }
    measured(fmt::format("planar_and_spatial_{}", s.number), worst);
    EXPECT_LE(worst, 1e-9) << s.number;
    const double ratio = first_rock(s, name);
    measured(fmt::format("ratio_{}", s.number), ratio);
    EXPECT_TRUE(agrees(ratio, name, "angular velocity kept"));
  }
}

}  // namespace event_impacts_test
}  // namespace saltus::test
