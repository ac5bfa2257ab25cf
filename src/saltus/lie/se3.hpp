// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/lie/so3.hpp"

/// The rigid motions of ℝ³, the group of frames carried along a beam or seen across a bushing.
///
/// Its algebra is ℝ⁶ with the translation first: h = [u; ψ], u in m, ψ in rad with norm θ.
/// Right-trivialised like SO(3): a variation is δg = g δη̃, both parts of δη in the axes of the
/// frame. Formulas: docs/theory/rotations.md, section 7.
namespace saltus::lie::se3 {

/// The motion p ↦ R p + x, x in m.
struct Transform {
  Matrix3 R = Matrix3::Identity();
  Vector3 x = Vector3::Zero();
};

/// g1 g2: first g2, then g1 (eq. 23).
Transform compose(const Transform& g1, const Transform& g2);

Transform inverse(const Transform& g);

/// exp h (eq. 24). Any h.
Transform exp(const Vector6& h);

/// The h with exp h = g and θ ≤ π (eq. 24).
Vector6 log(const Transform& g);

/// Ad(g), with g exp(h) g⁻¹ = exp(Ad(g) h) (eq. 25).
Matrix6 adjoint(const Transform& g);

/// T(h), with δ exp h = exp h hat(T δh) (eq. 26). Singular at θ = 2π.
Matrix6 tangent(const Vector6& h);

/// T⁻¹(h) (eq. 26). @pre θ < 2π; infinite at 2π.
Matrix6 tangent_inverse(const Vector6& h);

/// ∂(T⁻¹(h) w)/∂h with w constant (eq. 29). @pre θ < 2π.
Matrix6 tangent_inverse_derivative(const Vector6& h, const Vector6& w);

/// ∂(T⁻ᵀ(h) w)/∂h with w constant (eq. 30). @pre θ < 2π.
Matrix6 tangent_inverse_transpose_derivative(const Vector6& h, const Vector6& w);

}  // namespace saltus::lie::se3
