// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/stop_condition.hpp"

#include "saltus/dynamics/state_law.hpp"

namespace saltus {

StopCondition::StopCondition(const Model& model, const System& system, std::string text, bool exact)
    : system_(system), text_(std::move(text)), exact_(exact) {
  if (text_.empty()) return;
  law_.push_back(make_state_law(model, system.elements(), system.origin(), text_, nodes_));
}

double StopCondition::margin(const State& state) const {
  return system_.margin(law_.front(), nodes_, state.configuration, state.velocity, state.time);
}

}  // namespace saltus
