// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/group_rates.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::impulse {
namespace group_rates_test {

TEST(GroupRates, BringAllGroupsToRestTogether) {
  const MatrixX A = (MatrixX(3, 3) << 2, -1, 0, -1, 2, -0.5, 0, -0.5, 2).finished();
  const VectorX V = Vector3(-1, -0.2, -3);
  const VectorX rates = group_rates(A, V, false).rates;
  EXPECT_NEAR(rates.sum(), 1, 1e-14);
  const VectorX change = A * rates;
  EXPECT_TRUE((change / change[0]).isApprox(V / V[0], 1e-12));
}

TEST(GroupRates, LiftedGroupsTakeNoPart) {
  // An impulse of either lifts the other more than itself.
  const MatrixX A = (MatrixX(2, 2) << 1, 0.9, 0.9, 1).finished();
  const VectorX rates = group_rates(A, Eigen::Vector2d(-1, -0.1), false).rates;
  EXPECT_EQ(rates[1], 0);
  EXPECT_EQ(rates[0], 1);
}

TEST(GroupRates, AreSpeedsWhereNothingStopsAGroup) {
  const MatrixX A = (MatrixX(2, 2) << -0.1, 0, 0, 1).finished();
  const VectorX rates = group_rates(A, Eigen::Vector2d(-1, -3), false).rates;
  EXPECT_NEAR(rates[0], 0.25, 1e-15);
  EXPECT_NEAR(rates[1], 0.75, 1e-15);
}

TEST(GroupRates, LemkeSolvesSemidefiniteProblems) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 9, rank = 1 + trial % n;
    MatrixX J(n, rank);
    VectorX v(rank);
    for (double& entry : J.reshaped()) entry = uniform(generator);
    for (double& entry : v) entry = uniform(generator);
    // q in the range of J: a velocity of the bodies, so that a solution exists.
    const MatrixX M = J * J.transpose();
    const VectorX q = J * v, z = complementary_solution(M, q);
    ASSERT_EQ(z.size(), n) << trial;
    const VectorX w = q + M * z;
    EXPECT_GE(z.minCoeff(), 0);
    EXPECT_GE(w.minCoeff(), -1e-9) << trial;
    EXPECT_NEAR(w.dot(z), 0, 1e-9 * (1 + z.sum())) << trial;
  }
}

}  // namespace group_rates_test
}  // namespace saltus::impulse
