// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_comparison.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "saltus/io/comparison_page.hpp"
#include "saltus/io/model_file.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace result_comparison_test {

ResultTable table(std::vector<double> time, std::vector<double> z) {
  return {.channels = {{.name = "time", .kind = "time"},
                       {.name = "ball.position.z",
                        .kind = "position",
                        .owner = {OwnerKind::Bodies, "ball"},
                        .component = "z"}},
          .columns = {std::move(time), std::move(z)}};
}

TEST(ResultComparison, SaysWhereTwoColumnsPart) {
  const ResultTable a = table({0, 1, 2, 3}, {0, 1, 2, 3}), b = table({0, 1, 2, 3}, {0, 1, 2.5, 2});
  const ResultComparison c = compare_results(a, b, {}, {}, 0.1);
  ASSERT_EQ(c.columns.size(), 1u);
  EXPECT_EQ(c.columns[0].largest, 1);
  EXPECT_EQ(c.columns[0].at, 3);
  EXPECT_EQ(c.columns[0].range, 3);
  EXPECT_EQ(c.agree_until, 2);
  EXPECT_EQ(c.instants, 4u);
  EXPECT_FALSE(compare_results(a, a, {}, {}, 0).agree_until);
}

TEST(ResultComparison, TakesTheSecondResultLinearBetweenItsRows) {
  const ResultTable a = table({0, 0.3, 0.6, 0.9}, {0, 0.3, 0.6, 0.9}), b = table({0, 1}, {0, 1});
  const ResultComparison c = compare_results(a, b, {}, {}, 1e-9);
  EXPECT_TRUE(c.interpolated);
  EXPECT_NEAR(c.columns[0].largest, 0, 1e-15);
  EXPECT_FALSE(c.agree_until);
}

TEST(ResultComparison, TellsTheFirstEventThatDiffers) {
  const ResultTable t = table({0, 1}, {0, 1});
  const std::vector<EventLine> a = {
      {0.1, "k", "impact", 1, 2.0}, {0.15, "k", "slips", 0, 0}, {0.5, "k", "impact", 1, 1.0}};
  const std::vector<EventLine> b = {
      {0.11, "k", "impact", 1, 2.5}, {0.15, "k", "sticks", 0, 0}, {0.5, "other", "impact", 1, 1.0}};
  const ResultComparison c = compare_results(t, t, a, b, 1e-3);
  EXPECT_EQ(c.impacts.alike, 1u);
  EXPECT_NEAR(c.impacts.latest, 0.01, 1e-15);
  EXPECT_NEAR(c.impacts.impulse, 0.2, 1e-15);
  ASSERT_TRUE(c.impacts.second_other);
  EXPECT_EQ(c.impacts.second_other->contact, "other");
  EXPECT_EQ(c.changes.alike, 0u);
  ASSERT_TRUE(c.changes.first_other);
  EXPECT_EQ(c.changes.first_other->kind, "slips");
}

TEST(ResultComparison, EventsOfOneMomentMayComeInAnyOrder) {
  const ResultTable t = table({0, 1}, {0, 1});
  const std::vector<EventLine> a = {{0.1, "k1", "impact", 1, 2}, {0.1, "k2", "impact", 1, 2}};
  const std::vector<EventLine> b = {{0.1, "k2", "impact", 1, 2}, {0.1, "k1", "impact", 1, 2}};
  EXPECT_TRUE(compare_results(t, t, a, b, 1e-3).impacts.same());
}

TEST(ResultComparison, RefusesWhatHasNothingInCommon) {
  const ResultTable a = table({0, 1}, {0, 1});
  ResultTable b = a;
  b.channels[1].name = "cube.position.z";
  EXPECT_THROW(compare_results(a, b, {}, {}, 1e-3), FileError);
  EXPECT_THROW(compare_results(a, table({5, 6}, {0, 1}), {}, {}, 1e-3), FileError);
}

TEST(ResultComparison, ReadsFilesAndLeavesOutALineThatWasCutOff) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "timeseries.csv") << "time,ball.position.z\n0,1\n0.5,2\n1,3";
  std::ofstream(directory / "events.csv")
      << "time,contact,kind,order,impulse_n,impulse_t1\n0.25,k,impact,1,2.5,0\n";
  const ResultTable read = read_timeseries(directory / ".");
  EXPECT_EQ(read.rows(), 2u);
  const std::vector<EventLine> events = read_events(directory / ".");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].impulse, 2.5);
  const ResultComparison c = compare_results(read, read, events, events, 1e-3);
  const std::string page = comparison_page({"<a>", "b"}, read, read, events, events, c);
  EXPECT_NE(page.find("&lt;a>"), std::string::npos);
  EXPECT_EQ(page.find("<a>"), std::string::npos);
  EXPECT_NE(page.find("ball.position.z"), std::string::npos);
}

TEST(ResultComparison, ADirectoryWithoutResultsIsNamed) {
  const TemporaryDirectory directory;
  EXPECT_THROW(read_timeseries(directory / "."), FileError);
  EXPECT_TRUE(read_events(directory / ".").empty());
}

}  // namespace result_comparison_test
}  // namespace saltus
