// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

enum class ContactStatus { Gap, Stick, Slip };

/// The penalties of one contact, reaction per motion. A ball has one for all its rows.
struct Penalty {
  double normal = 1;
  double slide = 1, spin = 1, roll = 1;

  template <int First, int Size>
  double& of(Ball<First, Size> /*ball*/) {
    return First == 1 ? slide : First == 3 ? spin : roll;
  }
  template <int First, int Size>
  double of(Ball<First, Size> /*ball*/) const {
    return First == 1 ? slide : First == 3 ? spin : roll;
  }
};

/// The status that Alart's and Curnier's augmented reaction ξ = l − p u predicts, of the first
/// ball. A contact with ξ = 0 sticks: were it to slip, its direction would be 0/0.
template <int N>
ContactStatus status_of(const ContactVector<N>& l, const ContactVector<N>& u, const Cone<N>& cone,
                        const Penalty& p);

/// l − (projection of each ξ_k on the ball of radius c_k ξ_N), in the unit of l: zero at a
/// solution.
template <int N>
ContactVector<N> alart_curnier_map(const ContactVector<N>& l, const ContactVector<N>& u,
                                   const Cone<N>& cone, const Penalty& p);

/// The map's linearisation, rows scaled: A du + B dl = −F, where u = u₀ + δ (l − l_ref) has a
/// proximal term with δ ≥ 0, du is the change of u₀, and B contains the change of the proximal
/// term. Stick: A = I, B = δ I, F = u. Not symmetric when slipping, for the normal reaction bounds
/// friction. Each ball sticks or slips for itself; `status` is that of the first.
template <int N>
struct ContactTangent {
  ContactMatrix<N> A = ContactMatrix<N>::Zero();
  ContactMatrix<N> B = ContactMatrix<N>::Identity();
  ContactVector<N> F = ContactVector<N>::Zero();
  ContactStatus status = ContactStatus::Gap;
};

template <int N>
ContactTangent<N> linearize(const ContactVector<N>& l, const ContactVector<N>& u,
                            const Cone<N>& cone, const Penalty& p, double delta);

}  // namespace saltus::nonsmooth
