// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/geometry/core_feature.hpp"

namespace saltus {

/// Where a circle and an edge, or two circles, are nearest, both in the same axes.
struct CirclePair {
  Vector3 a = Vector3::Zero();          ///< on the circle
  Vector3 b = Vector3::Zero();          ///< on the other
  Vector3 normal = Vector3::UnitZ();    ///< out of the first, at right angles to both tangents
  Matrix3 curvature = Matrix3::Zero();  ///< ∂normal/∂p for a shift p of the second; 0 of circles
};

/// The point of the circle that is least along n; where the circle is parallel to the plane, any.
Vector3 lowest_on_circle(const CoreFeature& circle, const Vector3& n);

/// Places where the distance is least: the way of the circle says which of two.
CirclePair circle_edge(const CoreFeature& circle, const CoreFeature& edge);
CirclePair circle_circle(const CoreFeature& a, const CoreFeature& b);

}  // namespace saltus
