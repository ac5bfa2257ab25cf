// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "saltus/model/collider.hpp"

namespace saltus {

/// A point of a collider that may touch a plane: a corner, or the centre of a sphere.
struct PointFeature {
  Vector3 position = Vector3::Zero();  ///< in the collider's frame, m
  double radius = 0;                   ///< 0 for a point
};

/// The plane of a half-space or face.
struct PlaneFeature {
  Matrix3 axes = Matrix3::Identity();          ///< columns t1, t2, n in the collider's frame
  Vector3 surface_velocity = Vector3::Zero();  ///< of the surface on its body, in t1, t2, n, m/s
  /// Half lengths of the face along t1 and t2; none: an infinite plane.
  std::optional<std::array<double, 2>> half_size = {};
};

/// What is round about an axis through the frame's origin: a cylinder, bore or groove.
struct AxialFeature {
  Matrix3 axes = Matrix3::Identity();  ///< columns in the collider's frame; z is the axis
  double radius = 0;
  double half_length = 0;  ///< of a cylinder or bore
  double ring_radius = 0;  ///< of a groove
};

/// Where a shape touches surfaces; empty for all but points, spheres and boxes.
std::vector<PointFeature> point_features(const Shape& shape);

/// The radius of a hollow sphere, if the shape is one.
std::optional<double> hollow_radius(const Shape& shape);

/// The axis of a shape, if it is round about one.
std::optional<AxialFeature> axial_feature(const Shape& shape);

/// The plane of a shape, if it is one.
std::optional<PlaneFeature> plane_feature(const Shape& shape);

/// A right-handed frame whose z is along `axis`; its x is the projection of the first of x, y, z
/// that is not nearly parallel to the axis.
Matrix3 frame_with_normal(const Vector3& axis);

}  // namespace saltus
