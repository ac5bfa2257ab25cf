// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/nonsmooth/single_contact.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

template <class Vectors>
double norm_of(const Vectors& l) {
  double sum = 0;
  for (const auto& x : l) sum += x.squaredNorm();
  return std::sqrt(sum);
}

// Contacts nearer to the surface of the cone than the accuracy of l may slide.
template <class Operator, class Vectors>
double stick_slip(const Operator& D, const Vectors& l, const Vectors& u, double accuracy) {
  double largest = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    for_each_ball(D.cone(c), [&](auto ball) {
      const double limit = ball.bound * l[c][0];
      if (limit - ball.of(l[c]).norm() > RoundOff::strictly_inside * limit + accuracy) {
        largest = std::max(largest, ball.of(u[c]).norm());
      }
    });
  }
  return largest;
}

template <int N, class Operator, class Vectors>
ContactMeasure measure_all(const Operator& D, const Vectors& l, const Vectors& u, double parting,
                           double noise_of_b) {
  ContactMeasure m;
  const double norm = norm_of(l);
  double sum = 0, projected = 0, largest = 0, tension = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (!D.movable(c)) continue;
    const double rho = D.rho(c), amplified = rho * (1 + sum_of_bounds(D.cone(c)));
    const ContactVector<N> r = natural_map(l[c], u[c], D.cone(c), rho);
    const double noise =
        RoundOff::natural_map * (l[c].norm() + amplified * (u[c].norm() + D.b(c).norm())) +
        amplified * noise_of_b;
    const double error = r.norm() > noise ? r.norm() : (std::isfinite(r.norm()) ? 0 : r.norm());
    sum += error * error;
    projected += (l[c] - r).squaredNorm();
    if (error > largest) {
      largest = error;
      m.worst = static_cast<int>(c);
    }
    m.approach = std::max(m.approach, -u[c][0]);
    if (u[c][0] > parting) tension = std::max(tension, l[c][0]);
  }
  m.error = std::sqrt(sum);
  m.stick_slip = stick_slip(D, l, u, RoundOff::reaction * norm + RoundOff::error_factor * m.error);
  const double size = std::max(norm, std::sqrt(projected));
  m.residual = m.error > 0 ? m.error / size : m.error;
  m.tension = tension > 0 ? tension / norm : 0;
  m.growth = D.reference() > 0 ? norm / D.reference() : 0;
  if (!std::isfinite(m.error)) m.error = m.residual = std::numeric_limits<double>::infinity();
  return m;
}

}  // namespace

template <int N>
ContactMeasure measure(const ContactOperator<N>& D, const ContactVectors<N>& l,
                       const ContactVectors<N>& u, double parting, double noise_of_b) {
  return measure_all<N>(D, l, u, parting, noise_of_b);
}

ContactMeasure measure_single(const SingleOperator& D, const Vector3& l, const Vector3& u,
                              double parting, double noise_of_b) {
  return measure_all<3>(D, std::array{l}, std::array{u}, parting, noise_of_b);
}

template ContactMeasure measure<3>(const ContactOperator<3>&, const ContactVectors<3>&,
                                   const ContactVectors<3>&, double, double);
template ContactMeasure measure<6>(const ContactOperator<6>&, const ContactVectors<6>&,
                                   const ContactVectors<6>&, double, double);

}  // namespace saltus::nonsmooth
