// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/core_feature.hpp"

#include <gtest/gtest.h>

#include "saltus/geometry/convex_core.hpp"
#include "saltus/lie/so3.hpp"
#include "tests/geometry/brute_force.hpp"

namespace saltus::core_feature_test {
namespace {

/// Shifts B and compares how the normal turns.
void expect_curvature(const CoreFeature& a, const CoreFeature& b, const RelativePose& X) {
  const Touch t = touch(a, b, X);
  const Matrix3 C = touch_curvature(a, b, X, t);
  constexpr double h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    const Vector3 d = h * Vector3::Unit(i);
    const Touch up = touch(a, b, {X.R, X.p + d}), down = touch(a, b, {X.R, X.p - d});
    EXPECT_LT(((up.normal - down.normal) / (2 * h) - C.col(i)).norm(), 1e-6);
    EXPECT_NEAR((up.gap - down.gap) / (2 * h), t.normal[i], 1e-8);
  }
  EXPECT_LT((C - C.transpose()).norm(), 1e-9);
}

TEST(CoreFeature, CurvatureIsTheDerivativeOfTheNormal) {
  std::mt19937_64 random(1);
  const ConvexCore box = box_core({1, 0.8, 0.6}, 0.1), ball = sphere_core(0.2);
  const ConvexCore rod = capsule_core(0.1, 1, {1, 2, 3});
  const ConvexCore drum = round_core({.half_length = 0.5, .radius = {0.4, 0.4}}, 0.05);
  const ConvexCore cone = round_core({.half_length = 0.5, .radius = {0.4, 0.1}}, 0);
  for (int i = 0; i < 50; ++i) {
    const RelativePose X = {brute_force::random_rotation(random),
                            2 * brute_force::random_vector(random).normalized()};
    for (const ConvexCore* core : {&box, &rod, &drum, &cone}) {
      expect_curvature(core->whole(), ball.vertex(0), X);
      expect_curvature(ball.vertex(0), core->whole(), X);
    }
    expect_curvature(ball.vertex(0), rod.edge(0), X);
    expect_curvature(ball.vertex(0), box.face(2), X);
    expect_curvature(ball.vertex(0), ball.vertex(0), X);
    expect_curvature(box.edge(3), rod.edge(0), X);
    expect_curvature(drum.rim(1), box.face(1), X);
  }
}

TEST(CoreFeature, RimCrossesAnEdgeAtTwoPlaces) {
  const ConvexCore drum = round_core({.half_length = 0.5, .radius = {0.4, 0.4}}, 0);
  const ConvexCore box = box_core({4, 1, 1}, 0);
  // The box stands on the drum's end; its lower edge is over the middle.
  const RelativePose X = {Matrix3::Identity(), Vector3(0, 0.5, 1.01)};
  for (int e = 0; e < 12; ++e) {
    const CoreFeature edge = box.edge(e);
    if (std::abs(edge.axis.x()) < 0.5 || edge.position.y() > 0 || edge.position.z() > 0) continue;
    CoreFeature rim = drum.rim(1);
    for (const int way : {1, -1}) {
      rim.way = way;
      const Touch t = touch(rim, edge, X);
      EXPECT_NEAR(t.gap, 0.01, 1e-14);
      EXPECT_NEAR(t.point_A.x(), 0.4 * way * edge.axis.x(), 1e-12);
      EXPECT_NEAR(t.normal.z(), 1, 1e-14);
      expect_curvature(rim, edge, X);
      expect_curvature(edge, rim, X.inverse());
    }
  }
}

TEST(CoreFeature, LowestPointOfATiltedRimIsExactHoweverSmallTheTilt) {
  const ConvexCore drum = round_core({.half_length = 0.5, .radius = {0.4, 0.4}}, 0);
  const ConvexCore box = box_core({2, 2, 2}, 0);
  for (const double tilt : {1e-15, 1e-11, 1e-7, 1e-3, 0.1, 1.0}) {
    const RelativePose X = {lie::so3::exp(Vector3(0, tilt, 0)), Vector3(0, 0, 2)};
    for (int f = 0; f < 6; ++f) {
      if (box.face(f).axis.z() < 0.5) continue;
      const Touch t = touch(box.face(f), drum.rim(0), X);
      EXPECT_NEAR(t.gap, 1 - 0.5 * std::cos(tilt) - 0.4 * std::sin(tilt), 1e-15);
    }
  }
}

}  // namespace
}  // namespace saltus::core_feature_test
