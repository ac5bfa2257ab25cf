// SPDX-License-Identifier: Apache-2.0
/// The cone Q = { x : x_0 ≥ ‖(x_1, x_2)‖ } and its algebra, for interior points.
#pragma once

#include <cmath>
#include <limits>

#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

/// x_0² − ‖(x_1, x_2)‖²; positive inside.
inline double determinant(const Vector3& x) {
  const double t = tangential_norm(x);
  return (x[0] - t) * (x[0] + t);
}

/// Jordan's product x ∘ y; the unit is e = (1, 0, 0).
inline Vector3 jordan_product(const Vector3& x, const Vector3& y) {
  return {x.dot(y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]};
}

/// The y with x ∘ y = z. @pre x is inside of Q.
inline Vector3 jordan_quotient(const Vector3& x, const Vector3& z) {
  const double first = (x[0] * z[0] - x[1] * z[1] - x[2] * z[2]) / determinant(x);
  return {first, (z[1] - first * x[1]) / x[0], (z[2] - first * x[2]) / x[0]};
}

/// The largest a with x + a d in Q; infinite if there is none. @pre x is inside of Q.
inline double way_to_surface(const Vector3& x, const Vector3& d) {
  const double size = std::sqrt(determinant(x));
  const Vector3 y = x / size;
  const double first = y[0] * d[0] - y[1] * d[1] - y[2] * d[2];
  const double factor = (first + d[0]) / (y[0] + 1);
  const double rest = std::hypot(d[1] - factor * y[1], d[2] - factor * y[2]);
  const double rate = (rest - first) / size;
  return rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity();
}

/// Nesterov's and Todd's scaling of two points inside of Q: P z = P⁻¹ l.
struct SymmetricScaling {
  Matrix3 P, inverse;
  Matrix3 square;  ///< P²
  Vector3 point;   ///< P z

  SymmetricScaling() = default;
  SymmetricScaling(const Vector3& l, const Vector3& z) {
    const double size_l = determinant(l), size_z = determinant(z);
    const double ratio = std::sqrt(std::sqrt(size_l / size_z));
    const Vector3 J(1, -1, -1);
    const Vector3 x = l / std::sqrt(size_l), y = z / std::sqrt(size_z);
    const Vector3 w = (x + J.cwiseProduct(y)) / std::sqrt(2 * (1 + x.dot(y)));
    const Vector3 v = (w + Vector3::UnitX()) / std::sqrt(2 * (w[0] + 1));
    P = ratio * (2 * v * v.transpose() - Matrix3(J.asDiagonal()));
    const Vector3 other = J.cwiseProduct(v);
    inverse = (2 * other * other.transpose() - Matrix3(J.asDiagonal())) / ratio;
    square = ratio * ratio * (2 * w * w.transpose() - Matrix3(J.asDiagonal()));
    point = P * z;
  }
};

}  // namespace saltus::nonsmooth
