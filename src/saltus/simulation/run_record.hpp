// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/simulation/observer.hpp"

namespace saltus {

/// How much the steps cost, and the ledger of energies.
class RunRecord : public Observer {
 public:
  void attempt(const StepReport& step) override;
  void row(const State& state, Row& row) override;
  void archive(Archive& memory) override { memory(iterations_); }

 private:
  std::array<int, 3> iterations_ = {};  // smooth, position, velocity: most since the last row
};

}  // namespace saltus
