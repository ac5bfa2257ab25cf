// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/equilibrium.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"

namespace saltus {
namespace {

constexpr double longest_turn = 0.3;       ///< of a body in one iteration, rad
constexpr double joint_tolerance = 1e-12;  ///< of the characteristic length
constexpr double smallest_motion = 1e-13;  ///< a Newton step that ends the iteration, relative

/// Residual with forces and moments in one unit, N.
double size_of(const System& system, const VectorX& r) {
  const SplitNorm norm = split_norm(system, r);
  return norm.translation + norm.rotation / system.characteristic_length();
}

double heaviest(const System& system) {
  double mass = 0;
  for (const RigidInertia& inertia : system.elements().inertias)
    mass = std::max(mass, inertia.mass);
  return mass;
}

/// 1/τ² at which the first step moves the fastest body by a tenth of the mechanism's size.
double first_shift(const System& system, const VectorX& r) {
  double fastest = 0;
  for (const RigidInertia& inertia : system.elements().inertias) {
    const Node& node = system.nodes()[static_cast<std::size_t>(inertia.node)];
    if (node.unknowns == 0) continue;
    fastest = std::max(fastest, r.segment<3>(node.first_unknown).norm() / inertia.mass);
  }
  return 10 * fastest / system.characteristic_length();
}

}  // namespace

EquilibriumReport find_equilibrium(const System& system, KktSolver& kkt, const Statics& options,
                                   double load_factor, State& state) {
  EquilibriumReport report;
  const int n_v = system.velocities(), n_c = system.constraints();
  const Instant at{.time = 0, .load_factor = load_factor};
  const VectorX zero = VectorX::Zero(n_v);
  VectorX r(n_v), g(n_c), x(n_v + n_c), step(n_v);
  Configuration next = state.configuration;
  double shift = -1, previous = 0, moved = 1;
  for (int i = 0;; ++i) {
    system.forces(state.configuration, zero, zero, at, state.multiplier, state.forces);
    state.forces.residual(r);
    system.constraints(state.configuration, at.time, g);
    const SplitNorm norm = split_norm(system, r), scale = force_scale(system, state.forces, zero);
    report.violation = largest_row(system, g);
    const double L = system.characteristic_length();
    const bool balanced = norm.translation <= options.tolerance * scale.translation &&
                          norm.rotation <= options.tolerance * scale.rotation;
    if (report.violation <= joint_tolerance * L && i > 0 &&
        (balanced || moved <= smallest_motion)) {
      report.converged = true;
      system.update_angles(state.configuration);
      return report;
    }
    // Unbalanced forces, and the joint violation as the force that the shift makes of it.
    const double size =
        size_of(system, r) + report.violation * std::max(shift, 0.0) * heaviest(system);
    if (!std::isfinite(size) || i == options.max_iterations) {
      Eigen::Index worst = 0;
      r.cwiseAbs().maxCoeff(&worst);
      report.message = fmt::format(
          "no static equilibrium was found in {} iterations at load factor {:.3g}: the unbalanced "
          "force is {:.3g} N, the largest at {}; a body that nothing holds against its load has "
          "none, and large deformations may need more load_steps",
          i, load_factor, size_of(system, r), system.unknown_name(static_cast<int>(worst)));
      return report;
    }
    // Switched evolution: the shift falls as fast as the residual.
    if (shift < 0) {
      shift = std::max(first_shift(system, r), 1e-12);
    } else {
      shift *= std::clamp((size * size) / (previous * previous), 1e-3, 4.0);
    }
    previous = size;
    const bool regular = kkt.linearize(
        state.configuration, zero, zero, at, state.multiplier,
        {.mass = shift, .damping = 0, .stiffness = 1, .rows = Linearization::Rows::Position});
    if (!regular) {
      report.message = "the static equations of " + kkt.singular_parts() +
                       " are singular: nothing holds them; add a joint or a spring";
      return report;
    }
    x.head(n_v) = -r;
    x.tail(n_c) = g;
    kkt.solve(x);
    ++report.iterations;
    step = x.head(n_v);
    const double turn = std::max(largest_rotation(system, step), largest_motion(system, step) / L);
    const double factor = turn > longest_turn ? longest_turn / turn : 1.0;
    step *= factor;
    moved = largest_motion(system, step) / L;
    advance(state.configuration, system.nodes(), step, next);
    std::swap(state.configuration.nodes, next.nodes);
    system.update_angles(state.configuration);
    state.multiplier += factor * x.tail(n_c);
  }
}

}  // namespace saltus
