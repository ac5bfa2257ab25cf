// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/features.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/random.hpp"

namespace saltus::test {
namespace features_test {

constexpr double exact = 1e-14;

std::vector<Shape> all_shapes() {
  return {PointShape{},
          Sphere{.radius = 0.3},
          Box{.size = {0.2, 0.4, 0.6}},
          HalfSpace{.normal = Vector3(1, 2, 2)},
          Face{.normal = Vector3(1, 2, 2), .size = Eigen::Vector2d(2, 0.5)},
          HollowSphereShape{.radius = 2},
          Cylinder{.radius = 0.1, .length = 0.4, .axis = Vector3(1, 2, 2)},
          Bore{.radius = 0.2, .length = 0.4, .axis = Vector3(1, 2, 2)},
          Groove{.radius = 0.1, .ring_radius = 1, .opening = GrooveOpening::Inwards},
          Capsule{.radius = 0.1, .length = 0.4, .axis = Vector3(1, 2, 2)},
          Convex{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
          MeshShape{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{{0, 1, 2}}}}};
}

TEST(Features, HaveTheKindsThatTheirShapeSays) {
  ASSERT_EQ(all_shapes().size(), std::variant_size_v<Shape>);
  for (const Shape& shape : all_shapes()) {
    std::set<FeatureKind> said, found;
    std::visit(
        [&](const auto& s) {
          said = {std::begin(s.features), std::end(s.features)};
        },
        shape);
    for (const Feature& feature : features_of(shape)) found.insert(feature.form.kind);
    EXPECT_EQ(found, said) << shape.index();
  }
}

TEST(Features, StandInTheAxesOfTheirShape) {
  for (const Shape& shape : all_shapes()) {
    for (const Feature& feature : features_of(shape)) EXPECT_EQ(feature.axes, axes_of(shape));
  }
}

TEST(Features, OfAPointAndASphereAreTheOrigin) {
  ASSERT_EQ(features_of(PointShape{}).size(), 1u);
  EXPECT_EQ(features_of(PointShape{})[0].position, Vector3::Zero());
  EXPECT_EQ(features_of(PointShape{})[0].form.radius, 0);
  ASSERT_EQ(features_of(Sphere{.radius = 0.3}).size(), 1u);
  EXPECT_EQ(features_of(Sphere{.radius = 0.3})[0].position, Vector3::Zero());
  EXPECT_EQ(features_of(Sphere{.radius = 0.3})[0].form.radius, 0.3);
}

TEST(Features, OfABoxAreItsEightCorners) {
  const Vector3 size(0.2, 0.4, 0.6);
  const std::vector<Feature> corners = features_of(Box{.size = size});
  ASSERT_EQ(corners.size(), 8u);
  std::set<std::array<double, 3>> different;
  for (std::size_t k = 0; k < 8; ++k) {
    const Vector3& p = corners[k].position;
    EXPECT_LE((p.cwiseAbs() - size / 2).norm(), exact);
    EXPECT_EQ(corners[k].form.radius, 0);
    // Corner k: bit 0 is the sign of x, bit 1 of y, bit 2 of z.
    EXPECT_EQ(p.x() > 0, (k & 1) != 0);
    EXPECT_EQ(p.y() > 0, (k & 2) != 0);
    EXPECT_EQ(p.z() > 0, (k & 4) != 0);
    different.insert({p.x(), p.y(), p.z()});
  }
  EXPECT_EQ(different.size(), 8u);
}

TEST(Features, OfACylinderAreItsSurfaceAndItsTwoRims) {
  const std::vector<Feature> features = features_of(Cylinder{.radius = 0.1, .length = 0.4});
  ASSERT_EQ(features.size(), 3u);
  EXPECT_EQ(features[0].form.kind, FeatureKind::Rod);
  EXPECT_EQ(features[0].form.half_length, 0.2);
  EXPECT_EQ(features[1].position, Vector3(0, 0, -0.2));
  EXPECT_EQ(features[2].position, Vector3(0, 0, 0.2));
  const std::vector<Feature> disc = features_of(Cylinder{.radius = 0.1, .length = 0});
  ASSERT_EQ(disc.size(), 1u) << "one rim";
  EXPECT_EQ(disc[0].form.kind, FeatureKind::PinEnd);
  EXPECT_TRUE(disc[0].position.isZero(0));
}

TEST(Features, OfAPlaneHaveItsVelocityAfterTheNormal) {
  const Vector3 normal(1, 2, 2), along(2, -1, 0);
  const HalfSpace belt{.normal = normal, .surface_velocity = along};
  const Vector3 v = features_of(belt)[0].form.surface_velocity;
  const PlaneFeature plane = *plane_feature(belt);
  EXPECT_EQ(v, Vector3(0, plane.surface_velocity.x(), plane.surface_velocity.y()));
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
