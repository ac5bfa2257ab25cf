// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "saltus/model/flexible.hpp"
#include "saltus/model/frame.hpp"
#include "saltus/model/inertia.hpp"

namespace saltus {

struct RigidBody {
  static constexpr const char* type_name = "rigid";
  std::string name = {};
  Inertia inertia = {};
  Pose pose = {};
  Twist velocity = {};

  static constexpr void fields(auto&& field) {
    field("name", &RigidBody::name, "what the rest of the model calls it");
    field("inertia", &RigidBody::inertia, "mass and moments of inertia", "", required);
    field("pose", &RigidBody::pose, "initial place of the body frame");
    field("velocity", &RigidBody::velocity, "initial velocity of the body frame");
  }
};

/// A mass without extension: three translations, no rotation.
struct PointMass {
  static constexpr const char* type_name = "point_mass";
  std::string name = {};
  double mass = 0;
  Pose pose = {};
  Twist velocity = {};

  static constexpr void fields(auto&& field) {
    field("name", &PointMass::name, "what the rest of the model calls it");
    field("mass", &PointMass::mass, "mass", "kg", required & positive);
    field("pose", &PointMass::pose, "initial place; an orientation is refused");
    field("velocity", &PointMass::velocity, "initial velocity; only `linear` may be given");
  }
};

using Body = std::variant<RigidBody, PointMass, Beam, Bar, Solid>;

}  // namespace saltus
