// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/solver_workspace.hpp"

#include <algorithm>

#include "saltus/core/interruption.hpp"

namespace saltus::nonsmooth {
namespace {

// Gaps and slips within the tolerance, reactions only where there is contact.
bool gaps_are_closed(const ContactMeasure& m, double residual) {
  return m.tension <= residual && m.residual <= residual;
}

}  // namespace

bool is_solved(const ContactMeasure& m, const SolverOptions& options, double gap_residual,
               double slip_slack) {
  const double slip = slip_slack * options.motion_tolerance;
  if (m.approach > options.motion_tolerance || m.stick_slip > slip) return false;
  return m.residual <= options.tolerance ||
         (options.gap_suffices && gaps_are_closed(m, gap_residual));
}

// Where contacts and joints contradict each other, reactions grow from iterate to iterate and the
// contacts do not close: neither is such an iterate the best one, whatever its residual relative to
// ‖l‖, nor is it worth going on if the growth did not bring the contacts nearer either.
template <int N>
ContactMeasure SolverWorkspace<N>::record() {
  poll_interruption();
  D.motion(l, u);
  const ContactMeasure m = measure<N>(D, l, u, options.motion_tolerance, options.noise);
  const bool grown = m.growth > Acceptance::growth_limit * length &&
                     m.violation() > Acceptance::open_violation * options.motion_tolerance;
  if (grown && m.violation() >= Acceptance::no_progress * best.violation()) diverged = true;
  if (m.error < best.error && (!grown || solved(m))) {
    best = m;
    best_l = l;
  }
  if (!is_ambiguous && l.size() > many_contacts) compare_reactions(m);
  return m;
}

template <int N>
bool SolverWorkspace<N>::moves_well(const ContactMeasure& m) const {
  return m.residual <= Acceptance::pile_residual && m.approach <= options.pile_tolerance &&
         m.stick_slip <= Acceptance::pile_slip * options.pile_tolerance;
}

// Two iterates that both move the contacts as is asked for, in the same way, and whose reactions
// differ: what distinguishes them has no effect that could be seen.
template <int N>
void SolverWorkspace<N>::compare_reactions(const ContactMeasure& m) {
  if (!moves_well(m)) return;
  if (witness_l.empty()) {
    witness_l = l;
    witness_u = u;
    return;
  }
  double difference = 0, size = 0, motion = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (!D.movable(c)) continue;
    difference += (l[c] - witness_l[c]).squaredNorm() / D.rho(c);
    size += witness_l[c].squaredNorm() / D.rho(c);
    motion = std::max(motion, (u[c] - witness_u[c]).norm());
  }
  is_ambiguous = motion <= options.pile_tolerance &&
                 difference > Acceptance::ambiguous * Acceptance::ambiguous * size;
}

template <int N>
void SolverWorkspace<N>::restore_best() {
  l = best_l;
  D.motion(l, u);
}

template <int N>
bool SolverWorkspace<N>::solved(const ContactMeasure& m) const {
  return is_solved(m, options, gap_residual, slip_slack);
}

// Positions: closed gaps are what the step needs, directions of sliding matter less there, for
// velocities have their own problem. Velocities: motions of some tolerances are corrected by the
// next step, a wrong residual is wrong friction.
template <int N>
bool SolverWorkspace<N>::acceptable(const ContactMeasure& m) const {
  if (m.residual <= options.acceptable &&
      m.violation() <= Acceptance::acceptable_motion * options.motion_tolerance) {
    return true;
  }
  return closes_gaps(m);
}

template <int N>
bool SolverWorkspace<N>::closes_gaps(const ContactMeasure& m) const {
  return options.gap_suffices && m.violation() <= options.motion_tolerance &&
         gaps_are_closed(m, Acceptance::loose_gap_residual);
}

template <int N>
bool SolverWorkspace<N>::is_enough(const ContactMeasure& m) const {
  const double tolerance = options.motion_tolerance;
  if (!is_pile) {
    return options.gap_suffices && l.size() > many_contacts &&
           m.residual <= Acceptance::pile_residual &&
           m.approach <= Acceptance::jammed_gap * tolerance &&
           m.stick_slip <= Acceptance::pile_slip * Acceptance::jammed_gap * tolerance;
  }
  const double slack = options.accuracy == Accuracy::Fast ? Acceptance::fast_residual : 1;
  const double gaps = options.gap_suffices ? Acceptance::coarse_pile : 1;
  return m.residual <= gaps * slack * Acceptance::pile_residual &&
         m.violation() <= Acceptance::pile_violation * tolerance;
}

template struct SolverWorkspace<3>;
template struct SolverWorkspace<6>;

}  // namespace saltus::nonsmooth
