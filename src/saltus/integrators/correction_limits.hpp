// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/tuning.hpp"

// When the corrections of positions and velocities have converged, as far as they share it.
namespace saltus {

using nonsmooth::many_contacts;

/// Whether a violation that round-off may explain no longer falls. Newton's method squares it, so
/// one that falls by less than half is at the end of its digits; a tiny one may end an iteration
/// sooner, for even a small gain would be round-off.
bool has_stalled(int iteration, double violation, double previous, double scale);

/// Whether a step of Newton's method is no more than what joints that have stalled make of it. They
/// are met by no step, so that each moves the bodies and leaves something of the balance: by about
/// the violation, or, near singular positions, by up to its root.
/// @param move, previous_move  of the last step and the one before, as the violation
bool is_moved_by_joints(double violation, double move, double previous_move, double scale);

/// What gaps are compared with, m: the size of an island, or, where it is small and far from the
/// origin, what makes the tolerance of gaps the round-off of its coordinates.
double reach(double length, double far);

/// The solver's options for positions: `far` is the largest coordinate.
nonsmooth::SolverOptions position_solver_options(const ContactSolverOptions& options, double length,
                                                 double far);

/// And for velocities; `speed` is their scale.
nonsmooth::SolverOptions velocity_solver_options(const ContactSolverOptions& options, double speed);

/// Of components whether their islands are meant; empty if none is: of singular equations it is not
/// known whose they are.
template <class IsMeant>
std::vector<char> components_of(const System& system, const Islands& islands, IsMeant is_meant) {
  std::vector<char> meant(system.components().size(), 0);
  for (std::size_t c = 0; c < meant.size(); ++c) {
    meant[c] = is_meant(islands.of_component(static_cast<int>(c))) ? 1 : 0;
  }
  if (std::ranges::find(meant, 1) == meant.end()) meant.clear();
  return meant;
}

}  // namespace saltus
