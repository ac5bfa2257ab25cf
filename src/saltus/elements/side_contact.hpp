// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/contact_element.hpp"

namespace saltus {

/// The element of a feature B on the surface that A has: of a sphere on the side of a cylinder,
/// too, which otherwise touch as solids.
ContactElement on_surface(const ContactFeature& A, const ContactFeature& B);

}  // namespace saltus
