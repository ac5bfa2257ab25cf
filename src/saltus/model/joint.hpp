// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/model/frame.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// Imposes the joint coordinate: angle (rad) or displacement (m) of the second body relative to the
/// first, zero at the initial pose.
struct Position {
  static constexpr const char* type_name = "position";
  TimeFunction value = 0.0;

  static constexpr auto fields() {
    return std::tuple{Field{"value", &Position::value,
                            "joint coordinate as a function of time, zero at the initial pose",
                            "rad or m", required}};
  }
};

/// Imposes the rate of the joint coordinate.
struct Speed {
  static constexpr const char* type_name = "speed";
  TimeFunction value = 0.0;

  static constexpr auto fields() {
    return std::tuple{Field{"value", &Speed::value,
                            "rate of the joint coordinate as a function of time", "rad/s or m/s",
                            required}};
  }
};

using Drive = std::variant<Position, Speed>;

// Every joint is placed in one of two ways:
//   bodies + at (+ axis): place and axis in the inertial frame at the initial pose, or
//   between: two frames in body coordinates, the axis being the first frame's z.

/// The five fields that all joints between two bodies share.
template <class J>
constexpr auto joint_fields() {
  return std::tuple{
      Field{"name", &J::name, "what the rest of the model calls it"},
      Field{"bodies", &J::bodies, "names of the two bodies; together with `at`"},
      Field{"at", &J::at, "place of the joint in the inertial frame at the initial pose", "m"},
      Field{"between", &J::between,
            "two frames in body coordinates, instead of `bodies` and `at`"}};
}
template <class J>
constexpr auto axis_field() {
  return std::tuple{Field{"axis", &J::axis,
                          "axis (line or normal) in the inertial frame at the initial pose; with "
                          "`between` it is the first frame's z"}};
}
template <class J>
constexpr auto drive_field() {
  return std::tuple{Field{"drive", &J::drive, "imposed motion of the second body to the first"}};
}

struct Fixed {
  static constexpr const char* type_name = "fixed";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  std::vector<Frame> between = {};

  static constexpr auto fields() { return joint_fields<Fixed>(); }
};

struct Spherical {
  static constexpr const char* type_name = "spherical";
  std::string name = {};
  std::vector<BodyId> bodies = {};
  Maybe<Vector3> at = {};
  std::vector<Frame> between = {};

  static constexpr auto fields() { return joint_fields<Spherical>(); }
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<Revolute>(), axis_field<Revolute>(),
                          drive_field<Revolute>());
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<Prismatic>(), axis_field<Prismatic>(),
                          drive_field<Prismatic>());
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<Cylindrical>(), axis_field<Cylindrical>());
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

  static constexpr auto fields() {
    return std::tuple_cat(
        joint_fields<Universal>(), axis_field<Universal>(),
        std::tuple{Field{"axis_2", &Universal::axis_2,
                         "arm in the second body, in the inertial frame at the initial pose; with "
                         "`between` it is the second frame's x"}});
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<Planar>(), axis_field<Planar>());
  }
};

/// A massless rod between two points.
struct Distance {
  static constexpr const char* type_name = "distance";
  std::string name = {};
  std::vector<Frame> between = {};
  std::optional<double> length = {};

  static constexpr auto fields() {
    return std::tuple{Field{"name", &Distance::name, "what the rest of the model calls it"},
                      Field{"between", &Distance::between,
                            "the two points, as frames in body coordinates", "", required},
                      Field{"length", &Distance::length,
                            "length; the initial distance if not given", "m", positive}};
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<PointOnLine>(), axis_field<PointOnLine>());
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

  static constexpr auto fields() {
    return std::tuple_cat(joint_fields<PointOnPlane>(), axis_field<PointOnPlane>());
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

  static constexpr auto fields() {
    return std::tuple{
        Field{"name", &Lock::name, "what the rest of the model calls it"},
        Field{"body", &Lock::body, "the body that is held", "", required},
        Field{"translation", &Lock::translation,
              "directions in which the body frame's origin is held: \"x\", \"y\", \"z\""},
        Field{"rotation", &Lock::rotation,
              "axes about which it may not turn: two leave the rotation about the third, one alone "
              "is "
              "held as by a universal joint"}};
  }
};

using Joint = std::variant<Fixed, Spherical, Revolute, Prismatic, Cylindrical, Universal, Planar,
                           Distance, PointOnLine, PointOnPlane, Lock>;

template <>
struct EnumNames<Axis> {
  static constexpr const char* names[] = {"x", "y", "z"};
};

}  // namespace saltus
