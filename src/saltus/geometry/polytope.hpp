// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "saltus/model/types.hpp"

namespace saltus {

/// A convex body with flat faces, in the axes of its collider: the core of a shape, which may be
/// rounded by a sphere. A point and a segment are polytopes, too: with vertices, an edge, no faces.
/// Indices of vertices, edges and faces name features for the whole run.
struct Polytope {
  struct Edge {
    std::array<int, 2> vertices = {};
    std::array<int, 2> faces = {-1, -1};  ///< left and right of it, seen from outside; −1: none
  };
  struct Face {
    Vector3 normal = Vector3::UnitZ();  ///< outwards, of length 1
    double offset = 0;                  ///< normal · x on the face
    int first = 0, count = 0;           ///< of its corners in `loops`, anticlockwise from outside
  };

  std::vector<Vector3> vertices = {};
  std::vector<Edge> edges = {};
  std::vector<Face> faces = {};
  std::vector<int> loops = {};  ///< corners of all faces, one face after the other
  /// Half the lengths of the edges of a box about the origin along the axes; 0: it is none. What is
  /// nearest or farthest is then known at once.
  Vector3 box = Vector3::Zero();

  bool is_box() const { return box.x() > 0; }
};

/// From vertices and the corners of each face, anticlockwise from outside.
/// @pre the faces are flat and close a convex body.
Polytope make_polytope(std::vector<Vector3> vertices, const std::vector<std::vector<int>>& faces);

/// Centred on the origin, with edges along the axes; corners in the order of their signs, x first.
Polytope box_polytope(const Vector3& size);

}  // namespace saltus
