// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/nonsmooth/single_contact.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

// Whether the normal reaction is given: a spring stands for it.
template <int N>
bool is_given(const ContactOperator<N>& D, std::size_t c) {
  return D.spring(c)[0] > 0;
}
bool is_given(const SingleOperator& /*D*/, std::size_t /*c*/) { return false; }

template <class Vectors>
double norm_of(const Vectors& l) {
  double sum = 0;
  for (const auto& x : l) sum += x.squaredNorm();
  return std::sqrt(sum);
}

// ‖r‖ of a contact, r being its natural map; what round-off explains is none.
template <int N, class Operator>
double error_of(const Operator& D, std::size_t c, const ContactVector<N>& l,
                const ContactVector<N>& u, const ContactVector<N>& r, double noise_of_b) {
  const double amplified = D.rho(c) * (1 + sum_of_bounds(D.cone(c)));
  const double noise = RoundOff::natural_map * (l.norm() + amplified * (u.norm() + D.b(c).norm())) +
                       amplified * noise_of_b;
  return r.norm() > noise ? r.norm() : (std::isfinite(r.norm()) ? 0 : r.norm());
}

template <int N, class Operator>
bool is_met(const Operator& D, std::size_t c, const ContactVector<N>& l, const ContactVector<N>& u,
            double noise_of_b) {
  const ContactVector<N> r = natural_map(l, u, D.cone(c), D.rho(c));
  return error_of<N>(D, c, l, u, r, noise_of_b) == 0;
}

// Contacts nearer to the surface of the cone than the accuracy of l may slide. Friction with a
// given normal reaction knows its rows to the round-off of that, however slow all else is.
template <int N, class Operator, class Vectors>
double stick_slip(const Operator& D, const Vectors& l, const Vectors& u, double accuracy,
                  double noise_of_b) {
  double largest = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (is_given(D, c) && is_met<N>(D, c, l[c], u[c], noise_of_b)) continue;
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
    const ContactVector<N> r = natural_map(l[c], u[c], D.cone(c), D.rho(c));
    const double error = error_of<N>(D, c, l[c], u[c], r, noise_of_b);
    sum += error * error;
    projected += (l[c] - r).squaredNorm();
    if (error > largest) {
      largest = error;
      m.worst = static_cast<int>(c);
    }
    // The normal row of a given reaction is no motion: its error is told by the natural map.
    if (error > 0 || !is_given(D, c)) m.approach = std::max(m.approach, -u[c][0]);
    if (u[c][0] > parting) tension = std::max(tension, l[c][0]);
  }
  m.error = std::sqrt(sum);
  m.stick_slip = stick_slip<N>(
      D, l, u, RoundOff::reaction * norm + RoundOff::error_factor * m.error, noise_of_b);
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
