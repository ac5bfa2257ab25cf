// SPDX-License-Identifier: Apache-2.0
// A solver that has loaded the memory of another goes on as that one does, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "saltus/core/archive.hpp"
#include "tests/nonsmooth/sphere_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace contact_solver_memory_test {

struct Outcome {
  VectorXd l, w;
  int iterations = 0, sweeps = 0;

  bool operator==(const Outcome& other) const {
    return l == other.l && w == other.w && iterations == other.iterations && sweeps == other.sweeps;
  }
};

Outcome solve(ContactSolver& solver, const StoredProblem& stored, SolverKind kind) {
  Outcome outcome;
  const SolveReport report =
      solver.solve(stored.problem(), stored.options(kind), outcome.l, outcome.w);
  outcome.iterations = report.iterations;
  outcome.sweeps = report.sweeps;
  return outcome;
}

Archive::Bytes memory_of(ContactSolver& solver) {
  Archive memory;
  solver.archive(memory);
  return memory.bytes();
}

ContactSolver with_memory(const Archive::Bytes& bytes) {
  ContactSolver solver;
  Archive memory(bytes);
  solver.archive(memory);
  EXPECT_TRUE(memory.is_at_end());
  return solver;
}

std::vector<StoredProblem> sequence(const std::vector<ProblemData>& list) {
  std::vector<StoredProblem> problems;
  for (const ProblemData& data : list) problems.emplace_back(data);
  return problems;
}

// Saves after every problem, and compares the rest of the sequence. Returns in how many cases a
// solver without memory would have given something else.
int expect_continues(const std::vector<StoredProblem>& problems,
                     SolverKind kind = SolverKind::Automatic) {
  ContactSolver original;
  std::vector<Outcome> outcomes;
  std::vector<Archive::Bytes> saved;
  int different = 0;
  for (const StoredProblem& stored : problems) {
    outcomes.push_back(solve(original, stored, kind));
    saved.push_back(memory_of(original));
    ContactSolver fresh;
    if (!(solve(fresh, stored, kind) == outcomes.back())) ++different;
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    ContactSolver loaded = with_memory(saved[k]);
    EXPECT_EQ(memory_of(loaded), saved[k]) << k;
    for (std::size_t next = k + 1; next < problems.size(); ++next) {
      EXPECT_TRUE(solve(loaded, problems[next], kind) == outcomes[next])
          << k << ' ' << next << ' ' << problems[next].name();
    }
  }
  return different;
}

ProblemData shaken_stack(int boxes, double mu, double amplitude, unsigned seed) {
  const Scene scene = stack(std::vector<double>(static_cast<std::size_t>(boxes), 1.0), mu);
  return scene.problem("stack", amplitude * shaken(scene, {0, 0, -gravity * step}, seed));
}

// The same without the contacts of some boxes, others touch the ground.
ProblemData changing_stack(unsigned seed) {
  ProblemData data = shaken_stack(10, 0.5, 4, seed);
  std::vector<ContactRows> left;
  for (std::size_t c = 0; c < data.contacts.size(); ++c) {
    if ((c / 4 + seed) % 3 == 0) left.push_back(data.contacts[c]);
    if ((c / 4 + seed) % 3 == 1) {
      std::fill_n(data.contacts[c].columns.begin(), 6, -1);
      data.contacts[c].H.leftCols<6>().setZero();
      left.push_back(data.contacts[c]);
    }
  }
  data.contacts = left;
  return data;
}

TEST(ContactSolverMemory, GoesOnAsTheOriginal) {
  std::vector<ProblemData> list = zoo();
  for (unsigned seed = 0; seed < 4; ++seed) list.push_back(shaken_stack(8, 0.5, 4, seed));
  for (const ProblemData& data : zoo()) list.push_back(data);
  expect_continues(sequence(list));
}

// Couplings that were there once stay in the pattern, which changes the order of the elimination.
TEST(ContactSolverMemory, HoldsThePattern) {
  std::vector<ProblemData> list;
  for (unsigned seed = 0; seed < 8; ++seed) list.push_back(changing_stack(seed));
  EXPECT_GT(expect_continues(sequence(list), SolverKind::ProximalNewton), 0);
}

TEST(ContactSolverMemory, HoldsBothKindsOfProblems) {
  std::vector<ProblemData> list;
  for (unsigned seed = 0; seed < 4; ++seed) {
    list.push_back(train_of_spheres(20, seed, seed % 2 == 0));
    list.push_back(shaken_stack(5, 0.5, 4, seed));
    list.push_back(row_of_spheres(12, seed, false));
  }
  expect_continues(sequence(list));
}

// Where Newton's method fails on many contacts it is left out for the next calls, if interior
// points are out: with six rows.
TEST(ContactSolverMemory, HoldsThePausesAfterFailures) {
  std::vector<ProblemData> list;
  for (unsigned seed = 0; seed < 5; ++seed) {
    list.push_back(shaken_stack(25, 0.5, 4, seed));
    list.back().moments = true;
  }
  EXPECT_GT(expect_continues(sequence(list)), 0);
}

}  // namespace contact_solver_memory_test
}  // namespace saltus::nonsmooth::test
