// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "saltus/nonsmooth/contact_operator.hpp"

namespace saltus::nonsmooth {

/// How well reactions l and motions u obey the contact laws: one measure for all solvers.
struct ContactMeasure {
  double error = std::numeric_limits<double>::infinity();     ///< ‖natural map‖
  double residual = std::numeric_limits<double>::infinity();  ///< the same relative to ‖l‖
  double approach = 0;                                        ///< max(−u_N), ≥ 0
  double stick_slip = 0;  ///< max ‖u_k‖ over strictly sticking balls
  double growth =
      0;  ///< ‖l‖ / (largest inertia of a side · ‖b‖): residuals relative to a growing l are blind
  double tension = 0;  ///< max l_N / ‖l‖ over contacts that part by more than the tolerance
  int worst = -1;      ///< the contact with the largest error

  /// Approach or slip, whichever is larger.
  double violation() const { return std::max(approach, stick_slip); }
};

/// @param parting  u_N above which a contact counts as parted.
template <int N>
ContactMeasure measure(const ContactOperator<N>& D, const ContactVectors<N>& l,
                       const ContactVectors<N>& u, double parting, double noise_of_b = 0);

class SingleOperator;
ContactMeasure measure_single(const SingleOperator& D, const Vector3& l, const Vector3& u,
                              double parting, double noise_of_b);

}  // namespace saltus::nonsmooth
