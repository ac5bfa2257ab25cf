// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace saltus::nonsmooth {

/// Vectors of one contact: normal component first, then two tangential ones.
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

inline double tangential_norm(const Vector3& x) { return std::sqrt(x[1] * x[1] + x[2] * x[2]); }

/// The point of the friction cone K_μ = { l : ‖l_T‖ ≤ μ l_N } nearest to x. μ = 0: a half-line.
inline Vector3 project_on_cone(const Vector3& x, double mu) {
  const double t = tangential_norm(x);
  if (x[0] >= 0 && t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vector3::Zero();  // the polar cone
  const double normal = (x[0] + mu * t) / (1 + mu * mu);
  const double factor = t > 0 ? mu * normal / t : 0;
  return {normal, factor * x[1], factor * x[2]};
}

/// The point of the dual cone K*_μ = { u : u_N ≥ μ ‖u_T‖ } nearest to x; Moreau: x = P_K*(x) −
/// P_K(−x). μ = 0: a half-space.
inline Vector3 project_on_dual_cone(const Vector3& x, double mu) {
  const double t = tangential_norm(x);
  if (x[0] >= mu * t) return x;
  if (t <= -mu * x[0]) return Vector3::Zero();
  const double tangential = (t + mu * x[0]) / (1 + mu * mu);
  const double factor = tangential / t;
  return {mu * tangential, factor * x[1], factor * x[2]};
}

/// De Saxcé's change of variable û = u + μ‖u_T‖ n. Signorini's and Coulomb's laws together are
/// K_μ ∋ l ⊥ û ∈ K*_μ.
inline Vector3 de_saxce(const Vector3& u, double mu) {
  return {u[0] + mu * tangential_norm(u), u[1], u[2]};
}

/// l − P_K(l − ρ û): zero if and only if l and u obey the contact laws. ρ > 0 has the unit of l /
/// u.
inline Vector3 natural_map(const Vector3& l, const Vector3& u, double mu, double rho) {
  return l - project_on_cone(l - rho * de_saxce(u, mu), mu);
}

}  // namespace saltus::nonsmooth
