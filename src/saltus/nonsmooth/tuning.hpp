// SPDX-License-Identifier: Apache-2.0
/// Numbers of the contact solvers that were tuned, not derived: budgets, thresholds, factors. All
/// are without unit unless one is named. What a user sets is in SolverOptions; which of these
/// numbers results depend on is measured in docs/theory/constants.md.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>

namespace saltus::nonsmooth {

/// How long each method is tried, ContactEngine. A sweep costs a hundredth of a Newton iteration.
struct Budget {
  // Sweeps of Gauss–Seidel and iterations of ADMM.
  static constexpr int first_sweeps = 30;   ///< before Newton's method: enough for stacks
  static constexpr int many_sweeps = 1000;  ///< the same where there are many contacts
  static constexpr int all_sweeps = 5000;   ///< where nothing else has converged
  static constexpr int accelerated_sweeps = 3000;
  static constexpr int pile_sweeps = 500;            ///< velocities of a pile: each time a part of
                                                     ///< the run's time
  static constexpr int pile_position_sweeps = 1000;  ///< its gaps, which are to close
  static constexpr int admm_iterations = 2000;
  static constexpr int pile_admm_iterations = 500;
  static constexpr int first_iterations = 50;  ///< of ADMM, where sweeps are out

  // After so many sweeps the residual is looked at, which costs about one sweep.
  static constexpr int usual_interval = 10;
  static constexpr int pile_interval = 20;

  // Newton iterations.
  static constexpr int polishing_iterations = 12;  ///< where the solution is acceptable already
  static constexpr int newton_trial = 30;          ///< where there are many contacts
  static constexpr int implicit_newton = 60;       ///< where sweeps are out
  /// Contacts up to which a trial is made in piles: beyond, one factorisation costs more than all
  /// sweeps.
  static constexpr std::size_t largest_newton_pile = 2000;
  static constexpr int rounds_of_many = 3;  ///< of all methods in turn

  // Factorisations of path following: of all its starts, and where it is a trial in a step.
  static constexpr int path_factorisations = 1000, path_trial = 600;
  static constexpr std::size_t largest_path = 600;  ///< contacts, `high`

  // Calls without a trial after failures; doubled each time up to this.
  static constexpr int longest_pause = 255;  ///< in piles, which stay jammed for long
  static constexpr int longest_pause_of_many = 15;
};

/// When problems change their character, and what is then accepted of them, ContactEngine and
/// SolverWorkspace.
struct Acceptance {
  static constexpr std::size_t large_island = 300;  ///< contacts from which sweeps crawl: a pile
  static constexpr double large_spread =
      100;  ///< ratio of masses from which sweeps hardly converge
  /// Residual of a start from which Newton's method converges at once.
  static constexpr double near_residual = 1e-4;

  // Round-off adds up along chains of contacts.
  static constexpr double few_contacts = 8;  ///< up to which the tolerances are taken as given
  static constexpr double chain_factor =
      20;  ///< growth of `tolerance` with contacts / few_contacts
  static constexpr double usual_tolerance = 1e-12;  ///< with which motion_tolerance goes

  // What is aimed for, as a part of what is accepted: not every call may end at the limit.
  static constexpr double margin = 0.3;
  static constexpr double pile_margin = 0.8;  ///< where sweeps get no further

  // Residuals of directions of sliding that are enough beside closed gaps (position level).
  static constexpr double strict_gap_residual = 1e-10;
  static constexpr double loose_gap_residual = 1e-4;  ///< if nothing gets further
  static constexpr double pile_gap_residual = 3e-4;   ///< gaps matter in piles, not directions

  static constexpr double pile_residual = 1e-4;  ///< of a pile, or where many are jammed
  /// With `fast`: times pile_residual.
  static constexpr double fast_residual = 10;
  /// Times pile_residual: what gaps of a pile may leave, and what calls for ADMM.
  static constexpr double coarse_pile = 10;
  static constexpr double pile_slip = 3;        ///< slip of sticking contacts, over the approach
  static constexpr double jammed_gap = 100;     ///< times motion_tolerance: in a jam
  static constexpr double many_gap = 100;       ///< times motion_tolerance: of many contacts
  static constexpr double pile_violation = 10;  ///< times pile_tolerance: in a pile

  // A linearisation that is renewed is solved to this part of its first violation, and to no more
  // than so many tolerances.
  static constexpr double rough_part = 1e-2;
  static constexpr double most_rough = 100;

  /// Motions of an acceptable solution, times motion_tolerance: velocities that are soon corrected.
  static constexpr double acceptable_motion = 1e3;

  // Reactions that grow without closing the contacts: the problem has no solution.
  static constexpr double growth_limit = 1e3;   ///< relative to those of lone contacts
  static constexpr double open_violation = 10;  ///< times motion_tolerance: contacts are not closed
  static constexpr double no_progress = 0.1;    ///< of the best violation: growth brought nothing
  static constexpr double lost = 1e5;           ///< growth at which proximal Newton gives up
  static constexpr double overflow = 1e10;      ///< growth at which sweeps and ADMM give up

  /// Difference of reactions, over their size, that do the same: then they are not unique.
  static constexpr double ambiguous = 0.02;

  /// l_N over ρ u_N below which a contact that opens has no reaction: what is left is round-off.
  static constexpr double open_reaction = 1e-6;
};

/// Semi-smooth Newton and the proximal method of multipliers, newton.cpp.
struct NewtonTuning {
  // The proximal term δ, relative to 1/ρ: smaller while Newton's method converges.
  static constexpr double shrink = 10;
  static constexpr double quick_shrink = 100;  ///< after so few iterations:
  static constexpr int quick_iterations = 2;
  static constexpr double grow = 3;  ///< after a failure
  static constexpr double smallest_delta = 1e-9, largest_delta = 1e2;
  // The first δ is smaller near the solution: times `nearness` · residual, within these bounds.
  static constexpr double nearness = 1e2;
  static constexpr double nearest = 1e-5, farthest = 1;

  static constexpr double other_penalty = 1;      ///< in turn with the given one after a failure
  static constexpr double least_mobility = 1e-6;  ///< of a ball, over that of the normal: bounds
                                                  ///< its penalty

  // Ends.
  static constexpr int max_proximal_steps = 60;
  static constexpr int max_inner_iterations = 25;
  static constexpr int max_without_decrease = 10;  ///< iterations that do not halve the merit
  static constexpr int stalled_steps = 12;         ///< proximal steps that do not halve the error
  static constexpr int stalled_acceptable_steps = 3;  ///< the same where it is acceptable already
  static constexpr int stalled_closed_steps = 1;  ///< and where the gaps of positions are closed
  static constexpr double inner_margin = 0.05;    ///< merit over the tolerance of the solution
  static constexpr double inner_progress = 1e-3;  ///< merit over the residual before: inexact

  // Line search: non-monotone (Grippo, Lampariello, Lucidi), by halving.
  static constexpr std::size_t line_search_memory = 6;
  static constexpr double smallest_step = 1.0 / 128;
  static constexpr double sufficient_decrease = 1e-3;
};

/// Sweeps and their acceleration, gauss_seidel.cpp and anderson.cpp.
struct SweepTuning {
  static constexpr double far_residual = 0.1;  ///< above it a rate of convergence says nothing

  /// Residual below which floats, with seven digits, no longer carry the sweeps.
  static constexpr double float_residual = 1e-5;
  static constexpr int anderson_depth = 5;  ///< differences that are kept
  /// Sweeps in which the residual must fall by this factor.
  static constexpr int patience = 500;
  static constexpr double progress = 0.9;
  static constexpr double anderson_growth = 2;              ///< of ‖f‖ that is put up with
  static constexpr double anderson_regularisation = 1e-12;  ///< of the normal equations
};

/// Alternating directions, admm.cpp.
struct AdmmTuning {
  static constexpr double admm_relaxation = 1.6;  ///< 1.5 to 1.8 is usual (Boyd and others 2011)
  static constexpr int check_interval = 10;       ///< iterations
  // The penalty balances the two errors; each change costs a factorisation.
  static constexpr int adaptation_interval = 50, last_adaptation = 400;
  static constexpr double balanced = 5;          ///< ratio of the errors that is left alone
  static constexpr double most_adaptation = 10;  ///< factor of one change
};

/// Interior points and the path of their barrier, path_following.cpp and polish.cpp; as in study A
/// of the module's README, but for what is said.
struct PathTuning {
  /// Residuals at which the path is joined, one after the other if the way from there fails: which
  /// way does depends on the start.
  static constexpr double starts[] = {5e-2, 2e-3, 1e-2, 0.15};
  static constexpr int factorisations = 250;  ///< of one start; half of them are enough for most

  // To the path: aims at this part of the barrier, with steps that keep to a neighbourhood.
  static constexpr double descent = 0.3;
  static constexpr double descent_part = 0.9, shortening = 0.8, shortest_descent = 1e-3;
  static constexpr double neighbourhood = 0.01;  ///< least √(det L det Z) over the mean product
  static constexpr int descent_iterations = 60;

  // Along it: arcs, in the metric in which Δ log m of one is about one.
  static constexpr double first_arc = 0.5, shortest_arc = 1e-6;
  static constexpr double longer_arc = 2, careful_arc = 0.6, shorter_arc = 0.35;
  static constexpr int few_corrections = 2, many_corrections = 5, corrections = 8;
  static constexpr int first_corrections = 30;  ///< to the path's first point
  static constexpr double predictor_part = 0.5, corrector_part = 0.8;  ///< of the way to the cones
  static constexpr double shortest_correction = 0.05;
  static constexpr double centrality = 0.3;      ///< of products, over m
  static constexpr double residual_part = 0.03;  ///< of the other residuals, over √m
  static constexpr double last_barrier = 1e-13;  ///< over the mean of ‖L‖²

  // Polish.
  static constexpr double first_penalty = 1e3, penalty_growth = 10, last_penalty = 1e7;
  static constexpr int polishing = 40;          ///< factorisations
  static constexpr int polish_iterations = 12;  ///< of one proximal step
  static constexpr double polish_accuracy = 1e-13;
  static constexpr double shortest_polish = 1e-3;
};

/// One contact alone, one_contact.cpp.
struct OneContactTuning {
  static constexpr double singular_mobility = 1e-9;  ///< of the tangential motion, relative to tr D
  static constexpr double local_proximal = 1e-8;     ///< added to it then, relative to tr D
  static constexpr double same_mobility = 2e-15;     ///< deviation from isotropy, relative to tr D
  static constexpr int max_root_iterations = 100;
  static constexpr double root_accuracy = 2e-16;  ///< round-off
  static constexpr double farthest_guess = 1e6;   ///< of the root, over the mobility
  static constexpr double bracket_growth = 8;     ///< while there is no upper bound of the root
  static constexpr int max_passes = 2;  ///< over the balls of a contact; more save no sweeps
  static constexpr double same_square = 1e-24;  ///< ‖change‖² / ‖l‖² that ends the passes
};

/// What counts as round-off, contact_measure.cpp and contact_operator.cpp.
struct RoundOff {
  /// An error below this many units in the terms of the natural map is none.
  static constexpr double natural_map = 16 * std::numeric_limits<double>::epsilon();
  // A ball sticks strictly if it is further inside its bound than this part of the bound, this part
  // of ‖l‖, and twice the error.
  static constexpr double strictly_inside = 1e-8;
  static constexpr double reaction = 1e-11;
  static constexpr double error_factor = 2;
  /// Below this part of the mobility that it would have with free unknowns, a contact cannot move.
  static constexpr double immovable = 1e-11;
  /// The mobility that the friction of a joint has where its motion is given, as a part of what it
  /// would have with free unknowns.
  static constexpr double given_motion = 1e-9;
};

/// Forms of matrices that are quickest; results differ in the last digits only.
struct FormTuning {
  // Rows up to which the full matrix is quicker than the sparse one.
  static constexpr int full_local = 24, full_global = 240;
  /// Rows above which D of joined or flexible bodies is not formed: 26 MB, and as many back-solves.
  static constexpr int largest_full = 1800;
  static constexpr double singular_pivot = 1e-13;      ///< relative; the matrix is scaled
  static constexpr Eigen::Index panel = 32;            ///< columns of a panel of the full LU
  static constexpr std::size_t contacts_at_once = 16;  ///< in back-solves
  /// What D_cc of a sphere may differ from diag(D_NN, d, d) by, relative to its trace: then sweeps
  /// take the closed form.
  static constexpr double nearly_diagonal = 1e-2;
};

/// Least forces in cones, least_forces.cpp; matrix and right side are of the order of one.
struct LeastForcesTuning {
  /// δ: far above round-off of A Aᵀ, and small enough that a round gains several digits.
  static constexpr double proximal = 1e-7;
  /// And where forces are at the limit of what cones can exert: there y is some 10⁶. It is tried if
  /// what is left of the balance is no more than the second.
  static constexpr double smallest_proximal = 1e-10, near_balance = 1e-4;
  /// No better balance is asked for: round-off.
  static constexpr double best_balance = 1e-13;
  static constexpr int most_iterations = 60;
  /// Armijo's rule, and where it gives up: the function no longer grows but by round-off.
  static constexpr double sufficient_growth = 1e-4, shortest_step = 1e-10;
  /// Rounds with a renewed proximal term; one that gains less than this factor is the last: there
  /// are no such forces.
  static constexpr int most_rounds = 20;
  static constexpr double stalled_round = 0.3;
  /// What part of the allowed error is aimed at.
  static constexpr double aimed_share = 0.01;
};

}  // namespace saltus::nonsmooth
