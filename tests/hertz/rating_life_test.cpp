// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/rating_life.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
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

TEST(RatingLife, NarrowGroovesCountAsTheStandardsAndWideOnesLess) {
  for (const double gamma : {0.05, 0.2, 0.4}) {
    const double f_c = capacity_factor(gamma);
    EXPECT_EQ(capacity_factor(gamma, {0.51, 0.515}), f_c);
    EXPECT_EQ(capacity_factor(gamma, {0.52, 0.53}), f_c);
    EXPECT_LT(capacity_factor(gamma, {0.53, 0.53}), f_c);
    EXPECT_LT(capacity_factor(gamma, {0.52, 0.54}), f_c);
    EXPECT_GT(capacity_factor(gamma, {0.52, 0.5301}), 0.999 * f_c) << "no jump";
    // With both of 0.9 instead of 0.52 ball diameters: (1.8/0.8/26)^0.41, but for what the outer
    // one is allowed to be wider.
    EXPECT_NEAR(capacity_factor(gamma, {0.9, 0.9}) / f_c, std::pow(1.8 / 0.8 / 26, 0.41), 0.03);
  }
  EXPECT_THROW(capacity_factor(0.2, {0.5, 0.53}), std::invalid_argument);
}

/// Lundberg and Palmgren as Harris prints them for one race: 98.1 (2f/(2f − 1))^0.41 …, N and mm,
/// times b_m = 1.3 and λ = 0.95.
double rating_of_race(double f, double gamma, double sign, double D, int Z) {
  return 1.3 * 0.95 * 98.0665 * std::pow(2 * f / (2 * f - 1), 0.41) *
         std::pow(1 + sign * gamma, 1.39) / std::cbrt(1 - sign * gamma) * std::pow(gamma, 0.3) *
         std::pow(D, 1.8) / std::cbrt(Z);
}

TEST(ReferenceLife, RatingsOfRacesAreThoseOfLundbergAndPalmgren) {
  for (const Grooves grooves : {Grooves{0.52, 0.52}, {0.515, 0.53}, {0.6, 0.9}}) {
    const RatedBearing b{9, 7.938e-3, 39e-3, 0, 1, grooves};
    const double gamma = 7.938 / 39;
    const RaceLoads ratings = race_ratings(b);
    EXPECT_NEAR(ratings.inner / rating_of_race(grooves.inner, gamma, -1, 7.938, 9), 1, 0.01);
    EXPECT_NEAR(ratings.outer / rating_of_race(grooves.outer, gamma, 1, 7.938, 9), 1, 0.01);
  }
}

TEST(ReferenceLife, IsTheBasicOneOfARadialLoadWithoutClearance) {
  // Load Q_max cos^1.5 ψ over half the ring; many balls.
  RatedBearing b{400, 7.938e-3, 39e-3, 0, 1, {0.52, 0.52}};
  double radial = 0, cube = 0, higher = 0;
  for (int k = 0; k < b.balls; ++k) {
    const double c = std::max(0.0, std::cos(2 * std::numbers::pi * (k + 0.3) / b.balls));
    const double Q = std::pow(c, 1.5);
    radial += Q * c;
    cube += Q * Q * Q / b.balls;
    higher += std::pow(Q, 10.0 / 3) / b.balls;
  }
  const double F = 1e4, scale = F / radial;
  const double life = reference_rating_life(
      race_ratings(b), {scale * std::cbrt(cube), scale * std::pow(higher, 0.3)});
  const double basic = basic_rating_life(basic_dynamic_rating(b), F);
  EXPECT_NEAR(life / basic, 1, 0.01);
}

TEST(ReferenceLife, FallsWithTheGrooves) {
  const RaceLoads loads{300, 310};
  RatedBearing b{9, 7.938e-3, 39e-3};
  double last = std::numeric_limits<double>::infinity();
  for (const double f : {0.51, 0.52, 0.54, 0.6, 0.9}) {
    b.grooves = {f, f};
    const double life = reference_rating_life(race_ratings(b), loads);
    EXPECT_LT(life, last);
    last = life;
  }
  // (52/2 : 1.8/0.8)^(0.41 × 3) between 0.52 and 0.9.
  b.grooves = {0.52, 0.52};
  EXPECT_NEAR(reference_rating_life(race_ratings(b), loads) / last, std::pow(26 / 2.25, 0.41 * 3),
              1e-9 * last);
  EXPECT_EQ(reference_rating_life(race_ratings(b), {}), std::numeric_limits<double>::infinity());
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
