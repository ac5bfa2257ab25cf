// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace saltus {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

}  // namespace saltus

namespace saltus::lie {

/// The matrix ã of the cross product: ã b = a × b (docs/theory/rotations.md, eq. 1).
inline Matrix3 hat(const Vector3& a) {
  Matrix3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

/// The vector of the skew-symmetric part of A, so that vee(hat(a)) = a.
inline Vector3 vee(const Matrix3& A) {
  return {(A(2, 1) - A(1, 2)) / 2, (A(0, 2) - A(2, 0)) / 2, (A(1, 0) - A(0, 1)) / 2};
}

/// ∂(a × (a × b))/∂a = a bᵀ + (a·b) I − 2 b aᵀ.
Matrix3 double_cross_derivative(const Vector3& a, const Vector3& b);

}  // namespace saltus::lie

/// The rotations of ℝ³ and the rotation vector ψ, in rad, whose norm θ is the angle.
///
/// Everything is right-trivialised, that is, in the axes of the rotated body: a variation of R is
/// δR = R δΘ̃ and a velocity Ṙ = R Ω̃. The operators for the fixed axes are the transposes, or the
/// same functions of −ψ. Formulas and derivations: docs/theory/rotations.md.
namespace saltus::lie::so3 {

/// R = exp ψ̃ (eq. 4). Any ψ.
Matrix3 exp(const Vector3& psi);

/// The unit quaternion of exp ψ̃ that is continuous in ψ (eq. 6): its scalar part is negative for
/// π < θ < 3π.
Eigen::Quaterniond exp_quaternion(const Vector3& psi);

/// The rotation vector of R with θ ≤ π (eqs. 7–9). Accurate for all rotations, also at θ = 0 and
/// near π, where ψ jumps to −ψ when the angle passes π.
Vector3 log(const Matrix3& R);

/// The same for a quaternion q, which may have any norm but zero; q and −q give the same ψ.
Vector3 log(const Eigen::Quaterniond& q);

/// T(ψ), with δ exp ψ̃ = exp ψ̃ hat(T δψ) (eq. 11). Singular at θ = 2π.
Matrix3 tangent(const Vector3& psi);

/// T⁻¹(ψ) (eq. 12). @pre θ < 2π; infinite at 2π.
Matrix3 tangent_inverse(const Vector3& psi);

/// ∂(T(ψ) w)/∂ψ with w constant (eq. 15).
Matrix3 tangent_derivative(const Vector3& psi, const Vector3& w);

/// E(ψ, w) = ∂(T⁻¹(ψ) w)/∂ψ with w constant (eq. 16). @pre θ < 2π.
Matrix3 tangent_inverse_derivative(const Vector3& psi, const Vector3& w);

/// E′(ψ, w) = ∂(T⁻ᵀ(ψ) w)/∂ψ with w constant (eq. 17). @pre θ < 2π.
Matrix3 tangent_inverse_transpose_derivative(const Vector3& psi, const Vector3& w);

/// DT(ψ; u), the derivative of the matrix T(ψ) in the direction u (eq. 18).
Matrix3 tangent_directional(const Vector3& psi, const Vector3& u);

/// Q(ψ; u), the derivative of the matrix T⁻¹(ψ) in the direction u (eq. 19). @pre θ < 2π.
Matrix3 tangent_inverse_directional(const Vector3& psi, const Vector3& u);

}  // namespace saltus::lie::so3
