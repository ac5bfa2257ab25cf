// SPDX-License-Identifier: Apache-2.0
// Beams that hit walls: the pendulum, and the oblique impact with friction.
#include "tests/support/flexible_runs.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace flexible_impacts_test {

std::string set_mass(const char* mass) { return fmt::format("/model/bodies/0/mass=\"{}\"", mass); }
std::string set_elements(int n) { return fmt::format("/model/bodies/0/elements={}", n); }

// ---- flexible_pendulum
// ---------------------------------------------------------------------------

/// Of flexible_pendulum at 0.3 s.
void expect_known_tip(const Eigen::Vector3d& tip) {
  EXPECT_TRUE(agrees(tip.x(), "flexible_pendulum", "tip's x at 0.3 s"));
  EXPECT_TRUE(agrees(tip.y(), "flexible_pendulum", "tip's y at 0.3 s"));
}

// It bends by a fraction of a millimetre on its way.
TEST(FlexiblePendulum, SwingsDownAndHitsTheWallInTime) {
  const double h = 1e-4;
  const TableSink table = run_example("flexible_pendulum");
  const Eigen::Vector3d tip = table.vector("rod.node8.position", table.row_at(0.3));
  measured("first_contact", table.events("impact").at(0).time);
  measured("tip_x", tip.x());
  measured("tip_y", tip.y());
  EXPECT_TRUE(agrees(table.events("impact").at(0).time, "flexible_pendulum", "time of impact 1"));
  expect_known_tip(tip);
  expect_every_step_converged(table, h);
  expect_closed_books(table);
}

// Before the wall no energy is lost but the scheme's, second order in h.
TEST(FlexiblePendulum, KeepsItsEnergyOnTheWay) {
  for (const double h : {1e-3, 5e-4}) {
    const TableSink table =
        run_example("flexible_pendulum", {set_step(h), set_end(0.3), set_record(1)});
    const double drift = largest_of(table.column("energy.numerical_loss")) /
                         largest_of(table.column("energy.kinetic"));
    measured(fmt::format("drift_{}", h), drift);
    EXPECT_LE(drift, 1e-5 * std::pow(h / 1e-3, 2));
    EXPECT_LE(table.report().smooth.max, 3);
  }
}

// The steps of the authors, and beyond. The rod's axial waves pass an element in 2.4e-5 s.
TEST(FlexiblePendulum, ConvergesWithLargeSteps) {
  for (const double h : {3e-3, 1e-3, 3e-4}) {
    const TableSink table = run_troubled("flexible_pendulum", {set_step(h), set_record(1)});
    const RunReport& report = table.report();
    expect_every_step_converged(table, h);
    expect_closed_books(table);
    ASSERT_GE(table.events("impact").size(), 1u) << h;
    EXPECT_NEAR(table.events("impact")[0].time, known("flexible_pendulum", "time of impact 1"), h);
    measured(fmt::format("position_iterations_{}", h), report.position.max);
    measured(fmt::format("energy_{}", h), own_energy(table, table.rows() - 1));
    EXPECT_LE(report.position.max, 10) << h;
    // It has swung down with 2.70 J. An impact without restitution takes some of it and gives none.
    EXPECT_LE(own_energy(table, table.rows() - 1), 0) << h;
    EXPECT_GE(own_energy(table, table.rows() - 1), -2.7) << h;
  }
}

// Four elements with Hermite mass for eight with the linear one.
TEST(FlexiblePendulum, NeedsFewElementsWithHermiteMass) {
  const double h = 5e-4;
  const TableSink table = run_troubled(
      "flexible_pendulum", {set_step(h), set_record(1), set_mass("hermite"), set_elements(4)});
  expect_every_step_converged(table, h);
  const Eigen::Vector3d tip = table.vector("rod.node4.position", table.row_at(0.3));
  measured("tip_x", tip.x());
  measured("tip_y", tip.y());
  expect_known_tip(tip);
  EXPECT_NEAR(table.events("impact").at(0).time, known("flexible_pendulum", "time of impact 1"), h);
  expect_closed_books(table);
}

// ---- oblique_beam_impact
// -------------------------------------------------------------------------

/// One run for two tests.
const TableSink& oblique_run() {
  static const TableSink table = run_example("oblique_beam_impact", {set_record(1)});
  return table;
}

/// The last time before `until` with an impulse at the lower tip.
double last_touch(const TableSink& table, double until) {
  double last = std::nan("");
  for (std::size_t row = 0; row < table.rows() && table.time(row) < until; ++row) {
    if (table.at("lower.impulse.n", row) > 0) last = table.time(row);
  }
  return last;
}

// Gap 0.1 m at 2 m/s. What follows depends on the mesh.
TEST(ObliqueBeam, HitsChattersTurnsAndHitsWithItsOtherEnd) {
  const TableSink& table = oblique_run();
  const std::vector<EventRow> lower = table.events("impact", "lower");
  const std::vector<EventRow> upper = table.events("impact", "upper");
  ASSERT_GE(lower.size(), 2u);
  ASSERT_GE(upper.size(), 1u);
  measured("first_impact", lower[0].time);
  measured("first_opening", table.events("opens", "lower").at(0).time);
  measured("last_touch", last_touch(table, 0.3));
  measured("second_impact", upper[0].time);
  const std::string name = "oblique_beam_impact";
  EXPECT_TRUE(agrees(lower[0].time, name, "first impact"));
  EXPECT_TRUE(agrees(table.events("opens", "lower").at(0).time, name, "first opening"));
  EXPECT_TRUE(agrees(last_touch(table, 0.3), name, "last contact"));
  EXPECT_TRUE(agrees(upper[0].time, name, "second impact, meshes"));
  EXPECT_LE(table.report().smooth.max, 3);
  expect_closed_books(table);
}

// Without friction the beam would turn much faster: its other end would hit near 0.336 s, in the
// independent program; meshes and steps differ by 5 %, as above.
TEST(ObliqueBeam, WouldTurnFasterWithoutFriction) {
  const TableSink table =
      run_troubled("oblique_beam_impact",
                   {"/model/contacts/0/friction=0", "/model/contacts/1/friction=0", set_end(0.4)});
  measured("second_impact", table.events("impact", "upper").at(0).time);
  EXPECT_NEAR(table.events("impact", "upper").at(0).time, 0.336, 0.05 * 0.336);
  EXPECT_EQ(table.report().energy.friction_loss, 0);
}

// Impulses of the wall are all that changes the beam's momentum, and its losses all that changes
// its energy.
TEST(ObliqueBeam, KeepsItsBooks) {
  const TableSink& table = oblique_run();
  const double mass = 7850 * 2.5477e-3;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    impulse += table.vector("lower.impulse", row) + table.vector("upper.impulse", row);
  }
  const std::size_t end = table.rows() - 1;
  const Eigen::Vector3d change =
      mass * (table.vector("beam.velocity", end) - table.vector("beam.velocity", 0));
  EXPECT_LE((impulse - change).norm(), 1e-8 * mass * 2);
  const EnergyLedger& energy = table.report().energy;
  measured("friction_loss", energy.friction_loss);
  EXPECT_GT(energy.friction_loss, 0);
  EXPECT_GT(energy.impact_loss, 0);
  const double lost = own_energy(table, 0) - own_energy(table, end);
  EXPECT_NEAR(lost, energy.friction_loss + energy.impact_loss + energy.numerical_loss, 1e-9 * lost);
}

}  // namespace flexible_impacts_test
}  // namespace saltus::test
