// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/rating_life.hpp"

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

/// Rating life after ISO/TS 16281 from the loads of the single balls and the given grooves.
struct BearingReferenceLife {
  hertz::RaceLoads ratings = {};       ///< Q_ci, Q_ce, N
  hertz::RaceLoads equivalent = {};    ///< Q_ei, Q_ee, N
  bool load_turns_with_inner = false;  ///< then the outer ring is the one that turns under it
  double million_revolutions = 0;      ///< L₁₀r
  std::optional<double> hours = {};    ///< at the mean speed of the run
};

/// A bearing in static equilibrium.
struct BearingAtRest {
  /// Of the inner race from its initial pose, in the axes of the outer one: m, then rad about x and
  /// y.
  std::array<double, 5> displacement = {};
  /// Forces and moments on the inner race over small displacements of it, (x, y, z, about x, about
  /// y) in these axes about its centre, the balls following: N/m, N, N m.
  std::array<std::array<double, 5>, 5> stiffness = {};
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
  std::optional<BearingReferenceLife> reference_life = {};  ///< of compliant bearings
  std::string no_life = {};                                 ///< why there is none
  std::optional<BearingAtRest> at_rest = {};                ///< of statics: nothing turns
  std::vector<double> friction_work = {};  ///< on the outer race, by sectors of its angle, J
};

}  // namespace saltus
