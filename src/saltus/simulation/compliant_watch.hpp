// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Follows compliant contacts: how deep they go, how long they last and how many steps see it
/// (docs/guide/compliant_contacts.md).
class CompliantWatch : public Observer {
 public:
  explicit CompliantWatch(const System& system);  ///< must live longer

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void equilibrium(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override;

 private:
  /// A contact that is closed now.
  struct Closed {
    double since = 0;  ///< s
    int steps = 0;
    bool is_whole = true;  ///< has closed in this run

    void archive(Archive& memory) { memory(since, steps, is_whole); }
  };

  const System& system_;
  std::vector<Closed> closed_;
  double time_ = 0;
};

}  // namespace saltus
