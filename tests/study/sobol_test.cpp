// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/sobol.hpp"

#include <gtest/gtest.h>

#include <set>

namespace saltus::study {
namespace sobol_test {

TEST(Sobol, EveryIntervalOfEveryDimensionHasOnePoint) {
  for (int dimension = 0; dimension < sobol_dimensions; ++dimension) {
    for (const std::uint32_t scramble : {0U, 0x9abc1234U}) {
      constexpr int points = 256;
      std::set<int> intervals;
      for (std::uint32_t i = 0; i < points; ++i) {
        const double u = sobol(i, dimension, scramble);
        ASSERT_TRUE(u > 0 && u < 1);
        intervals.insert(static_cast<int>(u * points));
      }
      EXPECT_EQ(intervals.size(), points) << dimension;
    }
  }
}

/// The first two dimensions are a net: every elementary box of area 2⁻⁸ has one of 2⁸ points.
TEST(Sobol, FirstTwoDimensionsAreANet) {
  constexpr int digits = 8;
  for (int a = 0; a <= digits; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (std::uint32_t i = 0; i < (1U << digits); ++i) {
      boxes.emplace(static_cast<int>(sobol(i, 0) * (1 << a)),
                    static_cast<int>(sobol(i, 1) * (1 << (digits - a))));
    }
    EXPECT_EQ(boxes.size(), 1U << digits) << a;
  }
}

/// ∫ Π 2 x_i = 1 over the unit cube of six dimensions: far better than the 1/√n of chance.
TEST(Sobol, IntegratesBetterThanChance) {
  constexpr std::uint32_t points = 4096;
  double sum = 0;
  for (std::uint32_t i = 0; i < points; ++i) {
    double product = 1;
    for (int d = 0; d < 6; ++d) product *= 2 * sobol(i, d);
    sum += product;
  }
  EXPECT_NEAR(sum / points, 1, 5e-3);  // chance: sqrt((4/3)^6 - 1)/64 = 0.034
}

}  // namespace sobol_test
}  // namespace saltus::study
