// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/hull.hpp"

#include <gtest/gtest.h>

#include <random>

#include "saltus/lie/so3.hpp"

namespace saltus::hull_test {
namespace {

/// Euler's formula, all points inside, every face flat with its corners in order.
void expect_sound(const Polytope& p, const std::vector<Vector3>& points) {
  EXPECT_EQ(p.vertices.size() + p.faces.size(), p.edges.size() + 2);
  for (const Polytope::Face& face : p.faces) {
    for (const Vector3& x : points) EXPECT_LE(face.normal.dot(x) - face.offset, 1e-12);
    for (int k = 0; k < face.count; ++k) {
      const int v = p.loops[static_cast<std::size_t>(face.first + k)];
      EXPECT_NEAR(face.normal.dot(p.vertices[static_cast<std::size_t>(v)]), face.offset, 1e-12);
    }
  }
}

TEST(ConvexHull, BoxWithPointsInFacesEdgesAndInsideIsABox) {
  const Matrix3 R = lie::so3::exp(Vector3(0.3, -0.7, 1.1));
  std::vector<Vector3> points;
  for (int i = 0; i < 27; ++i) {
    points.push_back(R * Vector3(i % 3, (i / 3) % 3, i / 9) + Vector3(5, -3, 0.1));
  }
  const Hull hull = convex_hull(points);
  ASSERT_TRUE(hull.is_there()) << hull.reason;
  EXPECT_EQ(hull.polytope.vertices.size(), 8U);
  EXPECT_EQ(hull.polytope.edges.size(), 12U);
  EXPECT_EQ(hull.polytope.faces.size(), 6U);
  expect_sound(hull.polytope, points);
}

TEST(ConvexHull, RandomPointsAreAllInside) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<Vector3> points;
  for (int i = 0; i < 200; ++i) points.emplace_back(normal(random), normal(random), normal(random));
  const Hull hull = convex_hull(points);
  ASSERT_TRUE(hull.is_there());
  expect_sound(hull.polytope, points);
}

TEST(ConvexHull, PrismHasPolygonsAsEnds) {
  std::vector<Vector3> points;
  for (int i = 0; i < 12; ++i) {
    const double angle = 2 * 3.14159265358979 * i / 12;
    for (const double z : {-0.5, 0.5}) points.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  const Hull hull = convex_hull(points);
  ASSERT_TRUE(hull.is_there());
  EXPECT_EQ(hull.polytope.faces.size(), 14U);
  expect_sound(hull.polytope, points);
}

TEST(ConvexHull, DegeneratePointsAreRefusedWithAReason) {
  using Points = std::vector<Vector3>;
  EXPECT_NE(convex_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).reason.find("at least 4"),
            std::string::npos);
  EXPECT_NE(convex_hull(Points(5, Vector3(1, 2, 3))).reason.find("are one"), std::string::npos);
  EXPECT_NE(convex_hull(Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}).reason.find("line"),
            std::string::npos);
  EXPECT_NE(
      convex_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-12}}).reason.find("plane"),
      std::string::npos);
  EXPECT_NE(convex_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, std::nan("")}})
                .reason.find("finite"),
            std::string::npos);
}

}  // namespace
}  // namespace saltus::hull_test
