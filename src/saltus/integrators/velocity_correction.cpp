// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

namespace {

/// Y = K⁻¹(Hᵀ l) projected on the normal: what a reaction l does to the approach.
double normal_response(const nonsmooth::ContactProblem& problem, const nonsmooth::ContactRows& rows,
                       const Vector3& l) {
  if (problem.local) return rows.H.row(0) * (rows.Y.leftCols<3>() * l);
  VectorX y = VectorX::Zero(problem.size());
  const Vector12 f = rows.directions().topRows<3>().transpose() * l;
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
    : system_(system),
      kkt_(kkt),
      contacts_(contacts),
      options_(options),
      impulses_(system, contacts, options.contacts) {
  for (VectorX* v : {&W_, &r_, &Mx_, &work_, &reaction_, &zero_}) v->setZero(system.velocities());
  g_.setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
}

bool VelocityCorrection::solve(const SmoothMotion& smooth,
                               const std::vector<PositionReaction>& positions,
                               const StepData& step) {
  if (!solve_along(Rows::MeanOfLasting, smooth, positions, step)) return false;
  return !wins_energy(step) || solve_along(Rows::OfTheEnd, smooth, positions, step);
}

/// Reactions along the mean of the rows do work of third order in the angle by which they turn.
/// Inside of something hollow they may turn too far for that in a step, and between two contacts
/// that nearly contradict each other a little is much: that may be a gain. Along the rows of the
/// end none is possible.
bool VelocityCorrection::wins_energy(const StepData& step) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  const std::vector<VelocityReaction>& reactions = impulses_.reactions();
  bool turned = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    turned |= points[i].turned && reactions[i].impulse[0] != 0 && points[i].element().is_hollow();
  }
  if (!turned) return false;
  double work = 0;
  work_ = (step.start.velocity + step.next.velocity) / 2;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector6& impulse = reactions[i].impulse;
    if (impulse[0] == 0) continue;
    const ContactGeometry& c = points[i];
    const ContactElement& e = c.element();
    Vector6 u = c.F * system_.local(work_, e.node_A, e.node_B);
    u.head<3>() -= e.surface_velocity;
    work += impulse.dot(u);
  }
  if (!(work > 0)) return false;
  const double after = system_.kinetic_energy(step.next.configuration, step.next.velocity);
  return work > VelocityTuning::turning_gain * std::max(step.start.energy.kinetic, after);
}

bool VelocityCorrection::solve_along(Rows rows, const SmoothMotion& smooth,
                                     const std::vector<PositionReaction>& positions,
                                     const StepData& step) {
  W_.setZero();
  step.next.velocity = smooth.velocity();
  step.next.impulse.setZero();
  speed_ = speed_scale(system_, smooth.velocity(), step.next.acceleration, step.h);
  lasting_ = false;
  impulses_.begin_step();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!contacts_.points()[i].closed) continue;
    impulses_.begin_at(i, 2 / step.h * positions[i].nu);  // frictional_contact.md (15)
  }
  if (!contacts_.empty()) {
    contacts_.linearize(step.next.configuration);
    lasting_ = contacts_.turn_lasting(step.start, speed_);
    if (rows == Rows::OfTheEnd) {
      contacts_.turn_back();
      lasting_ = false;
    }
    contacts_.find_touching_rows(step.start, smooth.configuration(), speed_);
  }
  if (system_.constraints() == 0 && !contacts_.any_closed()) return true;
  return iterate(smooth, step);
}

bool VelocityCorrection::iterate(const SmoothMotion& smooth, const StepData& step) {
  for (int i = 0;; ++i) {
    evaluate(smooth, step);
    if (has_converged(i)) break;
    if (i == options_.max_iterations || !std::isfinite(violation_)) {
      step.report.message =
          fmt::format("velocity correction: not in balance after {} iterations", i);
      if (violation_ > CorrectionTuning::joint_velocity_tolerance * speed_) {
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

/// Joints, (12), and the balance (11); closed contacts are met by every solution of their problem,
/// so that only the first guess, which has none of it, is not accepted. Free bodies have no forces
/// that change with W but dampers: one iteration.
bool VelocityCorrection::has_converged(int iteration) {
  const bool joints_hold = violation_ <= CorrectionTuning::joint_velocity_tolerance * speed_;
  const bool joints_stalled = !joints_hold && has_stalled(iteration, violation_, previous_, speed_);
  if (!joints_hold && !joints_stalled) return false;
  if (iteration == 0 && contacts_.any_closed()) return false;
  reaction_ += impulses_.force();
  work_ = r_ - impulses_.force();
  const bool moves_nothing =
      iteration > 0 && last_step_ <= VelocityTuning::settled_velocity * speed_;
  return (system_.is_uncoupled() && iteration > 0) || joints_stalled || moves_nothing ||
         is_balanced(system_, work_, Mx_, reaction_);
}

bool VelocityCorrection::solve_contacts(const StepData& step) {
  if (!contacts_.any_closed()) return true;
  work_ = step.next.velocity + x_.head(system_.velocities());
  const bool solved = impulses_.solve(
      {.kkt = kkt_, .start = step.start.velocity, .free = work_, .speed = speed_}, x_, step.report);
  step.report.velocity_iterations += impulses_.extra_iterations();
  return solved;
}

/// Painlevé: where pressing a sliding contact makes it approach, friction holds it by itself.
/// (frictional_contact.md, eq. 18)
void VelocityCorrection::warn_of_jamming(const StepData& step) {
  const nonsmooth::ContactProblem& problem = contacts_.problem();
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    const ContactGeometry& c = contacts_.points()[static_cast<std::size_t>(contacts_.members()[k])];
    const nonsmooth::ContactRows& rows = problem.contacts[k];
    if (c.element().is_ball()) continue;  // which does not jam
    const ContactState* before = step.start.contact(c.contact);
    const double slip = c.velocity_n.segment<2>(1).norm();
    if (rows.mu == 0 || slip <= ContactTuning::approach_threshold * speed_) continue;
    const bool slipped = before != nullptr && before->status == ContactStatus::Slip;
    if (!problem.local && slipped) continue;  // looked at before
    Vector3 l(1, 0, 0);
    l.tail<2>() = -rows.mu / slip * c.velocity_n.segment<2>(1);
    if (normal_response(problem, rows, l) > 0) continue;
    step.report.warn(fmt::format(
        "contact \"{}\": it slides with friction {} where pressing it makes it jam (Painlevé's "
        "paradox): no motion without a jump exists, and the step takes the impulse that stops it",
        contacts_.name(c), rows.mu));
  }
}

}  // namespace saltus
