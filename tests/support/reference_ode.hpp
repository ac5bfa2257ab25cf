// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

// References that share nothing with the program: an extrapolation method for ordinary
// differential equations, and Jacobi's elliptic functions.
namespace saltus::test {

using Vector = Eigen::VectorXd;
using Derivative = std::function<Vector(double, const Vector&)>;

/// One step H of y' = f by the modified midpoint rule with 2, 4, … 16 substeps, extrapolated to
/// substep zero in its square (Gragg's method): order 16.
inline Vector extrapolation_step(const Derivative& f, double t, const Vector& y, double H) {
  constexpr int columns = 8;
  std::array<Vector, columns> row;  // the last row of Neville's triangle
  for (int j = 0; j < columns; ++j) {
    const int n = 2 * (j + 1);
    const double h = H / n;
    Vector before = y, now = y + h * f(t, y);
    for (int i = 1; i < n; ++i) {
      Vector next = before + 2 * h * f(t + i * h, now);
      before = std::move(now);
      now = std::move(next);
    }
    Vector estimate = 0.5 * (now + before + h * f(t + H, now));
    for (int k = 0; k < j; ++k) {
      const double ratio = static_cast<double>((j + 1) * (j + 1)) / ((j - k) * (j - k));
      Vector better = estimate + (estimate - row[static_cast<std::size_t>(k)]) / (ratio - 1);
      row[static_cast<std::size_t>(k)] = std::move(estimate);
      estimate = std::move(better);
    }
    row[static_cast<std::size_t>(j)] = std::move(estimate);
  }
  return row[columns - 1];
}

/// y(t_end) from y(t) in steps of at most `longest`; choose it so that the motion changes little in
/// one step, and the result is exact to round-off.
inline Vector integrate_ode(const Derivative& f, double t, Vector y, double t_end, double longest) {
  const int steps = static_cast<int>(std::ceil((t_end - t) / longest - 1e-9));
  if (steps <= 0) return y;
  const double H = (t_end - t) / steps;
  for (int i = 0; i < steps; ++i) y = extrapolation_step(f, t + i * H, y, H);
  return y;
}

/// The complete elliptic integral K(k) by the arithmetic-geometric mean.
inline double elliptic_k(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

/// Jacobi's sn(u, k) by descending Landen transformations.
inline double jacobi_sn(double u, double k) {
  std::array<double, 12> a, c;
  a[0] = 1;
  c[0] = k;
  double b = std::sqrt(1 - k * k);
  std::size_t n = 0;
  for (; n + 1 < a.size() && std::abs(c[n]) > 1e-16; ++n) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) phi = (phi + std::asin(c[n] * std::sin(phi) / a[n])) / 2;
  return std::sin(phi);
}

// ---- rigid bodies
// --------------------------------------------------------------------------------

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// Rotation matrix of a quaternion (w, x, y, z) that need not have length one.
inline Matrix3 rotation_of(const Eigen::Vector4d& p) {
  return Eigen::Quaterniond(p[0], p[1], p[2], p[3]).normalized().toRotationMatrix();
}

/// ṗ = ½ p ∘ (0, Ω), Ω in body axes.
inline Eigen::Vector4d quaternion_rate(const Eigen::Vector4d& p, const Vector3& Omega) {
  Eigen::Vector4d rate;
  rate[0] = -p.tail<3>().dot(Omega) / 2;
  rate.tail<3>() = (p[0] * Omega + p.tail<3>().cross(Omega)) / 2;
  return rate;
}

}  // namespace saltus::test
