// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "saltus/model/collider.hpp"

namespace saltus {

/// What a feature is like, wherever it is. Lengths that its kind does not have are 0.
struct FeatureForm {
  FeatureKind kind = FeatureKind::Point;
  double radius = 0;                              ///< 0: a point
  double half_length = 0;                         ///< of a rod or tube
  double ring_radius = 0;                         ///< of a groove: of its sections' centres
  GrooveOpening opening = GrooveOpening::Closed;  ///< of a groove
  Vector3 surface_velocity = Vector3::Zero();     ///< of a plane, in (n, t1, t2), n being 0, m/s
  std::optional<std::array<double, 2>> half_size = {};  ///< of a face; none: an infinite plane
};

/// What a shape touches with: a point, rim or surface.
struct Feature {
  FeatureForm form = {};
  /// Columns in the collider's frame: of a plane (t1, t2, n), of what is round about an axis z is
  /// it.
  Matrix3 axes = Matrix3::Identity();
  Vector3 position = Vector3::Zero();  ///< of its centre, in its own axes, m
};

/// All features of a shape, always in the same order: points of contact are named after it.
std::vector<Feature> features_of(const Shape& shape);

/// The plane of a half-space or face.
struct PlaneFeature {
  Matrix3 axes = Matrix3::Identity();          ///< columns t1, t2, n in the collider's frame
  Vector3 surface_velocity = Vector3::Zero();  ///< of the surface on its body, in t1, t2, n, m/s
  /// Half lengths of the face along t1 and t2; none: an infinite plane.
  std::optional<std::array<double, 2>> half_size = {};
};

/// The plane of a shape, if it is one.
std::optional<PlaneFeature> plane_feature(const Shape& shape);

/// Axes of a shape in its frame: z is its axis or normal, if it has one.
Matrix3 axes_of(const Shape& shape);

/// A right-handed frame whose z is along `axis`; its x is the projection of the first of x, y, z
/// that is not nearly parallel to the axis.
Matrix3 frame_with_normal(const Vector3& axis);

}  // namespace saltus
