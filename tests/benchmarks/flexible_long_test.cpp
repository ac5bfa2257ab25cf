// SPDX-License-Identifier: Apache-2.0
// Flexible bodies over all step sizes of the authors, and the coupled scheme beside: minutes, not
// seconds.
#include "tests/support/flexible_runs.hpp"
#include "tests/support/references.hpp"

namespace saltus::test {
namespace flexible_long_test {

const std::string coupled = "/simulation/integrator/coupling=\"coupled\"";

/// Linear solves of all three sub-problems in a step, on average.
double solves(const RunReport& report) {
  return report.smooth.mean() + report.position.mean() + report.velocity.mean();
}

// ---- elastic_bar_impact: 1e-5 … 0.03 s
// -----------------------------------------------------------

TEST(BarSweep, OneIterationAndOneBounceAtEveryStep) {
  for (const double h : {0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4}) {
    const TableSink table = run_troubled("elastic_bar_impact", {set_step(h), set_record(1)});
    expect_every_step_converged(table, h);
    EXPECT_EQ(table.report().smooth.max, 1) << h;
    EXPECT_EQ(table.report().position.max, 1) << h;
    EXPECT_EQ(table.report().velocity.max, 1) << h;
    EXPECT_EQ(table.report().impacts, 1) << h;
    measured(fmt::format("rebound_{}", h), table.last("bar.velocity.x"));
    expect_closed_books(table);
  }
}

TEST(BarSweep, OneIterationAtTheSmallestStep) {
  const double h = 1e-5;
  const TableSink table =
      run_troubled("elastic_bar_impact", {set_step(h), only_bodies_every(100), set_end(0.1),
                                          "/model/colliders/1/frame/position=[0.005, 0, 0]"});
  expect_every_step_converged(table, h);
  EXPECT_EQ(table.report().smooth.max, 1);
  EXPECT_EQ(table.report().impacts, 1);
  // The wall has taken 300 N for 0.0995 s, and at once the mass of the tip, l/(2√3).
  EXPECT_NEAR(table.last("bar.velocity.x"), 10 - (300 * 0.0995 + 0.05 * 10 / std::sqrt(12.0)) / 10,
              0.02);
}

TEST(BarSweep, CoupledSchemeNeedsMoreTheLargerTheStep) {
  double last = 0;
  for (const double h : {1e-3, 3e-3, 1e-2}) {
    const TableSink table = run_troubled("elastic_bar_impact", {set_step(h), only_bodies, coupled});
    const double mean = table.report().converged() ? solves(table.report()) : 1e9;
    measured(fmt::format("solves_{}", h), mean);
    measured(fmt::format("largest_{}", h), table.report().smooth.max);
    EXPECT_GT(mean, last);
    last = mean;
  }
  EXPECT_GE(last, 10 * 3);  // the decoupled one needs three at most
}

// ---- flexible_pendulum: 1e-6 … 3e-3 s
// ------------------------------------------------------------

TEST(PendulumSweep, ConvergesAtEveryStepAndHitsInTime) {
  for (const double h : {3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5}) {
    const TableSink table =
        run_troubled("flexible_pendulum", {set_step(h), only_bodies_every(h < 1e-4 ? 10 : 1)});
    expect_every_step_converged(table, h);
    expect_closed_books(table);
    ASSERT_GE(table.events("impact").size(), 1u);
    measured(fmt::format("first_contact_{}", h), table.events("impact")[0].time);
    measured(fmt::format("position_iterations_{}", h), table.report().position.max);
    // Four digits are known.
    EXPECT_NEAR(table.events("impact")[0].time, known("flexible_pendulum", "time of impact 1"),
                h + 5e-5);
  }
}

TEST(PendulumSweep, ConvergesAtTheSmallestStepBeforeAndAtTheImpact) {
  const double h = 1e-6;
  // From the pose just before: the rod as a rigid one at 0.78 rad, with its angular velocity.
  const double angle = 0.78, rate = std::sqrt(3 * 9.81 * std::sin(angle));
  const TableSink table = run_troubled(
      "flexible_pendulum",
      {set_step(h), set_end(3e-3), only_bodies_every(10),
       fmt::format("/model/bodies/0/end=[{:.17g}, {:.17g}, 0]", std::cos(angle), -std::sin(angle)),
       fmt::format("/model/bodies/0/velocity={{\"angular\": [0, 0, {:.17g}]}}", -rate)});
  expect_every_step_converged(table, h);
  EXPECT_GE(table.report().impacts, 1);
}

TEST(PendulumSweep, CoupledSchemeNeedsMoreOrFails) {
  for (const double h : {3e-3, 1e-3, 1e-4}) {
    const Settings settings = {set_step(h), only_bodies, "/simulation/on_failure=\"stop\""};
    Settings repeated = settings;
    repeated.push_back(coupled);
    const TableSink a = run_troubled("flexible_pendulum", settings);
    const TableSink b = run_troubled("flexible_pendulum", repeated);
    EXPECT_TRUE(a.report().converged()) << h << ": " << a.report().message;
    measured(fmt::format("converged_{}", h), b.report().converged());
    measured(fmt::format("decoupled_{}", h), a.report().smooth.max + a.report().position.max);
    measured(fmt::format("coupled_{}", h), b.report().smooth.max);
    EXPECT_TRUE(!b.report().converged() || b.report().smooth.max > a.report().smooth.max) << h;
  }
}

// ---- flexible_cube: 3e-5 … 3e-3 s
// ----------------------------------------------------------------

TEST(CubeSweep, BouncesAtEveryStep) {
  for (const double h : {3e-3, 1e-3, 3e-4, 1e-4, 3e-5}) {
    const CubeBounce bounce = bounce_of_cube(h);
    const RunReport& report = bounce.table.report();
    EXPECT_TRUE(report.converged()) << h << ": " << report.message;
    if (h <= 2e-3) expect_every_step_converged(bounce.table, h);
    measured(fmt::format("rebound_{}", h), bounce.rebound);
    measured(fmt::format("position_iterations_{}", h), report.position.max);
    EXPECT_NEAR(bounce.closes, cube_start + known("flexible_cube", "time of impact"), h);
    EXPECT_NEAR(bounce.rebound, known("flexible_cube", "rebound"), 0.02 + 60 * h) << h;
    expect_closed_books(bounce.table);
  }
}

TEST(CubeSweep, CoupledSchemeNeedsMoreOrFails) {
  for (const double h : {1e-3, 3e-4}) {
    const CubeBounce a = bounce_of_cube(h);
    const CubeBounce b = bounce_of_cube(h, {coupled, "/simulation/on_failure=\"stop\""});
    measured(fmt::format("converged_{}", h), b.table.report().converged());
    measured(fmt::format("decoupled_{}", h), solves(a.table.report()));
    measured(fmt::format("coupled_{}", h), solves(b.table.report()));
    EXPECT_TRUE(!b.table.report().converged() ||
                solves(b.table.report()) > 2 * solves(a.table.report()))
        << h;
  }
}

// ---- oblique_beam_impact
// -------------------------------------------------------------------------

// The time of the second impact follows from chatter, and so from the mesh: with the authors' one
// it is near theirs, with others it is recorded only.
TEST(ObliqueSweep, ConvergesOnEveryMeshAndHitsInTimeOnThatOfTheAuthors) {
  for (const auto& [n, h] : {std::pair{4, 1e-4}, {8, 1e-4}, {16, 1e-4}, {8, 2e-5}}) {
    const TableSink table =
        run_troubled("oblique_beam_impact", {set_step(h), only_bodies_every(10),
                                             fmt::format("/model/bodies/0/elements={}", n),
                                             fmt::format("/model/colliders/0/frame/node={}", n)});
    expect_every_step_converged(table, h);
    expect_closed_books(table);
    const double second = table.events("impact", "upper").at(0).time;
    measured(fmt::format("second_impact_{}_{}", n, h), second);
    if (n != 8) continue;
    EXPECT_TRUE(agrees(second, "oblique_beam_impact", "second impact, meshes")) << h;
  }
}

}  // namespace flexible_long_test
}  // namespace saltus::test
