// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/replay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "saltus/core/input_error.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/simulation/time_scale.hpp"
#include "saltus/simulation/violation_watch.hpp"

namespace saltus {
namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// @throws std::out_of_range if it does not fit the system.
State stored_state(const System& system, const Archive::Bytes& bytes) {
  State state;
  Archive memory(bytes);
  memory(state);
  const bool fits = state.velocity.size() == system.velocities() &&
                    state.multiplier.size() == system.constraints() &&
                    state.configuration.nodes.size() == system.nodes().size();
  if (!memory.is_at_end() || !fits) throw std::out_of_range("the state is of another model");
  // What only some methods keep.
  const int n_v = system.velocities();
  if (state.acceleration.size() != n_v) state.acceleration.setZero(n_v);
  if (state.pseudo_acceleration.size() != n_v) state.pseudo_acceleration = state.acceleration;
  system.forces(state.configuration, state.velocity, state.acceleration, {.time = state.time},
                state.multiplier, state.forces);
  return state;
}

void take_in(const StepReport& step, ReplayedStretch& result) {
  result.iterations += step.smooth_iterations + step.position_iterations + step.velocity_iterations;
  result.violation = std::max({result.violation, step.position_violation, step.penetration});
  result.is_accurate &= step.accurate;
  if (!step.converged) {
    result.message = step.message;
  } else if (result.message.empty() && !step.warnings.empty()) {
    result.message = step.warnings[0].text;
  }
}

}  // namespace

ReplayedStretch replay(const CheckedRun& run, const StepCapsule& step) {
  const auto* options = std::get_if<Dynamics>(&run.options());
  if (options == nullptr) {
    throw InputError(Issue{.place = "/simulation/type", .rule = "only dynamics has steps"});
  }
  const double start = processor_seconds();
  const CheckedModel& model = run.model();
  const System system(model, time_scale_of(*options), System::Places::Near);
  State state = stored_state(system, step.state);
  const bool drifts = std::holds_alternative<MoreauJean>(options->integrator);
  ViolationWatch watch(system, drifts);
  PushedThrough pushed;
  const auto stepper =
      make_stepper(system, options->integrator,
                   {.solver = options->solver, .multiple_impacts = options->multiple_impacts});
  stepper->detect_redundancy(state);
  const int count =
      std::max(1, static_cast<int>(std::ceil(step.length / step_of(options->integrator) - 1e-9)));
  const double h = step.length / count;
  stepper->start(state, h);
  ReplayedStretch result;
  while (result.steps < count) {
    const StepReport report =
        stepper->step(state, h, step.time + (result.steps + 1) * step.length / count);
    take_in(report, result);
    if (!report.converged) break;
    if (!state.velocity.allFinite()) result.message = "velocities are not finite numbers";
    const ViolationWatch::Violation broken = watch.look(state, report, h, pushed);
    if (broken) result.message = broken.text;
    if (broken || !state.velocity.allFinite()) break;
    ++result.steps;
  }
  result.is_solved = result.steps == count;
  if (result.is_solved) result.end = state.configuration;
  result.seconds = processor_seconds() - start;
  return result;
}

double distance(const Configuration& a, const Configuration& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.nodes.size(), b.nodes.size()); ++i) {
    most = std::max(most, (a.nodes[i].x - b.nodes[i].x).norm());
  }
  return most;
}

}  // namespace saltus
