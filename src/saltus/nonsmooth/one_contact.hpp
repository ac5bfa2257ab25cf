// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

/// The reaction of one contact alone: u = D l + q with Signorini's and Coulomb's laws, exact to
/// round-off.
///
/// @param D   the contact's own mobility; D_NN > 0. Tangential motion may be impossible (a hinged
///            body): then l_T is undetermined and stays near `near`.
/// @param near  the reaction so far.
Vector3 solve_one_contact(const Matrix3& D, const Vector3& q, double mu, const Vector3& near);

/// The same with moments, not exact: a few passes from `near` over the normal reaction with its
/// first ball, exactly, and each further ball with the normal reaction held, exactly.
Vector6 solve_one_contact(const Matrix6& D, const Vector6& q, const MomentCone& cone,
                          const Vector6& near);

}  // namespace saltus::nonsmooth
