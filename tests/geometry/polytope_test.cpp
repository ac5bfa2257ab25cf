// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/polytope.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(Polytope, BoxIsClosedAndFacesPointOutwards) {
  const Vector3 size(1, 2, 3);
  const Polytope box = box_polytope(size);
  EXPECT_EQ(box.vertices.size(), 8U);
  EXPECT_EQ(box.edges.size(), 12U);
  ASSERT_EQ(box.faces.size(), 6U);
  for (const Polytope::Edge& edge : box.edges) {
    EXPECT_GE(edge.faces[0], 0);
    EXPECT_GE(edge.faces[1], 0);
    EXPECT_NE(edge.faces[0], edge.faces[1]);
  }
  for (const Polytope::Face& face : box.faces) {
    EXPECT_DOUBLE_EQ(face.offset, face.normal.cwiseAbs().dot(size) / 2);
    for (const Vector3& x : box.vertices) EXPECT_LE(face.normal.dot(x), face.offset);
  }
}

TEST(Polytope, LeftOfAnEdgeIsTheFaceItRunsRoundAnticlockwise) {
  const Polytope box = box_polytope({1, 1, 1});
  for (const Polytope::Edge& edge : box.edges) {
    const Vector3& a = box.vertices[static_cast<std::size_t>(edge.vertices[0])];
    const Vector3& b = box.vertices[static_cast<std::size_t>(edge.vertices[1])];
    const Polytope::Face& left = box.faces[static_cast<std::size_t>(edge.faces[0])];
    const Polytope::Face& right = box.faces[static_cast<std::size_t>(edge.faces[1])];
    // Inwards on the left face is left of the edge, seen from outside.
    EXPECT_GT(left.normal.cross(b - a).dot(-(a + b)), 0);
    EXPECT_GT(right.normal.cross(a - b).dot(-(a + b)), 0);
  }
}

}  // namespace
}  // namespace saltus
