// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "saltus/geometry/convex_core.hpp"
#include "saltus/model/collider.hpp"

namespace saltus {

/// What a shape touches other solids with, in the axes of its collider, a plane cylinders; none if
/// it is neither.
std::optional<ConvexCore> core_of(const Shape& shape);

/// A surface in triangles, anticlockwise from outside.
struct Triangles {
  std::vector<Vector3> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};
};
/// The surface of the hull, without its rounding.
Triangles triangles_of(const Convex& shape);

}  // namespace saltus
