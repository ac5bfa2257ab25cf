// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/slip_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;

namespace {

// Rows and columns of the two nodes' unknowns in a local vector.
constexpr int x_A = 0, Th_A = 3, x_B = 6, Th_B = 9;

/// How a direction of A turns in the axes of B, or one of B in the axes of A: by both rotations.
struct Turning {
  Matrix3 by_A, by_B;
};

/// n_B = Qᵀa: δn_B = −Qᵀâ δΘ_A + n̂_B δΘ_B.
Turning turning_in_B(const Matrix3& Q, const Vector3& a) {
  return {-Q.transpose() * hat(a), hat(Q.transpose() * a)};
}

/// u_A = Q b: δu_A = û_A δΘ_A − Q b̂ δΘ_B.
Turning turning_in_A(const Matrix3& Q, const Vector3& b) { return {hat(Q * b), -Q * hat(b)}; }

}  // namespace

// ---- Rim --------------------------------------------------------------------------------------

Vector3 Rim::lowest(const Vector3& n) const {
  const Vector3 radial = n - n.dot(axle) * axle;  // |radial| = w
  return centre - ring * radial.normalized() - rounding * n;
}

Matrix3 Rim::lowest_gradient(const Vector3& n) const {
  const Matrix3 I = Matrix3::Identity();
  const Vector3 radial = n - n.dot(axle) * axle;
  const double w = radial.norm();
  if (ring == 0 || w == 0) return -rounding * I;
  const Vector3 e = radial / w;
  return -(ring / w) * (I - e * e.transpose()) * (I - axle * axle.transpose()) - rounding * I;
}

// ---- RimHeight: dot2 of the centre − ring w − rounding, w = √(1 − κ²), κ = n·u ----------------

double RimHeight::value(const NodePair& pair) const {
  const double kappa = Dot1{a, rim.axle}.value(pair);
  const double w = std::sqrt(std::max(0.0, 1 - kappa * kappa));
  return Dot2{a, d_A, rim.centre}.value(pair) - rim.ring * w - rim.rounding;
}

Row12 RimHeight::gradient(const NodePair& pair) const {
  Row12 G = Dot2{a, d_A, rim.centre}.gradient(pair);
  if (rim.ring == 0) return G;
  const Dot1 cosine{a, rim.axle};
  const double kappa = cosine.value(pair), w = std::sqrt(1 - kappa * kappa);
  return G + rim.ring * kappa / w * cosine.gradient(pair);
}

void RimHeight::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  Dot2{a, d_A, rim.centre}.add_hessian(pair, factor, H);
  if (rim.ring == 0) return;
  const Dot1 cosine{a, rim.axle};
  const double kappa = cosine.value(pair), w = std::sqrt(1 - kappa * kappa);
  const Row12 G = cosine.gradient(pair);
  cosine.add_hessian(pair, factor * rim.ring * kappa / w, H);
  H.noalias() += (factor * rim.ring / (w * w * w)) * G.transpose() * G;
}

// ---- RollingSlip: the rows of dot2 at the lowest point, which is another one as the bodies turn -

/// What dot2 would be were the lowest point fixed in B.
Dot2 RollingSlip::along(const NodePair& pair) const {
  const Vector3 n_B = pair.B.R.transpose() * (pair.A.R * a);
  return {direction, Vector3::Zero(), rim.lowest(n_B)};
}

Row12 RollingSlip::gradient(const NodePair& pair) const { return along(pair).gradient(pair); }

void RollingSlip::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  along(pair).add_hessian(pair, factor, H);
  const Matrix3 Q = pair.A.R.transpose() * pair.B.R;
  const Turning n = turning_in_B(Q, a);
  const Matrix3 Z = factor * rim.lowest_gradient(Q.transpose() * a);
  const Matrix3 arm_A = hat(direction) * Q * Z;               // of t × y, y = R_Aᵀ(c − x_A)
  const Matrix3 arm_B = -hat(Q.transpose() * direction) * Z;  // of z × t_B
  H.block<3, 3>(Th_A, Th_A) += arm_A * n.by_A;
  H.block<3, 3>(Th_A, Th_B) += arm_A * n.by_B;
  H.block<3, 3>(Th_B, Th_A) += arm_B * n.by_A;
  H.block<3, 3>(Th_B, Th_B) += arm_B * n.by_B;
}

// ---- EdgeSlip: the rows of dot2 along m, which turns in A -------------------------------------

Vector3 EdgeSlip::across(const NodePair& pair) const {
  return a.cross(pair.A.R.transpose() * (pair.B.R * b));
}

Row12 EdgeSlip::gradient(const NodePair& pair) const {
  return Dot2{across(pair).normalized(), Vector3::Zero(), d_B}.gradient(pair);
}

void EdgeSlip::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  const Vector3 across_A = across(pair);
  const double s = across_A.norm();
  if (s == 0) return;
  const Vector3 m = across_A / s;
  Dot2{m, Vector3::Zero(), d_B}.add_hessian(pair, factor, H);
  const Matrix3 Q = pair.A.R.transpose() * pair.B.R;
  const Vector3 y = pair.A.R.transpose() * (pair.B.x + pair.B.R * d_B - pair.A.x);
  const Turning u = turning_in_A(Q, b);
  const Matrix3 dm = (factor / s) * (Matrix3::Identity() - m * m.transpose()) * hat(a);  // ∂m/∂u
  for (const auto& [column, turn] : {std::pair{Th_A, u.by_A}, std::pair{Th_B, u.by_B}}) {
    const Matrix3 change = dm * turn;
    H.block<3, 3>(x_A, column) -= pair.A.R * change;
    H.block<3, 3>(Th_A, column) -= hat(y) * change;
    H.block<3, 3>(x_B, column) += pair.A.R * change;
    H.block<3, 3>(Th_B, column) += hat(d_B) * Q.transpose() * change;
  }
}

}  // namespace saltus
