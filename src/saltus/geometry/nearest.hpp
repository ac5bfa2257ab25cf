// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/geometry/convex_core.hpp"

namespace saltus {

/// Where a core is nearest to a point.
struct Nearest {
  /// What of the core it is on.
  enum class Region : std::int8_t { Vertex, Edge, Face, Side, Rim };

  Vector3 point = Vector3::Zero();    ///< on the surface of the core
  Vector3 normal = Vector3::UnitZ();  ///< outwards, through the point asked for
  double distance = 0;                ///< < 0: the point asked for is inside; then the least depth
  Region region = Region::Vertex;
  /// How the normal turns when x moves along the unit vector `along`, at right angles to the
  /// normal, and across it, 1/m.
  Vector3 along = Vector3::Zero();
  double bend_along = 0, bend_across = 0;

  /// ∂normal/∂x.
  Matrix3 curvature() const {
    const Vector3 across = normal.cross(along);
    return bend_along * along * along.transpose() + bend_across * across * across.transpose();
  }
};

/// Of a polytope, point, segment or round core without its rounding. Outside, the distance and the
/// nearest point are continuous, and so is the normal, which is the gradient of the distance.
/// Inside it is the face of least depth.
Nearest nearest(const ConvexCore& core, const Vector3& x);

}  // namespace saltus
