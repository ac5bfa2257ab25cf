// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/log.hpp"
#include "saltus/dynamics/kkt.hpp"

namespace saltus {

/// The start of a run (docs/theory/generalized_alpha.md, section 5): the given pose projected onto
/// the joints, the velocities made consistent, accelerations and multipliers solved. What was moved
/// is told to `log`.
/// @throws InputError if joints or drives contradict each other, or if a motion has no inertia.
State initial_state(const System& system, KktSolver& kkt, const LogSink& log = {});
/// The same with a solver of its own.
State initial_state(const System& system);

/// Moves q onto the joints (least distance in the metric of the mass matrix). Returns the largest
/// remaining violation relative to the characteristic length (rad for angles).
double project_position(const System& system, KktSolver& kkt, double time, Configuration& q);

}  // namespace saltus
