// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/correction_limits.hpp"

namespace saltus {
namespace {

constexpr double cross_share = 1e-6;

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

nonsmooth::SolverOptions solver_options(const ContactSolverOptions& options,
                                        double motion_tolerance, double noise, bool gap_suffices) {
  return {.kind = options.method,
          .tolerance = options.tolerance,
          .acceptable = options.acceptable,
          .motion_tolerance = motion_tolerance,
          .gap_suffices = gap_suffices,
          .noise = noise,
          .penalty = options.penalty,
          .proximal = options.proximal,
          .max_iterations = options.max_iterations};
}

}  // namespace saltus
