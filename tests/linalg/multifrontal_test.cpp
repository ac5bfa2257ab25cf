// SPDX-License-Identifier: Apache-2.0
// What the multifrontal method does differently from the others; what they have in common is in
// factorization_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "saltus/linalg/factorization.hpp"

namespace saltus::linalg {
namespace multifrontal_test {

using Method = FactorizationMethod;

// Cubes of eight nodes with three unknowns each, side³ nodes: much fill.
struct Solid {
  int side = 7;
  double diagonal = 1;  // of each cube; with 0 the matrix may be indefinite, but is regular

  int size() const { return 3 * side * side * side; }

  std::vector<int> cube(int x, int y, int z) const {
    std::vector<int> unknowns;
    for (int corner = 0; corner < 8; ++corner) {
      const int node = ((z + corner / 4) * side + y + corner / 2 % 2) * side + x + corner % 2;
      for (int k = 0; k < 3; ++k) unknowns.push_back(3 * node + k);
    }
    return unknowns;
  }

  template <class Function>
  void for_cubes(Function function) const {
    for (int z = 0; z + 1 < side; ++z) {
      for (int y = 0; y + 1 < side; ++y) {
        for (int x = 0; x + 1 < side; ++x) function(cube(x, y, z));
      }
    }
  }

  SparsityPattern pattern() const {
    PatternBuilder builder(size());
    for_cubes([&](const std::vector<int>& unknowns) { builder.add_block(unknowns, unknowns); });
    return SparsityPattern(std::move(builder));
  }

  void assemble(unsigned seed, SparseMatrix& A) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    A.set_zero();
    for_cubes([&](const std::vector<int>& unknowns) {
      const Eigen::MatrixXd noise =
          Eigen::MatrixXd::NullaryExpr(24, 24, [&] { return uniform(random); });
      A.add(A.pattern().scatter_map(unknowns, unknowns),
            diagonal * 24 * Eigen::MatrixXd::Identity(24, 24) + noise);
    });
  }
};

Eigen::VectorXd ramp(int size) { return Eigen::VectorXd::LinSpaced(size, -1, 1); }

double residual(const SparseMatrix& A, const Eigen::VectorXd& x, bool transpose) {
  Eigen::VectorXd y(A.size());
  if (transpose) {
    A.multiply_transpose(x, y);
  } else {
    A.multiply(x, y);
  }
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
    EXPECT_LT(residual(A, x, false), 1e-11);
    x = ramp(A.size());
    factorization.solve_transpose_in_place(x);
    EXPECT_LT(residual(A, x, true), 1e-11);
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
  EXPECT_LT(residual(A, x, false), 1e-10);
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
