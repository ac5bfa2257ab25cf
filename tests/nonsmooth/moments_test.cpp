// SPDX-License-Identifier: Apache-2.0
// Contacts that resist spinning and rolling.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "saltus/nonsmooth/contact_solver.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"
#include "tests/nonsmooth/sphere_zoo.hpp"

namespace saltus::nonsmooth::test {
namespace moments_test {

constexpr std::array kinds{SolverKind::Automatic, SolverKind::ProximalNewton,
                           SolverKind::GaussSeidel, SolverKind::Admm};
constexpr std::array kinds_and_newton{SolverKind::Automatic, SolverKind::ProximalNewton,
                                      SolverKind::GaussSeidel, SolverKind::Admm,
                                      SolverKind::Newton};

struct Solution {
  SolveReport report;
  VectorXd l, w;
};

Solution solve(const StoredProblem& stored, SolverKind kind = SolverKind::Automatic) {
  ContactSolver solver;
  Solution solution;
  solution.report = solver.solve(stored.problem(), stored.options(kind), solution.l, solution.w);
  return solution;
}

MomentCone cone_of(const ContactRows& contact) {
  return {contact.mu, contact.spin, contact.roll, contact.coupled};
}

// The largest error of the natural map relative to the largest reaction.
double error_of(const StoredProblem& stored, const Solution& solution) {
  const VectorXd u = stored.rows() * solution.w;
  double error = 0;
  for (std::size_t c = 0; c < stored.problem().contacts.size(); ++c) {
    const ContactRows& contact = stored.problem().contacts[c];
    const auto i = static_cast<Eigen::Index>(6 * c);
    const Vector6 motion = u.segment<6>(i) + contact.b, l = solution.l.segment<6>(i);
    const double rho = stored.data().K(0, 0);
    error = std::max(error, natural_map(l, motion, cone_of(contact), rho).norm());
  }
  return error / solution.l.lpNorm<Eigen::Infinity>();
}

// Rolling in any direction: the impulse of the moment that stops it acts on m r + J/r.
TEST(Moments, RollingSphereIsBrakedByTheMoment) {
  const double V = 0.01, angle = 0.7;
  const Vector3d v(V * std::cos(angle), V * std::sin(angle), 0);
  const Vector3d omega = Vector3d::UnitZ().cross(v) / sphere_radius;
  const double critical = V * (sphere_mass * sphere_radius + sphere_inertia / sphere_radius) /
                          (sphere_radius * sphere_weight);
  for (const double part : {0.0, 0.3, 1 - 1e-9, 1.0, 1 + 1e-9, 3.0}) {
    const Scene scene = sphere_on_plane(2, 0.1, part * critical);
    const StoredProblem stored(scene.problem_with_moments("rolling", falling(v, omega)));
    const double left = std::max(0.0, 1 - part);
    for (const SolverKind kind : kinds_and_newton) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged) << part;
      const Vector3d after = v + solution.w.head<3>() - Vector3d(0, 0, gravity * step);
      EXPECT_LE((after - left * v).norm(), 1e-9 * V) << part;
      EXPECT_LE((omega + solution.w.tail<3>() - left * omega).norm(), 1e-9 * omega.norm()) << part;
      EXPECT_NEAR(solution.l[0], sphere_weight, 1e-9 * sphere_weight);
      EXPECT_NEAR(solution.l.tail<2>().norm(), std::min(1.0, part) * critical * sphere_weight,
                  1e-9 * sphere_weight);
    }
  }
}

TEST(Moments, SpinningSphereIsBrakedByTheMoment) {
  const double omega = 0.1, critical = sphere_inertia * omega / (sphere_radius * sphere_weight);
  for (const double part : {0.0, 0.4, 1.0, 2.0}) {
    const Scene scene = sphere_on_plane(0.3, part * critical, 0.01);
    const StoredProblem stored(
        scene.problem_with_moments("spinning", falling({0, 0, 0}, {0, 0, -omega})));
    for (const SolverKind kind : kinds_and_newton) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged) << part;
      EXPECT_NEAR(solution.w[5], std::min(1.0, part) * omega, 1e-10 * omega) << part;
      EXPECT_LE(solution.w.head<2>().norm(), 1e-12);
    }
  }
}

// The reaction that makes ½ lᵀD l + bᵀl smallest in the ball.
Vector3d minimise_in_ball(const Vector3d& D, const Vector3d& b, double bound) {
  Vector3d l = Vector3d::Zero();
  for (int k = 0; k < 20000; ++k) {
    l -= (D.cwiseProduct(l) + b) / D.maxCoeff();
    if (l.norm() > bound) l *= bound / l.norm();
  }
  return l;
}

TEST(Moments, SlidingAndSpinningShareOneBound) {
  const double mu = 0.4, length = 0.15;
  const Vector3d D(1 / sphere_mass, 1 / sphere_mass, length * length / 0.02);
  for (const auto& [v, omega] :
       {std::pair{Vector3d(0.3, -0.1, 0), 1.0}, std::pair{Vector3d(0.003, 0, 0), 4.0},
        std::pair{Vector3d(0.2, 0, 0), 0.0}, std::pair{Vector3d(0, 0, 0), 0.3},
        std::pair{Vector3d(0.001, 0.001, 0), 0.003}}) {
    const StoredProblem stored(disc(v, omega, mu));
    const Vector3d expected = minimise_in_ball(D, {v[0], v[1], length * omega}, mu * sphere_weight);
    for (const SolverKind kind : kinds_and_newton) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged);
      const Vector3d l = solution.l.segment<3>(1);
      EXPECT_LE((l - expected).norm(), 1e-9 * sphere_weight);
      const Vector3d u =
          (stored.rows() * solution.w + stored.problem().contacts[0].b).segment<3>(1);
      if (u.norm() > 1e-9) {  // on the surface, and the motion is along its normal
        EXPECT_NEAR(l.norm(), mu * sphere_weight, 1e-12 * sphere_weight);
        EXPECT_LE(u.cross(l).norm(), 1e-9 * u.norm() * l.norm());
        EXPECT_LT(u.dot(l), 0);
      }
    }
  }
}

TEST(Moments, SphereInAGrooveObeysTheLawsOnBothSides) {
  for (const bool coupled : {false, true}) {
    for (const double slide : {0.05, 0.3, 1.0}) {
      for (const double moments : {0.0, 0.01, 0.1}) {
        const StoredProblem stored(groove(slide, moments, 0.5 * moments, coupled));
        const Solution reference = solve(stored);
        for (const SolverKind kind : kinds) {
          const Solution solution = solve(stored, kind);
          EXPECT_EQ(solution.report.status, SolveStatus::Converged)
              << coupled << " " << slide << " " << moments << " " << static_cast<int>(kind);
          EXPECT_LE(error_of(stored, solution), 1e-9);
          EXPECT_LE((solution.w - reference.w).norm(), 1e-7 * reference.w.norm());
        }
      }
    }
  }
}

TEST(Moments, SolversAgreeOnTrainsOfSpheres) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    for (const bool coupled : {false, true}) {
      const StoredProblem stored(train_of_spheres(20, seed, coupled));
      const Solution reference = solve(stored);
      EXPECT_LE(error_of(stored, reference), 1e-8) << seed;
      for (const SolverKind kind : kinds) {
        const Solution solution = solve(stored, kind);
        EXPECT_EQ(solution.report.status, SolveStatus::Converged)
            << seed << " " << static_cast<int>(kind) << " " << solution.report.residual;
        EXPECT_LE((solution.w - reference.w).norm(), 1e-7 * reference.w.norm())
            << seed << " " << static_cast<int>(kind);
      }
    }
  }
}

TEST(Moments, AutomaticSolvesRowsOfSpheres) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const bool coupled : {false, true}) {
      const StoredProblem stored(row_of_spheres(20, seed, coupled));
      const Solution solution = solve(stored);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged) << seed;
      EXPECT_LE(error_of(stored, solution), 1e-8) << seed;
    }
  }
}

// The length of the rows is a choice of unit.
TEST(Moments, LengthOfTheRowsChangesNothing) {
  const Solution reference = solve(StoredProblem(train_of_spheres(20, 1, false)));
  for (const double length : {0.01, 0.1, 10.0}) {
    const StoredProblem stored(train_of_spheres(20, 1, false, length * sphere_radius));
    const Solution solution = solve(stored);
    EXPECT_EQ(solution.report.status, SolveStatus::Converged) << length;
    EXPECT_LE((solution.w - reference.w).norm(), 1e-7 * reference.w.norm()) << length;
  }
}

TEST(Moments, WithoutBoundsNothingChanges) {
  ProblemData data = train_of_spheres(10, 7, false);
  for (ContactRows& contact : data.contacts) contact.spin = contact.roll = 0;
  const StoredProblem with(data);
  data.moments = false;
  const StoredProblem without(data);
  for (const SolverKind kind : kinds) {
    const Solution six = solve(with, kind), three = solve(without, kind);
    EXPECT_EQ(six.report.status, SolveStatus::Converged);
    EXPECT_EQ(six.l.size(), 2 * three.l.size());
    EXPECT_LE((six.w - three.w).norm(), 1e-7 * three.w.norm());
    for (Eigen::Index i = 0; i < six.l.size(); i += 6) {
      EXPECT_TRUE((six.l.segment<3>(i + 3).isZero(0)));
    }
  }
}

// Bounds of moments that nothing feels.
TEST(Moments, RowsWithoutUnknownsAreLeftOut) {
  for (ProblemData data : zoo()) {
    if (data.name == "hinge_and_wall_incompatible" || data.name == "stack_perturbed" ||
        data.name == "train") {
      continue;  // not solved, or not unique
    }
    const Solution without = solve(StoredProblem(data));
    data.moments = true;
    for (const bool coupled : {false, true}) {
      for (ContactRows& contact : data.contacts) {
        contact.spin = contact.roll = 0.1;
        contact.coupled = coupled;
      }
      const StoredProblem stored(data);
      const Solution solution = solve(stored);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged) << data.name;
      const Eigen::MatrixXd H = stored.rows();
      EXPECT_LE((H * (solution.w - without.w)).norm(), 1e-7 * (H * without.w).norm()) << data.name;
    }
  }
}

// Joints that hold the rotation: the moments' mobility is round-off of a full matrix.
TEST(Moments, BodiesThatCannotTurnFeelNoMoment) {
  for (const bool coupled : {false, true}) {
    Scene scene = sphere_on_plane(0.3, 0.1, 0.1);
    scene.contacts[0].coupled = coupled;
    for (int axis = 3; axis < 6; ++axis) scene.add_joint_row(VectorXd::Unit(6, axis));
    const StoredProblem stored(
        scene.problem_with_moments("held", falling({0.05, 0, 0}, {0, 0, 0})));
    for (const SolverKind kind : kinds) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged);
      EXPECT_NEAR(solution.w[0], -0.3 * sphere_weight / sphere_mass, 1e-12);
      EXPECT_TRUE(solution.l.tail<3>().isZero(0));
    }
  }
}

TEST(Moments, RestNeedsNothing) {
  for (const bool coupled : {false, true}) {
    ProblemData data = row_of_spheres(5, 1, coupled);
    for (ContactRows& contact : data.contacts) contact.b.setZero();
    const StoredProblem stored(data);
    for (const SolverKind kind : kinds_and_newton) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Converged);
      EXPECT_TRUE(solution.l.isZero(0) && solution.w.isZero(0));
    }
  }
}

TEST(Moments, WhatIsNotANumberIsReported) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int variant = 0; variant < 4; ++variant) {
    StoredProblem stored(row_of_spheres(5, 1, false));
    ContactRows& contact = stored.problem().contacts[3];
    if (variant == 0) contact.b[4] = nan;
    if (variant == 1) contact.H(3, 5) = nan;
    if (variant == 2) contact.spin = nan;
    if (variant == 3) contact.roll = -1;
    for (const SolverKind kind : kinds) {
      const Solution solution = solve(stored, kind);
      EXPECT_EQ(solution.report.status, SolveStatus::Inaccurate);
      EXPECT_TRUE(solution.l.allFinite() && solution.w.allFinite());
    }
  }
}

// One solver, problems of both kinds in turn, each from its own start.
TEST(Moments, OneSolverServesBothKindsOfProblems) {
  ContactSolver solver;
  const StoredProblem six(row_of_spheres(5, 1, false)), three(load("box_20_degrees"));
  VectorXd l_six, l_three, w;
  for (int round = 0; round < 2; ++round) {
    const SolveReport first = solver.solve(six.problem(), six.options(), l_six, w);
    EXPECT_LE((w - solve(six).w).norm(), 1e-9 * w.norm());
    const SolveReport second = solver.solve(three.problem(), three.options(), l_three, w);
    EXPECT_LE((w - solve(three).w).norm(), 1e-9 * w.norm());
    if (round == 0) continue;
    EXPECT_EQ(first.sweeps + first.iterations + second.sweeps + second.iterations, 0);
  }
}

}  // namespace moments_test
}  // namespace saltus::nonsmooth::test
