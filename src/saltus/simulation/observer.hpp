// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/state.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/simulation/row.hpp"
#include "saltus/simulation/run_output.hpp"

namespace saltus {

/// Looks on while a simulation runs, and tells what it sees: values for the rows, warnings, totals.
/// The motion knows nothing of its observers. A simulation calls, in this order,
///
///   row                          once before the run, for the channels: values are not used
///   start                        with the state from which the first step starts
///   attempt … step, row, …       for each step, and for those that are recorded
///   finish                       whenever the run stops; it may go on afterwards
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void start(const State& /*state*/) {}
  /// A step was tried, whether it is accepted or not.
  virtual void attempt(const StepReport& /*step*/) {}
  /// An accepted step has led to this state.
  virtual void step(const State& /*state*/, const StepReport& /*step*/, RunOutput& /*output*/) {}
  /// Puts its quantities with their values, always the same ones in the same order. What is counted
  /// "since the last row" starts again from zero.
  virtual void row(const State& /*state*/, Row& /*row*/) {}
  /// Tells what is only known at the end. The run may go on as if nobody had asked.
  virtual void finish(const State& /*state*/, RunOutput& /*output*/) const {}
  /// After a static equilibrium, instead of all that.
  virtual void equilibrium(const State& /*state*/, RunOutput& /*output*/) const {}
  /// What it remembers from step to step.
  virtual void archive(Archive& /*memory*/) {}
};

}  // namespace saltus
