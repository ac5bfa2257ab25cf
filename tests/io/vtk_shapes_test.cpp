// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

namespace saltus {
namespace vtk_shapes_test {

using io::VtkRoundness;
using io::VtkSurface;
using std::numbers::pi;

/// ∫x·n dA / 3: positive if the triangles are seen counter-clockwise from outside.
double volume(const VtkSurface& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles) {
    const auto x = [&](int k) { return surface.points[static_cast<std::size_t>(t[k])]; };
    sum += x(0).dot(x(1).cross(x(2))) / 6;
  }
  return sum;
}

/// Whether every edge belongs to two triangles, which run along it in opposite directions.
bool is_closed(const VtkSurface& surface) {
  std::set<std::pair<int, int>> edges;
  for (const auto& t : surface.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!edges.insert({t[k], t[(k + 1) % 3]}).second) return false;
    }
  }
  for (const auto& [a, b] : edges) {
    if (!edges.contains({b, a})) return false;
  }
  return !edges.empty();
}

/// Area of a polygon of 24 sides over that of its circle.
const double polygon = 24 / (2 * pi) * std::sin(2 * pi / 24);

TEST(VtkShapes, SolidsAreClosedAndSeenFromOutside) {
  const VtkSurface box = io::surface_of(Shape(Box{{1, 2, 3}}), VtkRoundness::Fine);
  EXPECT_TRUE(is_closed(box));
  EXPECT_DOUBLE_EQ(volume(box), 6);
  const VtkSurface pin =
      io::surface_of(Shape(Cylinder{.radius = 0.5, .length = 2}), VtkRoundness::Fine);
  EXPECT_TRUE(is_closed(pin));
  EXPECT_NEAR(volume(pin), polygon * pi * 0.5, 1e-12);
  for (const VtkRoundness roundness : {VtkRoundness::Fine, VtkRoundness::Coarse}) {
    const VtkSurface ball = io::surface_of(Shape(Sphere{.radius = 2}), roundness);
    EXPECT_TRUE(is_closed(ball));
    for (const Vector3& x : ball.points) EXPECT_NEAR(x.norm(), 2, 1e-14);
    const double part = volume(ball) / (4 * pi / 3 * 8);  // inscribed: a little less
    EXPECT_LT(part, 1);
    EXPECT_GT(part, roundness == VtkRoundness::Fine ? 0.97 : 0.88);
  }
}

TEST(VtkShapes, HollowOnesAreSeenFromInside) {
  const VtkSurface bowl = io::surface_of(Shape(HollowSphereShape{.radius = 2}), VtkRoundness::Fine);
  EXPECT_TRUE(is_closed(bowl));
  EXPECT_LT(volume(bowl), -0.97 * 4 * pi / 3 * 8);
  const VtkSurface bore =
      io::surface_of(Shape(Bore{.radius = 0.5, .length = 2}), VtkRoundness::Fine);
  EXPECT_NEAR(volume(bore), -polygon * pi * 0.5 * 2 / 3, 1e-12);  // the ends are missing
}

TEST(VtkShapes, GroovesAreTheHalfThatTheyAre) {
  for (const GrooveOpening opening :
       {GrooveOpening::Closed, GrooveOpening::Outwards, GrooveOpening::Inwards}) {
    const VtkSurface groove = io::surface_of(
        Shape(Groove{.radius = 0.1, .ring_radius = 1, .opening = opening}), VtkRoundness::Fine);
    double nearest = 2, farthest = 0;
    for (const Vector3& x : groove.points) {
      const double r = x.head<2>().norm();
      EXPECT_NEAR(std::hypot(r - 1, x.z()), 0.1, 1e-14);
      nearest = std::min(nearest, r);
      farthest = std::max(farthest, r);
    }
    EXPECT_NEAR(nearest, opening == GrooveOpening::Inwards ? 1 : 0.9, 1e-12);
    EXPECT_NEAR(farthest, opening == GrooveOpening::Outwards ? 1 : 1.1, 1e-12);
  }
}

TEST(VtkShapes, InertiasLieAlongTheirAxes) {
  const VtkSurface rod = io::surface_of(slender_rod(1, 3, Vector3(0, 2, 0)), VtkRoundness::Fine);
  ASSERT_EQ(rod.lines.size(), 1U);
  EXPECT_NEAR((rod.points[1] - rod.points[0]).cross(Vector3::UnitY()).norm(), 0, 1e-14);
  EXPECT_NEAR((rod.points[1] - rod.points[0]).norm(), 3, 1e-14);
  const VtkSurface roller = io::surface_of(solid_cylinder(1, 0.5, 4), VtkRoundness::Fine);
  double reach = 0;
  for (const Vector3& x : roller.points) reach = std::max(reach, std::abs(x.x()));
  EXPECT_NEAR(reach, 2, 1e-14);
  EXPECT_EQ(io::surface_of(Inertia(ExplicitInertia{}), VtkRoundness::Fine).cells(), 0U);
}

}  // namespace vtk_shapes_test
}  // namespace saltus
