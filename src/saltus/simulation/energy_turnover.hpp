// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/state.hpp"

namespace saltus {

class System;

/// What is round-off compared with this is no motion: the energies of now, and what weights and
/// forces would do over the size of the mechanism, J.
double energy_at_stake(const System& system, const State& state);

/// The largest energy that a run has moved: over all steps the largest of the kinetic energy, the
/// changes of gravity's and elastic energy, the work of external forces and the sum of all losses.
/// The residual of the ledger is judged against it, for energies themselves have no natural zero.
class EnergyTurnover {
 public:
  void add(const EnergyLedger& energy);
  /// What was at stake in the run so far: a turnover that is next to nothing of it is round-off.
  void consider_stake(double stake);
  double value() const { return value_; }
  /// |residual| / turnover, or of what is not round-off of the energies at stake, if that is more;
  /// 0 if nothing moved.
  double closure_error(const EnergyLedger& energy) const;
  void archive(Archive& memory) { memory(start_, value_, stake_); }

 private:
  std::optional<EnergyLedger> start_;
  double value_ = 0;
  double stake_ = 0;
};

}  // namespace saltus
