// SPDX-License-Identifier: Apache-2.0
// Every solver on every problem of tests/problems.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "saltus/nonsmooth/contact_operator.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"
#include "tests/nonsmooth/problem_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace stored_problems_test {

enum class Expected { Solves, Fails, Either };
constexpr auto yes = Expected::Solves, no = Expected::Fails, either = Expected::Either;

constexpr std::array kinds{SolverKind::Automatic, SolverKind::Newton, SolverKind::ProximalNewton,
                           SolverKind::GaussSeidel, SolverKind::Admm};

// In the order of `kinds`. Plain Newton fails where contacts are redundant. Sweeps alone carry the
// weight of a stack too slowly, ten boxes or a thousand times the mass on top; ADMM too.
const std::map<std::string, std::array<Expected, 5>> expectations{
    {"box_flat", {yes, no, yes, yes, yes}},
    {"box_20_degrees", {yes, no, yes, yes, yes}},
    {"box_35_degrees", {yes, no, yes, yes, yes}},
    {"stack_velocity", {yes, no, yes, no, yes}},
    {"stack_position", {yes, no, yes, no, yes}},
    {"stack_heavy_top", {yes, no, yes, no, either}},
    {"stack_perturbed", {yes, no, yes, yes, yes}},
    {"stack_frictionless", {yes, no, yes, yes, yes}},
    {"hinge_and_wall", {yes, yes, yes, yes, yes}},
    {"hinge_and_wall_incompatible", {no, no, no, no, no}},
    {"painleve_jamming", {yes, no, yes, yes, yes}},
    {"painleve_trailing", {yes, yes, yes, yes, yes}},
    {"mixed", {yes, no, yes, yes, yes}},
    {"train", {yes, no, yes, yes, yes}},
};

// The largest error of the natural map relative to the largest reaction; contacts of fixed bodies
// left out.
double error_of(const StoredProblem& stored, const VectorXd& l, const VectorXd& w) {
  const VectorXd u = stored.rows() * w;
  double error = 0;
  for (std::size_t c = 0; c < stored.problem().contacts.size(); ++c) {
    const ContactRows& contact = stored.problem().contacts[c];
    if (contact.H.isZero(0)) continue;
    const auto i = static_cast<Eigen::Index>(3 * c);
    const double rho = stored.data().K(0, 0);  // a mass of the problem
    const Vector3 motion = u.segment<3>(i) + contact.b.head<3>();
    error = std::max(error, natural_map(l.segment<3>(i), motion, contact.mu, rho).norm());
  }
  return error / l.lpNorm<Eigen::Infinity>();
}

TEST(StoredProblems, AreThoseOfTheZoo) {
  const bool renew = std::getenv("SALTUS_RENEW_PROBLEMS") != nullptr;
  for (const ProblemData& made : zoo()) {
    if (renew) std::ofstream(path_of(made.name)) << to_text(made);
    const ProblemData data = load(made.name);
    ASSERT_EQ(data.contacts.size(), made.contacts.size());
    EXPECT_EQ(data.local, made.local);
    EXPECT_LE((data.K - made.K).norm(), 1e-14 * made.K.norm());
    for (std::size_t c = 0; c < data.contacts.size(); ++c) {
      EXPECT_EQ(data.contacts[c].columns, made.contacts[c].columns);
      EXPECT_LE((data.contacts[c].H - made.contacts[c].H).norm(), 1e-14);
      EXPECT_LE((data.contacts[c].b - made.contacts[c].b).norm(), 1e-14);
    }
  }
}

TEST(StoredProblems, AreSolvedByTheSolversThatCan) {
  for (const auto& [name, expected] : expectations) {
    const StoredProblem stored(load(name));
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      ContactSolver solver;
      VectorXd l, w;
      const SolveReport report = solver.solve(stored.problem(), stored.options(kinds[k]), l, w);
      const std::string what =
          name + ", solver " + std::to_string(k) + ", residual " + std::to_string(report.residual);
      EXPECT_TRUE(l.allFinite() && w.allFinite()) << what;
      const bool solved = report.status == SolveStatus::Converged;
      if (expected[k] != either) {
        EXPECT_EQ(solved, expected[k] == yes) << what;
      }
      if (!solved) continue;
      // What the report says is true of the result, computed with the matrices of the file.
      EXPECT_LE(error_of(stored, l, w), stored.data().position_level ? 1e-4 : 1e-7) << what;
      const VectorXd balance = stored.data().K * w - stored.rows().transpose() * l;
      EXPECT_LE(balance.norm(), 1e-12 * (stored.rows().transpose() * l).norm() + 1e-13 * l.norm())
          << what;
    }
  }
}

// Not so where more than three contacts of a body slide and turn: then friction depends on how they
// share the weight, and there are many solutions.
TEST(StoredProblems, SolversAgreeInTheMotion) {
  for (const auto& [name, expected] : expectations) {
    if (name == "stack_perturbed" || name == "train" || expected[0] != yes) continue;
    const StoredProblem stored(load(name));
    ContactSolver solver;
    VectorXd l, reference;
    solver.solve(stored.problem(), stored.options(), l, reference);
    for (std::size_t k = 1; k < kinds.size(); ++k) {
      if (expected[k] != yes) continue;
      VectorXd other, w;
      solver.solve(stored.problem(), stored.options(kinds[k]), other, w);
      const VectorXd difference = stored.rows() * (w - reference);
      EXPECT_LE(difference.norm(), 1e-7 * (stored.rows() * reference).norm()) << name << ", " << k;
    }
  }
}

TEST(StoredProblems, AutomaticNeedsFewIterationsForStacks) {
  for (const char* name : {"stack_velocity", "stack_position", "stack_heavy_top"}) {
    const StoredProblem stored(load(name));
    ContactSolver solver;
    VectorXd l, w;
    const SolveReport report = solver.solve(stored.problem(), stored.options(), l, w);
    EXPECT_LE(report.iterations, 10) << name;
    EXPECT_LE(report.approach, 1e-11) << name;
  }
}

TEST(StoredProblems, IncompatibleOnesAreRecognised) {
  const StoredProblem stored(load("hinge_and_wall_incompatible"));
  for (const SolverKind kind :
       {SolverKind::Automatic, SolverKind::ProximalNewton, SolverKind::GaussSeidel}) {
    ContactSolver solver;
    VectorXd l, w;
    const SolveReport report = solver.solve(stored.problem(), stored.options(kind), l, w);
    EXPECT_EQ(report.status, SolveStatus::Incompatible);
    EXPECT_TRUE(l.allFinite() && w.allFinite());
    EXPECT_LE(report.growth, 1e3);
  }
  const StoredProblem without_restitution(hinge_and_wall("e = 0", -0.4, 1, 0));
  ContactSolver solver;
  VectorXd l, w;
  const SolveReport report =
      solver.solve(without_restitution.problem(), without_restitution.options(), l, w);
  EXPECT_EQ(report.status, SolveStatus::Converged);
}

TEST(StoredProblems, HingeHoldsWhileItsArmStrikesTheWall) {
  const StoredProblem stored(load("hinge_and_wall"));
  ContactSolver solver;
  VectorXd l, w;
  solver.solve(stored.problem(), stored.options(), l, w);
  EXPECT_LE((stored.data().K.bottomRows(5) * w).norm(), 1e-13);
}

}  // namespace stored_problems_test
}  // namespace saltus::nonsmooth::test
