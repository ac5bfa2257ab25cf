// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "saltus/core/archive.hpp"
#include "saltus/core/log.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/model/checked_model.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/result.hpp"
#include "saltus/simulation/run_output.hpp"
#include "saltus/simulation/stop_condition.hpp"

namespace saltus {

class AdaptivePace;
class CompliantPace;
class ForceRecovery;
class ViolationWatch;

/// What listeners hear of an impact.
using Impact = EventRow;

/// How far a run is.
struct Progress {
  double time = 0;      ///< s
  double fraction = 0;  ///< of the way to the time that was asked for
  long steps = 0;       ///< since the start
};

/// A run of a model: the loop of steps. What is seen of them is the observers' (Recorder), what is
/// told of them the output's, what happens when one fails the StepPolicy's.
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
  /// Places of nodes count from system().origin(), which is 0 but for models far from it.
  const State& state() const { return state_; }
  /// The channels of the rows, and what else a sink wants to know beforehand.
  const ResultLayout& layout() const { return layout_; }

  /// `hear` is called after every step with an impact, once for each; it replaces the one before.
  void on_impact(std::function<void(const Impact&)> hear) { output_.on_impact(std::move(hear)); }
  /// `hear` is called after every step; if it returns false the run stops there. It replaces the
  /// one before.
  void on_step(std::function<bool(const Progress&)> hear) { hear_step_ = std::move(hear); }

  /// Runs as the options say; what it computes goes to `result()`.
  RunReport run();
  /// Runs from where it is to this time, whatever `end_time` the options have; may be called again
  /// with a later time, steps then begin there, or with the same one after a stop, steps then go on
  /// as if nothing had been. What it computes goes to `result()`. What a listener or a force law
  /// throws comes through; the run can go on afterwards.
  RunReport run_until(double time);
  const Result& result() const { return result_; }

  /// Runs as the options say, or until sink->progress() says to stop. `sink` may be null.
  RunReport run(ResultSink* sink);

  /// Goes on where save() was called, as the options say: to their end_time, on the same grid of
  /// steps. sink.begin() is called, and only what follows is told.
  /// @throws InputError as load() does, or if the run was beyond the end_time already.
  RunReport resume(const Archive::Bytes& saved, ResultSink& sink);

  /// Everything that the steps to come depend on, between two steps of a dynamic run: a simulation
  /// of the same model and options that loads it goes on with the same bits.
  Archive::Bytes save();
  /// Goes on where save() was called; result() begins with the row after that.
  /// @param saved  what save() gave, of the same model, options (but for end_time) and version of
  ///               Saltus. Laws of forces of type "user" cannot be compared: give the same.
  /// @throws InputError if it is of another one. What was loaded before is then kept.
  void load(const Archive::Bytes& saved);

 private:
  class Busy;
  /// The ends of steps: n h from a beginning on, the last one shortened to the end. Where steps are
  /// chosen by their error it has the times of rows, the multiples of an interval and the end, and
  /// several steps lead from one to the next.
  struct Grid {
    double begin = 0, end = 0;
    long done = 0, steps = 0;
    bool ends = false;  ///< steps depend on the end already

    void archive(Archive& memory) { memory(begin, end, done, steps, ends); }
  };

  void begin(ResultSink* sink);
  void load(const Archive::Bytes& saved, ResultSink& sink);
  RunReport run_to_end(ResultSink* sink);
  void offer_memory(MemoryMoment moment);
  void announce();
  void make_stepper_for(const Dynamics& options);
  void start(const Dynamics& options);
  void advance(const Dynamics& options, double end);
  /// One step of the grid; false if it failed.
  bool take_step(const Dynamics& options);
  /// One on the way to the next time of the grid.
  bool take_adaptive_step(const Dynamics& options);
  bool complete_step(double length);
  void lay_grid(const Dynamics& options, double begin, double end);
  double grid_time(const Dynamics& options, long n) const;
  bool is_at_row(const Dynamics& options) const;
  void offer_memory_before_end();
  bool go_on(double fraction, long steps, bool is_last);
  bool go_on_within_step(double time);
  bool is_wanted(double time, double fraction);
  /// One step of the grid, or of those that lead there, by the policy, which may be interrupted.
  bool step_by_policy(const Dynamics& options, double length, double end);
  bool solve_load_step(const Statics& options, KktSolver& kkt, int n);
  void hand_over_step(double length, long inaccurate_before);
  /// Whether the condition on which the run is complete holds; the report then says so.
  bool is_stopped();
  RunReport closed();
  void run(const Dynamics& options) { advance(options, options.end_time); }
  void run(const Statics& options);
  void run(const Modes& options);
  bool find_equilibrium_in_steps(const Statics& options);
  void record();
  void archive(Archive& memory);

  CheckedModel model_;
  SimulationOptions options_;
  LogSink log_;
  System system_;
  StopCondition stop_;
  std::vector<std::string> start_warnings_;
  State state_;
  RunOutput output_;
  const ForceRecovery* forces_ = nullptr;  // one of the observers
  Recorder recorder_;
  std::unique_ptr<CompliantPace> pace_;         // none without compliant contacts
  std::unique_ptr<AdaptivePace> adaptive_;      // none where steps have one length
  std::unique_ptr<ViolationWatch> violations_;  // of dynamics
  ResultLayout layout_;
  std::unique_ptr<Stepper> stepper_;  // none before the first step
  Grid grid_;
  bool had_condition_ = false;  // the stop condition has been true or false, and not undefined
  StepWish step_wish_ = StepWish::None;
  State step_start_;  // of the step under way, if somebody may want it
  Result result_;
  std::size_t settled_forces_ = 0;      // rows of the result that are not provisional
  std::set<std::string> told_at_ends_;  // kinds of what is told when a piece of the run ends
  std::atomic<bool> busy_ = false;
  std::function<bool(const Progress&)> hear_step_;
  std::optional<std::chrono::steady_clock::time_point> asked_to_stop_ = {};  // within a step
};

}  // namespace saltus
