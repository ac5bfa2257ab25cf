// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
using nonsmooth::SolveReport;
using nonsmooth::SolveStatus;

namespace {

/// c_h/h²: how much of the change of forces acts on the positions. With one half, that of a
/// constant acceleration, a body at rest under lasting contacts stays at rest. (23)
constexpr double force_share = 0.5;

/// And the velocity that goes with U, times h/U: that of the same constant acceleration.    (24)
constexpr double velocity_share = 2;

}  // namespace

PositionCorrection::PositionCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                                       const CorrectionOptions& options)
    : system_(system), kkt_(kkt), contacts_(contacts), options_(options) {
  for (VectorX* v : {&U_, &v_, &r_, &Mx_, &work_, &reaction_, &zero_})
    v->setZero(system.velocities());
  for (VectorX* v : {&nu_, &total_, &g_}) v->setZero(system.constraints());
  for (VectorX* v : {&x_, &w_}) v->setZero(system.unknowns());
  gaps_.reserve(system.elements().contacts.listed.size());
  reactions_.reserve(gaps_.capacity());
  terms_.resize(system.velocities());
}

bool PositionCorrection::solve(const SmoothMotion& smooth, const StepData& step) {
  step.next.configuration = smooth.configuration();
  U_.setZero();
  nu_.setZero();
  contacts_.select(step.start, smooth.configuration(), smooth.velocity(), step.h);
  reactions_.clear();
  divide(smooth.configuration(), true);
  add_reactions(step.start);
  const bool nothing = system_.constraints() == 0 && contacts_.empty();
  const bool found = nothing || correct(smooth, step);
  close_contacts(step);
  if (const std::string name = contacts_.passed_through(step.start, step.next.configuration);
      !name.empty()) {
    step.report.warn(fmt::format(
        "contact \"{}\": spheres went through each other within a step: use a smaller one", name));
  }
  return found;
}

/// Islands by the points at hand. Where points were added in the step, islands begin anew; what is
/// known of the others is kept.
void PositionCorrection::divide(const Configuration& q, bool is_first) {
  const Islands& islands = contacts_.islands();
  const int components = static_cast<int>(system_.components().size());
  if (!is_first) {
    std::swap(old_parts_, parts_);
    old_islands_.resize(static_cast<std::size_t>(components));
    for (int c = 0; c < components; ++c) {
      old_islands_[static_cast<std::size_t>(c)] = islands.of_component(c);
    }
  }
  contacts_.divide(ContactSet::Connecting::All);
  parts_.assign(static_cast<std::size_t>(islands.count()), {});
  for (int c = 0; c < components && !is_first; ++c) {
    const auto old = static_cast<std::size_t>(old_islands_[static_cast<std::size_t>(c)]);
    Part& p = part(islands.of_component(c));
    const bool moved = p.moved || old_parts_[old].moved;
    const bool is_frictionless = p.is_frictionless || old_parts_[old].is_frictionless;
    p = old_parts_[old];
    p.moved = moved;
    p.is_frictionless = is_frictionless;
  }
  for (std::size_t i = reactions_.size(); i < contacts_.points().size(); ++i) {
    Part& p = part(contacts_.island_of(contacts_.points()[i]));
    p = {.moved = p.moved, .is_frictionless = p.is_frictionless};
  }
  largest_coordinates(islands, q, far_);
  for (int i = 0; i < islands.count(); ++i) {
    Part& p = part(i);
    const double far = far_[static_cast<std::size_t>(i)];
    p.length = islands.length(i);
    p.reach = reach(p.length, far);
    p.joint_tolerance = std::max(CorrectionTuning::joint_position_tolerance * p.length,
                                 CorrectionTuning::far_joint * far);
    p.is_frictionless |= !options_.position_friction;
  }
}

bool PositionCorrection::correct(const SmoothMotion& smooth, const StepData& step) {
  for (;;) {
    if (!iterate(smooth, step)) return false;
    for (const int island : contacts_.islands_with_points()) {
      if (part(island).solved.is_pile) push_apart(island, smooth, step);
    }
    if (!contacts_.add_violated(step.start, step.next.configuration)) return true;
    divide(step.next.configuration, false);
    add_reactions(step.start);
  }
}

/// Of the points that have none yet.
void PositionCorrection::add_reactions(const State& start) {
  for (std::size_t i = reactions_.size(); i < contacts_.points().size(); ++i) {
    reactions_.push_back({.nu = contacts_.last_multiplier(start, i)});
  }
}

bool PositionCorrection::iterate(const SmoothMotion& smooth, const StepData& step) {
  for (int i = 0;; ++i) {
    evaluate(smooth, step);
    if (has_converged(i)) return true;
    const bool finite = std::ranges::all_of(parts_, [](const Part& p) {
      return std::isfinite(p.violation) && !std::isnan(p.contact_error);
    });
    if (i == options_.max_iterations || !finite) {
      describe_failure(step, i);
      return false;
    }
    if (!linearize(step)) return false;
    int most = 0;  // further iterations of an island
    for (const int island : contacts_.islands_with_points()) {
      if (part(island).is_done) continue;
      if (!solve_contacts(island, step)) return false;
      most = std::max(most, part(island).solved.iterations - 1);
    }
    step.report.position_iterations += 1 + most;
    move(smooth, step);
  }
}

/// Of the island that is furthest from being corrected.
void PositionCorrection::describe_failure(const StepData& step, int iterations) const {
  const Part* worst = nullptr;
  const auto size = [](const Part& p) { return (p.violation + p.contact_error) / p.length; };
  bool has_points = false;
  for (int i = 0; i < contacts_.islands().count(); ++i) {
    if (part(i).is_done || (worst != nullptr && !(size(part(i)) > size(*worst)))) continue;
    worst = &part(i);
    has_points = !contacts_.points_of(i).empty();
  }
  if (worst == nullptr) worst = &parts_.front();
  std::string& message = step.report.message;
  message = fmt::format("position correction: after {} iterations", iterations);
  const bool joints = worst->violation > CorrectionTuning::joint_position_tolerance * worst->length;
  if (joints) {
    VectorX rows = g_;
    for (int i = 0; i < system_.constraints(); ++i) {
      const int island = contacts_.islands().of_unknown(system_.velocities() + i);
      if (&part(island) != worst) rows[i] = 0;
    }
    message += fmt::format(" a joint violation of {:.3g} m ({})", worst->violation,
                           worst_row_name(system_, rows));
  }
  if (has_points) {
    const ContactGeometry& point = contacts_.points()[static_cast<std::size_t>(worst->worst)];
    message += fmt::format("{} a gap or slip of {:.3g} m (contact \"{}\")", joints ? " and" : "",
                           worst->contact_error, contacts_.name(point));
    message += fmt::format(" remains; contact laws met to {:.1e}", worst->solved.residual);
    if (worst->solved.attempt_count > 0) message += " (tried: " + worst->solved.tried() + ")";
  }
}

/// Joint violations, gaps, and the balance without contact forces,
///   M U − c_h fᵖ − Gᵀν.                                                                      (9)
void PositionCorrection::evaluate(const SmoothMotion& smooth, const StepData& step) {
  const Configuration& q = step.next.configuration;
  const double c_h = force_share * step.h * step.h;
  system_.constraints(q, step.at.time, g_);
  const Islands& islands = contacts_.islands();
  largest_rows(system_, islands, g_, sizes_);
  step.report.position_violation = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].previous = parts_[i].violation;
    parts_[i].violation = sizes_[i];
    step.report.position_violation = std::max(step.report.position_violation, sizes_[i]);
  }
  contacts_.linearize(q);
  gaps_.resize(contacts_.points().size());
  for (std::size_t i = 0; i < gaps_.size(); ++i) gaps_[i] = contacts_.gap(step.start, q, i);
  v_ = smooth.velocity() + velocity_share / step.h * U_;  // (24)
  system_.mass_times(smooth.configuration(), U_, Mx_);
  r_ = Mx_;
  if (options_.force_difference && !U_.isZero(0)) {
    system_.forces(q, v_, zero_, step.at, step.next.multiplier, terms_);
    terms_.residual(work_);  // −(f(q, ṽ + 2U/h) + Gᵀλ̃)
    work_ += smooth.balance();
    if (islands.count() > 1) {  // where nothing moved, nothing changes but round-off
      for (int i = 0; i < system_.velocities(); ++i) {
        if (!part(islands.of_unknown(i)).moved) work_[i] = 0;
      }
    }
    r_ += c_h * work_;
  }
  reaction_.setZero();
  if (system_.constraints() > 0) system_.add_constraint_forces(q, nu_, reaction_);
  r_ -= reaction_;
}

bool PositionCorrection::has_converged(int iteration) {
  add_contact_forces(reaction_);
  work_.setZero();
  add_contact_forces(work_);
  work_ = r_ - work_;
  const Islands& islands = contacts_.islands();
  split_norms(system_, islands, work_, residual_);
  split_norms(system_, islands, Mx_, inertia_);
  split_norms(system_, islands, reaction_, reactions_of_);
  bool all = true;
  for (int i = 0; i < islands.count(); ++i) {
    Part& p = part(i);
    if (!p.is_done) p.is_done = has_converged(i, iteration);
    all &= p.is_done;
  }
  return all;
}

/// Joints, contacts and the balance (9) of an island. Joints that have stalled cannot balance
/// either: what they cannot meet pulls at the balance.
bool PositionCorrection::has_converged(int island, int iteration) {
  const Part& p = part(island);
  const auto i = static_cast<std::size_t>(island);
  const bool joints_hold = p.violation <= p.joint_tolerance;
  const bool joints_stalled =
      !joints_hold && has_stalled(iteration, p.violation, p.previous, p.length);
  if (!joints_hold && !joints_stalled) return false;
  if (!are_contacts_met(island, iteration)) return false;
  if (iteration == 0) return reactions_of_[i].translation == 0 && reactions_of_[i].rotation == 0;
  // Of free bodies one iteration is exact but for the gaps, which are met.
  return contacts_.islands().is_free(island) || joints_stalled ||
         p.last_move <= PositionTuning::settled_position * p.length ||
         is_balanced(residual_[i], inertia_[i], reactions_of_[i], p.length);
}

/// f += Fᵀν of all contacts.
void PositionCorrection::add_contact_forces(VectorX& f) const {
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const Vector6& nu = reactions_[i].nu;
    if (nu[0] == 0) continue;
    const ContactGeometry& c = contacts_.points()[i];
    system_.scatter(Vector12(c.F.transpose() * nu), c.element().node_A, c.element().node_B, f);
  }
}

/// Signorini and Coulomb between gaps and multipliers. With e the largest error of a contact, the
/// gap of one that presses, the penetration of one that does not, the slip of one that sticks, the
/// contacts are met in one of four ways:
///
/// (a) e is below the tolerance, which is a hundred times below the gap of (13): what is met here
///     is closed at velocity level, so that the two levels agree on who takes part.
/// (b) e is not far above and falls by less than a digit. While nobody changes between open, slip
///     and stick, a step of Newton's method makes e/L of the order of its square: from 1e-10 it
///     would vanish. What is left is round-off of gaps far from the origin, or what redundant
///     contacts cannot all have.
/// (c) e is below the gap of (13) after more iterations than squaring takes from any start. Normals
///     that turn, or statuses that alternate, keep it there. The contact is still closed at
///     velocity level, and gaps are measured, not added up: the next step begins from what is left.
/// (d) Many contacts are jammed: sticking contacts ask for three equations each, bodies have six
///     unknowns, and gaps of round-off may be outside of what any motion can remove
///     (frictional_contact.md, section 5). What no longer falls is left to the next step. Gaps have
///     the smaller limit: slips are remembered as creep and cost nothing, penetrations do work when
///     they are removed.
bool PositionCorrection::are_contacts_met(int island, int iteration) {
  using Limits = PositionTuning;
  double gap_error = 0;
  measure_contacts(island, gap_error);
  const Part& p = part(island);
  const double L = p.reach;
  const double e = p.contact_error;
  const double allowed = gap_slack(island) * Limits::gap_tolerance;
  const double nearly = Limits::round_off_factor * allowed;
  const bool is_late = iteration > Limits::late_iteration;
  const bool met = e <= allowed * L;  // (a)
  const bool round_off = iteration > 0 && e <= std::max(Limits::gap_round_off, nearly) * L &&
                         e >= Limits::stalled_round_off * p.previous_error;      // (b)
  const bool closed = is_late && e <= std::max(Limits::closed_gap, nearly) * L;  // (c)
  const bool stalls = is_late || e >= Limits::stalled_gap * p.previous_error;
  const bool jammed =
      contacts_.points_of(island).size() > many_contacts && iteration > 1 && stalls &&
      gap_error <= std::max(Limits::jammed_gap, Limits::jammed_factor * allowed) * L &&
      e <= Limits::jammed_slip * L;  // (d)
  return met || round_off || closed || jammed;
}

/// The errors of an island's contacts: the largest, and that of gaps alone into gap_error. Slips of
/// piles count less: they are taken back.
void PositionCorrection::measure_contacts(int island, double& gap_error) {
  Part& p = part(island);
  p.previous_error = p.contact_error;
  p.contact_error = 0;
  const double slack = slip_slack(island);
  const std::span<const int> points = contacts_.points_of(island);
  if (!points.empty()) p.worst = points.front();
  for (const int point : points) {
    const auto i = static_cast<std::size_t>(point);
    const bool presses = reactions_[i].nu[0] > 0;
    const Vector6& g = gaps_[i];
    double error = presses ? std::abs(g[0]) : std::max(0.0, -g[0]);
    gap_error = std::max(gap_error, error);
    if (!p.is_frictionless && presses) {
      for (const FrictionPart& rows : friction_parts) {
        if (!sticks(i, rows)) continue;
        error = std::max(error, g.segment(rows.first, rows.rows).norm() / slack);
      }
    }
    if (error <= p.contact_error) continue;
    p.contact_error = error;
    p.worst = point;
  }
}

/// What gap_tolerance may be multiplied with: a larger `tolerance` of the user by its root, for
/// gaps converge with the square; many contacts by what can be found of them.
double PositionCorrection::gap_slack(int island) const {
  const double asked =
      std::sqrt(std::max(1.0, options_.tolerance / PositionTuning::usual_tolerance));
  if (contacts_.points_of(island).size() <= many_contacts) return asked;
  return std::max(asked, part(island).solved.is_pile ? PositionTuning::gap_slack_of_piles
                                                     : PositionTuning::gap_slack_of_many);
}

/// And how much less slips count than gaps.
double PositionCorrection::slip_slack(int island) const {
  const bool many = contacts_.points_of(island).size() > many_contacts;
  return many && part(island).solved.is_pile ? PositionTuning::slip_slack_of_piles : 1;
}

/// Whether the reaction of position level is inside of its bound, by more than the solver's
/// accuracy.
bool PositionCorrection::sticks(std::size_t i, const FrictionPart& part) const {
  const double accuracy =
      std::min(PositionTuning::largest_margin,
               std::max(PositionTuning::stick_margin,
                        PositionTuning::margin_over_residual * part_of(i).solved.residual));
  const ContactGeometry& c = contacts_.points()[i];
  return contacts_.usage(c, c.mu, reactions_[i].nu, part) < 1 - accuracy;
}

bool PositionCorrection::linearize(const StepData& step) {
  const double c_h = force_share * step.h * step.h;
  total_ = step.next.multiplier + nu_ / c_h;
  find_curvatures(step);
  // The unknowns are δx and δΘ at the last iterate, so that the rows are G and H themselves.
  if (!kkt_.linearize(step.next.configuration, v_, zero_, step.at, total_,
                      {.mass = 1,
                       .damping = options_.force_difference ? velocity_share * c_h / step.h : 0.0,
                       .stiffness = options_.force_difference ? c_h : 0.0,
                       .rows = Linearization::Rows::Position},
                      curvatures_)) {
    step.report.message =
        "position correction: the equations of " + kkt_.singular_parts() + " are singular";
    return false;
  }
  x_.head(system_.velocities()) = -r_;
  x_.tail(system_.constraints()) = g_;
  kkt_.solve(x_);
  is_done_.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) is_done_[i] = parts_[i].is_done ? 1 : 0;
  leave_out(contacts_.islands(), is_done_, x_);
  return true;
}

/// Inside of something hollow the normal turns as the point moves, the faster the closer the fit,
/// and the reaction with it: ν_N ∂²|d|/∂d² on both sides. Without it no step longer than
/// √(m |d|/F) would converge. The coupling of the two sides is left out, as if the other stood
/// still: of two bodies of such a pair one is heavy.
void PositionCorrection::find_curvatures(const StepData& step) {
  curvatures_.clear();
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const double nu = reactions_[i].nu[0];
    const ContactElement& e = contacts_.points()[i].element();
    if (!(nu > 0) || !e.is_hollow()) continue;
    const NodePair q = system_.pair(step.next.configuration, e.node_A, e.node_B);
    const Matrix3 B = nu * e.curvature(q);
    const Vector3 centre = e.frame_B.point(q.B);
    const double largest = B.trace();
    for (const auto& [node, pose] : {std::pair{e.node_A, q.A}, std::pair{e.node_B, q.B}}) {
      if (largest < PositionTuning::light_curvature * system_.node_mass(node) ||
          system_.node_mass(node) == 0)
        continue;
      Eigen::Matrix<double, 3, 6> J;
      J << Matrix3::Identity(), -lie::hat(centre - pose.x) * pose.R;
      curvatures_.push_back({node, J.transpose() * B * J});
    }
  }
}

bool PositionCorrection::solve_contacts(int island, const StepData& step) {
  Part& p = part(island);
  p.solved = solve_problem(island, !p.is_frictionless);
  if (!p.is_frictionless && p.solved.status == SolveStatus::Incompatible) {
    p.is_frictionless = true;
    const auto worst = static_cast<std::size_t>(std::max(p.solved.worst, 0));
    const auto point = static_cast<std::size_t>(contacts_.members()[worst]);
    step.report.warn(
        fmt::format("contact \"{}\": sticking contradicts the joints or other contacts; positions "
                    "are corrected "
                    "along the normal only",
                    contacts_.name(contacts_.points()[point])));
    p.solved = solve_problem(island, false);
  }
  step.report.accurate &= p.solved.status == SolveStatus::Converged;
  if (p.solved.status == SolveStatus::Inaccurate) {
    step.report.warn(
        "position correction: the contact laws are met less accurately than asked for",
        fmt::format("residual {:.1e}, approach {:.1e} m, slip {:.1e} m, tried: {}",
                    p.solved.residual, p.solved.approach, p.solved.stick_slip, p.solved.tried()));
  }
  const std::vector<int>& members = contacts_.members();
  for (std::size_t k = 0; k < members.size(); ++k) {
    reactions_[static_cast<std::size_t>(members[k])].nu = contacts_.reaction(k, l_);
  }
  const bool finite = l_.allFinite() && (contacts_.problem().local || w_.allFinite());
  if (!finite || !std::isfinite(p.solved.residual)) {
    step.report.message = fmt::format(
        "position correction: the contact problem of \"{}\" has no solution: the step is too large "
        "for the velocities and forces",
        contacts_.name(contacts_.points()[static_cast<std::size_t>(members.front())]));
    return false;
  }
  add_response(x_);
  return true;
}

/// w of the problem at hand, which is zero again then.
void PositionCorrection::add_response(VectorX& x) {
  const nonsmooth::ContactProblem& problem = contacts_.problem();
  if (!problem.local) {
    x += w_;
    w_.setZero();
    return;
  }
  for (const nonsmooth::ContactRows& rows : problem.contacts) {
    for (const int column : rows.columns) {
      if (column < 0) continue;
      x[column] += w_[column];
      w_[column] = 0;
    }
  }
}

/// Friction in a pile leaves gaps with few digits; without friction they are soon closed. Bodies
/// are moved along the normals out of what is left of penetrations, without reactions to speak of.
void PositionCorrection::push_apart(int island, const SmoothMotion& smooth, const StepData& step) {
  const double allowed = PositionTuning::penetration_of_piles * part(island).reach;
  for (int i = 0; i < PositionTuning::most_pushes && contacts_.islands().is_free(island) &&
                  penetration(island) > allowed;
       ++i) {
    if (!linearize(step)) return;
    x_.setZero();
    const SolveReport solved = solve_problem(island, false, true);
    if (!l_.allFinite()) {
      w_.setZero();
      return;
    }
    step.report.position_iterations += solved.iterations;
    add_response(x_);
    move(smooth, step);
    evaluate(smooth, step);
  }
}

double PositionCorrection::penetration(int island) const {
  double deepest = 0;
  for (const int i : contacts_.points_of(island)) {
    deepest = std::max(deepest, -gaps_[static_cast<std::size_t>(i)][0]);
  }
  return deepest;
}

SolveReport PositionCorrection::solve_problem(int island, bool friction, bool from_rest) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  contacts_.pose(
      kkt_, island, [](std::size_t) { return true; }, [&](std::size_t i) { return points[i].mu; });
  const nonsmooth::ContactProblem& problem = contacts_.problem();
  const std::vector<int>& members = contacts_.members();
  l_.resize(problem.rows());
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    const ContactElement& e = points[i].element();
    const Vector6 b = gaps_[i] + points[i].H * system_.local(x_, e.node_A, e.node_B);
    const Vector6 start = from_rest ? Vector6(Vector6::Zero()) : reactions_[i].nu;
    contacts_.put(k, b, friction, start, l_);  // frictional_contact.md (13)
  }
  const Part& p = part(island);
  nonsmooth::SolverOptions options = position_solver_options(
      options_.contacts.solver, p.reach, far_[static_cast<std::size_t>(island)]);
  options.rough = !p.moved;  // gaps are not linear
  if (from_rest)
    options.pile_tolerance =
        PositionTuning::share_of_push * PositionTuning::penetration_of_piles * p.reach;
  return solver_.solve(problem, options, l_, w_);
}

/// U ← log(exp U exp x): translations add, rotations by T⁻¹(U).
void PositionCorrection::move(const SmoothMotion& smooth, const StepData& step) {
  const Islands& islands = contacts_.islands();
  largest_motions(system_, islands, x_, sizes_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].last_move = sizes_[i];
    parts_[i].moved |= sizes_[i] != 0;
  }
  shorten(system_, islands, 1, sizes_, x_);
  for (const Node& node : system_.nodes()) {
    if (node.unknowns == 0) continue;
    U_.segment<3>(node.first_unknown) += x_.segment<3>(node.first_unknown);
    if (!node.turns()) continue;
    auto U_R = U_.segment<3>(node.first_unknown + 3);
    U_R += lie::so3::tangent_inverse(U_R) * x_.segment<3>(node.first_unknown + 3);
  }
  nu_ += x_.tail(system_.constraints());
  advance(smooth.configuration(), system_.nodes(), U_, step.next.configuration);
}

/// Which contacts are closed, (13), how deep the deepest is, and what sticking ones slipped all the
/// same: as far as the tolerance explains it, the next step takes it back (frictional_contact.md,
/// section 4). What is larger is let go: the iteration got no further, nor would the next.
void PositionCorrection::close_contacts(const StepData& step) {
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const int island = contacts_.island_of(contacts_.points()[i]);
    const double L = part(island).reach;
    const double slack = slip_slack(island) * gap_slack(island) * PositionTuning::gap_tolerance;
    const double largest_creep =
        PositionTuning::round_off_factor * std::max(PositionTuning::gap_round_off, slack) * L;
    PositionReaction& reaction = reactions_[i];
    const Vector6& g = gaps_[i];
    contacts_.set_closed(i, reaction.nu[0] > 0 || g[0] <= PositionTuning::closed_gap * L);
    step.report.penetration = std::max(step.report.penetration, -g[0]);
    reaction.creep.setZero();
    if (part(island).is_frictionless) continue;
    for (const FrictionPart& rows : friction_parts) {
      const auto slip = g.segment(rows.first, rows.rows);
      if (!sticks(i, rows) || slip.norm() > largest_creep) continue;
      reaction.creep.segment(rows.first - 1, rows.rows) = slip;
    }
  }
}

}  // namespace saltus
