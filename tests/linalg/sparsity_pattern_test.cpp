// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/sparsity_pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace saltus::linalg {
namespace sparsity_pattern_test {

std::vector<int> random_indices(std::mt19937& random, int count, int size) {
  std::uniform_int_distribution<int> index(-2, size - 1);  // some are "no unknown here"
  std::vector<int> indices(static_cast<std::size_t>(count));
  for (int& i : indices) i = index(random);
  return indices;
}

TEST(SparsityPattern, HoldsExactlyTheMarkedPairs) {
  constexpr int size = 50;
  std::mt19937 random(1);
  PatternBuilder builder(size);
  std::set<std::pair<int, int>> marked;
  for (int block = 0; block < 60; ++block) {
    const std::vector<int> rows = random_indices(random, 4, size);
    const std::vector<int> cols = random_indices(random, 3, size);
    builder.add_block(rows, cols);
    for (const int row : rows) {
      for (const int col : cols) {
        if (row >= 0 && col >= 0) marked.emplace(row, col);
      }
    }
  }
  const SparsityPattern pattern(builder);

  EXPECT_EQ(pattern.size(), size);
  EXPECT_EQ(pattern.nonzeros(), static_cast<int>(marked.size()));
  for (int row = 0; row < size; ++row) {
    for (int col = 0; col < size; ++col) {
      EXPECT_EQ(pattern.slot(row, col) >= 0, marked.contains({row, col})) << row << ", " << col;
    }
  }
}

TEST(SparsityPattern, SlotsFollowColumnsWithAscendingRows) {
  PatternBuilder builder(3);
  builder.add(2, 0);
  builder.add(0, 0);
  builder.add(1, 2);
  builder.add(2, 0);
  const SparsityPattern pattern(std::move(builder));

  EXPECT_TRUE(std::ranges::equal(pattern.column_starts(), std::vector{0, 2, 2, 3}));
  EXPECT_TRUE(std::ranges::equal(pattern.row_indices(), std::vector{0, 2, 1}));
  EXPECT_EQ(pattern.slot(0, 0), 0);
  EXPECT_EQ(pattern.slot(2, 0), 1);
  EXPECT_EQ(pattern.slot(1, 2), 2);
  EXPECT_EQ(pattern.slot(1, 1), -1);
  EXPECT_EQ(pattern.slot(-1, 0), -1);
}

TEST(SparsityPattern, ScatterMapIsColumnMajorAndSkipsMissingUnknowns) {
  PatternBuilder builder(4);
  const std::vector<int> rows{3, -1, 0};
  const std::vector<int> cols{1, -1};
  builder.add_block(rows, cols);
  const SparsityPattern pattern(std::move(builder));

  const std::vector<int> expected{pattern.slot(3, 1), -1, pattern.slot(0, 1), -1, -1, -1};
  EXPECT_EQ(pattern.scatter_map(rows, cols), expected);
  EXPECT_EQ(pattern.nonzeros(), 2);
}

TEST(SparsityPattern, MayBeEmpty) {
  EXPECT_EQ(SparsityPattern(PatternBuilder(0)).size(), 0);
  const SparsityPattern pattern{PatternBuilder(3)};
  EXPECT_EQ(pattern.size(), 3);
  EXPECT_EQ(pattern.nonzeros(), 0);
}

// Elements of a mesh add the same pairs again and again.
TEST(SparsityPattern, RepetitionsDoNotGrowIt) {
  constexpr int size = 3000;
  PatternBuilder builder(size);
  for (int repetition = 0; repetition < 30; ++repetition) {
    for (int i = 0; i + 1 < size; ++i) {
      const std::vector<int> pair{i, i + 1};
      builder.add_block(pair, pair);
    }
  }
  EXPECT_EQ(SparsityPattern(std::move(builder)).nonzeros(), 3 * size - 2);
}

}  // namespace sparsity_pattern_test
}  // namespace saltus::linalg
