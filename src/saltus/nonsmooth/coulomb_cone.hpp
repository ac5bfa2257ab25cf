// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <type_traits>

namespace saltus::nonsmooth {

/// Vectors of one contact: normal component first, then two tangential ones; where moments resist
/// rotation, spinning and two components of rolling besides.
template <int N>
using ContactVector = Eigen::Matrix<double, N, 1>;
template <int N>
using ContactMatrix = Eigen::Matrix<double, N, N>;
using Vector3 = ContactVector<3>;
using Vector6 = ContactVector<6>;
using Matrix3 = ContactMatrix<3>;
using Matrix6 = ContactMatrix<6>;

inline double tangential_norm(const Vector3& x) { return std::sqrt(x[1] * x[1] + x[2] * x[2]); }

/// Rows First … First + Size − 1 of a contact with one bound, ‖l_k‖ ≤ bound · l_N.
template <int First, int Size>
struct Ball {
  static constexpr int first = First, size = Size;
  double bound;

  template <class Vector>
  static auto of(Vector& x) {
    return x.template segment<Size>(First);
  }
};

/// The cone of a contact with moments: K = { l : l_N ≥ 0, ‖l_k‖ ≤ c_k l_N for every ball k }.
struct MomentCone {
  double slide = 0, spin = 0, roll = 0;  ///< c_k, ≥ 0
  bool coupled = false;                  ///< sliding and spinning are one ball of the bound `slide`
};

/// Three rows: the coefficient of friction alone.
template <int N>
using Cone = std::conditional_t<N == 3, double, MomentCone>;

/// f(Ball) for every ball of the cone, its rows known to the compiler.
template <class Function>
void for_each_ball(double mu, Function&& f) {
  f(Ball<1, 2>{mu});
}
template <class Function>
void for_each_ball(const MomentCone& cone, Function&& f) {
  if (cone.coupled) {
    f(Ball<1, 3>{cone.slide});
  } else {
    f(Ball<1, 2>{cone.slide});
    f(Ball<3, 1>{cone.spin});
  }
  f(Ball<4, 2>{cone.roll});
}

/// Σ c_k.
inline double sum_of_bounds(double mu) { return mu; }
inline double sum_of_bounds(const MomentCone& cone) {
  return cone.slide + (cone.coupled ? 0 : cone.spin) + cone.roll;
}

/// Σ c_k ‖u_k‖, the normal part of De Saxcé's change of variable.
inline double dilation(const Vector3& u, double mu) { return mu * tangential_norm(u); }
inline double dilation(const Vector6& u, const MomentCone& cone) {
  double sum = 0;
  for_each_ball(cone, [&](auto ball) { sum += ball.bound * ball.of(u).norm(); });
  return sum;
}

/// The point of the friction cone K_μ = { l : ‖l_T‖ ≤ μ l_N } nearest to x. μ = 0: a half-line.
inline Vector3 project_on_cone(const Vector3& x, double mu) {
  const double t = tangential_norm(x);
  if (x[0] >= 0 && t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vector3::Zero();  // the polar cone
  const double normal = (x[0] + mu * t) / (1 + mu * mu);
  const double factor = t > 0 ? mu * normal / t : 0;
  return {normal, factor * x[1], factor * x[2]};
}

/// The same with several balls: l_N minimises (l_N − x_N)² + Σ max(0, ‖x_k‖ − c_k l_N)². It grows
/// with every ball that cuts x, so those with the largest ‖x_k‖/c_k come first.
inline Vector6 project_on_cone(const Vector6& x, const MomentCone& cone) {
  if (dilation(x, cone) <= -x[0]) return Vector6::Zero();  // the polar cone
  struct Cut {
    double ratio, bound, size;
  };
  std::array<Cut, 3> cuts = {};  // balls of bound 0 take no part in l_N
  std::size_t count = 0;
  for_each_ball(cone, [&](auto ball) {
    if (!(ball.bound > 0)) return;
    const double size = ball.of(x).norm();
    std::size_t place = count++;
    for (; place > 0 && cuts[place - 1].ratio < size / ball.bound; --place) {
      cuts[place] = cuts[place - 1];
    }
    cuts[place] = {size / ball.bound, ball.bound, size};
  });
  double sum = x[0], weight = 1;
  for (std::size_t k = 0; k < count && cuts[k].size * weight > cuts[k].bound * sum; ++k) {
    sum += cuts[k].bound * cuts[k].size;
    weight += cuts[k].bound * cuts[k].bound;
  }
  Vector6 l = x;
  l[0] = sum / weight;
  for_each_ball(cone, [&](auto ball) {
    const double size = ball.of(x).norm(), limit = ball.bound * l[0];
    if (size > limit) ball.of(l) *= limit / size;
  });
  return l;
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

/// K* = { u : u_N ≥ Σ c_k ‖u_k‖ }.
inline Vector6 project_on_dual_cone(const Vector6& x, const MomentCone& cone) {
  return x + project_on_cone(Vector6(-x), cone);
}

/// De Saxcé's change of variable û = u + Σ c_k ‖u_k‖ n. Signorini's law and that of every ball
/// (u_k = 0 inside, against l_k on the surface) together are K ∋ l ⊥ û ∈ K*.
inline Vector3 de_saxce(const Vector3& u, double mu) {
  return {u[0] + dilation(u, mu), u[1], u[2]};
}
inline Vector6 de_saxce(const Vector6& u, const MomentCone& cone) {
  Vector6 shifted = u;
  shifted[0] += dilation(u, cone);
  return shifted;
}

/// l − P_K(l − ρ û): zero if and only if l and u obey the contact laws. ρ > 0 has the unit of l /
/// u.
inline Vector3 natural_map(const Vector3& l, const Vector3& u, double mu, double rho) {
  return l - project_on_cone(l - rho * de_saxce(u, mu), mu);
}
inline Vector6 natural_map(const Vector6& l, const Vector6& u, const MomentCone& cone, double rho) {
  return l - project_on_cone(Vector6(l - rho * de_saxce(u, cone)), cone);
}

}  // namespace saltus::nonsmooth
