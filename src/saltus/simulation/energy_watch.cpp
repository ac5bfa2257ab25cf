// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/energy_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/simulation/energy_turnover.hpp"

namespace saltus {
namespace {

// Numerical gain and loss over turnover that are worth a warning; a loss may be meant, to damp what
// the step does not resolve.
constexpr double suspicious_gain = 0.05, suspicious_loss = 0.5;

/// A turnover below this part of the energies at stake is their round-off and says nothing.
constexpr double round_off_of_stake = 1e-9;

}  // namespace

void EnergyWatch::start(const State& state) {
  start_gravity_ = state.energy.gravity;
  turnover_ = state.energy.kinetic + state.energy.elastic;
}

void EnergyWatch::step(const State& state, const StepReport& /*step*/, RunOutput& /*output*/) {
  const EnergyLedger& energy = state.energy;
  turnover_ = std::max({turnover_, energy.kinetic, std::abs(energy.gravity - start_gravity_),
                        energy.elastic, std::abs(energy.external_work)});
}

void EnergyWatch::finish(const State& state, RunOutput& output) const {
  const double loss = state.energy.numerical_loss;
  if (!std::isfinite(loss) || turnover_ <= round_off_of_stake * energy_at_stake(system_, state))
    return;
  if (loss <= suspicious_loss * turnover_ && -loss <= suspicious_gain * turnover_) return;
  output.warn(fmt::format("the scheme {} {:.3g} J, {:.2g} of all energy that moved: {}",
                          loss > 0 ? "lost" : "gained", std::abs(loss), std::abs(loss) / turnover_,
                          remedy_));
}

}  // namespace saltus
