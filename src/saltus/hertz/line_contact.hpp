// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::hertz {

/// Two parallel cylinders pressed together along a line, per unit of length. Lengths m, stresses
/// Pa, all positive.
struct LineContact {
  double half_width = 0;
  double peak_pressure = 0;
  /// In the plane across the cylinders, 0.3003 p₀ at 0.7862 half widths. For a Poisson ratio below
  /// 0.2423 there is more of it between the axes of the cylinders and the load.
  double shear = 0, shear_depth = 0;
};

/// `radius_2` is negative for a bore, infinite for a plane; `compliance` as for point contacts,
/// 1/Pa; `load` in N/m. Half widths that are not small beside the radii (pins with little
/// clearance) are outside the theory of Hertz: pressures come out too high.
LineContact line_contact(double radius_1, double radius_2, double compliance, double load);

/// By how much the axis of a solid cylinder approaches the line of contact, m: K. L. Johnson,
/// Contact Mechanics, (5.57), for a cylinder that the same load compresses on its other side. An
/// estimate: the approach of a line contact depends on the whole bodies, so for a bore in a
/// housing there is no such formula. `body_compliance` = (1 − ν²)/E of the cylinder.
double johnson_compression(double radius, double body_compliance, double load, double half_width);

}  // namespace saltus::hertz
