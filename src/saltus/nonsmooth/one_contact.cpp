// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/one_contact.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

// A contact that touches, u_N = 0, and slides against its friction, u_T = −s l_T with s ≥ 0. l_N is
// eliminated: (S + s I) l_T = −c. Sticking is s = 0.
template <int Size>
struct Sliding {
  using Vector = ContactVector<Size>;
  using Matrix = ContactMatrix<Size>;

  Matrix S;
  Vector c;
  double normal;    // l_N without friction
  Vector coupling;  // l_N = normal − coupling · l_T
  double mu;

  struct Value {
    Vector l_T;
    double l_N;
    double excess;  // ‖l_T‖ − μ l_N
    double slope;   // its derivative by s
    double size;    // of the two terms of the excess
  };

  Value at(double s) const {
    const Matrix inverse = (S + s * Matrix::Identity()).inverse();
    Value value;
    value.l_T = -inverse * c;
    const Vector change = -inverse * value.l_T;
    value.l_N = normal - coupling.dot(value.l_T);
    const double size = value.l_T.norm();
    value.excess = size - mu * value.l_N;
    value.slope = (size > 0 ? value.l_T.dot(change) / size : 0) + mu * coupling.dot(change);
    value.size = size + mu * std::abs(value.l_N);
    return value;
  }
};

// The s > 0 with ‖l_T(s)‖ = μ l_N(s): positive excess at s = 0, negative at infinity. Newton's
// method inside a bracket, from a first guess.
template <int Size>
typename Sliding<Size>::Value slide(const Sliding<Size>& sliding, double s, double scale) {
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  auto value = sliding.at(s);
  for (int k = 0; k < OneContactTuning::max_root_iterations; ++k) {
    if (std::abs(value.excess) <= OneContactTuning::root_accuracy * value.size) break;
    (value.excess > 0 ? lower : upper) = s;
    double next = s - value.excess / value.slope;
    if (!(next > lower && next < upper)) {
      next = std::isinf(upper) ? std::max(OneContactTuning::bracket_growth * s, scale)
                               : 0.5 * (lower + upper);
    }
    if (next == s || upper <= lower * (1 + OneContactTuning::root_accuracy)) break;
    s = next;
    value = sliding.at(s);
  }
  return value;
}

// Sticking if that is inside the cone, else sliding. `trace`: of the contact's mobility; `guess`:
// of s, if positive.
template <int Size>
typename Sliding<Size>::Value stick_or_slide(Sliding<Size>& sliding,
                                             const ContactVector<Size>& near, double trace,
                                             double guess) {
  const double mean = sliding.S.trace() / Size;
  const double smallest = OneContactTuning::singular_mobility * trace;
  const double others = std::max(mean, smallest);
  if (sliding.S.determinant() <= smallest * (Size > 2 ? others * others : others)) {
    sliding.S.diagonal().array() += OneContactTuning::local_proximal * trace;
    sliding.c -= OneContactTuning::local_proximal * trace * near;
  }
  auto stick = sliding.at(0);
  if (stick.excess <= 0) return stick;
  const double scale = std::max(mean, OneContactTuning::local_proximal * trace);
  return slide(sliding,
               guess > 0 && guess < OneContactTuning::farthest_guess * scale ? guess : scale,
               scale);
}

// One normal row and one ball.
template <int Size>
ContactVector<Size + 1> solve_general(const ContactMatrix<Size + 1>& D,
                                      const ContactVector<Size + 1>& q, double mu,
                                      const ContactVector<Size + 1>& near) {
  using Vector = ContactVector<Size>;
  const Vector D_TN = D.template block<Size, 1>(1, 0);
  Sliding<Size> sliding;
  sliding.mu = mu;
  sliding.normal = -q[0] / D(0, 0);
  sliding.coupling = D.template block<1, Size>(0, 1).transpose() / D(0, 0);
  sliding.S = D.template block<Size, Size>(1, 1) - D_TN * sliding.coupling.transpose();
  sliding.c = q.template tail<Size>() + D_TN * sliding.normal;
  const Vector held = near.template tail<Size>();
  const double size = held.norm();
  const double guess =
      size > 0 ? (D.template bottomRows<Size>() * near + q.template tail<Size>()).norm() / size : 0;
  const auto value = stick_or_slide<Size>(sliding, held, D.trace(), guess);
  ContactVector<Size + 1> l;
  l << value.l_N, value.l_T;
  return l;
}

// D = diag(D_NN, d, d): the direction of sliding is known.
Vector3 solve_isotropic(const Matrix3& D, const Vector3& q, double mu) {
  const double l_N = -q[0] / D(0, 0);
  const double free = tangential_norm(q) / D(1, 1);
  const double factor = free <= mu * l_N ? 1 : mu * l_N / free;
  return {l_N, -factor * q[1] / D(1, 1), -factor * q[2] / D(1, 1)};
}

bool is_isotropic(const Matrix3& D) {
  const double small = OneContactTuning::same_mobility * D.trace();
  return std::abs(D(0, 1)) <= small && std::abs(D(0, 2)) <= small && std::abs(D(1, 0)) <= small &&
         std::abs(D(2, 0)) <= small && std::abs(D(1, 2)) <= small && std::abs(D(2, 1)) <= small &&
         std::abs(D(1, 1) - D(2, 2)) <= small &&
         D(1, 1) > OneContactTuning::singular_mobility * D(0, 0);
}

bool is_isotropic(const ContactMatrix<2>& D) {
  const double small = OneContactTuning::same_mobility * D.trace();
  return std::abs(D(0, 1)) <= small && std::abs(D(1, 0)) <= small &&
         std::abs(D(0, 0) - D(1, 1)) <= small;
}

// A ball of the given radius: D l + q is 0 inside, against l on the surface.
double solve_ball(double D, double q, double radius) {
  return radius > 0 ? std::clamp(-q / D, -radius, radius) : 0;
}

ContactVector<2> solve_ball(const ContactMatrix<2>& D, const ContactVector<2>& q, double radius,
                            const ContactVector<2>& near) {
  if (!(radius > 0)) return ContactVector<2>::Zero();
  if (is_isotropic(D)) return -q * std::min(1 / D(0, 0), radius / q.norm());
  Sliding<2> sliding{D, q, radius, ContactVector<2>::Zero(), 1};
  const double size = near.norm();
  const double guess = size > 0 ? (D * near + q).norm() / size : 0;
  return stick_or_slide<2>(sliding, near, D.trace(), guess).l_T;
}

// Sliding and spinning as one ball.
ContactVector<4> solve_coupled(const ContactMatrix<4>& D, const ContactVector<4>& q, double mu,
                               const ContactVector<4>& near) {
  if (q[0] >= 0) return ContactVector<4>::Zero();
  if (mu == 0) return -q[0] / D(0, 0) * ContactVector<4>::Unit(0);
  return solve_general<3>(D, q, mu, near);
}

}  // namespace

Vector3 solve_one_contact(const Matrix3& D, const Vector3& q, double mu, const Vector3& near) {
  if (q[0] >= 0) return Vector3::Zero();
  if (mu == 0) return {-q[0] / D(0, 0), 0, 0};
  if (is_isotropic(D)) return solve_isotropic(D, q, mu);
  return solve_general<2>(D, q, mu, near);
}

Vector6 solve_one_contact(const Matrix6& D, const Vector6& q, const MomentCone& cone,
                          const Vector6& near) {
  Vector6 l = near;
  for (int pass = 0; pass < OneContactTuning::max_passes; ++pass) {
    const Vector6 before = l;
    if (cone.coupled) {
      const ContactVector<4> held = q.head<4>() + D.topRightCorner<4, 2>() * l.tail<2>();
      l.head<4>() = solve_coupled(D.topLeftCorner<4, 4>(), held, cone.slide, l.head<4>());
    } else {
      const Vector3 held = q.head<3>() + D.topRightCorner<3, 3>() * l.tail<3>();
      l.head<3>() = solve_one_contact(D.topLeftCorner<3, 3>(), held, cone.slide, l.head<3>());
      const double others = q[3] + D.row(3).dot(l) - D(3, 3) * l[3];
      l[3] = solve_ball(D(3, 3), others, cone.spin * l[0]);
    }
    const ContactVector<2> held = q.tail<2>() + D.bottomLeftCorner<2, 4>() * l.head<4>();
    l.tail<2>() = solve_ball(D.bottomRightCorner<2, 2>(), held, cone.roll * l[0], l.tail<2>());
    if ((l - before).squaredNorm() <= OneContactTuning::same_square * l.squaredNorm()) break;
  }
  return l;
}

}  // namespace saltus::nonsmooth
