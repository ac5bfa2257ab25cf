// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "saltus/model/collider.hpp"

namespace saltus {

/// What is wrong with a surface of triangles, and what to do.
struct SurfaceFlaw {
  std::string key = "triangles";  ///< where it is: "vertices" or "triangles"
  std::string rule = {};
  std::string value = {};
  std::string remedy = {};
};

/// Triangles beyond which a mesh is refused.
constexpr std::size_t most_triangles = 1'000'000;

/// Why the triangles of a mesh are no closed surface of a body, anticlockwise from outside; none if
/// they are. Pieces that go through each other are not found.
std::optional<SurfaceFlaw> flaw_of(const MeshShape& mesh);

/// Whether no vertex of a closed mesh is above the plane of a triangle, to 1e-9 of its size: such a
/// mesh is the hull of its vertices.
bool is_convex(const MeshShape& mesh);

}  // namespace saltus
