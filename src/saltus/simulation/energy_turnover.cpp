// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/energy_turnover.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/dynamics/system.hpp"

namespace saltus {
namespace {

/// Of the energies at stake: a run that moves less rests. Round-off of the ledger over millions of
/// steps is far below, motion that someone looks at far above.
constexpr double least_motion = 1e-6;

}  // namespace

double energy_at_stake(const System& system, const State& state) {
  const EnergyLedger& energy = state.energy;
  double stake = energy.kinetic + std::abs(energy.gravity) + energy.elastic;
  const double L = system.characteristic_length();
  for (int i = 0; i < static_cast<int>(system.nodes().size()); ++i) {
    stake += system.node_mass(i) * system.gravity().norm() * L;
  }
  for (const VectorX* force : {&state.forces.applied, &state.forces.constraint}) {
    stake += force->norm() * L;
  }
  return stake;
}

void EnergyTurnover::add(const EnergyLedger& energy) {
  if (!start_) start_ = energy;
  const double losses = std::abs(energy.friction_loss) + std::abs(energy.impact_loss) +
                        std::abs(energy.damping_loss) + std::abs(energy.numerical_loss);
  value_ = std::max({value_, energy.kinetic, std::abs(energy.gravity - start_->gravity),
                     std::abs(energy.elastic - start_->elastic), std::abs(energy.external_work),
                     losses});
}

void EnergyTurnover::consider_stake(double stake) { stake_ = std::max(stake_, stake); }

double EnergyTurnover::closure_error(const EnergyLedger& energy) const {
  const double scale = std::max(value_, least_motion * stake_);
  return scale > 0 ? std::abs(energy.residual()) / scale : 0;
}

}  // namespace saltus
