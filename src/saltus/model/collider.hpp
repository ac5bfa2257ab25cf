// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/model/feature_kind.hpp"
#include "saltus/model/frame.hpp"

namespace saltus {

// Shapes stand in the axes of their collider's frame, at its origin. `features`: what a shape
// touches with; feature_kind.hpp says what that can touch. `is_solid`: bodies with a surface all
// round, any two of which touch; their points change with the configuration
// (geometry/README.md).

/// The field that solid shapes share: they grow by a sphere.
template <class Solid>
constexpr void rounding_field(auto&& field) {
  field("rounding", &Solid::rounding,
        "radius of a sphere by which the shape grows on all sides: its edges and corners are "
        "rounded",
        "m", non_negative);
}

/// The frame's origin.
struct PointShape {
  static constexpr const char* type_name = "point";
  static constexpr FeatureKind features[] = {FeatureKind::Point};
  static constexpr bool is_solid = true;

  static constexpr void fields(auto&&) {}
};

struct Sphere {
  static constexpr const char* type_name = "sphere";
  static constexpr FeatureKind features[] = {FeatureKind::Sphere};
  static constexpr bool is_solid = true;
  double radius = 0;
  double rounding = 0;

  /// Of the surface.
  double outer_radius() const { return radius + rounding; }

  static constexpr void fields(auto&& field) {
    field("radius", &Sphere::radius, "radius about the frame's origin", "m", required & positive);
    rounding_field<Sphere>(field);
  }
};

/// All points at a distance from a straight line between two centres.
struct Capsule {
  static constexpr const char* type_name = "capsule";
  static constexpr FeatureKind features[] = {FeatureKind::Corner};
  static constexpr bool is_solid = true;
  double radius = 0;
  double length = 0;
  Direction axis = {};
  double rounding = 0;

  double outer_radius() const { return radius + rounding; }

  static constexpr void fields(auto&& field) {
    field("radius", &Capsule::radius, "radius about the line between the two centres", "m",
          required & positive);
    field("length", &Capsule::length,
          "between the centres of its round ends, centred on the frame's origin", "m",
          required & positive);
    field("axis", &Capsule::axis,
          "direction of that line through the frame's origin, in the frame's axes");
    rounding_field<Capsule>(field);
  }
};

/// The inside of a sphere: what is in it stays in it. From outside nothing touches it.
struct HollowSphereShape {
  static constexpr const char* type_name = "hollow_sphere";
  static constexpr FeatureKind features[] = {FeatureKind::HollowSphere};
  double radius = 0;

  static constexpr void fields(auto&& field) {
    field("radius", &HollowSphereShape::radius,
          "radius about the frame's origin; a sphere, point or box may be inside", "m",
          required & positive);
  }
};

/// A box touches planes with its eight corners.
struct Box {
  static constexpr const char* type_name = "box";
  static constexpr FeatureKind features[] = {FeatureKind::Corner};
  static constexpr bool is_solid = true;
  Vector3 size = Vector3::Zero();
  double rounding = 0;

  static constexpr void fields(auto&& field) {
    field("size", &Box::size,
          "lengths of the edges along the frame's x, y, z; the centre is the "
          "frame's origin; a box touches half-spaces and faces with its 8 corners",
          "m", required & positive);
    rounding_field<Box>(field);
  }
};

/// The convex hull of points.
struct Convex {
  static constexpr const char* type_name = "convex";
  static constexpr FeatureKind features[] = {FeatureKind::Corner};
  static constexpr bool is_solid = true;
  std::vector<Vector3> points = {};
  double rounding = 0;

  static constexpr void fields(auto&& field) {
    field("points", &Convex::points,
          "[[x, y, z], …] in the frame's axes, four or more that are not in one plane: the shape "
          "is their convex hull; points inside of it change nothing",
          "m", required);
    rounding_field<Convex>(field);
  }
};

/// The closed surface of a body in triangles, from a file or given here. What comes from a file is
/// in `vertices` and `triangles`, too, in metres; the reader puts it there.
struct MeshShape {
  static constexpr const char* type_name = "mesh";
  static constexpr FeatureKind features[] = {FeatureKind::Corner};
  static constexpr bool is_solid = true;
  std::optional<std::string> path = {};
  double scale = 1;
  std::vector<Vector3> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};
  double rounding = 0;

  static constexpr void fields(auto&& field) {
    field(
        "path", &MeshShape::path,
        "name of a file of type .stl, .obj or .ply that the triangles come from, as seen from the "
        "model file; or give `vertices` and `triangles`");
    field("scale", &MeshShape::scale,
          "metres per unit of length in the file, or of `vertices`: 0.001 for mm", "", positive);
    field("vertices", &MeshShape::vertices, "[[x, y, z], …] in the frame's axes", "m");
    field("triangles", &MeshShape::triangles,
          "[[i, j, k], …]: the vertices of each triangle, counted from 0, anticlockwise seen from "
          "outside",
          "", non_negative);
    rounding_field<MeshShape>(field);
  }
};

/// The three fields that cylinders and bores share.
template <class Round>
constexpr void cylinder_fields(const char* radius, const char* length, Rule rule, auto&& field) {
  field("radius", &Round::radius, radius, "m", required & positive);
  field("length", &Round::length, length, "m", required & rule);
  field("axis", &Round::axis,
        "direction of the axis through the frame's origin, in the frame's axes");
}

/// A pin, shaft or roller: in a bore it touches with its two ends, and the bore's rims touch it.
/// From outside it is a solid with flat ends.
struct Cylinder {
  static constexpr const char* type_name = "cylinder";
  static constexpr FeatureKind features[] = {FeatureKind::Rod, FeatureKind::PinEnd};
  static constexpr bool is_solid = true;
  double radius = 0;
  double length = 0;
  Direction axis = {};
  double rounding = 0;

  static constexpr void fields(auto&& field) {
    cylinder_fields<Cylinder>(
        "radius of the curved surface",
        "length, centred on the frame's origin; 0: a disc, which touches bores only, in one point",
        non_negative, field);
    rounding_field<Cylinder>(field);
  }
};

/// A cylindrical hole: a cylinder, sphere or point may be inside. From outside nothing touches it.
struct Bore {
  static constexpr const char* type_name = "bore";
  static constexpr FeatureKind features[] = {FeatureKind::Tube, FeatureKind::TubeRim};
  double radius = 0;
  double length = 0;
  Direction axis = {};

  static constexpr void fields(auto&& field) {
    cylinder_fields<Bore>("radius of the hole", "length, centred on the frame's origin", positive,
                          field);
  }
};

/// Which part of a toroidal groove there is.
enum class GrooveOpening { Closed, Outwards, Inwards };

template <>
struct EnumNames<GrooveOpening> {
  static constexpr const char* names[] = {"closed", "outwards", "inwards"};
};

/// A toroidal groove, the race of a ball bearing: a sphere may run in it.
struct Groove {
  static constexpr const char* type_name = "groove";
  static constexpr FeatureKind features[] = {FeatureKind::Groove};
  double radius = 0;
  double ring_radius = 0;
  Direction axis = {};
  GrooveOpening opening = GrooveOpening::Closed;

  static constexpr void fields(auto&& field) {
    field("radius", &Groove::radius, "of the groove's section", "m", required & positive);
    field("ring_radius", &Groove::ring_radius,
          "of the circle on which the centres of the sections lie", "m", required & positive);
    field("axis", &Groove::axis,
          "axis of that circle about the frame's origin, in the frame's axes");
    field("opening", &Groove::opening,
          "closed: a whole tube; outwards: the half next to the axis, as of an inner race; "
          "inwards: the half away from the axis, as of an outer race");
  }
};

/// The two fields that planes share.
template <class Plane>
constexpr void plane_fields(auto&& field) {
  field("normal", &Plane::normal,
        "outward normal of the plane through the frame's origin, in the frame's axes; the solid "
        "is on the other side");
  field("surface_velocity", &Plane::surface_velocity,
        "velocity of the surface over the frame, in the frame's axes and along the plane: "
        "a running belt",
        "m/s");
}

/// Everything on one side of a plane.
struct HalfSpace {
  static constexpr const char* type_name = "half_space";
  static constexpr FeatureKind features[] = {FeatureKind::Plane};
  Direction normal = {};
  Vector3 surface_velocity = Vector3::Zero();

  static constexpr void fields(auto&& field) { plane_fields<HalfSpace>(field); }
};

/// A plane that moves with its body, or a rectangle of it.
struct Face {
  static constexpr const char* type_name = "face";
  static constexpr FeatureKind features[] = {FeatureKind::Plane};
  Direction normal = {};
  std::optional<Eigen::Vector2d> size = {};
  Vector3 surface_velocity = Vector3::Zero();

  static constexpr void fields(auto&& field) {
    plane_fields<Face>(field);
    field("size", &Face::size,
          "lengths of the two edges, centred on the frame's origin: the first along "
          "the frame's x (its y if |n_x| > 0.9) projected on the plane, the second "
          "along normal × first; an infinite plane if not given",
          "m", positive);
  }
};

using Shape = std::variant<PointShape, Sphere, Box, HalfSpace, Face, HollowSphereShape, Cylinder,
                           Bore, Groove, Capsule, Convex, MeshShape>;

/// A surface, or a point, that can touch others; fixed on a body or on the ground.
struct Collider {
  std::string name = {};
  Frame frame = {};
  Shape shape = {};

  static constexpr void fields(auto&& field) {
    field("name", &Collider::name, "what contacts call it; `collider<index>` if not given");
    field("frame", &Collider::frame, "the body that carries it, and the place on it", "", required);
    field("shape", &Collider::shape,
          "a point, sphere, capsule, box, cylinder, convex, mesh, half_space, face, hollow_sphere, "
          "bore or groove",
          "", required);
  }
};

}  // namespace saltus
