// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

constexpr double growth_limit = 1e3;       // of reactions, relative to those of lone contacts
constexpr double closed_residual = 1e-10;  // of directions of sliding where gaps suffice
constexpr double gap_residual = 1e-4;      // and what is enough if nothing gets further

// Gaps and slips within the tolerance, reactions only where there is contact.
bool gaps_are_closed(const ContactMeasure& m, double tolerance, double residual) {
  return m.violation() <= tolerance && m.tension <= residual && m.residual <= residual;
}

}  // namespace

ContactMeasure SolverWorkspace::record() {
  D.motion(l, u);
  const ContactMeasure m = measure(D, l, u, options.motion_tolerance, options.noise);
  const bool grown =
      m.growth > growth_limit * length && m.violation() > 10 * options.motion_tolerance;
  if (grown && m.violation() >= 0.1 * best.violation()) diverged = true;
  if (m.error < best.error && (!grown || solved(m))) {
    best = m;
    best_l = l;
  }
  return m;
}

void SolverWorkspace::restore_best() {
  l = best_l;
  D.motion(l, u);
}

bool SolverWorkspace::solved(const ContactMeasure& m) const {
  if (m.residual <= options.tolerance && m.violation() <= options.motion_tolerance) return true;
  return options.gap_suffices &&
         gaps_are_closed(m, options.motion_tolerance, closed_residual * length);
}

bool SolverWorkspace::acceptable(const ContactMeasure& m) const {
  if (m.residual <= options.acceptable && m.violation() <= 1e3 * options.motion_tolerance) {
    return true;
  }
  return options.gap_suffices && gaps_are_closed(m, options.motion_tolerance, gap_residual);
}

}  // namespace saltus::nonsmooth
