// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "saltus/geometry/polytope.hpp"

namespace saltus {

struct ConvexCore;

/// Where B is, seen from A: what is x in B's axes is R x + p in A's.
struct RelativePose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  Vector3 point(const Vector3& x) const { return R * x + p; }
  /// Where A is, seen from B.
  RelativePose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// What a part of a core is.
enum class CoreFeatureKind : std::int8_t {
  Vertex,  ///< a point
  Edge,    ///< a straight line; its ends do not count, for next to them others touch
  Face,    ///< a plane, solid on the side away from the normal; its border does not count
  Circle,  ///< a rim: the edge between the end face and the side of a cylinder or cone
  Core,    ///< a whole polytope, point or segment, that is outside of what it touches
};

/// A part of a convex core, in the axes of its collider, without memory of its own. The shape is
/// the core and everything nearer to it than `radius`.
struct CoreFeature {
  CoreFeatureKind kind = CoreFeatureKind::Vertex;
  double radius = 0;  ///< of the sphere that rounds it; of a cylinder's side its own
  double extent = 0;  ///< half the length of an edge, the radius of a circle
  Vector3 position = Vector3::Zero();  ///< vertex, middle of an edge, point on a face, centre
  Vector3 axis = Vector3::UnitZ();     ///< along an edge, normal of a face, of a circle outwards
  /// Of an edge: a direction out of the solid, which says on what side the other is. Zero: none, it
  /// is a segment with nothing on either side; of two such the configuration says it.
  Vector3 outward = Vector3::Zero();
  /// Of the two places where a circle may cross over an edge or another circle, which: 1 the one
  /// farther along the edge, or left of the way to the other's centre, seen from the axis; −1.
  int way = 1;
  const ConvexCore* core = nullptr;  ///< of a core, and of the face of a plane
};

/// Where two features are nearest. All in A's axes. For every motion the gap's rate is
/// n · (v_B(point_B) − v_A(point_A)): point_B − point_A = gap · normal, and both surfaces are at
/// right angles to the normal there, or the normal to both edges.
struct Touch {
  Vector3 point_A = Vector3::Zero();  ///< on A's surface, rounding included
  Vector3 point_B = Vector3::Zero();  ///< on B's surface
  Vector3 normal = Vector3::UnitZ();  ///< from A towards B
  double gap = 0;
};

/// The touch of two features at any pose near the one where they were found. Defined for
/// Vertex with Vertex, Edge, Face, Core; Edge with Edge; Circle with Face, Edge, Circle; in either
/// order. Edges that are parallel to 1e-9 touch half-way along what they have in common.
Touch touch(const CoreFeature& a, const CoreFeature& b, const RelativePose& B_in_A);

/// ∂n/∂p, how the normal turns with a shift of B, at the touch t: symmetric. 0 for planes and sharp
/// edges.
Matrix3 touch_curvature(const CoreFeature& a, const CoreFeature& b, const RelativePose& B_in_A,
                        const Touch& t);

}  // namespace saltus
