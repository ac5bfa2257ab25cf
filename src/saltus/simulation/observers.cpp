// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/observers.hpp"

#include <algorithm>

#include "saltus/simulation/bearing_watch.hpp"
#include "saltus/simulation/body_record.hpp"
#include "saltus/simulation/compliant_watch.hpp"
#include "saltus/simulation/contact_record.hpp"
#include "saltus/simulation/crossing_watch.hpp"
#include "saltus/simulation/drive_watch.hpp"
#include "saltus/simulation/effort_record.hpp"
#include "saltus/simulation/energy_watch.hpp"
#include "saltus/simulation/impact_record.hpp"
#include "saltus/simulation/joint_record.hpp"
#include "saltus/simulation/journal_watch.hpp"
#include "saltus/simulation/passage_watch.hpp"
#include "saltus/simulation/run_record.hpp"
#include "saltus/simulation/untouched_watch.hpp"

namespace saltus {
namespace {

/// The restitution that impacts of single points have, if it is not that of the contacts.
std::optional<double> restitution_of(const SimulationOptions& options) {
  const EventDriven* method = event_driven(options);
  if (method == nullptr || !method->energetic_restitution) return std::nullopt;
  struct OfOnePoint {
    double operator()(double e) const { return e; }
    double operator()(const RestitutionByPoints& e) const { return e.values.front(); }
    double operator()(const RestitutionByOrder& e) const { return e.values.back(); }
  };
  return std::max(0.0, std::visit(OfOnePoint{}, *method->energetic_restitution));
}

}  // namespace

const EventDriven* event_driven(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics != nullptr ? std::get_if<EventDriven>(&dynamics->integrator) : nullptr;
}

RecordOptions record_of(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics ? dynamics->record : RecordOptions{};
}

bool records_impacts(const SimulationOptions& options) {
  return event_driven(options) != nullptr && record_of(options).impacts;
}

Recorder::Observers make_observers(const System& system, const CheckedModel& model,
                                   const SimulationOptions& options, const ForceRecovery*& forces) {
  const RecordOptions record = record_of(options);
  const bool is_exact = event_driven(options) != nullptr;
  auto recovery = std::make_unique<ForceRecovery>(
      system, model, is_exact ? ForceRecovery::Impacts::Exact : ForceRecovery::Impacts::OfSteps,
      restitution_of(options));
  forces = recovery.get();
  Recorder::Observers observers;
  observers.push_back(std::make_unique<FlexibleWatch>(system));
  observers.push_back(std::make_unique<BodyRecord>(system, record.flexible));
  observers.push_back(std::make_unique<JointRecord>(system));
  observers.push_back(std::make_unique<EffortRecord>(system, model.simulated()));
  observers.push_back(std::make_unique<ContactRecord>(system, record.contacts, forces));
  observers.push_back(std::make_unique<BearingWatch>(model, system));
  observers.push_back(std::make_unique<JournalWatch>(system));
  observers.push_back(std::make_unique<CompliantWatch>(system));
  observers.push_back(std::move(recovery));
  if (records_impacts(options)) {
    observers.push_back(std::make_unique<ImpactRecord>(system, *record.impacts));
  }
  observers.push_back(std::make_unique<DriveWatch>(system, is_exact));
  if (!is_exact) {
    observers.push_back(std::make_unique<CrossingWatch>(system));
    observers.push_back(std::make_unique<PassageWatch>(system));
  }
  observers.push_back(std::make_unique<UntouchedWatch>(system));
  observers.push_back(std::make_unique<RunRecord>());
  observers.push_back(std::make_unique<EnergyWatch>(
      system, is_exact ? "an overlap that was removed, or composition \"frozen\"; else choose a "
                         "smaller tolerance"
                       : "the step is too large for this motion; halve it and compare"));
  return observers;
}

}  // namespace saltus
