// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/minimum_norm.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::linalg {
namespace minimum_norm_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& random, Index rows, Index columns) {
  std::uniform_real_distribution<double> number(-1, 1);
  MatrixXd A(rows, columns);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = number(random);
  return A;
}

TEST(MinimumNorm, AgreesWithTheDecompositionOfTheWholeMatrix) {
  std::mt19937 random(7);  // NOLINT: the same matrices every time
  for (const auto& [m, n, r] :
       {std::tuple{6, 6, 6}, {12, 12, 6}, {75, 75, 6}, {8, 20, 5}, {20, 8, 3}, {5, 9, 5}}) {
    const MatrixXd A = random_matrix(random, m, r) * random_matrix(random, r, n);
    const VectorXd b = random_matrix(random, m, 1);
    MinimumNorm least;
    least.compute(A, 1e-10);
    EXPECT_EQ(least.rank(), r);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> whole;
    whole.setThreshold(1e-10);
    whole.compute(A);
    const VectorXd x = least.solve(b), y = whole.solve(b);
    EXPECT_LE((x - y).norm(), 1e-11 * y.norm()) << m << ' ' << n << ' ' << r;
    const MatrixXd Z = least.null_space();
    ASSERT_EQ(Z.cols(), n - r);
    if (Z.cols() == 0) continue;
    EXPECT_LE((A * Z).norm(), 1e-12 * A.norm());
    EXPECT_LE((Z.transpose() * Z - MatrixXd::Identity(n - r, n - r)).norm(), 1e-12);
  }
}

TEST(MinimumNorm, NothingIsSolvedByNothing) {
  MinimumNorm least;
  least.compute(MatrixXd::Zero(4, 3), 1e-10);
  EXPECT_EQ(least.rank(), 0);
  EXPECT_EQ(least.solve(VectorXd::Ones(4)), VectorXd::Zero(3));
  EXPECT_EQ(least.null_space().cols(), 3);
}

// Regular matrices are solved by elimination, nearly singular ones not: the same results.
TEST(MinimumNorm, OfARegularMatrixIsItsInverse) {
  std::mt19937 random(8);  // NOLINT
  const MatrixXd A = random_matrix(random, 9, 9) + 3 * MatrixXd::Identity(9, 9);
  const VectorXd b = random_matrix(random, 9, 1);
  MinimumNorm least, by_rotations;
  least.compute(A, 1e-10);
  by_rotations.compute(A, 1e-10, 8);  // as if it were known to be singular
  EXPECT_EQ(least.rank(), 9);
  EXPECT_EQ(by_rotations.rank(), 9);
  EXPECT_LE((A * least.solve(b) - b).norm(), 1e-14 * b.norm());
  EXPECT_LE((least.solve(b) - by_rotations.solve(b)).norm(), 1e-13 * b.norm());
  EXPECT_EQ(least.null_space().cols(), 0);
}

// Two points at the same place: pivots are exactly zero.
TEST(MinimumNorm, SharesBetweenEqualRowsAndColumns) {
  std::mt19937 random(9);  // NOLINT
  const MatrixXd A = random_matrix(random, 3, 3) + 3 * MatrixXd::Identity(3, 3);
  const VectorXd b = random_matrix(random, 3, 1);
  MinimumNorm least;
  least.compute(A.replicate(2, 2), 1e-10);
  EXPECT_EQ(least.rank(), 3);
  const VectorXd x = least.solve(b.replicate(2, 1));
  EXPECT_LE((x.head(3) - x.tail(3)).norm(), 1e-14);
  EXPECT_LE((2 * A * x.head(3) - b).norm(), 1e-14);
}

}  // namespace minimum_norm_test
}  // namespace saltus::linalg
