// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/model/checked_model.hpp"
#include "saltus/simulation/flexible_watch.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/recorder.hpp"

namespace saltus {

/// The options of the event-driven integrator; null if another one is chosen.
const EventDriven* event_driven(const SimulationOptions& options);
/// What is to be recorded.
RecordOptions record_of(const SimulationOptions& options);

/// Whether what happens inside of impacts is recorded: only the event-driven integrator knows it.
bool records_impacts(const SimulationOptions& options);

/// All that look on at a run of a model, in the order of their channels.
/// @param system  made of the model; must live longer
/// @param forces  out: the one of them that recovers contact forces
Recorder::Observers make_observers(const System& system, const CheckedModel& model,
                                   const SimulationOptions& options, const ForceRecovery*& forces);

}  // namespace saltus
