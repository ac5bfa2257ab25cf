// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/node.hpp"

namespace saltus {

// The five functions of two nodes from which every joint, spring, damper and drive is made
// (docs/theory/constrained_dynamics.md, section 3). With s a scalar one:
//   gradient  G = ∂s/∂q, so that ṡ = G v;
//   hessian   H = ∂Gᵀ/∂q, so that ∂(Gᵀλ)/∂q = λ H and ∂(G v)/∂q = vᵀ H.
// q varies as (δx_A, δΘ_A, δx_B, δΘ_B), δR = R δΘ̂; H is not symmetric.

/// s = (R_A a)·(R_B b): cosine of the angle between two body-fixed directions.
struct Dot1 {
  Vector3 a, b;
  double value(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;
};

/// s = (R_A a)·(p_B − p_A): distance of a point of B from a point of A along a direction of A.
struct Dot2 {
  Vector3 a, d_A, d_B;
  double value(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;
};

/// s = |p_B − p_A|. Not smooth where the points coincide: gradient and hessian are zero there.
struct PointDistance {
  Vector3 d_A, d_B;
  double value(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;
};

/// s = angle in (−π, π] by which b1 of B is turned against a1 of A about a3 = a1 × a2.
/// @pre the third axes are not perpendicular.
struct TwistAngle {
  Vector3 a1, a2, b1;
  double value(const NodePair& pair) const;
  Row12 gradient(const NodePair& pair) const;
  void add_hessian(const NodePair& pair, double factor, Matrix12& H) const;
};

/// r = p_B − p_A, three components in the inertial frame.
struct PointDifference {
  Vector3 d_A, d_B;
  Vector3 value(const NodePair& pair) const;
  Eigen::Matrix<double, 3, 12> gradient(const NodePair& pair) const;
  /// ∂(Gᵀλ)/∂q added to H.
  void add_hessian(const NodePair& pair, const Vector3& lambda, Matrix12& H) const;
  /// ∂(G v)/∂q
  Eigen::Matrix<double, 3, 12> rate_gradient(const NodePair& pair, const Vector12& v) const;
};

}  // namespace saltus
