// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus {

/// What colliders touch with. Every shape says which of these it has (`features` in collider.hpp);
/// where they are on it: geometry/features.hpp.
enum class FeatureKind {
  Point,
  Sphere,
  Corner,  ///< of a box, convex or mesh, may be rounded; the end of a capsule
  Plane,
  HollowSphere,  ///< a sphere from inside
  Rod,           ///< the curved surface of a cylinder, in a bore
  Tube,          ///< the same from inside: a bore
  Groove,        ///< a torus from inside
  PinEnd,        ///< the rim at the end of a cylinder, in a bore
  TubeRim,       ///< the rim at the end of a bore, about a cylinder
};
inline constexpr int feature_kind_count = 10;

/// A centre and a radius, if any: what the grid of the search finds.
constexpr bool is_round(FeatureKind kind) {
  return kind == FeatureKind::Point || kind == FeatureKind::Sphere || kind == FeatureKind::Corner;
}

constexpr bool is_rim(FeatureKind kind) {
  return kind == FeatureKind::PinEnd || kind == FeatureKind::TubeRim;
}

/// What can touch what, said here and nowhere else: whether `surface` is what the other touches.
/// Two spheres are both.
constexpr bool is_touched(FeatureKind surface, FeatureKind other) {
  using enum FeatureKind;
  switch (surface) {
    case Plane:
    case HollowSphere:
      return is_round(other);
    case Sphere:
      return other == Point || other == Sphere;
    case Rod:
      return other == TubeRim;
    case Tube:
      return other == Point || other == Sphere || other == PinEnd;
    case Groove:
      return other == Sphere;
    case Point:
    case Corner:
    case PinEnd:
    case TubeRim:
      return false;
  }
  return false;
}

constexpr bool can_touch(FeatureKind a, FeatureKind b) {
  return is_touched(a, b) || is_touched(b, a);
}

/// The same in words, for those whose shapes cannot touch.
inline constexpr const char* kinds_that_touch =
    "a point, sphere, capsule, box, cylinder, convex or mesh touches a half_space or face, and any "
    "two of them but two points touch each other; all but a cylinder may be inside of a "
    "hollow_sphere; a sphere, point or cylinder touches a bore from inside, a sphere a groove";

}  // namespace saltus
