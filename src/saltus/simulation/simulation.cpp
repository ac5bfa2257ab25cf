// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/simulation.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "saltus/core/input_error.hpp"
#include "saltus/integrators/equilibrium.hpp"
#include "saltus/simulation/drive_watch.hpp"

namespace saltus {
namespace {

constexpr int most_halvings = 10;  ///< the smallest step tried is h/1024
constexpr std::size_t most_warnings = 50;
// Numerical gain and loss over energy turnover that are worth a warning; a loss may be meant, to
// damp what the step does not resolve.
constexpr double suspicious_gain = 0.05, suspicious_loss = 0.5;

double horizon_of(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics ? dynamics->end_time : 1.0;
}

RecordOptions record_of(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics ? dynamics->record : RecordOptions{};
}

bool is_recorded(const ContactEvent& event, EventDetail detail) {
  if (detail == EventDetail::All) return true;
  return detail == EventDetail::Impacts && event.kind == ContactEventKind::Impact;
}

const EventDriven* event_driven(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics != nullptr ? std::get_if<EventDriven>(&dynamics->integrator) : nullptr;
}

ForceRecovery::Impacts impacts_of(const SimulationOptions& options) {
  return event_driven(options) != nullptr ? ForceRecovery::Impacts::Exact
                                          : ForceRecovery::Impacts::OfSteps;
}

/// The restitution that impacts of single points have, if it is not that of the contacts.
std::optional<double> restitution_of(const SimulationOptions& options) {
  const EventDriven* method = event_driven(options);
  if (method == nullptr || !method->energetic_restitution) return std::nullopt;
  struct OfOnePoint {
    double operator()(double e) const { return e; }
    double operator()(const RestitutionByPoints& e) const { return e.values.front(); }
    double operator()(const RestitutionByOrder& e) const { return e.values.back(); }
  };
  return std::max(0.0, std::visit(OfOnePoint{}, *method->energetic_restitution));
}

const CheckedRun& with_laws(const CheckedRun& run) {
  run.require_laws();
  return run;
}

}  // namespace

Simulation::Simulation(const Model& model, const SimulationOptions& options, LogSink log)
    : Simulation(CheckedRun(model, options, CheckedRun::Laws::Required), std::move(log)) {}

Simulation::Simulation(const CheckedRun& run, LogSink log)
    : model_(with_laws(run).model()),
      options_(run.options()),
      log_(std::move(log)),
      system_(model_, horizon_of(options_)),
      forces_(system_, model_, impacts_of(options_), restitution_of(options_)),
      bearings_(model_, system_),
      journals_(system_),
      recorder_(system_, record_of(options_), &forces_,
                model().ball_bearings.empty() ? nullptr : &bearings_),
      flexible_watch_(system_),
      result_(*this) {
  warn_of_static_friction(model());
  KktSolver kkt(system_);
  state_ = initial_state(system_, kkt, [this](LogLevel level, std::string_view text) {
    if (level == LogLevel::Warning) start_warnings_.emplace_back(text);
    if (log_) log_(level, text);
  });
}

/// One model may be run by several integrators: what one of them leaves out is no error.
void Simulation::warn_of_static_friction(const Model& model) {
  if (event_driven(options_) != nullptr || !std::holds_alternative<Dynamics>(options_)) return;
  for (const Contact& contact : model.contacts) {
    if (!contact.static_friction) continue;
    start_warnings_.push_back(fmt::format(
        "contact \"{}\": static_friction is for the event_driven integrator and left out here: a "
        "contact that sticks has the coefficient friction",
        contact.name));
    if (log_) log_(LogLevel::Warning, start_warnings_.back());
  }
}

Simulation::~Simulation() = default;

/// What there is of a run besides its state.
struct Simulation::Course {
  explicit Course(const System& system) : drives(system) {}

  RunReport report = {};
  std::unique_ptr<Stepper> stepper = {};
  DriveWatch drives;
  EnergyLedger start = {};
  double turnover = 0;             ///< without losses, J
  std::size_t settled_forces = 0;  ///< rows of the result that are not provisional
};

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
  const auto start = std::chrono::steady_clock::now();
  std::visit([this](const auto& options) { run(options); }, options_);
  course_->report.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RunReport report = closed();
  if (sink) sink->end(report);
  sink_ = nullptr;
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
  const Busy busy(*this);
  if (course_ == nullptr || sink_ != &result_) begin(&result_);
  if (course_->report.status == RunStatus::Failed) return result_.report();
  course_->report.status = RunStatus::Completed;
  course_->report.message.clear();
  unheard_.clear();
  result_.drop_forces(course_->settled_forces);

  const auto start = std::chrono::steady_clock::now();
  const auto close = [&] {
    course_->report.wall_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    course_->settled_forces = result_.forces().size();
    result_.end(closed());
  };
  try {
    advance(*dynamics, time);
  } catch (const std::exception& error) {  // of a listener or a law: what was computed is kept
    course_->report.status = RunStatus::Interrupted;
    course_->report.message = fmt::format("t = {:.6g} s: {}", state_.time, error.what());
    close();
    throw;
  }
  close();
  return result_.report();
}

void Simulation::begin(ResultSink* sink) {
  course_ = std::make_unique<Course>(system_);
  sink_ = sink;
  RunReport& report = course_->report;
  report.warnings = start_warnings_;
  report.end_time = state_.time;
  report.energy = state_.energy;
  for (const ContactGroup& group : system_.elements().contacts.groups) {
    report.contacts.push_back({group.name});
  }
  for (const int contact : forces_.contacts()) {
    report.contacts[static_cast<std::size_t>(contact)].peaks.emplace();
  }
  for (const std::string& text : forces_.messages()) warn(report, text);
  if (sink) sink->begin(recorder_.columns());
  if (const Dynamics* dynamics = std::get_if<Dynamics>(&options_)) start(*dynamics);
}

/// The report with what is only known at the end: rows of forces come one step late.
RunReport Simulation::closed() {
  RunReport report = course_->report;
  report.turnover.add(report.energy);
  if (std::holds_alternative<Dynamics>(options_)) {
    ForceRecovery forces = forces_;  // copies: the run may go on
    BearingWatch bearings = bearings_;
    tell_forces(forces.finish(), report);
    report.bearings = bearings.finish();
    journals_.put(report.contacts);
    tell_repeated(report);
    check_numerical_loss(course_->turnover, report);
  }
  return report;
}

void Simulation::warn(RunReport& report, std::string text) {
  if (log_) log_(LogLevel::Warning, text);
  if (report.warnings.size() < most_warnings) {
    report.warnings.push_back(std::move(text));
  } else if (report.warnings.size() == most_warnings) {
    report.warnings.emplace_back("further warnings are not listed");
  }
}

void Simulation::record() {
  if (sink_) sink_->record(recorder_.row(state_));
}

/// Tells who listens; false if the run is to stop.
bool Simulation::go_on(double fraction, long steps, bool is_last) {
  const bool heard = !hear_step_ || hear_step_({state_.time, fraction, steps});
  const bool written = sink_ == nullptr || sink_->progress(state_.time, fraction, steps);
  return is_last || (heard && written);
}

// ---- dynamics
// ------------------------------------------------------------------------------------

void Simulation::start(const Dynamics& options) {
  course_->stepper = make_stepper(system_, options.integrator,
                                  {.solver = options.solver,
                                   .multiple_impacts = options.multiple_impacts,
                                   .histories = forces_.needs_collisions()});
  course_->stepper->kkt().detect_redundancy(state_.configuration, state_.time);
  course_->stepper->start(state_, std::min(step_of(options.integrator), options.end_time));
  recorder_.start(state_);
  forces_.start(state_);
  bearings_.start(state_);
  journals_.start(state_);
  record();
  course_->start = state_.energy;
  course_->turnover = state_.energy.kinetic + state_.energy.elastic;
  course_->report.turnover.add(state_.energy);
  if (sink_) sink_->update(course_->report);
}

/// Steps end at n h from where the run is; the last one is shortened to `end` (a rest below
/// round-off is not a step).
void Simulation::advance(const Dynamics& options, double end) {
  Course& course = *course_;
  RunReport& report = course.report;
  const double h = step_of(options.integrator), begin = state_.time;
  const auto steps = static_cast<long>(std::ceil((end - begin) / h - 1e-9));
  for (long n = 1; n <= steps; ++n) {
    const double t = n == steps ? end : begin + static_cast<double>(n) * h;
    const double length = n == steps ? end - (begin + static_cast<double>(n - 1) * h) : h;
    if (!advance_by_policy(length, t, options.on_failure)) {
      report.status = RunStatus::Failed;
      break;
    }
    if (!std::isfinite(state_.energy.total())) {
      report.status = RunStatus::Failed;
      report.message = fmt::format(
          "t = {:.6g} s: the energy is not a finite number any more; look for velocities or forces "
          "that are too large",
          t);
      break;
    }
    for (std::string& jump : course.drives.jumps(t - length, t)) warn(report, std::move(jump));
    ++report.steps;
    report.end_time = state_.time;
    report.energy = state_.energy;
    report.turnover.add(state_.energy);
    add_contact_losses(report);
    course.turnover = std::max({course.turnover, state_.energy.kinetic,
                                std::abs(state_.energy.gravity - course.start.gravity),
                                state_.energy.elastic, std::abs(state_.energy.external_work)});
    const bool recorded = report.steps % options.record.every == 0 || n == steps;
    if (recorded) record();
    if (sink_) sink_->update(report);
    // Who listens may throw or stop the run: the step is complete, and the last one has its row.
    const auto stop = [&] {
      report.status = RunStatus::Interrupted;
      if (!recorded) record();
    };
    try {
      tell_impacts();
      if (go_on(static_cast<double>(n) / static_cast<double>(steps), report.steps, n == steps)) {
        continue;
      }
    } catch (...) {
      stop();
      throw;
    }
    stop();
    break;
  }
}

/// The impacts of the step, when everything else of it is done.
void Simulation::tell_impacts() {
  const std::vector<Impact> impacts = std::exchange(unheard_, {});
  for (const Impact& impact : impacts) {
    if (hear_impact_) hear_impact_(impact);
  }
}

/// Energy that the scheme itself made or lost beyond what anyone would call accuracy.
void Simulation::check_numerical_loss(double turnover, RunReport& report) {
  const EnergyLedger& energy = state_.energy;
  const double loss = energy.numerical_loss;
  // A motion that is round-off of the energies at stake says nothing.
  double stake = energy.kinetic + std::abs(energy.gravity) + energy.elastic;
  const double L = system_.characteristic_length();
  for (const RigidInertia& inertia : system_.elements().inertias) {
    stake += inertia.mass * system_.gravity().norm() * L;
  }
  for (const VectorX* force : {&state_.forces.applied, &state_.forces.constraint}) {
    stake += force->norm() * L;
  }
  if (!std::isfinite(loss) || turnover <= 1e-9 * stake) return;
  if (loss <= suspicious_loss * turnover && -loss <= suspicious_gain * turnover) return;
  const char* const remedy = event_driven(options_) != nullptr
                                 ? "an overlap that was removed, or composition \"frozen\"; else "
                                   "choose a smaller tolerance"
                                 : "the step is too large for this motion; halve it and compare";
  warn(report, fmt::format("the scheme {} {:.3g} J, {:.2g} of all energy that moved: {}",
                           loss > 0 ? "lost" : "gained", std::abs(loss), std::abs(loss) / turnover,
                           remedy));
}

void Simulation::take_in(const StepReport& step, RunReport& report) {
  report.max_position_violation = std::max(report.max_position_violation, step.position_violation);
  report.max_velocity_violation = std::max(report.max_velocity_violation, step.velocity_violation);
  report.max_penetration = std::max(report.max_penetration, step.penetration);
  const EventDetail detail = record_of(options_).events;
  for (const ContactEvent& event : step.events) {
    if (event.kind == ContactEventKind::Impact) {
      ++report.impacts;
      const int contact = system_.elements().contacts.contact_of(event.contact);
      ++report.contacts[static_cast<std::size_t>(contact)].impacts;
      if (hear_impact_) unheard_.push_back(recorder_.event(event));
    }
    if (sink_ && is_recorded(event, detail)) {
      sink_->event(recorder_.event(event));
    }
  }
  tell(step.warnings, report);
  tell(flexible_watch_.look(state_.configuration), report);
  recorder_.accumulate(state_);
  bearings_.accumulate(state_);
  journals_.accumulate(state_);
  tell_forces(forces_.step(state_, step), report);
}

void Simulation::tell_forces(std::span<const ForceRow> rows, RunReport& report) {
  for (const ForceRow& row : rows) {
    add_peaks(row, *report.contacts[static_cast<std::size_t>(row.model_contact)].peaks);
    if (sink_) sink_->force(row);
  }
  if (forces_.impacts() <= ForceRecovery::most_histories || told_histories_) return;
  told_histories_ = true;
  warn(report, fmt::format("t = {:.6g} s: the histories within impacts are kept for the first {} "
                           "only",
                           state_.time, ForceRecovery::most_histories));
}

/// Each warning of a kind once; how often it came is counted.
void Simulation::tell(const std::vector<StepWarning>& warnings, RunReport& report) {
  std::set<std::string> told;
  for (const StepWarning& warning : warnings) {
    if (!told.insert(warning.text).second || step_warnings_[warning.text]++ > 0) continue;
    const std::string detail = warning.detail.empty() ? "" : " (" + warning.detail + ")";
    warn(report, fmt::format("t = {:.6g} s: {}{}", state_.time, warning.text, detail));
  }
}

void Simulation::add_contact_losses(RunReport& report) const {
  for (std::size_t i = 0; i < state_.contact_losses.size(); ++i) {
    report.contacts[i].friction_loss = state_.contact_losses[i].friction;
    report.contacts[i].impact_loss = state_.contact_losses[i].impact;
  }
}

void Simulation::tell_repeated(RunReport& report) {
  for (const auto& [warning, count] : step_warnings_) {
    if (count > 1) warn(report, fmt::format("in {} steps: {}", count, warning));
  }
}

bool Simulation::advance_by_policy(double h, double end, FailurePolicy policy, int halvings) {
  RunReport& report = course_->report;
  const StepReport step = course_->stepper->step(state_, h, end, policy == FailurePolicy::Accept);
  if (!step.converged || !step.accurate) ++report.inaccurate_steps;
  report.smooth.add(step.smooth_iterations);
  report.position.add(step.position_iterations);
  report.velocity.add(step.velocity_iterations);
  recorder_.count_iterations(step.smooth_iterations, step.position_iterations,
                             step.velocity_iterations);
  if (step.converged || (policy == FailurePolicy::Accept && step.usable)) {
    if (!step.converged) {
      warn(report,
           fmt::format("t = {:.6g} s: {}; accepted as asked (on_failure)", end, step.message));
    }
    take_in(step, report);
    return true;
  }
  if (policy != FailurePolicy::Halve || halvings == most_halvings) {
    report.message = fmt::format(
        "t = {:.6g} s, step {:.3g} s: {}; {}", state_.time, h, step.message,
        policy == FailurePolicy::Stop ? "stopped as asked (on_failure)"
        : policy == FailurePolicy::Accept
            ? "nothing finite to accept (on_failure)"
            : fmt::format(
                  "halving the step {} times did not help; try a smaller step or look for a "
                  "singular position of the mechanism",
                  most_halvings));
    return false;
  }
  if (halvings == 0) {
    warn(report, fmt::format("t = {:.6g} s: {}; the step of {:.3g} s is halved as often as needed",
                             state_.time, step.message, h));
  }
  const double middle = end - h / 2;
  return advance_by_policy(h / 2, middle, policy, halvings + 1) &&
         advance_by_policy(h / 2, end, policy, halvings + 1);
}

// ---- statics and modes
// ---------------------------------------------------------------------------

bool Simulation::find_equilibrium_in_steps(const Statics& options) {
  RunReport& report = course_->report;
  KktSolver kkt(system_);
  state_.velocity.setZero();
  state_.acceleration.setZero();
  record();
  for (int n = 1; n <= options.load_steps; ++n) {
    const double factor = static_cast<double>(n) / options.load_steps;
    const EquilibriumReport equilibrium = find_equilibrium(system_, kkt, options, factor, state_);
    report.smooth.add(equilibrium.iterations);
    recorder_.count_iterations(equilibrium.iterations);
    report.max_position_violation = std::max(report.max_position_violation, equilibrium.violation);
    if (!equilibrium.converged) {
      report.status = RunStatus::Failed;
      report.message = equilibrium.message;
      return false;
    }
    state_.time = factor;
    state_.energy.kinetic = 0;
    state_.energy.gravity = system_.gravity_energy(state_.configuration);
    state_.energy.elastic = system_.elastic_energy(state_.configuration);
    state_.energy.initial = state_.energy.total();  // no motion, no losses: nothing to account for
    report.energy = state_.energy;
    tell(flexible_watch_.look(state_.configuration), report);
    report.steps = n;
    report.end_time = factor;
    record();
    report.turnover.add(state_.energy);
    if (sink_) sink_->update(report);
    if (!go_on(factor, n, n == options.load_steps)) {
      report.status = RunStatus::Interrupted;
      return false;
    }
  }
  return true;
}

void Simulation::run(const Statics& options) { find_equilibrium_in_steps(options); }

void Simulation::run(const Modes& options) {
  RunReport& report = course_->report;
  if (options.equilibrium) {
    const Statics statics{.load_steps = options.load_steps};
    if (!find_equilibrium_in_steps(statics)) return;
  } else {
    state_.velocity.setZero();
    record();
  }
  KktSolver kkt(system_);
  report.modes = natural_modes(system_, kkt, state_, options.count);
  for (const Mode& mode : report.modes) {
    if (mode.eigenvalue < 0) {
      warn(report, "the equilibrium is unstable: there are modes with a growth rate");
      break;
    }
  }
}

}  // namespace saltus
