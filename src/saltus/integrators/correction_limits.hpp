// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/correction.hpp"

// The tolerances that the corrections of positions and velocities share.
namespace saltus {

/// Joints are projected to this fraction of the characteristic length.
inline constexpr double position_tolerance = 1e-13;

/// And their velocities to this fraction of the largest speed.
inline constexpr double velocity_tolerance = 1e-14;

/// Gaps of closed contacts, and slips of sticking ones, as a fraction of the length.
inline constexpr double gap_tolerance = 1e-11;

/// A gap or slip below this that no longer falls is round-off, or what redundant contacts leave.
inline constexpr double gap_round_off = 1e-10;

/// How much larger both may be, where many contacts depend on each other, and in piles of hundreds:
/// there a few digits are all that can be found with friction.
inline constexpr double gap_slack_of_many = 500, gap_slack_of_piles = 2.5e5;
using nonsmooth::many_contacts;

/// And how much more than that sticking contacts may slip there; it is taken back in the next step.
inline constexpr double slip_slack_of_piles = 3;

/// Deeper penetrations in piles, as a fraction of the length, are removed without friction.
inline constexpr double penetration_of_piles = 5e-7;

/// Approach at velocity level in piles, as a fraction of the speeds.
inline constexpr double approach_in_piles = 4e-4;

/// Where many contacts are jammed, no correction closes all gaps and slips: below these fractions
/// of the length, what no longer falls is left to the next step.
inline constexpr double jammed_gap = 8e-7, jammed_slip = 1e-5;

/// A contact with a smaller gap, as a fraction of the length, is closed for the velocities.
inline constexpr double closed_gap = 1e-9;

/// A violation below this that no longer falls is accepted: round-off of a long mechanism or of a
/// nearly singular position, or redundant joints that fit each other to so many digits only.
inline constexpr double round_off = 1e-7;

/// The corrections' own balance needs no more accuracy: they are small.
inline constexpr double balance_tolerance = 1e-6;

/// A contact sticks if its friction is below the bound by this fraction.
inline constexpr double status_margin = 1e-10;

/// Whether a violation that round-off may explain no longer falls; a tiny one may end sooner.
bool has_stalled(int iteration, double violation, double previous, double scale);

/// Whether the residual r of a correction is small against its inertia and constraint terms.
bool is_balanced(const System& system, const VectorX& r, const VectorX& inertia,
                 const VectorX& reaction);

/// Contact laws at velocity level hold to this fraction of the speeds, and slower slips are none.
inline constexpr double contact_velocity_tolerance = 1e-9;

/// The solver's options for positions: `far` is the largest coordinate.
nonsmooth::SolverOptions position_solver_options(const ContactSolverOptions& options, double length,
                                                 double far);

/// And for velocities; `speed` is their scale.
nonsmooth::SolverOptions velocity_solver_options(const ContactSolverOptions& options, double speed);

}  // namespace saltus
