// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/nonsmooth/sphere_zoo.hpp"
#include "tests/support/allocation_counter.hpp"

namespace saltus::nonsmooth::test {
namespace contact_solver_test {

constexpr std::array all_kinds{SolverKind::Automatic, SolverKind::Newton,
                               SolverKind::ProximalNewton, SolverKind::GaussSeidel,
                               SolverKind::Admm};

struct Solution {
  SolveReport report;
  VectorXd l, w;
};

Solution solve(const StoredProblem& stored, const SolverOptions& options) {
  ContactSolver solver;
  Solution solution;
  solution.report = solver.solve(stored.problem(), options, solution.l, solution.w);
  return solution;
}

Solution solve(const StoredProblem& stored) { return solve(stored, stored.options()); }

double normal_sum(const VectorXd& l) {
  double sum = 0;
  for (Eigen::Index i = 0; i < l.size(); i += 3) sum += l[i];
  return sum;
}

TEST(ContactSolver, BoxOnASlopeSticksExactly) {
  const StoredProblem stored(box_on_slope("20", 20));
  const Solution solution = solve(stored);
  EXPECT_EQ(solution.report.status, SolveStatus::Converged);
  EXPECT_LE(solution.report.stick_slip, 1e-14);  // no creep
  EXPECT_NEAR(normal_sum(solution.l), gravity * step * std::cos(20 * std::numbers::pi / 180),
              1e-14);
}

TEST(ContactSolver, BoxOnASlopeSlidesWithTheRightAcceleration) {
  const double angle = 35 * std::numbers::pi / 180;
  const StoredProblem stored(box_on_slope("35", 35));
  const Solution solution = solve(stored);
  const double velocity = gravity * step * std::sin(angle) + solution.w[0];
  const double expected = gravity * (std::sin(angle) - 0.5 * std::cos(angle)) * step;
  EXPECT_NEAR(velocity, expected, 1e-13 * expected + 1e-16);
  EXPECT_NEAR(expected / step, 1.6088, 1e-4);
}

TEST(ContactSolver, WarmStartIsAcceptedAtOnce) {
  for (const ProblemData& data : zoo()) {
    if (data.name == "hinge_and_wall_incompatible") continue;
    const StoredProblem stored(data);
    Solution solution = solve(stored);
    ContactSolver solver;
    const VectorXd w = solution.w;
    const SolveReport again =
        solver.solve(stored.problem(), stored.options(), solution.l, solution.w);
    EXPECT_EQ(again.iterations, 0) << data.name;
    EXPECT_EQ(again.sweeps, 0) << data.name;
    EXPECT_EQ(again.status, SolveStatus::Converged) << data.name;
    EXPECT_LE((solution.w - w).norm(), 1e-12 * w.norm()) << data.name;
  }
}

// With friction the motion is unique only if the normal reactions of sliding contacts are.
TEST(ContactSolver, ResultIsIndependentOfPenaltyAndProximalTerm) {
  for (const char* name :
       {"box_20_degrees", "stack_velocity", "stack_heavy_top", "hinge_and_wall", "mixed"}) {
    const StoredProblem stored(load(name));
    const Solution reference = solve(stored);
    for (const double penalty : {1.0, 4.0, 16.0}) {
      for (const double proximal : {1e-1, 1e-2, 1e-3, 1e-4}) {
        SolverOptions options = stored.options(SolverKind::ProximalNewton);
        options.penalty = penalty;
        options.proximal = proximal;
        const Solution solution = solve(stored, options);
        EXPECT_EQ(solution.report.status, SolveStatus::Converged)
            << name << " " << penalty << " " << proximal;
        EXPECT_LE((stored.rows() * (solution.w - reference.w)).norm(),
                  1e-7 * (stored.rows() * reference.w).norm())
            << name << " " << penalty << " " << proximal;
      }
    }
  }
}

// Powers of two change no rounding.
TEST(ContactSolver, UnitsChangeNothing) {
  for (const char* name : {"box_20_degrees", "box_35_degrees", "stack_velocity", "mixed"}) {
    const ProblemData data = load(name);
    const Solution reference = solve(StoredProblem(data));
    ProblemData heavy = data;
    const double mass = 0x1p20;
    heavy.K.topLeftCorner(heavy.K.rows(), heavy.K.cols()) *= mass;
    const Solution scaled = solve(StoredProblem(heavy));
    EXPECT_EQ(scaled.report.iterations, reference.report.iterations) << name;
    EXPECT_EQ(scaled.report.sweeps, reference.report.sweeps) << name;
    EXPECT_LE((scaled.w - reference.w).norm(), 1e-12 * reference.w.norm()) << name;
    EXPECT_LE((scaled.l - mass * reference.l).norm(), 1e-12 * scaled.l.norm()) << name;

    ProblemData fast = data;
    const double length = 0x1p-10;
    fast.motion_tolerance *= length;
    for (ContactRows& contact : fast.contacts) contact.b *= length;
    const Solution small = solve(StoredProblem(fast));
    EXPECT_EQ(small.report.iterations, reference.report.iterations) << name;
    EXPECT_EQ(small.report.sweeps, reference.report.sweeps) << name;
    EXPECT_LE((small.w - length * reference.w).norm(), 1e-12 * small.w.norm()) << name;
  }
}

TEST(ContactSolver, MassesTimesAMillionScaleTheReactions) {
  ProblemData data = load("stack_heavy_top");
  const StoredProblem stored(data);
  const Solution reference = solve(stored);
  data.K *= 1e6;
  const Solution scaled = solve(StoredProblem(data));
  EXPECT_NEAR(scaled.report.iterations, reference.report.iterations, 1);
  EXPECT_LE((scaled.w - reference.w).norm(), 1e-9 * reference.w.norm());
}

TEST(ContactSolver, OrderOfTheContactsDoesNotMatter) {
  for (const char* name : {"box_20_degrees", "stack_heavy_top", "mixed"}) {
    ProblemData data = load(name);
    const StoredProblem stored(data);
    const Solution reference = solve(stored);
    std::ranges::reverse(data.contacts);
    const Solution reversed = solve(StoredProblem(data));
    EXPECT_EQ(reversed.report.status, SolveStatus::Converged) << name;
    EXPECT_LE((stored.rows() * (reversed.w - reference.w)).norm(),
              1e-7 * (stored.rows() * reference.w).norm())
        << name;
  }
}

TEST(ContactSolver, LocalAndGlobalFormsGiveTheSameMotion) {
  for (const char* name : {"box_20_degrees", "stack_heavy_top", "mixed"}) {
    ProblemData data = load(name);
    const Solution local = solve(StoredProblem(data));
    data.local = false;
    for (const SolverKind kind : {SolverKind::Automatic, SolverKind::ProximalNewton}) {
      const StoredProblem stored(data);
      const Solution global = solve(stored, stored.options(kind));
      EXPECT_EQ(global.report.status, SolveStatus::Converged) << name;
      EXPECT_LE((global.w - local.w).norm(), 1e-7 * local.w.norm()) << name;
    }
  }
}

// Every interior contact of a stack that falls as one starts at the apex ξ = 0.
// Points on half a drum with stiff springs from each to the next, pulled at both ends, the second
// pull `ratio` times the first. Sweeps would need thousands; inertia is 1e-6 of the stiffness.
ProblemData belt_on_drum(int springs, double mu, double ratio) {
  Scene scene;
  const auto at = [&](double i) {
    const double angle = std::numbers::pi * i / springs;
    return Vector3d(std::cos(angle), 0, std::sin(angle));
  };
  for (int i = 0; i <= springs; ++i) {
    const int body = scene.add_body(1e-6, Vector3d::Constant(1e-6), at(i));
    scene.add_contact(-1, body, at(i), at(i), mu);
  }
  ProblemData data = scene.problem("belt", VectorXd::Zero(scene.motions()));
  data.local = false;
  VectorXd force = VectorXd::Zero(scene.motions());
  force[2] = -1;
  force[6 * springs + 2] = -ratio;
  for (int i = 0; i < springs; ++i) {
    const Vector3d chord = (at(i + 1) - at(i)).normalized();
    const Eigen::Matrix3d stiffness = chord * chord.transpose();
    for (const int row : {6 * i, 6 * i + 6}) {
      for (const int column : {6 * i, 6 * i + 6}) {
        data.K.block<3, 3>(row, column) += (row == column ? 1 : -1) * stiffness;
      }
    }
  }
  const VectorXd v = data.K.ldlt().solve(force);
  for (std::size_t i = 0; i < data.contacts.size(); ++i) {
    ContactRows& contact = data.contacts[i];
    contact.b = contact.H.rightCols<6>() * v.segment<6>(6 * static_cast<Eigen::Index>(i));
  }
  return data;
}

// Euler's formula, for chords: ((1 + μ tan(θ/2n)) / (1 − μ tan(θ/2n)))ⁿ.
TEST(ContactSolver, ManyContactsWithStiffElementsBetweenThemHoldUpToTheRatioOfTheCapstan) {
  constexpr int springs = 64;
  constexpr double mu = 0.3;
  const double t = mu * std::tan(std::numbers::pi / springs / 2);
  const double capstan = std::pow((1 + t) / (1 - t), springs);
  for (const double part : {0.5, 0.98, 1.02}) {
    const StoredProblem stored(belt_on_drum(springs, mu, part * capstan));
    const Solution solution = solve(stored);
    EXPECT_EQ(solution.report.status, SolveStatus::Converged) << part;
    EXPECT_LE(solution.report.residual, 3e-9) << part;
    EXPECT_LE(solution.report.sweeps, 60) << part;  // 30 before Newton's method, 30 after it
    int strictly_inside = 0;
    for (Eigen::Index i = 0; i < solution.l.size(); i += 3) {
      const double bound = mu * solution.l[i];
      strictly_inside += solution.l.segment<2>(i + 1).norm() < (1 - 1e-6) * bound ? 1 : 0;
    }
    EXPECT_EQ(strictly_inside > 0, part < 1) << part;
  }
}

TEST(ContactSolver, FallingStackHasNoZeroOverZero) {
  const StoredProblem stored(stack_velocities("falling", std::vector<double>(10, 1.0), 0.5));
  const Solution solution = solve(stored, stored.options(SolverKind::ProximalNewton));
  EXPECT_EQ(solution.report.status, SolveStatus::Converged);
  EXPECT_TRUE(solution.l.allFinite());
}

TEST(ContactSolver, NoContactsNoMotion) {
  ProblemData data = box_on_slope("none", 0);
  data.contacts.clear();
  const Solution solution = solve(StoredProblem(data));
  EXPECT_EQ(solution.report.status, SolveStatus::Converged);
  EXPECT_EQ(solution.l.size(), 0);
  EXPECT_TRUE(solution.w.size() == 6 && solution.w.isZero(0));
}

TEST(ContactSolver, PartingContactsNeedNothing) {
  const Scene scene = stack({1}, 0.5);
  for (const double speed : {0.0, 0.3}) {
    const StoredProblem stored(scene.problem("parting", scene.translation({0, 0, speed})));
    for (const SolverKind kind : all_kinds) {
      const Solution solution = solve(stored, stored.options(kind));
      EXPECT_EQ(solution.report.status, SolveStatus::Converged);
      EXPECT_EQ(solution.report.residual, 0);
      EXPECT_TRUE(solution.l.isZero(0) && solution.w.isZero(0));
    }
  }
}

TEST(ContactSolver, ContactThatIsThereManyTimesActsOnce) {
  ProblemData data = painleve("once", -2, -0.01);
  const Solution once = solve(StoredProblem(data));
  data.contacts.resize(5, data.contacts.front());
  for (const SolverKind kind : {SolverKind::Automatic, SolverKind::ProximalNewton,
                                SolverKind::GaussSeidel, SolverKind::Admm}) {
    const StoredProblem stored(data);
    const Solution many = solve(stored, stored.options(kind));
    EXPECT_EQ(many.report.status, SolveStatus::Converged);
    EXPECT_LE((many.w - once.w).norm(), 1e-9 * once.w.norm());
  }
  const StoredProblem stored(data);
  EXPECT_EQ(solve(stored, stored.options(SolverKind::Newton)).report.status,
            SolveStatus::Inaccurate);
}

TEST(ContactSolver, FixedBodiesAreLeftOut) {
  ProblemData data = box_on_slope("fixed", 20);
  const Solution without = solve(StoredProblem(data));
  ContactRows fixed;
  fixed.columns.fill(-1);
  fixed.b.head<3>() = Vector3d(-1, 2, 3);
  fixed.mu = 0.5;
  data.contacts.insert(data.contacts.begin(), fixed);
  for (const bool local : {true, false}) {
    data.local = local;
    const StoredProblem stored(data);
    for (const SolverKind kind : {SolverKind::Automatic, SolverKind::ProximalNewton,
                                  SolverKind::GaussSeidel, SolverKind::Admm}) {
      const Solution with = solve(stored, stored.options(kind));
      EXPECT_EQ(with.report.status, SolveStatus::Converged);
      EXPECT_TRUE(with.l.head<3>().isZero(0));
      EXPECT_LE((with.w - without.w).norm(), 1e-9 * without.w.norm());
    }
  }
  data.contacts.resize(1);
  const Solution alone = solve(StoredProblem(data));
  EXPECT_EQ(alone.report.status, SolveStatus::Converged);
  EXPECT_TRUE(alone.w.isZero(0));
}

TEST(ContactSolver, WhatIsNotANumberIsReported) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int variant = 0; variant < 4; ++variant) {
    StoredProblem stored(load("stack_velocity"));
    ContactRows& contact = stored.problem().contacts[7];
    if (variant == 0) contact.b[1] = nan;
    if (variant == 1) contact.H(0, 2) = nan;
    if (variant == 2) contact.mu = nan;
    if (variant == 3) contact.Y(2, 0) = std::numeric_limits<double>::infinity();
    for (const SolverKind kind : all_kinds) {
      const Solution solution = solve(stored, stored.options(kind));
      EXPECT_EQ(solution.report.status, SolveStatus::Inaccurate);
      EXPECT_TRUE(solution.l.allFinite() && solution.w.allFinite());
    }
  }
  const StoredProblem stored(load("stack_velocity"));
  ContactSolver solver;
  VectorXd l = VectorXd::Constant(stored.problem().rows(), nan), w;
  EXPECT_EQ(solver.solve(stored.problem(), stored.options(), l, w).status, SolveStatus::Converged);
}

TEST(ContactSolver, StartsFromAnything) {
  const StoredProblem stored(load("mixed"));
  const Solution reference = solve(stored);
  for (const double size : {1e-8, 1.0, 1e8}) {
    ContactSolver solver;
    VectorXd l = perturbed(VectorXd::Zero(stored.problem().rows()), size), w;
    const SolveReport report = solver.solve(stored.problem(), stored.options(), l, w);
    EXPECT_EQ(report.status, SolveStatus::Converged) << size;
    EXPECT_LE((w - reference.w).norm(), 1e-7 * reference.w.norm()) << size;
  }
}

TEST(ContactSolver, OneSolverServesManyProblems) {
  ContactSolver solver;
  for (int round = 0; round < 2; ++round) {
    for (const ProblemData& data : zoo()) {
      const StoredProblem stored(data);
      VectorXd l, w;
      const SolveReport report = solver.solve(stored.problem(), stored.options(), l, w);
      const Solution fresh = solve(stored);
      EXPECT_EQ(report.status, fresh.report.status) << data.name;
      EXPECT_LE((w - fresh.w).norm(), 1e-9 * (1e-3 + fresh.w.norm())) << data.name;
    }
  }
}

TEST(ContactSolver, SameProblemGivesTheSameBits) {
  const StoredProblem stored(load("stack_perturbed"));
  EXPECT_EQ(solve(stored).w, solve(stored).w);
  EXPECT_EQ(solve(stored).l, solve(stored).l);
}

#ifdef SALTUS_COUNTS_ALLOCATIONS
TEST(ContactSolver, AllocatesNothingOnceItRuns) {
  for (const char* name : {"box_flat", "box_20_degrees", "stack_velocity", "train"}) {
    const StoredProblem stored(load(name));
    ContactSolver solver;
    VectorXd l, w;
    const SolverOptions options = stored.options(SolverKind::ProximalNewton);
    for (int k = 0; k < 3; ++k) {
      l.setZero();
      solver.solve(stored.problem(), options, l, w);
    }
    l.setZero();
    const long before = saltus::test::allocations;
    solver.solve(stored.problem(), options, l, w);
    solver.solve(stored.problem(), stored.options(), l, w);
    EXPECT_EQ(saltus::test::allocations - before, 0) << name;
  }
}

TEST(ContactSolver, AllocatesNothingWithMoments) {
  for (const int count : {1, 2, 6}) {
    const StoredProblem stored(train_of_spheres(count, 1, false));
    ContactSolver solver;
    VectorXd l, w;
    const auto solve_all = [&] {
      for (const SolverKind kind : {SolverKind::Automatic, SolverKind::ProximalNewton,
                                    SolverKind::GaussSeidel, SolverKind::Admm}) {
        l.setZero();
        solver.solve(stored.problem(), stored.options(kind), l, w);
      }
    };
    for (int k = 0; k < 3; ++k) solve_all();
    const long before = saltus::test::allocations;
    solve_all();
    EXPECT_EQ(saltus::test::allocations - before, 0) << count;
  }
}
#endif

}  // namespace contact_solver_test
}  // namespace saltus::nonsmooth::test
