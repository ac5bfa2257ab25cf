// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "saltus/geometry/convex_core.hpp"

namespace saltus {

/// Of a body of density 1.
struct VolumeProperties {
  double volume = 0;                  ///< m³
  Vector3 centre = Vector3::Zero();   ///< of mass, in the shape's axes, m
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre, in the shape's axes, m⁵
};

/// Of a closed surface of triangles, anticlockwise from outside: exact (divergence theorem). An
/// inside-out surface has a negative volume.
VolumeProperties volume_properties(std::span<const Vector3> vertices,
                                   std::span<const std::array<int, 3>> triangles);

/// Of a convex shape with its rounding: of polytopes, cylinders, cones exact; what the rounding
/// adds to 1e-12 of the whole.
VolumeProperties volume_properties(const ConvexCore& core);

}  // namespace saltus
