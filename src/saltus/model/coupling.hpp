// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/core/field.hpp"
#include "saltus/core/id.hpp"

namespace saltus {

/// Two joints that turn or slide together: rate_a + ratio · rate_b = 0. External gears, and wheels
/// that run in opposite directions, have ratio > 0; internal gears and belts ratio < 0.
struct Gear {
  static constexpr const char* type_name = "gear";
  std::string name = {};
  std::vector<JointId> joints = {};
  double ratio = 1;

  static constexpr void fields(auto&& field) {
    field("name", &Gear::name, "what the results call it");
    field("joints", &Gear::joints,
          "the two joints a and b, each with one coordinate: revolute, prismatic or screw", "",
          required);
    field("ratio", &Gear::ratio,
          "i in rate_a + i · rate_b = 0: i > 0 for an external pair, i < 0 for an internal one or "
          "a belt; rad/m or m/rad between a joint that turns and one that slides",
          "", required);
  }
};

/// A linear relation of joint coordinates, constant since the initial pose: Σ cᵢ sᵢ = 0.
struct Relation {
  static constexpr const char* type_name = "relation";
  std::string name = {};
  std::vector<JointId> joints = {};
  std::vector<double> coefficients = {};

  static constexpr void fields(auto&& field) {
    field("name", &Relation::name, "what the results call it");
    field("joints", &Relation::joints,
          "joints, each with one coordinate: revolute, prismatic or screw", "", required);
    field(
        "coefficients", &Relation::coefficients,
        "cᵢ in Σ cᵢ sᵢ = 0, sᵢ the angle or displacement of the joint since the initial pose; one "
        "for each joint",
        "", required);
  }
};

}  // namespace saltus
