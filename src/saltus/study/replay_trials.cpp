// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/replay_trials.hpp"

#include <fmt/format.h>

#include <chrono>

#include "saltus/core/interruption.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/json_text.hpp"

namespace saltus::study {
namespace {

using io::Capsule;
using io::Json;

/// Writes settings for a model file, whatever of it is there.
class Settings {
 public:
  Settings(const Capsule& capsule, std::vector<ReplayTrial>& trials)
      : document_(io::parse_json(capsule.given_text)), trials_(trials) {}

  /// Of an object of `simulation`, "solver" or "integrator".
  void add(const char* object, const char* key, const std::string& value) {
    const Json* simulation = document_.find("simulation");
    const Json* parent = simulation != nullptr ? simulation->find(object) : nullptr;
    if (parent != nullptr) {
      return add(fmt::format("/simulation/{}/{}={}", object, key, value));
    }
    const bool is_word = value.find_first_not_of("0123456789.-e") != std::string::npos;
    add(fmt::format("/simulation/{}={{\"{}\": {}}}", object, key,
                    is_word ? '"' + value + '"' : value));
  }
  void add(std::string setting) { trials_.push_back({.setting = std::move(setting)}); }

 private:
  Json document_;
  std::vector<ReplayTrial>& trials_;
};

template <class Enum>
void each_but(Enum now, const std::function<void(const char*)>& use) {
  for (std::size_t i = 0; i < std::size(EnumNames<Enum>::names); ++i) {
    if (static_cast<Enum>(i) != now) use(EnumNames<Enum>::names[i]);
  }
}

void add_parts_of_step(Settings& settings, double length) {
  for (const int parts : {2, 4, 16, 64}) {
    settings.add("integrator", "step", fmt::format("{:.6g}", length / parts));
  }
}

void add_damping(Settings& settings, double rho_inf) {
  for (const double rho : {0.0, 0.5, 1.0}) {
    if (rho != rho_inf) settings.add("integrator", "rho_inf", fmt::format("{:g}", rho));
  }
}

/// What the method of the run can do otherwise.
void add_options(Settings& settings, const Integrator& integrator, double length) {
  if (const auto* events = std::get_if<EventDriven>(&integrator)) {
    for (const double factor : {1e-2, 1e2}) {
      settings.add("integrator", "tolerance", fmt::format("{:g}", factor * events->tolerance));
    }
    return;
  }
  add_parts_of_step(settings, length);
  settings.add("integrator", "max_iterations", "200");
  if (const auto* alpha = std::get_if<NonsmoothGeneralizedAlpha>(&integrator)) {
    add_damping(settings, alpha->rho_inf);
    each_but(alpha->coupling,
             [&](const char* name) { settings.add("integrator", "coupling", name); });
    if (alpha->position_friction) settings.add("integrator", "position_friction", "false");
  }
  if (const auto* smooth = std::get_if<GeneralizedAlpha>(&integrator)) {
    add_damping(settings, smooth->rho_inf);
  }
}

void add_contact_solvers(Settings& settings, const Dynamics& options) {
  each_but(options.solver.accuracy,
           [&](const char* name) { settings.add("solver", "accuracy", name); });
  each_but(options.solver.method,
           [&](const char* name) { settings.add("solver", "method", name); });
  each_but(options.multiple_impacts, [&](const char* name) {
    settings.add(fmt::format("/simulation/multiple_impacts={}", name));
  });
}

void add_methods(Settings& settings, const Integrator& now, double length) {
  for (const char* name :
       {NonsmoothGeneralizedAlpha::type_name, MoreauJean::type_name, EventDriven::type_name}) {
    const bool is_this = std::visit(
        [&](const auto& method) { return std::string_view(method.type_name) == name; }, now);
    if (is_this) continue;
    settings.add(
        fmt::format("/simulation/integrator={{\"type\": \"{}\", \"step\": {:.6g}}}", name, length));
  }
}

/// Rows of one step are of no interest, and those at an interval need not fit another step.
CheckedModelFile model_of(const Capsule& capsule, const std::string& setting) {
  std::vector<std::string> settings;
  const Json document = io::parse_json(capsule.given_text);
  const Json* simulation = document.find("simulation");
  if (simulation != nullptr && simulation->find("record") != nullptr) {
    settings.emplace_back("/simulation/record={}");
  }
  if (!setting.empty()) settings.push_back(setting);
  return parse_checked_model(capsule.given_text, capsule.model, settings, capsule.meshes);
}

}  // namespace

std::vector<ReplayTrial> replay_trials(const Capsule& capsule) {
  const CheckedModelFile file = model_of(capsule, {});
  const auto* options = std::get_if<Dynamics>(&file.run.options());
  std::vector<ReplayTrial> trials(1);
  if (options == nullptr) return trials;
  Settings settings(capsule, trials);
  add_options(settings, options->integrator, capsule.step.length);
  if (!file.run.model().simulated().contacts.empty()) add_contact_solvers(settings, *options);
  add_methods(settings, options->integrator, capsule.step.length);
  return trials;
}

void try_again(const Capsule& capsule, ReplayTrial& trial, double most_seconds,
               const std::function<bool()>& goes_on) {
  const auto start = std::chrono::steady_clock::now();
  const InterruptionScope scope([&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    trial.is_in_time = used.count() < most_seconds;
    return trial.is_in_time && goes_on();
  });
  try {
    trial.stretch = replay(model_of(capsule, trial.setting).run, capsule.step);
  } catch (const InputError& error) {
    trial.refused = error.issues().front().rule;
  } catch (const std::out_of_range&) {
    throw FileError(
        fmt::format("{}: the capsule is damaged: its state is not of its model", capsule.model));
  } catch (const Interruption&) {
    if (trial.is_in_time) throw;
  }
}

void compare_trials(std::vector<ReplayTrial>& trials) {
  const ReplayTrial* best = nullptr;
  for (const ReplayTrial& trial : trials) {
    if (!trial.stretch.is_solved) continue;
    if (best == nullptr || trial.stretch.steps > best->stretch.steps) best = &trial;
  }
  for (ReplayTrial& trial : trials) {
    if (trial.stretch.is_solved) trial.apart = distance(trial.stretch.end, best->stretch.end);
  }
}

}  // namespace saltus::study
