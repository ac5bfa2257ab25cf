// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "saltus/core/input_error.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/integrators/equilibrium.hpp"
#include "saltus/model/collider_pairs.hpp"
#include "saltus/model/fingerprint.hpp"
#include "saltus/simulation/adaptive_pace.hpp"
#include "saltus/simulation/observers.hpp"
#include "saltus/simulation/start_warnings.hpp"
#include "saltus/simulation/step_policy.hpp"
#include "saltus/simulation/time_scale.hpp"

namespace saltus {
namespace {

/// A rest of a step below this part of it is round-off of the times.
constexpr double no_step = 1e-9;

using Clock = std::chrono::steady_clock;

/// Who is asked to stop within a step may finish it within this time: a run goes on from the end of
/// a step only.
constexpr std::chrono::seconds patience(2);

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string stop_of(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics ? dynamics->stop_when : std::string();
}

const CheckedRun& with_laws(const CheckedRun& run) {
  run.require_laws();
  return run;
}

/// Pairs from patterns that are left out because a joint connects their bodies.
std::vector<std::string> joined_pairs_left_out(const Model& model) {
  constexpr std::size_t most_counted = 1000;
  std::vector<std::string> notes;
  for (const Contact& contact : model.contacts) {
    const auto pairs = PairSelection(model, contact).joined(most_counted);
    if (pairs.empty()) continue;
    notes.push_back(fmt::format(
        "contact \"{}\": {}{} of the pairs that its patterns select are on bodies which a joint "
        "connects and are left out, first {}; \"collide_joined\": true lets them touch",
        contact.name, pairs.size(), pairs.size() == most_counted ? " or more" : "",
        describe_pair(model, pairs[0])));
  }
  return notes;
}

std::vector<PointColliders> colliders_of_points(const ContactPoints& contacts) {
  std::vector<PointColliders> points;
  for (std::size_t i = 0; i < contacts.listed.size(); ++i) {
    if (contacts.listed[i].element.is_of_joint()) continue;
    const auto name = [&](std::size_t side) {
      const int collider = contacts.listed_colliders[i][side];
      return contacts.collider_names[static_cast<std::size_t>(collider)];
    };
    points.push_back({contacts.listed_names[i], name(0), name(1)});
  }
  return points;
}

/// Contacts whose points should have columns, but are too many for it.
std::string columns_left_out(const ContactPoints& contacts, ContactDetail detail) {
  if (detail != ContactDetail::Points || contacts.unlisted.empty()) return {};
  constexpr std::size_t most_names = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(most_names, contacts.unlisted.size()); ++i) {
    const auto contact = static_cast<std::size_t>(contacts.unlisted[i]);
    names += fmt::format("{}\"{}\"", i > 0 ? ", " : "", contacts.groups[contact].name);
  }
  if (contacts.unlisted.size() > most_names) {
    names += fmt::format(" and {} more", contacts.unlisted.size() - most_names);
  }
  return fmt::format(
      "contact {}: more than {} points, so there are no columns of each, only totals", names,
      ContactPoints::most_listed);
}

/// moreau_jean corrects velocities only: joints drift and contacts sink by O(h), which is its own.
std::unique_ptr<ViolationWatch> watch_for(const System& system, const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  if (dynamics == nullptr) return {};
  const bool drifts = std::holds_alternative<MoreauJean>(dynamics->integrator);
  return std::make_unique<ViolationWatch>(system, drifts);
}

std::unique_ptr<CompliantPace> pace_for(const System& system) {
  if (system.elements().compliant.empty()) return {};
  return std::make_unique<CompliantPace>(system);
}

std::unique_ptr<AdaptivePace> adaptive_pace_for(const System& system,
                                                const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  const AdaptiveStep* step = dynamics != nullptr ? adaptive_step(dynamics->integrator) : nullptr;
  return step != nullptr ? std::make_unique<AdaptivePace>(system, *step) : nullptr;
}

/// The state from which a run starts.
/// @param warnings  gets those of the way there, which go to the log too.
State first_state(const System& system, const LogSink& log, std::vector<std::string>& warnings) {
  if (log) {
    for (const std::string& warning : warnings) log(LogLevel::Warning, warning);
  }
  KktSolver kkt(system);
  return initial_state(system, kkt, [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::Warning) warnings.emplace_back(text);
    if (log) log(level, text);
  });
}

}  // namespace

Simulation::Simulation(const Model& model, const SimulationOptions& options, LogSink log)
    : Simulation(CheckedRun(model, options, CheckedRun::Laws::Required), std::move(log)) {}

Simulation::Simulation(const CheckedRun& run, LogSink log)
    : model_(with_laws(run).model()),
      options_(run.options()),
      log_(std::move(log)),
      system_(model_, time_scale_of(options_), System::Places::Near),
      stop_(model_.simulated(), system_, stop_of(options_), event_driven(options_) != nullptr),
      start_warnings_(first_warnings(model_, options_)),
      state_(first_state(system_, log_, start_warnings_)),
      output_(system_, record_of(options_).events, log_),
      recorder_(make_observers(system_, model_, options_, forces_), state_),
      pace_(pace_for(system_)),
      adaptive_(adaptive_pace_for(system_, options_)),
      violations_(watch_for(system_, options_)),
      layout_{.channels = recorder_.channels(),
              .longest_contact_name = system_.elements().contacts.longest_name(),
              .has_forces = !forces_->empty(),
              .has_impacts = records_impacts(options_),
              .points = colliders_of_points(system_.elements().contacts)},
      result_(*this) {}

Simulation::~Simulation() = default;

/// While it lives the simulation is busy: neither a listener nor another thread may run it.
class Simulation::Busy {
 public:
  explicit Busy(Simulation& simulation) : busy_(simulation.busy_) {
    if (busy_.exchange(true)) {
      throw InputError(Issue{.place = "simulation",
                             .rule = "is running already",
                             .remedy = "listeners, force laws and other threads cannot run it"});
    }
  }
  ~Busy() { busy_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<bool>& busy_;
};

RunReport Simulation::run(ResultSink* sink) {
  const Busy busy(*this);
  begin(sink);
  return run_to_end(sink);
}

RunReport Simulation::run_to_end(ResultSink* sink) {
  const auto start = Clock::now();
  std::visit([this](const auto& options) { run(options); }, options_);
  output_.report().wall_seconds = seconds_since(start);
  RunReport report = closed();
  if (sink) sink->end(report);
  output_.end();
  stepper_.reset();
  return report;
}

RunReport Simulation::run() {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options_);
  return dynamics != nullptr ? run_until(dynamics->end_time) : run(&result_);
}

RunReport Simulation::run_until(double time) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options_);
  if (dynamics == nullptr) {
    throw InputError(Issue{.place = "run_until",
                           .rule = "only dynamics goes on in time",
                           .remedy = "run() does statics and modes"});
  }
  if (!std::isfinite(time)) {
    throw InputError(Issue{.place = "run_until", .rule = "the time must be a finite number"});
  }
  if (time < state_.time) {
    throw InputError(Issue{.place = "run_until",
                           .rule = fmt::format("the run is at t = {:.6g} s already", state_.time),
                           .value = fmt::format("{:.6g} s", time),
                           .remedy = "give a later time, or make a new simulation"});
  }
  const Busy busy(*this);
  if (stepper_ == nullptr || output_.sink() != &result_) begin(&result_);
  RunReport& report = output_.report();
  if (report.status == RunStatus::Failed) return result_.report();
  report.status = RunStatus::Completed;
  report.message.clear();
  output_.forget_impacts();
  result_.drop_forces(settled_forces_);

  const auto start = Clock::now();
  const auto close = [&] {
    report.wall_seconds += seconds_since(start);
    settled_forces_ = result_.forces().size();
    result_.end(closed());
  };
  try {
    advance(*dynamics, time);
  } catch (const std::exception& error) {  // of a listener or a law: what was computed is kept
    report.status = RunStatus::Interrupted;
    report.message = fmt::format("t = {:.6g} s: {}", state_.time, error.what());
    close();
    throw;
  }
  close();
  return result_.report();
}

void Simulation::begin(ResultSink* sink) {
  output_.begin(sink);
  RunReport& report = output_.report();
  report.warnings = start_warnings_;
  report.end_time = state_.time;
  report.energy = state_.energy;
  if (pace_) report.compliant.emplace();
  if (adaptive_) report.adaptive.emplace();
  announce();
  if (sink) sink->begin(layout_);
  settled_forces_ = 0;
  told_at_ends_.clear();
  grid_ = {};
  had_condition_ = false;
  if (const Dynamics* dynamics = std::get_if<Dynamics>(&options_)) start(*dynamics);
}

/// What is known of the results before they begin.
void Simulation::announce() {
  std::string note = columns_left_out(system_.elements().contacts, record_of(options_).contacts);
  if (!note.empty()) output_.note(std::move(note));
  for (std::string& text : joined_pairs_left_out(model())) output_.note(std::move(text));
  forces_->announce(output_);
}

/// The report with what is only known at the end. The run may go on: what is told is a copy's.
RunReport Simulation::closed() {
  RunOutput last = output_;
  last.tell_the_end();
  // Who runs in many pieces hears each kind once.
  last.log_to([this](LogLevel level, std::string_view text) {
    if (log_ && told_at_ends_.insert(without_digits(text)).second) log_(level, text);
  });
  last.report().turnover.add(last.report().energy);
  last.report().turnover.consider_stake(energy_at_stake(system_, state_));
  if (std::holds_alternative<Dynamics>(options_)) {
    recorder_.finish(state_, last);
    last.warn_of_repeated();
  }
  if (!stop_.text().empty() && !had_condition_ && last.report().steps > 0) {
    last.warn(
        fmt::format("stop_when: \"{}\" has compared what is no number (a root, logarithm or "
                    "quotient that does not exist) at all times, and never stopped the run",
                    stop_.text()));
  }
  RunReport& report = last.report();
  if (report.accepted && report.status == RunStatus::Completed) {
    const AcceptedViolation& worst = *report.accepted;
    report.status = RunStatus::Failed;
    report.message =
        fmt::format("t = {:.6g} s: {}; accepted as asked (on_failure), since t = {:.6g} s",
                    worst.time, worst.text, worst.first);
  }
  return report;
}

void Simulation::record() {
  if (output_.sink()) output_.sink()->record(recorder_.row(state_));
}

/// Tells who listens; false if the run is to stop.
bool Simulation::go_on(double fraction, long steps, bool is_last) {
  const bool heard = !hear_step_ || hear_step_({state_.time, fraction, steps});
  ResultSink* sink = output_.sink();
  const bool written = sink == nullptr || sink->progress(state_.time, fraction, steps);
  return is_last || (heard && written);
}

/// The same while something is under way whose end nobody need wait for.
bool Simulation::is_wanted(double time, double fraction) {
  ResultSink* sink = output_.sink();
  return sink == nullptr || sink->progress(time, fraction, output_.report().steps);
}

/// And while a step is, which may be finished if that does not take long.
bool Simulation::go_on_within_step(double time) {
  if (is_wanted(time, grid_.end > 0 ? time / grid_.end : 1)) return true;
  if (!asked_to_stop_) asked_to_stop_ = Clock::now();
  return Clock::now() - *asked_to_stop_ < patience;
}

/// To who takes what is told, with all of it that came before.
void Simulation::offer_memory(MemoryMoment moment) {
  ResultSink* sink = output_.sink();
  if (sink != nullptr && sink->wants_memory(moment)) sink->memory(save(), output_.report());
}

// ---- dynamics

void Simulation::make_stepper_for(const Dynamics& options) {
  stepper_ = make_stepper(system_, options.integrator,
                          {.solver = options.solver,
                           .multiple_impacts = options.multiple_impacts,
                           .histories = forces_->needs_collisions() || records_impacts(options_)});
  stepper_->set_listener([this](double time) { return go_on_within_step(time); });
  // Where compliant contacts set the pace, steps are those of the whole scene.
  stepper_->let_halve(options.on_failure == FailurePolicy::Halve && pace_ == nullptr);
}

void Simulation::start(const Dynamics& options) {
  make_stepper_for(options);
  stepper_->detect_redundancy(state_);
  const double h = std::min(step_of(options.integrator), options.end_time);
  const double first = adaptive_ ? adaptive_->first(h) : h;
  if (adaptive_) adaptive_->start(state_, first);
  stepper_->start(state_, first);
  recorder_.start(state_);
  record();
  output_.report().turnover.add(state_.energy);
  output_.report().turnover.consider_stake(energy_at_stake(system_, state_));
  if (output_.sink()) output_.sink()->update(output_.report());
}

/// From where the run is; where it was stopped on its way to the same end, the steps go on.
void Simulation::advance(const Dynamics& options, double end) {
  if (grid_.done == grid_.steps || grid_.end != end) lay_grid(options, state_.time, end);
  RunReport& report = output_.report();
  asked_to_stop_.reset();
  step_wish_ = output_.sink() != nullptr ? output_.sink()->wants_steps() : StepWish::None;
  while (!is_stopped() && grid_.done < grid_.steps) {
    offer_memory_before_end();
    if (!(adaptive_ ? take_adaptive_step(options) : take_step(options))) {
      if (report.status != RunStatus::Interrupted) report.status = RunStatus::Failed;
      return;
    }
    const bool is_last = grid_.done == grid_.steps || stop_.holds(state_);
    const bool recorded = is_at_row(options) || is_last;
    if (recorded) record();
    if (output_.sink()) output_.sink()->update(report);
    if (!is_last && !grid_.ends) offer_memory(MemoryMoment::AfterStep);
    // Who listens may throw or stop the run: the step is complete, and the last one has its row.
    const auto stop = [&] {
      report.status = RunStatus::Interrupted;
      if (!grid_.ends) offer_memory(MemoryMoment::Stopped);
      if (!recorded) record();
    };
    try {
      output_.tell_impacts();
      const double way = grid_.end - grid_.begin;
      const double fraction =
          adaptive_ ? (way > 0 ? (state_.time - grid_.begin) / way : 1)
                    : static_cast<double>(grid_.done) / static_cast<double>(grid_.steps);
      if (go_on(fraction, report.steps, is_last)) continue;
    } catch (...) {
      stop();
      throw;
    }
    return stop();
  }
}

bool Simulation::is_stopped() {
  if (stop_.text().empty()) return false;
  const double margin = stop_.margin(state_);
  had_condition_ |= !std::isnan(margin);
  if (!(margin > 0)) return false;
  output_.report().stopped_by = stop_.text();
  return true;
}

/// From the beginning on, or of rows: in all of time, whatever the beginning is.
double Simulation::grid_time(const Dynamics& options, long n) const {
  if (n == grid_.steps) return grid_.end;
  if (!adaptive_) return grid_.begin + static_cast<double>(n) * step_of(options.integrator);
  const double interval = interval_of(options);
  const double before = std::floor(grid_.begin / interval + no_step);
  return (before + static_cast<double>(n)) * interval;
}

void Simulation::lay_grid(const Dynamics& options, double begin, double end) {
  const double interval = adaptive_ ? interval_of(options) : step_of(options.integrator);
  const double before = adaptive_ ? std::floor(begin / interval + no_step) * interval : begin;
  grid_ = {.begin = begin,
           .end = end,
           .done = 0,
           .steps = static_cast<long>(std::ceil((end - before) / interval - no_step))};
  if (!(end > begin)) grid_.steps = 0;
}

bool Simulation::is_at_row(const Dynamics& options) const {
  if (adaptive_) return state_.time == grid_time(options, grid_.done);
  return output_.report().steps % steps_between_rows(options) == 0;
}

/// With this memory a run goes on to a later end as if that had been asked for: the next step is
/// the first that depends on the end.
void Simulation::offer_memory_before_end() {
  if (grid_.ends || grid_.done + 1 != grid_.steps) return;
  if (adaptive_ && !adaptive_->is_near(grid_.end - state_.time)) return;
  offer_memory(MemoryMoment::BeforeLastStep);
  if (adaptive_) grid_.ends = true;
}

/// A step that is interrupted within leaves the stepper in between: the run ends there.
bool Simulation::step_by_policy(const Dynamics& options, double length, double end) {
  const double begin = state_.time;
  const long inaccurate = output_.report().inaccurate_steps;
  if (step_wish_ != StepWish::None) step_start_ = state_;
  StepPolicy policy(*stepper_, options.on_failure, stop_, state_, recorder_, output_, *violations_,
                    pace_.get());
  bool done = false;
  try {
    const InterruptionScope scope([this, begin] { return go_on_within_step(begin); });
    done = adaptive_ ? policy.advance(*adaptive_, end) : policy.advance(length, end);
  } catch (const Interruption&) {
    output_.report().status = RunStatus::Interrupted;
    return false;
  }
  if (adaptive_) length = policy.tried();
  if (!done) {
    if (output_.report().status != RunStatus::Interrupted) hand_over_step(length, -1);
  } else if (step_wish_ == StepWish::Inaccurate) {
    hand_over_step(length, inaccurate);
  }
  return done;
}

/// To who wants it, if it was inaccurate or failed.
/// @param inaccurate_before  how many were before it; -1: the run ends with it
void Simulation::hand_over_step(double length, long inaccurate_before) {
  const RunReport& report = output_.report();
  if (step_wish_ == StepWish::None || report.inaccurate_steps == inaccurate_before) return;
  Archive state;
  state(step_start_);
  output_.sink()->capsule(
      {.time = step_start_.time,
       .length = length,
       .number = report.steps + 1,
       .message = inaccurate_before < 0 ? report.message : "inaccurate, or halved",
       .is_fatal = inaccurate_before < 0,
       .state = state.bytes()});
}

bool Simulation::take_step(const Dynamics& options) {
  const long n = grid_.done + 1;
  const bool is_last = n == grid_.steps;
  const double t = grid_time(options, n);
  const double length = is_last ? t - grid_time(options, n - 1) : step_of(options.integrator);
  if (!step_by_policy(options, length, t) || !complete_step(length)) return false;
  grid_.done = n;
  return true;
}

bool Simulation::take_adaptive_step(const Dynamics& options) {
  const double begin = state_.time, t = grid_time(options, grid_.done + 1);
  if (!step_by_policy(options, t - begin, t) || !complete_step(state_.time - begin)) return false;
  if (state_.time == t) ++grid_.done;
  return true;
}

/// What the report has of every step; false if there is nothing to go on from.
bool Simulation::complete_step(double length) {
  const double t = state_.time;
  RunReport& report = output_.report();
  if (!std::isfinite(state_.energy.total())) {
    report.message = fmt::format(
        "t = {:.6g} s: the energy is not a finite number any more; look for velocities or forces "
        "that are too large",
        t);
    hand_over_step(length, -1);
    return false;
  }
  ++report.steps;
  report.end_time = state_.time;
  report.energy = state_.energy;
  report.turnover.add(state_.energy);
  for (std::size_t i = 0; i < state_.contact_losses.size(); ++i) {
    report.contacts[i].friction_loss = state_.contact_losses[i].friction;
    report.contacts[i].impact_loss = state_.contact_losses[i].impact;
  }
  return true;
}

// ---- memory

void Simulation::archive(Archive& memory) {
  memory(state_, *stepper_, recorder_, output_, grid_, had_condition_);
  if (adaptive_) memory(*adaptive_);
}

Archive::Bytes Simulation::save() {
  if (stepper_ == nullptr) {
    throw InputError(Issue{.place = "save",
                           .rule = "there is nothing to save before the first step",
                           .remedy = "run_until() comes first"});
  }
  Archive memory;
  Fingerprint of_this = fingerprint(model(), options_);
  memory(of_this);
  archive(memory);
  return memory.bytes();
}

void Simulation::load(const Archive::Bytes& saved) {
  const Busy busy(*this);
  load(saved, result_);
}

/// The sink begins when it is clear that the memory is ours.
void Simulation::load(const Archive::Bytes& saved, ResultSink& sink) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options_);
  if (dynamics == nullptr) {
    throw InputError(Issue{.place = "load", .rule = "only dynamics goes on in time"});
  }
  Archive memory(saved);
  Fingerprint of_saved = 0;
  if (saved.size() >= sizeof of_saved) memory(of_saved);
  if (of_saved != fingerprint(model(), options_)) {
    throw InputError(
        Issue{.place = "load",
              .rule = "this memory is of another model, other options or another version of Saltus",
              .remedy = "load it into a simulation like the one that saved it; only end_time may "
                        "differ"});
  }
  output_.begin(&sink);
  announce();
  sink.begin(layout_);
  settled_forces_ = 0;
  make_stepper_for(*dynamics);
  archive(memory);
}

RunReport Simulation::resume(const Archive::Bytes& saved, ResultSink& sink) {
  const Busy busy(*this);
  load(saved, sink);
  const Dynamics& options = std::get<Dynamics>(options_);
  if (grid_.end != options.end_time) {
    const long done = grid_.done;
    lay_grid(options, grid_.begin, options.end_time);
    grid_.done = done;
  }
  if (grid_.done >= grid_.steps) {
    throw InputError(Issue{.place = "/simulation/end_time",
                           .rule = fmt::format("the run is at t = {:.6g} s already", state_.time),
                           .remedy = "choose a later one"});
  }
  return run_to_end(&sink);
}

// ---- statics and modes

bool Simulation::find_equilibrium_in_steps(const Statics& options) {
  KktSolver kkt(system_);
  state_.velocity.setZero();
  state_.acceleration.setZero();
  record();
  for (int n = 1; n <= options.load_steps; ++n) {
    if (!solve_load_step(options, kkt, n)) return false;
  }
  return true;
}

bool Simulation::solve_load_step(const Statics& options, KktSolver& kkt, int n) {
  RunReport& report = output_.report();
  const double factor = static_cast<double>(n) / options.load_steps;
  const double before = static_cast<double>(n - 1) / options.load_steps;
  EquilibriumReport equilibrium;
  try {
    const InterruptionScope scope([&] { return is_wanted(before, before); });
    equilibrium = find_equilibrium(system_, kkt, options, factor, state_);
  } catch (const Interruption&) {
    report.status = RunStatus::Interrupted;
    return false;
  }
  const StepReport step{.smooth_iterations = equilibrium.iterations};
  report.smooth.add(equilibrium.iterations);
  recorder_.attempt(step);
  report.max_position_violation = std::max(report.max_position_violation, equilibrium.violation);
  if (!equilibrium.converged) {
    report.status = RunStatus::Failed;
    report.message = equilibrium.message;
    return false;
  }
  state_.time = factor;
  state_.reaction = state_.multiplier;
  state_.energy.kinetic = 0;
  state_.energy.gravity = system_.gravity_energy(state_.configuration);
  state_.energy.elastic = system_.elastic_energy(state_.configuration);
  state_.energy.initial = state_.energy.total();  // no motion, no losses: nothing to account for
  report.energy = state_.energy;
  output_.warn(state_.time, FlexibleWatch(system_).look(state_.configuration));
  report.steps = n;
  report.end_time = factor;
  recorder_.equilibrium(state_, output_);
  record();
  report.turnover.add(state_.energy);
  if (output_.sink()) output_.sink()->update(report);
  if (!go_on(factor, n, n == options.load_steps)) report.status = RunStatus::Interrupted;
  return report.status != RunStatus::Interrupted;
}

void Simulation::run(const Statics& options) { find_equilibrium_in_steps(options); }

void Simulation::run(const Modes& options) {
  RunReport& report = output_.report();
  if (options.equilibrium) {
    const Statics statics{.load_steps = options.load_steps};
    if (!find_equilibrium_in_steps(statics)) return;
  } else {
    state_.velocity.setZero();
    record();
  }
  KktSolver kkt(system_);
  try {
    const InterruptionScope scope([&] { return is_wanted(state_.time, 1); });
    report.modes = natural_modes(system_, kkt, state_, options.count);
  } catch (const Interruption&) {
    report.status = RunStatus::Interrupted;
    return;
  }
  for (const Mode& mode : report.modes) {
    if (mode.eigenvalue < 0) {
      output_.warn("the equilibrium is unstable: there are modes with a growth rate");
      break;
    }
  }
  if (output_.sink()) {
    output_.sink()->modes(make_mode_table(system_, state_.configuration, report.modes));
  }
}

}  // namespace saltus
