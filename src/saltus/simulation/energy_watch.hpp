// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Warns of energy that the scheme itself made or lost beyond what anyone would call accuracy.
class EnergyWatch : public Observer {
 public:
  /// @param system  must live longer
  /// @param remedy  what a user may do about it
  EnergyWatch(const System& system, std::string remedy)
      : system_(system), remedy_(std::move(remedy)) {}

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void finish(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override { memory(start_gravity_, turnover_); }

 private:
  const System& system_;
  std::string remedy_;
  double start_gravity_ = 0;  // J
  double turnover_ = 0;       // the largest energy that was moved, losses not counted, J
};

}  // namespace saltus
