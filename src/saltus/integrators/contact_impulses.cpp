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
    : system_(system), contacts_(contacts), options_(options), loads_(contacts) {
  for (VectorX* v : {&force_, &jump_}) v->setZero(system.velocities());
  for (VectorX* v : {&joint_impacts_, &joint_contacts_, &joint_base_, &joint_total_}) {
    v->setZero(system.constraints());
  }
  w_.setZero(system.unknowns());
  reactions_.reserve(system.elements().contacts.listed.size());
  impacts_.reserve(system.elements().contacts.listed.size());
}

void ContactImpulses::begin_step() {
  force_.setZero();
  joint_impacts_.setZero();
  joint_contacts_.setZero();
  impacts_.clear();
  reactions_.assign(contacts_.points().size(), {});
  for (std::size_t i = 0; i < reactions_.size(); ++i) reactions_[i].mu = contacts_.points()[i].mu;
}

bool ContactImpulses::solve(const Problem& problem, VectorX& x, StepReport& report) {
  extra_iterations_ = 0;
  const double together = share_together(problem);
  if (together == 0) return solve_in(Phase::Impacts, problem, x, report);
  if (together == 1) return solve_in(Phase::Together, problem, x, report);
  // Little restitution: between the two, so that nothing jumps as it vanishes.
  other_x_ = x;
  if (!solve_in(Phase::Together, problem, other_x_, report)) return false;
  other_reactions_ = reactions_;
  other_impacts_ = impacts_;
  other_force_ = force_;
  other_joint_impacts_ = joint_impacts_;
  other_joint_contacts_ = joint_contacts_;
  if (!solve_in(Phase::Impacts, problem, x, report)) return false;
  x += together * (other_x_ - x);
  mix(problem, together);
  return true;
}

/// One problem, or the sequence.
bool ContactImpulses::solve_in(Phase phase, const Problem& problem, VectorX& x,
                               StepReport& report) {
  phase_ = phase;
  order_ = 1;
  clear(problem);
  contacts_.use_touching_rows(problem.island, true);
  bool solved = phase == Phase::Impacts ? solve_sequence(problem, x, report)
                                        : solve_at_once(problem, x, report);
  contacts_.use_touching_rows(problem.island, false);
  const bool after_sequence = phase == Phase::Impacts;
  if (solved && (after_sequence || contacts_.has_touching_rows(problem.island))) {
    phase_ = Phase::Forces;
    solved = solve_forces(problem, after_sequence, x, report);
  }
  return solved;
}

/// Both solutions let nothing approach and keep to the bounds of friction, and both sets are
/// convex: so does every mean, and it has no more energy than the mean of theirs.
/// (multiple_impacts.md, eq. 10)
void ContactImpulses::mix(const Problem& problem, double share) {
  force_ += share * (other_force_ - force_);
  joint_impacts_ += share * (other_joint_impacts_ - joint_impacts_);
  joint_contacts_ += share * (other_joint_contacts_ - joint_contacts_);
  for (const int point : contacts_.points_of(problem.island)) {
    const auto i = static_cast<std::size_t>(point);
    VelocityReaction& reaction = reactions_[i];
    reaction.impulse += share * (other_reactions_[i].impulse - reaction.impulse);
    reaction.force += share * (other_reactions_[i].force - reaction.force);
    reaction.lasting += share * (other_reactions_[i].lasting - reaction.lasting);
  }
  const auto take = [&](SubImpact& part, double weight) {
    part.impulse *= weight;
    part.force *= weight;
    part.normal_loss *= weight;
    part.friction_loss *= weight;
  };
  for (SubImpact& part : impacts_) {
    if (is_of(problem, part)) take(part, 1 - share);
  }
  for (SubImpact& part : other_impacts_) {
    if (!is_of(problem, part)) continue;
    take(part, share);
    impacts_.push_back(part);
  }
}

bool ContactImpulses::is_of(const Problem& problem, const SubImpact& part) const {
  const auto point = static_cast<std::size_t>(part.point);
  return contacts_.island_of(contacts_.points()[point]) == problem.island;
}

/// Of an earlier solution of the island.
void ContactImpulses::clear(const Problem& problem) {
  const Islands& islands = contacts_.islands();
  std::erase_if(impacts_, [&](const SubImpact& part) { return is_of(problem, part); });
  if (!islands.is_free(problem.island)) {
    jump_.setZero();
    for (int row = 0; row < system_.constraints(); ++row) {
      if (islands.of_unknown(system_.velocities() + row) != problem.island) continue;
      joint_impacts_[row] = joint_contacts_[row] = 0;
    }
  }
  for (const int i : contacts_.points_of(problem.island)) {
    reactions_[static_cast<std::size_t>(i)].lasting.setZero();
    const ContactElement& e = contacts_.points()[static_cast<std::size_t>(i)].element();
    for (const int node : {e.node_A, e.node_B}) {
      const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
      if (n.unknowns == 0) continue;
      force_.segment(n.first_unknown, n.unknowns).setZero();
      jump_.segment(n.first_unknown, n.unknowns).setZero();
    }
  }
}

/// How much of the solution is that of all closed contacts at once, 0 to 1; the rest is that of the
/// sequence. Where nothing bounces all of it: in chains without friction that is the limit of the
/// sequence.
double ContactImpulses::share_together(const Problem& problem) const {
  if (options_.multiple_impacts == MultipleImpacts::Simultaneous) return 1;
  const double fastest = contacts_.largest_approach(problem.island);
  bool impact = false;
  double restitution = 0;
  int closed = 0;
  for (const int i : contacts_.points_of(problem.island)) {
    const ContactGeometry& c = contacts_.points()[static_cast<std::size_t>(i)];
    if (!c.closed) continue;
    ++closed;
    impact |= is_impact(c, problem.speed);
    restitution = std::max(restitution, contacts_.restitution(c, problem.speed, fastest));
  }
  if (!impact || closed == 1) return 1;
  return inelastic_share(restitution);
}

bool ContactImpulses::solve_at_once(const Problem& problem, VectorX& x, StepReport& report) {
  look_before(problem);
  pose_closed(problem);
  if (contacts_.members().empty()) return true;
  set_joints(problem, x, true);
  for (const int i : contacts_.members()) {
    const ContactGeometry& c = contacts_.points()[static_cast<std::size_t>(i)];
    const double slip = c.velocity_n.segment<2>(1).norm();
    reactions_[static_cast<std::size_t>(i)].along_mean =
        c.turned && c.slipped && contacts_.members().size() <= many_contacts &&
        slip > VelocityTuning::contact_velocity_tolerance * problem.speed;
  }
  return solve_members(problem, x, report);
}

/// Who slips all through the step, and only he, has friction along the mean of the slip. The others
/// come to rest or turn back in it: they get that of the end, and the problem is solved once more.
bool ContactImpulses::leave_mean(const Problem& problem) {
  bool found = false;
  const std::vector<int>& members = contacts_.members();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    VelocityReaction& reaction = reactions_[i];
    if (!reaction.along_mean) continue;
    const ContactGeometry& c = contacts_.points()[i];
    const Vector6 l = contacts_.reaction(k, l_);
    const Vector6 after = velocity_now(problem, i) + c.H * local(w_, c.element());
    const bool slips = l[0] <= 0 || (contacts_.usage(c, reaction.mu, l, friction_parts[0]) >=
                                         1 - VelocityTuning::status_margin &&
                                     after.segment<2>(1).dot(c.velocity_n.segment<2>(1)) > 0);
    if (slips) continue;
    reaction.along_mean = false;
    found = true;
  }
  return found;
}

/// What the members give in the problem at hand is no impact.
void ContactImpulses::set_lasting(const Problem& problem) {
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    reactions_[static_cast<std::size_t>(contacts_.members()[k])].lasting +=
        problem.scale * contacts_.reaction(k, l_);
  }
}

/// All was solved together: of that, joints got by the impact what is not left for the forces of
/// the step after it. Where a contact bounces nothing lasts: all is impact. Who has neither joints
/// nor their stops has nobody who asks.
void ContactImpulses::take_out_impacts(const Problem& problem) {
  if (!contacts_.has_impact(problem.island, problem.speed)) return set_lasting(problem);
  const bool is_local = contacts_.problem().local;
  const bool is_asked = !is_local || std::ranges::any_of(contacts_.members(), [&](int i) {
    return contacts_.points()[static_cast<std::size_t>(i)].element().is_of_joint();
  });
  if (!is_asked) return;
  const bool bounces = std::ranges::any_of(contacts_.members(), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    return is_impact(contacts_.points()[k], problem.speed) && reactions_[k].restitution > 0;
  });
  if (!is_local) joint_impacts_ += w_.tail(system_.constraints());
  if (bounces) return;
  kept_w_ = w_;
  kept_l_ = l_;
  leave_forces(problem, is_local ? loads_solver_ : solver_);
  if (!is_local) joint_impacts_ -= w_.tail(system_.constraints());
  set_lasting(problem);
  phase_ = Phase::Together;
  std::swap(w_, kept_w_);
  std::swap(l_, kept_l_);
}

/// The impact by itself, and after it the forces of the step by themselves, in w_: the difference
/// of two solutions of the impact would be as large as it is where reactions are not unique, as in
/// a hinged rod whose tip sticks.
void ContactImpulses::leave_forces(const Problem& problem, nonsmooth::ContactSolver& solver) {
  phase_ = Phase::Impacts;
  solve_with_loads(problem, 1, solver);
  jump_ = w_.head(system_.velocities());
  solve_forces_alone(problem, solver);
  jump_.setZero();  // as it was: nothing has acted yet
}

/// No contact bounces.
SolveReport ContactImpulses::solve_forces_alone(const Problem& problem,
                                                nonsmooth::ContactSolver& solver) {
  phase_ = Phase::Forces;
  const auto exchange_approaches = [&] {
    for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
      std::swap(reactions_[static_cast<std::size_t>(contacts_.members()[k])].approach,
                approaches_[k]);
    }
  };
  approaches_.assign(contacts_.members().size(), 0.0);
  exchange_approaches();
  const SolveReport solved = solve_with_loads(problem, 0, solver);
  exchange_approaches();
  return solved;
}

bool ContactImpulses::add_joint_loads(const Problem& problem, VectorX& loads) {
  jump_.setZero();
  pose_closed(problem);
  if (contacts_.members().empty()) return true;
  joint_base_.setZero();
  if (problem.joints != nullptr) joint_base_ = *problem.joints;
  load_time_ = problem.h;
  const SolveReport solved = solve_forces_alone(problem, loads_solver_);
  const bool found = solved.status == SolveStatus::Converged && l_.allFinite();
  contacts_.take_response(w_, [&](int unknown, double change) {
    if (found && unknown >= system_.velocities()) loads[unknown - system_.velocities()] += change;
  });
  return found;
}

Vector6 ContactImpulses::load_of_point(std::size_t i) const {
  const std::vector<int>& members = contacts_.members();
  const auto at = std::ranges::find(members, static_cast<int>(i));
  if (at == members.end()) return Vector6::Zero();
  return contacts_.reaction(static_cast<std::size_t>(at - members.begin()), l_);
}

void ContactImpulses::pose_closed(const Problem& problem) {
  contacts_.pose(
      problem.kkt, problem.island, [&](std::size_t i) { return contacts_.points()[i].closed; },
      [&](std::size_t i) { return reactions_[i].mu; });
}

/// Impacts take no time: the forces of the step do not act in them. Rough contacts under load hold
/// what they touch from the first impact on; others that rest take part when one presses them.
bool ContactImpulses::solve_sequence(const Problem& problem, VectorX& x, StepReport& report) {
  // The approach of the step's beginning is the scale of what still counts as an impact in it.
  const double slow = ImpulseTuning::slowest_impact * contacts_.largest_approach(problem.island);
  set_joints(problem, x, false);
  for (const int i : contacts_.points_of(problem.island)) {
    VelocityReaction& reaction = reactions_[static_cast<std::size_t>(i)];
    reaction.impulse.setZero();
    reaction.force.setZero();
  }
  for (; pose_approaching(problem, slow); ++order_) {
    if (order_ > ImpulseTuning::longest_sequence) {
      const auto first = static_cast<std::size_t>(contacts_.members().front());
      report.warn(fmt::format(
          "contact \"{}\": an impact did not end after {} impact problems: the contacts "
          "that still approached were stopped",
          contacts_.name(contacts_.points()[first]), ImpulseTuning::longest_sequence));
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
  const std::span<const int> points = contacts_.points_of(problem.island);
  for (const int i : points) reactions_[static_cast<std::size_t>(i)].approach = 0;
  for (const SubImpact& part : impacts_) {
    const auto i = static_cast<std::size_t>(part.point);
    if (!part.is_impact || !is_of(problem, part)) continue;
    // Contacts that were solved together hold against the forces already.
    const Vector6 u = after_sequence ? velocity_before(problem, i) : velocity_now(problem, i);
    reactions_[i].approach = std::max(0.0, u[0]);
  }
  bool found = false;
  const double resting = VelocityTuning::contact_velocity_tolerance * problem.speed;
  for (const int point : points) {
    const auto i = static_cast<std::size_t>(point);
    found |= contacts_.points()[i].closed &&
             velocity_now(problem, i)[0] - reactions_[i].approach < -resting;
  }
  if (!found && !(after_sequence && has_slides(problem))) return true;
  pose_closed(problem);
  set_joints(problem, x, after_sequence);
  return solve_members(problem, x, report);
}

/// The velocities before the next problem, and the friction that goes with them.
void ContactImpulses::look_before(const Problem& problem) {
  for (const int point : contacts_.points_of(problem.island)) {
    const auto i = static_cast<std::size_t>(point);
    const ContactGeometry& c = contacts_.points()[i];
    if (!c.closed) continue;
    const Vector6 before = velocity_before(problem, i);
    const double approach = std::min(0.0, before[0]);
    reactions_[i].approach = approach;
    reactions_[i].restitution = coefficient_of_restitution(contacts_.law(c).restitution, -approach);
    reactions_[i].mu = coefficient(contacts_.law(c).friction, before.segment<2>(1).norm());
  }
}

/// Without the forces of the step. A contact that lasts and is turned by the step approaches along
/// the rows of its end though it rests: for it, those of its beginning count.
Vector6 ContactImpulses::velocity_before(const Problem& problem, std::size_t i) const {
  const ContactGeometry& c = contacts_.points()[i];
  const ContactElement& e = c.element();
  if (!is_impact(c, problem.speed)) return c.velocity_n + c.H * local(jump_, e);
  Vector6 u = c.H * (local(problem.start, e) + local(jump_, e));
  u.head<3>() -= e.surface_velocity;
  return u;
}

/// With them, as far as the contacts are solved.
Vector6 ContactImpulses::velocity_now(const Problem& problem, std::size_t i) const {
  const ContactGeometry& c = contacts_.points()[i];
  const ContactElement& e = c.element();
  Vector6 u = c.H * (local(problem.free, e) + local(jump_, e));
  u.head<3>() -= e.surface_velocity;
  return u;
}

bool ContactImpulses::pose_approaching(const Problem& problem, double threshold) {
  look_before(problem);
  const std::vector<ContactGeometry>& points = contacts_.points();
  const bool found = std::ranges::any_of(contacts_.points_of(problem.island), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    return points[k].closed && reactions_[k].approach < -threshold;
  });
  if (!found) return false;
  const auto approaches = [&](std::size_t i) {
    return points[i].closed && reactions_[i].approach < -threshold;
  };
  const auto holds = [&](std::size_t i) {
    const ContactGeometry& c = points[i];
    if (c.element().slide() != nullptr) return true;
    // What parts already does not hold any more.
    return order_ == 1 && c.closed && c.hold > 0 && !is_approach(-c.velocity_n[0], problem.speed);
  };
  const auto friction = [&](std::size_t i) { return reactions_[i].mu; };
  const bool yields = std::ranges::any_of(contacts_.points_of(problem.island), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    const bool is_slide = points[k].element().slide() != nullptr;
    return holds(k) && !is_slide && points[k].hold < 1 && !approaches(k);
  });
  if (yields) {  // what the impact would do to them if they did not hold
    contacts_.pose(problem.kkt, problem.island, approaches, friction);
    solve_problem(problem, 1);
  }
  for (const int point : contacts_.points_of(problem.island)) {
    const auto i = static_cast<std::size_t>(point);
    VelocityReaction& reaction = reactions_[i];
    reaction.yields = 0;
    const ContactGeometry& c = points[i];
    if (!yields || !holds(i) || approaches(i) || c.element().slide() != nullptr) continue;
    const double free = (velocity_before(problem, i) + c.H * local(w_, c.element()))[0];
    reaction.yields = (1 - c.hold) * std::min(0.0, free);  // multiple_impacts.md (3h)
  }
  if (yields) contacts_.take_response(w_, [](int, double) {});
  contacts_.pose(
      problem.kkt, problem.island, [&](std::size_t i) { return approaches(i) || holds(i); },
      friction);
  return true;
}

/// One contact problem, its impulses and what it does to the velocities.
bool ContactImpulses::solve_members(const Problem& problem, VectorX& x, StepReport& report) {
  const std::vector<int>& members = contacts_.members();
  const bool impacts = phase_ != Phase::Forces;
  SolveReport solved = solve_with_loads(problem, impacts ? 1 : 0, solver_, &report);
  while (phase_ == Phase::Together && leave_mean(problem)) {
    solved = solve_with_loads(problem, 1, solver_, &report);
  }
  bool bounces = false;
  for (const int i : members) {
    const auto k = static_cast<std::size_t>(i);
    const ContactLaw& law = contacts_.law(contacts_.points()[k]);
    bounces |= impacts && is_approach(reactions_[k].approach, problem.speed) &&
               (reactions_[k].restitution != 0 || law.tangential_restitution != 0);
  }
  if (solved.status == SolveStatus::Incompatible && bounces) {
    report.warn(
        fmt::format("contact \"{}\": restitution contradicts {}; this impact is taken without "
                    "restitution",
                    name_of_worst(solved), contacts_.others(problem.island)));
    solved = solve_problem(problem, 0);
  } else if (bounces && members.size() > 1) {
    keep_energy(problem, solved, report);
  }
  extra_iterations_ += std::max(0, solved.iterations - (extra_iterations_ == 0 ? 1 : 0));
  book(problem);
  const bool local = contacts_.problem().local;
  const bool finite = l_.allFinite() && (local || w_.allFinite());
  if (finite && phase_ == Phase::Together) take_out_impacts(problem);
  if (finite && phase_ == Phase::Forces) set_lasting(problem);
  add_response(x);
  return judge(problem, solved, finite, report);
}

/// Impulses of joints before the problem's own: of the whole step, as far as no impact made them,
/// or none.
void ContactImpulses::set_joints(const Problem& problem, const VectorX& x, bool with_forces) {
  joint_base_.setZero();
  load_time_ = 0;
  if (!with_forces || problem.joints == nullptr) return;
  joint_base_ = *problem.joints + problem.scale * (x.tail(system_.constraints()) - joint_impacts_);
  load_time_ = problem.h;
}

bool ContactImpulses::has_slides(const Problem& problem) const {
  return std::ranges::any_of(contacts_.points_of(problem.island), [&](int i) {
    return contacts_.points()[static_cast<std::size_t>(i)].element().slide() != nullptr;
  });
}

/// The bound of a joint's friction for the solution at hand, in the unit of reactions. Within an
/// impact only what it does itself presses.
double ContactImpulses::joint_load_of(const Problem& problem, std::size_t i) {
  joint_total_ = problem.scale * w_.tail(system_.constraints());
  const bool is_impact = phase_ == Phase::Impacts;
  if (!is_impact) joint_total_ += joint_base_;
  return contacts_.load_of(i, joint_total_, is_impact ? 0 : load_time_) / problem.scale;
}

/// The bounds of friction in joints belong to the reactions that they take part in.
SolveReport ContactImpulses::solve_with_loads(const Problem& problem, double restitution,
                                              nonsmooth::ContactSolver& solver,
                                              StepReport* report) {
  SolveReport solved;
  if (!has_slides(problem)) return solve_problem(problem, restitution, solver);
  w_.setZero(system_.unknowns());
  const bool settled = loads_.settle([&](std::size_t i) { return joint_load_of(problem, i); },
                                     [&] { solved = solve_problem(problem, restitution, solver); });
  if (!settled && report != nullptr) {
    report->accurate = false;
    report->warn(
        fmt::format("joint \"{}\": its friction and the reaction that its bound follows do "
                    "not settle: a joint that wedges",
                    contacts_.name(contacts_.points()[loads_.worst()])));
  }
  return solved;
}

/// What the solution does to velocities and joints.
void ContactImpulses::add_response(VectorX& x) {
  const int n_v = system_.velocities();
  contacts_.take_response(w_, [&](int unknown, double change) {
    x[unknown] += change;
    if (unknown < n_v) {
      jump_[unknown] += change;
      return;
    }
    joint_contacts_[unknown - n_v] += change;
    if (phase_ == Phase::Impacts) joint_impacts_[unknown - n_v] += change;
  });
}

/// Newton's law in several impacts at once may win energy. Then their restitution is reduced by one
/// factor κ, to the largest with which it does not. Between a κ that loses and one that wins, what
/// is lost is nearly quadratic in it: regula falsi, with the weights of Illinois, finds the root;
/// the κ that loses is taken.
void ContactImpulses::keep_energy(const Problem& problem, SolveReport& solved, StepReport& report) {
  double wins = loss(problem);
  const double small = ImpulseTuning::negligible_gain * size_of_losses(problem);
  if (wins >= -small) return;
  double lower = 0, upper = 1;  // κ
  solved = solve_problem(problem, lower);
  double loses = loss(problem);
  double side = 0;
  for (int i = 0; i < ImpulseTuning::most_reductions && loses > small; ++i) {
    const double kappa = lower + (upper - lower) * loses / (loses - wins);
    if (!(kappa > lower && kappa < upper)) break;
    solved = solve_problem(problem, kappa);
    const double found = loss(problem);
    const bool is_loss = found >= -small;
    (is_loss ? lower : upper) = kappa;
    (is_loss ? loses : wins) = found;
    // The end that stays twice is given half its weight.
    if (side == (is_loss ? 1 : -1)) (is_loss ? wins : loses) /= 2;
    side = is_loss ? 1 : -1;
    if (is_loss && found <= small) break;
  }
  solved = solve_problem(problem, lower);
  report.warn(
      fmt::format("contact \"{}\": several impacts at once would win energy: their "
                  "restitution is reduced",
                  contacts_.name(
                      contacts_.points()[static_cast<std::size_t>(contacts_.members().front())])),
      fmt::format("by {:.2g} of what is given", 1 - lower));
}

/// What the members' impulses take from the kinetic energy.
double ContactImpulses::loss(const Problem& problem) const {
  double sum = 0;
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.members()[k]);
    sum -= problem.scale * contacts_.reaction(k, l_).dot(mean_velocity(problem, i));
  }
  return sum;
}

/// Of what such losses are the difference.
double ContactImpulses::size_of_losses(const Problem& problem) const {
  double sum = 0;
  for (std::size_t k = 0; k < contacts_.members().size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.members()[k]);
    const double impulse = (problem.scale * contacts_.reaction(k, l_)).norm();
    sum += impulse * (velocity_before(problem, i).norm() + mean_velocity(problem, i).norm());
  }
  return sum;
}

/// Half way between the velocities before and after the problem, along the directions of the
/// reactions. In a sequence forces do no work in an impact.
Vector6 ContactImpulses::mean_velocity(const Problem& problem, std::size_t i) const {
  const ContactGeometry& c = contacts_.points()[i];
  const ContactElement& e = c.element();
  const Vector12 gained = local(w_, e);
  const Vector12 before = local(problem.start, e) + local(jump_, e);
  const Vector12 now = local(problem.free, e) + local(jump_, e);
  const Vector12 start = phase_ == Phase::Impacts ? before : Vector12((before + now) / 2);
  Vector6 mean = c.F * (start + gained / 2);
  mean.head<3>() -= e.surface_velocity;
  return mean;
}

/// The starts of single problems of a sequence are none: who is pushed is new each time. All
/// contacts at once start from the last solution, which in a lasting contact is nearly this one.
SolveReport ContactImpulses::solve_problem(const Problem& problem, double restitution,
                                           nonsmooth::ContactSolver& solver) {
  const std::vector<int>& members = contacts_.members();
  l_.resize(contacts_.problem().rows());
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    const VelocityReaction& c = reactions_[i];
    const ContactLaw& law = contacts_.law(contacts_.points()[i]);
    Vector6 b = phase_ == Phase::Impacts ? velocity_before(problem, i) : velocity_now(problem, i);
    if (phase_ == Phase::Forces) b[0] -= c.approach;                  // multiple_impacts.md (5)
    if (phase_ == Phase::Impacts && order_ == 1) b[0] -= c.yields;    // multiple_impacts.md (3h)
    if (restitution > 0 && is_approach(c.approach, problem.speed)) {  // frictional_contact.md (16)
      b[0] += restitution * c.restitution * c.approach;
      b.segment<2>(1) +=
          restitution * law.tangential_restitution * velocity_before(problem, i).segment<2>(1);
    }
    if (phase_ == Phase::Together && c.along_mean) {  // nonsmooth_generalized_alpha.md (27)
      // Spinning too where it shares the bound.
      const bool coupled = contacts_.points()[i].element().has_moments && law.coupled;
      b.segment(1, coupled ? 3 : 2) += contacts_.points()[i].velocity_n.segment(1, coupled ? 3 : 2);
    }
    const bool warm = phase_ == Phase::Together;
    const Vector6 first = warm ? Vector6(c.impulse / problem.scale) : Vector6(Vector6::Zero());
    contacts_.put(k, b, true, first, l_);
  }
  return solver.solve(contacts_.problem(), velocity_solver_options(options_.solver, problem.speed),
                      l_, w_);
}

/// Impulses, and in a step with an impact the list of who got them: losses are those of the
/// impulses along the mean of the velocities before and after the problem.
void ContactImpulses::book(const Problem& problem) {
  const std::vector<int>& members = contacts_.members();
  const bool impact =
      phase_ != Phase::Together || contacts_.has_impact(problem.island, problem.speed);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    const ContactGeometry& c = contacts_.points()[i];
    VelocityReaction& reaction = reactions_[i];
    const ContactElement& e = c.element();
    const Vector6 l = problem.scale * contacts_.reaction(k, l_);
    reaction.impulse = phase_ == Phase::Together ? l : Vector6(reaction.impulse + l);
    const Vector3 force = c.inertial(l);
    reaction.force = phase_ == Phase::Together ? force : Vector3(reaction.force + force);
    if (l[0] == 0) continue;
    system_.scatter(Vector12(c.F.transpose() * l), e.node_A, e.node_B, force_);
    if (!impact) continue;
    const Vector12 gained = local(w_, e);
    const Vector6 mean = mean_velocity(problem, i);
    SubImpact& part = impacts_.emplace_back();
    part.point = static_cast<int>(i);
    part.order = order_;
    part.impulse = l;
    part.by_forces = phase_ == Phase::Forces;
    part.force = force;
    part.normal = c.axes().col(0);
    const Vector6 u = velocity_before(problem, i);
    const Vector6 after = (phase_ == Phase::Impacts ? u : velocity_now(problem, i)) + c.H * gained;
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
bool ContactImpulses::judge(const Problem& problem, const SolveReport& solved, bool finite,
                            StepReport& report) {
  const bool not_unique = solved.status == SolveStatus::NotUnique;
  report.accurate &= solved.status == SolveStatus::Converged || not_unique;
  report.contact_residual = std::max(report.contact_residual, solved.residual);
  const bool many = contacts_.members().size() > many_contacts;
  const double worst = many ? ImpulseTuning::worst_residual_of_many : ImpulseTuning::worst_residual;
  if (solved.status == SolveStatus::Incompatible) {
    report.contradiction = std::max(report.contradiction, solved.approach);
    report.warn(fmt::format("contact \"{}\": it contradicts {}", name_of_worst(solved),
                            contacts_.others(problem.island)),
                fmt::format("their velocities are met to {:.2g} m/s",
                            std::max(solved.approach, solved.stick_slip)));
  } else if (not_unique) {
    report.warn(
        "velocity correction: reactions are not unique: they grow without changing motions",
        fmt::format("contact \"{}\", residual {:.1e}, approach {:.1e} m/s, slip {:.1e} m/s",
                    name_of_worst(solved), solved.residual, solved.approach, solved.stick_slip));
  } else if (solved.status == SolveStatus::Inaccurate && solved.residual <= worst) {
    report.warn(
        "velocity correction: the contact laws are met less accurately than asked for",
        fmt::format("contact \"{}\", residual {:.1e}, approach {:.1e} m/s, tried: {}",
                    name_of_worst(solved), solved.residual, solved.approach, solved.tried()));
  }
  const bool too_far = solved.status == SolveStatus::Inaccurate && !(solved.residual <= worst);
  if (!too_far && finite) return true;
  report.message = fmt::format(
      "velocity correction: the contact laws are met to {:.1e} only, worst at \"{}\" (tried: {})",
      solved.residual, name_of_worst(solved), solved.tried());
  return false;
}

}  // namespace saltus
