// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/input_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace input_error_test {

const std::vector<std::string> names = {"floor", "ball", "crank_pin", "x"};

TEST(NearestName, ForgivesOneWrongMissingOrSwappedLetter) {
  EXPECT_EQ(nearest_name("flor", names), "floor");
  EXPECT_EQ(nearest_name("bell", names), "ball");
  EXPECT_EQ(nearest_name("balls", names), "ball");
  EXPECT_EQ(nearest_name("blal", names), "ball");
}

TEST(NearestName, ForgivesAThirdOfTheLettersOfLongNames) {
  EXPECT_EQ(nearest_name("crankpins", names), "crank_pin");
  EXPECT_EQ(nearest_name("crank", names), "");
}

TEST(NearestName, KnowsAnotherEndingOfTheSameWord) {
  const std::vector<std::string> modes = {"simultaneous", "sequence"};
  EXPECT_EQ(nearest_name("sequential", modes), "sequence");
  EXPECT_EQ(nearest_name("SEQUENTIALLY", modes), "");  // half of it only
  const std::vector<std::string> doubtful = {"grooves_inner", "grooves_outer"};
  EXPECT_EQ(nearest_name("grooves_qqqqq", doubtful), "");  // which of the two?
}

TEST(NearestName, TakesCapitalAndSmallLettersAsEqual) {
  EXPECT_EQ(nearest_name("FLOOR", names), "floor");
  EXPECT_EQ(nearest_name("X", names), "x");
}

TEST(NearestName, IsEmptyIfNothingIsNear) {
  EXPECT_EQ(nearest_name("ceiling", names), "");
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("floor", {}), "");
}

TEST(Issue, MessageNamesPlaceRuleValueAndRemedy) {
  const Issue issue{.place = "/model/bodies/0/mass",
                    .rule = "must be > 0",
                    .value = "-1",
                    .remedy = "use a positive number"};
  EXPECT_EQ(issue.message(), "/model/bodies/0/mass: must be > 0, got -1; use a positive number");
}

TEST(Issue, MessageLeavesOutWhatIsEmpty) {
  EXPECT_EQ(Issue{.rule = "the file is empty"}.message(), "the file is empty");
  EXPECT_EQ((Issue{.place = "/model", .rule = "is missing"}.message()), "/model: is missing");
}

TEST(InputError, SaysEveryIssueOnALineWithTheFile) {
  const InputError error({{.place = "/a", .rule = "r1"}, {.place = "/b", .rule = "r2"}}, "m.json");
  EXPECT_STREQ(error.what(), "m.json: /a: r1\nm.json: /b: r2");
  EXPECT_EQ(error.issues().size(), 2U);
  EXPECT_EQ(error.file(), "m.json");
}

TEST(InputError, NeedsNoFile) {
  EXPECT_STREQ(InputError(Issue{.place = "/a", .rule = "r"}).what(), "/a: r");
}

}  // namespace input_error_test
}  // namespace saltus
