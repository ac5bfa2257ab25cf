// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"

namespace saltus {

using nonsmooth::SolveReport;
using nonsmooth::SolveStatus;

namespace {

/// Approach velocities below this fraction of the speeds at hand are rest.
constexpr double approach_threshold = 1e-6;

/// A Newton step smaller than this fraction of the speed changes nothing: what is left of the
/// balance is round-off of stiff dampers.
constexpr double still = 1e-12;

/// A contact problem that no method solves further than this is not accepted.
constexpr double worst_residual = 1e-5;

/// Y = K⁻¹(Hᵀ l) projected on the normal: what a reaction l does to the approach.
double normal_response(const nonsmooth::ContactProblem& problem, const nonsmooth::ContactRows& rows,
                       const Vector3& l) {
  if (problem.local) return rows.H.row(0) * (rows.Y * l);
  VectorX y = VectorX::Zero(problem.size());
  const Vector12 f = rows.directions().transpose() * l;
  for (std::size_t j = 0; j < rows.columns.size(); ++j) {
    if (rows.columns[j] >= 0) y[rows.columns[j]] += f[static_cast<Eigen::Index>(j)];
  }
  problem.factorization->solve_in_place(y);
  double response = 0;
  for (std::size_t j = 0; j < rows.columns.size(); ++j) {
    if (rows.columns[j] < 0) continue;
    response += rows.H(0, static_cast<Eigen::Index>(j)) * y[rows.columns[j]];
  }
  return response;
}

}  // namespace

VelocityCorrection::VelocityCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                                       const CorrectionOptions& options)
    : system_(system), kkt_(kkt), contacts_(contacts), options_(options) {
  for (VectorX* v : {&W_, &r_, &Mx_, &work_, &reaction_, &zero_}) v->setZero(system.velocities());
  g_.setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
}

bool VelocityCorrection::solve(const SmoothMotion& smooth, const StepData& step) {
  W_.setZero();
  step.next.velocity = smooth.velocity();
  step.next.impulse.setZero();
  speed_ = speed_scale(system_, smooth.velocity(), step.next.acceleration, step.h);
  lasting_ = false;
  bool any_active = false;
  for (Candidate& c : contacts_.candidates()) {
    c.impulse =
        c.active ? Vector3(2 / step.h * c.nu) : Vector3::Zero();  // frictional_contact.md (15)
    any_active |= c.active;
  }
  if (!contacts_.empty()) {
    contacts_.linearize(step.next.configuration);
    lasting_ = contacts_.turn_lasting(step.start, speed_);
    contacts_.set_approach(step.start.velocity);
  }
  if (system_.constraints() == 0 && !any_active) return true;
  return iterate(smooth, step);
}

bool VelocityCorrection::iterate(const SmoothMotion& smooth, const StepData& step) {
  for (int i = 0;; ++i) {
    evaluate(smooth, step);
    if (has_converged(step, i)) break;
    if (i == options_.max_iterations || !std::isfinite(violation_)) {
      step.report.message =
          fmt::format("velocity correction: not in balance after {} iterations", i);
      if (violation_ > velocity_tolerance * speed_) {
        step.report.message += fmt::format("; a joint velocity of {:.3g} m/s remains ({})",
                                           violation_, worst_row_name(system_, g_));
      }
      return false;
    }
    if (!kkt_.linearize(step.next.configuration, step.next.velocity, zero_, step.at,
                        step.next.multiplier,
                        {.mass = 1,
                         .damping = options_.force_difference ? step.h : 0.0,
                         .stiffness = 0,
                         .start = lasting_ ? &step.start.configuration : nullptr})) {
      step.report.message =
          "velocity correction: the equations of " + kkt_.singular_parts() + " are singular";
      return false;
    }
    x_.head(system_.velocities()) = -r_;
    x_.tail(system_.constraints()) = g_;
    kkt_.solve(x_);
    const bool solved = solve_contacts(step);
    ++step.report.velocity_iterations;
    work_ = x_.head(system_.velocities());
    last_step_ = largest_motion(system_, work_);
    W_ += work_;
    step.next.velocity = smooth.velocity() + W_;
    step.next.impulse += x_.tail(system_.constraints());
    if (!solved) return false;
  }
  warn_of_jamming(step);
  return true;
}

/// Joint velocities, and the balance without contact impulses, M W − h f* − GᵀΛ.           (11)
void VelocityCorrection::evaluate(const SmoothMotion& smooth, const StepData& step) {
  const Configuration& q = step.next.configuration;
  const VectorX& v = step.next.velocity;
  system_.constraint_rates(q, v, step.at.time, g_);
  previous_ = violation_;
  violation_ = largest_row(system_, g_);
  step.report.velocity_violation = violation_;
  system_.mass_times(q, W_, Mx_);
  r_ = Mx_;
  if (options_.force_difference) {
    system_.forces(q, v, zero_, step.at, step.next.multiplier, terms_);
    terms_.residual(work_);
    r_ += step.h * (work_ + smooth.balance());
    if (!system_.has_constant_mass()) {  // (25)
      system_.mass_times(q, step.next.acceleration, work_);
      r_ += step.h * work_;
      system_.mass_times(smooth.configuration(), step.next.acceleration, work_);
      r_ -= step.h * work_;
    }
  }
  reaction_.setZero();
  if (system_.constraints() > 0) {
    system_.add_constraint_forces(q, step.next.impulse, reaction_);
    if (lasting_) {
      system_.add_constraint_forces(step.start.configuration, step.next.impulse, reaction_);
      reaction_ /= 2;
    }
  }
  r_ -= reaction_;
}

bool VelocityCorrection::has_converged(const StepData& /*step*/, int iteration) {
  const bool joints_hold = violation_ <= velocity_tolerance * speed_;
  const bool joints_stalled = !joints_hold && has_stalled(iteration, violation_, previous_, speed_);
  if (!joints_hold && !joints_stalled) return false;
  bool any_active = false;
  for (const Candidate& c : contacts_.candidates()) any_active |= c.active;
  if (iteration == 0 && any_active) return false;
  contacts_.add_forces(&Candidate::impulse, reaction_);
  work_.setZero();
  contacts_.add_forces(&Candidate::impulse, work_);
  work_ = r_ - work_;
  const bool moves_nothing = iteration > 0 && last_step_ <= still * speed_;
  return (system_.is_uncoupled() && iteration > 0) || joints_stalled || moves_nothing ||
         is_balanced(system_, work_, Mx_, reaction_);
}

bool VelocityCorrection::solve_contacts(const StepData& step) {
  std::vector<Candidate>& candidates = contacts_.candidates();
  if (candidates.empty()) return true;
  const std::vector<int>& members =
      contacts_.pose(kkt_, [](const Candidate& c) { return c.active; });
  if (members.empty()) return true;
  SolveReport solved = solve_problem(step, true);
  const auto name_of_worst = [&] {
    const auto worst = static_cast<std::size_t>(std::max(solved.worst, 0));
    return contacts_.entry(candidates[static_cast<std::size_t>(members[worst])]).name;
  };
  bool bounces = false;
  for (const int i : members) {
    const Candidate& c = candidates[static_cast<std::size_t>(i)];
    const ContactEntry& entry = contacts_.entry(c);
    bounces |=
        is_impact(c, speed_) && (entry.restitution != 0 || entry.tangential_restitution != 0);
  }
  if (solved.status == SolveStatus::Incompatible && bounces) {
    step.report.warn(
        fmt::format("contact \"{}\": restitution contradicts the joints or other contacts; this "
                    "impact is taken without restitution",
                    name_of_worst()));
    solved = solve_problem(step, false);
  }
  if (solved.status == SolveStatus::Incompatible) {
    step.report.warn(
        fmt::format("contact \"{}\": contacts and joints contradict each other", name_of_worst()),
        fmt::format("their velocities are met to {:.2g} m/s",
                    std::max(solved.approach, solved.stick_slip)));
  } else if (solved.status == SolveStatus::Inaccurate && solved.residual <= worst_residual) {
    step.report.warn(
        "velocity correction: the contact laws are met less accurately than asked for",
        fmt::format("contact \"{}\", residual {:.1e}, approach {:.1e} m/s, tried: {}",
                    name_of_worst(), solved.residual, solved.approach, solved.tried()));
  }
  step.report.velocity_iterations += std::max(0, solved.iterations - 1);
  step.report.accurate &= solved.status == SolveStatus::Converged;
  for (std::size_t k = 0; k < members.size(); ++k) {
    candidates[static_cast<std::size_t>(members[k])].impulse =
        l_.segment<3>(3 * static_cast<Eigen::Index>(k));
  }
  x_ += w_;
  const bool too_far =
      solved.status == SolveStatus::Inaccurate && !(solved.residual <= worst_residual);
  if (too_far || !w_.allFinite()) {
    step.report.message = fmt::format(
        "velocity correction: the contact laws are met to {:.1e} only, worst at \"{}\" (tried: {})",
        solved.residual, name_of_worst(), solved.tried());
    return false;
  }
  return true;
}

SolveReport VelocityCorrection::solve_problem(const StepData& step, bool restitution) {
  work_ = step.next.velocity + x_.head(system_.velocities());
  contacts_.fill_velocities(work_, restitution ? speed_ : no_restitution, 1, l_);
  return solver_.solve(contacts_.problem(), velocity_solver_options(options_.solver, speed_), l_,
                       w_);
}

/// Painlevé: where pressing a sliding contact makes it approach, friction holds it by itself.
void VelocityCorrection::warn_of_jamming(const StepData& step) {
  const nonsmooth::ContactProblem& problem = contacts_.problem();
  std::size_t k = 0;
  for (std::size_t i = 0; i < contacts_.candidates().size(); ++i) {
    const Candidate& c = contacts_.candidates()[i];
    if (!c.active) continue;
    const nonsmooth::ContactRows& rows = problem.contacts[k++];
    const ContactState& before = step.start.contacts[static_cast<std::size_t>(c.contact)];
    const double slip = c.velocity_n.tail<2>().norm();
    if (rows.mu == 0 || slip <= approach_threshold * speed_) continue;
    if (!problem.local && before.status == ContactStatus::Slip) continue;  // looked at before
    Vector3 l(1, 0, 0);
    l.tail<2>() = -rows.mu / slip * c.velocity_n.tail<2>();
    if (normal_response(problem, rows, l) > 0) continue;
    step.report.warn(fmt::format(
        "contact \"{}\": it slides with friction {} where pressing it makes it jam (Painlevé's "
        "paradox): no motion without a jump exists, and the step takes the impulse that stops it",
        contacts_.entry(c).name, rows.mu));
  }
}

}  // namespace saltus
