// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/one_contact.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::nonsmooth {
namespace {

using Vector2 = Eigen::Vector2d;
using Matrix2 = Eigen::Matrix2d;

constexpr double singular_mobility = 1e-9;  // of the tangential motion, relative to tr D
constexpr double local_proximal = 1e-8;     // added to it then, relative to tr D
constexpr int max_root_iterations = 100;

// A contact that touches, u_N = 0, and slides against its friction, u_T = −s l_T with s ≥ 0. l_N is
// eliminated: (S + s I) l_T = −c. Sticking is s = 0.
struct Sliding {
  Matrix2 S;
  Vector2 c;
  double normal;     // l_N without friction
  Vector2 coupling;  // l_N = normal − coupling · l_T
  double mu;

  struct Value {
    Vector3 l;
    double excess;  // ‖l_T‖ − μ l_N
    double slope;   // its derivative by s
    double size;    // of the two terms of the excess
  };

  Value at(double s) const {
    const double a = S(0, 0) + s, d = S(1, 1) + s;
    const double scale = 1 / (a * d - S(0, 1) * S(1, 0));
    const auto divide = [&](const Vector2& x) {
      return Vector2((d * x[0] - S(0, 1) * x[1]) * scale, (a * x[1] - S(1, 0) * x[0]) * scale);
    };
    const Vector2 l_T = -divide(c);
    const Vector2 change = -divide(l_T);
    const double l_N = normal - coupling.dot(l_T);
    const double size = l_T.norm();
    Value value;
    value.l = {l_N, l_T[0], l_T[1]};
    value.excess = size - mu * l_N;
    value.slope = (size > 0 ? l_T.dot(change) / size : 0) + mu * coupling.dot(change);
    value.size = size + mu * std::abs(l_N);
    return value;
  }
};

// The s > 0 with ‖l_T(s)‖ = μ l_N(s): positive excess at s = 0, negative at infinity. Newton's
// method inside a bracket, from a first guess.
Vector3 slide(const Sliding& sliding, double s, double scale) {
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  Sliding::Value value = sliding.at(s);
  for (int k = 0; k < max_root_iterations; ++k) {
    if (std::abs(value.excess) <= 2e-16 * value.size) break;
    (value.excess > 0 ? lower : upper) = s;
    double next = s - value.excess / value.slope;
    if (!(next > lower && next < upper)) {
      next = std::isinf(upper) ? std::max(8 * s, scale) : 0.5 * (lower + upper);
    }
    if (next == s || upper <= lower * (1 + 2e-16)) break;
    s = next;
    value = sliding.at(s);
  }
  return value.l;
}

// D = diag(D_NN, d, d): the direction of sliding is known.
Vector3 solve_isotropic(const Matrix3& D, const Vector3& q, double mu) {
  const double l_N = -q[0] / D(0, 0);
  const double free = tangential_norm(q) / D(1, 1);
  const double factor = free <= mu * l_N ? 1 : mu * l_N / free;
  return {l_N, -factor * q[1] / D(1, 1), -factor * q[2] / D(1, 1)};
}

bool is_isotropic(const Matrix3& D) {
  const double small = 1e-15 * D(0, 0);
  return std::abs(D(0, 1)) <= small && std::abs(D(0, 2)) <= small && std::abs(D(1, 0)) <= small &&
         std::abs(D(2, 0)) <= small && std::abs(D(1, 2)) <= small && std::abs(D(2, 1)) <= small &&
         std::abs(D(1, 1) - D(2, 2)) <= small && D(1, 1) > singular_mobility * D(0, 0);
}

}  // namespace

Vector3 solve_one_contact(const Matrix3& D, const Vector3& q, double mu, const Vector3& near) {
  if (mu == 0) return {q[0] < 0 ? -q[0] / D(0, 0) : 0, 0, 0};
  if (q[0] >= 0) return Vector3::Zero();
  if (is_isotropic(D)) return solve_isotropic(D, q, mu);

  const Vector2 D_TN(D(1, 0), D(2, 0));
  Sliding sliding;
  sliding.mu = mu;
  sliding.normal = -q[0] / D(0, 0);
  sliding.coupling = Vector2(D(0, 1), D(0, 2)) / D(0, 0);
  sliding.S = D.bottomRightCorner<2, 2>() - D_TN * sliding.coupling.transpose();
  sliding.c = Vector2(q[1], q[2]) + D_TN * sliding.normal;

  const double trace = D.trace();
  const double half = 0.5 * sliding.S.trace();
  const double determinant = sliding.S.determinant();
  if (determinant <= singular_mobility * trace * std::max(half, singular_mobility * trace)) {
    sliding.S.diagonal().array() += local_proximal * trace;
    sliding.c -= local_proximal * trace * near.tail<2>();
  }
  const Sliding::Value stick = sliding.at(0);
  if (stick.excess <= 0) return stick.l;
  const double scale = std::max(half, local_proximal * trace);
  const double size = tangential_norm(near);
  const double guess = size > 0 ? tangential_norm(D * near + q) / size : scale;
  return slide(sliding, guess > 0 && guess < 1e6 * scale ? guess : scale, scale);
}

}  // namespace saltus::nonsmooth
