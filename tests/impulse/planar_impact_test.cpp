// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace planar_impact_test {

using namespace test;

/// The flat block of section 8: point 1 rests, point 2 falls on the ground.
struct Block {
  double m = 2.5, b = 0.1087, h = 0.0645;
  Bodies bodies;
  std::vector<Touch> touches;

  explicit Block(double mu, const Vector3& speeds = {0.344, -0.5, -9.199}) {
    bodies.add_planar(m, m * (b * b + h * h) / 12, {0, h / 2, 0}, {speeds[0], speeds[1], 0},
                      speeds[2]);
    for (const double x : {-b / 2, b / 2})
      touches.push_back({ground, 0, {x, 0, 0}, {0, 1, 0}, 0, 0, mu, mu});
  }
};

ImpactOptions frozen(std::vector<double> by_order) {
  ImpactOptions options;
  options.composition = Composition::Frozen;
  options.restitution.by_order = std::move(by_order);
  return options;
}

TEST(PlanarImpact, FrozenFrictionlessBlockHasTheMeasuredRatios) {
  const Block block(0);
  const ImpactProblem problem = problem_of(block.bodies, block.touches);
  EXPECT_NEAR(problem.u[3], -0.999966, 1e-6);
  const ImpactResult result = resolve_impact(problem, frozen({-0.8, 0.6667}));
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_NEAR(result.u[0] / problem.u[3], -0.09997, 5e-6);
  EXPECT_NEAR(result.u[3] / problem.u[3], -0.60003, 5e-6);
  EXPECT_TRUE((problem.W * result.impulses).isApprox(result.u - problem.u, 1e-12));
}

TEST(PlanarImpact, IdealBlockIsExact) {
  const Block block(0, {0, -0.5, -1 / 0.1087});
  const ImpactProblem problem = problem_of(block.bodies, block.touches);
  const ImpactResult result = resolve_impact(problem, frozen({-0.8, 2.0 / 3}));
  ASSERT_EQ(result.events.size(), 2u);
  const ImpactEvent& first = result.events[0];
  EXPECT_NEAR(first.compression_work[0], -0.3125, 1e-12);
  EXPECT_NEAR(first.compression_impulse[0] / 2, 0.625, 1e-12);
  EXPECT_NEAR(first.impulses[0], 0.125, 1e-12);
  EXPECT_NEAR(first.impulses[3], 0.125, 1e-12);
  EXPECT_NEAR(first.u[0], 0.1, 1e-12);
  EXPECT_NEAR(first.u[3], -0.9, 1e-12);
  const VectorX v = velocities_after(block.bodies, block.touches, result.impulses);
  EXPECT_NEAR(v[1], 0.35, 1e-12);
  EXPECT_NEAR(v[5], 0.5 / 0.1087, 1e-12);

  ImpactOptions consistent = frozen({-0.8, 2.0 / 3, 0});
  consistent.composition = Composition::Consistent;
  const ImpactResult kept = resolve_impact(problem, consistent);
  ASSERT_GE(kept.events.size(), 3u);
  EXPECT_NEAR(kept.events[1].u[0], -0.4680, 5e-5);
  EXPECT_NEAR(kept.events[1].u[3], 0.6, 1e-12);
  EXPECT_NEAR(kept.events[1].u[1] - problem.u[1], 0.6609 - 0.0473, 1e-4);
}

TEST(PlanarImpact, FrozenBlockWithFrictionHasTheMeasuredRatios) {
  const Block block(0.35);
  const ImpactProblem problem = problem_of(block.bodies, block.touches);
  const ImpactResult result = resolve_impact(problem, frozen({-0.863, 0.623}));
  ASSERT_EQ(result.events.size(), 2u);
  const ImpactEvent& first = result.events[0];
  EXPECT_NEAR(first.compression_work[0], -0.3125, 5e-5);
  EXPECT_NEAR(first.u[0], 0.10003, 4e-5);
  EXPECT_NEAR(first.u[3], -0.96303, 4e-5);
  EXPECT_NEAR(first.u[1], 0.00463, 5e-6);
  EXPECT_EQ(first.transitions, 0);
  EXPECT_NEAR(result.events[1].u[0] / problem.u[3], -0.10003, 4e-5);
  EXPECT_NEAR(result.events[1].u[3] / problem.u[3], -0.59999, 4e-5);
}

TEST(PlanarImpact, RockingSpecimensKeepTheDerivedPartOfTheirSpin) {
  struct Specimen {
    double width, height, mass, e, ratio;
  };
  for (const Specimen& s :
       {Specimen{0.23, 1, 503, -0.73, 0.93481}, Specimen{0.155, 1, 228, -0.95, 0.96569},
        Specimen{0.115, 0.457, 245, -0.96, 0.91246}}) {
    // Turns about corner 1; then corner 2 hits and sticks, chatter being left out.
    Bodies bodies;
    const double spin = 1;
    bodies.add_planar(s.mass, s.mass * (s.width * s.width + s.height * s.height) / 12,
                      {0, s.height / 2, 0},
                      Vector3(0, 0, -spin).cross(Vector3(s.width / 2, s.height / 2, 0)), -spin);
    std::vector<Touch> touches;
    for (const double x : {-s.width / 2, s.width / 2})
      touches.push_back({ground, 0, {x, 0, 0}, {0, 1, 0}, 0, 0, 0.3, 0.577});
    const ImpactProblem problem = problem_of(bodies, touches);
    ImpactOptions options;
    options.restitution.by_order = {s.e, 0};
    const ImpactResult result = resolve_impact(problem, options);
    const VectorX v = velocities_after(bodies, touches, result.impulses);
    EXPECT_NEAR(v[5] / -spin, s.ratio, 5e-6) << s.width;
    EXPECT_GT(result.u[0], 0);
    EXPECT_NEAR(result.u[3], 0, 1e-9);
    ASSERT_EQ(result.events.size(), 2u);
    EXPECT_EQ(result.events[1].states[0], PointState::Sticks);
  }
}

/// A disc that hits floor (point 1) and wall (point 2) at once.
struct Ball {
  Bodies bodies;
  std::vector<Touch> touches;
  Ball() {
    bodies.add_planar(1, 0.125, {0, 0.5, 0}, {8, -4.43, 0}, 0);
    touches.push_back({ground, 0, {0, 0, 0}, {0, 1, 0}, 0, 0.5, 0.35, 0.35});
    touches.push_back({ground, 0, {0.5, 0.5, 0}, {-1, 0, 0}, 0, 0.5, 0.35, 0.35});
  }
};

TEST(PlanarImpact, BallInACornerHasTheAuthorsSpeedsInTheAuthorsMode) {
  const Ball ball;
  const ImpactProblem problem = problem_of(ball.bodies, ball.touches);
  ImpactOptions options;
  options.normal_work = NormalWork::Pseudoinverse;
  options.law = RestitutionLaw::Poisson;
  const ImpactResult result = resolve_impact(problem, options);
  ASSERT_EQ(result.events.size(), 1u);
  const VectorX v = velocities_after(ball.bodies, ball.touches, result.impulses);
  // Printed: −5.504, 4.893, −9.786. All phases are linear, so the numbers have few digits.
  EXPECT_NEAR(v[0], -5.5041688, 1e-9);
  EXPECT_NEAR(v[1], 4.8928552, 1e-9);
  EXPECT_NEAR(v[5], -9.7857104, 1e-9);
  EXPECT_NEAR(result.events[0].compression_work[0], -24.33309, 5e-6);
  EXPECT_NEAR(result.events[0].compression_impulse[0], 7.60901, 5e-6);
  EXPECT_NEAR(result.impulses[0], 11.413512, 1e-9);
  EXPECT_NEAR(result.impulses[3], 13.148398, 1e-9);
}

TEST(PlanarImpact, BallInACornerTakesTheGlobalMinimumOfItsWork) {
  const Ball ball;
  const ImpactProblem problem = problem_of(ball.bodies, ball.touches);
  ImpactOptions options;
  options.histories = true;
  const ImpactResult result = resolve_impact(problem, options);
  ASSERT_EQ(result.events.size(), 1u);
  const ImpactEvent& event = result.events[0];
  const VectorX v = velocities_after(ball.bodies, ball.touches, result.impulses);
  EXPECT_NEAR(v[0], -1.30706, 5e-6);
  EXPECT_NEAR(v[1], 3.73195, 5e-6);
  EXPECT_NEAR(v[5], -7.46391, 5e-6);
  EXPECT_NEAR(event.compression_work[0], -22.64308, 5e-6);
  EXPECT_NEAR(event.normal_work[0], -0.75 * 22.64308, 5e-6);
  EXPECT_EQ(event.states[0], PointState::Reverses);
  EXPECT_EQ(event.states[1], PointState::Sticks);
  EXPECT_EQ(event.transitions, 2);
  const double before = 0.5 * (64 + 4.43 * 4.43);
  EXPECT_NEAR(before + kinetic_gain(problem, result), 11.300, 5e-4);

  // The shares of the three phases, and where they change; p_n2 of the thesis.
  const auto& s = event.samples;
  ASSERT_GE(s.size(), 5u);
  const auto shares = [&](std::size_t k) {
    const VectorX d = s[k + 1].impulses - s[k].impulses;
    return VectorX(d / d[3]);
  };
  EXPECT_NEAR(shares(0)[0], 2.076923, 5e-7);
  std::size_t k = 0;
  while (std::abs(s[k].u[4]) > 1e-9) ++k;
  EXPECT_NEAR(s[k].impulses[3], 2.647816, 5e-7);
  EXPECT_NEAR(s[k].u[1], 1.4314, 5e-5);
  EXPECT_NEAR(s[k].u[0], 1.9960, 5e-5);
  EXPECT_NEAR(s[k].u[3], -3.4274, 5e-5);
  EXPECT_NEAR(shares(k)[1], -0.46667, 5e-6);
  EXPECT_NEAR(shares(k)[0], 1.33333, 5e-6);
  EXPECT_NEAR(shares(k)[4], -0.13333, 5e-6);
  while (std::abs(s[k].u[1]) > 1e-9) ++k;
  EXPECT_NEAR(s[k].impulses[3], 3.184583, 5e-7);
  EXPECT_NEAR(shares(k)[1], 0.182609, 5e-7);
  EXPECT_NEAR(shares(k)[0], 0.521739, 5e-7);
  EXPECT_NEAR(shares(k)[4], -0.295652, 5e-7);
  while (s[k].normal_work > event.compression_work[0] + 1e-9) ++k;
  EXPECT_NEAR(s[k].impulses[3], 4.534547, 5e-6);
}

}  // namespace planar_impact_test
}  // namespace saltus::impulse
