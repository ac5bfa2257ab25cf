// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/alart_curnier.hpp"

namespace saltus::nonsmooth {
namespace {

template <int N>
ContactVector<N> augmented(const ContactVector<N>& l, const ContactVector<N>& u,
                           const Cone<N>& cone, const Penalty& p) {
  ContactVector<N> xi;
  xi[0] = l[0] - p.normal * u[0];
  for_each_ball(cone, [&](auto ball) { ball.of(xi) = ball.of(l) - p.of(ball) * ball.of(u); });
  return xi;
}

// Frictionless contacts slip whatever ξ_k is.
bool sticks(double size, double bound, double normal) {
  return bound > 0 && size <= bound * normal;
}

template <int N>
ContactStatus status_of(const ContactVector<N>& xi, const Cone<N>& cone) {
  if (xi[0] < 0) return ContactStatus::Gap;
  bool all = true, first = true;
  for_each_ball(cone, [&](auto ball) {
    if (first) all = sticks(ball.of(xi).norm(), ball.bound, xi[0]);
    first = false;
  });
  return all ? ContactStatus::Stick : ContactStatus::Slip;
}

// The rows of a slipping ball, divided by p_k like those of a sticking one: F_k = l_k − c_k ξ_N τ
// with τ = ξ_k/‖ξ_k‖.
template <int N, int First, int Size>
void linearize_slip(Ball<First, Size> ball, const ContactVector<N>& l, const ContactVector<N>& xi,
                    double size, const Penalty& p, double delta, ContactTangent<N>& tangent) {
  using Vector = ContactVector<Size>;
  using Matrix = ContactMatrix<Size>;
  const double p_k = p.of(ball), scale = 1 / p_k, bound = ball.bound;
  const Vector tau = size > 0 ? Vector(ball.of(xi) / size) : Vector(Vector::Zero());
  const double c = size > 0 ? bound * xi[0] / size : 0;
  const Matrix P = Matrix::Identity() - tau * tau.transpose();
  ball.of(tangent.F) = scale * (ball.of(l) - bound * xi[0] * tau);
  tangent.A.template block<Size, 1>(First, 0) = scale * bound * p.normal * tau;
  tangent.A.template block<Size, Size>(First, First) = c * P;
  tangent.B.template block<Size, 1>(First, 0) = -scale * bound * (1 - p.normal * delta) * tau;
  tangent.B.template block<Size, Size>(First, First) =
      scale * (Matrix::Identity() - c * (1 - p_k * delta) * P);
}

}  // namespace

template <int N>
ContactStatus status_of(const ContactVector<N>& l, const ContactVector<N>& u, const Cone<N>& cone,
                        const Penalty& p) {
  return status_of<N>(augmented<N>(l, u, cone, p), cone);
}

template <int N>
ContactVector<N> alart_curnier_map(const ContactVector<N>& l, const ContactVector<N>& u,
                                   const Cone<N>& cone, const Penalty& p) {
  const ContactVector<N> xi = augmented<N>(l, u, cone, p);
  if (xi[0] < 0) return l;
  ContactVector<N> map;
  map[0] = p.normal * u[0];
  for_each_ball(cone, [&](auto ball) {
    const double size = ball.of(xi).norm();
    if (sticks(size, ball.bound, xi[0])) {
      ball.of(map) = p.of(ball) * ball.of(u);
    } else {
      const double factor = size > 0 ? ball.bound * xi[0] / size : 0;
      ball.of(map) = ball.of(l) - factor * ball.of(xi);
    }
  });
  return map;
}

template <int N>
ContactTangent<N> linearize(const ContactVector<N>& l, const ContactVector<N>& u,
                            const Cone<N>& cone, const Penalty& p, double delta) {
  const ContactVector<N> xi = augmented<N>(l, u, cone, p);
  ContactTangent<N> tangent;
  tangent.status = status_of<N>(xi, cone);
  if (tangent.status == ContactStatus::Gap) {
    tangent.F = l;
    return tangent;
  }
  tangent.A.setIdentity();
  tangent.B = delta * ContactMatrix<N>::Identity();
  tangent.F = u;
  for_each_ball(cone, [&](auto ball) {
    const double size = ball.of(xi).norm();
    if (!sticks(size, ball.bound, xi[0])) linearize_slip<N>(ball, l, xi, size, p, delta, tangent);
  });
  return tangent;
}

template ContactStatus status_of<3>(const Vector3&, const Vector3&, const double&, const Penalty&);
template ContactStatus status_of<6>(const Vector6&, const Vector6&, const MomentCone&,
                                    const Penalty&);
template Vector3 alart_curnier_map<3>(const Vector3&, const Vector3&, const double&,
                                      const Penalty&);
template Vector6 alart_curnier_map<6>(const Vector6&, const Vector6&, const MomentCone&,
                                      const Penalty&);
template ContactTangent<3> linearize<3>(const Vector3&, const Vector3&, const double&,
                                        const Penalty&, double);
template ContactTangent<6> linearize<6>(const Vector6&, const Vector6&, const MomentCone&,
                                        const Penalty&, double);

}  // namespace saltus::nonsmooth
