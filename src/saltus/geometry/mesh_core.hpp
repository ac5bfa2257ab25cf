// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "saltus/geometry/box_tree.hpp"
#include "saltus/geometry/convex_core.hpp"

namespace saltus {

/// What a search needs of a surface that need not be convex, beside the vertices, edges and faces
/// that its polytope names. Faces are plane regions of any outline, with holes perhaps, that are
/// made of triangles; edges between triangles of one region are no edges.
struct MeshCore {
  /// What an edge of a triangle is.
  enum class Border : std::int8_t {
    Inner,   ///< within a region
    Convex,  ///< to another region, the solid bends away
    Concave  ///< the solid comes up on the other side: no one gets round it
  };
  struct Triangle {
    std::array<Vector3, 3> corners = {};  ///< anticlockwise from outside
    std::array<Border, 3> borders = {};   ///< from corner k to k + 1
    /// Of the corners: whether the solid comes up along all borders of the face that end there.
    std::array<bool, 3> in_pit = {};
    int face = 0;
  };

  std::vector<Triangle> triangles = {};
  std::vector<char> is_convex_edge = {};  ///< of the polytope's edges
  /// Of the polytope's vertices: whether a plane can touch there and nowhere near.
  std::vector<char> is_tip = {};
  /// Directions of the edges away from each vertex, those of one after those of the other.
  std::vector<Vector3> ways = {};
  std::vector<int> first_way = {};  ///< one more than there are vertices
  /// In the planes of an edge's faces, at right angles to it, into the left and right face; 0: it
  /// has no faces.
  std::vector<std::array<Vector3, 2>> into_faces = {};
  BoxTree triangle_tree = {}, edge_tree = {}, vertex_tree = {};
  std::vector<int> edge_items = {}, vertex_items = {};  ///< what the items of the trees are

  std::span<const Vector3> ways_at(int vertex) const {
    const auto first = static_cast<std::size_t>(first_way[static_cast<std::size_t>(vertex)]);
    const auto end = static_cast<std::size_t>(first_way[static_cast<std::size_t>(vertex) + 1]);
    return std::span(ways).subspan(first, end - first);
  }
};

/// A closed surface in triangles, anticlockwise from outside, as a core. Triangles next to each
/// other that are in one plane to 1e-7 of the size, the accuracy of files, are one face; edges and
/// vertices within faces, and vertices within straight edges, are none.
ConvexCore mesh_core(std::span<const Vector3> vertices,
                     std::span<const std::array<int, 3>> triangles, double rounding);

/// How far a point is inside of a solid without its rounding: the distance to the nearest place of
/// the surface; 0 outside. Of a mesh every triangle is looked at.
double depth_inside(const ConvexCore& core, const Vector3& x);

/// Gives a convex polytope what a search against a mesh needs.
void add_surface(ConvexCore& core);

}  // namespace saltus
