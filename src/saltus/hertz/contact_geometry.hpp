// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace saltus::hertz {

/// Relative curvatures of two surfaces that touch at a point: their distance near it is
/// A x² + B y², (1) of docs/theory/contact_forces.md. 0 < A ≤ B, 1/m.
struct ContactGeometry {
  double A = 1, B = 1;
};

/// Principal radii of one surface, m: positive if convex, negative if concave, infinite if flat.
struct PrincipalRadii {
  double first = std::numeric_limits<double>::infinity();
  double second = std::numeric_limits<double>::infinity();
};

// All of them throw std::invalid_argument where there is no point contact: lines (A = 0) and
// surfaces that conform or intersect (A < 0). Radii of the named shapes are positive.

/// `angle` between the planes of the two first radii, rad.
ContactGeometry contact_geometry(const PrincipalRadii& surface_1, const PrincipalRadii& surface_2,
                                 double angle = 0);
ContactGeometry sphere_on_sphere(double radius_1, double radius_2);
ContactGeometry sphere_on_plane(double radius);
ContactGeometry sphere_in_sphere(double radius, double hollow_radius);
/// A ball in the groove of an inner race; `race_radius` at the bottom of the groove, from the
/// axis of the bearing.
ContactGeometry ball_on_inner_race(double ball_radius, double groove_radius, double race_radius);
ContactGeometry ball_in_outer_race(double ball_radius, double groove_radius, double race_radius);

}  // namespace saltus::hertz
