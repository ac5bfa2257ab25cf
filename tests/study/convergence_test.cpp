// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::study {
namespace convergence_test {

ColumnConvergence extrapolated(std::vector<double> values) {
  ColumnConvergence column{.values = std::move(values)};
  extrapolate(column);
  return column;
}

// x + c h^p: order and limit come back, whatever p, for either sign of c.
TEST(Convergence, FindsTheLimitOfAPower) {
  for (const double p : {1.0, 1.5, 2.0, 4.0}) {
    for (const double c : {0.3, -0.3}) {
      const auto at = [&](double h) { return 7 + c * std::pow(h, p); };
      const ColumnConvergence column = extrapolated({at(0.4), at(0.2), at(0.1), at(0.05)});
      ASSERT_TRUE(column.order.has_value());
      EXPECT_NEAR(*column.order, p, 1e-9);
      EXPECT_NEAR(column.estimate, 7, 1e-11);
      EXPECT_NEAR(column.error, std::abs(c) * std::pow(0.05, p), 1e-11);
    }
  }
}

// Values that jump from side to side get closer, too.
TEST(Convergence, FindsTheLimitOfAlternatingValues) {
  const ColumnConvergence column = extrapolated({1 + 0.4, 1 - 0.2, 1 + 0.1});
  ASSERT_TRUE(column.order.has_value());
  EXPECT_NEAR(*column.order, 1, 1e-12);
  EXPECT_NEAR(column.estimate, 1, 1e-12);
}

TEST(Convergence, HasNoOrderWhereValuesDoNotGetCloser) {
  const ColumnConvergence away = extrapolated({0, 1, 3});
  EXPECT_FALSE(away.order.has_value());
  EXPECT_EQ(away.estimate, 3);
  EXPECT_EQ(away.error, 2);
  const ColumnConvergence still = extrapolated({5, 5, 5});
  EXPECT_FALSE(still.order.has_value());
  EXPECT_EQ(still.error, 0);
}

TEST(Convergence, TwoRunsHaveAnErrorButNoOrder) {
  const ColumnConvergence column = extrapolated({2, 2.5});
  EXPECT_FALSE(column.order.has_value());
  EXPECT_EQ(column.estimate, 2.5);
  EXPECT_EQ(column.error, 0.5);
}

}  // namespace convergence_test
}  // namespace saltus::study
