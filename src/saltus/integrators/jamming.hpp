// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/contact_set.hpp"
#include "saltus/integrators/step_report.hpp"

namespace saltus {

/// Painlevé: where pressing a sliding contact makes it approach, friction holds it by itself. Warns
/// of such members of the problem at hand (frictional_contact.md, eq. 18).
/// @param start  of the step
/// @param speed  scale of the island's velocities
void warn_of_jamming(const ContactSet& contacts, const State& start, double speed,
                     StepReport& report);

}  // namespace saltus
