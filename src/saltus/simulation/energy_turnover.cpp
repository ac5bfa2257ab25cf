// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/energy_turnover.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void EnergyTurnover::add(const EnergyLedger& energy) {
  if (!start_) start_ = energy;
  const double losses = std::abs(energy.friction_loss) + std::abs(energy.impact_loss) +
                        std::abs(energy.damping_loss) + std::abs(energy.numerical_loss);
  value_ = std::max({value_, energy.kinetic, std::abs(energy.gravity - start_->gravity),
                     std::abs(energy.elastic - start_->elastic), std::abs(energy.external_work),
                     losses});
}

double EnergyTurnover::closure_error(const EnergyLedger& energy) const {
  return value_ > 0 ? std::abs(energy.residual()) / value_ : 0;
}

}  // namespace saltus
