// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/effort_record.hpp"

#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

const std::vector<JointId>& coupled_joints(const Joint& joint) {
  const auto* gear = std::get_if<Gear>(&joint);
  return gear != nullptr ? gear->joints : std::get<Relation>(joint).joints;
}

void put_effort(Row& row, const OwnerView& owner, const Effort& effort, bool is_torque) {
  row.put(owner, is_torque ? quantities::effort_torque : quantities::effort_force, effort.value);
  row.put(owner, quantities::effort_power, effort.value * effort.rate);
}

}  // namespace

EffortRecord::EffortRecord(const System& system, const Model& model) : system_(system) {
  const std::vector<JointEntry>& entries = system.elements().joints;
  std::size_t term = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_term) continue;
    const Joint& joint = model.joints[static_cast<std::size_t>(*entries[i].joint)];
    if (!is_coupling(joint)) continue;
    term = entries[i].continues ? term + 1 : 0;
    const auto coupled = static_cast<std::size_t>(coupled_joints(joint)[term].index);
    terms_.push_back({i, entries[i].name + '.' + name_of(model.joints[coupled])});
  }
}

void EffortRecord::row(const State& state, Row& row) {
  for (const Term& term : terms_) {
    const JointEntry& entry = system_.elements().joints[term.entry];
    const Effort effort =
        system_.effort(entry, state.configuration, state.velocity, state.reaction);
    put_effort(row, {OwnerKind::Joints, term.owner}, effort, entry.element.scalar_rows[0].angular);
  }
  for (const ActuatorElement& actuator : system_.elements().actuators) {
    const Effort effort = system_.effort(actuator, state.configuration, state.velocity, state.time);
    put_effort(row, {OwnerKind::Joints, actuator.name}, effort,
               std::holds_alternative<TwistAngle>(actuator.coordinate));
  }
}

}  // namespace saltus
