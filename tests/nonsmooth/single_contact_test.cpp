// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/single_contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/nonsmooth/problem_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace single_contact_test {

/// One or two bodies with one contact at any point: its mobility is not isotropic.
ProblemData random_single(std::mt19937& generator, double mu) {
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    return Vector3d(normal(generator), normal(generator), normal(generator));
  };
  const auto size = [&] { return std::exp(normal(generator)); };
  Scene scene;
  const int first = generator() % 2 == 0 ? -1 : 0;
  for (int body = 0; body < 2 + first; ++body) {
    scene.add_body(size(), size() * Vector3d(1, 1.2, 0.7), vector());
  }
  scene.add_contact(first, first + 1, vector(), vector().normalized(), mu);
  VectorXd v(scene.motions());
  for (double& x : v) x = normal(generator);
  return scene.problem("single", v);
}

TEST(SingleContact, IsWhatSweepsOfTheEngineGive) {
  std::mt19937 generator(11);
  int open = 0, stuck = 0, sliding = 0;
  for (int k = 0; k < 3000; ++k) {
    const double mu = std::array{0.0, 0.3, 1.0}[static_cast<std::size_t>(k % 3)];
    const StoredProblem stored(random_single(generator, mu));
    ASSERT_TRUE(is_single(stored.problem()));
    ContactSolver solver;
    VectorXd l, w, l_engine, w_engine;
    SolveReport report;
    ASSERT_TRUE(solve_single(stored.problem(), stored.options(), l, w, report)) << k;
    const SolveReport engine =
        solver.solve(stored.problem(), stored.options(SolverKind::GaussSeidel), l_engine, w_engine);
    EXPECT_EQ(report.status, engine.status);
    EXPECT_LE((l - l_engine).norm(), 1e-11 * l_engine.norm()) << k;
    EXPECT_LE((w - w_engine).norm(), 1e-11 * w_engine.norm()) << k;
    EXPECT_LE(report.residual, 1e-12) << k;
    const bool slides = std::hypot(l[1], l[2]) >= (1 - 1e-9) * mu * l[0];
    ++(l[0] == 0 ? open : slides ? sliding : stuck);
  }
  EXPECT_GT(std::min({open, stuck, sliding}), 100);
}

TEST(SingleContact, AcceptsASolutionAndLeavesWhatIsNoSingleContact) {
  std::mt19937 generator(12);
  const StoredProblem stored(random_single(generator, 0.4));
  ContactSolver solver;
  VectorXd l, w;
  solver.solve(stored.problem(), stored.options(), l, w);
  const VectorXd first = l;
  EXPECT_EQ(solver.solve(stored.problem(), stored.options(), l, w).sweeps, 0);
  EXPECT_EQ(l, first);

  ProblemData data = stored.data();
  data.local = false;
  EXPECT_FALSE(is_single(StoredProblem(data).problem()));
  data.local = true;
  data.contacts.front().b[0] = std::nan("");
  SolveReport report;
  EXPECT_FALSE(solve_single(StoredProblem(data).problem(), stored.options(), l, w, report));
  EXPECT_EQ(l, first);
}

}  // namespace single_contact_test
}  // namespace saltus::nonsmooth::test
