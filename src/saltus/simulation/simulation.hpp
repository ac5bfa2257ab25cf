// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "saltus/core/log.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/flexible_watch.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/journal_watch.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// A run of a model: start, steps, records, report.
class Simulation {
 public:
  /// @throws InputError with every broken rule of model and options.
  Simulation(const Model& model, const SimulationOptions& options, LogSink log = {});

  const System& system() const { return system_; }
  const State& state() const { return state_; }
  /// Whether contacts have local laws, from which forces are recovered.
  bool recovers_forces() const { return !forces_.empty(); }

  /// Runs to the end, or until sink->progress() says to stop. `sink` may be null.
  RunReport run(ResultSink* sink = nullptr);

 private:
  void run(const Dynamics& options, ResultSink* sink, RunReport& report);
  void run(const Statics& options, ResultSink* sink, RunReport& report);
  void run(const Modes& options, ResultSink* sink, RunReport& report);
  bool find_equilibrium_in_steps(const Statics& options, ResultSink* sink, RunReport& report);
  /// One step of the given length by the failure policy: halved where it does not converge.
  bool advance_by_policy(Stepper& stepper, double h, double end, FailurePolicy policy, int halvings,
                         RunReport& report);
  /// Counts, extremes, events and warnings of an accepted step.
  void tell(const std::vector<StepWarning>& warnings, RunReport& report);
  void take_in(const StepReport& step, RunReport& report);
  void add_contact_losses(RunReport& report) const;
  /// To the sink, and their peaks to the report.
  void warn_of_static_friction(const Model& model);
  void tell_forces(std::span<const ForceRow> rows, RunReport& report);
  /// The warnings of steps, each once, with the number of steps that had it.
  void tell_repeated(RunReport& report);
  void check_numerical_loss(double turnover, RunReport& report);
  void warn(RunReport& report, std::string text);
  void record(ResultSink* sink);

  SimulationOptions options_;
  LogSink log_;
  System system_;
  State state_;
  ForceRecovery forces_;
  BearingWatch bearings_;
  JournalWatch journals_;
  Recorder recorder_;
  FlexibleWatch flexible_watch_;
  std::vector<std::string> start_warnings_;
  bool told_histories_ = false;                // that there are no more
  std::map<std::string, long> step_warnings_;  // how often
  ResultSink* sink_ = nullptr;                 // of the run at hand
};

}  // namespace saltus
