// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "saltus/core/field.hpp"
#include "saltus/core/id.hpp"
#include "saltus/model/types.hpp"

namespace saltus {

/// Where a body's frame is in the inertial frame. At most one of `orientation` and
/// `rotation_vector` is given; neither means aligned with the inertial axes.
struct Pose {
  Vector3 position = Vector3::Zero();
  std::optional<Quaternion> orientation = {};
  Maybe<Vector3> rotation_vector = {};

  Matrix3 rotation() const;

  static constexpr void fields(auto&& field) {
    field("position", &Pose::position, "place of the origin in the inertial frame", "m");
    field("orientation", &Pose::orientation,
          "unit quaternion (w, x, y, z) from body to inertial axes");
    field("rotation_vector", &Pose::rotation_vector, "axis times angle, instead of the quaternion",
          "rad");
  }
};

/// Velocity of a body frame's origin and angular velocity, both in inertial components.
struct Twist {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();

  static constexpr void fields(auto&& field) {
    field("linear", &Twist::linear, "velocity of the origin, inertial components", "m/s");
    field("angular", &Twist::angular, "angular velocity, inertial components", "rad/s");
  }
};

/// A frame fixed on a body, in the body's own axes. On a beam or bar these are the axes of the
/// section at `arclength` or `node`; on a solid its initial axes at the centre of the set `nodes`.
struct Frame {
  BodyId body = {};
  std::optional<double> arclength = {};
  std::optional<int> node = {};
  std::optional<std::string> nodes = {};
  Vector3 position = Vector3::Zero();
  std::optional<Quaternion> orientation = {};
  Maybe<Vector3> rotation_vector = {};

  bool has_orientation() const { return orientation || rotation_vector; }
  /// Rotation from the frame's axes to the body's; the identity if none is given.
  Matrix3 rotation() const;

  static constexpr void fields(auto&& field) {
    field("body", &Frame::body, "name of the body, or \"ground\"", "", required);
    field("arclength", &Frame::arclength, "place on a beam or bar, measured from its start", "m",
          non_negative);
    field("node", &Frame::node, "node of a flexible body, counted from 0, instead", "",
          non_negative);
    field("nodes", &Frame::nodes,
          "node set of a flexible body, instead: a solid's `x_min` … `z_max` or physical "
          "groups; `start`, `end` or `all` of a beam or bar. Joints, springs and torques make "
          "the set rigid; forces spread over it; colliders take each node, but one that is neither "
          "point nor sphere makes the set of a solid rigid if it may touch something, with a "
          "warning");
    field("position", &Frame::position,
          "origin of the frame in body coordinates; on a flexible body from the place that is "
          "named",
          "m");
    field("orientation", &Frame::orientation,
          "unit quaternion (w, x, y, z) from the frame's axes to the body's");
    field("rotation_vector", &Frame::rotation_vector, "axis times angle, instead of the quaternion",
          "rad");
  }
};

/// The frame at `position` on `body`, axes parallel to the body's.
inline Frame at(BodyId body, const Vector3& position = Vector3::Zero()) {
  return {.body = body, .position = position};
}

/// The frame of the section at `arclength` (m, from the start) of a beam or bar.
inline Frame at(BodyId beam, double arclength) { return {.body = beam, .arclength = arclength}; }

/// The frame at the centre of a node set of a flexible body.
inline Frame at(BodyId body, std::string_view nodes) {
  return {.body = body, .nodes = std::string(nodes)};
}

}  // namespace saltus
