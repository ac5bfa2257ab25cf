// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/impulse_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace saltus::hertz {
namespace impulse_filter_test {

std::vector<ImpulseStep> steps(const std::vector<double>& impulses, double h = 1) {
  std::vector<ImpulseStep> result;
  for (const double impulse : impulses) result.push_back({impulse, h, 0});
  return result;
}

std::vector<double> impacts(const std::vector<ImpulseStep>& history) {
  std::vector<double> result;
  for (const ImpulseSplit& s : split_impulses(history)) result.push_back(s.impact);
  return result;
}

TEST(ImpulseFilter, IsolatedImpulsesAreImpacts) {
  EXPECT_EQ(impacts(steps({0, 0, 5, 0, 0, 3, 0})), (std::vector<double>{0, 0, 5, 0, 0, 3, 0}));
}

TEST(ImpulseFilter, ImpactOnALastingContactIsWhatStandsAboveTheNeighbours) {
  EXPECT_EQ(impacts(steps({2, 2, 7, 2, 2})), (std::vector<double>{0, 0, 5, 0, 0}));
  EXPECT_EQ(impacts(steps({1, 2, 7, 4, 5})), (std::vector<double>{0, 0, 4, 0, 0}));
}

TEST(ImpulseFilter, GoesOnWithTheMemoryOfAnother) {
  const std::vector<ImpulseStep> history = steps({2, 2, 7, 2, 2, 9});
  for (std::size_t saved = 0; saved < history.size(); ++saved) {
    ImpulseFilter original, loaded;
    for (std::size_t k = 0; k < saved; ++k) original.push(history[k]);
    Archive out;
    original.archive(out);
    Archive in(out.bytes());
    loaded.archive(in);
    for (std::size_t k = saved; k < history.size(); ++k) {
      const auto expected = original.push(history[k]), split = loaded.push(history[k]);
      ASSERT_EQ(split.has_value(), expected.has_value());
      if (split) {
        EXPECT_EQ(split->impact, expected->impact);
      }
    }
  }
}

TEST(ImpulseFilter, LandingAndRestIsAnImpactAndALoad) {
  // In the step of the impact the contact carries its load for half of the time.
  EXPECT_EQ(impacts(steps({0, 0, 9, 2, 2, 2})), (std::vector<double>{0, 0, 8, 0, 0, 0}));
}

TEST(ImpulseFilter, LastingLoadsAreNoImpacts) {
  EXPECT_EQ(impacts(steps({3, 3, 3, 3})), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(impacts(steps({0, 1, 2, 3, 3, 3})), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  // A smooth load loses only its curvature, of second order in h.
  double lost = 0;
  std::vector<double> load;
  for (int i = 0; i <= 200; ++i) load.push_back(2 - std::cos(0.1 * i));
  for (const double impact : impacts(steps(load))) lost = std::max(lost, impact);
  EXPECT_LT(lost, 0.01);
}

TEST(ImpulseFilter, ForceLevelsCountWhereStepsHaveDifferentLengths) {
  // A constant force of 4 N: no impact, though the impulses go up and down.
  const std::vector<ImpulseStep> constant = {{4, 1, 0}, {2, 0.5, 0}, {2, 0.5, 0}, {4, 1, 0}};
  for (const double impact : impacts(constant)) EXPECT_EQ(impact, 0);
  // A load that grows linearly in time, F = t, and an impact of 3 N s in a short step.
  std::vector<ImpulseStep> ramp;
  double t = 0;
  for (const double h : {1.0, 1.0, 0.25, 0.5, 1.0}) {
    ramp.push_back({h * (t + h / 2), h, 0});
    t += h;
  }
  ramp[2].impulse += 3;
  EXPECT_NEAR(impacts(ramp)[2], 3, 1e-15);
}

TEST(ImpulseFilter, KnownImpactsAreTakenAsTheyAre) {
  // The impulse of an impact runs through a contact that is in the middle of a wide peak: the
  // peak rule would see a part of it only.
  std::vector<ImpulseStep> history = steps({2, 6, 7, 2});
  history[1].known_impact = 4;
  history[2].known_impact = 5;
  EXPECT_EQ(impacts(history), (std::vector<double>{0, 4, 5, 0}));
  // What is left of the step goes through the peak rule.
  history = steps({2, 9, 2});
  history[1].known_impact = 4;
  EXPECT_EQ(impacts(history), (std::vector<double>{0, 7, 0}));
}

TEST(ImpulseFilter, KnownImpactsDoNotHideThoseOfTheirNeighbours) {
  std::vector<ImpulseStep> history = steps({1, 4, 9, 1});
  history[2].known_impact = 8;
  EXPECT_EQ(impacts(history), (std::vector<double>{0, 3, 8, 0}));
}

TEST(ImpulseFilter, OfTwoUnknownPeaksSideBySideTheHigherOneIsSeen) {
  // The documented limit: without knowledge of the solver's impacts at most one of the two.
  EXPECT_EQ(impacts(steps({0, 3, 5, 0})), (std::vector<double>{0, 0, 3.5, 0}));
  EXPECT_EQ(impacts(steps({0, 5, 5, 0})), (std::vector<double>{0, 0, 0, 0}));
}

TEST(ImpulseFilter, EndsAreImpactsIfTheyAreMoreThanTwiceTheirOnlyNeighbour) {
  EXPECT_EQ(impacts(steps({8, 1, 1})), (std::vector<double>{7, 0, 0}));
  EXPECT_EQ(impacts(steps({1, 1, 8})), (std::vector<double>{0, 0, 7}));
  EXPECT_EQ(impacts(steps({5, 4, 4, 5})), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(impacts(steps({8})), (std::vector<double>{0}));
  EXPECT_TRUE(impacts({}).empty());
}

TEST(ImpulseFilter, PartsAddUpToTheImpulse) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<ImpulseStep> history;
  for (int i = 0; i < 2000; ++i) {
    const double impulse = std::pow(uniform(random), 4), h = 0.1 + uniform(random);
    history.push_back({impulse, h, i % 7 == 0 ? impulse * uniform(random) : 0});
  }
  const std::vector<ImpulseSplit> splits = split_impulses(history);
  ASSERT_EQ(splits.size(), history.size());
  for (std::size_t i = 0; i < splits.size(); ++i) {
    EXPECT_DOUBLE_EQ(splits[i].continuous + splits[i].impact, history[i].impulse);
    EXPECT_GE(splits[i].impact, history[i].known_impact);
    EXPECT_GE(splits[i].continuous, -1e-16);
  }
}

TEST(ImpulseFilter, OnTheRunItIsOneStepLate) {
  ImpulseFilter filter;
  EXPECT_FALSE(filter.finish());
  EXPECT_FALSE(filter.push({0, 1, 0}));
  EXPECT_EQ(filter.push({6, 1, 0})->impact, 0);
  EXPECT_EQ(filter.push({0, 1, 0})->impact, 6);
  EXPECT_EQ(filter.finish()->impact, 0);
  EXPECT_FALSE(filter.finish());
  EXPECT_FALSE(filter.push({6, 1, 0}));  // as new
}

TEST(ImpulseFilter, RoundOffOfKnownImpactsIsForgiven) {
  std::vector<ImpulseStep> history = steps({0, 5, -1e-18});
  history[1].known_impact = 5 * (1 + 1e-15);
  history[2].known_impact = 1e-18;
  EXPECT_EQ(impacts(history), (std::vector<double>{0, 5, 0}));
}

TEST(ImpulseFilter, RefusesBadSteps) {
  ImpulseFilter filter;
  EXPECT_THROW(filter.push({1, 0, 0}), std::invalid_argument);
  EXPECT_THROW(filter.push({std::nan(""), 1, 0}), std::invalid_argument);
}

}  // namespace impulse_filter_test
}  // namespace saltus::hertz
