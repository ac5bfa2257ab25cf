// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/subsurface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace saltus::hertz {
namespace subsurface_test {

using std::numbers::pi;

/// Stresses at depth z below the centre of the pressure √(1 − x²/a² − y²/b²), a = 1/κ, b = 1:
/// Boussinesq's point loads, summed. With x = a sin ψ cos θ, y = b sin ψ sin θ the integrand is
/// smooth; midpoint rules converge quickly in θ, Simpson's rule in ψ.
AxisStress summed_point_loads(double kappa, double nu, double z) {
  const double a = 1 / kappa;
  const int n_psi = 2 * static_cast<int>(500 / kappa), n_theta = static_cast<int>(60 / kappa);
  AxisStress sum;
  for (int i = 0; i <= n_psi; ++i) {
    const double psi = pi / 2 * i / n_psi;
    const double simpson = (i == 0 || i == n_psi ? 1 : i % 2 == 1 ? 4 : 2) / 3.0;
    const double s = std::sin(psi), c = std::cos(psi);
    const double load = simpson * c * c * s * a * (pi / 2 / n_psi) * (pi / 2 / n_theta) * 4;
    for (int j = 0; j < n_theta; ++j) {  // one quarter
      const double theta = pi / 2 * (j + 0.5) / n_theta;
      const double x_2 = std::pow(a * s * std::cos(theta), 2),
                   y_2 = std::pow(s * std::sin(theta), 2);
      const double r_2 = x_2 + y_2, R = std::sqrt(r_2 + z * z), R_3 = R * R * R;
      const double R_5 = R_3 * R * R;
      // The bracket of Boussinesq's σ_x over r², with 1 − z/R = r²/(R (R + z)).
      const double q = r_2 > 0 ? 1 / r_2 : 0;
      const double near = 1 / (R * (R + z));
      sum.x += load * ((1 - 2 * nu) * q * (near * (x_2 - y_2) + z * y_2 / R_3) - 3 * z * x_2 / R_5);
      sum.y += load * ((1 - 2 * nu) * q * (near * (y_2 - x_2) + z * x_2 / R_3) - 3 * z * y_2 / R_5);
      sum.z += load * (-3 * z * z * z / R_5);
    }
  }
  return {sum.x / (2 * pi), sum.y / (2 * pi), sum.z / (2 * pi)};
}

TEST(Subsurface, StressesAreThoseOfSummedPointLoads) {
  for (const double kappa : {1.0, 0.63, 0.22, 0.055})
    for (const double z : {0.4, 0.9}) {
      const AxisStress s = axis_stress(kappa, 0.3, z), sum = summed_point_loads(kappa, 0.3, z);
      EXPECT_NEAR(s.x, sum.x, 1e-8) << kappa;
      EXPECT_NEAR(s.y, sum.y, 1e-8) << kappa;
      EXPECT_NEAR(s.z, sum.z, 1e-8) << kappa;
    }
}

TEST(Subsurface, CircleHasItsClosedForm) {
  for (const double nu : {0.0, 0.3, 0.5})
    for (const double z : {0.0, 0.2, 0.5, 1.0, 3.0}) {
      const AxisStress s = axis_stress(1, nu, z);
      const double side = -(1 + nu) * (1 - z * std::atan2(1.0, z)) + 0.5 / (1 + z * z);
      EXPECT_NEAR(s.x, side, 2e-15);
      EXPECT_NEAR(s.y, side, 2e-15);
      EXPECT_NEAR(s.z, -1 / (1 + z * z), 1e-15);
    }
}

TEST(Subsurface, NoDigitsAreLostNearTheCircle) {
  // The stresses are smooth functions of κ: second differences around any κ near 1 are small.
  for (const double nearly : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const auto shear = [&](double kappa) { return subsurface_peaks(kappa, 0.3).shear; };
    const double slope = (shear(1) - shear(1 - 1e-3)) / 1e-3;
    EXPECT_NEAR(shear(1 - nearly), shear(1) - slope * nearly, 1e-3 * nearly + 1e-15);
  }
}

TEST(Subsurface, SurfaceHasItsClosedForm) {
  for (const double kappa : {1.0, 0.4, 1e-3, 1e-8}) {
    const AxisStress s = axis_stress(kappa, 0.3, 0);
    EXPECT_NEAR(s.x, -(2 * 0.3 + kappa) / (1 + kappa), 1e-14);
    EXPECT_NEAR(s.y, -(2 * 0.3 * kappa + 1) / (1 + kappa), 1e-14);
    EXPECT_DOUBLE_EQ(s.z, -1);
  }
}

TEST(Subsurface, SlenderEllipseIsALine) {
  const double nu = 0.3, kappa = 1e-8;
  for (const double z : {0.1, 0.786, 2.0}) {
    const AxisStress s = axis_stress(kappa, nu, z);
    const double r = std::sqrt(1 + z * z), y = 2 * z - (1 + 2 * z * z) / r;
    EXPECT_NEAR(s.y, y, 1e-6);
    EXPECT_NEAR(s.z, -1 / r, 1e-12);
    EXPECT_NEAR(s.x, nu * (y - 1 / r), 1e-6);  // plane strain
  }
  const SubsurfacePeaks peaks = subsurface_peaks(kappa, 0.3);
  EXPECT_NEAR(peaks.shear, 0.300283106, 1e-6);
  EXPECT_NEAR(peaks.shear_depth, 0.786151378, 1e-5);
  EXPECT_NEAR(subsurface_peaks(kappa, 0.25).octahedral, 0.2733, 5e-5);
}

TEST(Subsurface, PeaksOfTheCircleForSteel) {
  // Maximum of ½|σ_r − σ_z| of the closed form, found to 1e−12 by halving.
  const double nu = 0.3;
  const auto slope = [&](double z) {
    const double q = 1 + z * z;
    return (1 + nu) * (std::atan2(1.0, z) - z / q) - 3 * z / (q * q);
  };
  double low = 0.3, high = 0.7;
  for (int i = 0; i < 60; ++i) (slope((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  const SubsurfacePeaks peaks = subsurface_peaks(1, nu);
  EXPECT_NEAR(peaks.shear_depth, low, 1e-11);
  const double shear = 0.75 / (1 + low * low) - (1 + nu) / 2 * (1 - low * std::atan2(1.0, low));
  EXPECT_NEAR(peaks.shear, shear, 1e-14);
  EXPECT_NEAR(peaks.shear, 0.310, 5e-4);
  EXPECT_NEAR(peaks.shear_depth, 0.48, 5e-3);
  EXPECT_NEAR(peaks.octahedral, 2 * std::sqrt(2.0) / 3 * peaks.shear, 1e-14);
}

TEST(Subsurface, NothingOnTheAxisExceedsThePeaks) {
  for (const double kappa : {1.0, 0.6, 0.3, 0.05, 1e-3, 1e-6})
    for (const double nu : {0.0, 0.1, 0.2, 0.24, 0.3, 0.5}) {
      const SubsurfacePeaks peaks = subsurface_peaks(kappa, nu);
      const auto shear = [&](double z) {
        const AxisStress s = axis_stress(kappa, nu, z);
        return (std::max({s.x, s.y, s.z}) - std::min({s.x, s.y, s.z})) / 2;
      };
      const auto octahedral = [&](double z) {
        const AxisStress s = axis_stress(kappa, nu, z);
        return std::hypot(s.x - s.y, s.y - s.z, s.z - s.x) / 3;
      };
      EXPECT_NEAR(shear(peaks.shear_depth), peaks.shear, 1e-14);
      EXPECT_NEAR(octahedral(peaks.octahedral_depth), peaks.octahedral, 1e-14);
      for (double z = 0; z < 12; z += 0.007) {
        EXPECT_LE(shear(z), peaks.shear + 1e-14) << kappa << ' ' << nu << ' ' << z;
        EXPECT_LE(octahedral(z), peaks.octahedral + 1e-14) << kappa << ' ' << nu << ' ' << z;
      }
    }
}

TEST(Subsurface, PeaksInsideTheBodyAreStationary) {
  // Difference quotients of fourth order, h = 3e−3.
  const double h = 3e-3;
  for (const double kappa : {1.0, 0.6, 0.3, 0.05, 1e-3})
    for (const double nu : {0.26, 0.3, 0.5}) {
      const SubsurfacePeaks peaks = subsurface_peaks(kappa, nu);
      const auto slope = [&](const auto& f, double z) {
        return (8 * (f(z + h) - f(z - h)) - f(z + 2 * h) + f(z - 2 * h)) / (12 * h);
      };
      const auto shear = [&](double z) {
        const AxisStress s = axis_stress(kappa, nu, z);
        return (std::max(s.x, s.y) - s.z) / 2;
      };
      const auto octahedral = [&](double z) {
        const AxisStress s = axis_stress(kappa, nu, z);
        return std::hypot(s.x - s.y, s.y - s.z, s.z - s.x) / 3;
      };
      EXPECT_NEAR(slope(shear, peaks.shear_depth), 0, 1e-9) << kappa << ' ' << nu;
      EXPECT_NEAR(slope(octahedral, peaks.octahedral_depth), 0, 1e-9) << kappa << ' ' << nu;
    }
}

TEST(Subsurface, SlenderEllipsesWithSmallPoissonRatioHaveTheirPeakNearTheSurface) {
  EXPECT_NEAR(subsurface_peaks(1e-6, 0).shear, 0.5, 1e-5);
  EXPECT_LT(subsurface_peaks(1e-6, 0).shear_depth, 1e-3);
  EXPECT_NEAR(subsurface_peaks(1e-6, 0.25).shear_depth, 0.786, 1e-3);
}

TEST(Subsurface, RefusesWhatIsNoEllipseOrMaterial) {
  EXPECT_THROW(subsurface_peaks(0, 0.3), std::invalid_argument);
  EXPECT_THROW(subsurface_peaks(1.1, 0.3), std::invalid_argument);
  EXPECT_THROW(axis_stress(0.5, 0.6, 1), std::invalid_argument);
  EXPECT_THROW(axis_stress(0.5, -0.1, 1), std::invalid_argument);
}

}  // namespace subsurface_test
}  // namespace saltus::hertz
