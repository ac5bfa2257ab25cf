// SPDX-License-Identifier: Apache-2.0
// What the multifrontal method does differently from the others; what they have in common is in
// factorization_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "saltus/linalg/factorization.hpp"
#include "tests/linalg/matrix_zoo.hpp"

namespace saltus::linalg {
namespace multifrontal_test {

using matrix_zoo::Solid;
using Method = FactorizationMethod;

Eigen::VectorXd ramp(int size) { return Eigen::VectorXd::LinSpaced(size, -1, 1); }

double residual(const SparseMatrix& A, const Eigen::VectorXd& x) {
  Eigen::VectorXd y(A.size());
  A.multiply(x, y);
  return (y - ramp(A.size())).lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>());
}

TEST(Multifrontal, IsTheAutomaticChoiceForMuchFill) {
  const Solid solid;
  const SparsityPattern pattern = solid.pattern();
  SparseMatrix A(pattern);
  Factorization factorization(pattern);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    solid.assemble(seed, A);
    ASSERT_TRUE(factorization.factorize(A).ok());
    Eigen::VectorXd x = ramp(A.size());
    factorization.solve_in_place(x);
    EXPECT_LT(residual(A, x), 1e-11);
  }
  EXPECT_EQ(factorization.counts().symbolic, 1);
  EXPECT_EQ(factorization.counts().numeric, 3);  // it never keeps pivots
  EXPECT_EQ(factorization.counts().refactored, 0);
}

TEST(Multifrontal, IsNotTheChoiceForLongChains) {
  const int size = 200000;
  PatternBuilder builder(size);
  for (int i = 0; i + 3 <= size; i += 2) {
    const std::vector<int> unknowns{i, i + 1, i + 2};
    builder.add_block(unknowns, unknowns);
  }
  builder.add(size - 1, size - 1);
  const SparsityPattern pattern(std::move(builder));
  SparseMatrix A(pattern);
  for (int i = 0; i < size; ++i) A.values()[static_cast<std::size_t>(pattern.slot(i, i))] = 1;
  Factorization factorization(pattern);
  ASSERT_TRUE(factorization.factorize(A).ok());
  ASSERT_TRUE(factorization.factorize(A).ok());
  EXPECT_EQ(factorization.counts().refactored, 1);
}

// Small diagonals, as of multipliers: many pivots are put off.
TEST(Multifrontal, SolvesWithoutADiagonal) {
  const Solid solid{.side = 8, .diagonal = 0};
  const SparsityPattern pattern = solid.pattern();
  SparseMatrix A(pattern);
  solid.assemble(1, A);
  for (int i = 0; i < A.size(); ++i) {
    A.values()[static_cast<std::size_t>(pattern.slot(i, i))] = i % 2 == 0 ? 0 : 1e-10;
  }
  Factorization factorization(pattern, {.method = Method::Multifrontal});
  ASSERT_TRUE(factorization.factorize(A).ok());
  Eigen::VectorXd x = ramp(A.size());
  factorization.solve_in_place(x);
  EXPECT_LT(residual(A, x), 1e-10);
}

// Unknown `a` is held by `hold` only, relative to the others.
void loosen(int a, double hold, SparseMatrix& A) {
  const std::span<const int> starts = A.pattern().column_starts();
  for (int j = 0; j < A.size(); ++j) {
    for (int k = starts[static_cast<std::size_t>(j)]; k < starts[static_cast<std::size_t>(j) + 1];
         ++k) {
      const auto position = static_cast<std::size_t>(k);
      const int i = A.pattern().row_indices()[position];
      if (j == a && i != a + 1) A.values()[position] = 0;
      if (j == a + 1 && i != a + 1) A.values()[position] *= hold;
    }
  }
}

TEST(Multifrontal, ReportsSingularMatricesAndRecovers) {
  const Solid solid{.side = 6};
  const SparsityPattern pattern = solid.pattern();
  SparseMatrix A(pattern);
  for (const double hold : {0.0, 1e-17}) {
    for (const int unknown : {10, 77, 300, 500}) {
      Factorization factorization(pattern, {.method = Method::Multifrontal});
      solid.assemble(1, A);
      loosen(unknown, hold, A);
      const FactorizationReport report = factorization.factorize(A);
      EXPECT_EQ(report.status, FactorizationStatus::Singular) << hold;
      EXPECT_LT(report.smallest_pivot, 1e-14) << hold;
      solid.assemble(1, A);
      const FactorizationReport regular = factorization.factorize(A);
      EXPECT_TRUE(regular.ok());
      EXPECT_GT(regular.smallest_pivot, 1e-3);
      EXPECT_LT(regular.backward_error, 1e-13);
    }
  }
}

TEST(Multifrontal, GivesTheSameBitsEachTime) {
  const Solid solid{.side = 10};
  const SparsityPattern pattern = solid.pattern();
  SparseMatrix A(pattern);
  solid.assemble(1, A);
  Eigen::VectorXd first;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Factorization factorization(pattern, {.method = Method::Multifrontal});
    ASSERT_TRUE(factorization.factorize(A).ok());
    if (repetition == 2) {
      ASSERT_TRUE(factorization.factorize(A).ok());
    }
    Eigen::VectorXd x = ramp(A.size());
    factorization.solve_in_place(x);
    if (repetition == 0) first = x;
    EXPECT_TRUE(x == first) << repetition;
  }
}

}  // namespace multifrontal_test
}  // namespace saltus::linalg
