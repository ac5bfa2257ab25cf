// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/contact_element.hpp"

namespace saltus {

/// How the gap between a rim and a face bends as the bodies turn.
struct RimBend {
  Vector3 axis = Vector3::UnitX();  ///< from the rim's centre to its lowest point, inertial
  /// −∂²g_N/∂φ² ≥ 0 for a turn of the rim by φ about that axis, m. Its lowest point runs round the
  /// rim, the faster the flatter it lies: ρ cos²α/sin α.                                     (2r)
  double bend = 0;
};

/// Zero of contacts that are no rim on a face, and where the rim lies flat.
RimBend rim_bend(const ContactElement& contact, const NodePair& q);

}  // namespace saltus
