// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

enum class ContactStatus { Gap, Stick, Slip };

/// The penalties of one contact, reaction per motion.
struct Penalty {
  double normal = 1;
  double tangential = 1;
};

/// The status that Alart's and Curnier's augmented reaction ξ = l − p u predicts. A contact with
/// ξ = 0 sticks: were it to slip, its direction would be 0/0.
ContactStatus status_of(const Vector3& l, const Vector3& u, double mu, const Penalty& p);

/// l − (projection of ξ on the disc of radius μ ξ_N), in the unit of l: zero at a solution.
Vector3 alart_curnier_map(const Vector3& l, const Vector3& u, double mu, const Penalty& p);

/// The map's linearisation, rows scaled: A du + B dl = −F, where u = u₀ + δ (l − l_ref) has a
/// proximal term with δ ≥ 0, du is the change of u₀, and B contains the change of the proximal
/// term. Stick: A = I, B = δ I, F = u. Not symmetric when slipping, for the normal reaction bounds
/// friction.
struct ContactTangent {
  Matrix3 A = Matrix3::Zero();
  Matrix3 B = Matrix3::Identity();
  Vector3 F = Vector3::Zero();
  ContactStatus status = ContactStatus::Gap;
};

ContactTangent linearize(const Vector3& l, const Vector3& u, double mu, const Penalty& p,
                         double delta);

}  // namespace saltus::nonsmooth
