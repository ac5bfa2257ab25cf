// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::hertz {

/// Principal stresses on the axis through the centre of a contact ellipse, over the peak pressure;
/// negative is compression. x along the major semi-axis a, y along the minor b, z into the body.
struct AxisStress {
  double x = 0, y = 0, z = 0;
};

/// (8) of docs/theory/contact_forces.md. kappa = b/a in (0, 1], depth = z/b ≥ 0.
AxisStress axis_stress(double kappa, double poisson_ratio, double depth);

/// The largest shear stresses on that axis, over the peak pressure, and where they are, over b.
struct SubsurfacePeaks {
  double shear = 0, shear_depth = 0;            ///< half the largest difference of two stresses
  double octahedral = 0, octahedral_depth = 0;  ///< √2/3 of the von Mises stress
};

/// Global maxima, also where they lie in the surface (depth 0: slender ellipses with a small
/// Poisson ratio). 0 ≤ poisson_ratio ≤ 0.5.
SubsurfacePeaks subsurface_peaks(double kappa, double poisson_ratio);

}  // namespace saltus::hertz
