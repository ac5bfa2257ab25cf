// SPDX-License-Identifier: Apache-2.0
// A factorisation that has loaded the memory of another goes on as that one does, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/linalg/factorization.hpp"
#include "tests/linalg/matrix_zoo.hpp"

namespace saltus::linalg {
namespace factorization_memory_test {

using Method = FactorizationMethod;

struct Outcome {
  FactorizationReport report;
  Eigen::VectorXd solution;
  Eigen::MatrixXd columns;

  bool operator==(const Outcome& other) const {
    return report.status == other.report.status &&
           report.smallest_pivot == other.report.smallest_pivot &&
           report.backward_error == other.report.backward_error && solution == other.solution &&
           columns == other.columns;
  }
};

// What the factors that are there give.
Outcome solutions(const Factorization& factorization, int size, const FactorizationReport& report) {
  Outcome outcome;
  outcome.report = report;
  if (!report.ok()) return outcome;
  outcome.solution = Eigen::VectorXd::LinSpaced(size, -1, 1);
  outcome.columns = Eigen::MatrixXd::Identity(size, 3);
  factorization.solve_in_place(outcome.solution);
  factorization.solve_columns_in_place(outcome.columns);
  return outcome;
}

Archive::Bytes memory_of(Factorization& factorization) {
  Archive memory;
  factorization.archive(memory);
  return memory.bytes();
}

void load(Factorization& factorization, const Archive::Bytes& bytes) {
  Archive memory(bytes);
  factorization.archive(memory);
  EXPECT_TRUE(memory.is_at_end());
}

// Saves after every matrix, and compares the rest of the sequence.
void expect_continues(const SparsityPattern& pattern, const FactorizationOptions& options,
                      const std::vector<SparseMatrix>& matrices) {
  Factorization original(pattern, options);
  std::vector<Outcome> outcomes;
  std::vector<Archive::Bytes> saved;
  for (const SparseMatrix& A : matrices) {
    const FactorizationReport report = original.factorize(A);
    outcomes.push_back(solutions(original, A.size(), report));
    saved.push_back(memory_of(original));
  }
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    Factorization loaded(pattern, options);
    load(loaded, saved[k]);
    EXPECT_TRUE(solutions(loaded, pattern.size(), outcomes[k].report) == outcomes[k]) << k;
    EXPECT_EQ(memory_of(loaded), saved[k]) << k;
    for (std::size_t next = k + 1; next < matrices.size(); ++next) {
      const FactorizationReport report = loaded.factorize(matrices[next]);
      EXPECT_TRUE(solutions(loaded, pattern.size(), report) == outcomes[next]) << k << ' ' << next;
    }
    EXPECT_EQ(loaded.counts().numeric, original.counts().numeric) << k;
    EXPECT_EQ(loaded.counts().refactored, original.counts().refactored) << k;
  }
}

TEST(FactorizationMemory, GoesOnAsTheOriginal) {
  const matrix_zoo::Mechanism mechanism{.bodies = 12};
  const SparsityPattern pattern = mechanism.pattern();
  std::vector<SparseMatrix> matrices(12, SparseMatrix(pattern));
  for (unsigned k = 0; k < matrices.size(); ++k) mechanism.assemble(k, matrices[k]);
  std::ranges::fill(matrices[3].values(), 1.0);  // singular
  std::ranges::fill(matrices[6].values(), std::numeric_limits<double>::quiet_NaN());
  for (const Method method :
       {Method::Automatic, Method::Dense, Method::Sparse, Method::Multifrontal}) {
    expect_continues(pattern, {.method = method}, matrices);
  }
  // New pivots now and then.
  expect_continues(pattern, {.method = Method::Sparse, .backward_error = 3e-16}, matrices);
}

TEST(FactorizationMemory, BeforeTheFirstMatrixThereIsNone) {
  const matrix_zoo::Mechanism mechanism{.bodies = 12};
  const SparsityPattern pattern = mechanism.pattern();
  SparseMatrix A(pattern);
  mechanism.assemble(1, A);
  Factorization original(pattern), loaded(pattern);
  load(loaded, memory_of(original));
  const FactorizationReport report = original.factorize(A), again = loaded.factorize(A);
  EXPECT_TRUE(solutions(loaded, A.size(), again) == solutions(original, A.size(), report));
}

// Pivots that were chosen for another matrix change the last digits: they are memory.
TEST(FactorizationMemory, MattersForTheBits) {
  const matrix_zoo::Mechanism mechanism{.bodies = 12};
  const SparsityPattern pattern = mechanism.pattern();
  SparseMatrix A(pattern), B(pattern);
  mechanism.assemble(1, A);
  mechanism.assemble(2, B);
  Factorization original(pattern), fresh(pattern);
  original.factorize(A);
  const FactorizationReport second = original.factorize(B), first = fresh.factorize(B);
  EXPECT_FALSE(solutions(fresh, A.size(), first) == solutions(original, A.size(), second));
}

TEST(FactorizationMemory, KeepsTheOrderOfNestedDissection) {
  const matrix_zoo::Solid solid{.side = 11};
  const SparsityPattern pattern = solid.pattern();
  std::vector<SparseMatrix> matrices(2, SparseMatrix(pattern));
  for (unsigned k = 0; k < matrices.size(); ++k) solid.assemble(k, matrices[k]);
  expect_continues(pattern, {.method = Method::Sparse}, matrices);
}

// Pivots that are put off enlarge MUMPS' workspace; a doubtful matrix hands over to KLU.
TEST(FactorizationMemory, GoesOnWithTheMultifrontalMethod) {
  const matrix_zoo::Solid solid{.side = 7, .diagonal = 0};
  const SparsityPattern pattern = solid.pattern();
  std::vector<SparseMatrix> matrices(5, SparseMatrix(pattern));
  for (unsigned k = 0; k < matrices.size(); ++k) {
    solid.assemble(k, matrices[k]);
    for (int i = 0; i < pattern.size(); i += 2) {
      matrices[k].values()[static_cast<std::size_t>(pattern.slot(i, i))] = 0;
    }
  }
  expect_continues(pattern, {.method = Method::Multifrontal}, matrices);
  for (int i = 0; i < pattern.size(); ++i) {  // column 0 is nearly zero
    const int slot = pattern.slot(i, 0);
    if (slot < 0) continue;
    matrices[2].values()[static_cast<std::size_t>(slot)] =
        matrices[2].values()[static_cast<std::size_t>(pattern.slot(i, 1))] * (1 + 1e-11 * i);
  }
  expect_continues(pattern, {.method = Method::Multifrontal}, matrices);
}

}  // namespace factorization_memory_test
}  // namespace saltus::linalg
