// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/r3xso3.hpp"

// Numbers in comments: docs/theory/rotations.md.
namespace saltus::lie::r3xso3 {
namespace {

// (22)  [I 0; 0 A]
Matrix6 on_rotation(const Matrix3& A) {
  Matrix6 result = Matrix6::Identity();
  result.bottomRightCorner<3, 3>() = A;
  return result;
}

}  // namespace

Transform compose(const Transform& g1, const Transform& g2) {
  return {.R = g1.R * g2.R, .x = g1.x + g2.x};  // (20)
}

Transform inverse(const Transform& g) { return {.R = g.R.transpose(), .x = -g.x}; }  // (20)

Transform exp(const Vector6& h) {
  return {.R = so3::exp(h.tail<3>()), .x = h.head<3>()};  // (21)
}

Vector6 log(const Transform& g) {
  Vector6 h;
  h << g.x, so3::log(g.R);  // (21)
  return h;
}

Matrix6 adjoint(const Transform& g) { return on_rotation(g.R); }  // (22)

Matrix6 tangent(const Vector6& h) { return on_rotation(so3::tangent(h.tail<3>())); }

Matrix6 tangent_inverse(const Vector6& h) { return on_rotation(so3::tangent_inverse(h.tail<3>())); }

}  // namespace saltus::lie::r3xso3
