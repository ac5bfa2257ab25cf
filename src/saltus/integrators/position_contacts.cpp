// SPDX-License-Identifier: Apache-2.0
// The contacts of the position correction: when they are met, and how their problems are solved.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
using nonsmooth::SolveReport;
using nonsmooth::SolveStatus;

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
  using Bounds = PositionTuning;
  double gap_error = 0;
  measure_contacts(island, gap_error);
  const Part& p = part(island);
  const double L = p.reach;
  const double e = p.contact_error;
  const double allowed = gap_slack(island) * Bounds::gap_tolerance;
  const double nearly = Bounds::round_off_factor * allowed;
  const bool is_late = iteration > Bounds::late_iteration;
  const bool met = e <= allowed * L;  // (a)
  const bool round_off = iteration > 0 && e <= std::max(Bounds::gap_round_off, nearly) * L &&
                         e >= Bounds::stalled_round_off * p.previous_error;      // (b)
  const bool closed = is_late && e <= std::max(Bounds::closed_gap, nearly) * L;  // (c)
  const bool stalls = is_late || e >= Bounds::stalled_gap * p.previous_error;
  const bool jammed =
      contacts_.points_of(island).size() > many_contacts && iteration > 1 && stalls &&
      gap_error <= std::max(Bounds::jammed_gap, Bounds::jammed_factor * allowed) * L &&
      e <= Bounds::jammed_slip * L;  // (d)
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
  if (!part(island).solved.is_pile) return std::max(asked, PositionTuning::gap_slack_of_many);
  const bool fast = options_.contacts.solver.accuracy == nonsmooth::Accuracy::Fast;
  return std::max(asked,
                  PositionTuning::gap_slack_of_piles * (fast ? PositionTuning::fast_slack : 1));
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

bool PositionCorrection::solve_contacts(int island, const StepData& step) {
  Part& p = part(island);
  p.solved = p.is_frictionless ? solve_problem(island, false) : solve_with_loads(island, step);
  if (!p.is_frictionless && p.solved.status == SolveStatus::Incompatible) {
    const auto worst = static_cast<std::size_t>(std::max(p.solved.worst, 0));
    const auto point = static_cast<std::size_t>(contacts_.members()[worst]);
    const std::string contradiction =
        fmt::format("contact \"{}\": sticking contradicts {}",
                    contacts_.name(contacts_.points()[point]), contacts_.others(island));
    if (is_first_begin_ && may_begin_ahead(island, step)) {  // perhaps not from the other place
      step.report.message = "position correction: " + contradiction;
      return false;
    }
    p.is_frictionless = true;
    step.report.warn(contradiction + "; positions are corrected along the normal only");
    p.solved = solve_problem(island, false);
  }
  const bool not_unique = p.solved.status == SolveStatus::NotUnique;
  step.report.accurate &= p.solved.status == SolveStatus::Converged || not_unique;
  if (not_unique) {
    step.report.warn(
        "position correction: reactions are not unique: they grow without changing motions",
        fmt::format("residual {:.1e}, approach {:.1e} m, slip {:.1e} m", p.solved.residual,
                    p.solved.approach, p.solved.stick_slip));
  }
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
  contacts_.take_response(w_, [&](int unknown, double change) { x_[unknown] += change; });
  return true;
}

/// Friction in a pile leaves gaps with few digits; without friction they are soon closed. Bodies
/// are moved along the normals out of what is left of penetrations, without reactions to speak of.
void PositionCorrection::push_apart(int island, const SmoothMotion& smooth, const StepData& step) {
  const double allowed = PositionTuning::penetration_of_piles * part(island).reach;
  for (int i = 0; i < PositionTuning::most_pushes && contacts_.islands().is_free(island) &&
                  penetration(island) > allowed;
       ++i) {
    if (!linearize(step, 0)) return;
    x_.setZero();
    const SolveReport solved = solve_problem(island, false, true);
    if (!l_.allFinite()) {
      w_.setZero();
      return;
    }
    step.report.position_iterations += solved.iterations;
    contacts_.take_response(w_, [&](int unknown, double change) { x_[unknown] += change; });
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

/// Friction in joints has the bounds of velocity level times h/2, as all reactions.  (14)
SolveReport PositionCorrection::solve_with_loads(int island, const StepData& step) {
  SolveReport solved;
  const auto is_slide = [&](int i) {
    return contacts_.points()[static_cast<std::size_t>(i)].element().slide() != nullptr;
  };
  if (std::ranges::none_of(contacts_.points_of(island), is_slide))
    return solve_problem(island, true);
  const double half = step.h * step.h / 2;
  const VectorX before = half / 2 * (step.start.multiplier + step.next.multiplier) + nu_ +
                         x_.tail(system_.constraints());
  w_.setZero(system_.unknowns());
  const auto find = [&](std::size_t i) {
    joints_ = before + w_.tail(system_.constraints());
    return contacts_.load_of(i, joints_, half);
  };
  pose(island);
  loads_.settle(find, [&] { solved = solve_problem(island, true); });
  return solved;
}

void PositionCorrection::pose(int island) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  contacts_.pose(
      kkt_, island, [](std::size_t) { return true; }, [&](std::size_t i) { return points[i].mu; });
}

SolveReport PositionCorrection::solve_problem(int island, bool friction, bool from_rest) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  pose(island);
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
  if (from_rest) {
    options.accuracy = nonsmooth::Accuracy::Standard;
    options.pile_tolerance =
        PositionTuning::share_of_push * PositionTuning::penetration_of_piles * p.reach;
  }
  return solver_.solve(problem, options, l_, w_);
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
