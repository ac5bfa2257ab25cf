// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "saltus/io/hdf5_writer.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace report_rows_test {

class ThinningTest : public testing::Test {
 protected:
  static constexpr std::size_t count = 1000;

  void SetUp() override {
    // Names say nothing here: a reader that guesses from them fails.
    ResultLayout layout;
    const auto add = [&](const char* name, Interest interest, Thinning thinning) {
      layout.channels.push_back({.name = name, .interest = interest, .thinning = thinning});
    };
    add("time", Interest::Drawn, Thinning::Sample);
    add("a", Interest::Drawn, Thinning::Sample);
    add("b", Interest::Contact, Thinning::Smallest);
    add("c", Interest::Contact, Thinning::Largest);
    add("d", Interest::Contact, Thinning::Sum);
    add("e", Interest::Rate, Thinning::Sample);
    add("f", Interest::Resultant, Thinning::Sample);
    add("g", Interest::Contact, Thinning::Mean);
    io::Hdf5Writer writer(path, layout, {}, "{}");
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<double>(i);
      // A touch of one row, which every sampling would miss.
      const bool touches = i == 503;
      writer.write(std::vector<double>{1e-3 * x, x, touches ? 0.0 : 1.0, touches ? 2.0 : 0.0,
                                       touches ? 7.0 : 0.0, 1 - x, 2 * x, touches ? 30.0 : 1.0});
    }
    writer.close("{}");
  }

  TemporaryDirectory directory;
  std::filesystem::path path = directory / "results.h5";
};

TEST_F(ThinningTest, NothingIsThinnedThatFits) {
  const io::ReportRows rows = io::read_report_rows(io::Hdf5Reader(path), {});
  EXPECT_EQ(rows.rows(), count);
  EXPECT_EQ(rows.columns.size(), 8U);
  EXPECT_TRUE(rows.notes.empty());
}

TEST_F(ThinningTest, KeepsEndsTouchesAndImpulses) {
  const io::ReportRows rows =
      io::read_report_rows(io::Hdf5Reader(path), {.bytes = 36 * 100, .least_rows = 50});
  EXPECT_EQ(rows.stride, 10U);
  EXPECT_LE(rows.rows(), 102U);
  EXPECT_EQ(rows.notes.size(), 1U);
  EXPECT_EQ(rows.values[0].front(), 0);
  EXPECT_EQ(rows.values[0].back(), 0.999);
  for (std::size_t i = 0; i < rows.rows(); ++i) {  // sampled where the time is
    EXPECT_DOUBLE_EQ(rows.values[1][i], 1000 * rows.values[0][i]);
  }
  const std::vector<double>&gap = rows.values[2], &status = rows.values[3], &n = rows.values[4];
  EXPECT_EQ(*std::min_element(gap.begin(), gap.end()), 0);
  EXPECT_EQ(*std::max_element(status.begin(), status.end()), 2);
  EXPECT_EQ(std::accumulate(n.begin(), n.end(), 0.0), 7);
  const auto row = static_cast<std::size_t>(std::max_element(n.begin(), n.end()) - n.begin());
  EXPECT_DOUBLE_EQ(rows.values[0][row], 0.510);  // the row after it
}

TEST_F(ThinningTest, WhatIsAMeanSinceTheLastRowIsOneSinceTheLastShownRow) {
  const io::ReportRows rows =
      io::read_report_rows(io::Hdf5Reader(path), {.bytes = 36 * 100, .least_rows = 50});
  const std::vector<double>& mean = rows.values[7];
  EXPECT_NEAR(mean[50], 1, 1e-12);
  EXPECT_NEAR(mean[51], (9 * 1.0 + 30) / 10, 1e-12);
  EXPECT_NEAR(mean[52], 1, 1e-12);
}

TEST_F(ThinningTest, LeavesColumnsOutBeforeMotionBecomesJerky) {
  // Time and position take 12 bytes a row, gap, status, impulse and mean 16 more.
  const io::ReportRows rows =
      io::read_report_rows(io::Hdf5Reader(path), {.bytes = 12 * 1000, .least_rows = 1000});
  EXPECT_EQ(rows.rows(), count);
  EXPECT_EQ(rows.columns, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(rows.notes.size(), 1U);
}

TEST_F(ThinningTest, ShowsAHundredRowsInAnyCase) {
  const io::ReportRows rows = io::read_report_rows(io::Hdf5Reader(path), {.bytes = 100});
  EXPECT_TRUE(rows.is_coarse);
  EXPECT_GE(rows.rows(), 100U);
  EXPECT_LE(rows.rows(), 102U);
}

TEST_F(ThinningTest, AStreamShowsTheSameRows) {
  const io::Hdf5Reader file(path);
  const io::ReportRows all = io::read_report_rows(file, {.bytes = 36 * 100, .least_rows = 50});
  io::RowStream stream(file, all.stride);
  std::size_t shown = 0;
  stream.for_each([&](std::size_t row) {
    ASSERT_LT(shown, all.rows());
    EXPECT_EQ(row, std::min(10 * shown, count - 1));
    for (std::size_t k = 0; k < all.columns.size(); ++k) {
      EXPECT_EQ(stream.rows().values[k].front(), all.values[k][shown]);
    }
    ++shown;
  });
  EXPECT_EQ(shown, all.rows());
}

}  // namespace report_rows_test
}  // namespace saltus
