// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/nonsmooth/contact_operator.hpp"

namespace saltus::nonsmooth {

/// Motions of all unknowns of K, with a slot at the end for those that contacts do not have.
using BodyMotion = Eigen::VectorXd;

/// H_c w.
template <int N>
ContactVector<N> motion_at(const ContactOperator<N>& D, std::size_t c, const BodyMotion& w) {
  Eigen::Matrix<double, 12, 1> local;
  for (std::size_t k = 0; k < 12; ++k) {
    local[static_cast<Eigen::Index>(k)] = w[D.columns(c)[k]];
  }
  return D.rows(c).transpose() * local;
}

/// f += F_cᵀ l.
template <int N>
void add_force(const ContactOperator<N>& D, std::size_t c, const ContactVector<N>& l,
               BodyMotion& f) {
  const Eigen::Matrix<double, 12, 1> force = D.directions(c) * l;
  for (std::size_t k = 0; k < 12; ++k) {
    f[D.columns(c)[k]] += force[static_cast<Eigen::Index>(k)];
  }
}

}  // namespace saltus::nonsmooth
