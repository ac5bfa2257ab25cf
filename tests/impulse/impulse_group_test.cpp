// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impulse_group.hpp"

#include <gtest/gtest.h>

#include <random>

#include "saltus/impulse/delassus_factor.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace impulse_group_test {

using namespace test;

/// Four corners of a block on the floor.
struct FlatBlock {
  Bodies bodies;
  std::vector<Touch> touches;
  ImpactProblem problem;

  FlatBlock(double mu, const Vector3& velocity, const Vector3& spin) {
    const Vector3 size(0.1, 0.2, 0.05);
    bodies.add(0.25, box_inertia(0.25, size), {0, 0, size.z() / 2}, velocity, spin);
    for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
      touches.push_back(
          {ground, 0, {x * size.x() / 2, y * size.y() / 2, 0}, {0, 0, 1}, 0, 0.5, mu, mu});
    problem = problem_of(bodies, touches);
  }

  ImpulseGroup group() const { return {problem.points, delassus_factor(problem.W)}; }

  std::vector<PointMode> slipping() const {
    std::vector<PointMode> modes(4);
    for (int i = 0; i < 4; ++i) modes[i].direction = problem.u.segment<2>(3 * i + 1).normalized();
    return modes;
  }

  /// The rows H of H dp = 0: rigid, then two a point for slip or stick.
  MatrixX H(const std::vector<PointMode>& modes) const {
    const std::vector<RigidRow> rigid = group().rigid_rows();
    MatrixX H = MatrixX::Zero(11, 12);
    for (int i = 0; i < 3; ++i) {
      H.block<1, 3>(i, 3 * i) = rigid[i].point.transpose();
      H.block<1, 3>(i, 9) = -rigid[i].reference.transpose();
    }
    for (int i = 0; i < 4; ++i) {
      if (modes[i].sticks) {
        H.middleRows<2>(3 + 2 * i) = problem.W.middleRows<2>(3 * i + 1);
        continue;
      }
      H.block<2, 2>(3 + 2 * i, 3 * i + 1).setIdentity();
      H.block<2, 1>(3 + 2 * i, 3 * i) = problem.points[i].friction * modes[i].direction;
    }
    return H;
  }
};

int rank(const MatrixX& H) { return linalg::PivotedQr(H, 1e-10).rank(); }

VectorX normals(const VectorX& C) { return C.reshaped(3, C.size() / 3).row(0).transpose(); }

TEST(ImpulseGroup, SlippingCornersShareInProportionToTheirSpeeds) {
  const FlatBlock block(0.35, {0.3, -0.2, -1}, {0.1, 0.4, 2});
  const GroupShares shares = block.group().shares(block.slipping(), false);
  EXPECT_FALSE(shares.equal);
  const VectorX x = normals(shares.C);
  EXPECT_NEAR(x.sum(), 1, 1e-14);
  const double expected[] = {0.2655863, 0.6221210, 1.1473877, 1};
  const double s_4 = block.problem.u.segment<2>(10).norm();
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(x[i] / x[3], expected[i], 5e-8);
    EXPECT_NEAR(x[i] / x[3], block.problem.u.segment<2>(3 * i + 1).norm() / s_4, 1e-13);
  }
  EXPECT_LT((block.H(block.slipping()) * shares.C).norm(), 1e-13);
}

TEST(ImpulseGroup, RowsLoseRankWhereSharesAreNotDetermined) {
  const FlatBlock generic(0.35, {0.3, -0.2, -1}, {0.1, 0.4, 2});
  EXPECT_EQ(rank(generic.H(generic.slipping())), 11);
  const FlatBlock along_edge(0.35, {0.3, 0, -1}, {0, 0, 0});
  EXPECT_EQ(rank(along_edge.H(along_edge.slipping())), 10);
  const FlatBlock smooth(0, {0.3, -0.2, -1}, {0.1, 0.4, 2});
  EXPECT_EQ(rank(smooth.H(smooth.slipping())), 8);
  const std::vector<PointMode> stuck(4, {true, Vector2::Zero()});
  EXPECT_EQ(rank(generic.H(stuck)), 6);
}

TEST(ImpulseGroup, SharesThatAreNotDeterminedAreEqual) {
  const std::vector<PointMode> stuck(4, {true, Vector2::Zero()});
  const FlatBlock along_edge(0.35, {0.3, 0, -1}, {0, 0, 0});
  const FlatBlock smooth(0, {0.3, -0.2, -1}, {0.1, 0.4, 2});
  const FlatBlock generic(0.35, {0.3, -0.2, -1}, {0.1, 0.4, 2});
  for (const auto& [block, modes] :
       {std::pair{&along_edge, along_edge.slipping()}, std::pair{&smooth, smooth.slipping()},
        std::pair{&generic, stuck}}) {
    const GroupShares shares = block->group().shares(modes, false);
    EXPECT_FALSE(shares.equal);
    EXPECT_TRUE(normals(shares.C).isApprox(VectorX::Constant(4, 0.25), 1e-12));
    EXPECT_LT((block->H(modes) * shares.C).norm(), 1e-12);
  }
}

TEST(ImpulseGroup, OneStickingPointGivesTheNullVectorOfTheRows) {
  // Turns about corner 1.
  const Vector3 corner(0.05, 0.1, -0.025), spin(0.1, -0.2, 2);
  const FlatBlock block(0.35, -spin.cross(corner), spin);
  ASSERT_LT(block.problem.u.segment<2>(1).norm(), 1e-14);
  std::vector<PointMode> modes = block.slipping();
  modes[0] = {true, Vector2::Zero()};
  const GroupShares shares = block.group().shares(modes, false);
  EXPECT_EQ(rank(block.H(modes)), 11);
  EXPECT_FALSE(shares.equal);
  EXPECT_LT((block.H(modes) * shares.C).norm(), 1e-12);
  EXPECT_LT((block.problem.W * shares.C).segment<2>(1).norm(), 1e-12);
  EXPECT_GE(normals(shares.C).minCoeff(), 0);
}

TEST(ImpulseGroup, NeverPulls) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int fallen = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto vector = [&] {
      return Vector3(uniform(generator), uniform(generator), uniform(generator));
    };
    Bodies bodies;
    bodies.add(1, Matrix3::Identity() * 0.3, {0, 0, 0}, vector(), vector());
    std::vector<Touch> touches;
    for (int i = 0; i < 2 + trial % 5; ++i)
      touches.push_back({ground, 0, vector(), vector(), 0, 0, 0.75 + 0.75 * uniform(generator), 1});
    const ImpactProblem problem = problem_of(bodies, touches);
    const ImpulseGroup group(problem.points, delassus_factor(problem.W));
    std::vector<PointMode> modes(touches.size());
    for (int i = 0; i < group.size(); ++i) {
      modes[i].sticks = uniform(generator) > 0.3;
      modes[i].direction = problem.u.segment<2>(3 * i + 1).normalized();
    }
    const GroupShares shares = group.shares(modes, false);
    fallen += shares.equal;
    const VectorX x = normals(shares.C), moved = problem.W * shares.C;
    EXPECT_GE(x.minCoeff(), 0) << trial;
    EXPECT_NEAR(x.sum(), 1, 1e-12) << trial;
    for (int i = 0; i < group.size(); ++i) {
      if (!modes[i].sticks) continue;
      EXPECT_LT(moved.segment<2>(3 * i + 1).norm(), 1e-9) << trial;
    }
  }
  EXPECT_GT(fallen, 0);
}

TEST(ImpulseGroup, SymmetricSmoothCornerHasEqualSharesInAnyOrder) {
  const Vector3 normals_of[] = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 0, 1}, std::array{1, 0, 2}}) {
    Bodies bodies;
    bodies.add(1, Matrix3::Identity() * 0.1, {0, 0, 0}, {-1, -1, -1}, {0, 0, 0});
    std::vector<Touch> touches;
    for (const int k : order)
      touches.push_back({ground, 0, -0.5 * normals_of[k], normals_of[k], 0, 0.5, 0, 0});
    const ImpactProblem problem = problem_of(bodies, touches);
    const ImpactResult result = resolve_impact(problem, {});
    ASSERT_EQ(result.events.size(), 1u);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(result.impulses[3 * i], 1.5, 1e-12);
      EXPECT_NEAR(result.u[3 * i], 0.5, 1e-12);
    }
  }
}

}  // namespace impulse_group_test
}  // namespace saltus::impulse
