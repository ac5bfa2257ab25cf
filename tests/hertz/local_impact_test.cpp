// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/local_impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "saltus/hertz/damping_model.hpp"

namespace saltus::hertz {
namespace local_impact_test {

using std::numbers::pi;

TEST(LocalImpact, ElasticImpactsHaveTheirClosedForm) {
  const double m = 0.3, K = 4e6, v = 1.7;
  for (const double n : {0.5, 1.0, 1.5, 3.0}) {
    const LocalImpact impact = integrate_local_law({m, K, n, 0}, v);
    const double p = n + 1, depth = std::pow(p * m * v * v / (2 * K), 1 / p);
    const double T =
        2 * depth / v * std::sqrt(pi) * std::tgamma(1 + 1 / p) / std::tgamma(0.5 + 1 / p);
    EXPECT_NEAR(impact.duration / T, 1, 1e-9) << n;
    EXPECT_NEAR(impact.peak_indentation / depth, 1, 1e-9) << n;
    EXPECT_NEAR(impact.peak_force / (K * std::pow(depth, n)), 1, 1e-9) << n;
    EXPECT_NEAR(impact.restitution, 1, 1e-9) << n;
  }
  EXPECT_NEAR(integrate_local_law({m, K, 1, 0}, v).duration / (pi * std::sqrt(m / K)), 1, 1e-9);
}

TEST(LocalImpact, DampedImpactsKeepTheFirstIntegral) {
  // v dv/(1 + c v) = −K δⁿ dδ/m, c = D/K: w(v) = v/c − ln(1 + c v)/c² is the same before and after,
  // and is K δⁿ⁺¹/((n + 1) m) at the deepest point.
  const double m = 0.3, K = 4e6, v = 1.7;
  for (const double n : {1.0, 1.5})
    for (const double eta : {0.1, 1.0, 5.0, 30.0}) {
      const double c = eta / v;
      const auto w = [&](double u) { return u / c - std::log1p(c * u) / (c * c); };
      const LocalImpact impact = integrate_local_law({m, K, n, c * K}, v);
      double low = 0, high = std::min(v, 1 / c);
      for (int i = 0; i < 100; ++i) {
        const double u = (low + high) / 2;
        (c * u < 1 && w(-u) < w(v) ? low : high) = u;
      }
      EXPECT_NEAR(impact.restitution, low / v, 1e-10) << eta;
      const double depth = std::pow((n + 1) * m / K * w(v), 1 / (n + 1));
      EXPECT_NEAR(impact.peak_indentation / depth, 1, 1e-9) << eta;
    }
}

TEST(LocalImpact, HistoryIsTheWholeImpact) {
  const double m = 0.3, v = 1.7;
  const LocalImpact impact = integrate_local_law({m, 4e6, 1.5, 2e6}, v);
  ASSERT_GT(impact.history.size(), 50u);
  EXPECT_EQ(impact.history.front().time, 0);
  EXPECT_DOUBLE_EQ(impact.history.front().deltadot, v);
  EXPECT_DOUBLE_EQ(impact.history.back().time, impact.duration);
  EXPECT_NEAR(impact.history.back().delta, 0, 1e-12 * impact.peak_indentation);
  double impulse = 0;
  for (std::size_t i = 1; i < impact.history.size(); ++i) {
    const LocalSample &a = impact.history[i - 1], &b = impact.history[i];
    EXPECT_GT(b.time, a.time);
    EXPECT_LE(b.force, impact.peak_force * (1 + 1e-12));
    EXPECT_LE(b.delta, impact.peak_indentation * (1 + 1e-12));
    EXPECT_GE(b.force, 0);
    impulse += (b.time - a.time) * (a.force + b.force) / 2;
  }
  // The trapezoidal rule on some 400 unequal steps.
  EXPECT_NEAR(impulse / (m * v * (1 + impact.restitution)), 1, 1e-3);
}

TEST(LocalImpact, BouncingBallWithFloresDamping) {
  // g = 9.8 m/s², height 1 m.
  const double v = std::sqrt(2 * 9.8), K = 1.4e8;
  struct Row {
    double e, T, F, d;
  };
  for (const Row& row : std::vector<Row>{{1.0, 1.318e-3, 12358, 1.983e-3},
                                         {0.8, 1.357e-3, 11306, 1.808e-3},
                                         {0.6, 1.431e-3, 11262, 1.615e-3},
                                         {0.4, 1.601e-3, 12276, 1.386e-3},
                                         {0.2, 2.163e-3, 15421, 1.072e-3}}) {
    const double D = damping_factor(DampingModel::Flores, K, row.e, v);
    const LocalImpact impact = integrate_local_law({1, K, 1.5, D}, v);
    EXPECT_NEAR(impact.duration, row.T, 1e-6);
    EXPECT_NEAR(impact.peak_force, row.F, 1.5);
    EXPECT_NEAR(impact.peak_indentation, row.d, 1e-6);
  }
}

TEST(LocalImpact, TwoSpheresWithHusDamping) {
  struct Row {
    double e, T, F;
  };
  for (const Row& row : std::vector<Row>{{0.8, 0.1563e-3, 305.8},
                                         {0.6, 0.1642e-3, 304.3},
                                         {0.4, 0.1795e-3, 325.0},
                                         {0.2, 0.2227e-3, 385.4}}) {
    const double D = damping_factor(DampingModel::Hu, 5.5e9, row.e, 0.3);
    const LocalImpact impact = integrate_local_law({0.046, 5.5e9, 1.5, D}, 0.3);
    EXPECT_NEAR(impact.duration, row.T, 1e-7);
    EXPECT_NEAR(impact.peak_force, row.F, 0.1);
  }
}

TEST(LocalImpact, RestitutionDoesNotDependOnScales) {
  const double a = integrate_local_law({1, 1e8, 1.5, 1e8}, 1).restitution;
  const double b = integrate_local_law({1e-3, 7e10, 1.5, 7e10 / 0.02}, 0.02).restitution;
  EXPECT_NEAR(a, b, 1e-12);
}

TEST(LocalImpact, RefusesBadNumbers) {
  EXPECT_THROW(integrate_local_law({0, 1, 1.5, 0}, 1), std::invalid_argument);
  EXPECT_THROW(integrate_local_law({1, 0, 1.5, 0}, 1), std::invalid_argument);
  EXPECT_THROW(integrate_local_law({1, 1, 0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(integrate_local_law({1, 1, 1.5, -1}, 1), std::invalid_argument);
  EXPECT_THROW(integrate_local_law({1, 1, 1.5, 301}, 1), std::invalid_argument);
  EXPECT_THROW(integrate_local_law({1, 1, 1.5, 0}, 0), std::invalid_argument);
}

}  // namespace local_impact_test
}  // namespace saltus::hertz
