// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/correction_limits.hpp"

namespace saltus {
namespace {

constexpr double cross_share = 1e-6;

/// A few units in the last place of a length or speed.
constexpr double rounding = 4e-16;

nonsmooth::SolverOptions solver_options(const ContactSolverOptions& options) {
  return {.kind = options.method,
          .tolerance = options.tolerance,
          .acceptable = options.acceptable,
          .penalty = options.penalty,
          .proximal = options.proximal,
          .max_iterations = options.max_iterations};
}

}  // namespace

bool has_stalled(int iteration, double violation, double previous, double scale) {
  if (iteration > 0 && violation <= 1e-4 * round_off * scale && violation >= 0.1 * previous) {
    return true;
  }
  return iteration > 1 && violation <= round_off * scale && violation >= 0.5 * previous;
}

bool is_balanced(const System& system, const VectorX& r, const VectorX& inertia,
                 const VectorX& reaction) {
  const SplitNorm size = split_norm(system, r);
  const SplitNorm a = split_norm(system, inertia), b = split_norm(system, reaction);
  const double forces = a.translation + b.translation, moments = a.rotation + b.rotation;
  // Where forces or moments vanish, round-off of the others is left.
  const double L = system.characteristic_length();
  return size.translation <= balance_tolerance * (forces + cross_share * moments / L) &&
         size.rotation <= balance_tolerance * (moments + cross_share * forces * L);
}

nonsmooth::SolverOptions position_solver_options(const ContactSolverOptions& options, double length,
                                                 double far) {
  nonsmooth::SolverOptions result = solver_options(options);
  result.motion_tolerance = 0.1 * gap_tolerance * length;
  result.pile_tolerance = 0.8 * gap_slack_of_piles * gap_tolerance * length;
  result.gap_suffices = true;
  result.noise = rounding * far;
  return result;
}

nonsmooth::SolverOptions velocity_solver_options(const ContactSolverOptions& options,
                                                 double speed) {
  nonsmooth::SolverOptions result = solver_options(options);
  result.motion_tolerance = contact_velocity_tolerance * speed;
  result.pile_tolerance = approach_in_piles * speed;
  result.noise = rounding * speed;
  return result;
}

}  // namespace saltus
