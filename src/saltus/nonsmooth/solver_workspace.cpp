// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {
namespace {

constexpr double growth_limit = 1e3;         // of reactions, relative to those of lone contacts
constexpr double loose_gap_residual = 1e-4;  // is enough if nothing gets further

// Gaps and slips within the tolerance, reactions only where there is contact.
bool gaps_are_closed(const ContactMeasure& m, double residual) {
  return m.tension <= residual && m.residual <= residual;
}

}  // namespace

template <int N>
ContactMeasure SolverWorkspace<N>::record() {
  D.motion(l, u);
  const ContactMeasure m = measure<N>(D, l, u, options.motion_tolerance, options.noise);
  const bool grown =
      m.growth > growth_limit * length && m.violation() > 10 * options.motion_tolerance;
  if (grown && m.violation() >= 0.1 * best.violation()) diverged = true;
  if (m.error < best.error && (!grown || solved(m))) {
    best = m;
    best_l = l;
  }
  return m;
}

template <int N>
void SolverWorkspace<N>::restore_best() {
  l = best_l;
  D.motion(l, u);
}

template <int N>
bool SolverWorkspace<N>::solved(const ContactMeasure& m) const {
  if (m.approach > options.motion_tolerance || m.stick_slip > slip_slack * options.motion_tolerance)
    return false;
  return m.residual <= options.tolerance ||
         (options.gap_suffices && gaps_are_closed(m, gap_residual));
}

template <int N>
bool SolverWorkspace<N>::acceptable(const ContactMeasure& m) const {
  if (m.residual <= options.acceptable && m.violation() <= 1e3 * options.motion_tolerance) {
    return true;
  }
  return options.gap_suffices && m.violation() <= options.motion_tolerance &&
         gaps_are_closed(m, loose_gap_residual);
}

template struct SolverWorkspace<3>;
template struct SolverWorkspace<6>;

}  // namespace saltus::nonsmooth
