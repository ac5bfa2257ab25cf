// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace groups_test {

using namespace test;

constexpr double radius = 0.05;

int add_ball(Bodies& bodies, double mass, const Vector3& position, const Vector3& velocity) {
  return bodies.add(mass, Matrix3::Identity() * 0.4 * mass * radius * radius, position, velocity,
                    Vector3::Zero());
}

Touch touch(const Bodies& bodies, int a, int b, int group, double e, double mu) {
  const Vector3 line = bodies.positions[b] - bodies.positions[a];
  return {a, b, bodies.positions[a] + line / 2, line, group, e, mu, mu};
}

TEST(Groups, ApproachingTogetherFollowNewtonsLaw) {
  // Balls of several masses in a row, all of them approaching their neighbours.
  for (const double e : {0.0, 0.4, 1.0}) {
    Bodies bodies;
    const double mass[] = {1, 0.3, 2, 0.7, 5};
    std::vector<Touch> touches;
    for (int i = 0; i < 5; ++i) {
      add_ball(bodies, mass[i], {2 * radius * i, 0, 0}, {3 - 0.9 * i + 0.05 * i * i, 0, 0});
      if (i > 0) touches.push_back(touch(bodies, i - 1, i, i - 1, e, 0));
    }
    const ImpactProblem problem = problem_of(bodies, touches);
    const ImpactResult result = resolve_impact(problem, {});
    ASSERT_EQ(result.events.size(), 1u);
    ASSERT_EQ(result.events[0].groups.size(), 4u);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(result.u[3 * i], -e * problem.u[3 * i], 1e-12);
  }
}

TEST(Groups, RowOfRestingBallsIsASequence) {
  Bodies bodies;
  std::vector<Touch> touches;
  for (int i = 0; i < 5; ++i) {
    add_ball(bodies, 1, {2 * radius * i, 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0});
    if (i > 0) touches.push_back(touch(bodies, i - 1, i, i - 1, 1, 0));
  }
  const ImpactResult result = resolve_impact(problem_of(bodies, touches), {});
  EXPECT_EQ(result.events.size(), 4u);
  const VectorX v = velocities_after(bodies, touches, result.impulses);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(v[6 * i], i == 4 ? 1 : 0, 1e-12);
}

/// The head ball of a break: two balls behind it at ±30°, and the layer behind them.
TEST(Groups, SecondLayerOfABreakFollowsNewtonsLaw) {
  for (const double e : {0.9, 0.5}) {
    Bodies bodies;
    std::vector<Touch> touches;
    const double step = 2 * radius, c = std::sqrt(3.0) / 2 * step;
    const int head = add_ball(bodies, 0.17, {0, 0, 0}, {5, 0, 0});
    const int up = add_ball(bodies, 0.17, {c, step / 2, 0}, {0, 0, 0});
    const int down = add_ball(bodies, 0.17, {c, -step / 2, 0}, {0, 0, 0});
    for (const int ball : {up, down}) {
      const int first = static_cast<int>(touches.size());
      touches.push_back(touch(bodies, head, ball, first, e, 0));
    }
    const ImpactProblem problem = problem_of(bodies, touches);
    const ImpactResult result = resolve_impact(problem, {});
    ASSERT_EQ(result.events.size(), 1u);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(result.u[3 * i], -e * problem.u[3 * i], 1e-12);
    EXPECT_NEAR(result.impulses[0], result.impulses[3], 1e-12);
  }
}

TEST(Groups, EachHasItsOwnCoefficient) {
  Bodies bodies;
  for (int i = 0; i < 3; ++i) add_ball(bodies, 1, {2 * radius * i, 0, 0}, {1.0 - i, 0, 0});
  std::vector<Touch> touches{touch(bodies, 0, 1, 0, 0.8, 0), touch(bodies, 1, 2, 1, 0.2, 0)};
  const ImpactProblem problem = problem_of(bodies, touches);
  const ImpactResult result = resolve_impact(problem, {});
  const ImpactEvent& event = result.events[0];
  for (int g = 0; g < 2; ++g) {
    const double e = event.coefficient[g];
    EXPECT_NEAR(e, g == 0 ? 0.8 : 0.2, 1e-15);
    EXPECT_NEAR(event.normal_work[g], (1 - e * e) * event.compression_work[g], 1e-12);
  }
  EXPECT_TRUE(result.converged);
  EXPECT_LE(kinetic_gain(problem, result), 0);
}

TEST(Groups, SymmetricBallBetweenRoughWallsStaysSymmetric) {
  // A ball falls into a groove of two bodies: mirror images have mirror impulses.
  Bodies bodies;
  const int ball = add_ball(bodies, 1, {0, 0, 0}, {0, -1, 0});
  const int left = add_ball(bodies, 3, {-0.8 * 2 * radius, -0.6 * 2 * radius, 0}, {0, 0, 0});
  const int right = add_ball(bodies, 3, {0.8 * 2 * radius, -0.6 * 2 * radius, 0}, {0, 0, 0});
  std::vector<Touch> touches{touch(bodies, left, ball, 0, 0.5, 0.3),
                             touch(bodies, right, ball, 1, 0.5, 0.3)};
  const ImpactProblem problem = problem_of(bodies, touches);
  const ImpactResult result = resolve_impact(problem, {});
  EXPECT_NEAR(result.impulses[0], result.impulses[3], 1e-12);
  EXPECT_NEAR(result.u[0], result.u[3], 1e-12);
  EXPECT_LE(kinetic_gain(problem, result), 0);
}

}  // namespace groups_test
}  // namespace saltus::impulse
