// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/geometry/core_feature.hpp"

namespace saltus {

/// A cylinder, cone or frustum: discs about the axis at ± half_length, radius[0] at the lower end.
struct RoundCore {
  Vector3 axis = Vector3::UnitZ();
  double half_length = 0;
  std::array<double, 2> radius = {};

  bool is_cylinder() const { return radius[0] == radius[1]; }
};

/// Points on each rim that stand for it where it lies flat.
constexpr int rim_points = 16;

/// A convex shape: a polytope (point, segment, box, hull) or a round core, in the axes of its
/// collider, and the radius of the sphere that is added to it. Pairs and features keep pointers to
/// it: it must not move while they live.
struct ConvexCore {
  Polytope polytope = {};
  std::optional<RoundCore> round = {};  ///< then the polytope is empty
  double radius = 0;                    ///< rounding; of a sphere or capsule its radius
  Vector3 centre = Vector3::Zero();     ///< of a sphere about the shape, rounding included
  double bound = 0;                     ///< its radius
  double size = 0;                      ///< the length that tolerances are measured by

  /// Of a round core: `rim_points` fixed points on each rim, the ends as faces, the side of a
  /// cylinder as an edge.
  int vertex_count() const;
  int edge_count() const;
  int face_count() const;
  int rim_count() const { return round ? 2 : 0; }
  CoreFeature vertex(int i) const;
  CoreFeature edge(int i) const;
  CoreFeature face(int i) const;
  CoreFeature whole() const;
  /// Of a round core: the rim at the lower end (0) or upper end (1).
  CoreFeature rim(int i) const;
};

ConvexCore sphere_core(double radius);
/// `length` is between the centres of its ends.
ConvexCore capsule_core(double radius, double length, const Vector3& axis);
ConvexCore box_core(const Vector3& size, double rounding);
ConvexCore polytope_core(Polytope polytope, double rounding);
ConvexCore round_core(const RoundCore& round, double rounding);

}  // namespace saltus
