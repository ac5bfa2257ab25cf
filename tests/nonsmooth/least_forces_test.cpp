// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/least_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "saltus/linalg/decompositions.hpp"

namespace saltus::nonsmooth {
namespace least_forces_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Whether forces are in their cones, exactly but for round-off.
void expect_in_cones(const VectorXd& f, const std::vector<ForceCone>& cones) {
  for (const ForceCone& cone : cones) {
    EXPECT_GE(f[cone.first], 0);
    if (cone.rows == 1) continue;
    EXPECT_LE(f.segment<2>(cone.first + 1).norm(), (1 + 1e-14) * cone.mu * f[cone.first] + 1e-300);
  }
}

// Three supports in a line under a load beyond the middle: least norm alone would pull at one end.
TEST(LeastForces, OfABeamOnThreeSupportsDoNotPull) {
  MatrixXd A(2, 3);
  A << 1, 1, 1, -1, 0, 1;
  const double load = 3, place = 0.9;
  const VectorXd b = Eigen::Vector2d(load, load * place);
  const std::vector<ForceCone> cones = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
  ASSERT_LT(linalg::LeastNorm(A).solve(b)[0], 0);
  VectorXd f;
  ASSERT_TRUE(LeastForces().solve(A, b, cones, 1e-9, f));
  expect_in_cones(f, cones);
  EXPECT_NEAR(f[0], 0, 1e-12);
  EXPECT_NEAR(f[1], load * (1 - place), 1e-9);
  EXPECT_NEAR(f[2], load * place, 1e-9);
}

TEST(LeastForces, BeyondTheSupportsThereAreNone) {
  MatrixXd A(2, 3);
  A << 1, 1, 1, -1, 0, 1;
  VectorXd f;
  const std::vector<ForceCone> cones = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
  EXPECT_FALSE(LeastForces().solve(A, Eigen::Vector2d(3, 3.001), cones, 1e-9, f));
  EXPECT_TRUE(LeastForces().solve(A, Eigen::Vector2d(3, 2.999), cones, 1e-9, f));
}

// Two points side by side share friction by their loads when it is nearly all that they have.
TEST(LeastForces, UseTheConesToTheirLimits) {
  // Rows: sum along n, moment of the normals, sum along t1; columns (n, t1, t2) of two points.
  MatrixXd A = MatrixXd::Zero(4, 6);
  A.row(0) << 1, 0, 0, 1, 0, 0;
  A.row(1) << -1, 0, 0, 1, 0, 0;
  A.row(2) << 0, 1, 0, 0, 1, 0;
  A.row(3) << 0, 0, 1, 0, 0, 1;
  const double mu = 0.4, load = 10, shift = 6;
  const std::vector<ForceCone> cones = {{0, 3, mu}, {3, 3, mu}};
  for (const double part : {0.5, 0.9, 0.999}) {
    VectorXd b(4), f;
    b << load, shift, part * mu * load, 0;
    ASSERT_TRUE(LeastForces().solve(A, b, cones, 1e-9, f)) << part;
    expect_in_cones(f, cones);
    EXPECT_LE((A * f - b).norm(), 1e-9);
    EXPECT_NEAR(f[0], 2, 1e-9);
    EXPECT_NEAR(f[3], 8, 1e-9);
  }
  VectorXd b(4), f;
  b << load, shift, 1.001 * mu * load, 0;
  EXPECT_FALSE(LeastForces().solve(A, b, cones, 1e-9, f));
}

// Against any other force that does the same: none in the cones is smaller.
TEST(LeastForces, AreTheLeast) {
  std::mt19937 generator(7);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  for (int trial = 0; trial < 50; ++trial) {
    const int points = 5;
    MatrixXd A(6, 3 * points);
    for (double& a : A.reshaped()) a = number(-1, 1);
    std::vector<ForceCone> cones;
    VectorXd some(3 * points);
    for (int i = 0; i < points; ++i) {
      cones.push_back({3 * i, 3, number(0.1, 1)});
      some[3 * i] = number(0, 1);
      const double angle = number(-3, 3), size = number(0, 1);
      some.segment<2>(3 * i + 1) =
          size * cones.back().mu * some[3 * i] * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
    const VectorXd b = A * some;
    VectorXd f;
    ASSERT_TRUE(LeastForces().solve(A, b, cones, 1e-8, f)) << trial;
    expect_in_cones(f, cones);
    EXPECT_LE((A * f - b).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE(f.norm(), some.norm() * (1 + 1e-9));
    // The variational inequality of a least point: f·(g − f) ≥ 0 for all others.
    EXPECT_GE(f.dot(some - f), -1e-7 * some.squaredNorm());
    // And from the multipliers of other forces they are the same.
    VectorXd y, again;
    ASSERT_TRUE(LeastForces().solve(A, 0.8 * b, cones, 1e-8, again, y)) << trial;
    ASSERT_EQ(y.size(), b.size());
    ASSERT_TRUE(LeastForces().solve(A, b, cones, 1e-8, again, y)) << trial;
    EXPECT_LE((again - f).norm(), 1e-6 * f.norm());
  }
}

// Nine points under a plate that is pulled beside its middle, next to the largest pull that forces
// in the cones can hold: there the multipliers are far away. The limit, over μ m g, is that of a
// linear program over many edges of the cones, which is the exact one but for 3e-7.
TEST(LeastForces, OfAPlateAreFoundUpToItsPlasticLimit) {
  const double mu = 0.3, mass = 2, weight = 19.62, aside = 0.05;
  const double limit = 0.29034125775842334 / 0.2943 * mu * weight;
  MatrixXd B = MatrixXd::Zero(6, 27);
  std::vector<ForceCone> cones;
  for (int i = 0; i < 9; ++i) {
    const Eigen::Vector3d place((i % 3 / 2.0 - 0.5) * 0.6, (i / 3 / 2.0 - 0.5) * 0.4, -0.05);
    const Eigen::Vector3d directions[] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                          Eigen::Vector3d::UnitY()};
    for (int k = 0; k < 3; ++k) {
      B.block<3, 1>(0, 3 * i + k) = directions[k];
      B.block<3, 1>(3, 3 * i + k) = place.cross(directions[k]);
    }
    cones.push_back({3 * i, 3, mu});
  }
  VectorXd inverse(6);
  inverse << 1 / mass, 1 / mass, 1 / mass, 12 / mass / 0.17, 12 / mass / 0.37, 12 / mass / 0.52;
  const MatrixXd S = B.transpose() * inverse.asDiagonal() * B;
  for (const double below : {1e-3, 4e-5, 1e-5, 1e-6}) {
    const double pull = limit * (1 - below);
    VectorXd load(6);
    load << pull, 0, -weight, Eigen::Vector3d(0, aside, -0.05).cross(Eigen::Vector3d(pull, 0, 0));
    const VectorXd wanted = -B.transpose() * inverse.asDiagonal() * load;
    VectorXd f, y;
    EXPECT_TRUE(LeastForces().solve(S, wanted, cones, 1e-9, f, y)) << below;
    expect_in_cones(f, cones);
  }
  VectorXd load(6), f, y;
  load << limit * 1.0001, 0, -weight,
      Eigen::Vector3d(0, aside, -0.05).cross(Eigen::Vector3d(limit * 1.0001, 0, 0));
  const VectorXd wanted = -B.transpose() * inverse.asDiagonal() * load;
  EXPECT_FALSE(LeastForces().solve(S, wanted, cones, 1e-9, f, y));
}

}  // namespace least_forces_test
}  // namespace saltus::nonsmooth
