// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "saltus/core/version.hpp"
#include "saltus/io/summary.hpp"

namespace saltus::io {
namespace result_summary_test {

const RunOrigin origin{.model = "a.json", .model_hash = "12ab", .threads = 2};

TEST(Summary, HasEveryKeyOfTheContract) {
  RunReport report{.steps = 4, .end_time = 0.5, .wall_seconds = 0.25, .warnings = {"careful"}};
  report.smooth.add(2);
  report.smooth.add(3);
  const Json summary = make_summary(origin, report);
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["steps"], 4);
  EXPECT_EQ(summary["end_time"], 0.5);
  EXPECT_EQ(summary["wall_seconds"], 0.25);
  EXPECT_EQ(summary["version"], version());
  EXPECT_EQ(summary["model"], "a.json");
  EXPECT_EQ(summary["model_hash"], "12ab");
  EXPECT_EQ(summary["threads"], 2);
  EXPECT_EQ(summary["iterations"]["smooth"], (Json{{"max", 3}, {"mean", 2.5}}));
  for (const char* kind : {"position", "velocity"}) {
    EXPECT_EQ(summary["iterations"][kind], (Json{{"max", 0}, {"mean", 0.0}}));
  }
  EXPECT_EQ(summary["warnings"], Json::array({"careful"}));
  for (const char* key :
       {"impacts", "max_penetration", "max_position_violation", "max_velocity_violation"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  for (const char* key :
       {"initial", "final", "kinetic", "gravity", "elastic", "external_work", "friction_loss",
        "impact_loss", "damping_loss", "numerical_loss", "residual", "closure_error"}) {
    EXPECT_TRUE(summary["energy"].contains(key)) << key;
  }
  EXPECT_FALSE(summary.contains("modes"));
  EXPECT_FALSE(summary.contains("message"));
}

TEST(Summary, CountsImpactsAndTheirLosses) {
  RunReport report{.impacts = 7, .max_penetration = 1e-12};
  report.energy = {.kinetic = 1, .friction_loss = 2, .impact_loss = 3, .initial = 6};
  report.turnover.add(report.energy);
  const Json summary = make_summary(origin, report);
  EXPECT_EQ(summary["impacts"], 7);
  EXPECT_EQ(summary["max_penetration"], 1e-12);
  EXPECT_EQ(summary["energy"]["friction_loss"], 2.0);
  EXPECT_EQ(summary["energy"]["impact_loss"], 3.0);
  EXPECT_EQ(summary["energy"]["residual"], 0.0);
  EXPECT_EQ(summary["energy"]["turnover"], 5.0);
}

TEST(Summary, SaysWhyARunFailed) {
  const RunReport report{.status = RunStatus::Failed, .message = "no convergence"};
  const Json summary = make_summary(origin, report);
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["message"], "no convergence");
}

TEST(Summary, ListsModes) {
  RunReport report;
  report.modes = {{.eigenvalue = 4.0, .shape = {}}, {.eigenvalue = -9.0, .shape = {}}};
  const Json modes = make_summary(origin, report)["modes"];
  EXPECT_EQ(modes[0]["angular_frequency"], 2.0);
  EXPECT_NEAR(modes[0]["frequency"].get<double>(), 2.0 / (2 * 3.14159265358979), 1e-12);
  EXPECT_EQ(modes[0]["growth_rate"], 0.0);
  EXPECT_EQ(modes[1]["growth_rate"], 3.0);
  EXPECT_EQ(modes[1]["frequency"], 0.0);
}

// A stone that falls from rest: all energy that moves is kinetic, whatever gravity's zero is.
TEST(EnergyTurnover, DoesNotDependOnTheZeroOfGravity) {
  for (const double zero : {0.0, 1e6}) {
    EnergyTurnover turnover;
    turnover.add({.kinetic = 0, .gravity = zero + 50, .initial = zero + 50});
    turnover.add({.kinetic = 40, .gravity = zero + 10, .initial = zero + 50});
    EXPECT_EQ(turnover.value(), 40);
    EXPECT_NEAR(turnover.closure_error({.kinetic = 44, .gravity = zero + 10, .initial = zero + 50}),
                0.1, 1e-9);
  }
}

TEST(EnergyTurnover, IsZeroWhenNothingMoves) {
  EnergyTurnover turnover;
  turnover.add({.gravity = 5, .initial = 5});
  EXPECT_EQ(turnover.value(), 0);
  EXPECT_EQ(turnover.closure_error({.gravity = 5, .initial = 5}), 0);
}

}  // namespace result_summary_test
}  // namespace saltus::io
