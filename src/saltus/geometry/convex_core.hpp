// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
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

/// A plane, or a rectangle of it that is felt from above only. Only cylinders touch it as a solid:
/// of other shapes every point of contact is a point of theirs.
struct PlaneCore {
  Matrix3 axes = Matrix3::Identity();          ///< columns t1, t2, n
  Vector3 surface_velocity = Vector3::Zero();  ///< in (n, t1, t2), n being 0, m/s
  std::optional<std::array<double, 2>> half_size = {};

  bool is_above(const Vector3& x) const {
    if (!half_size) return true;
    return std::abs(axes.col(0).dot(x)) <= (*half_size)[0] &&
           std::abs(axes.col(1).dot(x)) <= (*half_size)[1];
  }
};

/// Points on each rim that stand for it where it lies flat.
constexpr int rim_points = 16;

struct MeshCore;

/// A convex shape: a polytope (point, segment, box, hull), a round core or a plane, in the axes of
/// its collider, and the radius of the sphere that is added to it. Or the surface of a body that is
/// not convex (`is_mesh`), of which the polytope has vertices, edges and the planes of faces only.
/// Pairs and features keep pointers to it: it must not move while they live.
struct ConvexCore {
  Polytope polytope = {};
  std::optional<RoundCore> round = {};  ///< then the polytope is empty
  std::optional<PlaneCore> plane = {};  ///< the same; it has no size
  double radius = 0;                    ///< rounding; of a sphere or capsule its radius
  Vector3 centre = Vector3::Zero();     ///< of a sphere about the shape, rounding included
  double bound = 0;                     ///< its radius
  double size = 0;                      ///< the length that tolerances are measured by
  /// Of a mesh, and of what touches one (mesh_core.hpp).
  std::shared_ptr<const MeshCore> surface = {};
  bool is_mesh = false;  ///< whether it need not be convex

  /// Of a round core: `rim_points` fixed points on each rim, the ends as faces, the side of a
  /// cylinder as an edge.
  int vertex_count() const;
  int edge_count() const;
  int face_count() const;
  int rim_count() const { return round ? 2 : 0; }
  /// A point or sphere.
  bool is_dot() const { return polytope.vertices.size() == 1; }
  /// With which it rolls: of a cylinder its own, else that of the rounding; 0: it has edges.
  double rolling_radius() const {
    return round ? std::max(round->radius[0], round->radius[1]) + radius : radius;
  }
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
ConvexCore plane_core(const PlaneCore& plane);

}  // namespace saltus
