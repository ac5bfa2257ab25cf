// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/reference_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace reference_case_test {

const std::filesystem::path examples = std::filesystem::path(SALTUS_SOURCE_DIR) / "examples";

/// Rows at t = 0, 0.1, … 1 with x = cos 5t; impacts at 0.25 and 0.75.
RecordedRun small_run() {
  RecordedRun run;
  run.begin({.channels = {{.name = "time"}, {.name = "x"}}});
  for (int i = 0; i <= 10; ++i) run.record(std::vector<double>{0.1 * i, std::cos(0.5 * i)});
  run.event({.time = 0.25, .contact = "a", .kind = "impact"});
  run.event({.time = 0.5, .contact = "a", .kind = "opens"});
  run.event({.time = 0.75, .contact = "a", .kind = "impact"});
  return run;
}

TEST(RecordedRun, GivesValuesAndEvents) {
  const RecordedRun run = small_run();
  EXPECT_EQ(run.rows(), 11U);
  EXPECT_EQ(run.at("x", 0.3), std::cos(1.5));
  EXPECT_EQ(run.last("x"), std::cos(5.0));
  EXPECT_EQ(run.impact_time(1), 0.75);
}

TEST(RecordedRun, WhatIsNotThereIsNotANumber) {
  const RecordedRun run = small_run(), empty;
  EXPECT_TRUE(std::isnan(run.at("y", 0.3)));
  EXPECT_TRUE(std::isnan(run.at("x", 0.35))) << "no row has this time";
  EXPECT_TRUE(std::isnan(run.at("x", 1.1)));
  EXPECT_TRUE(std::isnan(run.last("y")));
  EXPECT_TRUE(std::isnan(run.impact_time(2)));
  EXPECT_TRUE(std::isnan(empty.last("x")));
  EXPECT_TRUE(std::isnan(measures::largest_error("x", [](double) { return 0; })(empty)));
  EXPECT_TRUE(std::isnan(measures::largest_error("y", [](double) { return 0; })(run)));
  EXPECT_TRUE(std::isnan(measures::angular_frequency(0)(run)));
}

TEST(Measures, FindErrorsAndSignChanges) {
  const RecordedRun run = small_run();
  const auto x = [](const RecordedRun& r, std::size_t i) { return r.value("x", i); };
  EXPECT_EQ(measures::largest(x)(run), 1);
  EXPECT_EQ(measures::largest_error("x", [](double t) { return std::cos(5 * t) + 2 * t; })(run), 2);
  // Half a period of cos 5t, up to the error of the linear interpolation.
  EXPECT_NEAR(measures::time_of_sign_changes(1, x)(run), std::acos(-1.0) / 5, 1e-2);
  EXPECT_TRUE(std::isnan(measures::time_of_sign_changes(2, x)(run)));
}

TEST(CheckResult, NotANumberIsAMiss) {
  const ReferenceCheck check{"x (m)", 1, 0.5, "", {}};
  EXPECT_TRUE((CheckResult{check, 1.5}.is_ok()));
  EXPECT_FALSE((CheckResult{check, 1.6}.is_ok()));
  EXPECT_FALSE((CheckResult{check, 0.4}.is_ok()));
  EXPECT_FALSE((CheckResult{check, std::nan("")}.is_ok()));
}

TEST(RunCase, TellsWhyThereAreNoNumbers) {
  const ReferenceCheck penetration{"penetration (m)", 0, 1, "", [](const RecordedRun& run) {
                                     return run.report().max_penetration;
                                   }};
  const CaseResult missing = run_case({"no_such_model", {}, {penetration}}, examples);
  EXPECT_EQ(missing.failure, "no_such_model.json: cannot be read: No such file or directory");
  EXPECT_FALSE(missing.checks.at(0).is_ok());
  const ReferenceCase stopped{"free_body", {}, {penetration}};
  const CaseResult result = run_case(stopped, examples, [](double, double) { return false; });
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.checks.at(0).is_ok());
}

TEST(ReferenceSuite, IsWellFormed) {
  std::set<std::string> rows;
  for (const ReferenceCase& item : reference_suite()) {
    EXPECT_TRUE(std::filesystem::exists(examples / (item.example + ".json"))) << item.example;
    for (const ReferenceCheck& check : item.checks) {
      EXPECT_TRUE(rows.insert(item.example + check.quantity).second) << check.quantity;
      EXPECT_TRUE(std::isfinite(check.reference)) << item.example << ": " << check.quantity;
      EXPECT_GT(check.tolerance, 0) << item.example << ": " << check.quantity;
      EXPECT_FALSE(check.reason.empty()) << item.example << ": " << check.quantity;
      EXPECT_LE(check.quantity.size(), 28U) << check.quantity << " makes the table too wide";
    }
  }
}

}  // namespace reference_case_test
}  // namespace saltus
