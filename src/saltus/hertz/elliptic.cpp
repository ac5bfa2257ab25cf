// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/elliptic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::hertz {

namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon();

double farthest(double A, double x, double y, double z) {
  return std::max({std::abs(A - x), std::abs(A - y), std::abs(A - z)});
}

}  // namespace

// Both functions double the arguments until they are nearly equal and end with a Taylor series
// (B. C. Carlson, Numer. Algorithms 10 (1995) 13–26). Every term added is positive.

double carlson_rf(double x, double y, double z) {
  const double A_0 = (x + y + z) / 3;
  double A = A_0, distance = farthest(A_0, x, y, z) * std::pow(3 * round_off, -1.0 / 6);
  double scale = 1;  // 4⁻ⁿ
  const double X_0 = A_0 - x, Y_0 = A_0 - y;
  while (distance * scale > std::abs(A)) {
    const double lambda = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    A = (A + lambda) / 4;
    scale /= 4;
  }
  const double X = X_0 * scale / A, Y = Y_0 * scale / A, Z = -X - Y;
  const double E_2 = X * Y - Z * Z, E_3 = X * Y * Z;
  return (1 - E_2 / 10 + E_3 / 14 + E_2 * E_2 / 24 - 3 * E_2 * E_3 / 44) / std::sqrt(A);
}

double carlson_rd(double x, double y, double z) {
  const double A_0 = (x + y + 3 * z) / 5;
  double A = A_0, distance = farthest(A_0, x, y, z) * std::pow(round_off / 4, -1.0 / 6);
  double scale = 1, sum = 0;
  const double X_0 = A_0 - x, Y_0 = A_0 - y;
  while (distance * scale > std::abs(A)) {
    const double lambda = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    sum += scale / (std::sqrt(z) * (z + lambda));
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    A = (A + lambda) / 4;
    scale /= 4;
  }
  const double X = X_0 * scale / A, Y = Y_0 * scale / A, Z = -(X + Y) / 3;
  const double xy = X * Y, Z_2 = Z * Z;
  const double E_2 = xy - 6 * Z_2, E_3 = (3 * xy - 8 * Z_2) * Z, E_4 = 3 * (xy - Z_2) * Z_2;
  const double E_5 = xy * Z_2 * Z;
  const double series = 1 - 3 * E_2 / 14 + E_3 / 6 + 9 * E_2 * E_2 / 88 - 3 * E_4 / 22 -
                        9 * E_2 * E_3 / 52 + 3 * E_5 / 26;
  return scale * series / (A * std::sqrt(A)) + 3 * sum;
}

double complete_k(double kappa) { return carlson_rf(0, kappa * kappa, 1); }

double complete_e(double kappa) {
  if (kappa == 0) return 1;
  const double k_2 = kappa * kappa;
  return k_2 / 3 * (carlson_rd(0, k_2, 1) + carlson_rd(0, 1, k_2));
}

double incomplete_f(double t, double kappa) {
  const double t_2 = t * t;
  return carlson_rf(t_2, t_2 + kappa * kappa, t_2 + 1);
}

double incomplete_e(double t, double kappa) {
  // Of the three usual forms the one without differences.
  const double t_2 = t * t, k_2 = kappa * kappa, m = (1 - kappa) * (1 + kappa);
  return k_2 * (incomplete_f(t, kappa) + m / 3 * carlson_rd(t_2, t_2 + 1, t_2 + k_2)) +
         m * t / std::sqrt((t_2 + 1) * (t_2 + k_2));
}

}  // namespace saltus::hertz
