// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace block_impact_test {

using namespace test;

/// A block that falls on an edge: in space with n points along it (x), or in the plane of x and y
/// with the edge as one point, or as n points in one place.
struct EdgeImpact {
  Bodies bodies;
  std::vector<Touch> touches;
  ImpactProblem problem;
};

struct EdgeData {
  double mass, inertia;   ///< about the edge's direction
  double length;          ///< of the edge
  double y, z;            ///< of the edge from the centre of mass
  double v_y, v_z, spin;  ///< about the edge's direction
  double mu, mu_s;
};

EdgeImpact in_space(const EdgeData& d, int n) {
  EdgeImpact impact;
  Matrix3 inertia = Vector3(d.inertia, 0.7 * d.mass, 0.9 * d.mass).asDiagonal();
  impact.bodies.add(d.mass, inertia, {0, 0, -d.z}, {0, d.v_y, d.v_z}, {d.spin, 0, 0});
  for (int i = 0; i < n; ++i)
    impact.touches.push_back({ground,
                              0,
                              {d.length * (double(i) / (n - 1) - 0.5), d.y, 0},
                              {0, 0, 1},
                              0,
                              0.5,
                              d.mu,
                              d.mu_s});
  impact.problem = problem_of(impact.bodies, impact.touches);
  return impact;
}

/// y and z of space become x and y; the direction of the edge −z, so spins change their sign: seen
/// along +x of space, y to z is a positive turn, as x to y is about +z.
EdgeImpact in_plane(const EdgeData& d, int n) {
  EdgeImpact impact;
  impact.bodies.add_planar(d.mass, d.inertia, {0, -d.z, 0}, {d.v_y, d.v_z, 0}, d.spin);
  for (int i = 0; i < n; ++i)
    impact.touches.push_back({ground, 0, {d.y, 0, 0}, {0, 1, 0}, 0, 0.5, d.mu, d.mu_s});
  impact.problem = problem_of(impact.bodies, impact.touches);
  return impact;
}

/// (v_y, v_z, spin) after impulses, in space and in the plane.
Vector3 motion_in_space(const EdgeImpact& impact, const VectorX& impulses) {
  const VectorX v = velocities_after(impact.bodies, impact.touches, impulses);
  return {v[1], v[2], v[3]};
}

Vector3 motion_in_plane(const EdgeImpact& impact, const VectorX& impulses) {
  const VectorX v = velocities_after(impact.bodies, impact.touches, impulses);
  return {v[0], v[1], v[5]};
}

/// The 2.5 kg block that falls from 1.5 m with a roll of −0.2 rad.
EdgeData falling_block(double mu, double mu_s) {
  return {2.5, 2.5 * 0.270833333333333, 1.5, 0.63572, -0.63904, 0, -4.110003, 0, mu, mu_s};
}

TEST(BlockImpact, EdgePointsShareTheImpulseEquallyHoweverManyTheyAre) {
  const double per_point[] = {3.5153, 2.3435, 1.7577, 1.4061};
  for (int n = 2; n <= 5; ++n) {
    for (const bool space : {true, false}) {
      const EdgeData data = falling_block(0.2, 0.1);
      const EdgeImpact impact = space ? in_space(data, n) : in_plane(data, n);
      const ImpactResult result = resolve_impact(impact.problem, {});
      ASSERT_TRUE(result.converged) << result.message;
      ASSERT_EQ(result.events.size(), 1u);
      const ImpactEvent& event = result.events[0];
      EXPECT_NEAR(event.compression_work[0], -9.6320, 5e-4);
      EXPECT_NEAR(event.normal_work[0], -7.2240, 5e-4);
      EXPECT_NEAR(event.normal_work[0], 0.75 * event.compression_work[0], 1e-12);
      for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(result.impulses[3 * i], per_point[n - 2], 5e-4) << n;
        EXPECT_NEAR(result.u[3 * i], 2.0550, 5e-5);
        EXPECT_EQ(event.states[i], PointState::Slips);
      }
      const Vector3 v = space ? motion_in_space(impact, result.impulses)
                              : motion_in_plane(impact, result.impulses);
      EXPECT_NEAR(v[0], -0.56245, 5e-5);
      EXPECT_NEAR(v[1], -1.29775, 5e-5);
      EXPECT_NEAR(v[2], 5.27398, 5e-5);
    }
  }
}

TEST(BlockImpact, EdgeSlipsThenSticks) {
  // 1502.4 kg, thrown at 1 m/s.
  const double m = 1502.4, t = 0.357473;
  const EdgeData data{
      m, m * 0.0666666666666667, 0.6, -0.246410161514, -0.373205080757, 1, -3.506810, 0, 0.35, 0.6};
  (void)t;
  for (const bool space : {true, false}) {
    const EdgeImpact impact = space ? in_space(data, 2) : in_plane(data, 2);
    ImpactOptions options;
    options.histories = true;
    const ImpactResult result = resolve_impact(impact.problem, options);
    ASSERT_EQ(result.events.size(), 1u);
    const ImpactEvent& event = result.events[0];
    EXPECT_EQ(event.states[0], PointState::Sticks);
    EXPECT_EQ(event.transitions, 2);
    EXPECT_NEAR(event.compression_work[0] / m, -3.707193, 2e-6);
    EXPECT_NEAR(event.normal_work[0] / m, -2.780395, 2e-6);
    EXPECT_NEAR(result.impulses[0], 2674.24, 2e-2);
    EXPECT_NEAR(result.impulses[3], 2674.24, 2e-2);
    ASSERT_GE(event.samples.size(), 3u);
    EXPECT_NEAR(event.samples[1].p / m, 0.406396, 1e-6);
    EXPECT_NEAR(event.samples[1].u[0], -2.534073, 2e-6);
    const Vector3 v =
        space ? motion_in_space(impact, result.impulses) : motion_in_plane(impact, result.impulses);
    EXPECT_NEAR(v[0], 2.265908, 2e-6);
    EXPECT_NEAR(v[1], 0.053143, 2e-6);
    EXPECT_NEAR(v[2], -6.071481, 5e-6);
    EXPECT_NEAR(result.u[0], 1.549218, 2e-6);
    const double p_t = m * (v[0] - 1);
    EXPECT_NEAR(p_t, 1901.9, 0.05);
  }
}

TEST(BlockImpact, OtherEdgeSlipsThroughout) {
  const double m = 1502.4, theta = -0.264208;
  // Corner (+0.4, −0.2) of the section of 0.8 m by 0.4 m, turned by theta.
  const double y = 0.4 * std::cos(theta) + 0.2 * std::sin(theta);
  const double z = 0.4 * std::sin(theta) - 0.2 * std::cos(theta);
  const double spin = -6.071481, time = 0.487228 - 0.357473;
  const double v_y = 2.265908, v_z = 0.053143 - 9.81 * time;
  const EdgeData data{m, m * 0.0666666666666667, 0.6, y, z, v_y, v_z, spin, 0.35, 0.6};
  for (const bool space : {true, false}) {
    const EdgeImpact impact = space ? in_space(data, 2) : in_plane(data, 2);
    EXPECT_NEAR(impact.problem.u[0], -3.246969, 2e-5);
    EXPECT_NEAR(std::abs(impact.problem.u[space ? 2 : 1]), 0.459533, 2e-5);
    const ImpactResult result = resolve_impact(impact.problem, {});
    ASSERT_EQ(result.events.size(), 1u);
    EXPECT_EQ(result.events[0].states[0], PointState::Slips);
    EXPECT_EQ(result.events[0].transitions, 0);
    const Vector3 v =
        space ? motion_in_space(impact, result.impulses) : motion_in_plane(impact, result.impulses);
    EXPECT_NEAR(v[0], 1.473308, 2e-5);
    EXPECT_NEAR(v[1], 1.044813, 2e-5);
    EXPECT_NEAR(v[2], 1.733116, 1e-4);
    EXPECT_NEAR(result.u[0], 1.623484, 2e-5);
  }
}

TEST(BlockImpact, FourCornersOfAPivotingBlockAreTwoEvents) {
  const double m = 0.25, w = 0.2, h = 0.05, spin = -5.897, slip = -0.0545;
  Bodies bodies;
  // Turns about x, the corners at y = +w/2 rest: v_z there is zero.
  bodies.add(m, box_inertia(m, {0.1, w, h}), {0, 0, h / 2},
             {0, slip - spin * h / 2, -spin * w / 2 * 1.0}, {spin, 0, 0});
  std::vector<Touch> touches;
  for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
    touches.push_back({ground, 0, {x * 0.05, y * w / 2, 0}, {0, 0, 1}, 0, 0.5, 0.35, 0.6});
  ImpactProblem problem = problem_of(bodies, touches);
  // v_z = v_c + spin·y: zero at y = w/2 needs v_c = −spin w/2; the other edge has −spin w > 0, so
  // the motion is turned round: the pivot is y = −w/2.
  bodies.velocities[0][2] = spin * w / 2;
  problem = problem_of(bodies, touches);
  ASSERT_NEAR(problem.u[6], 0, 1e-12);
  ASSERT_NEAR(problem.u[0], spin * w, 1e-12);
  const ImpactResult result = resolve_impact(problem, {});
  ASSERT_GE(result.events.size(), 2u);
  const ImpactEvent& first = result.events[0];
  ASSERT_EQ(first.points.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(first.impulses[3 * i], first.impulses[0], 1e-12);
    EXPECT_EQ(first.states[i], PointState::Sticks);
  }
  EXPECT_NEAR((first.u[0] + first.u[6]) / 2, 0.295, 5e-4);
  EXPECT_NEAR(first.u[6], 0.852, 1e-3);
  EXPECT_NEAR(first.u[0], -0.262, 1e-3);
  const VectorX v = velocities_after(bodies, touches, first.impulses);
  EXPECT_NEAR(v[3], -5.570, 2e-3);
  EXPECT_EQ(result.events[1].points, (std::vector<int>{0, 1}));
  EXPECT_TRUE(result.converged);
  for (int i = 0; i < 4; ++i) EXPECT_GE(result.u[3 * i], -1e-9);
}

ImpactProblem grid_impact(int side, bool turning) {
  Bodies bodies;
  const Vector3 size(1.5, 1.5, 1);
  bodies.add(2.5, box_inertia(2.5, size), {0, 0, 0.5}, {0.8, -0.3, -2},
             turning ? Vector3(0.3, -0.2, 1.5) : Vector3::Zero());
  std::vector<Touch> touches;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      touches.push_back({ground,
                         0,
                         {1.5 * (i / (side - 1.0) - 0.5), 1.5 * (j / (side - 1.0) - 0.5), 0},
                         {0, 0, 1},
                         0,
                         0.5,
                         0.4,
                         0.5});
  return problem_of(bodies, touches);
}

TEST(BlockImpact, TranslatingFaceIsIndependentOfItsGrid) {
  const ImpactProblem coarse = grid_impact(2, false);
  const ImpactResult reference = resolve_impact(coarse, {});
  for (const int side : {3, 4, 5}) {
    const ImpactProblem problem = grid_impact(side, false);
    const ImpactResult result = resolve_impact(problem, {});
    EXPECT_NEAR(result.normal_work, reference.normal_work, 1e-9);
    EXPECT_NEAR(result.friction_work, reference.friction_work, 1e-9);
    EXPECT_TRUE(result.u.head<3>().isApprox(reference.u.head<3>(), 1e-9));
  }
}

TEST(BlockImpact, TurningSlipIsIntegratedToTheTolerance) {
  const ImpactProblem problem = grid_impact(5, true);
  const ImpactResult result = resolve_impact(problem, {});
  EXPECT_TRUE(result.converged);
  ImpactOptions coarse;
  coarse.tolerance = 1e-9;
  const ImpactResult other = resolve_impact(problem, coarse);
  EXPECT_LT((other.u - result.u).norm(), 1e-7);
  EXPECT_LE(kinetic_gain(problem, result), 0);
}

TEST(BlockImpact, EventOf25PointsWithStraightSlipTakesLessThanAMillisecond) {
  const ImpactProblem problem = grid_impact(5, false);
  std::clock_t best = CLOCKS_PER_SEC;
  for (int i = 0; i < 20; ++i) {
    const std::clock_t start = std::clock();
    EXPECT_EQ(resolve_impact(problem, {}).events.size(), 1u);
    best = std::min(best, std::clock() - start);
  }
#if !defined(__SANITIZE_ADDRESS__) && defined(NDEBUG)
  EXPECT_LT(static_cast<double>(best) / CLOCKS_PER_SEC, 1e-3);
#endif
}

}  // namespace block_impact_test
}  // namespace saltus::impulse
