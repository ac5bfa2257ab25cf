// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/correction_limits.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

// A tolerance that is given is what all islands are judged by.
nonsmooth::SolverOptions solver_options(const ContactSolverOptions& options) {
  const bool given = options.tolerance != ContactSolverOptions{}.tolerance;
  return {.kind = options.method,
          .accuracy = given ? nonsmooth::Accuracy::High : options.accuracy,
          .tolerance = options.tolerance,
          .acceptable = std::max(options.acceptable, options.tolerance),
          .penalty = options.penalty,
          .proximal = options.proximal,
          .max_iterations = options.max_iterations};
}

}  // namespace

bool has_stalled(int iteration, double violation, double previous, double scale) {
  using Bounds = CorrectionTuning;
  const double limit = Bounds::joint_round_off * scale;
  if (iteration > 0 && violation <= Bounds::tiny_part * Bounds::joint_round_off * scale &&
      violation >= Bounds::stalled_tiny_violation * previous) {
    return true;
  }
  return iteration > 1 && violation <= limit && violation >= Bounds::stalled_violation * previous;
}

bool is_moved_by_joints(double violation, double move, double previous_move, double scale) {
  using Bounds = CorrectionTuning;
  if (move <= Bounds::pull_of_joints * violation) return true;
  return move <= std::sqrt(violation * scale) && move >= Bounds::stalled_violation * previous_move;
}

double reach(double length, double far) {
  return std::max(length, CorrectionTuning::far_gap / PositionTuning::gap_tolerance * far);
}

nonsmooth::SolverOptions position_solver_options(const ContactSolverOptions& options, double length,
                                                 double far) {
  nonsmooth::SolverOptions result = solver_options(options);
  result.motion_tolerance = PositionTuning::solver_share * PositionTuning::gap_tolerance * length;
  result.pile_tolerance = PositionTuning::solver_share_of_piles *
                          PositionTuning::gap_slack_of_piles * PositionTuning::gap_tolerance *
                          length;
  if (result.accuracy == nonsmooth::Accuracy::Fast) {
    result.pile_tolerance *= PositionTuning::fast_slack;
  }
  result.gap_suffices = true;
  result.noise = CorrectionTuning::rounding * far;
  return result;
}

nonsmooth::SolverOptions velocity_solver_options(const ContactSolverOptions& options,
                                                 double speed) {
  nonsmooth::SolverOptions result = solver_options(options);
  result.motion_tolerance = VelocityTuning::contact_velocity_tolerance * speed;
  result.pile_tolerance = VelocityTuning::approach_in_piles * speed;
  if (result.accuracy == nonsmooth::Accuracy::Fast) {
    result.pile_tolerance *= VelocityTuning::fast_approach;
  }
  result.noise = CorrectionTuning::rounding * speed;
  return result;
}

}  // namespace saltus
