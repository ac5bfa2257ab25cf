// SPDX-License-Identifier: Apache-2.0
// Every solver on every problem of tests/problems.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "saltus/nonsmooth/contact_operator.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"
#include "tests/nonsmooth/hard_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace stored_problems_test {

constexpr std::array kinds{SolverKind::Automatic,   SolverKind::Newton, SolverKind::ProximalNewton,
                           SolverKind::GaussSeidel, SolverKind::Admm,   SolverKind::PathFollowing};

/// A line of tests/problems/verdicts.txt.
struct Expected {
  std::string name;
  std::array<std::string, kinds.size()> verdicts;  ///< in the order of `kinds`
  bool unique = false;                             ///< the motion: all methods find the same
};

std::vector<Expected> expectations() {
  std::ifstream in(path_of("verdicts"));
  std::vector<Expected> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Expected expected;
    std::string motion;
    words >> expected.name;
    for (std::string& verdict : expected.verdicts) words >> verdict;
    words >> motion;
    EXPECT_TRUE(motion == "unique" || motion == "several") << line;
    expected.unique = motion == "unique";
    all.push_back(expected);
  }
  return all;
}

std::string verdict_of(SolveStatus status) {
  static constexpr std::array names{"converged", "inaccurate", "not_unique", "incompatible"};
  return names[static_cast<std::size_t>(status)];
}

// "fails" is anything but converged.
bool agrees(const std::string& expected, SolveStatus status) {
  if (expected == "any") return true;
  if (expected == "fails") return status != SolveStatus::Converged;
  return expected == verdict_of(status);
}

template <int N>
double error_at(const ContactRows& contact, const VectorXd& l, const VectorXd& u, double rho) {
  const ContactVector<N> reaction = l.head<N>(), motion = u.head<N>() + contact.b.head<N>();
  if constexpr (N == 3) {
    return natural_map(reaction, motion, contact.mu, rho).norm();
  } else {
    const MomentCone cone{contact.mu, contact.spin, contact.roll, contact.coupled};
    return natural_map(reaction, motion, cone, rho).norm();
  }
}

// The largest error of the natural map relative to the largest reaction; contacts of fixed bodies
// left out.
double error_of(const StoredProblem& stored, const VectorXd& l, const VectorXd& w) {
  const VectorXd u = stored.rows() * w;
  const int rows = stored.problem().rows_per_contact();
  const double rho = stored.data().K(0, 0);  // a mass of the problem
  double error = 0;
  for (std::size_t c = 0; c < stored.problem().contacts.size(); ++c) {
    const ContactRows& contact = stored.problem().contacts[c];
    if (contact.H.isZero(0)) continue;
    const auto i = rows * static_cast<Eigen::Index>(c);
    const VectorXd lc = l.segment(i, rows), uc = u.segment(i, rows);
    error = std::max(
        error, rows == 3 ? error_at<3>(contact, lc, uc, rho) : error_at<6>(contact, lc, uc, rho));
  }
  return error / l.lpNorm<Eigen::Infinity>();
}

TEST(StoredProblems, AreThoseOfTheZoo) {
  const bool renew = std::getenv("SALTUS_RENEW_PROBLEMS") != nullptr;
  std::vector<ProblemData> all = zoo();
  for (ProblemData& made : hard_zoo()) all.push_back(std::move(made));
  for (const ProblemData& made : all) {
    if (renew) std::ofstream(path_of(made.name)) << to_text(made);
    const ProblemData data = load(made.name);
    ASSERT_EQ(data.contacts.size(), made.contacts.size()) << made.name;
    EXPECT_EQ(data.local, made.local);
    EXPECT_EQ(data.moments, made.moments);
    EXPECT_LE((data.K - made.K).norm(), 1e-14 * made.K.norm());
    for (std::size_t c = 0; c < data.contacts.size(); ++c) {
      EXPECT_EQ(data.contacts[c].columns, made.contacts[c].columns);
      const int rows = made.moments ? 6 : 3;
      EXPECT_LE((data.contacts[c].H - made.contacts[c].H).topRows(rows).norm(), 1e-14);
      EXPECT_LE((data.contacts[c].b - made.contacts[c].b).head(rows).norm(), 1e-14);
    }
  }
}

// SALTUS_RENEW_PROBLEMS prints what every method says, as lines of verdicts.txt.
TEST(StoredProblems, GetTheVerdictsExpectedOfEveryMethod) {
  const bool renew = std::getenv("SALTUS_RENEW_PROBLEMS") != nullptr;
  for (const Expected& expected : expectations()) {
    const StoredProblem stored(load(expected.name));
    std::string line = expected.name;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      ContactSolver solver;
      VectorXd l, w;
      const SolveReport report = solver.solve(stored.problem(), stored.options(kinds[k]), l, w);
      const std::string what = expected.name + ", tried " + report.tried() + ", residual " +
                               std::to_string(report.residual) + ": " + verdict_of(report.status);
      line += " " + verdict_of(report.status);
      EXPECT_TRUE(l.allFinite() && w.allFinite()) << what;
      EXPECT_TRUE(agrees(expected.verdicts[k], report.status)) << what;
      if (report.status != SolveStatus::Converged) continue;
      // What the report says is true of the result, computed with the matrices of the file.
      // Of many positions, which may be jammed, gaps are asked for, and 1e-4 in the mean.
      const bool jammed = stored.data().contacts.size() > many_contacts;
      const double positions = jammed ? 1e-3 : 1e-4;
      EXPECT_LE(error_of(stored, l, w), stored.data().position_level ? positions : 1e-7) << what;
      const VectorXd force = stored.directions().transpose() * l;
      EXPECT_LE((stored.data().K * w - force).norm(), 1e-12 * force.norm() + 1e-13 * l.norm())
          << what;
    }
    if (renew) std::cout << line << "\n";
  }
}

// Not so where more than three contacts of a body slide and turn: then friction depends on how they
// share the weight, and there are many solutions.
TEST(StoredProblems, SolversAgreeInTheMotion) {
  for (const Expected& expected : expectations()) {
    if (!expected.unique) continue;
    const StoredProblem stored(load(expected.name));
    ContactSolver solver;
    VectorXd l, reference;
    solver.solve(stored.problem(), stored.options(), l, reference);
    for (std::size_t k = 1; k < kinds.size(); ++k) {
      VectorXd other, w;
      const SolveReport report = solver.solve(stored.problem(), stored.options(kinds[k]), other, w);
      if (report.status != SolveStatus::Converged || expected.verdicts[k] != "converged") continue;
      const VectorXd difference = stored.rows() * (w - reference);
      EXPECT_LE(difference.norm(), 1e-7 * (stored.rows() * reference).norm())
          << expected.name << ", " << k;
    }
  }
}

TEST(StoredProblems, PilesAreSolvedByInteriorPointsWhereAllElseFails) {
  for (const char* name : {"pile_velocity_1", "pile_velocity_2"}) {
    const StoredProblem stored(load(name));
    ContactSolver solver;
    VectorXd l, w;
    const SolveReport report = solver.solve(stored.problem(), stored.options(), l, w);
    EXPECT_EQ(report.status, SolveStatus::Converged) << name << " " << report.tried();
    EXPECT_LE(report.residual, 1e-8) << name;
    EXPECT_NE(report.tried().find("path following"), std::string::npos) << report.tried();
  }
}

// Methods by themselves find other reactions that do the same.
TEST(StoredProblems, ReactionsThatAreNotUniqueAreToldSo) {
  const StoredProblem stored(load("pile_not_unique"));
  ContactSolver solver;
  VectorXd l, w;
  const SolveReport report = solver.solve(stored.problem(), stored.options(), l, w);
  EXPECT_EQ(report.status, SolveStatus::NotUnique) << report.tried();
  EXPECT_GT(report.residual, 1e-8);
  EXPECT_LE(report.residual, 1e-4);
  const double tolerance = stored.options().pile_tolerance;
  EXPECT_LE(report.approach, tolerance);
  double farthest = 0;
  for (std::size_t k = 2; k < kinds.size(); ++k) {
    VectorXd other, w_other;
    solver.solve(stored.problem(), stored.options(kinds[k]), other, w_other);
    const VectorXd difference = stored.rows() * (w - w_other);
    if (difference.lpNorm<Eigen::Infinity>() > 3 * tolerance) continue;
    farthest = std::max(farthest, (l - other).norm() / l.norm());
  }
  EXPECT_GT(farthest, 0.02);
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
