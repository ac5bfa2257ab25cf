// SPDX-License-Identifier: Apache-2.0
/// Numbers of the impacts that were chosen, not derived: what counts as round-off, how finely is
/// searched, when a rule gives way to a simpler one. All are without unit. What a caller sets is in
/// ImpactOptions; which of these numbers results depend on is measured in docs/theory/constants.md.
/// Numbers in brackets are equations of docs/theory/impact_events.md. Internal to impulse.
#pragma once

#include <cstddef>

namespace saltus::impulse {

/// The way of an event, impact_path.cpp and impact_path_steps.cpp (section 4). Speeds are relative
/// to the largest velocity, lengths to the impulse that changes velocities by themselves.
struct PathTuning {
  static constexpr double rest_speed = 1e-12;  ///< slower slip is rest
  /// The same along frozen directions, whose slip does not vanish exactly.
  static constexpr double frozen_rest_speed = 1e-7;
  /// A group that slips slowly comes to rest as a whole: the point next to its centre of rotation
  /// is always the slowest and waits for the others.
  static constexpr double slow_slip = 1e-6;
  static constexpr double no_speed = 1e-13;       ///< of a group that supports others
  static constexpr double no_rate = 1e-13;        ///< of works: at an extremum
  static constexpr double recovered = 1e-14;      ///< of what compression took, still missing
  static constexpr double straight_slip = 1e-12;  ///< turning that is none
  /// Normal mobility of a group that friction and joints hold, over that of its points: round-off.
  static constexpr double jammed = 1e-10;

  // Steps of turning slip, Dormand and Prince.
  static constexpr double first_step = 0.01;
  static constexpr double shortest_step = 1e-14;
  static constexpr double part_to_rest =
      0.5;                               ///< of the way on which the slowest slip could vanish
  static constexpr double safety = 0.9;  ///< of the next step for the wanted error
  static constexpr double order_exponent = 0.2;  ///< 1/5: the error grows with the fifth power
  static constexpr double most_growth = 4, least_growth = 0.1;  ///< of a step to the next
  static constexpr int most_attempts = 200;
  static constexpr double slow_slip_error = 0.01;  ///< relative: its direction matters
  /// Steps that get shorter than this meet a jump of the flow.
  static constexpr double jump_step = 1e-7;

  // Last resorts.
  static constexpr int freeze_after = 4000, most_path_steps = 6000;  ///< steps
  /// Settlements of an event, besides so many for each point: then points at rest stick.
  static constexpr int settlements = 50, settlements_of_a_point = 10;
};

/// Ends of events and collisions, impact_event.cpp and resolve_impact.cpp.
struct EventTuning {
  static constexpr double same_moment = 1e-12;  ///< of ends of groups, over the impulse of the path
  static constexpr double on_target = 1e-14;    ///< of the value of the law (15)
  /// Slip below this part of the largest velocity is no landing with slip.
  static constexpr double slow_slip = 1e-9;
  static constexpr double history_step = 1.0 / 64;  ///< of histories, as lengths of PathTuning
  /// Events after which all points at rest take part: they push each other in turns.
  static constexpr std::size_t many_events = 50;
  /// Events after which they are without restitution: a ball between two bodies that do not yield
  /// would bounce for ever. Long chains of balls need fewer.
  static constexpr std::size_t endless_events = 300;
};

/// Shares within a group and rates of groups, (5)–(8) and (13).
struct ShareTuning {
  /// A row whose coefficients are below this part of the friction says nothing: slip at right
  /// angles to the line. Rigid kinematics is exact to 1e-16, so ratios of larger ones have half the
  /// digits.
  static constexpr double void_row = 1e-9;
  static constexpr double void_frictionless_row = 1e-14;
  static constexpr double pull = 1e-12;              ///< of a share: round-off of none
  static constexpr double same_place = 1e-12;        ///< of two points, over the size of the group
  static constexpr double level_line = 1e-12;        ///< cosine of a normal and the line of points
  static constexpr double vanishing_share = 1e-14;   ///< of the reference, which comes to rest
  static constexpr double stick_rank = 1e-10;        ///< dependent rows of sticking points
  static constexpr double share_rank = 1e-9;         ///< dependent rows of (5), (6)
  static constexpr double equal_shares_fit = 1e-11;  ///< residual of equal normal shares
  static constexpr double no_sum = 1e-10;            ///< of normal shares: nothing is transmitted
  static constexpr double coupling_rank = 1e-10;     ///< (12)

  // Lemke's method on a matrix of unit diagonal.
  static constexpr double least_pivot = 1e-12;
  static constexpr double same_ratio = 1e-12;
  static constexpr double complementary = 1e-9;  ///< residual of a solution
  static constexpr int pivots_of_a_group = 50;   ///< and once as many besides
};

/// Points that stand for a face, (8b), face_weights.cpp. Places are over the size of the group.
struct FaceTuning {
  static constexpr int iterations = 100;
  static constexpr double moment = 1e-13;         ///< that is met
  static constexpr double least_weight = 1e-6;    ///< over the mean: smaller ones are none
  static constexpr double rank = 1e-12;           ///< dependent moments
  static constexpr double round_off = 1e-14;      ///< of the sum that is least
  static constexpr double shortest_part = 1e-10;  ///< of a step
  static constexpr double line = 1e-12;           ///< scatter across, over that along: an edge
  static constexpr double centre = 1e-9;          ///< of the points and of the face: the same
  /// Slip of the points of a group that differs by this part of the largest turns.
  static constexpr double turning = 1e-3;
};

/// What sticks and where the others go, section 5.
struct StickTuning {
  static constexpr double cone_slack = 1e-9;      ///< of the bound: sticking at the limit sticks
  static constexpr double no_friction = 1e-13;    ///< of the largest impulse: round-off
  static constexpr double leaving = 1e-12;        ///< acceleration along the direction, relative
  static constexpr double oblique = 1e-7;         ///< and across it: accuracy of the search
  static constexpr double still_point = 1e-14;    ///< of a pattern: the point does not move
  static constexpr double pattern_rank = 1e-9;    ///< dependent rows of leaving points
  static constexpr double same_normal = 1e-9;     ///< 1 − cosine
  static constexpr double equally_broken = 1e-6;  ///< cones, relative: symmetry is kept
  static constexpr double widest_ratio = 1e-9;    ///< normal over friction impulse of no normal
  /// A point that has left along an isocline is kept on it, up to this angle: round-off in slow
  /// slip would make it shake.
  static constexpr double on_isocline = 1e-9;
};

/// The search for directions, (9)–(11), slip_directions.cpp.
struct DirectionTuning {
  static constexpr int arcs = 72;  ///< of the circle, 5° each
  static constexpr double first_angle =
      0.0123;                               ///< rad; roots of symmetric problems lie on the axes
  static constexpr double root_fit = 1e-9;  ///< of a root, not a jump of the shares

  // Newton's method on the sphere.
  static constexpr double difference = 1e-7;  ///< for derivatives: half the digits
  static constexpr int newton_iterations = 30;
  static constexpr double longest_newton_step = 0.5;  ///< rad
  static constexpr double shortest_part = 1.0 / 64;   ///< of a step
  static constexpr double newton_decrease = 0.1;
  static constexpr double found = 1e-12, nearly_found = 1e-9;  ///< |G/|G| − c|
  static constexpr double same_direction = 1e-6;

  // The quartic (11).
  static constexpr int turned_axes = 8;        ///< of which the best are taken
  static constexpr double better_axes = 1.5;   ///< leading coefficient, over the best so far
  static constexpr double no_quartic = 1e-24;  ///< leading coefficient: every direction is one
  /// Imaginary part of a real root: double ones come out as pairs 1e-8 apart.
  static constexpr double real_root = 1e-5;
  static constexpr int polishing_steps = 20;
  static constexpr double polished_step = 1e-15;
  static constexpr double farthest_polish = 0.1;  ///< rad: else it is another root
  static constexpr double isocline_fit = 1e-12;
  static constexpr double same_angle = 1e-7;  ///< rad
};

/// Time within an impact, (20)–(22), micro_time.cpp and impact_forces.cpp.
struct MicroTuning {
  static constexpr double deformation_step = 0.02;   ///< of a step of time, relative
  static constexpr double first_deformation = 1e-3;  ///< over that of yield: where steps begin
  static constexpr int impulse_steps = 400;          ///< at least, of compression
  static constexpr int restitution_steps = 400;
  static constexpr int most_micro_steps = 200000;
  static constexpr int last_step_bisections = 60;
  static constexpr double same_rest = 1e-9;        ///< of moments and impulses of points, relative
  static constexpr double no_restitution = 1e-12;  ///< impulse after rest, relative
  static constexpr double least_share = 1e-12;     ///< of the independent point
  /// Normal velocities below this part of the largest are round-off: the point rests.
  static constexpr double still_velocity = 1e-12;
};

/// Ranks of matrices: what is below, relative to the largest, is round-off.
struct RankTuning {
  static constexpr double factor_rank = 1e-13;   ///< diagonals of W − L Lᵀ, over their own
  static constexpr double inverse_rank = 1e-12;  ///< eigenvalues in pseudo-inverses of W
};

}  // namespace saltus::impulse
