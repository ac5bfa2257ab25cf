// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/surface_crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/lie/so3.hpp"
#include "tests/geometry/mesh_shapes.hpp"

namespace saltus::surface_crossing_test {
namespace {

using mesh_shapes::Mesh;

Mesh together(const Mesh& first, const Mesh& second, const Matrix3& R, const Vector3& p) {
  Mesh out = first;
  const auto n = static_cast<int>(first.vertices.size());
  for (const Vector3& x : second.vertices) out.vertices.emplace_back(R * x + p);
  for (const auto& t : second.triangles) out.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  return out;
}

std::optional<SurfaceCrossing> crossing(const Mesh& mesh) {
  return crossing_of(mesh.vertices, mesh.triangles);
}

TEST(SurfaceCrossing, ThereIsNoneOnGoodSurfaces) {
  EXPECT_FALSE(crossing(mesh_shapes::l_profile()));
  EXPECT_FALSE(crossing(mesh_shapes::stair()));
  EXPECT_FALSE(crossing(mesh_shapes::u_profile()));
  EXPECT_FALSE(crossing(mesh_shapes::torus(1, 0.3, 60, 30)));
  EXPECT_FALSE(crossing({}));
}

TEST(SurfaceCrossing, TwoBodiesInEachOtherAreOne) {
  const Mesh ring = mesh_shapes::torus(1, 0.3, 60, 30);
  const Matrix3 R = lie::so3::exp(Vector3(1.2, 0.3, 0.1));
  // Through the hole of each other like the links of a chain, and not.
  EXPECT_FALSE(crossing(together(ring, ring, lie::so3::exp(Vector3(1.5708, 0, 0)), {1, 0, 0})));
  EXPECT_FALSE(crossing(together(ring, ring, R, {3, 0, 0})));
  const auto found = crossing(together(ring, ring, R, {0.4, 0.1, 0}));
  ASSERT_TRUE(found);
  // Where it says, both surfaces are: the place is on the first or second ring.
  const Vector3 x = found->place;
  const double off = std::hypot(std::hypot(x.x(), x.y()) - 1, x.z());
  EXPECT_NEAR(off, 0.3, 0.01);
}

TEST(SurfaceCrossing, BodiesThatTouchDoNotCross) {
  const Mesh L = mesh_shapes::l_profile();
  EXPECT_FALSE(crossing(together(L, L, Matrix3::Identity(), {1, 0, 0})));
  EXPECT_TRUE(crossing(together(L, L, Matrix3::Identity(), {0.9, 0.1, 0.05})));
}

}  // namespace
}  // namespace saltus::surface_crossing_test
