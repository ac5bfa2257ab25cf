// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/state.hpp"

namespace saltus {

/// The largest energy that a run has moved: over all steps the largest of the kinetic energy, the
/// changes of gravity's and elastic energy, the work of external forces and the sum of all losses.
/// The residual of the ledger is judged against it, for energies themselves have no natural zero.
class EnergyTurnover {
 public:
  void add(const EnergyLedger& energy);
  double value() const { return value_; }
  /// |residual| / turnover; 0 if nothing moved.
  double closure_error(const EnergyLedger& energy) const;
  void archive(Archive& memory) { memory(start_, value_); }

 private:
  std::optional<EnergyLedger> start_;
  double value_ = 0;
};

}  // namespace saltus
