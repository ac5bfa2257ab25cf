// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "saltus/core/choices.hpp"
#include "saltus/core/field.hpp"

namespace saltus {

// Fields that integrators share.
template <class I>
constexpr void newton_fields(auto&& field) {
  field("tolerance", &I::tolerance,
        "of Newton's method, relative to the forces that balance each other", "",
        positive & within(0, 1e-2));
  field("max_iterations", &I::max_iterations, "of Newton's method in each sub-problem", "",
        within(1, 1000));
}
template <class I>
constexpr void alpha_fields(auto&& field) {
  field("step", &I::step,
        "time step h, or an object: steps chosen by their error, impacts located between them", "s",
        positive);
  field("rho_inf", &I::rho_inf,
        "spectral radius at high frequencies: 1 damps no linear oscillation, 0 damps most", "",
        within(0, 1));
}

/// Steps that are as long as their error allows (docs/theory/adaptive_step.md).
struct AdaptiveStep {
  double max = 0;
  double tolerance = 1e-4;
  std::optional<double> min = {};

  static constexpr void fields(auto&& field) {
    field("max", &AdaptiveStep::max, "the longest step", "s", required & positive);
    field("tolerance", &AdaptiveStep::tolerance,
          "error of places over the size of a mechanism: of a step in which it moves by its own "
          "size, of a shorter one in proportion; an impact is met as closely as it may move things",
          "", positive & within(0, 0.1));
    field("min", &AdaptiveStep::min,
          "the shortest step, taken whatever its error; `max`/1000000 if not given", "s", positive);
  }

  double shortest() const {
    constexpr double part = 1e-6;
    return min.value_or(part * max);
  }
};

/// A number: all steps have this length, s. Or how they are chosen.
struct StepLength : std::variant<double, AdaptiveStep> {
  using Kinds = std::variant<double, AdaptiveStep>;

  StepLength() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number> StepLength(Number h)
      : Kinds(static_cast<double>(h)) {}                 // NOLINT: a number is a length
  StepLength(const AdaptiveStep& step) : Kinds(step) {}  // NOLINT: so is a struct

  /// Null if all steps have one length.
  const AdaptiveStep* adaptive() const { return std::get_if<AdaptiveStep>(this); }
  /// The length of all, or of the longest, s.
  double longest() const { return adaptive() ? adaptive()->max : std::get<double>(*this); }
};

/// Whether the parts of a step (smooth motion, positions, velocities) are solved one after the
/// other, or together.
enum class Coupling { Decoupled, Coupled };

template <>
struct EnumNames<Coupling> {
  static constexpr const char* names[] = {"decoupled", "coupled"};
};

/// The nonsmooth generalized-α method: smooth motion, positions and velocities, with contacts,
/// friction and impacts (docs/theory/nonsmooth_generalized_alpha.md).
struct NonsmoothGeneralizedAlpha {
  static constexpr const char* type_name = "nonsmooth_generalized_alpha";
  StepLength step = 1e-3;
  double rho_inf = 0.8;
  Coupling coupling = Coupling::Decoupled;
  bool neglect_force_difference = false;
  bool position_friction = true;
  double tolerance = 1e-10;
  int max_iterations = 25;

  static constexpr void fields(auto&& field) {
    alpha_fields<NonsmoothGeneralizedAlpha>(field);
    field("coupling", &NonsmoothGeneralizedAlpha::coupling,
          "decoupled: positions and velocities are corrected one after the other; coupled: "
          "all parts of a step are solved together");
    field("neglect_force_difference", &NonsmoothGeneralizedAlpha::neglect_force_difference,
          "true: the corrections leave out how forces change with them, which is quicker "
          "but less accurate for stiff forces; for the decoupled scheme only");
    field("position_friction", &NonsmoothGeneralizedAlpha::position_friction,
          "Coulomb's law at position level too; false shows the drift that this prevents");
    newton_fields<NonsmoothGeneralizedAlpha>(field);
  }
};

/// The generalized-α method on the Lie group, for models without contacts
/// (docs/theory/generalized_alpha.md).
struct GeneralizedAlpha {
  static constexpr const char* type_name = "generalized_alpha";
  StepLength step = 1e-3;
  double rho_inf = 0.8;
  double tolerance = 1e-10;
  int max_iterations = 25;

  static constexpr void fields(auto&& field) {
    alpha_fields<GeneralizedAlpha>(field);
    newton_fields<GeneralizedAlpha>(field);
  }
};

/// The scheme of Moreau and Jean: robust, of first order, contacts at velocity level only
/// (docs/theory/nonsmooth_generalized_alpha.md, section 6).
struct MoreauJean {
  static constexpr const char* type_name = "moreau_jean";
  double step = 1e-3;
  double theta = 0.5;
  double tolerance = 1e-10;
  int max_iterations = 25;

  static constexpr void fields(auto&& field) {
    field("step", &MoreauJean::step, "time step h", "s", positive);
    field("theta", &MoreauJean::theta,
          "weight of the end of the step in its forces: 0 explicit, 0.5 midpoint, "
          "1 implicit and damping",
          "", within(0, 1));
    newton_fields<MoreauJean>(field);
  }
};

/// e* by the number of points that take part in an event.
struct RestitutionByPoints {
  static constexpr const char* type_name = "by_points";
  std::vector<double> values = {};

  static constexpr void fields(auto&& field) {
    field("values", &RestitutionByPoints::values,
          "of events with 1, 2, … points; the last one holds for more", "",
          required & within(-1, 1));
  }
};

/// e* by the place of an event in its collision.
struct RestitutionByOrder {
  static constexpr const char* type_name = "by_order";
  std::vector<double> values = {};

  static constexpr void fields(auto&& field) {
    field("values", &RestitutionByOrder::values,
          "of the first, second, … event of a collision; the last one holds for "
          "later ones",
          "", required & within(-1, 1));
  }
};

using EnergeticRestitution = std::variant<double, RestitutionByPoints, RestitutionByOrder>;

/// What restitution is, and how an impact is resolved: followed event by event in the domain of
/// impulses, or as the contact problem of time stepping.
enum class RestitutionLaw {
  Energetic,       ///< Stronge: of the work of compression
  Poisson,         ///< of the impulse of compression
  Newton,          ///< of the velocity of approach of the points that share an event
  Complementarity  ///< Newton's of each contact, between velocities before and after, as in steps
};

template <>
struct EnumNames<RestitutionLaw> {
  static constexpr const char* names[] = {"energetic", "poisson", "newton", "complementarity"};
};

template <>
struct EnumNames<impulse::NormalWork> {
  static constexpr const char* names[] = {"integral", "pseudoinverse"};
};

template <>
struct EnumNames<impulse::Composition> {
  static constexpr const char* names[] = {"consistent", "frozen"};
};

template <>
struct EnumNames<impulse::ShareRule> {
  static constexpr const char* names[] = {"points", "face"};
};

/// Which of many possible forces hyperstatic contacts have.
enum class HyperstaticForces {
  MinimumNorm,  ///< the least sum of squares
  RigidBody     ///< equal components along the lines that join points of a body, as far as possible
};

template <>
struct EnumNames<HyperstaticForces> {
  static constexpr const char* names[] = {"minimum_norm", "rigid_body"};
};

/// Smooth motion between events, and impacts of several points resolved in the domain of impulses:
/// for rigid bodies, bars and beams (docs/theory/event_driven.md).
struct EventDriven {
  static constexpr const char* type_name = "event_driven";
  double step = 1e-2;
  double tolerance = 1e-10;
  double contact_speed = 1e-5;
  std::optional<EnergeticRestitution> energetic_restitution = {};
  RestitutionLaw restitution_law = RestitutionLaw::Energetic;
  impulse::NormalWork normal_work = impulse::NormalWork::Integral;
  impulse::Composition composition = impulse::Composition::Consistent;
  impulse::ShareRule shares = impulse::ShareRule::Points;
  HyperstaticForces hyperstatic_forces = HyperstaticForces::MinimumNorm;

  static constexpr void fields(auto&& field) {
    field("step", &EventDriven::step,
          "interval of the results; the steps of the motion are chosen by the tolerance and "
          "not longer",
          "s", positive);
    field("tolerance", &EventDriven::tolerance,
          "error of a step of the motion, over the size of the mechanism and its speed", "",
          positive & within(0, 1e-2));
    field("contact_speed", &EventDriven::contact_speed,
          "a point that touches and approaches or separates more slowly stays in contact, so "
          "that bounces come to an end",
          "m/s", positive);
    field("energetic_restitution", &EventDriven::energetic_restitution,
          "e* of impact events, from −1 to 1: 1 − e*² of the normal work of compression is "
          "lost; negative: the event ends before compression does and another follows. A "
          "number, or a list by_points or by_order; the contacts' `restitution` if not given",
          "", within(-1, 1));
    field("restitution_law", &EventDriven::restitution_law,
          "what ends an event: the energetic coefficient (Stronge), Poisson's of impulses or "
          "Newton's of velocities; or complementarity: the law of the time-stepping integrators, "
          "one problem for the whole impact, with tangential_restitution and multiple_impacts");
    field("normal_work", &EventDriven::normal_work,
          "what finds the end of compression: the integral of the normal work, or the "
          "expression by a pseudoinverse of the thesis");
    field("composition", &EventDriven::composition,
          "of events of one collision: consistent, or frozen: points that separate keep the "
          "velocity of that moment (as in the thesis; momentum is not kept)");
    field("shares", &EventDriven::shares,
          "of points of a plane or line that share the impulse of an event: points: all count the "
          "same (feet, nails; the thesis); face: each counts for its part of the face or edge that "
          "they span, so that turning slip depends little on how many there are; where points "
          "cannot stand for it (corners alone) a warning tells");
    field("hyperstatic_forces", &EventDriven::hyperstatic_forces,
          "of lasting contact where more points touch than are needed: those of the least sum "
          "of squares, or by the rigid-body rule, by which forces of two points of a body have "
          "equal components along the line between them, as nearly as equilibrium allows; where "
          "points slip in different directions, the motion depends on it");
  }
};

using Integrator =
    std::variant<NonsmoothGeneralizedAlpha, GeneralizedAlpha, MoreauJean, EventDriven>;

inline double longest_of(double step) { return step; }
inline double longest_of(const StepLength& step) { return step.longest(); }

/// The time step h of an integrator, the longest if they are chosen by their error.
inline double step_of(const Integrator& integrator) {
  return std::visit([](const auto& method) { return longest_of(method.step); }, integrator);
}

inline const AdaptiveStep* adaptive_of(double /*step*/) { return nullptr; }
inline const AdaptiveStep* adaptive_of(const StepLength& step) { return step.adaptive(); }

/// How an integrator chooses its steps; null if all have one length.
inline const AdaptiveStep* adaptive_step(const Integrator& integrator) {
  return std::visit([](const auto& method) { return adaptive_of(method.step); }, integrator);
}

template <>
struct EnumNames<nonsmooth::SolverKind> {
  static constexpr const char* names[] = {"automatic",    "newton", "proximal_newton",
                                          "gauss_seidel", "admm",   "path_following"};
};

template <>
struct EnumNames<nonsmooth::Accuracy> {
  static constexpr const char* names[] = {"fast", "standard", "high"};
};

/// How the frictional contact problems of a step are solved.
struct ContactSolverOptions {
  nonsmooth::SolverKind method = nonsmooth::SolverKind::Automatic;
  nonsmooth::Accuracy accuracy = nonsmooth::Accuracy::Standard;
  double tolerance = 1e-12;
  double acceptable = 1e-8;
  double penalty = 4;
  double proximal = 1e-2;
  int max_iterations = 150;
  bool sleep = true;

  static constexpr void fields(auto&& field) {
    field("method", &ContactSolverOptions::method,
          "automatic: sweeps, then proximal Newton, then more robust methods; the others: this "
          "one only");
    field("accuracy", &ContactSolverOptions::accuracy,
          "fast: islands of more than 50 contacts are judged by their motions, with few sweeps; "
          "standard: those of more than 300, more closely; high: none; a tolerance that is given "
          "wins");
    field("tolerance", &ContactSolverOptions::tolerance,
          "relative residual of the contact laws that is aimed for", "",
          positive & within(0, 1e-2));
    field("acceptable", &ContactSolverOptions::acceptable,
          "relative residual that is accepted where none of the methods gets further", "",
          positive & within(0, 1e-2));
    field("penalty", &ContactSolverOptions::penalty,
          "of the augmented Lagrangian, over the contact's own stiffness; changes the way, not "
          "the result",
          "", positive);
    field("proximal", &ContactSolverOptions::proximal,
          "first proximal term, over the contact's own compliance; changes the way, not the "
          "result",
          "", positive);
    field("max_iterations", &ContactSolverOptions::max_iterations,
          "of Newton's method in each contact problem", "", within(1, 1e5));
    field("sleep", &ContactSolverOptions::sleep,
          "nonsmooth_generalized_alpha: rigid bodies without joints and forces that lie still are "
          "left as they are until something comes near");
  }
};

/// One method of the contact solver by its name, e.g. `.solver = GaussSeidel{.tolerance = 1e-10}`.
template <nonsmooth::SolverKind kind>
struct ContactSolver {
  double tolerance = ContactSolverOptions{}.tolerance;
  double acceptable = ContactSolverOptions{}.acceptable;
  double penalty = ContactSolverOptions{}.penalty;
  double proximal = ContactSolverOptions{}.proximal;
  int max_iterations = ContactSolverOptions{}.max_iterations;
  bool sleep = ContactSolverOptions{}.sleep;

  operator ContactSolverOptions() const {  // NOLINT: this method is one of the options
    return {.method = kind,
            .tolerance = tolerance,
            .acceptable = acceptable,
            .penalty = penalty,
            .proximal = proximal,
            .max_iterations = max_iterations,
            .sleep = sleep};
  }
};
using SemismoothNewton = ContactSolver<nonsmooth::SolverKind::Newton>;
using ProximalNewton = ContactSolver<nonsmooth::SolverKind::ProximalNewton>;
using GaussSeidel = ContactSolver<nonsmooth::SolverKind::GaussSeidel>;
using Admm = ContactSolver<nonsmooth::SolverKind::Admm>;
using PathFollowing = ContactSolver<nonsmooth::SolverKind::PathFollowing>;

/// How contacts that act on each other share an impact.
enum class MultipleImpacts { Simultaneous, Sequence };

template <>
struct EnumNames<MultipleImpacts> {
  static constexpr const char* names[] = {"simultaneous", "sequence"};
};

/// What to do with a step that does not converge.
enum class FailurePolicy { Stop, Halve, Accept };

template <>
struct EnumNames<FailurePolicy> {
  static constexpr const char* names[] = {"stop", "halve", "accept"};
};

/// How much of flexible bodies is recorded.
enum class FlexibleDetail { All, Nodes, Bodies };

template <>
struct EnumNames<FlexibleDetail> {
  static constexpr const char* names[] = {"all", "nodes", "bodies"};
};

/// How much of contacts is recorded.
enum class ContactDetail { Points, Totals };

template <>
struct EnumNames<ContactDetail> {
  static constexpr const char* names[] = {"points", "totals"};
};

/// Which events are recorded.
enum class EventDetail { All, Impacts, None };

template <>
struct EnumNames<EventDetail> {
  static constexpr const char* names[] = {"all", "impacts", "none"};
};

/// Which impacts are recorded with what happens inside of them, as functions of the impulse.
struct RecordedImpacts {
  /// In files `true` is one of these with its defaults, `false` none.
  static constexpr bool is_switch = true;
  std::vector<std::string> contacts = {};
  double after = 0;
  int most = 100;

  static constexpr void fields(auto&& field) {
    field("contacts", &RecordedImpacts::contacts,
          "names of contacts: impacts in which one of them takes part; all if not given");
    field("after", &RecordedImpacts::after, "impacts from this time on", "s", non_negative);
    field("most", &RecordedImpacts::most, "the first so many of them; a warning tells if more came",
          "", within(1, 1e6));
  }
};

struct RecordOptions {
  int every = 1;
  std::optional<double> interval = {};
  ContactDetail contacts = ContactDetail::Points;
  EventDetail events = EventDetail::All;
  FlexibleDetail flexible = FlexibleDetail::All;
  std::optional<RecordedImpacts> impacts = {};

  static constexpr void fields(auto&& field) {
    field("every", &RecordOptions::every, "record every n-th step; the first and the last always",
          "", within(1, 1e9));
    field("interval", &RecordOptions::interval,
          "in place of `every`: a row at each multiple of it, and at the end; a multiple of a step "
          "that is a number; with steps chosen by their error their `max` if not given",
          "s", positive);
    field("contacts", &RecordOptions::contacts,
          "points: columns for every pair that may touch (up to 1000 pairs of a contact; of "
          "more, totals), or totals: the sums of each contact only");
    field("events", &RecordOptions::events,
          "all: impacts and changes of state, impacts only, or none");
    field("flexible", &RecordOptions::flexible,
          "of flexible bodies: all (motion of nodes, strains and stresses of elements), nodes "
          "(motion only), or bodies (centre of mass only)");
    field("impacts", &RecordOptions::impacts,
          "of the event_driven integrator: velocities, impulses and works inside of impacts, over "
          "the impulse; true: of all, or which");
  }
};

/// Motion in time.
struct Dynamics {
  static constexpr const char* type_name = "dynamics";
  double end_time = 1.0;
  Integrator integrator = NonsmoothGeneralizedAlpha{};
  ContactSolverOptions solver = {};
  MultipleImpacts multiple_impacts = MultipleImpacts::Sequence;
  FailurePolicy on_failure = FailurePolicy::Halve;
  RecordOptions record = {};
  std::string stop_when = {};

  static constexpr void fields(auto&& field) {
    field("end_time", &Dynamics::end_time, "the run goes from 0 to this time", "s",
          required & positive);
    field("integrator", &Dynamics::integrator, "the time-stepping method");
    field("solver", &Dynamics::solver, "of the contact problems in each step");
    field("multiple_impacts", &Dynamics::multiple_impacts,
          "sequence: an impact goes on from contact to contact as in Newton's cradle; "
          "simultaneous: all contacts that touch share it at once");
    field("on_failure", &Dynamics::on_failure,
          "what to do with a step that does not converge: stop, halve the step, or accept");
    field("record", &Dynamics::record, "what goes into the results, and how often");
    field("stop_when", &Dynamics::stop_when,
          "a condition on t and on what moves, e.g. `ball.position.z < 0.1`, with the names that "
          "actuators have: the run is complete when it becomes true, at the latest at end_time");
  }
};

/// Time from row to row where steps are chosen by their error, s.
inline double interval_of(const Dynamics& options) {
  return options.record.interval.value_or(step_of(options.integrator));
}

/// How many steps of one length lead from row to row.
inline long steps_between_rows(const Dynamics& options) {
  if (!options.record.interval) return options.record.every;
  return std::lround(*options.record.interval / step_of(options.integrator));
}

/// Static equilibrium under the loads at time 0, reached in load steps.
struct Statics {
  static constexpr const char* type_name = "statics";
  int load_steps = 1;
  double tolerance = 1e-10;
  int max_iterations = 200;

  static constexpr void fields(auto&& field) {
    field("load_steps", &Statics::load_steps,
          "gravity and forces (as they are at t = 0) are raised in this many equal steps", "",
          within(1, 1e6));
    field("tolerance", &Statics::tolerance,
          "largest unbalanced force relative to the forces that balance each other", "",
          positive & within(0, 1e-2));
    field("max_iterations", &Statics::max_iterations, "in each load step", "", within(1, 1e5));
  }
};

/// Natural frequencies and mode shapes about the static equilibrium.
struct Modes {
  static constexpr const char* type_name = "modes";
  int count = 10;
  bool equilibrium = true;
  int load_steps = 1;

  static constexpr void fields(auto&& field) {
    field("count", &Modes::count, "how many modes, lowest frequencies first", "", within(1, 1e5));
    field("equilibrium", &Modes::equilibrium,
          "find the static equilibrium first; false: linearise at the initial pose");
    field("load_steps", &Modes::load_steps, "of the static equilibrium", "", within(1, 1e6));
  }
};

using SimulationOptions = std::variant<Dynamics, Statics, Modes>;

}  // namespace saltus
