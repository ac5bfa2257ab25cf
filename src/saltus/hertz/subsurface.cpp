// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/subsurface.hpp"

#include <cmath>
#include <stdexcept>

#include "saltus/hertz/elliptic.hpp"
#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

namespace {

/// The stresses and their derivatives by t = κ z/b = z/a.
struct StressAndSlope {
  AxisStress stress, slope;
};

StressAndSlope stress_and_slope(double kappa, double nu, double t) {
  // (7) and (8). All divisions by m = 1 − κ² of the textbook formulas are done on paper.
  const double k_2 = kappa * kappa, t_2 = t * t, m = (1 - kappa) * (1 + kappa);
  const double u = 1 + t_2, w = k_2 + t_2, n = std::sqrt(w / u);
  const double I_x = carlson_rd(t_2, w, u) / 3, I_y = carlson_rd(t_2, u, w) / 3;
  const double J = t * I_x, P = 1 / (u * (1 + n));
  const double v = w + k_2 * t_2;
  const double S = v / (u * n * (n + k_2) * (u * n + t_2));
  const double Q = t * I_y - S;

  // Derivatives by t.
  const double n_t = n * t * m / (u * w);
  const double I_x_t = -1 / (std::sqrt(w * u) * u), I_y_t = -1 / (std::sqrt(w * u) * w);
  const double P_t = -P * (2 * t / u + n_t / (1 + n));
  const double S_t = S * (2 * t * (1 + k_2) / v - 2 * t / u - n_t / n - n_t / (n + k_2) -
                          (2 * t * n + u * n_t + 2 * t) / (u * n + t_2));
  const double Q_t = I_y + t * I_y_t - S_t;
  const double J_t = I_x + t * I_x_t;

  StressAndSlope s;
  s.stress.x = 2 * kappa * (-P / 2 + J + nu * Q);
  s.stress.y = 2 * kappa * (P / (2 * n) + Q + nu * (J - P));
  s.stress.z = -kappa / std::sqrt(w * u);
  s.slope.x = 2 * kappa * (-P_t / 2 + J_t + nu * Q_t);
  s.slope.y = 2 * kappa * ((P_t - P * n_t / n) / (2 * n) + Q_t + nu * (J_t - P_t));
  s.slope.z = -s.stress.z * t * (1 / w + 1 / u);
  return s;
}

double square(double x) { return x * x; }

/// A measure of stress and its derivative.
struct Measured {
  double value, slope;
};

Measured half_difference(double a, double b, double da, double db) {
  return {std::abs(a - b) / 2, (a > b ? da - db : db - da) / 2};
}

Measured shear_xy(const StressAndSlope& s) {
  return half_difference(s.stress.x, s.stress.y, s.slope.x, s.slope.y);
}
Measured shear_yz(const StressAndSlope& s) {
  return half_difference(s.stress.y, s.stress.z, s.slope.y, s.slope.z);
}
Measured shear_xz(const StressAndSlope& s) {
  return half_difference(s.stress.x, s.stress.z, s.slope.x, s.slope.z);
}

Measured octahedral(const StressAndSlope& s) {
  const double xy = s.stress.x - s.stress.y, yz = s.stress.y - s.stress.z;
  const double zx = s.stress.z - s.stress.x;
  const double value = std::sqrt(square(xy) + square(yz) + square(zx)) / 3;
  const double slope =
      xy * (s.slope.x - s.slope.y) + yz * (s.slope.y - s.slope.z) + zx * (s.slope.z - s.slope.x);
  return {value, value > 0 ? slope / (9 * value) : 0};
}

struct Peak {
  double value, depth;
};

/// The maximum over depths: a grid finds the hills, the zero of the slope their tops. Beyond 4 b
/// stresses only decay.
template <class Measure>
Peak highest(const Measure& measure, double kappa, double nu) {
  constexpr int cells = 80;
  constexpr double deepest = 4;
  const auto at = [&](double depth) { return measure(stress_and_slope(kappa, nu, kappa * depth)); };
  Measured left = at(0);
  Peak best = {left.value, 0};
  for (int i = 1; i <= cells; ++i) {
    const double z_0 = deepest * (i - 1) / cells, z_1 = deepest * i / cells;
    const Measured right = at(z_1);
    if (left.slope > 0 && right.slope <= 0) {
      const double z = bracketed_root([&](double x) { return at(x).slope; }, z_0, z_1);
      const double top = at(z).value;
      if (top > best.value) best = {top, z};
    }
    left = right;
  }
  return best;
}

void check(double kappa, double nu) {
  if (!(kappa > 0 && kappa <= 1)) throw std::invalid_argument("kappa must lie in (0, 1]");
  if (!(nu >= 0 && nu <= 0.5))
    throw std::invalid_argument("Poisson's ratio must lie between 0 and 0.5");
}

}  // namespace

AxisStress axis_stress(double kappa, double poisson_ratio, double depth) {
  check(kappa, poisson_ratio);
  return stress_and_slope(kappa, poisson_ratio, kappa * depth).stress;
}

SubsurfacePeaks subsurface_peaks(double kappa, double poisson_ratio) {
  check(kappa, poisson_ratio);
  // The largest shear stress belongs to one of three pairs; each pair is smooth in z, their
  // maximum is not.
  Peak shear = highest(shear_yz, kappa, poisson_ratio);
  for (const Peak& other :
       {highest(shear_xz, kappa, poisson_ratio), highest(shear_xy, kappa, poisson_ratio)})
    if (other.value > shear.value) shear = other;
  const Peak octahedral_peak = highest(octahedral, kappa, poisson_ratio);
  return {shear.value, shear.depth, octahedral_peak.value, octahedral_peak.depth};
}

}  // namespace saltus::hertz
