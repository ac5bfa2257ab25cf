// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/simulation.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <set>

#include "saltus/core/input_error.hpp"
#include "saltus/integrators/equilibrium.hpp"
#include "saltus/model/validate.hpp"
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

/// All broken rules of model and options at once, before anything is computed.
const EventDriven* event_driven(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics != nullptr ? std::get_if<EventDriven>(&dynamics->integrator) : nullptr;
}

ForceRecovery::Impacts impacts_of(const SimulationOptions& options) {
  return event_driven(options) != nullptr ? ForceRecovery::Impacts::Exact
                                          : ForceRecovery::Impacts::OfSteps;
}

/// The model with the restitution that impacts of single points have.
Model with_restitution_of(const SimulationOptions& options, const Model& model) {
  const EventDriven* method = event_driven(options);
  Model changed = model;
  if (method == nullptr || !method->energetic_restitution) return changed;
  struct OfOnePoint {
    double operator()(double e) const { return e; }
    double operator()(const RestitutionByPoints& e) const { return e.values.front(); }
    double operator()(const RestitutionByOrder& e) const { return e.values.back(); }
  };
  const double e = std::max(0.0, std::visit(OfOnePoint{}, *method->energetic_restitution));
  for (Contact& contact : changed.contacts) contact.restitution = e;
  return changed;
}

const Model& checked(const Model& model, const SimulationOptions& options) {
  std::vector<Issue> issues = validate(model, options);
  if (!issues.empty()) throw InputError(std::move(issues));
  return model;
}

}  // namespace

Simulation::Simulation(const Model& model, const SimulationOptions& options, LogSink log)
    : options_(options),
      log_(std::move(log)),
      system_(checked(model, options), horizon_of(options)),
      forces_(system_, with_restitution_of(options, model), impacts_of(options)),
      bearings_(model, system_),
      journals_(system_),
      recorder_(system_, record_of(options), &forces_,
                model.ball_bearings.empty() ? nullptr : &bearings_),
      flexible_watch_(system_) {
  warn_of_static_friction(model);
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

RunReport Simulation::run(ResultSink* sink) {
  RunReport report;
  report.warnings = start_warnings_;
  report.energy = state_.energy;
  for (const ContactGroup& group : system_.elements().contacts.groups) {
    report.contacts.push_back({group.name});
  }
  for (const int contact : forces_.contacts()) {
    report.contacts[static_cast<std::size_t>(contact)].peaks.emplace();
  }
  for (const std::string& text : forces_.messages()) warn(report, text);
  const auto start = std::chrono::steady_clock::now();
  sink_ = sink;
  if (sink) sink->begin(recorder_.columns());
  std::visit([&](const auto& options) { run(options, sink, report); }, options_);
  report.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (sink) sink->end(report);
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

void Simulation::record(ResultSink* sink) {
  if (sink) sink->record(recorder_.row(state_));
}

// ---- dynamics
// ------------------------------------------------------------------------------------

void Simulation::run(const Dynamics& options, ResultSink* sink, RunReport& report) {
  const std::unique_ptr<Stepper> method =
      make_stepper(system_, options.integrator,
                   {.solver = options.solver,
                    .multiple_impacts = options.multiple_impacts,
                    .histories = forces_.needs_collisions()});
  Stepper& stepper = *method;
  stepper.kkt().detect_redundancy(state_.configuration, state_.time);
  const double h = step_of(options.integrator);
  // Steps end at n h; the last one is shortened to end_time (a rest below round-off is not a step).
  const long steps = std::max(1L, static_cast<long>(std::ceil(options.end_time / h - 1e-9)));
  stepper.start(state_, std::min(h, options.end_time));
  recorder_.start(state_);
  forces_.start(state_);
  bearings_.start(state_);
  journals_.start(state_);
  record(sink);
  if (sink) sink->update(report);
  const EnergyLedger start = state_.energy;
  DriveWatch drives(system_);
  double turnover = start.kinetic + start.elastic;
  for (long n = 1; n <= steps; ++n) {
    const double end = n == steps ? options.end_time : static_cast<double>(n) * h;
    const double length = n == steps ? end - static_cast<double>(n - 1) * h : h;
    if (!advance_by_policy(stepper, length, end, options.on_failure, 0, report)) {
      report.status = RunStatus::Failed;
      break;
    }
    if (!std::isfinite(state_.energy.total())) {
      report.status = RunStatus::Failed;
      report.message = fmt::format(
          "t = {:.6g} s: the energy is not a finite number any more; look for velocities or forces "
          "that are too large",
          end);
      break;
    }
    for (std::string& jump : drives.jumps(end - length, end)) warn(report, std::move(jump));
    report.steps = n;
    report.end_time = state_.time;
    report.energy = state_.energy;
    add_contact_losses(report);
    turnover =
        std::max({turnover, state_.energy.kinetic, std::abs(state_.energy.gravity - start.gravity),
                  state_.energy.elastic, std::abs(state_.energy.external_work)});
    if (n % options.record.every == 0 || n == steps) record(sink);
    if (sink) sink->update(report);
    const double fraction = static_cast<double>(n) / static_cast<double>(steps);
    if (sink && !sink->progress(state_.time, fraction, n) && n < steps) {
      report.status = RunStatus::Interrupted;
      break;
    }
  }
  tell_forces(forces_.finish(), report);
  report.bearings = bearings_.finish();
  journals_.put(report.contacts);
  tell_repeated(report);
  check_numerical_loss(turnover, report);
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

bool Simulation::advance_by_policy(Stepper& stepper, double h, double end, FailurePolicy policy,
                                   int halvings, RunReport& report) {
  const StepReport step = stepper.step(state_, h, end, policy == FailurePolicy::Accept);
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
  return advance_by_policy(stepper, h / 2, middle, policy, halvings + 1, report) &&
         advance_by_policy(stepper, h / 2, end, policy, halvings + 1, report);
}

// ---- statics and modes
// ---------------------------------------------------------------------------

bool Simulation::find_equilibrium_in_steps(const Statics& options, ResultSink* sink,
                                           RunReport& report) {
  KktSolver kkt(system_);
  state_.velocity.setZero();
  state_.acceleration.setZero();
  record(sink);
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
    record(sink);
    if (sink) sink->update(report);
    if (sink && !sink->progress(factor, factor, n) && n < options.load_steps) {
      report.status = RunStatus::Interrupted;
      return false;
    }
  }
  return true;
}

void Simulation::run(const Statics& options, ResultSink* sink, RunReport& report) {
  find_equilibrium_in_steps(options, sink, report);
}

void Simulation::run(const Modes& options, ResultSink* sink, RunReport& report) {
  if (options.equilibrium) {
    const Statics statics{.load_steps = options.load_steps};
    if (!find_equilibrium_in_steps(statics, sink, report)) return;
  } else {
    state_.velocity.setZero();
    record(sink);
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

// ---- report
// --------------------------------------------------------------------------------------

std::string RunReport::summary() const {
  const char* words[] = {"completed", "failed", "interrupted"};
  std::string text =
      fmt::format("{}: {} step{} to t = {:.6g} s in {:.3g} s", words[static_cast<int>(status)],
                  steps, steps == 1 ? "" : "s", end_time, wall_seconds);
  if (!message.empty()) text += "\n  " + message;
  text += fmt::format("\n  iterations a step: {:.2f} on average, {} at most", smooth.mean(),
                      smooth.max);
  if (position.steps > 0) {
    text += fmt::format(" (position {:.2f}, {}; velocity {:.2f}, {})", position.mean(),
                        position.max, velocity.mean(), velocity.max);
  }
  if (impacts > 0 || max_penetration > 0) {
    text += fmt::format("\n  {} impact{}, penetration at most {:.2g} m", impacts,
                        impacts == 1 ? "" : "s", max_penetration);
  }
  if (max_position_violation > 0 || max_velocity_violation > 0) {
    text += fmt::format("\n  joints violated by at most {:.2g} m and {:.2g} m/s",
                        max_position_violation, max_velocity_violation);
  }
  text += fmt::format("\n  energy {:.9g} J", energy.total());
  if (impacts > 0 || max_penetration > 0 || energy.friction_loss > 0) {
    text += fmt::format(", lost by friction {:.3g} J, in impacts {:.3g} J", energy.friction_loss,
                        energy.impact_loss);
  }
  text += fmt::format(", numerical loss {:.3g} J, ledger residual {:.2g} J", energy.numerical_loss,
                      energy.residual());
  constexpr std::size_t most_modes = 20;
  for (std::size_t i = 0; i < std::min(modes.size(), most_modes); ++i) {
    text += fmt::format("\n  mode {:>2}: {:.6g} Hz", i + 1, modes[i].frequency());
    if (modes[i].growth_rate() > 0)
      text += fmt::format(", grows by {:.4g} 1/s", modes[i].growth_rate());
  }
  if (modes.size() > most_modes) text += fmt::format("\n  and {} more", modes.size() - most_modes);
  return text;
}

}  // namespace saltus
