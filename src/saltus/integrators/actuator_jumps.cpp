// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/actuator_jumps.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
ActuatorJumps::ActuatorJumps(const System& system) : system_(system) {
  for (std::size_t i = 0; i < system.elements().actuators.size(); ++i) {
    const ActuatorElement& actuator = system.elements().actuators[i];
    if (std::holds_alternative<StateLaw>(actuator.law)) counts_.push_back({.element = i});
  }
}

double ActuatorJumps::value_of(const Count& count, const Configuration& q, const VectorX& v,
                               double t) const {
  return system_.effort(system_.elements().actuators[count.element], q, v, t).value;
}

void ActuatorJumps::begin(const Configuration& q, const VectorX& v, double t) {
  for (Count& count : counts_) {
    count.value = value_of(count, q, v, t);
    count.largest = std::abs(count.value);
    count.jumps = 0;
  }
}

void ActuatorJumps::look(const Configuration& q, const VectorX& v, double t, bool is_short) {
  for (Count& count : counts_) {
    const double value = value_of(count, q, v, t);
    count.largest = std::max(count.largest, std::abs(value));
    const bool jumps = std::abs(value - count.value) > EventTuning::jump_of_effort * count.largest;
    if (is_short && jumps) ++count.jumps;
    count.value = value;
  }
}

std::string ActuatorJumps::endless() const {
  for (const Count& count : counts_) {
    if (count.jumps <= EventTuning::most_jumps) continue;
    return system_.elements().actuators[count.element].name;
  }
  return {};
}

}  // namespace saltus
