// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/factorization.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "saltus/core/archive.hpp"
#include "tests/linalg/matrix_zoo.hpp"
#include "tests/support/allocation_counter.hpp"

namespace saltus::linalg {
namespace factorization_test {

using matrix_zoo::Mechanism;
using Method = FactorizationMethod;

constexpr std::array all_methods{Method::Automatic, Method::Dense, Method::Sparse,
                                 Method::Multifrontal};

Eigen::VectorXd right_hand_side(int size) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return uniform(random); });
}

// max_i |A x − b|_i / (|A| |x| + |b|)_i
double componentwise_error(const Eigen::MatrixXd& A, const Eigen::VectorXd& x,
                           const Eigen::VectorXd& b) {
  const Eigen::ArrayXd scale = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return ((A * x - b).array().abs() / scale).maxCoeff();
}

void expect_solves(const Factorization& factorization, const SparseMatrix& A, double tolerance) {
  const Eigen::MatrixXd dense = A.to_dense();
  const Eigen::VectorXd b = right_hand_side(A.size());
  Eigen::VectorXd x = b;
  factorization.solve_in_place(x);
  EXPECT_LT(componentwise_error(dense, x, b), tolerance);
}

TEST(Factorization, SolvesLikeADenseSolver) {
  for (const Method method : all_methods) {
    for (const int bodies : {1, 2, 10, 60}) {
      const Mechanism mechanism{.bodies = bodies};
      const SparsityPattern pattern = mechanism.pattern();
      SparseMatrix A(pattern);
      mechanism.assemble(1, A);
      Factorization factorization(pattern, {.method = method});
      ASSERT_TRUE(factorization.factorize(A).ok());
      expect_solves(factorization, A, 1e-9);

      const Eigen::VectorXd b = right_hand_side(A.size());
      const Eigen::VectorXd expected = A.to_dense().fullPivLu().solve(b);
      Eigen::VectorXd x = b;
      factorization.solve_in_place(x);
      EXPECT_LT((x - expected).norm(), 1e-7 * expected.norm()) << bodies;
    }
  }
}

TEST(Factorization, SolvesWithRegularizedRedundantConstraints) {
  for (const Method method : {Method::Dense, Method::Sparse, Method::Multifrontal}) {
    const Mechanism mechanism{.bodies = 20, .doubled = 7, .eps = 1e-10};
    const SparsityPattern pattern = mechanism.pattern();
    SparseMatrix A(pattern);
    mechanism.assemble(1, A);
    Factorization factorization(pattern, {.method = method});
    const FactorizationReport report = factorization.factorize(A);
    ASSERT_TRUE(report.ok());
    EXPECT_LT(report.backward_error, 1e-12);

    // A load that the constraints can carry, as in a mechanism: x is not huge.
    const Eigen::VectorXd b = A.to_dense() * right_hand_side(A.size());
    Eigen::VectorXd x = b;
    factorization.solve_in_place(x);
    EXPECT_LT(componentwise_error(A.to_dense(), x, b), 1e-10);
    EXPECT_LT(x.norm(), 10 * std::sqrt(A.size()));
  }
}

// Other units of mass and length, A' = U A U: not one bit of the solution depends on them.
TEST(Factorization, UnitsDecideNothing) {
  constexpr double smaller = 1.0 / 1024, of_mass = 1 << 20;
  for (const Method method : {Method::Dense, Method::Sparse, Method::Multifrontal}) {
    const Mechanism mechanism{.bodies = 6, .doubled = 2, .eps = 1e-10};
    const SparsityPattern pattern = mechanism.pattern();
    SparseMatrix A(pattern), B(pattern);
    mechanism.assemble(1, A);
    UnitsOfUnknowns given, others;
    Eigen::VectorXd units(A.size());
    for (int i = 0; i < A.size(); ++i) {
      const bool is_multiplier = i >= 6 * mechanism.bodies;
      const bool is_angle = !is_multiplier && i % 6 >= 3;
      for (UnitsOfUnknowns* u : {&given, &others}) u->is_multiplier.push_back(is_multiplier);
      given.sizes.push_back(is_angle ? 0.01 : 1);
      others.sizes.push_back(is_angle ? 0.01 * smaller : 1);
      units[i] = is_multiplier ? 1 / of_mass : is_angle ? of_mass * smaller : of_mass;
    }
    B.set_zero();
    for (int j = 0; j < A.size(); ++j) {
      for (int k = pattern.column_starts()[static_cast<std::size_t>(j)];
           k < pattern.column_starts()[static_cast<std::size_t>(j) + 1]; ++k) {
        const auto slot = static_cast<std::size_t>(k);
        B.values()[slot] = units[pattern.row_indices()[slot]] * A.values()[slot] * units[j];
      }
    }
    Factorization one(pattern, {.method = method}), other(pattern, {.method = method});
    one.set_units(given);
    other.set_units(others);
    ASSERT_TRUE(one.factorize(A).ok());
    ASSERT_TRUE(other.factorize(B).ok());
    Eigen::VectorXd x = right_hand_side(A.size()), y = units.cwiseProduct(x);
    one.solve_in_place(x);
    other.solve_in_place(y);
    EXPECT_EQ(x, units.cwiseProduct(y));
  }
}

// Two mechanisms in one matrix: velocities of both, then multipliers of both.
TEST(Factorization, PartsDoNotKnowOfEachOther) {
  const Mechanism small{.bodies = 1}, large{.bodies = 20};
  for (const Mechanism& mine : {small, large}) {
    for (const Mechanism& other : {small, large}) {
      const SparsityPattern alone = mine.pattern(), neighbour = other.pattern();
      // Every second place is the neighbour's as long as there are places of both.
      std::vector<int> places, other_places;
      const int total = alone.size() + neighbour.size();
      for (int i = 0; i < total; ++i) {
        const bool is_mine = static_cast<int>(other_places.size()) == neighbour.size() ||
                             (i % 2 == 0 && static_cast<int>(places.size()) < alone.size());
        (is_mine ? places : other_places).push_back(i);
      }
      PatternBuilder builder(total);
      const auto put = [&](const SparsityPattern& from, const std::vector<int>& to, auto&& take) {
        for (int j = 0; j < from.size(); ++j) {
          for (int k = from.column_starts()[static_cast<std::size_t>(j)];
               k < from.column_starts()[static_cast<std::size_t>(j) + 1]; ++k) {
            const int row = from.row_indices()[static_cast<std::size_t>(k)];
            take(to[static_cast<std::size_t>(row)], to[static_cast<std::size_t>(j)], k);
          }
        }
      };
      const auto mark = [&](int row, int column, int) { builder.add(row, column); };
      put(alone, places, mark);
      put(neighbour, other_places, mark);
      const SparsityPattern both(std::move(builder));
      SparseMatrix A(alone), B(neighbour), C(both);
      Factorization by_itself(alone), beside(both);
      for (unsigned seed = 1; seed <= 3; ++seed) {
        mine.assemble(seed, A);
        other.assemble(seed + 7, B);
        const auto copy = [&](const SparseMatrix& from) {
          return [&](int row, int column, int k) {
            C.values()[static_cast<std::size_t>(both.slot(row, column))] =
                from.values()[static_cast<std::size_t>(k)];
          };
        };
        put(alone, places, copy(A));
        put(neighbour, other_places, copy(B));
        ASSERT_TRUE(by_itself.factorize(A).ok());
        ASSERT_TRUE(beside.factorize(C).ok());
        Eigen::VectorXd x = right_hand_side(alone.size());
        Eigen::VectorXd y = right_hand_side(total);
        for (int i = 0; i < alone.size(); ++i) y[places[static_cast<std::size_t>(i)]] = x[i];
        Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(total, 2);
        columns.col(1) = y;
        by_itself.solve_in_place(x);
        beside.solve_in_place(y);
        beside.solve_columns_in_place(columns);
        EXPECT_TRUE(columns.col(0).isZero(0));
        for (int i = 0; i < alone.size(); ++i) {
          const int place = places[static_cast<std::size_t>(i)];
          EXPECT_EQ(y[place], x[i]);
          EXPECT_NEAR(columns(place, 1), x[i], 1e-9 * x.cwiseAbs().maxCoeff());
        }
      }
    }
  }
}

TEST(Factorization, RefactorizesChangedValuesWithOldPivots) {
  const Mechanism mechanism{.bodies = 50};
  const SparsityPattern pattern = mechanism.pattern();
  SparseMatrix A(pattern);
  Factorization factorization(pattern, {.method = Method::Sparse});
  for (unsigned seed = 1; seed <= 10; ++seed) {
    mechanism.assemble(seed, A);
    ASSERT_TRUE(factorization.factorize(A).ok());
    // Masses over six decades, all values changed: the old pivots cost some digits.
    expect_solves(factorization, A, 1e-6);
  }
  EXPECT_EQ(factorization.counts().symbolic, 1);
  EXPECT_EQ(factorization.counts().numeric, 1);
  EXPECT_EQ(factorization.counts().refactored, 9);
}

// Blocks [a, b; b, a], coupled weakly to the next one.
void assemble_pairs(double a, double b, SparseMatrix& A) {
  A.set_zero();
  for (int i = 0; i < A.size(); ++i) {
    const std::vector<int> self{i};
    const std::vector<int> other{i ^ 1};
    const std::vector<int> next{(i + 2) % A.size()};
    const auto entry = [](double value) { return Eigen::Matrix<double, 1, 1>(value); };
    A.add(A.pattern().scatter_map(self, self), entry(a));
    A.add(A.pattern().scatter_map(self, other), entry(b));
    A.add(A.pattern().scatter_map(self, next), entry(0.1 * b));
    A.add(A.pattern().scatter_map(next, self), entry(0.1 * a));
  }
}

TEST(Factorization, NoticesPivotsThatHaveBecomeBad) {
  PatternBuilder builder(40);
  for (int i = 0; i < 40; ++i) {
    const std::vector<int> indices{i, i ^ 1, (i + 2) % 40};
    builder.add_block(indices, indices);
  }
  const SparsityPattern pattern(std::move(builder));
  SparseMatrix A(pattern);
  for (const double bad : {0.0, 1e-16, 1e-12, 1e-9}) {
    for (const Method method : {Method::Sparse, Method::Multifrontal}) {
      Factorization factorization(pattern, {.method = method});
      assemble_pairs(1, 0.3, A);
      ASSERT_TRUE(factorization.factorize(A).ok());
      EXPECT_EQ(factorization.counts().numeric, 1);
      assemble_pairs(bad, 1, A);
      ASSERT_TRUE(factorization.factorize(A).ok());
      EXPECT_EQ(factorization.counts().numeric, 2) << bad;
      EXPECT_EQ(factorization.counts().symbolic, 1);
      expect_solves(factorization, A, 1e-12);
    }
  }
}

TEST(Factorization, RecoversAfterASingularMatrix) {
  for (const Method method : {Method::Dense, Method::Sparse, Method::Multifrontal}) {
    const Mechanism mechanism{.bodies = 8};
    const SparsityPattern pattern = mechanism.pattern();
    SparseMatrix A(pattern);
    Factorization factorization(pattern, {.method = method});
    for (int round = 0; round < 2; ++round) {
      A.set_zero();
      EXPECT_FALSE(factorization.factorize(A).ok());
      std::ranges::fill(A.values(), 1.0);
      EXPECT_FALSE(factorization.factorize(A).ok());
      std::ranges::fill(A.values(), std::numeric_limits<double>::quiet_NaN());
      EXPECT_FALSE(factorization.factorize(A).ok());
      mechanism.assemble(1, A);
      EXPECT_TRUE(factorization.factorize(A).ok());
      expect_solves(factorization, A, 1e-10);
    }
  }
}

/// Free bodies and a point mass: full blocks of six, six and three, translations and rotations of
/// the second apart, in units that differ by decades.
struct FreeBodies {
  SparsityPattern pattern = [] {
    PatternBuilder builder(15);
    for (const auto& [first, size] : {std::pair{0, 6}, std::pair{6, 6}, std::pair{12, 3}}) {
      std::vector<int> own(static_cast<std::size_t>(size));
      std::iota(own.begin(), own.end(), first);
      builder.add_block(own, own);
    }
    return SparsityPattern(std::move(builder));
  }();

  SparseMatrix matrix(unsigned seed) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    SparseMatrix A(pattern);
    for (double& value : A.values()) value = uniform(random);
    for (const int i : {6, 7, 8}) {
      for (const int j : {9, 10, 11}) {
        A.values()[static_cast<std::size_t>(pattern.slot(i, j))] = 0;
        A.values()[static_cast<std::size_t>(pattern.slot(j, i))] = 0;
      }
    }
    for (int i = 0; i < 15; ++i) {
      for (int j = 0; j < 15; ++j) {
        const int slot = pattern.slot(i, j);
        if (slot >= 0) A.values()[static_cast<std::size_t>(slot)] *= std::pow(10, i % 4 - j % 3);
      }
    }
    return A;
  }
};

TEST(Factorization, BlocksOfFreeBodiesAreSolvedLikeADenseMatrix) {
  const FreeBodies bodies;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const SparseMatrix A = bodies.matrix(seed);
    Factorization factorization(bodies.pattern), dense(bodies.pattern, {.method = Method::Dense});
    const FactorizationReport report = factorization.factorize(A);
    ASSERT_TRUE(report.ok());
    // Rows are scaled exactly here, there by powers of two: a factor of four at most.
    const double ratio = report.smallest_pivot / dense.factorize(A).smallest_pivot;
    EXPECT_GT(ratio, 0.2);
    EXPECT_LT(ratio, 5);
    const Eigen::VectorXd b = right_hand_side(15);
    Eigen::VectorXd x = b, y = b;
    factorization.solve_in_place(x);
    dense.solve_in_place(y);
    EXPECT_LT((x - y).norm(), 1e-10 * y.norm()) << seed;
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(15, 15);
    factorization.solve_columns_in_place(B);
    EXPECT_LT((A.to_dense() * B - Eigen::MatrixXd::Identity(15, 15)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(Factorization, BlocksOfFreeBodiesMayBeSingular) {
  const FreeBodies bodies;
  Factorization factorization(bodies.pattern);
  for (const int loose : {2, 8, 10, 14}) {
    SparseMatrix A = bodies.matrix(1);
    for (int i = 0; i < 15; ++i) {
      const int slot = bodies.pattern.slot(i, loose);
      if (slot >= 0) A.values()[static_cast<std::size_t>(slot)] = 0;
    }
    EXPECT_FALSE(factorization.factorize(A).ok()) << loose;
    A = bodies.matrix(2);
    A.values()[static_cast<std::size_t>(bodies.pattern.slot(loose, loose))] = NAN;
    EXPECT_FALSE(factorization.factorize(A).ok()) << loose;
    EXPECT_TRUE(factorization.factorize(bodies.matrix(3)).ok());
  }
}

TEST(Factorization, BlocksOfFreeBodiesAreMemory) {
  const FreeBodies bodies;
  Factorization saved(bodies.pattern), loaded(bodies.pattern);
  ASSERT_TRUE(saved.factorize(bodies.matrix(1)).ok());
  Archive memory;
  saved.archive(memory);
  Archive reader(memory.bytes());
  loaded.archive(reader);
  Eigen::VectorXd x = right_hand_side(15), y = x;
  saved.solve_in_place(x);
  loaded.solve_in_place(y);
  EXPECT_EQ(x, y);
}

// Unknowns a and b of the body loosened: only a − b is held, or nothing if a = b.
void loosen(int a, int b, SparseMatrix& A) {
  const std::span<const int> starts = A.pattern().column_starts();
  for (int j = 0; j < A.size(); ++j) {
    for (int k = starts[static_cast<std::size_t>(j)]; k < starts[static_cast<std::size_t>(j) + 1];
         ++k) {
      const auto position = static_cast<std::size_t>(k);
      const int i = A.pattern().row_indices()[position];
      if (i == a || i == b || j == a || j == b) A.values()[position] = 0;
    }
  }
  if (a == b) return;
  const std::vector<int> pair{a, b};
  A.add(A.pattern().scatter_map(pair, pair), 5.0 * Eigen::Matrix2d{{1, -1}, {-1, 1}});
}

std::vector<int> sorted(std::vector<int> values) {
  std::ranges::sort(values);
  return values;
}

TEST(Factorization, NamesTheUndeterminedUnknowns) {
  for (const Method method : all_methods) {
    for (const int bodies : {2, 15, 120}) {
      if (method == Method::Dense && bodies > 15) continue;
      const Mechanism mechanism{.bodies = bodies};
      const SparsityPattern pattern = mechanism.pattern();
      SparseMatrix A(pattern);
      Factorization factorization(pattern, {.method = method});
      const int a = mechanism.body(bodies / 2)[4];
      for (const int b : {a, a + 1}) {
        mechanism.assemble(1, A);
        loosen(a, b, A);
        EXPECT_EQ(factorization.factorize(A).status, FactorizationStatus::Singular);
        const std::vector<int> expected = a == b ? std::vector{a} : std::vector{a, b};
        EXPECT_EQ(sorted(factorization.null_unknowns(A)), expected) << bodies;
      }
    }
  }
}

TEST(Factorization, NamesTheMultipliersOfRedundantConstraints) {
  for (const Method method : all_methods) {
    const Mechanism mechanism{.bodies = 30, .doubled = 1};
    const SparsityPattern pattern = mechanism.pattern();
    SparseMatrix A(pattern);
    mechanism.assemble(1, A);
    Factorization factorization(pattern, {.method = method});
    EXPECT_EQ(factorization.factorize(A).status, FactorizationStatus::Singular);
    std::vector<int> expected = mechanism.joint(0);
    for (const int unknown : mechanism.joint(30)) expected.push_back(unknown);
    EXPECT_EQ(sorted(factorization.null_unknowns(A)), expected);
  }
}

#ifdef SALTUS_COUNTS_ALLOCATIONS
TEST(Factorization, AllocatesNothingAfterTheSecondCall) {
  for (const int bodies : {1, 100}) {
    const Mechanism mechanism{.bodies = bodies};
    const SparsityPattern pattern = mechanism.pattern();
    SparseMatrix A(pattern);
    SparseMatrix B(pattern);
    mechanism.assemble(1, A);
    mechanism.assemble(2, B);
    Factorization factorization(pattern);
    Eigen::VectorXd b = right_hand_side(A.size());
    Eigen::VectorXd y = b;
    const std::vector<int> map = pattern.scatter_map(mechanism.body(0), mechanism.body(0));
    const Eigen::Matrix<double, 6, 6> local = Eigen::Matrix<double, 6, 6>::Zero();

    factorization.factorize(A);
    factorization.factorize(B);
    const long before = test::allocations;
    for (int k = 0; k < 5; ++k) {
      factorization.factorize(k % 2 == 0 ? A : B);
      factorization.solve_in_place(b);
    }
    A.add(map, local);
    A.add(map, local * local);
    A.multiply(b, y);
    A.set_zero();
    EXPECT_EQ(test::allocations - before, 0) << bodies;
  }
}

TEST(Factorization, AllocationCounterSeesKlu) {
  const Mechanism mechanism{.bodies = 100};
  const SparsityPattern pattern = mechanism.pattern();
  SparseMatrix A(pattern);
  mechanism.assemble(1, A);
  Factorization factorization(pattern);
  const long before = test::allocations;
  factorization.factorize(A);  // the work arrays are there: what allocates now is KLU
  EXPECT_GT(test::allocations - before, 0);
}
#endif

TEST(Factorization, EmptyMatrixIsRegular) {
  const SparsityPattern pattern{PatternBuilder(0)};
  const SparseMatrix A(pattern);
  Factorization factorization(pattern);
  EXPECT_TRUE(factorization.factorize(A).ok());
  Eigen::VectorXd b(0);
  factorization.solve_in_place(b);
}

}  // namespace factorization_test
}  // namespace saltus::linalg
