// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_impulses.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

using nonsmooth::SolveReport;
using nonsmooth::SolveStatus;

ContactImpulses::ContactImpulses(const System& system, ContactSet& contacts,
                                 const ContactOptions& options)
    : system_(system), contacts_(contacts), options_(options) {
  for (VectorX* v : {&force_, &jump_, &before_, &now_}) v->setZero(system.velocities());
  reactions_.reserve(system.elements().contacts.listed.size());
  impacts_.reserve(system.elements().contacts.listed.size());
}

void ContactImpulses::begin_step() {
  force_.setZero();
  impacts_.clear();
  reactions_.assign(contacts_.points().size(), {});
  for (std::size_t i = 0; i < reactions_.size(); ++i) reactions_[i].mu = contacts_.points()[i].mu;
}

bool ContactImpulses::solve(const Problem& problem, VectorX& x, StepReport& report) {
  extra_iterations_ = 0;
  order_ = 1;
  impacts_.clear();
  jump_.setZero();
  force_.setZero();
  contacts_.use_touching_rows(true);
  phase_ = needs_sequence(problem.speed) ? Phase::Impacts : Phase::Together;
  bool solved = phase_ == Phase::Impacts ? solve_sequence(problem, x, report)
                                         : solve_at_once(problem, x, report);
  contacts_.use_touching_rows(false);
  if (solved && (phase_ == Phase::Impacts || contacts_.has_touching_rows())) {
    const bool after_sequence = phase_ == Phase::Impacts;
    phase_ = Phase::Forces;
    solved = solve_forces(problem, after_sequence, x, report);
  }
  return solved;
}

/// Where no closed contact bounces, all are solved at once: in chains without friction that is the
/// limit of the sequence.
bool ContactImpulses::needs_sequence(double speed) const {
  if (options_.multiple_impacts == MultipleImpacts::Simultaneous) return false;
  bool impact = false, bounces = false;
  int closed = 0;
  for (const ContactGeometry& c : contacts_.points()) {
    if (!c.closed) continue;
    ++closed;
    impact |= is_impact(c, speed);
    bounces |= contacts_.law(c).restitution > 0;
  }
  return impact && bounces && closed > 1;
}

bool ContactImpulses::solve_at_once(const Problem& problem, VectorX& x, StepReport& report) {
  look_before(problem);
  pose_closed(problem);
  return contacts_.members().empty() || solve_members(problem, x, report);
}

void ContactImpulses::pose_closed(const Problem& problem) {
  contacts_.pose(
      problem.kkt, [&](std::size_t i) { return contacts_.points()[i].closed; },
      [&](std::size_t i) { return reactions_[i].mu; });
}

/// Impacts take no time: the forces of the step do not act in them. Rough contacts under load hold
/// what they touch from the first impact on; others that rest take part when one presses them.
bool ContactImpulses::solve_sequence(const Problem& problem, VectorX& x, StepReport& report) {
  const double slow = ImpulseTuning::slowest_impact * largest_approach();
  for (VelocityReaction& reaction : reactions_) {
    reaction.impulse.setZero();
    reaction.force.setZero();
  }
  for (; pose_approaching(problem, slow); ++order_) {
    if (order_ > ImpulseTuning::longest_sequence) {
      report.warn(
          fmt::format("an impact did not end after {} impact problems: the contacts that "
                      "still approached were stopped",
                      ImpulseTuning::longest_sequence));
      return true;
    }
    if (!solve_members(problem, x, report)) return false;
  }
  return true;
}

/// Then the forces of the step act: all contacts at once. Those that bounced part at least as
/// quickly as the impact made them.
bool ContactImpulses::solve_forces(const Problem& problem, bool after_sequence, VectorX& x,
                                   StepReport& report) {
  look_before(problem);
  for (VelocityReaction& reaction : reactions_) reaction.approach = 0;
  for (const SubImpact& part : impacts_) {
    if (!part.is_impact) continue;
    const auto i = static_cast<std::size_t>(part.point);
    // Contacts that were solved together hold against the forces already.
    const Vector6 u = after_sequence ? velocity_before(i) : contacts_.velocity(now_, i);
    reactions_[i].approach = std::max(0.0, u[0]);
  }
  bool found = false;
  const double resting = VelocityTuning::contact_velocity_tolerance * problem.speed;
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    found |= contacts_.points()[i].closed &&
             contacts_.velocity(now_, i)[0] - reactions_[i].approach < -resting;
  }
  if (!found) return true;
  pose_closed(problem);
  return solve_members(problem, x, report);
}

/// The velocities before the next problem, and the friction that goes with them.
void ContactImpulses::look_before(const Problem& problem) {
  speed_ = problem.speed;
  before_ = problem.start + jump_;
  now_ = problem.free + jump_;
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const ContactGeometry& c = contacts_.points()[i];
    if (!c.closed) continue;
    const Vector6 before = velocity_before(i);
    reactions_[i].approach = std::min(0.0, before[0]);
    reactions_[i].mu = coefficient(contacts_.law(c).friction, before.segment<2>(1).norm());
  }
}

/// Without the forces of the step. A contact that lasts and is turned by the step approaches along
/// the rows of its end though it rests: for it, those of its beginning count.
Vector6 ContactImpulses::velocity_before(std::size_t i) const {
  const ContactGeometry& c = contacts_.points()[i];
  if (is_impact(c, speed_)) return contacts_.velocity(before_, i);
  const ContactElement& e = c.element();
  return c.velocity_n + c.H * system_.local(jump_, e.node_A, e.node_B);
}

/// Of the beginning of the step: the scale of what still counts as an impact in it.
double ContactImpulses::largest_approach() const {
  double largest = 0;
  for (const ContactGeometry& c : contacts_.points()) {
    if (c.closed) largest = std::max(largest, -c.velocity_n[0]);
  }
  return largest;
}

bool ContactImpulses::pose_approaching(const Problem& problem, double threshold) {
  look_before(problem);
  bool found = false;
  const std::vector<ContactGeometry>& points = contacts_.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    found |= points[i].closed && reactions_[i].approach < -threshold;
  }
  if (!found) return false;
  const auto takes_part = [&](std::size_t i) {
    const ContactGeometry& c = points[i];
    // What parts already does not hold any more.
    const bool holds = order_ == 1 && c.held && !is_approach(-c.velocity_n[0], problem.speed);
    return c.closed && (reactions_[i].approach < -threshold || holds);
  };
  contacts_.pose(problem.kkt, takes_part, [&](std::size_t i) { return reactions_[i].mu; });
  return true;
}

/// One contact problem, its impulses and what it does to the velocities.
bool ContactImpulses::solve_members(const Problem& problem, VectorX& x, StepReport& report) {
  const std::vector<int>& members = contacts_.members();
  const bool impacts = phase_ != Phase::Forces;
  SolveReport solved = solve_problem(problem, impacts ? 1 : 0);
  bool bounces = false;
  for (const int i : members) {
    const auto k = static_cast<std::size_t>(i);
    const ContactLaw& law = contacts_.law(contacts_.points()[k]);
    bounces |= impacts && is_approach(reactions_[k].approach, problem.speed) &&
               (law.restitution != 0 || law.tangential_restitution != 0);
  }
  if (solved.status == SolveStatus::Incompatible && bounces) {
    report.warn(
        fmt::format("contact \"{}\": restitution contradicts the joints or other contacts; this "
                    "impact is taken without restitution",
                    name_of_worst(solved)));
    solved = solve_problem(problem, 0);
  } else if (bounces && members.size() > 1) {
    keep_energy(problem, solved, report);
  }
  extra_iterations_ += std::max(0, solved.iterations - (extra_iterations_ == 0 ? 1 : 0));
  book(problem);
  x += w_;
  jump_ += w_.head(system_.velocities());
  return judge(solved, report);
}

/// Newton's law in several impacts at once may win energy. Then their restitution is reduced by one
/// factor, to the largest with which it does not: what is lost is nearly quadratic in it.
void ContactImpulses::keep_energy(const Problem& problem, SolveReport& solved, StepReport& report) {
  double with = loss(problem);
  const double small = ImpulseTuning::negligible_gain * size_of_losses(problem);
  if (with >= -small) return;
  solved = solve_problem(problem, 0);
  const double without = loss(problem);
  double upper = 1, factor = 0;
  for (int i = 0; i < ImpulseTuning::most_reductions; ++i) {
    // Secant from the gain to the loss without restitution; the last try is none at all.
    const double next =
        i + 1 == ImpulseTuning::most_reductions || !(without > 0)
            ? 0
            : upper * std::max(ImpulseTuning::least_reduction, without / (without - with));
    solved = solve_problem(problem, next);
    factor = next;
    with = loss(problem);
    if (with >= -small) break;
    upper = next;
  }
  report.warn("several impacts at once would win energy: their restitution is reduced",
              fmt::format("by {:.2g} of what is given", 1 - factor));
}

/// What the members' impulses take from the kinetic energy.
double ContactImpulses::loss(const Problem& problem) const {
  double sum = 0;
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.members()[k]);
    sum -= problem.scale * contacts_.reaction(k, l_).dot(mean_velocity(i));
  }
  return sum;
}

/// Of what such losses are the difference.
double ContactImpulses::size_of_losses(const Problem& problem) const {
  double sum = 0;
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.members()[k]);
    const double impulse = (problem.scale * contacts_.reaction(k, l_)).norm();
    sum += impulse * (velocity_before(i).norm() + mean_velocity(i).norm());
  }
  return sum;
}

/// Half way between the velocities before and after the problem, along the directions of the
/// reactions. In a sequence forces do no work in an impact.
Vector6 ContactImpulses::mean_velocity(std::size_t i) const {
  const ContactGeometry& c = contacts_.points()[i];
  const ContactElement& e = c.element();
  const Vector12 gained = system_.local(w_, e.node_A, e.node_B);
  const Vector12 before = system_.local(before_, e.node_A, e.node_B);
  const Vector12 now = system_.local(now_, e.node_A, e.node_B);
  const Vector12 start = phase_ == Phase::Impacts ? before : Vector12((before + now) / 2);
  Vector6 mean = c.F * (start + gained / 2);
  mean.head<3>() -= e.surface_velocity;
  return mean;
}

/// The starts of single problems of a sequence are none: who is pushed is new each time. All
/// contacts at once start from the last solution, which in a lasting contact is nearly this one.
SolveReport ContactImpulses::solve_problem(const Problem& problem, double restitution) {
  const std::vector<int>& members = contacts_.members();
  l_.resize(contacts_.problem().rows());
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    const VelocityReaction& c = reactions_[i];
    const ContactLaw& law = contacts_.law(contacts_.points()[i]);
    Vector6 b = phase_ == Phase::Impacts ? velocity_before(i) : contacts_.velocity(now_, i);
    if (phase_ == Phase::Forces) b[0] -= c.approach;                  // multiple_impacts.md (5)
    if (restitution > 0 && is_approach(c.approach, problem.speed)) {  // frictional_contact.md (16)
      b[0] += restitution * law.restitution * c.approach;
      b.segment<2>(1) +=
          restitution * law.tangential_restitution * contacts_.velocity(before_, i).segment<2>(1);
    }
    const bool warm = phase_ == Phase::Together;
    const Vector6 first = warm ? Vector6(c.impulse / problem.scale) : Vector6(Vector6::Zero());
    contacts_.put(k, b, true, first, l_);
  }
  return solver_.solve(contacts_.problem(), velocity_solver_options(options_.solver, problem.speed),
                       l_, w_);
}

/// Impulses, and in a step with an impact the list of who got them: losses are those of the
/// impulses along the mean of the velocities before and after the problem.
void ContactImpulses::book(const Problem& problem) {
  const std::vector<int>& members = contacts_.members();
  bool impact = phase_ != Phase::Together;
  for (const ContactGeometry& c : contacts_.points()) {
    impact |= c.closed && is_impact(c, problem.speed);
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    const ContactGeometry& c = contacts_.points()[i];
    VelocityReaction& reaction = reactions_[i];
    const ContactElement& e = c.element();
    const Vector6 l = problem.scale * contacts_.reaction(k, l_);
    reaction.impulse = phase_ == Phase::Together ? l : Vector6(reaction.impulse + l);
    const Vector3 force = c.F.block<3, 3>(0, 6).transpose() * l.head<3>();
    reaction.force = phase_ == Phase::Together ? force : Vector3(reaction.force + force);
    if (l[0] == 0) continue;
    system_.scatter(Vector12(c.F.transpose() * l), e.node_A, e.node_B, force_);
    if (!impact) continue;
    const Vector12 gained = system_.local(w_, e.node_A, e.node_B);
    const Vector6 mean = mean_velocity(i);
    SubImpact& part = impacts_.emplace_back();
    part.point = static_cast<int>(i);
    part.order = order_;
    part.impulse = l;
    part.by_forces = phase_ == Phase::Forces;
    part.force = force;
    part.normal = c.axes().col(0);
    const Vector6 u = velocity_before(i);
    const Vector6 after =
        (phase_ == Phase::Impacts ? u : contacts_.velocity(now_, i)) + c.H * gained;
    part.is_impact = phase_ != Phase::Forces && is_approach(u[0], problem.speed);
    part.before = c.axes() * u.head<3>();
    part.after = c.axes() * after.head<3>();
    // What forces do to contacts that bounced belongs to the scheme.
    const bool bounced = phase_ == Phase::Forces && reaction.approach > 0;
    part.normal_loss = bounced ? 0 : -l[0] * mean[0];       // energy.md (11)
    part.friction_loss = -l.tail<5>().dot(mean.tail<5>());  // energy.md (12)
  }
}

std::string ContactImpulses::name_of_worst(const SolveReport& solved) const {
  const auto worst = static_cast<std::size_t>(std::max(solved.worst, 0));
  const int i = contacts_.members()[worst];
  return contacts_.name(contacts_.points()[static_cast<std::size_t>(i)]);
}

/// A solution that is not what was asked for is used, with a warning, as long as it is good enough
/// for a step: the impulses of the next step take the rest. Contradictions have no better one.
bool ContactImpulses::judge(const SolveReport& solved, StepReport& report) {
  report.accurate &= solved.status == SolveStatus::Converged;
  report.contact_residual = std::max(report.contact_residual, solved.residual);
  const bool many = contacts_.members().size() > many_contacts;
  const double worst = many ? ImpulseTuning::worst_residual_of_many : ImpulseTuning::worst_residual;
  if (solved.status == SolveStatus::Incompatible) {
    report.warn(fmt::format("contact \"{}\": contacts and joints contradict each other",
                            name_of_worst(solved)),
                fmt::format("their velocities are met to {:.2g} m/s",
                            std::max(solved.approach, solved.stick_slip)));
  } else if (solved.status == SolveStatus::Inaccurate && solved.residual <= worst) {
    report.warn(
        "velocity correction: the contact laws are met less accurately than asked for",
        fmt::format("contact \"{}\", residual {:.1e}, approach {:.1e} m/s, tried: {}",
                    name_of_worst(solved), solved.residual, solved.approach, solved.tried()));
  }
  const bool too_far = solved.status == SolveStatus::Inaccurate && !(solved.residual <= worst);
  if (!too_far && w_.allFinite()) return true;
  report.message = fmt::format(
      "velocity correction: the contact laws are met to {:.1e} only, worst at \"{}\" (tried: {})",
      solved.residual, name_of_worst(solved), solved.tried());
  return false;
}

}  // namespace saltus
