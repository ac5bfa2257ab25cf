// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "saltus/simulation/observer.hpp"

namespace saltus {

/// The observers of a run, and the rows that they make together. In everything that it asks of them
/// it keeps their order.
class Recorder {
 public:
  using Observers = std::vector<std::unique_ptr<Observer>>;

  /// @param given  any state of the system: it makes the list of channels.
  Recorder(Observers observers, const State& given);

  const std::vector<Channel>& channels() const { return row_.channels(); }
  /// The row of a state: the time, then what the observers put. Valid until the next call.
  std::span<const double> row(const State& state);

  void start(const State& state);
  void attempt(const StepReport& step);
  void step(const State& state, const StepReport& step, RunOutput& output);
  void finish(const State& state, RunOutput& output) const;
  void equilibrium(const State& state, RunOutput& output) const;
  void archive(Archive& memory);

 private:
  Observers observers_;
  Row row_;
};

}  // namespace saltus
