// SPDX-License-Identifier: Apache-2.0
#pragma once

// The numbers of this module that were tuned, not derived, a struct for each part, no name twice.
// All are without unit unless one is named; "of L" is a fraction of the mechanism's characteristic
// length, "of the speed" one of the scale of velocities (generalized_alpha.md, eq. 12). What a user
// sets is in model/options.hpp. Which of these numbers results depend on: docs/theory/constants.md.
namespace saltus {

/// What residuals are compared with, residual_scale.cpp.
struct ScaleTuning {
  /// Moments are forces times arms: where one kind vanishes, round-off of the other is left. With
  /// the default tolerance of 1e-10 this allows a moment residual of 1e-14 × force × length.
  static constexpr double cross_share = 1e-4;
  /// Positions are known to about this of L, so speeds to this over h.
  static constexpr double position_round_off = 1e-15;
};

/// Newton's method of the smooth motion, smooth_motion.cpp, and what it shares with the others.
struct SmoothTuning {
  /// No Newton step turns a node by more, rad: T(ψ) and its inverse are then near the identity and
  /// the linearisation is worth something. Longer steps are shortened as a whole.
  static constexpr double rotation_cap = 0.1;
  /// Steps whose lengths differ by less, of the step, are of one length: times are sums and
  /// products of h, and a part of force differences as small as this is nothing.
  static constexpr double alike_steps = 1e-6;
  /// Behind a step shorter by more than this the method begins anew with the acceleration: what
  /// pseudo-accelerations differ from it is round-off there, and would be stretched with them.
  static constexpr double most_stretched = 10;
  /// After a Newton step smaller than this, of the speed or the length, the matrix is that of the
  /// next iteration as well: what it changes by leaves as little of what is missing.
  static constexpr double same_matrix = 1e-6;
  /// And once more while steps with it shrink to less than this.
  static constexpr double same_matrix_shrinks = 1e-2;
  /// A Newton step smaller than this of the speed ends the iteration if the residual may be
  /// round-off of stiff elements: a hundred times smaller would be round-off of the step itself.
  static constexpr double smallest_step = 1e-11;
  /// A few units in the last place of a position: times the stiffness, the residual that no
  /// iteration can remove.
  static constexpr double position_rounding = 1e-15;
  /// What a residual may be at most, relative to forces and momentum/h, to count as round-off.
  static constexpr double round_off_share = 1e-6;
  /// A rate of joints that falls by less than this factor in an iteration no longer falls: Newton's
  /// method would have squared it.
  static constexpr double stalled_rate = 0.5;
  /// The coupled scheme repeats its three parts at most so often: it converges by a factor of
  /// κ/(1 + κ) (nonsmooth_generalized_alpha.md, section 4), which for κ = 20 needs as many.
  static constexpr int most_coupled_iterations = 500;
};

/// What joints carry at the end of a step, nonsmooth_alpha.cpp.
struct CarriedTuning {
  /// Rates of three steps are those of a smooth function if they bend by less than this of the
  /// largest, and less and less so up to twice as much: a sine of 20 steps bends by 0.1, a jump by
  /// 1, an oscillation from step to step by 4.
  static constexpr double smooth_bend = 0.35;
  /// Where they are not, a rate counts up to so many times the one before.
  static constexpr double growth = 3;
};

/// Bodies that lie still, sleeping_scene.cpp.
struct SleepTuning {
  /// A body rests that has not moved or turned by more than this, of its size and of 1 rad, for so
  /// many steps. What sticks creeps by less, and back; a slide that is slower would not be seen in
  /// results: it is left out, and in ten thousand steps that is 2e-10 of the size.
  static constexpr double still = 1e-12;
  static constexpr int steps = 50;
};

/// Accelerations after an impact, after_impact.cpp.
struct AfterImpactTuning {
  /// Solves; each leaves about the regularisation of joints, 1e-10 or 1e-5, of what was wrong.
  static constexpr int rounds = 3;
  /// Oscillations below this of their beginning are no longer taken out of joint forces: 42 steps
  /// at ρ∞ = 0.8, and less than the method is wrong by itself.
  static constexpr double faded = 1e-4;
  /// In the first step after an impact contacts that stay closed are new to the method, and its
  /// mean is off by O(h): not for the row after it.
  static constexpr int rows_found = 1;
  /// Of a force of dampers that jumps the mean over that step has half of the time before, those
  /// over the steps k after it 0.06 · 2⁻ᵏ at ρ∞ = 0.8: below 1e-4 then, 1e-3 at any other ρ∞.
  static constexpr int rows_of_jumps = 10;
  /// What dampers may change of the velocities in a step, of what an impact changed: c h/m. Beyond
  /// it a motion that begins with their new forces would swing over.
  static constexpr double resolved_damping = 0.5;
};

/// Breaks of functions of time at the end of a step, time_breaks.cpp.
struct StepEndTuning {
  /// A break so little behind the end of a step, of its length and of the time, is at its end: a
  /// multiple of h and the time in a table are the same number but for round-off.
  static constexpr double reach = 1e-9;
  static constexpr double rounding = 2e-15;
  /// A load that changes by no more than this of its size at a break only kinks there.
  static constexpr double continuous = 1e-9;
  /// So many breaks of a drive or load within so many steps on both sides are those of sampled
  /// values, one in two steps or more; a ramp or a pulse has fewer.
  static constexpr int samples = 4;
  static constexpr double sampled = 4;
};

/// When joints hold and corrections balance, correction_limits.cpp.
struct CorrectionTuning {
  /// Joints are projected to this of L: a hundred times the round-off of coordinates.
  static constexpr double joint_position_tolerance = 1e-13;
  /// And their velocities to this of the speed: linear, so one digit less is lost.
  static constexpr double joint_velocity_tolerance = 1e-14;
  /// A violation below this that no longer falls is accepted: round-off of a long mechanism or of
  /// a nearly singular position, where it is the root of the machine's, or redundant joints that
  /// fit each other to so many digits only.
  static constexpr double joint_round_off = 1e-7;
  /// A violation that falls by less than this factor in an iteration has stalled, for Newton's
  /// method squares it; below the tiny part of joint_round_off the other factor is enough, an
  /// iteration earlier.
  static constexpr double stalled_violation = 0.5;
  static constexpr double tiny_part = 1e-4, stalled_tiny_violation = 0.1;
  /// Joints that cannot be met move the bodies in every iteration by about their violation: a step
  /// of Newton's method up to so many times it has nothing else left to do.
  static constexpr double pull_of_joints = 10;
  /// The corrections' own balance needs no more accuracy: U and W are of third order in h without
  /// contacts, and what is left goes into the next step.
  static constexpr double balance_tolerance = 1e-6;
  /// As ScaleTuning::cross_share, for this balance.
  static constexpr double balance_cross_share = 1e-6;
  /// Round-off of a length or speed: two units in its last place.
  static constexpr double rounding = 4e-16;
  /// Far from the origin joints and gaps are known to these of the largest coordinate: some ten
  /// units in the last place of differences of positions that were turned.
  static constexpr double far_joint = 2e-15, far_gap = 4e-15;
};

/// Bounds of friction in joints (constrained_dynamics.md, section 6).
struct JointLoadTuning {
  /// Bounds that change by less, relative to the largest, have settled: round-off of reactions.
  static constexpr double settled = 1e-12;
  /// After so many rounds the acceleration begins anew.
  static constexpr int rounds_of_memory = 15;
  /// A difference of which less is new says nothing.
  static constexpr double dependent = 1e-10;
};

/// Which points may close and how they are looked at, contact_set.cpp.
struct ContactTuning {
  /// A point may close if its gap at q̃ is below this times h (|v_A| + |v_B|): so far other
  /// reactions may push it back. Too much costs time only. (frictional_contact.md, eq. 12)
  static constexpr double forecast = 0.5;
  /// And in any case below this of L: points at rest stay in the list.
  static constexpr double nearby = 1e-6;
  /// Approach velocities below this of the speed are rest: a contact at rest must not bounce from
  /// its round-off (frictional_contact.md, after eq. 16).
  static constexpr double approach_threshold = 1e-6;
  /// From this coefficient of friction on a loaded contact is held when an impact begins; smaller
  /// ones hold in proportion, so that nothing jumps as friction vanishes.
  static constexpr double holding_friction = 0.01;
  /// Cosine of the angle up to which two normals are on the same side of a hollow body.
  static constexpr double same_side = 0.5;
  /// A point deeper behind a bounded face than this of L came from beside it: contacts hold gaps a
  /// thousand times better.
  static constexpr double behind_face = 1e-6;
};

/// When the contacts of the position correction are met, position_contacts.cpp. Lengths are
/// fractions of L. The reasons of the four rules are at PositionCorrection::are_contacts_met.
struct PositionTuning {
  /// Gaps of closed contacts, and slips of sticking ones: a hundred times below closed_gap, so that
  /// what was closed here is closed for the velocities.
  static constexpr double gap_tolerance = 1e-11;
  /// A gap or slip below this that no longer falls is round-off, or what redundant contacts leave.
  static constexpr double gap_round_off = 1e-10;
  /// A contact with a smaller gap is closed for the velocities
  /// (nonsmooth_generalized_alpha.md, eq. 13): round-off does not let it go.
  static constexpr double closed_gap = 1e-9;
  /// In an iteration without contacts that change, Newton's method gains more than the first
  /// factor; with contacts that change, more than the second.
  static constexpr double stalled_round_off = 0.1, stalled_gap = 0.5;
  /// Iterations after which Newton's method has done what it can.
  static constexpr int late_iteration = 5;
  /// How much larger both tolerances may be where many contacts depend on each other, and in piles
  /// of hundreds: there a few digits are all that can be found with friction.
  static constexpr double gap_slack_of_many = 500, gap_slack_of_piles = 2.5e5;
  /// Times those of piles, with the accuracy `fast`; penetrations are removed as with the others.
  static constexpr double fast_slack = 10;
  /// And how much more than that sticking contacts may slip there; it is taken back in the next
  /// step (creep).
  static constexpr double slip_slack_of_piles = 3;
  /// How much of the tolerances the contact solver may use: the rest is for what is not linear.
  static constexpr double solver_share = 0.1, solver_share_of_piles = 0.8;
  /// Deeper penetrations in piles are removed without friction; and what part of it is aimed at.
  static constexpr double penetration_of_piles = 5e-7, share_of_push = 0.5;
  /// Each is a linearisation and a solve of a pile.
  static constexpr int most_pushes = 3;
  /// Where many contacts are jammed, no correction closes all gaps and slips: what is below these
  /// and no longer falls is left to the next step. Slips may be larger: they lift no energy.
  static constexpr double jammed_gap = 8e-7, jammed_slip = 1e-5;
  /// And gaps of a pile up to this times what it is allowed.
  static constexpr double jammed_factor = 5;
  /// How much more than allowed is round-off.
  static constexpr double round_off_factor = 2;
  /// The option `tolerance` with which gap_tolerance goes; larger ones allow more, by the root.
  static constexpr double usual_tolerance = 1e-10;
  /// A contact sticks if its friction is below the bound by this fraction: reactions that are
  /// solved to round-off of far positions know no more. Or by a multiple of the solver's residual,
  /// but not by more than a tenth.
  static constexpr double stick_margin = 1e-6, margin_over_residual = 100, largest_margin = 0.1;
  /// A Newton step smaller than this moves nothing: what is left of the balance is round-off of
  /// stiff elements.
  static constexpr double settled_position = 1e-14;
  /// Where iterations are at an end, gaps and slips of free bodies below this, over the size, are
  /// left as they are: a hundred times below what contacts are promised to hold.
  static constexpr double last_resort = 1e-8;
  /// Curvatures of hollow contacts smaller than this, over a body's mass, cost no iterations.
  static constexpr double light_curvature = 0.05;
};

/// Contact laws at velocity level, velocity_correction.cpp and step_ledger.cpp.
struct VelocityTuning {
  /// They hold to this of the speed, and slower slips are none.
  static constexpr double contact_velocity_tolerance = 1e-9;
  /// Approach in piles, of the speed: a few digits, as for their gaps.
  static constexpr double approach_in_piles = 4e-4;
  /// Times that, with the accuracy `fast`.
  static constexpr double fast_approach = 10;
  /// A Newton step smaller than this of the speed changes nothing: what is left of the balance is
  /// round-off of stiff dampers.
  static constexpr double settled_velocity = 1e-12;
  /// Work of contacts in a step, over the kinetic energy, from which reactions along the mean of
  /// their rows are an error (nonsmooth_generalized_alpha.md, section 7): the third order of an
  /// angle of a tenth.
  static constexpr double turning_gain = 1e-3;
  /// A contact is said to stick if its friction is below the bound by this fraction.
  static constexpr double status_margin = 1e-10;
  /// Determinant of an inertia tensor, over the cube of its mean, below which a body is a line.
  static constexpr double thin_body = 1e-9;
};

/// Impulses and impacts, contact_impulses.cpp and step_ledger.cpp.
struct ImpulseTuning {
  /// A contact problem that no method solves further is not accepted; and one of many contacts.
  static constexpr double worst_residual = 1e-5, worst_residual_of_many = 1e-3;
  /// From this restitution on several impacts are a sequence; with less they are solved at once in
  /// part, so that nothing jumps as it vanishes.
  static constexpr double bouncing = 0.01;
  /// In a sequence, contacts that approach slower than this part of the fastest impact of the step
  /// do not bounce any more. The energy of such approaches is the square of it.
  static constexpr double slowest_impact = 1e-6;
  /// A sequence that has not ended then is cut off: what still approaches does so no longer. Long
  /// chains need one problem a ball and a few passes.
  static constexpr int longest_sequence = 500;
  /// A gain of energy below this fraction of the terms it is the difference of is round-off.
  static constexpr double negligible_gain = 1e-9;
  /// Attempts to find the largest restitution that wins no energy: where no contact changes its
  /// status a few are enough, and each change costs some.
  static constexpr int most_reductions = 40;
  /// Energy won in an impact, over the kinetic energy before it, that is worth a warning.
  static constexpr double gain_of_impact = 1e-9;
};

/// moreau_jean.cpp.
struct MoreauJeanTuning {
  /// Contacts hold at velocity level only, so points sink in: those of a bounded face by this of L
  /// before they count as having passed beside it.
  static constexpr double sinks_in = 0.1;
  /// Newton's method ends where it moves nothing any more: steps below this of the speed, or below
  /// what round-off of positions (this of L) makes in a time step.
  static constexpr double settled_speed = 1e-12, newton_round_off = 4e-15;
};

/// Accelerations and projections between events, constrained_motion.cpp and
/// constrained_projection.cpp.
struct ConstrainedTuning {
  /// Rows that depend on the others to this fraction are redundant: far above round-off of S, far
  /// below what a mechanism of sane proportions has.
  static constexpr double redundant_row = 1e-9;
  /// Accelerations that redundant points may be left with, over their scale.
  static constexpr double acceleration_met = 1e-7;
  /// And those that forces in the cones may be left with: modes end as sharply.
  static constexpr double acceleration_in_cones = 1e-11;
  /// v_b: slips from rest take their own direction from this part of the speed of a fall over L,
  /// and have it alone from so many times that speed: what is left of the other is the inverse of
  /// its cube.
  static constexpr double begun_slip = 1e-5, own_way = 1e3;
  /// Normal forces that make no larger acceleration, over the scale, are none: some thousand times
  /// round-off.
  static constexpr double no_force = 1e-13;
  /// How far points move, of L, to find Ḣ v: the error of fourth order, 1e-15, and round-off,
  /// 1e-12, are both far below acceleration_met.
  static constexpr double difference_step = 2e-4;
  /// Static friction holds up to this fraction beyond its bound: round-off of the forces.
  static constexpr double cone_margin = 1e-12;
  /// Projections of positions, a Newton iteration each; they end at this of L, or where one does
  /// not halve the error.
  static constexpr int most_projections = 8;
  static constexpr double position_met = 1e-14, stalled_projection = 0.5;
  /// Rounds of the projection of velocities, which redundant joints need; it ends at this of the
  /// speed.
  static constexpr int most_refinements = 4;
  static constexpr double velocity_met = 1e-14;
};

/// Sticking, slipping, leaving, contact_modes.cpp.
struct ContactModeTuning {
  /// Accelerations below the first, over their scale, are none; or below a multiple of the residual
  /// of the laws, where that is larger, but not above the last.
  static constexpr double smallest_still = 1e-11, still_over_residual = 100, largest_still = 1e-6;
  /// From this multiple of accelerations that are none their direction is clear.
  static constexpr double clear_motion = 1e4;
  /// What moves along the surface at this part of the fastest point beside it moves.
  static constexpr double nearly_as_fast = 0.1;
  /// A slip that friction does not end soon is looked at again when it has this part of its speed.
  static constexpr double fades_again = 0.25;
  /// Rounds that take out what joints yield in the equations, and what is left of it, over the
  /// scale of accelerations: each leaves about ε (KktSolver) of it.
  static constexpr int most_refinements = 6;
  static constexpr double no_yielding = 1e-12;
  /// A residual of the contact laws that no solver improves and that still tells the modes.
  static constexpr double readable_residual = 1e-4;
};

/// Events and steps between them, event_driven.cpp, event_settling.cpp, impact_step.cpp.
struct EventTuning {
  /// A gap below minus this of L has closed: some thousand units in the last place of L.
  static constexpr double crossed_gap = 1e-12;
  /// Round-off of a coordinate, units in its last place.
  static constexpr double units_of_gap = 8;
  /// Points touch whose gap is below this many times what gaps are known to.
  static constexpr double touching = 10;
  /// Events are located to this part of a step and of the time, and gaps to this of L: the last
  /// digits.
  static constexpr double located = 1e-15, located_gap = 1e-15;
  /// Newton's corrections of the moment at which a gap closes: it is nearly linear there.
  static constexpr int most_corrections = 4;
  /// Slips slower than this, over the scale of speeds, are none.
  static constexpr double no_slip = 1e-8;
  /// The least scale of speeds: that of a fall over L times the first, and the second in L/s.
  static constexpr double part_of_a_fall = 1e-3, slowest_scale = 1e-6;
  /// Steps shorter than this part of the interval make no progress, and how many may follow each
  /// other.
  static constexpr double no_progress = 1e-11;
  static constexpr int most_stuck = 60;
  /// How many of them may before modes are kept for a while all the same, and for how long at the
  /// most, of the interval.
  static constexpr int patience = 6;
  static constexpr double longest_wait = 1e-4;
  /// The end of a step is moved by this part of it without doing the step again: the continuous
  /// extension has a wrong curvature there, which adds the square of this part of its error.
  static constexpr double short_stretch = 1e-3;
  /// Control of the step of a method of order 5: the usual factors, and powers of the error of a
  /// step and of the one before, which is taken to be at least the last.
  static constexpr double step_safety = 0.9, largest_growth = 5, smallest_growth = 0.2;
  static constexpr double error_now = 0.17, error_before = 0.04, least_error = 1e-4;
  /// How far a step goes on the way to the rest of a slip that turns, and from which part of that
  /// on the next one is shorter as what is left of the way is.
  static constexpr double part_to_rest = 0.7, part_of_rest = 0.02;
  static constexpr int most_rejections = 60;  ///< 0.2⁶⁰: nothing is left of the step
  /// A step that leads as far through the rest of an interval goes to its end.
  static constexpr double nearly_all = 0.999;
  /// Where in a step slips and edges are looked at: a slip that turns round and back again within a
  /// quarter of one is not seen.
  static constexpr double looks[] = {0.25, 0.5, 0.75, 1};
  /// Halvings of a step in search of a gap that closes: 2⁻⁵⁰ of it is round-off.
  static constexpr int most_divisions = 50;
  /// How much of a direction that turns about a joint's axis is in its plane at the least: steps
  /// have errors of 10⁻² at the most. And how far bodies with stops of angles may turn in a step,
  /// rad.
  static constexpr double in_plane = 0.9, farthest_turn = 2.5;
  /// Where in a step a point is looked at that is behind a surface but beside it.
  static constexpr int looks_from_behind = 16;
  /// How often loads are looked at in an interval, and second differences, over the largest value,
  /// from which on they bend: a sine does whose period is less than half an interval. Where more
  /// than this part of the interval is bent there is no pulse.
  static constexpr int looks_at_loads = 128;
  static constexpr double bend_of_load = 0.01, most_bent = 0.5;
  /// For messages: a load that grows by the last factor on the way from the second to the first,
  /// in the time or the interval, has a pole there.
  static constexpr double near_pole = 1e-12, before_pole = 1e-2, growth_to_pole = 1e3;
  /// Joints and contacts that cannot be met to this of L are lost: the run ends.
  static constexpr double lost_constraint = 1e-7;
  /// Rates of joints that the projection leaves, over the speed, and that are no round-off.
  static constexpr double lost_rate = 1e-9;
  /// Adaptive steps after which somebody may stop the run, and how many an interval may have.
  static constexpr int steps_unheard = 64, most_steps = 1000000;
  /// A change of an actuator's value in a step shorter than the second, over its largest value and
  /// over the interval, is a jump; how many of them an interval may have.
  static constexpr double jump_of_effort = 0.25, short_step = 1e-5;
  static constexpr int most_jumps = 1000;
  /// Rounds of impacts and modes at one moment, impulses against Painlevé's paradox there, and
  /// collisions in an interval: ends of what would not end.
  static constexpr int most_settlings = 50, most_shocks = 3, most_collisions = 20000;
  /// Points that an impulse against Painlevé's paradox acts on approach by twice this part of
  /// contact_speed: what it leaves of that they stay in contact with.
  static constexpr double shock_speed = 0.25;
  /// A point that joints hold has this of the mobility that its bodies would have without them:
  /// round-off.
  static constexpr double immovable = 1e-11;
  /// Such impulses in an interval: friction that jams and frees points again and again.
  static constexpr int most_jams = 100;
  /// How much of the way to an event a step goes that would not be accurate to its end.
  static constexpr double nearer = 0.75;
  /// Normals whose cosine differs from 1 by less are the same.
  static constexpr double parallel_normals = 1e-9;
  /// Parts of a scene that are kept as systems: some megabytes, and more than pairs of 60 balls.
  static constexpr int most_parts = 2000;
};

/// Static equilibrium, equilibrium.cpp (statics_and_modes.md, section 1).
struct StaticsTuning {
  static constexpr double longest_turn = 0.3;      ///< of a body in one iteration, rad
  static constexpr double slow_motion = 0.05;      ///< of L or rad, below which the shift falls
  static constexpr double parts_of_length = 10;    ///< the first step moves the fastest body by one
  static constexpr double smallest_shift = 1e-12;  ///< 1/s²: where nothing pulls
  /// The shift never vanishes: it also keeps the translations of the matrix away from zero where
  /// only joints hold them.
  static constexpr double smallest_share = 1e-5;
  static constexpr double joint_tolerance = 1e-12;  ///< of L
  static constexpr double smallest_motion = 1e-13;  ///< of L: a Newton step that ends the iteration
  /// What a compliant contact may go deeper in one iteration, besides twice as deep as it is, of
  /// the smaller radius; and how often a step is halved for that.
  static constexpr double deepest_step = 1e-3;
  static constexpr int most_halvings = 40;
};

/// Natural modes, modes.cpp (statics_and_modes.md, section 2).
struct ModalTuning {
  /// Up to this many velocities the dense solver is used: it finds everything, misses no mode, and
  /// takes less than a second.
  static constexpr int dense_limit = 400;
  /// Eigenvalues below this fraction of the largest, or of the shift, are rigid motions: round-off,
  /// shown as zero.
  static constexpr double rigid_fraction = 1e-13, rigid_part_of_shift = 1e-8;
  /// Joint equations that depend on the others to this are redundant.
  static constexpr double redundant_joint = 1e-9;
  /// The first shift, of the stiffest ω² or of the second, rad²/s², and the share of the lowest ω²
  /// that the Rayleigh quotient finds.
  static constexpr double first_shift = 1e-8, softest = 1e-12, shift_of_quotient = 0.1;
  /// Inverse iterations for that quotient.
  static constexpr int inverse_iterations = 6;
  /// Lanczos: restarts, and the accuracy of eigenvalues.
  static constexpr int most_restarts = 2000;
  static constexpr double lanczos_tolerance = 1e-12;
  /// Eigenvalues above this times the shift are motions that the joints hold.
  static constexpr double held_by_joints = 1e13;
};

}  // namespace saltus
