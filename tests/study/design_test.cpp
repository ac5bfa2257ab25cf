// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace saltus::study {
namespace design_test {

Spread uniform(double a, double b) {
  return {.pointer = "/a", .kind = Spread::Kind::Uniform, .range = {a, b}};
}

TEST(Cases, GridHasAllCombinationsAndVariesTheLastFirst) {
  Study study;
  study.parameters = {{.pointer = "/a", .values = {io::Json(1.0), io::Json("two")}},
                      {.pointer = "/b", .kind = Spread::Kind::Range, .range = {0, 1}, .count = 3}};
  const Cases cases(study);
  ASSERT_EQ(cases.count(), 6);
  EXPECT_EQ(cases.settings(1), (std::vector<std::string>{"/a=1.0", "/b=0.0"}));
  EXPECT_EQ(cases.settings(2), (std::vector<std::string>{"/a=1.0", "/b=0.5"}));
  EXPECT_EQ(cases.settings(6), (std::vector<std::string>{"/a=\"two\"", "/b=1.0"}));
}

TEST(Cases, MoreCasesKeepThoseThereAre) {
  for (const Design design : {Design::Random, Design::Sobol}) {
    Study few;
    few.parameters = {uniform(0, 1), uniform(2, 3)};
    few.design = design;
    few.cases = 10;
    Study many = few;
    many.cases = 1000;
    const Cases a(few), b(many);
    for (int i = 1; i <= 10; ++i) EXPECT_EQ(a.values(i), b.values(i));
  }
}

TEST(Cases, SeedsDiffer) {
  for (const Design design : {Design::Random, Design::Sobol, Design::LatinHypercube}) {
    Study first;
    first.parameters = {uniform(0, 1)};
    first.design = design;
    first.cases = 8;
    Study second = first;
    second.seed = 2;
    EXPECT_NE(Cases(first).values(3), Cases(second).values(3));
  }
}

TEST(Cases, LatinHypercubeHasOneCaseInEachLayer) {
  Study study;
  study.parameters = {uniform(0, 1), uniform(0, 1)};
  study.design = Design::LatinHypercube;
  study.cases = 100;
  const Cases cases(study);
  for (std::size_t k = 0; k < 2; ++k) {
    std::set<int> layers;
    for (int i = 1; i <= 100; ++i) {
      layers.insert(static_cast<int>(cases.values(i)[k].number() * 100));
    }
    EXPECT_EQ(layers.size(), 100U);
  }
}

/// Mean and variance of many cases are those of the distribution, within five deviations of chance.
TEST(Spread, HasTheMomentsOfItsDistribution) {
  struct Row {
    Spread spread;
    double mean, variance;
  };
  const double s = 0.3;
  const Row rows[] = {
      {uniform(1, 3), 2, 4.0 / 12},
      {{.pointer = "/a", .kind = Spread::Kind::Normal, .mean = 5, .deviation = 2}, 5, 4},
      {{.pointer = "/a", .kind = Spread::Kind::LogNormal, .mean = 2, .deviation = s},
       2 * std::exp(s * s / 2),
       4 * std::exp(s * s) * (std::exp(s * s) - 1)},
      {{.pointer = "/a", .kind = Spread::Kind::Triangular, .range = {0, 3}, .mode = 1},
       4.0 / 3,
       7.0 / 18}};
  for (const Row& row : rows) {
    Study study;
    study.parameters = {row.spread};
    study.design = Design::Random;
    study.cases = 20000;
    const Cases cases(study);
    double sum = 0, squares = 0;
    for (int i = 1; i <= study.cases; ++i) {
      const double x = cases.values(i)[0].number();
      sum += x;
      squares += (x - row.mean) * (x - row.mean);
    }
    EXPECT_NEAR(sum / study.cases, row.mean, 5 * std::sqrt(row.variance / study.cases));
    EXPECT_NEAR(squares / study.cases, row.variance, 0.06 * row.variance);
  }
}

TEST(Spread, NormalQuantilesAreThoseOfTables) {
  const Spread normal{.pointer = "/a", .kind = Spread::Kind::Normal, .mean = 0, .deviation = 1};
  EXPECT_NEAR(normal.quantile(0.975).number(), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal.quantile(0.5).number(), 0, 1e-15);
  EXPECT_NEAR(normal.quantile(1e-9).number(), -5.997807015007687, 1e-12);
}

}  // namespace design_test
}  // namespace saltus::study
