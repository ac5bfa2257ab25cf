// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/features.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/random.hpp"

namespace saltus::test {
namespace features_test {

constexpr double exact = 1e-14;

TEST(PointFeatures, OfAPointAndASphereAreTheOrigin) {
  ASSERT_EQ(point_features(PointShape{}).size(), 1u);
  EXPECT_EQ(point_features(PointShape{})[0].position, Vector3::Zero());
  EXPECT_EQ(point_features(PointShape{})[0].radius, 0);
  ASSERT_EQ(point_features(Sphere{.radius = 0.3}).size(), 1u);
  EXPECT_EQ(point_features(Sphere{.radius = 0.3})[0].position, Vector3::Zero());
  EXPECT_EQ(point_features(Sphere{.radius = 0.3})[0].radius, 0.3);
}

TEST(PointFeatures, OfABoxAreItsEightCorners) {
  const Vector3 size(0.2, 0.4, 0.6);
  const std::vector<PointFeature> corners = point_features(Box{.size = size});
  ASSERT_EQ(corners.size(), 8u);
  std::set<std::array<double, 3>> different;
  for (std::size_t k = 0; k < 8; ++k) {
    const Vector3& p = corners[k].position;
    EXPECT_LE((p.cwiseAbs() - size / 2).norm(), exact);
    EXPECT_EQ(corners[k].radius, 0);
    // Corner k: bit 0 is the sign of x, bit 1 of y, bit 2 of z.
    EXPECT_EQ(p.x() > 0, (k & 1) != 0);
    EXPECT_EQ(p.y() > 0, (k & 2) != 0);
    EXPECT_EQ(p.z() > 0, (k & 4) != 0);
    different.insert({p.x(), p.y(), p.z()});
  }
  EXPECT_EQ(different.size(), 8u);
}

TEST(PointFeatures, PlanesHaveNone) {
  EXPECT_TRUE(point_features(HalfSpace{}).empty());
  EXPECT_TRUE(point_features(Face{}).empty());
}

TEST(PlaneFeature, OnlyPlanesAreOne) {
  EXPECT_FALSE(plane_feature(PointShape{}));
  EXPECT_FALSE(plane_feature(Sphere{.radius = 1}));
  EXPECT_FALSE(plane_feature(Box{.size = Vector3::Ones()}));
  EXPECT_TRUE(plane_feature(HalfSpace{}));
  EXPECT_TRUE(plane_feature(Face{}));
}

TEST(FrameWithNormal, IsARotationWithTheGivenNormal) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Vector3 axis = random.uniform(0.1, 10) * random.direction();
    const Matrix3 E = frame_with_normal(axis);
    EXPECT_LE((E.transpose() * E - Matrix3::Identity()).norm(), exact);
    EXPECT_NEAR(E.determinant(), 1, exact);
    EXPECT_LE((E.col(2) - axis.normalized()).norm(), exact);
  }
}

// t1 is x projected on the plane, or y where the normal is nearly x.
TEST(FrameWithNormal, ItsFirstAxisIsTheProjectionOfXOrY) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Vector3 n = random.direction();
    const Vector3 first = std::abs(n.x()) > 0.9 ? Vector3::UnitY() : Vector3::UnitX();
    const Vector3 projected = first - first.dot(n) * n;
    EXPECT_LE((frame_with_normal(n).col(0) - projected.normalized()).norm(), 1e-13);
    EXPECT_GE(projected.norm(), 0.4);  // never nearly parallel: √(1 − 0.9²)
  }
  EXPECT_LE((frame_with_normal(Vector3::UnitX()).col(0) - Vector3::UnitY()).norm(), exact);
  EXPECT_LE((frame_with_normal(-Vector3::UnitX()).col(0) - Vector3::UnitY()).norm(), exact);
  EXPECT_LE((frame_with_normal(Vector3::UnitZ()) - Matrix3::Identity()).norm(), exact);
}

TEST(PlaneFeature, SurfaceVelocityIsInThePlanesAxesAndAlongIt) {
  const Vector3 normal(1, 2, 2), along = Vector3(2, -1, 0);  // perpendicular
  const PlaneFeature plane = *plane_feature(HalfSpace{.normal = normal, .surface_velocity = along});
  EXPECT_EQ(plane.surface_velocity.z(), 0);
  EXPECT_LE((plane.axes * plane.surface_velocity - along).norm(), exact);
}

TEST(PlaneFeature, HasASizeOnlyIfGiven) {
  EXPECT_FALSE(plane_feature(HalfSpace{})->half_size);
  EXPECT_FALSE(plane_feature(Face{})->half_size);
  const PlaneFeature plane = *plane_feature(Face{.size = Eigen::Vector2d(2, 0.5)});
  ASSERT_TRUE(plane.half_size);
  EXPECT_EQ((*plane.half_size)[0], 1);
  EXPECT_EQ((*plane.half_size)[1], 0.25);
}

}  // namespace features_test
}  // namespace saltus::test
