// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/elliptic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace saltus::hertz {
namespace elliptic_test {

using std::numbers::pi;

void expect_relative(double value, double expected, double tolerance) {
  EXPECT_LE(std::abs(value / expected - 1), tolerance) << value << " instead of " << expected;
}

TEST(Elliptic, CompleteIntegralsHaveAllTheirDigits) {
  struct Row {
    double kappa, K, E;
  };
  // Computed with 40 digits.
  for (const Row& row : std::vector<Row>{{1, 1.5707963267948966192, 1.5707963267948966192},
                                         {0.9, 1.6546166675225269344, 1.4932901081312071862},
                                         {0.5, 2.1565156474996432354, 1.2110560275684595248},
                                         {0.1, 3.6956373629898746778, 1.0159935450252239356},
                                         {1e-3, 8.2940514636154399853, 1.0000038970261720612},
                                         {1e-8, 19.806975105072256561, 1.0000000000000009653}}) {
    expect_relative(complete_k(row.kappa), row.K, 1e-14);
    expect_relative(complete_e(row.kappa), row.E, 1e-14);
  }
}

TEST(Elliptic, IncompleteIntegralsHaveAllTheirDigits) {
  struct Row {
    double t, kappa, F, E;
  };
  for (const Row& row :
       std::vector<Row>{{2, 0.5, 0.47647925309637123941, 0.45142587185707507774},
                        {0.3, 0.9, 1.3318239728228735911, 1.2301250283098762959},
                        {1e-3, 1e-3, 7.4126780098058331466, 1.0000027492332276019},
                        {1e-6, 1e-8, 14.508632739461917684, 0.99999999999950067543},
                        {0.7, 1e-8, 1.1544773942370684156, 0.81923192051904048333},
                        {5, 1, 0.19739555984988075837, 0.19739555984988075837}}) {
    expect_relative(incomplete_f(row.t, row.kappa), row.F, 1e-14);
    expect_relative(incomplete_e(row.t, row.kappa), row.E, 1e-14);
  }
}

TEST(Elliptic, IncompleteIntegralsUpToARightAngleAreTheCompleteOnes) {
  for (const double kappa : {1.0, 0.7, 1e-2, 1e-5, 1e-8}) {
    expect_relative(incomplete_f(0, kappa), complete_k(kappa), 1e-15);
    expect_relative(incomplete_e(0, kappa), complete_e(kappa), 1e-14);
  }
}

TEST(Elliptic, LegendresRelationHolds) {
  for (double kappa = 0.05; kappa < 1; kappa += 0.05) {
    const double other = std::sqrt((1 - kappa) * (1 + kappa));
    const double K = complete_k(kappa), E = complete_e(kappa);
    const double K_other = complete_k(other), E_other = complete_e(other);
    EXPECT_NEAR(E * K_other + E_other * K - K * K_other, pi / 2, 1e-14);
  }
}

TEST(Elliptic, DerivativesOfTheIncompleteIntegralsAreTheirIntegrands) {
  // In t = cot φ: dF/dt = −1/√((t² + κ²)(t² + 1)), dE/dt = −√(t² + κ²)/(t² + 1)^{3/2}.
  for (const double kappa : {1.0, 0.3, 0.02})
    for (const double t : {0.01, 0.2, 1.0, 3.0}) {
      const double h = 1e-3 * t, w = t * t + kappa * kappa, u = t * t + 1;
      const auto derivative = [&](double (*f)(double, double)) {
        return (8 * (f(t + h, kappa) - f(t - h, kappa)) - f(t + 2 * h, kappa) +
                f(t - 2 * h, kappa)) /
               (12 * h);
      };
      expect_relative(derivative(incomplete_f), -1 / std::sqrt(w * u), 1e-10);
      expect_relative(derivative(incomplete_e), -std::sqrt(w / u) / u, 1e-10);
    }
}

TEST(Elliptic, CarlsonsFormsAreHomogeneousAndNormalised) {
  expect_relative(carlson_rf(2, 2, 2), 1 / std::sqrt(2.0), 1e-15);
  expect_relative(carlson_rd(2, 2, 2), 1 / (2 * std::sqrt(2.0)), 1e-15);
  expect_relative(carlson_rf(3, 6, 9), carlson_rf(1, 2, 3) / std::sqrt(3.0), 1e-15);
  expect_relative(carlson_rd(3, 6, 9), carlson_rd(1, 2, 3) / (3 * std::sqrt(3.0)), 1e-15);
  // R_D(x,y,z) + R_D(y,z,x) + R_D(z,x,y) = 3/√(xyz).
  const double sum = carlson_rd(1, 2, 3) + carlson_rd(2, 3, 1) + carlson_rd(3, 1, 2);
  expect_relative(sum, 3 / std::sqrt(6.0), 1e-15);
}

}  // namespace elliptic_test
}  // namespace saltus::hertz
