// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/se3.hpp"

#include "saltus/lie/coefficients.hpp"

// Numbers in comments: docs/theory/rotations.md. Notation: h = [u; ψ], w = [w_u; w_ψ].
namespace saltus::lie::se3 {
namespace {

// (26)  [A B; 0 A]
Matrix6 block_triangular(const Matrix3& A, const Matrix3& B) {
  Matrix6 result;
  result << A, B, Matrix3::Zero(), A;
  return result;
}

// (28)  Z(ψ, u, w), the derivative of Q(ψ; u) w with respect to ψ.
Matrix3 directional_derivative(const Vector3& psi, const Vector3& u, const Vector3& w) {
  const LogCoefficients k = log_coefficients(psi.squaredNorm());
  const double p = psi.dot(u);
  const Vector3 u_w = u.cross(w);
  const Vector3 psi_w = psi.cross(w);
  const Vector3 psi_psi_w = psi.cross(psi_w);
  const Vector3 along_psi = k.e * (psi.cross(u_w) + u.cross(psi_w)) + p * k.e1 * psi_psi_w;
  return -k.d * (hat(u_w) + hat(u) * hat(w)) + along_psi * psi.transpose() +
         k.e * psi_psi_w * u.transpose() + p * k.e * double_cross_derivative(psi, w);
}

}  // namespace

Transform compose(const Transform& g1, const Transform& g2) {
  return {.R = g1.R * g2.R, .x = g1.x + g1.R * g2.x};  // (23)
}

Transform inverse(const Transform& g) {
  return {.R = g.R.transpose(), .x = -(g.R.transpose() * g.x)};  // (23)
}

Transform exp(const Vector6& h) {
  const Vector3 u = h.head<3>();
  const Vector3 psi = h.tail<3>();
  return {.R = so3::exp(psi), .x = so3::tangent(-psi) * u};  // (24), Tᵀ(ψ) = T(−ψ)
}

Vector6 log(const Transform& g) {
  const Vector3 psi = so3::log(g.R);
  Vector6 h;
  h << so3::tangent_inverse(-psi) * g.x, psi;  // (24)
  return h;
}

Matrix6 adjoint(const Transform& g) {
  return block_triangular(g.R, hat(g.x) * g.R);  // (25)
}

Matrix6 tangent(const Vector6& h) {
  const Vector3 u = h.head<3>();
  const Vector3 psi = h.tail<3>();
  return block_triangular(so3::tangent(psi), so3::tangent_directional(psi, u));  // (26)
}

Matrix6 tangent_inverse(const Vector6& h) {
  const Vector3 u = h.head<3>();
  const Vector3 psi = h.tail<3>();
  return block_triangular(so3::tangent_inverse(psi),
                          so3::tangent_inverse_directional(psi, u));  // (26)
}

Matrix6 tangent_inverse_derivative(const Vector6& h, const Vector6& w) {
  const Vector3 u = h.head<3>();
  const Vector3 psi = h.tail<3>();
  const Vector3 w_u = w.head<3>();
  const Vector3 w_psi = w.tail<3>();
  return block_triangular(
      so3::tangent_inverse_derivative(psi, w_psi),  // (29)
      so3::tangent_inverse_derivative(psi, w_u) + directional_derivative(psi, u, w_psi));
}

Matrix6 tangent_inverse_transpose_derivative(const Vector6& h, const Vector6& w) {
  const Vector3 u = h.head<3>();
  const Vector3 psi = h.tail<3>();
  const Vector3 w_u = w.head<3>();
  const Vector3 w_psi = w.tail<3>();
  const Matrix3 E_u = so3::tangent_inverse_transpose_derivative(psi, w_u);
  const Matrix3 E_psi = so3::tangent_inverse_transpose_derivative(psi, w_psi);
  Matrix6 result;
  result << Matrix3::Zero(), E_u, E_u, directional_derivative(psi, u, w_u) + E_psi;  // (30)
  return result;
}

}  // namespace saltus::lie::se3
