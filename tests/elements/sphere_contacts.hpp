// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "saltus/elements/contact_element.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus::test {

using Kind = FeatureKind;

constexpr double round_off = 1e-13;
constexpr double far_enough = 0.5;  ///< m: normals vary over the distance of the centres

struct Shapes {
  const char* name;
  Kind first;
  double first_radius;
  double second_radius;
  Kind second = Kind::Sphere;
  double ring_radius = 0;
};
constexpr std::array all_shapes = {
    Shapes{"two spheres", Kind::Sphere, 0.7, 0.4},
    Shapes{"sphere and point", Kind::Sphere, 0.7, 0, Kind::Point},
    Shapes{"point and sphere", Kind::Point, 0, 0.4},
    Shapes{"inside", Kind::HollowSphere, 2, 0.4},
    Shapes{"point inside", Kind::HollowSphere, 2, 0, Kind::Point},
    Shapes{"on a plane", Kind::Plane, 0, 0.4},
    Shapes{"sphere in a bore", Kind::Tube, 2, 0.4},
    Shapes{"pin in a bore", Kind::Tube, 2, 0.4, Kind::PinEnd},
    Shapes{"bore about a pin", Kind::Rod, 0.7, 2, Kind::TubeRim},
    Shapes{"ball in a groove", Kind::Groove, 3, 0.4, Kind::Sphere, 4}};

inline ContactFeature feature(Kind kind, double radius, const FrameOnNode& frame) {
  return {.form = {.kind = kind, .radius = radius}, .frame = frame};
}

/// A contact with moments between two bodies at random places, their centres not too near.
struct RandomContact {
  RandomContact(Random& random, const Shapes& shapes) {
    const ContactFeature other = feature(shapes.second, shapes.second_radius, random.frame());
    ContactFeature surface = feature(shapes.first, shapes.first_radius, random.frame());
    surface.form.ring_radius = shapes.ring_radius;
    ring_radius = shapes.ring_radius;
    const FeaturePair features = touch(surface, other);
    element = features.element;
    element.has_moments = true;
    do {
      A = random.pose();
      B = random.pose();
    } while (is_near());
  }
  /// Normals vary over the distance from the core, and of a groove over that from the axis.
  bool is_near() const {
    const Vector3 d = place().d;
    if (is_plane()) return d.norm() < far_enough;
    const Vector3 axis = element.frame_A.E.col(2);
    const bool on_axis = ring_radius > 0 && axis.cross(d).norm() < far_enough;
    return on_axis || element.offset(d).norm() < far_enough;
  }
  bool is_plane() const { return std::holds_alternative<PlaneSurface>(element.surface); }
  /// As in (1s): < 0 inside.
  double radius_A() const { return std::get<SphereSurface>(element.surface).radius; }
  NodePair pair() const { return {A, B}; }
  ContactElement::Place place() const { return element.place(pair()); }
  /// Moves B along the normal until the surfaces touch.
  void close() {
    const Vector3 n = element.axes(pair()).col(0);
    B = B.translated(-element.gap(pair()) * n);
  }

  NodePose A, B;
  ContactElement element;
  double ring_radius = 0;
};

/// A test of all shapes, with random contacts.
template <class Test>
void for_all_shapes(unsigned seed, const Test& test) {
  Random random(seed);
  for (const Shapes& shapes : all_shapes) {
    SCOPED_TRACE(shapes.name);
    for (int i = 0; i < 20; ++i) test(random, RandomContact(random, shapes));
  }
}

/// The pose turned by the rotation vector `turn`, inertial components, about a point in space.
inline NodePose turned_about(const NodePose& pose, const Vector3& turn, const Vector3& centre) {
  const Matrix3 R = lie::so3::exp(turn);
  return carried(pose, R, centre - R * centre);
}

/// A unit vector across another.
inline Vector3 across(Random& random, const Vector3& n) {
  return n.cross(random.direction()).normalized();
}

}  // namespace saltus::test
