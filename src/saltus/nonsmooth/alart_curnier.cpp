// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/alart_curnier.hpp"

namespace saltus::nonsmooth {
namespace {

Vector3 augmented(const Vector3& l, const Vector3& u, const Penalty& p) {
  return {l[0] - p.normal * u[0], l[1] - p.tangential * u[1], l[2] - p.tangential * u[2]};
}

// Frictionless contacts slip whatever ξ_T is.
ContactStatus status_of(const Vector3& xi, double mu) {
  if (xi[0] < 0) return ContactStatus::Gap;
  if (mu > 0 && tangential_norm(xi) <= mu * xi[0]) return ContactStatus::Stick;
  return ContactStatus::Slip;
}

// The two tangential rows of a slipping contact, divided by p_T like those of a sticking one:
// F_T = l_T − μ ξ_N τ with τ = ξ_T/‖ξ_T‖.
void linearize_slip(const Vector3& l, const Vector3& xi, double mu, const Penalty& p, double delta,
                    ContactTangent& tangent) {
  using Vector2 = Eigen::Vector2d;
  using Matrix2 = Eigen::Matrix2d;
  const double scale = 1 / p.tangential;
  const double size = tangential_norm(xi);
  const Vector2 tau = size > 0 ? Vector2(xi.tail<2>() / size) : Vector2::Zero();
  const double c = size > 0 ? mu * xi[0] / size : 0;
  const Matrix2 P = Matrix2::Identity() - tau * tau.transpose();
  tangent.F.tail<2>() = scale * (l.tail<2>() - mu * xi[0] * tau);
  tangent.A.block<2, 1>(1, 0) = scale * mu * p.normal * tau;
  tangent.A.block<2, 2>(1, 1) = c * P;
  tangent.B.block<2, 1>(1, 0) = -scale * mu * (1 - p.normal * delta) * tau;
  tangent.B.block<2, 2>(1, 1) = scale * (Matrix2::Identity() - c * (1 - p.tangential * delta) * P);
}

}  // namespace

ContactStatus status_of(const Vector3& l, const Vector3& u, double mu, const Penalty& p) {
  return status_of(augmented(l, u, p), mu);
}

Vector3 alart_curnier_map(const Vector3& l, const Vector3& u, double mu, const Penalty& p) {
  const Vector3 xi = augmented(l, u, p);
  switch (status_of(xi, mu)) {
    case ContactStatus::Gap:
      return l;
    case ContactStatus::Stick:
      return {p.normal * u[0], p.tangential * u[1], p.tangential * u[2]};
    case ContactStatus::Slip:
      break;
  }
  const double size = tangential_norm(xi);
  const double factor = size > 0 ? mu * xi[0] / size : 0;
  return {p.normal * u[0], l[1] - factor * xi[1], l[2] - factor * xi[2]};
}

ContactTangent linearize(const Vector3& l, const Vector3& u, double mu, const Penalty& p,
                         double delta) {
  const Vector3 xi = augmented(l, u, p);
  ContactTangent tangent;
  tangent.status = status_of(xi, mu);
  if (tangent.status == ContactStatus::Gap) {
    tangent.F = l;
    return tangent;
  }
  tangent.B = delta * Matrix3::Identity();
  tangent.F = u;
  if (tangent.status == ContactStatus::Stick) {
    tangent.A.setIdentity();
    return tangent;
  }
  tangent.A(0, 0) = 1;
  linearize_slip(l, xi, mu, p, delta, tangent);
  return tangent;
}

}  // namespace saltus::nonsmooth
