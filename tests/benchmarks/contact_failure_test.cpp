// SPDX-License-Identifier: Apache-2.0
// Contact problems that are not solved: what is said, and what each policy does.
#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_failure_test {

/// Newton's method as published has no proximal term, and one iteration is not enough for a box on
/// redundant corners.
const std::string hopeless = "/simulation/solver={\"method\": \"newton\", \"max_iterations\": 1}";

std::string policy(const std::string& name) { return "/simulation/on_failure=\"" + name + "\""; }

bool is_finite(const TableSink& table) {
  return std::isfinite(table.last("energy.kinetic")) && std::isfinite(table.last("energy.gravity"));
}

struct FailedRun {
  RunReport report;
  TableSink table;
  bool state_is_finite = false;
};

FailedRun run_hopeless(const std::string& how) {
  const ModelFile file = read_example("box_dropped_corner", {hopeless, policy(how)});
  FailedRun run;
  Simulation simulation(file.model, file.simulation);
  run.report = simulation.run(&run.table);
  run.state_is_finite =
      simulation.state().velocity.allFinite() && simulation.state().acceleration.allFinite();
  return run;
}

TEST(ContactFailure, StopEndsTheRunAndSaysWhatWhereHowFarAndWhatWasTried) {
  const FailedRun run = run_hopeless("stop");
  EXPECT_EQ(run.report.status, RunStatus::Failed);
  RecordProperty("message", run.report.message);
  EXPECT_TRUE(mentions(run.report.message, "correction")) << run.report.message;  // sub-problem
  EXPECT_TRUE(mentions(run.report.message, "foot.floor.corners.")) << run.report.message;
  EXPECT_TRUE(mentions(run.report.message, "e-") || mentions(run.report.message, "e+"))
      << "the residual: " << run.report.message;
  EXPECT_TRUE(mentions(run.report.message, "tried: ")) << run.report.message;
  EXPECT_TRUE(mentions(run.report.message, "on_failure")) << run.report.message;
  EXPECT_TRUE(run.state_is_finite);
  ASSERT_EQ(static_cast<long>(run.table.rows()), run.report.steps + 1);
  EXPECT_NEAR(run.table.last("time"), run.report.end_time, 1e-12);
}

TEST(ContactFailure, HalvingSaysSoAndFailsOrGoesOn) {
  const FailedRun run = run_hopeless("halve");
  EXPECT_TRUE(any_mentions(run.report.warnings, "halved"));
  EXPECT_TRUE(run.state_is_finite);
  if (run.report.status == RunStatus::Failed) {
    EXPECT_TRUE(mentions(run.report.message, "halving the step 10 times")) << run.report.message;
    EXPECT_TRUE(mentions(run.report.message, "tried: ")) << run.report.message;
  }
}

// What is violated in the end is a failure all the same, and has a name.
TEST(ContactFailure, AcceptGoesOnToTheEndWithWarnings) {
  const FailedRun run = run_hopeless("accept");
  EXPECT_EQ(run.report.status, RunStatus::Failed);
  EXPECT_GT(run.report.max_penetration, 1e-6);
  EXPECT_TRUE(mentions(run.report.message, "accepted")) << run.report.message;
  EXPECT_TRUE(any_mentions(run.report.warnings, "accepted as asked"));
  EXPECT_TRUE(run.state_is_finite);
  EXPECT_TRUE(is_finite(run.table));
  EXPECT_NEAR(run.report.end_time, 3, 1e-12);
}

// Who accepts is told what he gets: the penetration of the accepted steps counts too.
TEST(ContactFailure, AcceptReportsThePenetrationThereIs) {
  const FailedRun run = run_hopeless("accept");
  double deepest = 0;
  for (const ContactPoint& point : contact_points(read_example("box_dropped_corner").model)) {
    for (const double gap : run.table.column(point.name + ".gap")) {
      deepest = std::max(deepest, -gap);
    }
  }
  measured("deepest", deepest);
  measured("reported", run.report.max_penetration);
  EXPECT_GE(run.report.max_penetration, deepest - 1e-12);
  // Its velocities are corrected even where positions are not: it does not fall through the floor.
  EXPECT_GE(run.table.last("box.position.z"), -0.5);
}

// The failed steps leave the state as it was: up to there the run is the good one.
TEST(ContactFailure, UpToTheFailureTheRunIsRight) {
  const TableSink good = run_example("box_dropped_corner");
  const FailedRun run = run_hopeless("stop");
  for (std::size_t row = 0; row < run.table.rows(); ++row) {
    ASSERT_NEAR(run.table.at("box.position.z", row), good.at("box.position.z", row), 1e-9);
  }
}

// A fallback is there for this: the default settings solve the same problems.
TEST(ContactFailure, TheDefaultMethodSolvesWhatNewtonDoesNot) {
  const TableSink table = run_example("box_dropped_corner");
  EXPECT_TRUE(table.report().warnings.empty());
}

}  // namespace contact_failure_test
}  // namespace saltus::test
