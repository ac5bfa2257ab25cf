// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/rating_life.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace saltus::hertz {
namespace rating_life_test {

TEST(RatingLife, CapacityFactorIsThatOfTheStandard) {
  // Table 2 of ISO 281, single-row radial contact groove ball bearings.
  const std::vector<std::pair<double, double>> table = {
      {0.01, 29.1}, {0.02, 35.8}, {0.03, 40.3}, {0.04, 43.8}, {0.05, 46.7},
      {0.06, 49.1}, {0.07, 51.1}, {0.08, 52.8}, {0.09, 54.3}, {0.10, 55.5},
      {0.12, 57.5}, {0.14, 58.8}, {0.16, 59.6}, {0.18, 59.9}, {0.20, 59.9},
      {0.22, 59.6}, {0.24, 59.0}, {0.26, 58.2}, {0.28, 57.1}, {0.30, 56.0},
      {0.32, 54.6}, {0.34, 53.2}, {0.36, 51.7}, {0.38, 50.0}, {0.40, 48.4}};
  for (const auto& [gamma, f_c] : table) EXPECT_NEAR(capacity_factor(gamma), f_c, 0.06) << gamma;
}

TEST(RatingLife, StaticFactorByHertzIsThatOfTheStandard) {
  // Some rows of ISO 76, radial contact groove ball bearings. The outer race governs up to 0.09.
  for (const auto& [gamma, f_0] : std::vector<std::pair<double, double>>{{0.01, 14.9},
                                                                         {0.05, 15.7},
                                                                         {0.09, 16.5},
                                                                         {0.10, 16.4},
                                                                         {0.15, 15.2},
                                                                         {0.20, 14.0},
                                                                         {0.25, 12.8},
                                                                         {0.30, 11.6},
                                                                         {0.40, 9.4}})
    EXPECT_NEAR(static_capacity_factor(gamma), f_0, 0.06) << gamma;
}

TEST(RatingLife, RatingsOfBearingsInCatalogues) {
  // 6204: 12.8 and 6.6 kN; 6205: 14.0 and 7.85 kN.
  const RatedBearing b_6204{8, 7.938e-3, 33.5e-3, 0, 1}, b_6205{9, 7.938e-3, 39e-3, 0, 1};
  EXPECT_NEAR(basic_dynamic_rating(b_6204), 12.8e3, 50);
  EXPECT_NEAR(basic_static_rating(b_6204), 6.6e3, 50);
  EXPECT_NEAR(basic_dynamic_rating(b_6205), 14.0e3, 50);
  EXPECT_NEAR(basic_static_rating(b_6205), 7.85e3, 50);
}

TEST(RatingLife, RatingGrowsWithoutAJumpAtOneInch) {
  const RatedBearing small{8, 25.4e-3, 0.12, 0, 1}, large{8, 25.400001e-3, 0.12, 0, 1};
  EXPECT_NEAR(basic_dynamic_rating(large) / basic_dynamic_rating(small), 1, 1e-4);
}

TEST(RatingLife, RowsAndAnglesScaleTheRating) {
  const double alpha = 0.4;
  RatedBearing one{12, 0.01, 0.06, alpha, 1}, two = one;
  two.rows = 2;
  EXPECT_NEAR(basic_dynamic_rating(two) / basic_dynamic_rating(one), std::pow(2, 0.7), 1e-14);
  EXPECT_NEAR(basic_static_rating(two) / basic_static_rating(one), 2, 1e-14);
  one.contact_angle = two.contact_angle = 0;
  EXPECT_NEAR(basic_dynamic_rating(two) / basic_dynamic_rating(one), std::pow(2, 0.7) * 0.9 / 0.95,
              1e-14);
}

TEST(RatingLife, EquivalentLoadFollowsTheTable) {
  const double C_0 = 6600, f_0 = 13.1;
  const EquivalentLoad radial = equivalent_load(1000, 0, f_0, C_0);
  EXPECT_EQ(radial.load, 1000);
  EXPECT_EQ(equivalent_load(1000, 200, f_0, C_0).load, 1000);  // below e
  // A row of the table, and half-way between two of them.
  const double at_row = 1.03 * C_0 / f_0;
  const EquivalentLoad row = equivalent_load(1000, at_row, f_0, C_0);
  EXPECT_NEAR(row.limit, 0.28, 1e-14);
  EXPECT_EQ(row.X, 0.56);
  EXPECT_NEAR(row.Y, 1.55, 1e-12);
  EXPECT_NEAR(row.load, 560 + 1.55 * at_row, 1e-9);
  const EquivalentLoad between = equivalent_load(100, (1.03 + 1.38) / 2 * C_0 / f_0, f_0, C_0);
  EXPECT_NEAR(between.Y, 1.50, 1e-12);
  EXPECT_NEAR(between.limit, 0.29, 1e-12);
}

TEST(RatingLife, TableIsConstantBeyondItsEnds) {
  EXPECT_EQ(equivalent_load(0, 1, 13, 1e6).Y, 2.30);
  EXPECT_EQ(equivalent_load(0, 1e6, 13, 1e6).Y, 1.00);
}

TEST(RatingLife, LoadJumpsLittleWhereTheAxialForceBeginsToCount) {
  // X + Y e = 1 but for the two digits of the table, at every row.
  for (const double x : {0.172, 0.345, 0.689, 1.03, 1.38, 2.07, 3.45, 5.17, 6.89}) {
    const EquivalentLoad P = equivalent_load(0, x, 1, 1);
    EXPECT_NEAR(P.X + P.Y * P.limit, 1, 0.015);
  }
}

TEST(RatingLife, LifeIsTheCubeOfTheLoadRatio) {
  EXPECT_DOUBLE_EQ(basic_rating_life(10000, 1000), 1000);
  EXPECT_EQ(basic_rating_life(10000, 0), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(life_hours(1000, 500), 33333.3, 0.1);
}

TEST(RatingLife, RefusesBadNumbers) {
  EXPECT_THROW(capacity_factor(0), std::invalid_argument);
  EXPECT_THROW(static_capacity_factor(0.41), std::invalid_argument);
  EXPECT_THROW(basic_dynamic_rating({0, 0.01, 0.05, 0, 1}), std::invalid_argument);
  EXPECT_THROW(basic_dynamic_rating({8, 0, 0.05, 0, 1}), std::invalid_argument);
  EXPECT_THROW(basic_dynamic_rating({8, 0.01, 0.05, 0, 3}), std::invalid_argument);
  EXPECT_THROW(basic_static_rating({8, 0.01, 0.05, 2, 1}), std::invalid_argument);
  EXPECT_THROW(equivalent_load(-1, 0, 13, 1e4), std::invalid_argument);
  EXPECT_THROW(equivalent_load(1, 0, 13, 0), std::invalid_argument);
  EXPECT_THROW(basic_rating_life(0, 1), std::invalid_argument);
  EXPECT_THROW(life_hours(1, 0), std::invalid_argument);
}

}  // namespace rating_life_test
}  // namespace saltus::hertz
