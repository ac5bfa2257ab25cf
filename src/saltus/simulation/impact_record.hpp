// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/model/options.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Tells what happens inside of impacts, as functions of the impulse: velocities, impulses and
/// works of every point (docs/theory/impact_events.md, section 4).
class ImpactRecord : public Observer {
 public:
  /// Curves have at least so many pieces over the impulse of an event.
  static constexpr int pieces = 64;

  /// @param system  must live longer
  ImpactRecord(const System& system, const RecordedImpacts& wanted);

  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void archive(Archive& memory) override { memory(impacts_, told_more_); }

 private:
  bool is_wanted(const Collision& collision) const;

  const System& system_;
  RecordedImpacts wanted_;
  std::vector<char> contacts_;  // of the model: whether their impacts are wanted
  int impacts_ = 0;             // told so far
  bool told_more_ = false;
};

}  // namespace saltus
