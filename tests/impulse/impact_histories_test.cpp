// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/impulse/rigid_impact.hpp"

namespace saltus::impulse {
namespace impact_histories_test {

using namespace test;

ImpactOptions with_histories(double e) {
  ImpactOptions options;
  options.histories = true;
  options.restitution.by_points = {e};
  return options;
}

/// Works of all points at a sample, normal and friction together.
double total_work(const EventSample& sample) { return sample.works.sum(); }

// One point, no friction: v_n = v + p/m, W_n = v p + p²/(2m), a parabola with its lowest point at
// p = −m v.
TEST(ImpactHistories, OnePointWithoutFrictionIsAParabola) {
  const double m = 2.5, v = -3, e = 0.6;
  Bodies bodies;
  bodies.add(m, Matrix3::Identity(), {0, 0, 0}, {0, 0, v}, {0, 0, 0});
  const ImpactProblem problem = problem_of(bodies, {{ground, 0, {0, 0, 0}, {0, 0, 1}, 0}});
  const ImpactResult result = resolve_impact(problem, with_histories(e));
  ASSERT_EQ(result.events.size(), 1u);
  const ImpactEvent& event = result.events[0];
  ASSERT_GE(event.samples.size(), 3u);
  for (const EventSample& s : event.samples) {
    EXPECT_TRUE(s.straight);
    EXPECT_NEAR(s.u[0], v + s.p / m, 1e-14);
    EXPECT_NEAR(s.works[0], v * s.p + s.p * s.p / (2 * m), 1e-13);
    EXPECT_EQ(s.works[1], 0);
    EXPECT_NEAR(s.group_works[0], s.works[0], 1e-14);
  }
  EXPECT_NEAR(event.compression_work[0], -m * v * v / 2, 1e-13);
  EXPECT_NEAR(event.samples.back().works[0], (1 - e * e) * event.compression_work[0], 1e-13);
}

// A rod that slides on its tip: slip slows down, stops at p_s = −v_t/(dv_t/dp), and goes on the
// other way or sticks. Velocities are straight on both sides of p_s, and works are their integrals.
TEST(ImpactHistories, SlipThatStopsMakesTwoStraightPieces) {
  const double m = 1, I = 1.0 / 12, x = 0.35, y = -0.35, mu = 0.2;
  const double W_nn = 1 / m + x * x / I, W_tt = 1 / m + y * y / I, W_tn = -x * y / I;
  Bodies bodies;
  bodies.add_planar(m, I, {0, -y, 0}, {-0.5, -1, 0}, 0);
  const std::vector<Touch> touches = {{ground, 0, {x, 0, 0}, {0, 1, 0}, 0, 0.5, mu, mu}};
  const ImpactProblem problem = problem_of(bodies, touches);
  ASSERT_NEAR(problem.W(0, 0), W_nn, 1e-14);
  const double side = problem.W(0, 1) > 0 ? 1 : -1;  // of the axis t1
  ASSERT_NEAR(problem.W(0, 1), side * W_tn, 1e-14);
  const ImpactResult result = resolve_impact(problem, with_histories(0.5));
  const ImpactEvent& event = result.events[0];
  const double v_t = side * problem.u[1];
  ASSERT_LT(v_t, 0);  // friction +μ at first
  const double p_s = -v_t / (W_tn + mu * W_tt);
  ASSERT_LT(p_s, event.samples.back().p);
  // W_tn > μ W_tt: friction cannot hold it, the slip is reversed and friction −μ.
  ASSERT_GT(W_tn, mu * W_tt);
  EXPECT_EQ(event.states[0], PointState::Reverses);
  double u_n = problem.u[0], normal = 0, friction = 0, last = 0;
  for (const EventSample& s : event.samples) {
    const double before = std::min(s.p, p_s), after = std::max(s.p - p_s, 0.0);
    const double tangent = v_t + (W_tn + mu * W_tt) * before + (W_tn - mu * W_tt) * after;
    const double expected = problem.u[0] + (W_nn + mu * W_tn) * before + (W_nn - mu * W_tn) * after;
    EXPECT_NEAR(s.u[0], expected, 1e-13);
    EXPECT_NEAR(side * s.u[1], tangent, 1e-13);
    // Pieces end where slip stops: the mean of the ends is exact.
    normal += (s.p - last) * (u_n + expected) / 2;
    u_n = expected;
    last = s.p;
    EXPECT_NEAR(s.works[0], normal, 1e-13);
    friction = mu * (v_t * before + (W_tn + mu * W_tt) * before * before / 2) -
               mu * (W_tn - mu * W_tt) * after * after / 2;
    EXPECT_NEAR(s.works[1], friction, 1e-13);
  }
  EXPECT_NEAR(total_work(event.samples.back()), kinetic_gain(problem, result), 1e-13);
}

// Slip that turns: the works of points are integrated with the path, and their sum is the change of
// the kinetic energy; normal works of a group make that of (14).
TEST(ImpactHistories, WorksOfTurningSlipAddUpToTheEnergy) {
  Bodies bodies;
  bodies.add(2, box_inertia(2, {0.4, 0.3, 0.2}), {0, 0, 0.1}, {0.7, -0.3, -1}, {0.4, 0.8, 5});
  std::vector<Touch> touches;
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.15, 0.15})
      touches.push_back({ground, 0, {x, y, 0}, {0, 0, 1}, 0, 0.5, 0.3, 0.4});
  const ImpactProblem problem = problem_of(bodies, touches);
  const ImpactResult result = resolve_impact(problem, with_histories(0.5));
  ASSERT_FALSE(result.events.empty());
  VectorX before = problem.u;
  bool turned = false;
  for (const ImpactEvent& event : result.events) {
    const EventSample& end = event.samples.back();
    EXPECT_NEAR(total_work(end), (before + event.u).dot(event.impulses) / 2, 1e-11);
    double normal = 0;
    for (const int i : event.points) normal += end.works[2 * i];
    EXPECT_NEAR(normal, event.normal_work[0], 1e-12);
    for (const int i : event.points) EXPECT_LE(end.works[2 * i + 1], 1e-12);
    for (const EventSample& s : event.samples) turned |= !s.straight;
    before = event.u;
  }
  EXPECT_TRUE(turned);
}

}  // namespace impact_histories_test
}  // namespace saltus::impulse
