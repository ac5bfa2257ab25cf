// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/volume_properties.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/geometry/hull.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus::volume_properties_test {
namespace {

using std::numbers::pi;

TEST(VolumeProperties, OfABoxAwayFromTheOrigin) {
  const Matrix3 R = lie::so3::exp(Vector3(0.4, 0.2, -0.9));
  std::vector<Vector3> points;
  for (const Vector3& x : box_polytope({1, 2, 3}).vertices)
    points.push_back(R * x + Vector3(7, 8, 9));
  const VolumeProperties m = volume_properties(polytope_core(convex_hull(points).polytope, 0));
  EXPECT_NEAR(m.volume, 6, 1e-13);
  EXPECT_LT((m.centre - Vector3(7, 8, 9)).norm(), 1e-13);
  const Vector3 principal(13.0 / 2, 10.0 / 2, 5.0 / 2);
  EXPECT_LT((m.inertia - R * principal.asDiagonal() * R.transpose()).norm(), 1e-12);
}

TEST(VolumeProperties, OfBallCapsuleCylinderAndCone) {
  const double r = 0.7, l = 1.3;
  const VolumeProperties ball = volume_properties(sphere_core(r));
  EXPECT_NEAR(ball.volume, 4 * pi / 3 * r * r * r, 1e-14);
  EXPECT_LT((ball.inertia - 0.4 * ball.volume * r * r * Matrix3::Identity()).norm(), 1e-14);

  const VolumeProperties capsule = volume_properties(capsule_core(r, l, {0, 1, 0}));
  const double tube = pi * r * r * l, ends = ball.volume;
  EXPECT_NEAR(capsule.volume, tube + ends, 1e-13);
  EXPECT_NEAR(capsule.inertia(1, 1), tube * r * r / 2 + 0.4 * ends * r * r, 1e-13);
  const double across =
      tube * (r * r / 4 + l * l / 12) + ends * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r);
  EXPECT_NEAR(capsule.inertia(0, 0), across, 1e-13);

  const VolumeProperties cone =
      volume_properties(round_core({.axis = {0, 0, 1}, .half_length = l / 2, .radius = {r, 0}}, 0));
  EXPECT_NEAR(cone.volume, pi * r * r * l / 3, 1e-14);
  EXPECT_NEAR(cone.centre.z(), -l / 4, 1e-14);
  EXPECT_NEAR(cone.inertia(2, 2), 0.3 * cone.volume * r * r, 1e-14);
  EXPECT_NEAR(cone.inertia(0, 0), cone.volume * (0.15 * r * r + 3.0 / 80 * l * l), 1e-14);
}

TEST(VolumeProperties, RoundingOfABoxFollowsSteiner) {
  const Vector3 s(1, 2, 3);
  const double r = 0.25;
  const VolumeProperties m = volume_properties(box_core(s, r));
  const double volume = s.prod() + 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()) * r +
                        pi * r * r * s.sum() + 4 * pi / 3 * r * r * r;
  EXPECT_NEAR(m.volume, volume, 1e-12 * volume);
  EXPECT_LT(m.centre.norm(), 1e-13);
  // A box with a very small core is a ball.
  const VolumeProperties ball = volume_properties(box_core({1e-12, 1e-12, 1e-12}, 1));
  EXPECT_LT((ball.inertia - 8 * pi / 15 * Matrix3::Identity()).norm(), 1e-10);
}

TEST(VolumeProperties, MeshInsideOutHasANegativeVolume) {
  const std::vector<Vector3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<int, 3>> out = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const std::vector<std::array<int, 3>> in = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
  EXPECT_NEAR(volume_properties(x, out).volume, 1.0 / 6, 1e-16);
  EXPECT_NEAR(volume_properties(x, in).volume, -1.0 / 6, 1e-16);
  EXPECT_LT((volume_properties(x, out).centre - Vector3::Constant(0.25)).norm(), 1e-15);
}

}  // namespace
}  // namespace saltus::volume_properties_test
