// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/so3.hpp"

#include <cmath>

#include "saltus/lie/coefficients.hpp"

// Numbers in comments: docs/theory/rotations.md. Notation: θ = ‖ψ‖; a, b, c, b1, c1, d, e, e1 as in
// coefficients.hpp.
namespace saltus::lie {

Matrix3 double_cross_derivative(const Vector3& a, const Vector3& b) {
  Matrix3 result = a * b.transpose() - 2 * b * a.transpose();
  result.diagonal().array() += a.dot(b);
  return result;
}

}  // namespace saltus::lie

namespace saltus::lie::so3 {
namespace {

// I + s1 ψ̃ + s2 ψ̃², entry by entry so that nothing cancels on the diagonal when ψ is small.
Matrix3 quadratic(const Vector3& psi, double s1, double s2) {
  const double x = psi.x(), y = psi.y(), z = psi.z();
  Matrix3 result;
  result << 1 - s2 * (y * y + z * z), s2 * x * y - s1 * z, s2 * x * z + s1 * y,  //
      s2 * x * y + s1 * z, 1 - s2 * (x * x + z * z), s2 * y * z - s1 * x,        //
      s2 * x * z - s1 * y, s2 * y * z + s1 * x, 1 - s2 * (x * x + y * y);
  return result;
}

// ψ̃ ũ + ũ ψ̃ = ψ uᵀ + u ψᵀ − 2 (ψ·u) I
Matrix3 anticommutator(const Vector3& psi, const Vector3& u) {
  Matrix3 result = psi * u.transpose() + u * psi.transpose();
  result.diagonal().array() -= 2 * psi.dot(u);
  return result;
}

// (7)  A multiple of the quaternion of R: the row of 4 q qᵀ with the largest diagonal entry.
Eigen::Quaterniond scaled_quaternion(const Matrix3& R) {
  const double trace = R.trace();
  int i = 0;
  const double largest = R.diagonal().maxCoeff(&i);
  const Vector3 w = 2 * vee(R);  // 4 q₀ q
  if (trace >= largest) return {1 + trace, w.x(), w.y(), w.z()};

  Vector3 row = R.row(i).transpose() + R.col(i);  // 4 q_i q
  row[i] = 1 + 2 * largest - trace;
  return {w[i], row.x(), row.y(), row.z()};
}

}  // namespace

Matrix3 exp(const Vector3& psi) {
  const ExpCoefficients k = exp_coefficients(psi.squaredNorm());
  return quadratic(psi, k.a, k.b);  // (4)
}

Eigen::Quaterniond exp_quaternion(const Vector3& psi) {
  const double half_angle_squared = psi.squaredNorm() / 4;
  const double q0 = std::cos(std::sqrt(half_angle_squared));  // (6)
  const Vector3 q = exp_coefficients(half_angle_squared).a / 2 * psi;
  return {q0, q.x(), q.y(), q.z()};
}

Vector3 log(const Matrix3& R) { return log(scaled_quaternion(R)); }

Vector3 log(const Eigen::Quaterniond& q) {
  const double sign = q.w() < 0 ? -1 : 1;  // of ±q, the one with θ ≤ π
  const double q0 = sign * q.w();
  const double s = q.vec().norm();
  if (s < 1e-4 * q0) {
    const double r2 = (s / q0) * (s / q0);
    return sign * 2 / q0 * (1 - r2 * (1.0 / 3 - r2 / 5)) * q.vec();  // (9)
  }
  return sign * 2 * std::atan2(s, q0) / s * q.vec();  // (8)
}

Matrix3 tangent(const Vector3& psi) {
  const ExpCoefficients k = exp_coefficients(psi.squaredNorm());
  return quadratic(psi, -k.b, k.c);  // (11)
}

Matrix3 tangent_inverse(const Vector3& psi) {
  return quadratic(psi, 0.5, log_coefficients(psi.squaredNorm()).d);  // (12)
}

Matrix3 tangent_derivative(const Vector3& psi, const Vector3& w) {
  const ExpCoefficients k = exp_coefficients(psi.squaredNorm());
  const Vector3 psi_w = psi.cross(w);
  const Vector3 slope = k.c1 * psi.cross(psi_w) - k.b1 * psi_w;
  return k.b * hat(w) + k.c * double_cross_derivative(psi, w) + slope * psi.transpose();  // (15)
}

Matrix3 tangent_inverse_derivative(const Vector3& psi, const Vector3& w) {
  const LogCoefficients k = log_coefficients(psi.squaredNorm());
  const Vector3 slope = k.e * psi.cross(psi.cross(w));
  return -0.5 * hat(w) + k.d * double_cross_derivative(psi, w) + slope * psi.transpose();  // (16)
}

Matrix3 tangent_inverse_transpose_derivative(const Vector3& psi, const Vector3& w) {
  return tangent_inverse_derivative(psi, w) + hat(w);  // (17)
}

Matrix3 tangent_directional(const Vector3& psi, const Vector3& u) {
  const ExpCoefficients k = exp_coefficients(psi.squaredNorm());
  const Matrix3 psi_hat = hat(psi);
  return -k.b * hat(u) + k.c * anticommutator(psi, u) +
         psi.dot(u) * (k.c1 * psi_hat * psi_hat - k.b1 * psi_hat);  // (18)
}

Matrix3 tangent_inverse_directional(const Vector3& psi, const Vector3& u) {
  const LogCoefficients k = log_coefficients(psi.squaredNorm());
  const Matrix3 psi_hat = hat(psi);
  return 0.5 * hat(u) + k.d * anticommutator(psi, u) +
         psi.dot(u) * k.e * psi_hat * psi_hat;  // (19)
}

}  // namespace saltus::lie::so3
