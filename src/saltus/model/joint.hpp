// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/model/coupling.hpp"
#include "saltus/model/frame.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// Imposes the joint coordinate: angle (rad) or displacement (m) of the second body relative to the
/// first, zero at the initial pose.
struct Position {
  static constexpr const char* type_name = "position";
  TimeFunction value = 0.0;

  static constexpr void fields(auto&& field) {
    field("value", &Position::value,
          "joint coordinate as a function of time, zero at the initial pose", "rad or m", required);
  }
};

/// Imposes the rate of the joint coordinate.
struct Speed {
  static constexpr const char* type_name = "speed";
  TimeFunction value = 0.0;

  static constexpr void fields(auto&& field) {
    field("value", &Speed::value, "rate of the joint coordinate as a function of time",
          "rad/s or m/s", required);
  }
};

using Drive = std::variant<Position, Speed>;

/// How far a joint coordinate may go, as with a drive: zero at the initial pose, of a `distance`
/// the length. It stops there without getting further, and impacts with restitution.
struct Limits {
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  double restitution = 0;

  static constexpr void fields(auto&& field) {
    field("lower", &Limits::lower, "least value of the coordinate; none if not given", "rad or m");
    field("upper", &Limits::upper, "largest value of the coordinate; none if not given",
          "rad or m");
    field("restitution", &Limits::restitution,
          "rate after an impact on the stop over that before it", "", within(0, 1));
  }
};

/// Of a joint that turns and slides.
struct CylindricalLimits {
  std::optional<Limits> angle = {};
  std::optional<Limits> displacement = {};

  static constexpr void fields(auto&& field) {
    field("angle", &CylindricalLimits::angle, "how far it turns about `axis`, rad");
    field("displacement", &CylindricalLimits::displacement, "how far it slides along `axis`, m");
  }
};

/// Of the two arms of a cross.
struct UniversalLimits {
  std::optional<Limits> angle_1 = {};
  std::optional<Limits> angle_2 = {};

  static constexpr void fields(auto&& field) {
    field("angle_1", &UniversalLimits::angle_1,
          "how far the cross turns about `axis` against the first body, rad");
    field("angle_2", &UniversalLimits::angle_2,
          "how far the second body turns about `axis_2` against the cross, rad");
  }
};

/// Coulomb friction of a joint against its own motion: what it resists with at most follows the
/// joint's reaction (`coefficient`), or is given (`torque`, `force`).
struct JointFriction {
  std::optional<double> coefficient = {};
  std::optional<double> radius = {};
  std::optional<double> length = {};
  std::optional<double> torque = {};
  std::optional<double> force = {};

  static constexpr void fields(auto&& field) {
    field("coefficient", &JointFriction::coefficient,
          "coefficient of friction μ: the bound follows the joint's own reaction", "",
          non_negative);
    field("radius", &JointFriction::radius,
          "of the pin, collar or ball r; `revolute`, `spherical`: the moment is at most μ r |F|; "
          "`cylindrical`: force and moment over r together are at most μ |F|",
          "m", positive);
    field("length", &JointFriction::length,
          "of the guide l; `prismatic`: the force is at most μ (|F| + 2 |M| / l), without it μ |F|",
          "m", positive);
    field("torque", &JointFriction::torque,
          "largest moment, instead of `coefficient`; of joints that turn", "N m", non_negative);
    field("force", &JointFriction::force,
          "largest force, instead of `coefficient`; of joints that slide", "N", non_negative);
  }
};

// Every joint is placed in one of two ways:
//   bodies + at (+ axis): place and axis in the inertial frame at the initial pose, or
//   between: two frames in body coordinates, the axis being the first frame's z.

/// The five fields that all joints between two bodies share.
template <class J>
constexpr void joint_fields(auto&& field) {
  field("name", &J::name, "what the rest of the model calls it");
  field("bodies", &J::bodies, "names of the two bodies; together with `at`");
  field("at", &J::at, "place of the joint in the inertial frame at the initial pose", "m");
  field("between", &J::between, "two frames in body coordinates, instead of `bodies` and `at`");
}
template <class J>
constexpr void axis_field(auto&& field) {
  field("axis", &J::axis,
        "axis (line or normal) in the inertial frame at the initial pose; with "
        "`between` it is the first frame's z");
}
template <class J>
constexpr void drive_field(auto&& field) {
  field("drive", &J::drive, "imposed motion of the second body to the first");
}

template <class J>
constexpr void limits_field(auto&& field) {
  field("limits", &J::limits, "stops at the ends of its way");
}

template <class J>
constexpr void friction_field(auto&& field) {
  field("friction", &J::friction, "Coulomb friction against its motion");
}

struct Fixed {
  static constexpr const char* type_name = "fixed";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  std::vector<Frame> between = {};

  static constexpr void fields(auto&& field) { joint_fields<Fixed>(field); }
};

struct Spherical {
  static constexpr const char* type_name = "spherical";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  std::vector<Frame> between = {};
  std::optional<JointFriction> friction = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Spherical>(field);
    friction_field<Spherical>(field);
  }
};

/// Rotation about `axis`.
struct Revolute {
  static constexpr const char* type_name = "revolute";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};
  std::optional<Drive> drive = {};
  std::optional<Limits> limits = {};
  std::optional<JointFriction> friction = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Revolute>(field);
    axis_field<Revolute>(field);
    drive_field<Revolute>(field);
    limits_field<Revolute>(field);
    friction_field<Revolute>(field);
  }
};

/// Translation along `axis`, no rotation.
struct Prismatic {
  static constexpr const char* type_name = "prismatic";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};
  std::optional<Drive> drive = {};
  std::optional<Limits> limits = {};
  std::optional<JointFriction> friction = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Prismatic>(field);
    axis_field<Prismatic>(field);
    drive_field<Prismatic>(field);
    limits_field<Prismatic>(field);
    friction_field<Prismatic>(field);
  }
};

/// Rotation about and translation along `axis`.
struct Cylindrical {
  static constexpr const char* type_name = "cylindrical";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};
  std::optional<CylindricalLimits> limits = {};
  std::optional<JointFriction> friction = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Cylindrical>(field);
    axis_field<Cylindrical>(field);
    limits_field<Cylindrical>(field);
    friction_field<Cylindrical>(field);
  }
};

/// Translation along `axis` in proportion to the rotation about it.
struct Screw {
  static constexpr const char* type_name = "screw";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};
  double pitch = 0;
  std::optional<Drive> drive = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Screw>(field);
    axis_field<Screw>(field);
    field("pitch", &Screw::pitch,
          "p in displacement = p · angle / 2π: the way of a turn, > 0 for a right-handed thread",
          "m", required);
    field("drive", &Screw::drive, "imposed angle of the second body to the first");
  }
};

/// A cross with one arm along `axis` in the first body and one along `axis_2` in the second; with
/// `between`, the first frame's z and the second frame's x.
struct Universal {
  static constexpr const char* type_name = "universal";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  Maybe<Direction> axis_2 = {};
  std::vector<Frame> between = {};
  std::optional<UniversalLimits> limits = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Universal>(field);
    axis_field<Universal>(field);
    field("axis_2", &Universal::axis_2,
          "arm in the second body, in the inertial frame at the initial pose; with "
          "`between` it is the second frame's x");
    limits_field<Universal>(field);
  }
};

/// The second body moves in the plane with normal `axis`.
struct Planar {
  static constexpr const char* type_name = "planar";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};

  static constexpr void fields(auto&& field) {
    joint_fields<Planar>(field);
    axis_field<Planar>(field);
  }
};

/// A massless rod between two points, or a rope.
struct Distance {
  static constexpr const char* type_name = "distance";
  std::string name = {};
  std::vector<Frame> between = {};
  std::optional<double> length = {};
  std::optional<Limits> limits = {};

  static constexpr void fields(auto&& field) {
    field("name", &Distance::name, "what the rest of the model calls it");
    field("between", &Distance::between, "the two points, as frames in body coordinates", "",
          required);
    field("length", &Distance::length, "length; the initial distance if not given", "m", positive);
    field(
        "limits", &Distance::limits,
        "instead of a rod, whose length is given, something that is never shorter than `lower` or "
        "longer than `upper`: a rope has an `upper` limit only");
  }
};

/// A point of the second body on the line along `axis` in the first.
struct PointOnLine {
  static constexpr const char* type_name = "point_on_line";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};

  static constexpr void fields(auto&& field) {
    joint_fields<PointOnLine>(field);
    axis_field<PointOnLine>(field);
  }
};

/// A point of the second body in the plane with normal `axis` in the first.
struct PointOnPlane {
  static constexpr const char* type_name = "point_on_plane";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  std::vector<Frame> between = {};

  static constexpr void fields(auto&& field) {
    joint_fields<PointOnPlane>(field);
    axis_field<PointOnPlane>(field);
  }
};

enum class RollingShape { Sphere, Wheel };

/// A sphere or a wheel of the second body rolls without slip on a plane of the first, with the
/// normal `axis`; with `between` the plane is that of the first frame's x and y, the centre the
/// second frame's origin and the axle its x.
struct Rolling {
  static constexpr const char* type_name = "rolling";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  Maybe<Direction> axis_2 = {};
  std::vector<Frame> between = {};
  RollingShape shape = RollingShape::Sphere;
  double radius = 0;
  double rounding = 0;

  static constexpr void fields(auto&& field) {
    field("name", &Rolling::name, "what the rest of the model calls it");
    field("bodies", &Rolling::bodies,
          "names of the two bodies, that with the plane first; together with `at`");
    field("at", &Rolling::at, "where they touch, in the inertial frame at the initial pose", "m");
    field("between", &Rolling::between,
          "two frames in body coordinates, instead of `bodies` and `at`: one in the plane, one at "
          "the centre of the sphere or wheel");
    field("axis", &Rolling::axis,
          "normal of the plane, to the side of the second body, in the inertial frame at the "
          "initial pose; with `between` it is the first frame's z");
    field("axis_2", &Rolling::axis_2,
          "axle of a wheel, in the inertial frame at the initial pose; with `between` it is the "
          "second frame's x");
    field("shape", &Rolling::shape,
          "`sphere`, or `wheel`: a circle about its axle that touches where it is lowest");
    field("radius", &Rolling::radius, "of the sphere or wheel, rounding included", "m",
          required & positive);
    field("rounding", &Rolling::rounding,
          "radius of a wheel's profile; 0: a disc with a sharp edge", "m", non_negative);
  }
};

/// A point of the second body does not move across an edge that it carries, in the plane with
/// normal `axis` in the first.
struct KnifeEdge {
  static constexpr const char* type_name = "knife_edge";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  Maybe<Direction> axis = {};
  Maybe<Direction> axis_2 = {};
  std::vector<Frame> between = {};

  static constexpr void fields(auto&& field) {
    joint_fields<KnifeEdge>(field);
    axis_field<KnifeEdge>(field);
    field("axis_2", &KnifeEdge::axis_2,
          "the edge in the second body, in the inertial frame at the initial pose; with `between` "
          "it is the second frame's x");
  }
};

enum class Axis { X, Y, Z };

/// Holds chosen degrees of freedom of one body at their initial values, in the inertial frame.
struct Lock {
  static constexpr const char* type_name = "lock";
  std::string name = {};
  BodyId body = {};
  std::vector<Axis> translation = {};
  std::vector<Axis> rotation = {};

  static constexpr void fields(auto&& field) {
    field("name", &Lock::name, "what the rest of the model calls it");
    field("body", &Lock::body, "the body that is held", "", required);
    field("translation", &Lock::translation,
          "directions in which the body frame's origin is held: \"x\", \"y\", \"z\"");
    field("rotation", &Lock::rotation,
          "axes about which it may not turn: two leave the rotation about the third, one alone "
          "is "
          "held as by a universal joint");
  }
};

using Joint =
    std::variant<Fixed, Spherical, Revolute, Prismatic, Cylindrical, Universal, Planar, Distance,
                 PointOnLine, PointOnPlane, Rolling, KnifeEdge, Lock, Screw, Gear, Relation>;

/// Whether it holds velocities that no position follows from.
inline bool is_nonholonomic(const Joint& joint) {
  return std::holds_alternative<Rolling>(joint) || std::holds_alternative<KnifeEdge>(joint);
}

/// Whether its way ends at stops.
inline bool has_limits(const Joint& joint) {
  return std::visit(
      [](const auto& j) {
        if constexpr (requires { j.limits; }) {
          return j.limits.has_value();
        } else {
          return false;
        }
      },
      joint);
}

/// Its friction; null if it has none.
inline const JointFriction* friction_of(const Joint& joint) {
  return std::visit(
      [](const auto& j) -> const JointFriction* {
        if constexpr (requires { j.friction; }) {
          return j.friction ? &*j.friction : nullptr;
        } else {
          return nullptr;
        }
      },
      joint);
}

/// Whether it holds no bodies together but relates the coordinates of other joints.
inline bool is_coupling(const Joint& joint) {
  return std::holds_alternative<Gear>(joint) || std::holds_alternative<Relation>(joint);
}

template <>
struct EnumNames<RollingShape> {
  static constexpr const char* names[] = {"sphere", "wheel"};
};

template <>
struct EnumNames<Axis> {
  static constexpr const char* names[] = {"x", "y", "z"};
};

}  // namespace saltus
