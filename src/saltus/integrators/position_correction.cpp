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
  x_.setZero(system.unknowns());
  gaps_.reserve(system.elements().contacts.listed.size());
  reactions_.reserve(gaps_.capacity());
  terms_.resize(system.velocities());
}

bool PositionCorrection::solve(const SmoothMotion& smooth, const StepData& step) {
  step.next.configuration = smooth.configuration();
  U_.setZero();
  nu_.setZero();
  frictionless_ = !options_.position_friction;
  solved_ = {};
  contacts_.select(step.start, smooth.configuration(), smooth.velocity(), step.h);
  reactions_.clear();
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

bool PositionCorrection::correct(const SmoothMotion& smooth, const StepData& step) {
  for (;;) {
    if (!iterate(smooth, step)) return false;
    if (solved_.is_pile) push_apart(smooth, step);
    if (!contacts_.add_violated(step.start, step.next.configuration)) return true;
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
    if (i == options_.max_iterations || !std::isfinite(violation_ + contact_error_)) {
      describe_failure(step, i);
      return false;
    }
    if (!linearize(step)) return false;
    if (!solve_contacts(step)) return false;
    ++step.report.position_iterations;
    move(smooth, step);
  }
}

void PositionCorrection::describe_failure(const StepData& step, int iterations) const {
  std::string& message = step.report.message;
  message = fmt::format("position correction: after {} iterations", iterations);
  const bool joints =
      violation_ > CorrectionTuning::joint_position_tolerance * system_.characteristic_length();
  if (joints) {
    message +=
        fmt::format(" a joint violation of {:.3g} m ({})", violation_, worst_row_name(system_, g_));
  }
  if (contacts_.empty()) return;
  const ContactGeometry& worst = contacts_.points()[static_cast<std::size_t>(worst_)];
  message += fmt::format("{} a gap or slip of {:.3g} m (contact \"{}\")", joints ? " and" : "",
                         contact_error_, contacts_.name(worst));
  message += fmt::format(" remains; contact laws met to {:.1e}", solved_.residual);
  if (solved_.attempt_count > 0) message += " (tried: " + solved_.tried() + ")";
}

/// Joint violations, gaps, and the balance without contact forces,
///   M U − c_h fᵖ − Gᵀν.                                                                      (9)
void PositionCorrection::evaluate(const SmoothMotion& smooth, const StepData& step) {
  const Configuration& q = step.next.configuration;
  const double c_h = force_share * step.h * step.h;
  system_.constraints(q, step.at.time, g_);
  previous_ = violation_;
  violation_ = largest_row(system_, g_);
  step.report.position_violation = violation_;
  contacts_.linearize(q);
  gaps_.resize(contacts_.points().size());
  for (std::size_t i = 0; i < gaps_.size(); ++i) gaps_[i] = contacts_.gap(step.start, q, i);
  v_ = smooth.velocity() + velocity_share / step.h * U_;  // (24)
  system_.mass_times(smooth.configuration(), U_, Mx_);
  r_ = Mx_;
  if (options_.force_difference && !U_.isZero(0)) {
    system_.forces(q, v_, zero_, step.at, step.next.multiplier, terms_);
    terms_.residual(work_);  // −(f(q, ṽ + 2U/h) + Gᵀλ̃)
    r_ += c_h * (work_ + smooth.balance());
  }
  reaction_.setZero();
  if (system_.constraints() > 0) system_.add_constraint_forces(q, nu_, reaction_);
  r_ -= reaction_;
}

/// Joints, contacts and the balance (9), in the order of what they cost. Joints that have stalled
/// cannot balance either: what they cannot meet pulls at the balance.
bool PositionCorrection::has_converged(int iteration) {
  const double L = system_.characteristic_length();
  const bool joints_hold = violation_ <= CorrectionTuning::joint_position_tolerance * L;
  const bool joints_stalled = !joints_hold && has_stalled(iteration, violation_, previous_, L);
  if (!joints_hold && !joints_stalled) return false;
  if (!are_contacts_met(iteration)) return false;
  add_contact_forces(reaction_);
  if (iteration == 0) return reaction_.isZero(0);
  work_.setZero();
  add_contact_forces(work_);
  work_ = r_ - work_;
  // Of free bodies one iteration is exact but for the gaps, which are met.
  return system_.is_uncoupled() || joints_stalled ||
         last_move_ <= PositionTuning::settled_position * L ||
         is_balanced(system_, work_, Mx_, reaction_);
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
bool PositionCorrection::are_contacts_met(int iteration) {
  using Limits = PositionTuning;
  double gap_error = 0;
  measure_contacts(gap_error);
  const double L = system_.characteristic_length();
  const double e = contact_error_;
  const double allowed = gap_slack() * Limits::gap_tolerance;
  const double nearly = Limits::round_off_factor * allowed;
  const bool is_late = iteration > Limits::late_iteration;
  const bool met = e <= allowed * L;  // (a)
  const bool round_off = iteration > 0 && e <= std::max(Limits::gap_round_off, nearly) * L &&
                         e >= Limits::stalled_round_off * previous_error_;       // (b)
  const bool closed = is_late && e <= std::max(Limits::closed_gap, nearly) * L;  // (c)
  const bool stalls = is_late || e >= Limits::stalled_gap * previous_error_;
  const bool jammed =
      gaps_.size() > many_contacts && iteration > 1 && stalls &&
      gap_error <= std::max(Limits::jammed_gap, Limits::jammed_factor * allowed) * L &&
      e <= Limits::jammed_slip * L;  // (d)
  return met || round_off || closed || jammed;
}

/// The errors of all contacts, the largest into contact_error_, that of gaps alone into gap_error.
/// Slips of piles count less: they are taken back.
void PositionCorrection::measure_contacts(double& gap_error) {
  previous_error_ = contact_error_;
  contact_error_ = 0;
  worst_ = 0;
  const double slack = slip_slack();
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const bool presses = reactions_[i].nu[0] > 0;
    const Vector6& g = gaps_[i];
    double error = presses ? std::abs(g[0]) : std::max(0.0, -g[0]);
    gap_error = std::max(gap_error, error);
    if (!frictionless_ && presses) {
      for (const FrictionPart& part : friction_parts) {
        if (!sticks(i, part)) continue;
        error = std::max(error, g.segment(part.first, part.rows).norm() / slack);
      }
    }
    if (error <= contact_error_) continue;
    contact_error_ = error;
    worst_ = static_cast<int>(i);
  }
}

/// What gap_tolerance may be multiplied with: a larger `tolerance` of the user by its root, for
/// gaps converge with the square; many contacts by what can be found of them.
double PositionCorrection::gap_slack() const {
  const double asked =
      std::sqrt(std::max(1.0, options_.tolerance / PositionTuning::usual_tolerance));
  if (gaps_.size() <= many_contacts) return asked;
  return std::max(asked, solved_.is_pile ? PositionTuning::gap_slack_of_piles
                                         : PositionTuning::gap_slack_of_many);
}

/// And how much less slips count than gaps.
double PositionCorrection::slip_slack() const {
  return gaps_.size() > many_contacts && solved_.is_pile ? PositionTuning::slip_slack_of_piles : 1;
}

/// Whether the reaction of position level is inside of its bound, by more than the solver's
/// accuracy.
bool PositionCorrection::sticks(std::size_t i, const FrictionPart& part) const {
  const double accuracy =
      std::min(PositionTuning::largest_margin,
               std::max(PositionTuning::stick_margin,
                        PositionTuning::margin_over_residual * solved_.residual));
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

bool PositionCorrection::solve_contacts(const StepData& step) {
  if (contacts_.empty()) return true;
  solved_ = solve_problem(step, !frictionless_);
  if (!frictionless_ && solved_.status == SolveStatus::Incompatible) {
    frictionless_ = true;
    const auto worst = static_cast<std::size_t>(std::max(solved_.worst, 0));
    step.report.warn(fmt::format(
        "contact \"{}\": sticking contradicts the joints; positions are corrected along the normal "
        "only",
        contacts_.name(contacts_.points()[worst])));
    solved_ = solve_problem(step, false);
  }
  step.report.position_iterations += std::max(0, solved_.iterations - 1);
  step.report.accurate &= solved_.status == SolveStatus::Converged;
  if (solved_.status == SolveStatus::Inaccurate) {
    step.report.warn(
        "position correction: the contact laws are met less accurately than asked for",
        fmt::format("residual {:.1e}, approach {:.1e} m, slip {:.1e} m, tried: {}",
                    solved_.residual, solved_.approach, solved_.stick_slip, solved_.tried()));
  }
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    reactions_[i].nu = contacts_.reaction(i, l_);
  }
  if (!w_.allFinite() || !std::isfinite(solved_.residual)) {
    step.report.message =
        "position correction: the contact problem has no solution: the step is too large for the "
        "velocities and forces";
    return false;
  }
  x_ += w_;
  return true;
}

/// Friction in a pile leaves gaps with few digits; without friction they are soon closed. Bodies
/// are moved along the normals out of what is left of penetrations, without reactions to speak of.
void PositionCorrection::push_apart(const SmoothMotion& smooth, const StepData& step) {
  const double allowed = PositionTuning::penetration_of_piles * system_.characteristic_length();
  for (int i = 0;
       i < PositionTuning::most_pushes && system_.is_uncoupled() && penetration() > allowed; ++i) {
    if (!linearize(step)) return;
    x_.setZero();
    const SolveReport solved = solve_problem(step, false, true);
    if (!w_.allFinite()) return;
    step.report.position_iterations += solved.iterations;
    x_ = w_;
    move(smooth, step);
    evaluate(smooth, step);
  }
}

double PositionCorrection::penetration() const {
  double deepest = 0;
  for (const Vector6& g : gaps_) deepest = std::max(deepest, -g[0]);
  return deepest;
}

SolveReport PositionCorrection::solve_problem(const StepData& step, bool friction, bool from_rest) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  contacts_.pose(
      kkt_, [](std::size_t) { return true; }, [&](std::size_t i) { return points[i].mu; });
  const nonsmooth::ContactProblem& problem = contacts_.problem();
  l_.resize(problem.rows());
  work_ = x_.head(system_.velocities());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactElement& e = points[i].element();
    const Vector6 b = gaps_[i] + points[i].H * system_.local(work_, e.node_A, e.node_B);
    const Vector6 start = from_rest ? Vector6(Vector6::Zero()) : reactions_[i].nu;
    contacts_.put(i, b, friction, start, l_);  // frictional_contact.md (13)
  }
  const double L = system_.characteristic_length();
  double far = L;
  for (const NodePose& node : step.next.configuration.nodes) {
    far = std::max(far, node.x.cwiseAbs().maxCoeff());
  }
  nonsmooth::SolverOptions options = position_solver_options(options_.contacts.solver, L, far);
  options.rough = U_.isZero(0);  // gaps are not linear
  if (from_rest)
    options.pile_tolerance =
        PositionTuning::share_of_push * PositionTuning::penetration_of_piles * L;
  return solver_.solve(problem, options, l_, w_);
}

/// U ← log(exp U exp x): translations add, rotations by T⁻¹(U).
void PositionCorrection::move(const SmoothMotion& smooth, const StepData& step) {
  work_ = x_.head(system_.velocities());
  last_move_ = largest_motion(system_, work_);
  const double turn = largest_rotation(system_, x_);
  if (turn > SmoothTuning::rotation_cap)
    x_.head(system_.velocities()) *= SmoothTuning::rotation_cap / turn;
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
  const double L = system_.characteristic_length();
  const double slack = slip_slack() * gap_slack() * PositionTuning::gap_tolerance;
  const double largest_creep =
      PositionTuning::round_off_factor * std::max(PositionTuning::gap_round_off, slack) * L;
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    PositionReaction& reaction = reactions_[i];
    const Vector6& g = gaps_[i];
    contacts_.set_closed(i, reaction.nu[0] > 0 || g[0] <= PositionTuning::closed_gap * L);
    step.report.penetration = std::max(step.report.penetration, -g[0]);
    reaction.creep.setZero();
    if (frictionless_) continue;
    for (const FrictionPart& part : friction_parts) {
      const auto slip = g.segment(part.first, part.rows);
      if (!sticks(i, part) || slip.norm() > largest_creep) continue;
      reaction.creep.segment(part.first - 1, part.rows) = slip;
    }
  }
}

}  // namespace saltus
