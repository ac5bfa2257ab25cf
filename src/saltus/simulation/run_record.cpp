// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/run_record.hpp"

#include <algorithm>
#include <utility>

#include "saltus/simulation/quantities.hpp"

namespace saltus {

void RunRecord::attempt(const StepReport& step) {
  iterations_ = {std::max(iterations_[0], step.smooth_iterations),
                 std::max(iterations_[1], step.position_iterations),
                 std::max(iterations_[2], step.velocity_iterations)};
}

void RunRecord::row(const State& state, Row& row) {
  const OwnerView solver{OwnerKind::Solver}, ledger{OwnerKind::Ledger};
  const std::array<int, 3> most = std::exchange(iterations_, {});
  row.put(solver, quantities::smooth_iterations, most[0]);
  row.put(solver, quantities::position_iterations, most[1]);
  row.put(solver, quantities::velocity_iterations, most[2]);
  const EnergyLedger& energy = state.energy;
  row.put(ledger, quantities::kinetic, energy.kinetic);
  row.put(ledger, quantities::gravity, energy.gravity);
  row.put(ledger, quantities::elastic, energy.elastic);
  row.put(ledger, quantities::external_work, energy.external_work);
  row.put(ledger, quantities::friction_loss, energy.friction_loss);
  row.put(ledger, quantities::impact_loss, energy.impact_loss);
  row.put(ledger, quantities::damping_loss, energy.damping_loss);
  row.put(ledger, quantities::numerical_loss, energy.numerical_loss);
  row.put(ledger, quantities::energy_residual, energy.residual());
}

}  // namespace saltus
