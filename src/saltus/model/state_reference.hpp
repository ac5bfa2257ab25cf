// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/model/model.hpp"

namespace saltus {

/// What a name like pin.angle or ball.position.z in a formula stands for.
struct StateReference {
  enum class Kind {
    Angle,
    Displacement,
    AngleRate,
    DisplacementRate,
    Position,
    Velocity,
    Spin,
    ContactForce,
    Indentation
  };

  Kind kind = Kind::Angle;
  int index = 0;      ///< of the joint, the body or the contact in the model
  int component = 0;  ///< x, y, z of a body's, n, t1, t2 of a contact's

  bool is_of_joint() const { return kind <= Kind::DisplacementRate; }
  bool is_of_contact() const { return kind >= Kind::ContactForce; }
};

/// @throws std::invalid_argument with rule and remedy if the name stands for nothing.
StateReference state_reference(const Model& model, const std::string& name);

/// The two bodies of a joint; none of a coupling.
std::vector<BodyId> bodies_of(const Joint& joint);

/// Whether a joint has an angle, a displacement.
bool has_angle(const Joint& joint);
bool has_displacement(const Joint& joint);
/// Whether a joint has exactly one coordinate that drives, couplings and actuators speak of.
bool has_one_coordinate(const Joint& joint);

}  // namespace saltus
