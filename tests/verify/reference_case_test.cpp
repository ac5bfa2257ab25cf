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
  const Reference row{"x", "m", Source::Exact, 1, 0.5, "", {}};
  EXPECT_TRUE((CheckResult{row, 1.5}.is_ok()));
  EXPECT_FALSE((CheckResult{row, 1.6}.is_ok()));
  EXPECT_FALSE((CheckResult{row, 0.4}.is_ok()));
  EXPECT_FALSE((CheckResult{row, std::nan("")}.is_ok()));
}

TEST(RunCase, TellsWhyThereAreNoNumbers) {
  const Reference penetration{
      "penetration", "m", Source::Exact, 0, 1, "", measures::max_penetration};
  const CaseResult missing = run_case({"no_such_model", {}, {penetration}}, examples);
  EXPECT_EQ(missing.failure, "no_such_model.json: cannot be read: No such file or directory");
  EXPECT_FALSE(missing.checks.at(0).is_ok());
  const ReferenceCase stopped{"free_body", {}, {penetration}};
  const CaseResult result = run_case(stopped, examples, [](double, double) { return false; });
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.checks.at(0).is_ok());
}

TEST(RunCase, MeasuresNothingOfRowsThatAreOnlyKnown) {
  const Reference known{"speed", "m/s", Source::Derived, 2, 1, "of another run"};
  EXPECT_TRUE(run_case({"free_body", {}, {known}}, examples, [](double, double) {
                return false;
              }).checks.empty());
}

TEST(Reference, IsFoundByExampleAndQuantity) {
  const Reference& row = reference("rigid_box_impact", "impulse");
  EXPECT_EQ(row.value, 500.8);
  EXPECT_EQ(row.unit, "N s");
  EXPECT_EQ(row.label(), "impulse (N s)");
  EXPECT_EQ(text_of(row.source), "derived");
  EXPECT_EQ(reference("bend_45", "tip's x").label(), "tip's x") << "without units";
}

TEST(Reference, ThatIsNotThereIsNamed) {
  try {
    reference("rigid_box_impact", "colour");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "no reference of rigid_box_impact: colour");
  }
}

TEST(ReferenceSuite, IsWellFormed) {
  std::set<std::string> rows;
  for (const ReferenceCase& item : reference_suite()) {
    EXPECT_TRUE(std::filesystem::exists(examples / (item.example + ".json"))) << item.example;
    for (const Reference& row : item.references) {
      const std::string name = item.example + ": " + row.quantity;
      EXPECT_TRUE(rows.insert(name).second) << name;
      EXPECT_TRUE(std::isfinite(row.value)) << name;
      EXPECT_GT(row.tolerance, 0) << name;
      EXPECT_FALSE(row.reason.empty()) << name;
      EXPECT_TRUE(!row.measure || row.label().size() <= 28U) << name << " makes the table too wide";
    }
  }
}

TEST(ReferenceSuite, IsAListInJson) {
  const ReferenceCase item{
      "top",
      {},
      {{"x \"far\"", "m", Source::Galvez, 0.1, 1e-4, "digits", measures::max_penetration},
       {"y", "", Source::Exact, 2, 1, "by hand"}}};
  EXPECT_EQ(json_of({item}),
            R"([
{"example": "top", "quantity": "x \"far\"", "unit": "m", "value": 0.1, "tolerance": 0.0001, )"
            R"("source": "printed: Galvez 2020", "reason": "digits", "verified": true},
{"example": "top", "quantity": "y", "unit": "", "value": 2, "tolerance": 1, )"
            R"("source": "exact", "reason": "by hand", "verified": false}
]
)");
}

}  // namespace reference_case_test
}  // namespace saltus
