// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/compliant_watch.hpp"

#include <algorithm>

namespace saltus {

CompliantWatch::CompliantWatch(const System& system)
    : system_(system), closed_(system.elements().compliant.size()) {}

/// Who is closed from the start on has no beginning.
void CompliantWatch::start(const State& state) {
  time_ = state.time;
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    closed_[i] = {.is_whole = !state.configuration.contacts[i].is_closed};
  }
}

void CompliantWatch::step(const State& state, const StepReport& /*step*/, RunOutput& output) {
  if (closed_.empty()) return;
  CompliantTotal& total = *output.report().compliant;
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    const ContactMemory& now = state.configuration.contacts[i];
    Closed& closed = closed_[i];
    if (now.is_closed) {
      if (closed.steps == 0) closed.since = time_;
      ++closed.steps;
      total.max_indentation = std::max(total.max_indentation, now.indentation());
    } else if (closed.steps > 0) {
      if (closed.is_whole) total.add_contact(state.time - closed.since, closed.steps);
      closed = {};
    }
  }
  time_ = state.time;
}

void CompliantWatch::equilibrium(const State& state, RunOutput& output) const {
  if (closed_.empty()) return;
  double& deepest = output.report().compliant->max_indentation;
  for (const ContactMemory& now : state.configuration.contacts) {
    deepest = std::max(deepest, now.indentation());
  }
}

void CompliantWatch::archive(Archive& memory) { memory(closed_, time_); }

}  // namespace saltus
