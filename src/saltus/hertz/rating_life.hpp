// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::hertz {

/// Radii of the grooves of the two rings, in ball diameters, > 0.5. These are the largest of what
/// ISO 281 and ISO 76 rate.
struct Grooves {
  double inner = 0.52, outer = 0.53;
};

/// A radial ball bearing of the usual steel.
struct RatedBearing {
  int balls = 8;                                 ///< in a row
  double ball_diameter = 0, pitch_diameter = 0;  ///< m
  double contact_angle = 0;                      ///< rad, 0: deep groove
  int rows = 1;                                  ///< 1 or 2
  Grooves grooves = {};
};

/// f_c of ISO 281 for N and mm, (23) of docs/theory/contact_forces.md. gamma = D cos α/D_pw in
/// (0, 0.4]. Wider grooves than the standard's bear less, narrower ones count as the standard's.
double capacity_factor(double gamma, const Grooves& grooves = {});
/// f₀ of ISO 76 for N and mm, by Hertz' theory (25). gamma in (0, 0.4].
double static_capacity_factor(double gamma);

double basic_dynamic_rating(const RatedBearing& bearing);  ///< C, N: (22)
double basic_static_rating(const RatedBearing& bearing);   ///< C₀, N: (24)

/// The radial load that wears a bearing as radial and axial force together do.
struct EquivalentLoad {
  double load = 0;   ///< P = X F_r + Y F_a, N
  double limit = 0;  ///< e: below this F_a/F_r the axial force does not count
  double X = 1, Y = 0;
};

/// Of a single-row deep groove bearing with normal clearance, table 3 of ISO 281, interpolated;
/// constant beyond its ends. Forces ≥ 0.
EquivalentLoad equivalent_load(double radial_force, double axial_force, double f_0,
                               double static_rating);

/// Of the contacts of one ball with the two races: the load that a race bears 10⁶ times, N. After
/// ISO/TS 16281, (28); the grooves count as they are.
struct RaceLoads {
  double inner = 0, outer = 0;
};
RaceLoads race_ratings(const RatedBearing& bearing);
/// L₁₀r in millions of revolutions, (30), of loads by (29) that are equivalent to what all balls
/// bear. Infinite without load.
double reference_rating_life(const RaceLoads& ratings, const RaceLoads& equivalent);

/// L₁₀ in millions of revolutions, (26): 90 % of many bearings reach it. Infinite without load.
double basic_rating_life(double dynamic_rating, double load);
/// The same in hours; speed in revolutions a minute.
double life_hours(double million_revolutions, double speed);

}  // namespace saltus::hertz
