// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/equilibrium.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// Residual with forces and moments in one unit, N.
double size_of(const System& system, const VectorX& r) {
  const SplitNorm norm = split_norm(system, r);
  return norm.translation + norm.rotation / system.characteristic_length();
}

/// Forces of the contacts one by one: those of a body between two others balance within the term
/// that has all of them.
SplitNorm contact_scale(const System& system, const Configuration& q) {
  SplitNorm scale;
  for (const CompliantContact& e : system.elements().compliant) {
    const ContactMemory& memory = q.contacts[static_cast<std::size_t>(e.memory)];
    const NodePair at = system.pair(q, e.contact.node_A, e.contact.node_B);
    const Vector12 f = e.forces(at, Vector12::Zero(), 0, memory).elastic;
    scale.translation += f.head<3>().norm();
    scale.rotation += std::max(f.segment<3>(3).norm() + f.tail<3>().norm(),
                               f.head<3>().norm() * e.contact.length);
  }
  return scale;
}

/// 1/τ² at which the first step moves the fastest body by a tenth of the mechanism's size. Moments
/// count as if they acted on the body's mass at the end of that size: small inertias of turning, as
/// those of a beam's nodes, do not make the shift large.
double first_shift(const System& system, const VectorX& r) {
  const double L = system.characteristic_length();
  double fastest = 0;
  for (int i = 0; i < static_cast<int>(system.nodes().size()); ++i) {
    const Node& node = system.nodes()[static_cast<std::size_t>(i)];
    if (system.node_mass(i) == 0) continue;
    const int k = node.first_unknown;
    const double moment = node.turns() ? r.segment<3>(k + 3).norm() : 0;
    fastest = std::max({fastest, r.segment<3>(k).norm() / system.node_mass(i),
                        moment / (system.node_mass(i) * L)});
  }
  return StaticsTuning::parts_of_length * fastest / L;
}

void describe_failure(const System& system, const VectorX& r, const VectorX& g, int iterations,
                      double load_factor, EquilibriumReport& report) {
  if (!r.allFinite() || !g.allFinite()) {
    report.message = fmt::format("no static equilibrium was found at load factor {:.3g}: {}",
                                 load_factor, not_finite);
    return;
  }
  Eigen::Index worst = 0;
  r.cwiseAbs().maxCoeff(&worst);
  report.message = fmt::format(
      "no static equilibrium was found in {} iterations at load factor {:.3g}: the unbalanced "
      "force "
      "is {:.3g} N, the largest at {}",
      iterations, load_factor, size_of(system, r), system.unknown_name(static_cast<int>(worst)));
  if (system.constraints() > 0) {
    report.message += fmt::format(", and joints are open by {:.3g} m, the most {}",
                                  report.violation, worst_row_name(system, g));
  }
  report.message +=
      "; a body that nothing holds against its load has no equilibrium, and large motions may need "
      "more load_steps or max_iterations";
}

/// How far the surfaces of a compliant contact are apart.
double gap_of(const System& system, const CompliantContact& e, const Configuration& q) {
  const ContactElement& c = e.contact;
  return c.gap(system.pair(q, c.node_A, c.node_B));
}

/// Whether no contact goes much deeper: a local law rises so steeply that a step which ran far into
/// a surface would lead nowhere.
bool is_shallow(const System& system, const Configuration& from, const Configuration& to) {
  return std::ranges::all_of(system.elements().compliant, [&](const CompliantContact& e) {
    const double gap = gap_of(system, e, to);
    if (gap >= 0) return true;
    const double before = std::min(gap_of(system, e, from), 0.0);
    return gap > 2 * before - StaticsTuning::deepest_step * e.contact.length;
  });
}

/// The configuration moved by a step, shortened until contacts stay shallow; returns the factor.
double advance_with_contacts(const System& system, const Configuration& from, VectorX& step,
                             Configuration& to) {
  double factor = 1;
  advance(from, system.nodes(), step, to);
  for (int i = 0; i < StaticsTuning::most_halvings && !is_shallow(system, from, to); ++i) {
    factor /= 2;
    step /= 2;
    advance(from, system.nodes(), step, to);
  }
  return factor;
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
  double full_shift = 0, moved = 1;
  for (int i = 0;; ++i) {
    system.forces(state.configuration, zero, zero, at, state.multiplier, state.forces);
    state.forces.residual(r);
    system.constraints(state.configuration, at.time, g);
    const SplitNorm norm = split_norm(system, r), scale = force_scale(system, state.forces, zero),
                    touching = contact_scale(system, state.configuration);
    report.violation = largest_row(system, g);
    const double L = system.characteristic_length();
    const bool balanced =
        norm.translation <= options.tolerance * (scale.translation + touching.translation) &&
        norm.rotation <= options.tolerance * (scale.rotation + touching.rotation);
    if (report.violation <= StaticsTuning::joint_tolerance * L && i > 0 &&
        (balanced || moved <= StaticsTuning::smallest_motion)) {
      report.converged = true;
      state.reaction = state.multiplier;
      system.update_angles(state.configuration);
      state.contacts.clear();
      system.end_contacts(state);
      return report;
    }
    const double size = size_of(system, r);
    if (!std::isfinite(size + report.violation) || i == options.max_iterations) {
      describe_failure(system, r, g, i, load_factor, report);
      return report;
    }
    // The shift follows the square of the last motion: a mechanism on its way keeps it, near the
    // equilibrium it vanishes and Newton's method is left.
    if (full_shift <= StaticsTuning::smallest_shift)  // a drive may pull from the second step on
      full_shift = std::max(first_shift(system, r), StaticsTuning::smallest_shift);
    const double share = std::min(moved / StaticsTuning::slow_motion, 1.0);
    const double shift = full_shift * std::max(share * share, StaticsTuning::smallest_share);
    const Linearization linearization{
        .mass = shift, .damping = 0, .stiffness = 1, .rows = Linearization::Rows::Position};
    const auto linearize = [&] {
      return kkt.linearize(state.configuration, zero, zero, at, state.multiplier, linearization);
    };
    // Redundant joints may make it singular; then their block is made larger.
    const bool regular =
        linearize() || (kkt.detect_redundancy(state.configuration, at.time) && linearize());
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
    double factor = turn > StaticsTuning::longest_turn ? StaticsTuning::longest_turn / turn : 1.0;
    step *= factor;
    factor *= advance_with_contacts(system, state.configuration, step, next);
    moved = largest_motion(system, step) / L;
    state.accumulate_rotations(system.nodes(), state.configuration, step);
    std::swap(state.configuration.nodes, next.nodes);
    system.update_angles(state.configuration);
    state.multiplier += factor * x.tail(n_c);
  }
}

}  // namespace saltus
