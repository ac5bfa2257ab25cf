// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "saltus/core/log.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/model/checked_model.hpp"
#include "saltus/simulation/flexible_watch.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/journal_watch.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/result.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// What listeners hear of an impact.
using Impact = EventRow;

/// How far a run is.
struct Progress {
  double time = 0;      ///< s
  double fraction = 0;  ///< of the way to the time that was asked for
  long steps = 0;       ///< since the start
};

/// A run of a model: start, steps, records, report.
class Simulation {
 public:
  /// @throws InputError with every broken rule of model and options.
  Simulation(const Model& model, const SimulationOptions& options, LogSink log = {});
  Simulation(const Model& model, const Dynamics& options, LogSink log = {})
      : Simulation(model, SimulationOptions(options), std::move(log)) {}
  /// @throws InputError if a force of type "user" has no law.
  explicit Simulation(const CheckedRun& run, LogSink log = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  const Model& model() const { return model_.given(); }
  const SimulationOptions& options() const { return options_; }
  const System& system() const { return system_; }
  const State& state() const { return state_; }
  /// Whether contacts have local laws, from which forces are recovered.
  bool recovers_forces() const { return !forces_.empty(); }

  /// `hear` is called after every step with an impact, once for each; it replaces the one before.
  void on_impact(std::function<void(const Impact&)> hear) { hear_impact_ = std::move(hear); }
  /// `hear` is called after every step; if it returns false the run stops there. It replaces the
  /// one before.
  void on_step(std::function<bool(const Progress&)> hear) { hear_step_ = std::move(hear); }

  /// Runs as the options say; what it computes goes to `result()`.
  RunReport run();
  /// Runs from where it is to this time, whatever `end_time` the options have; may be called again
  /// with a later time, steps then begin there. What it computes goes to `result()`. What a
  /// listener or a force law throws comes through; the run can go on afterwards.
  RunReport run_until(double time);
  const Result& result() const { return result_; }

  /// Runs as the options say, or until sink->progress() says to stop. `sink` may be null.
  RunReport run(ResultSink* sink);

 private:
  struct Course;
  class Busy;
  void begin(ResultSink* sink);
  void start(const Dynamics& options);
  void advance(const Dynamics& options, double end);
  void tell_impacts();
  bool go_on(double fraction, long steps, bool is_last);
  RunReport closed();
  void run(const Dynamics& options) { advance(options, options.end_time); }
  void run(const Statics& options);
  void run(const Modes& options);
  bool find_equilibrium_in_steps(const Statics& options);
  /// One step of the given length by the failure policy: halved where it does not converge.
  bool advance_by_policy(double h, double end, FailurePolicy policy, int halvings = 0);
  /// Counts, extremes, events and warnings of an accepted step.
  void tell(const std::vector<StepWarning>& warnings, RunReport& report);
  void take_in(const StepReport& step, RunReport& report);
  void add_contact_losses(RunReport& report) const;
  void warn_of_static_friction(const Model& model);
  /// To the sink, and their peaks to the report.
  void tell_forces(std::span<const ForceRow> rows, RunReport& report);
  /// The warnings of steps, each once, with the number of steps that had it.
  void tell_repeated(RunReport& report);
  void check_numerical_loss(double turnover, RunReport& report);
  void warn(RunReport& report, std::string text);
  void record();

  CheckedModel model_;
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
  Result result_;
  std::unique_ptr<Course> course_;  // of the run at hand
  ResultSink* sink_ = nullptr;      // of the run at hand
  std::atomic<bool> busy_ = false;
  std::vector<Impact> unheard_;  // of the step at hand
  std::function<void(const Impact&)> hear_impact_;
  std::function<bool(const Progress&)> hear_step_;
};

}  // namespace saltus
