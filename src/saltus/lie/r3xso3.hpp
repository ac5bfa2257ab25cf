// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/lie/so3.hpp"

/// ℝ³ × SO(3), the group of a node: its position and its rotation, composed separately.
///
/// Its algebra is ℝ⁶ with the translation first: h = [u; ψ], u in m in the world's axes, ψ in rad
/// in the node's axes. The velocity is v = [ẋ; Ω] with Ṙ = R Ω̃. Formulas:
/// docs/theory/rotations.md, section 6. For motions that turn positions too, see se3.hpp.
namespace saltus::lie::r3xso3 {

/// A node's position x in m and rotation R. A type of its own, so that it is not composed as a
/// rigid motion by mistake.
struct Transform {
  Matrix3 R = Matrix3::Identity();
  Vector3 x = Vector3::Zero();
};

/// g1 g2 = (x1 + x2, R1 R2) (eq. 20).
Transform compose(const Transform& g1, const Transform& g2);

Transform inverse(const Transform& g);

/// exp h = (u, exp ψ̃) (eq. 21). Any h.
Transform exp(const Vector6& h);

/// The h with exp h = g and ‖ψ‖ ≤ π (eq. 21).
Vector6 log(const Transform& g);

/// Ad(g), with g exp(h) g⁻¹ = exp(Ad(g) h) (eq. 22).
Matrix6 adjoint(const Transform& g);

/// T(h), with δ exp h = exp h hat(T δh) (eq. 22). Singular at ‖ψ‖ = 2π.
Matrix6 tangent(const Vector6& h);

/// T⁻¹(h) (eq. 22). @pre ‖ψ‖ < 2π; infinite at 2π.
Matrix6 tangent_inverse(const Vector6& h);

}  // namespace saltus::lie::r3xso3
