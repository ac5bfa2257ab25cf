// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "saltus/model/frame.hpp"

namespace saltus {

// Shapes stand in the axes of their collider's frame, at its origin.

/// The frame's origin.
struct PointShape {
  static constexpr const char* type_name = "point";

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct Sphere {
  static constexpr const char* type_name = "sphere";
  double radius = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"radius", &Sphere::radius, "radius about the frame's origin", "m",
                            required & positive}};
  }
};

/// The inside of a sphere: what is in it stays in it. From outside nothing touches it.
struct HollowSphereShape {
  static constexpr const char* type_name = "hollow_sphere";
  double radius = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"radius", &HollowSphereShape::radius,
                            "radius about the frame's origin; a sphere, point or box may be inside",
                            "m", required & positive}};
  }
};

/// A box touches planes with its eight corners.
struct Box {
  static constexpr const char* type_name = "box";
  Vector3 size = Vector3::Zero();

  static constexpr auto fields() {
    return std::tuple{Field{"size", &Box::size,
                            "lengths of the edges along the frame's x, y, z; the centre is the "
                            "frame's origin; a box touches with its 8 corners",
                            "m", required & positive}};
  }
};

/// The two fields that planes share.
template <class Plane>
constexpr auto plane_fields() {
  return std::tuple{
      Field{
          "normal", &Plane::normal,
          "outward normal of the plane through the frame's origin, in the frame's axes; the solid "
          "is on the other side"},
      Field{"surface_velocity", &Plane::surface_velocity,
            "velocity of the surface over the frame, in the frame's axes and along the plane: "
            "a running belt",
            "m/s"}};
}

/// Everything on one side of a plane.
struct HalfSpace {
  static constexpr const char* type_name = "half_space";
  Direction normal = {};
  Vector3 surface_velocity = Vector3::Zero();

  static constexpr auto fields() { return plane_fields<HalfSpace>(); }
};

/// A plane that moves with its body, or a rectangle of it.
struct Face {
  static constexpr const char* type_name = "face";
  Direction normal = {};
  std::optional<Eigen::Vector2d> size = {};
  Vector3 surface_velocity = Vector3::Zero();

  static constexpr auto fields() {
    return std::tuple_cat(
        plane_fields<Face>(),
        std::tuple{Field{"size", &Face::size,
                         "lengths of the two edges, centred on the frame's origin: the first along "
                         "the frame's x (its y if |n_x| > 0.9) projected on the plane, the second "
                         "along normal × first; an infinite plane if not given",
                         "m", positive}});
  }
};

using Shape = std::variant<PointShape, Sphere, Box, HalfSpace, Face, HollowSphereShape>;

/// A surface, or a point, that can touch others; fixed on a body or on the ground.
struct Collider {
  std::string name = {};
  Frame frame = {};
  Shape shape = {};

  static constexpr auto fields() {
    return std::tuple{
        Field{"name", &Collider::name, "what contacts call it; `collider<index>` if not given"},
        Field{"frame", &Collider::frame, "the body that carries it, and the place on it", "",
              required},
        Field{"shape", &Collider::shape, "a point, sphere, box, half_space, face or hollow_sphere",
              "", required}};
  }
};

}  // namespace saltus
