// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::hertz {

/// A radial ball bearing of the usual steel, grooves of at most 0.52 (inner ring) and 0.53 (outer
/// ring) ball diameters: what ISO 281 and ISO 76 rate.
struct RatedBearing {
  int balls = 8;                                 ///< in a row
  double ball_diameter = 0, pitch_diameter = 0;  ///< m
  double contact_angle = 0;                      ///< rad, 0: deep groove
  int rows = 1;                                  ///< 1 or 2
};

/// f_c of ISO 281 for N and mm, (23) of docs/theory/contact_forces.md. gamma = D cos α/D_pw in
/// (0, 0.4].
double capacity_factor(double gamma);
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

/// L₁₀ in millions of revolutions, (26): 90 % of many bearings reach it. Infinite without load.
double basic_rating_life(double dynamic_rating, double load);
/// The same in hours; speed in revolutions a minute.
double life_hours(double million_revolutions, double speed);

}  // namespace saltus::hertz
