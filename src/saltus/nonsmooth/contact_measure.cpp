// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_measure.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::nonsmooth {
namespace {

// An error below this many units of round-off in the terms of the natural map is none.
constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();

double norm_of(const ContactVectors& l) {
  double sum = 0;
  for (const Vector3& x : l) sum += x.squaredNorm();
  return std::sqrt(sum);
}

// Contacts nearer to the surface of the cone than the accuracy of l may slide.
double stick_slip(const ContactOperator& D, const ContactVectors& l, const ContactVectors& u,
                  double accuracy) {
  double largest = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    const double limit = D.contact(c).mu * l[c][0];
    if (limit - tangential_norm(l[c]) > 1e-8 * limit + accuracy) {
      largest = std::max(largest, tangential_norm(u[c]));
    }
  }
  return largest;
}

}  // namespace

ContactMeasure measure(const ContactOperator& D, const ContactVectors& l, const ContactVectors& u,
                       double parting, double noise_of_b) {
  ContactMeasure m;
  const double norm = norm_of(l);
  double sum = 0, projected = 0, largest = 0, tension = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (!D.movable(c)) continue;
    const double mu = D.contact(c).mu, rho = D.rho(c);
    const Vector3 r = natural_map(l[c], u[c], mu, rho);
    const double noise =
        round_off * (l[c].norm() + rho * (1 + mu) * (u[c].norm() + D.contact(c).b.norm())) +
        rho * (1 + mu) * noise_of_b;
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
  m.stick_slip = stick_slip(D, l, u, 1e-11 * norm + 2 * m.error);
  const double size = std::max(norm, std::sqrt(projected));
  m.residual = m.error > 0 ? m.error / size : m.error;
  m.tension = tension > 0 ? tension / norm : 0;
  m.growth = D.reference() > 0 ? norm / D.reference() : 0;
  if (!std::isfinite(m.error)) m.error = m.residual = std::numeric_limits<double>::infinity();
  return m;
}

}  // namespace saltus::nonsmooth
