// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/model/frame.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// A force at a point of a body, inertial components.
struct Force {
  static constexpr const char* type_name = "force";
  std::string name = {};
  Frame on = {};
  std::array<TimeFunction, 3> value = {0.0, 0.0, 0.0};

  static constexpr void fields(auto&& field) {
    field("name", &Force::name, "what the results call it");
    field("on", &Force::on, "body and point the force acts on", "", required);
    field("value", &Force::value, "inertial components, each a function of time", "N", required);
  }
};

/// A torque on a body, inertial components.
struct Torque {
  static constexpr const char* type_name = "torque";
  std::string name = {};
  Frame on = {};
  std::array<TimeFunction, 3> value = {0.0, 0.0, 0.0};

  static constexpr void fields(auto&& field) {
    field("name", &Torque::name, "what the results call it");
    field("on", &Torque::on, "body the torque acts on", "", required);
    field("value", &Torque::value, "inertial components, each a function of time", "N m", required);
  }
};

/// A spring and damper along the line between two points.
struct SpringDamper {
  static constexpr const char* type_name = "spring_damper";
  std::string name = {};
  std::vector<Frame> between = {};
  double stiffness = 0;
  double damping = 0;
  std::optional<double> rest_length = {};

  static constexpr void fields(auto&& field) {
    field("name", &SpringDamper::name, "what the results call it");
    field("between", &SpringDamper::between, "the two points, as frames in body coordinates", "",
          required);
    field("stiffness", &SpringDamper::stiffness, "stiffness", "N/m", required & non_negative);
    field("damping", &SpringDamper::damping, "viscous damping along the line", "N s/m",
          non_negative);
    field("rest_length", &SpringDamper::rest_length,
          "length without force; the initial length if not given", "m", non_negative);
  }
};

/// A torsional spring and damper on the angle of a revolute joint.
struct TorsionalSpringDamper {
  static constexpr const char* type_name = "torsional_spring_damper";
  std::string name = {};
  JointId joint = {};
  double stiffness = 0;
  double damping = 0;
  double rest_angle = 0;

  static constexpr void fields(auto&& field) {
    field("name", &TorsionalSpringDamper::name, "what the results call it");
    field("joint", &TorsionalSpringDamper::joint, "a revolute or cylindrical joint", "", required);
    field("stiffness", &TorsionalSpringDamper::stiffness, "stiffness", "N m/rad",
          required & non_negative);
    field("damping", &TorsionalSpringDamper::damping, "viscous damping", "N m s/rad", non_negative);
    field("rest_angle", &TorsionalSpringDamper::rest_angle,
          "joint angle without torque, zero being the initial pose", "rad");
  }
};

/// A torque about the axis of a joint, or a force along it: + on the second body, − on the first.
struct Actuator {
  static constexpr const char* type_name = "actuator";
  std::string name = {};
  JointId joint = {};
  TimeFunction value = 0.0;

  static constexpr void fields(auto&& field) {
    field("name", &Actuator::name, "what the results call it");
    field("joint", &Actuator::joint,
          "a revolute, cylindrical or screw joint, which gets a torque, or a prismatic one, which "
          "gets a force",
          "", required);
    field("value", &Actuator::value,
          "a function of time; its expression may also name what moves: `<joint>.angle`, "
          "`<joint>.rate`, `<joint>.displacement`, `<body>.position.x`, `<body>.velocity.x`, "
          "`<body>.angular_velocity.x`, of a compliant contact `<contact>.force.n`, `.force.t1`, "
          "`.force.t2`, `<contact>.indentation`",
          "N m or N", required);
  }
};

/// A three-dimensional elastic mounting between two frames. Without deformation the frames
/// coincide, unless they do not at the initial pose: then that is the undeformed position.
struct Bushing {
  static constexpr const char* type_name = "bushing";
  std::string name = {};
  std::vector<Frame> between = {};
  Vector3 stiffness = Vector3::Zero();
  Vector3 rotational_stiffness = Vector3::Zero();
  Vector3 damping = Vector3::Zero();
  Vector3 rotational_damping = Vector3::Zero();

  static constexpr void fields(auto&& field) {
    field("name", &Bushing::name, "what the results call it");
    field("between", &Bushing::between, "the two frames, in body coordinates", "", required);
    field("stiffness", &Bushing::stiffness, "along the first frame's x, y, z", "N/m",
          required & non_negative);
    field("rotational_stiffness", &Bushing::rotational_stiffness, "about the first frame's x, y, z",
          "N m/rad", non_negative);
    field("damping", &Bushing::damping, "along the first frame's x, y, z", "N s/m", non_negative);
    field("rotational_damping", &Bushing::rotational_damping, "about the first frame's x, y, z",
          "N m s/rad", non_negative);
  }
};

/// Where a frame is and how it moves, in the inertial frame.
struct FrameMotion {
  Vector3 position = Vector3::Zero();          ///< of its origin, m
  Matrix3 rotation = Matrix3::Identity();      ///< from the frame's axes to the inertial ones
  Vector3 velocity = Vector3::Zero();          ///< of its origin, m/s
  Vector3 angular_velocity = Vector3::Zero();  ///< rad/s
};

/// A force (N) that acts at a frame's origin, and a torque (N m), inertial components.
struct Wrench {
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();
};

/// What acts on the second frame; the first has the reaction. A function of its arguments alone: it
/// is called many times a step, at states that are not the solution, and differentiated
/// numerically.
using ForceLaw =
    std::function<Wrench(double time, const FrameMotion& first, const FrameMotion& second)>;

/// A force by a law of the user's own, between two frames; the first may be on the ground.
struct UserForce {
  static constexpr const char* type_name = "user";
  std::string name = {};
  std::vector<Frame> between = {};
  ForceLaw law = {};  ///< not in files: a program gives it

  static constexpr void fields(auto&& field) {
    field("name", &UserForce::name, "what the results call it");
    field("between", &UserForce::between,
          "two frames in body coordinates: the law, which a program (C++ or Python) gives, "
          "acts on the second, its reaction on the first",
          "", required);
  }
};

using ForceElement =
    std::variant<Force, Torque, SpringDamper, TorsionalSpringDamper, Bushing, UserForce, Actuator>;

}  // namespace saltus
