// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace saltus {

/// The energy of a slider-crank of rigid parts, whose slider moves on a line through the bearing.
/// Centres of mass are in the middle of crank and rod; inertias are about them.
struct RigidSliderCrank {
  double crank, rod;  ///< lengths, m
  double crank_mass, crank_inertia;
  double rod_mass, rod_inertia;
  double slider_mass;

  double kinetic_energy(double angle, double speed) const {
    const double s = std::sin(angle), c = std::cos(angle);
    const double sin_rod = -crank / rod * s, cos_rod = std::sqrt(1 - sin_rod * sin_rod);
    const double swing = -crank / rod * c * speed / cos_rod;
    const double v_x = -crank * speed * s - rod / 2 * sin_rod * swing;
    const double v_y = crank * speed * c + rod / 2 * cos_rod * swing;
    const double v_slider = -crank * speed * s - rod * sin_rod * swing;
    const double about_bearing = crank_inertia + crank_mass * crank * crank / 4;
    return (about_bearing * speed * speed + rod_mass * (v_x * v_x + v_y * v_y) +
            rod_inertia * swing * swing + slider_mass * v_slider * v_slider) /
           2;
  }
};

}  // namespace saltus
