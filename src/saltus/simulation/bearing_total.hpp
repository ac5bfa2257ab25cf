// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/hertz/elliptic_contact.hpp"

namespace saltus {

/// What a ball bears at one race.
struct BallLoad {
  double mean = 0;  ///< impulse over time, N
  double peak = 0;  ///< largest force of lasting contact; impacts are not in it, N
};

/// Rating life after ISO 281 for the loads of a run.
struct BearingLife {
  double dynamic_rating = 0;       ///< C, N
  double static_rating = 0;        ///< C₀, N
  double equivalent_load = 0;      ///< P, cubic mean over the angle turned, N
  double million_revolutions = 0;  ///< L₁₀
  double hours = 0;                ///< at the mean speed of the run
};

/// What a ball bearing did in a run.
struct BearingTotal {
  std::string name = {};
  double from = 0;         ///< when counting began, s; all but the friction work
  double inner_speed = 0;  ///< mean, of the inner race relative to the outer, rad/s
  double cage_speed = 0;   ///< mean, of the balls about the axis, relative to the outer race, rad/s
  double cage_ratio = 0;   ///< cage_speed over inner_speed; 0 if the inner race does not turn
  double cage_slip = 0;    ///< 1 − cage_ratio over that of rolling, r_i/(r_i + r_o)
  double radial_force = 0;                       ///< mean, on the inner race, N
  double axial_force = 0;                        ///< the same along the axis, N
  std::vector<BallLoad> inner = {}, outer = {};  ///< ball by ball
  // At the peak of all balls; given if the bearing has a Young's modulus.
  std::optional<hertz::ContactStress> inner_stress = {}, outer_stress = {};
  std::optional<BearingLife> life = {};  ///< if it turns, and is of a kind that the standard rates
  std::vector<double> friction_work = {};  ///< on the outer race, by sectors of its angle, J
};

}  // namespace saltus
