// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Notes at the end which contacts never touched: what nothing came near to has not been tried.
class UntouchedWatch : public Observer {
 public:
  explicit UntouchedWatch(const System& system);

  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void finish(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override { memory(touched_, untouched_); }

 private:
  const System& system_;
  std::vector<char> touched_;  // of the groups; of those that are not looked at, too
  int untouched_ = 0;
};

}  // namespace saltus
