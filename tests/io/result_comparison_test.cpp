// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "saltus/io/comparison_page.hpp"
#include "saltus/io/model_file.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace result_comparison_test {

Channel column(const std::string& body, const std::string& component) {
  return {.name = body + ".position." + component,
          .unit = "m",
          .kind = "position",
          .owner = {OwnerKind::Bodies, body},
          .component = component};
}

ComparedResult result(std::vector<double> time, std::vector<double> z) {
  return {
      .table = {.channels = {{.name = "time", .unit = "s", .kind = "time"}, column("ball", "z")},
                .columns = {std::move(time), std::move(z)}}};
}

void add(ComparedResult& result, Channel channel, std::vector<double> values) {
  result.table.channels.push_back(std::move(channel));
  result.table.columns.push_back(std::move(values));
}

const ColumnDifference& of(const ResultComparison& comparison, const std::string& name) {
  return *std::ranges::find(comparison.columns, name, &ColumnDifference::name);
}

TEST(ResultComparison, SaysWhereTwoColumnsPart) {
  const ComparedResult a = result({0, 1, 2, 3}, {0, 1, 2, 3});
  const ComparedResult b = result({0, 1, 2, 3}, {0, 1, 2.5, 2});
  const ResultComparison c = compare_results(a, b, 0.1);
  ASSERT_EQ(c.columns.size(), 1u);
  EXPECT_EQ(c.columns[0].largest, 1);
  EXPECT_EQ(c.columns[0].at, 3);
  EXPECT_EQ(c.columns[0].range, 3);
  EXPECT_EQ(c.agree_until, 2);
  EXPECT_EQ(c.instants, 4u);
  EXPECT_FALSE(compare_results(a, a, 0).agree_until);
}

TEST(ResultComparison, TakesTheSecondResultLinearBetweenItsRows) {
  const ComparedResult a = result({0, 0.3, 0.6, 0.9}, {0, 0.3, 0.6, 0.9});
  const ComparedResult b = result({0, 1}, {0, 1});
  const ResultComparison c = compare_results(a, b, 1e-9);
  EXPECT_TRUE(c.interpolated);
  EXPECT_NEAR(c.columns[0].largest, 0, 1e-15);
  EXPECT_FALSE(c.agree_until);
}

TEST(ResultComparison, RoundOffIsNoDifference) {
  ComparedResult a = result({0, 1, 2}, {0, 3, 5}), b = a;
  // Another body at rest, about zero and far away: its own range is round-off.
  add(a, column("wheel", "x"), {0, 1e-16, -1e-16});
  add(b, column("wheel", "x"), {0, -1e-16, 1e-16});
  add(a, column("frame", "y"), {5, 5, 5});
  add(b, column("frame", "y"), {5, 5 + 1e-15, 5});
  // A torque that is zero, where forces and lengths say how large it could be.
  Channel force{.name = "pin.force.x",
                .unit = "N",
                .kind = "force",
                .owner = {OwnerKind::Joints, "pin"},
                .component = "x"};
  Channel torque{.name = "pin.torque.x",
                 .unit = "N m",
                 .kind = "torque",
                 .owner = {OwnerKind::Joints, "pin"},
                 .component = "x"};
  for (ComparedResult* one : {&a, &b}) add(*one, force, {10, 20, 30});
  add(a, torque, {0, 1e-15, 0});
  add(b, torque, {0, -1e-15, 2e-15});
  const ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_FALSE(c.agree_until);
  for (const ColumnDifference& difference : c.columns) {
    EXPECT_FALSE(difference.differs()) << difference.name;
    EXPECT_LT(difference.relative(), 1e-6) << difference.name;
  }
}

TEST(ResultComparison, RoundOffOfThingsThatRestAtTheOriginIsNoDifference) {
  ComparedResult a = result({0, 1, 2}, {0, 0, 1e-20}), b = result({0, 1, 2}, {0, 1e-20, 0});
  const Channel kinetic{
      .name = "energy.kinetic", .unit = "J", .kind = "kinetic", .owner = {OwnerKind::Ledger, ""}};
  add(a, kinetic, {0, 1e-24, 0});
  add(b, kinetic, {0, 0, 1e-24});
  const Channel force{.name = "pin.force.x",
                      .unit = "N",
                      .kind = "force",
                      .owner = {OwnerKind::Joints, "pin"},
                      .component = "x"};
  for (ComparedResult* one : {&a, &b}) add(*one, force, {10, 20, 30});
  EXPECT_FALSE(compare_results(a, b, 1e-3).agree_until);
}

TEST(ResultComparison, ASmallMotionBesideALargeOneIsCompared) {
  ComparedResult a = result({0, 1, 2}, {0, 500, 1000}), b = a;
  add(a, column("valve", "z"), {0, 0.01, 0.02});
  add(b, column("valve", "z"), {0, 0.01, 0.03});
  const ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_EQ(c.columns[0].name, "valve.position.z");
  EXPECT_NEAR(c.columns[0].relative(), 1. / 3, 1e-12);
  EXPECT_EQ(c.agree_until, 2);
}

TEST(ResultComparison, NamesColumnsOfOneResult) {
  ComparedResult a = result({0, 1}, {0, 1}), b = a;
  add(a, column("rod", "x"), {0, 1});
  add(b, column("bar", "x"), {0, 1});
  const ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_EQ(c.only_first, std::vector<std::string>{"rod.position.x"});
  EXPECT_EQ(c.only_second, std::vector<std::string>{"bar.position.x"});
  EXPECT_FALSE(c.has_same_columns());
  const std::string page = comparison_page({"a", "b"}, a, b, c);
  EXPECT_NE(page.find("only in a: rod.position.x"), std::string::npos);
}

TEST(ResultComparison, ImpulsesAreComparedAsSums) {
  const Channel impulse{.name = "k.impulse.n",
                        .unit = "N s",
                        .kind = "impulse",
                        .owner = {OwnerKind::Points, "k"},
                        .component = "n",
                        .thinning = Thinning::Sum};
  // The same impulses, recorded every step and every second one.
  ComparedResult a = result({}, {}), b = a;
  std::vector<double> fine, coarse;
  for (int i = 0; i <= 20; ++i) {
    for (std::vector<double>& column : a.table.columns) column.push_back(i);
    fine.push_back(i == 0 ? 7 : 1);  // what was before the first row does not count
    if (i % 2 == 1) continue;
    for (std::vector<double>& column : b.table.columns) column.push_back(i);
    coarse.push_back(i == 0 ? 0 : 2);
  }
  add(a, impulse, fine);
  add(b, impulse, coarse);
  EXPECT_NEAR(of(compare_results(a, b, 1e-3), "k.impulse.n").largest, 0, 1e-15);
  b.table.columns.back().back() = 1;
  const ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_TRUE(of(c, "k.impulse.n").is_sum);
  EXPECT_NEAR(of(c, "k.impulse.n").relative(), 1. / 20, 1e-12);
  EXPECT_EQ(c.agree_until, 20);
}

TEST(ResultComparison, SaysWhatIsNotCompared) {
  ComparedResult a = result({0, 1}, {0, 1});
  for (const char* name : {"k1", "k2"}) {
    add(a,
        {.name = std::string(name) + ".status",
         .kind = "status",
         .owner = {OwnerKind::Points, name}},
        {0, 1});
  }
  add(a, {.name = "iterations.smooth", .kind = "smooth", .owner = {OwnerKind::Solver, ""}}, {0, 3});
  const ResultComparison c = compare_results(a, a, 1e-3);
  ASSERT_EQ(c.not_compared.size(), 2u);
  EXPECT_EQ(c.not_compared[0].what, "status");
  EXPECT_EQ(c.not_compared[0].columns, 2u);
  EXPECT_EQ(c.not_compared[1].what, "iterations.smooth");
  const std::vector<std::string> notes = comparison_notes({"a", "b"}, a, a, c);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("iterations.smooth"), std::string::npos);
  EXPECT_NE(notes[1].find("2 columns of status"), std::string::npos);
}

TEST(ResultComparison, ModesAreComparedByTheirNumbers) {
  ComparedResult a = result({0}, {0});
  a.modes = {{.frequency = 1e-9}, {.frequency = 10}, {.frequency = 20}};
  ComparedResult b = a;
  b.modes = {{.frequency = 0}, {.frequency = 10}, {.frequency = 25}};
  const ModeDifference differ = compare_results(a, b, 1e-3).modes;
  EXPECT_EQ(differ.mode, 3);
  EXPECT_NEAR(differ.relative, 0.2, 1e-15);
  EXPECT_FALSE(differ.agrees(1e-3));
  EXPECT_TRUE(compare_results(a, a, 1e-3).modes.agrees(0));
  b.modes.resize(2);
  EXPECT_FALSE(compare_results(a, b, 1e-3).modes.agrees(1e-3)) << "one has more of them";
}

TEST(ResultComparison, TellsTheFirstEventThatDiffers) {
  ComparedResult a = result({0, 1}, {0, 1}), b = a;
  a.events = {
      {0.1, "k", "impact", 1, 2.0}, {0.15, "k", "slips", 0, 0}, {0.5, "k", "impact", 1, 1.0}};
  b.events = {
      {0.11, "k", "impact", 1, 2.5}, {0.15, "k", "sticks", 0, 0}, {0.5, "other", "impact", 1, 1.0}};
  const ResultComparison c = compare_results(a, b, 1e-3);
  ASSERT_TRUE(c.impacts && c.changes);
  EXPECT_EQ(c.impacts->alike, 1u);
  EXPECT_NEAR(c.impacts->latest, 0.01, 1e-15);
  EXPECT_NEAR(c.impacts->impulse, 0.2, 1e-15);
  ASSERT_TRUE(c.impacts->second_other);
  EXPECT_EQ(c.impacts->second_other->contact, "other");
  EXPECT_EQ(c.changes->alike, 0u);
  ASSERT_TRUE(c.changes->first_other);
  EXPECT_EQ(c.changes->first_other->kind, "slips");
}

TEST(ResultComparison, EventsThatWereNotRecordedAreNoDifference) {
  ComparedResult a = result({0, 1}, {0, 1}), b = a;
  a.events = {{0.1, "k", "impact", 1, 2.0}, {0.15, "k", "slips", 0, 0}};
  b.recorded = EventDetail::None;
  ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_FALSE(c.impacts);
  EXPECT_FALSE(c.changes);
  EXPECT_EQ(comparison_notes({"a", "b"}, a, b, c)[0],
            "b recorded no events: they are not compared");
  b.recorded = EventDetail::Impacts;
  b.events = {a.events[0]};
  c = compare_results(a, b, 1e-3);
  ASSERT_TRUE(c.impacts);
  EXPECT_TRUE(c.impacts->same());
  EXPECT_FALSE(c.changes);
}

TEST(ResultComparison, WhatIsAfterTheEndOfTheShorterRunIsNoDifference) {
  ComparedResult a = result({0, 1, 2}, {0, 1, 2}), b = result({0, 1}, {0, 1});
  a.events = {{0.1, "k", "impact", 1, 2}, {1.5, "k", "impact", 1, 2}};
  b.events = {{0.1, "k", "impact", 1, 2}};
  const ResultComparison c = compare_results(a, b, 1e-3);
  EXPECT_TRUE(c.impacts->same());
  EXPECT_EQ(comparison_notes({"a", "b"}, a, b, c)[0],
            "a goes on to 2 s: what is after 1 s is not compared");
}

TEST(ResultComparison, WhatIsNoNumberInOneResultDiffers) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const ComparedResult a = result({0, 1, 2}, {0, 1, 2}), b = result({0, 1, 2}, {0, none, 2});
  EXPECT_EQ(compare_results(a, b, 1e-3).agree_until, 1);
  EXPECT_FALSE(compare_results(b, b, 1e-3).agree_until);
}

TEST(ResultComparison, EventsOfOneMomentMayComeInAnyOrder) {
  ComparedResult a = result({0, 1}, {0, 1}), b = a;
  a.events = {{0.1, "k1", "impact", 1, 2}, {0.1, "k2", "impact", 1, 2}};
  b.events = {{0.1, "k2", "impact", 1, 2}, {0.1, "k1", "impact", 1, 2}};
  EXPECT_TRUE(compare_results(a, b, 1e-3).impacts->same());
}

TEST(ResultComparison, RefusesWhatHasNothingInCommon) {
  const ComparedResult a = result({0, 1}, {0, 1});
  ComparedResult b = a;
  b.table.channels[1].name = "cube.position.z";
  EXPECT_THROW(compare_results(a, b, 1e-3), FileError);
  EXPECT_THROW(compare_results(a, result({5, 6}, {0, 1}), 1e-3), FileError);
}

TEST(ResultComparison, ReadsFilesAndLeavesOutALineThatWasCutOff) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "timeseries.csv") << "time,ball.position.z\n0,1\n0.5,2\n1,3";
  std::ofstream(directory / "events.csv")
      << "time,contact,kind,order,impulse_n,impulse_t1\n0.25,k,impact,1,2.5,0\n";
  std::ofstream(directory / "modes.csv")
      << "mode,frequency,angular_frequency,growth_rate\n1,2.5,15.7,0\n2,3";
  const ComparedResult read = read_compared(directory / ".");
  EXPECT_EQ(read.table.rows(), 2u);
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].impulse, 2.5);
  ASSERT_EQ(read.modes.size(), 1u);
  EXPECT_EQ(read.modes[0].frequency, 2.5);
  const ResultComparison c = compare_results(read, read, 1e-3);
  const std::string page = comparison_page({"<a>", "b"}, read, read, c);
  EXPECT_NE(page.find("&lt;a&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<a>"), std::string::npos);
  EXPECT_NE(page.find("ball.position.z"), std::string::npos);
}

// A name of a column ends no attribute, and no page may run or fetch anything.
TEST(ResultComparison, NamesAreTextInThePage) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "timeseries.csv")
      << "time,\"x\"\"onload='alert(1)'&amp;\"\n0,1\n0.5,2\n1,3\n";
  const ComparedResult read = read_compared(directory / ".");
  ASSERT_EQ(read.table.channels.at(1).name, "x\"onload='alert(1)'&amp;");
  const std::string page =
      comparison_page({"a", "b"}, read, read, compare_results(read, read, 1e-3));
  EXPECT_EQ(page.find("x\"onload"), std::string::npos);
  EXPECT_NE(page.find("x&quot;onload=&#39;alert(1)&#39;&amp;amp;"), std::string::npos);
  EXPECT_NE(page.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"),
            std::string::npos);
}

TEST(ResultComparison, ADirectoryWithoutResultsIsNamed) {
  const TemporaryDirectory directory;
  EXPECT_THROW(read_timeseries(directory / "."), FileError);
  EXPECT_TRUE(read_events(directory / ".").empty());
}

}  // namespace result_comparison_test
}  // namespace saltus
