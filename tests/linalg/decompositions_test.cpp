// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/decompositions.hpp"

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace saltus::linalg {
namespace decompositions_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Random;

MatrixXd random_matrix(Random& random, int rows, int columns) {
  MatrixXd A(rows, columns);
  for (int j = 0; j < columns; ++j) A.col(j) = random.vector_x(rows);
  return A;
}

/// 6 × 5 of rank 3.
MatrixXd of_rank_three(Random& random) {
  return random_matrix(random, 6, 3) * random_matrix(random, 3, 5);
}

TEST(PivotedQr, ShowsTheRankAndSpansColumnsAndRows) {
  Random random(1);
  const MatrixXd A = of_rank_three(random);
  const PivotedQr qr(A, 1e-10);
  ASSERT_EQ(qr.rank(), 3);
  const MatrixXd Q = qr.Q();
  EXPECT_LE((Q.transpose() * Q - MatrixXd::Identity(6, 6)).norm(), 1e-14);
  EXPECT_LE((Q.leftCols(3) * qr.rows() - A).norm(), 1e-13 * A.norm());
  EXPECT_EQ(qr.rows().rows(), 3);
  int largest = 0;
  A.colwise().norm().maxCoeff(&largest);
  EXPECT_EQ(qr.pivot(0), largest);
}

TEST(PivotedQr, OfNoColumnsHasRankZero) { EXPECT_EQ(PivotedQr(MatrixXd(4, 0), 1e-10).rank(), 0); }

TEST(LeastNorm, IsTheNearestAndShortestSolution) {
  Random random(2);
  const MatrixXd A = of_rank_three(random);
  const VectorXd b = random.vector_x(6), x = LeastNorm(A, 1e-10).solve(b);
  EXPECT_LE((A.transpose() * (A * x - b)).norm(), 1e-12);  // the residual is normal to A's columns
  const PivotedQr rows(A.transpose(), 1e-10);
  const VectorXd free = rows.Q().rightCols(2).transpose() * x;  // the part that A does not see
  EXPECT_LE(free.norm(), 1e-13 * x.norm());
}

TEST(SingularValues, RebuildTheMatrix) {
  Random random(3);
  const MatrixXd A = random_matrix(random, 4, 6);
  const auto [U, sigma, V] = singular_values(A);
  EXPECT_LE((U * sigma.asDiagonal() * V.leftCols(4).transpose() - A).norm(), 1e-13);
  EXPECT_EQ(V.cols(), 6);
}

TEST(SymmetricEigen, SolvesBothProblems) {
  Random random(4);
  const MatrixXd C = random_matrix(random, 5, 5), A = C + C.transpose();
  const MatrixXd B = C * C.transpose() + MatrixXd::Identity(5, 5);
  const SymmetricEigen one = symmetric_eigen(A), two = symmetric_eigen(A, B);
  EXPECT_LE((A * one.vectors - one.vectors * one.values.asDiagonal()).norm(), 1e-12);
  EXPECT_LE((A * two.vectors - B * two.vectors * two.values.asDiagonal()).norm(), 1e-12);
  EXPECT_LE((two.vectors.transpose() * B * two.vectors - MatrixXd::Identity(5, 5)).norm(), 1e-12);
}

TEST(Decompositions, OfSmallProblems) {
  Random random(5);
  const VectorXd c = random.vector_x(4).normalized();
  const MatrixXd Q = orthogonal_completion(c);
  EXPECT_LE((Q.rightCols(3).transpose() * c).norm(), 1e-15);
  EXPECT_NEAR(std::abs(Q.col(0).dot(c)), 1, 1e-15);

  const MatrixXd A = random_matrix(random, 6, 6) + 4 * MatrixXd::Identity(6, 6);
  const VectorXd b = random.vector_x(6);
  EXPECT_LE((A * solve(A, b) - b).norm(), 1e-13);
  EXPECT_LE((inverse(Matrix6d(A)) * A - MatrixXd::Identity(6, 6)).norm(), 1e-13);

  const MatrixXd S = A * A.transpose(), Y = cholesky_forward(S, A);  // L⁻¹A is orthogonal
  EXPECT_LE((Y * Y.transpose() - MatrixXd::Identity(6, 6)).norm(), 1e-12);

  Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();  // of (x² − 1)(x² + 4) = x⁴ + 3x² − 4
  companion.bottomLeftCorner<3, 3>().setIdentity();
  companion.col(3) << 4, 0, -3, 0;
  const Eigen::Vector4cd roots = eigenvalues(companion);
  for (const std::complex<double>& x : roots) {
    EXPECT_LE(std::abs((x * x - 1.0) * (x * x + 4.0)), 1e-12);
  }
}

}  // namespace decompositions_test
}  // namespace saltus::linalg
