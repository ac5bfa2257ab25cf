// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/jamming.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {

namespace {

/// Whether a body has no inertia about an axis.
bool is_thin(const RigidInertia& body) {
  const double size = body.tensor.trace() / 3;
  return !(body.tensor.determinant() > VelocityTuning::thin_body * size * size * size);
}

}  // namespace

VelocityCorrection::VelocityCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                                       const CorrectionOptions& options)
    : system_(system),
      kkt_(kkt),
      contacts_(contacts),
      options_(options),
      impulses_(system, contacts, options.contacts),
      matrices_(system.components().size()),
      has_matrix_(system.components().size(), 0) {
  for (VectorX* v : {&W_, &r_, &Mx_, &work_, &reaction_, &reaction_at_start_, &zero_, &difference_})
    v->setZero(system.velocities());
  g_.setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
}

bool VelocityCorrection::solve(const SmoothMotion& smooth, const PositionCorrection& position,
                               const StepData& step) {
  const std::vector<PositionReaction>& positions = position.reactions();
  skip(smooth, step);
  W_.setZero();
  step.next.velocity = smooth.velocity();
  step.next.impulse.setZero();
  const Islands& islands = contacts_.islands();
  if (!contacts_.empty()) contacts_.linearize(step.next.configuration);
  for (const int island : contacts_.islands_with_points()) begin(island, smooth, positions, step);
  if (!has_work()) return true;
  leave_free_bodies();
  if (step.frozen != nullptr) leave_frozen(step);
  mark_lasting();
  find_struck(smooth, position.increment(), step.start);
  // That takes an iteration or two more: with few of them there is none to spare.
  constexpr int few_iterations = 5;
  const bool may_begin = options_.max_iterations > few_iterations;
  for (std::size_t c = 0; c < has_matrix_.size(); ++c) {
    has_matrix_[c] = may_begin && position.leaves_matrix(static_cast<int>(c)) ? 1 : 0;
  }
  if (!iterate(smooth, step)) return false;
  // Those that win energy once more, along the rows of the end.
  bool again = false;
  for (const int island : contacts_.islands_with_points()) {
    if (!wins_energy(island, step)) continue;
    again = true;
    part(island) = {.has_impact = part(island).has_impact,
                    .is_jamming_told = part(island).is_jamming_told};
    begin_search(island, positions, step);
    contacts_.turn_back(island);
    for (int i = 0; i < system_.unknowns(); ++i) {
      if (islands.of_unknown(i) != island) continue;
      if (i >= system_.velocities()) {
        step.next.impulse[i - system_.velocities()] = 0;
        continue;
      }
      W_[i] = 0;
      step.next.velocity[i] = smooth.velocity()[i];
    }
  }
  if (!again) return true;
  mark_lasting();
  return iterate(smooth, step);
}

bool VelocityCorrection::has_work() const {
  return system_.constraints() > 0 || !contacts_.islands_with_points().empty();
}

void VelocityCorrection::skip(const SmoothMotion& smooth, const StepData& step) {
  contacts_.divide(ContactSet::Connecting::Closed);
  parts_.assign(static_cast<std::size_t>(contacts_.islands().count()), {});
  if (has_work()) {
    speed_scales(system_, contacts_.islands(), smooth.velocity(), step.next.acceleration, step.h,
                 sizes_, speeds_);
  }
  impulses_.begin_step();
  struck_.clear();
  has_forces_ = false;
  difference_.setZero();
}

/// What neither joints nor contacts hold has nothing to correct, whatever else is in the model: its
/// residual is round-off.
void VelocityCorrection::leave_free_bodies() {
  const std::vector<Component>& components = system_.components();
  for (std::size_t c = 0; c < components.size(); ++c) {
    const int island = contacts_.islands().of_component(static_cast<int>(c));
    if (components[c].constraints == 0 && contacts_.points_of(island).empty()) {
      part(island).is_done = true;
    }
  }
}

void VelocityCorrection::leave_frozen(const StepData& step) {
  for (std::size_t c = 0; c < step.frozen->size(); ++c) {
    if ((*step.frozen)[c] == 0) continue;
    Part& p = part(contacts_.islands().of_component(static_cast<int>(c)));
    p.is_frozen = p.is_done = true;
  }
}

void VelocityCorrection::find_failed(StepReport& report) const {
  report.failed = components_of(system_, contacts_.islands(),
                                [&](int island) { return part(island).has_failed; });
}

void VelocityCorrection::begin_search(int island, const std::vector<PositionReaction>& positions,
                                      const StepData& step) {
  for (const int point : contacts_.points_of(island)) {
    const auto i = static_cast<std::size_t>(point);
    impulses_.begin_at(i, 2 / step.h * positions[i].nu);  // frictional_contact.md (15)
  }
}

/// Where the search for impulses begins, and along which rows they act.
void VelocityCorrection::begin(int island, const SmoothMotion& smooth,
                               const std::vector<PositionReaction>& positions,
                               const StepData& step) {
  begin_search(island, positions, step);
  const double speed = speeds_[static_cast<std::size_t>(island)];
  part(island).lasting = contacts_.turn_lasting(island, step.start, speed);
  contacts_.find_touching_rows(island, step.start, smooth.configuration(), speed);
}

/// An impact turns bodies in no time, but the correction of positions turns their axes: by the way
/// that is left of the step with the new spin. What an impact keeps is the angular momentum along
/// inertial axes, so that its components along the body's turn back by U. In a contact that lasts U
/// is of second order, and the mean of the rows does the same.
/// (nonsmooth_generalized_alpha.md, eq. 26)
void VelocityCorrection::find_struck(const SmoothMotion& smooth, const VectorX& U,
                                     const State& start) {
  start_ = start.velocity;
  bool found = false;
  for (const int island : contacts_.islands_with_points()) {
    Part& p = part(island);
    p.has_impact = contacts_.has_impact(island, speeds_[static_cast<std::size_t>(island)]);
    found |= p.has_impact;
  }
  if (!found) return;
  for (const RigidInertia& body : system_.elements().inertias) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(body.node)];
    if (!node.turns() || !part(contacts_.islands().of_node(body.node)).has_impact) continue;
    const Vector3 momentum = body.mass_times(node.local(smooth.velocity())).tail<3>();
    const Matrix3 turn = lie::so3::exp(Vector3(U.segment<3>(node.first_unknown + 3)));
    struck_.push_back({&body, turn.transpose() * momentum - momentum});
    auto spin = start_.segment<3>(node.first_unknown + 3);
    const Matrix3& J = body.tensor;
    spin = is_thin(body) ? Vector3(turn.transpose() * spin)
                         : Vector3(J.inverse() * (turn.transpose() * (J * spin)));
  }
}

/// In their balance, M W − h f* − …: momentum is kept, and what gyroscopic moments do to its
/// components along the body axes while these turn is done by U already.
void VelocityCorrection::turn_momentum(const SmoothMotion& smooth, const StepData& step) {
  const Vector6 rest = Vector6::Zero();
  for (const Struck& s : struck_) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(s.body->node)];
    auto r = r_.segment<3>(node.first_unknown + 3);
    r -= s.turned;
    if (!options_.force_difference) continue;
    const Vector6 now = s.body->force(node.local(step.next.velocity), rest);
    const Vector6 before = s.body->force(node.local(smooth.velocity()), rest);
    r -= step.shares.velocity * step.h * (now - before).tail<3>();
  }
}

/// And in its derivative.
void VelocityCorrection::find_gyroscopic_blocks(const StepData& step) {
  gyroscopic_.clear();
  if (!options_.force_difference) return;
  const double c = step.shares.velocity * step.h;
  for (const Struck& s : struck_) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(s.body->node)];
    const Vector6 v = node.local(step.next.velocity);
    gyroscopic_.push_back({s.body->node, -c * s.body->gyroscopic_matrix(v)});
  }
}

void VelocityCorrection::renew_accelerations(const SmoothMotion& smooth, State& next) const {
  const Vector6 rest = Vector6::Zero();
  for (const Struck& s : struck_) {
    const Node& node = system_.nodes()[static_cast<std::size_t>(s.body->node)];
    const Vector6 now = s.body->force(node.local(next.velocity), rest);
    const Vector6 before = s.body->force(node.local(smooth.velocity()), rest);
    if (is_thin(*s.body)) continue;
    const Vector3 change = s.body->tensor.inverse() * (before - now).tail<3>();
    next.acceleration.segment<3>(node.first_unknown + 3) += change;
    next.pseudo_acceleration.segment<3>(node.first_unknown + 3) += change;
  }
}

/// A step of the motion after the impact: along the rows of its end, which have what turning bodies
/// ask for.                                                                                (32)
void VelocityCorrection::find_joint_loads(const std::vector<char>& left_out, const StepData& step,
                                          const After& after, VectorX& loads) {
  const Islands& islands = contacts_.islands();
  const auto is_meant = [&](int island) { return left_out[static_cast<std::size_t>(island)] == 0; };
  for (const int island : contacts_.islands_with_points()) {
    const double parting =
        VelocityTuning::contact_velocity_tolerance * speeds_[static_cast<std::size_t>(island)];
    for (const int point : contacts_.points_of(island)) {
      const auto i = static_cast<std::size_t>(point);
      if (contacts_.velocity(step.next.velocity, i)[0] > parting) contacts_.set_closed(i, false);
    }
  }
  contacts_.linearize(after.ahead);
  for (const int island : contacts_.islands_with_points()) {
    if (!is_meant(island)) continue;
    loads_.setZero(system_.constraints());
    if (!impulses_.add_joint_loads({.island = island,
                                    .kkt = after.kkt,
                                    .start = step.next.velocity,
                                    .free = after.free,
                                    .speed = speeds_[static_cast<std::size_t>(island)],
                                    .h = step.h,
                                    .joints = &after.joints},
                                   loads_)) {
      continue;
    }
    for (const int point : contacts_.points_of(island)) {
      const auto i = static_cast<std::size_t>(point);
      if (!contacts_.points()[i].element().is_of_joint()) continue;
      const ContactIndex index = contacts_.points()[i].contact;
      const auto at =
          std::ranges::lower_bound(step.next.contacts, index, {}, &ContactState::contact);
      if (at == step.next.contacts.end() || at->contact != index) continue;
      const bool slips = at->load.slips;
      at->load = contacts_.joint_load(i, impulses_.load_of_point(i) / step.h);
      at->load.slips = slips;
    }
    for (int row = 0; row < system_.constraints(); ++row) {
      if (islands.of_unknown(system_.velocities() + row) == island)
        loads[row] = loads_[row] / step.h;
    }
  }
}

/// Joints of islands in which contacts last react along a mean, too.
void VelocityCorrection::mark_lasting() {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  turned_joints_.resize(joints.size());
  any_lasting_ = false;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    turned_joints_[i] = 0;
    if (joints[i].element.rows() == 0) continue;  // a rope
    const int island = contacts_.islands().of_unknown(system_.velocities() + joints[i].first_row);
    turned_joints_[i] = part(island).lasting ? 1 : 0;
    any_lasting_ |= part(island).lasting;
  }
}

/// Reactions along the mean of the rows do work of third order in the angle by which they turn.
/// Inside of something hollow they may turn too far for that in a step, and between two contacts
/// that nearly contradict each other a little is much: that may be a gain. Along the rows of the
/// end none is possible.
bool VelocityCorrection::wins_energy(int island, const StepData& step) {
  const std::vector<ContactGeometry>& points = contacts_.points();
  const std::vector<VelocityReaction>& reactions = impulses_.reactions();
  bool turned = false;
  for (const int point : contacts_.points_of(island)) {
    const auto i = static_cast<std::size_t>(point);
    turned |= points[i].turned && reactions[i].impulse[0] != 0 && points[i].element().is_hollow();
  }
  if (!turned) return false;
  double work = 0;
  work_ = (step.start.velocity + step.next.velocity) / 2;
  for (const int point : contacts_.points_of(island)) {
    const auto i = static_cast<std::size_t>(point);
    const Vector6& impulse = reactions[i].impulse;
    if (impulse[0] == 0) continue;
    const ContactGeometry& c = points[i];
    const ContactElement& e = c.element();
    Vector6 u = c.F * system_.local(work_, e.node_A, e.node_B);
    u.head<3>() -= e.surface_velocity;
    work += impulse.dot(u);
  }
  if (!(work > 0)) return false;
  const Islands& islands = contacts_.islands();
  const double before =
      kinetic_energy(system_, islands, island, step.start.configuration, step.start.velocity, Mx_);
  const double after =
      kinetic_energy(system_, islands, island, step.next.configuration, step.next.velocity, Mx_);
  return work > VelocityTuning::turning_gain * std::max(before, after);
}

bool VelocityCorrection::iterate(const SmoothMotion& smooth, const StepData& step) {
  for (int i = 0;; ++i) {
    evaluate(smooth, step);
    if (has_converged(i, smooth, step)) break;
    bool has_failed = false;
    for (Part& p : parts_) {
      p.has_failed = !std::isfinite(p.violation) || (i == options_.max_iterations && !p.is_done);
      has_failed |= p.has_failed;
    }
    if (has_failed) {
      describe_failure(step, i);
      find_failed(step.report);
      return false;
    }
    if (needs_matrix(i) && !linearize(step)) return false;
    x_.head(system_.velocities()) = -r_;
    x_.tail(system_.constraints()) = g_;
    kkt_.solve(x_);
    is_done_.resize(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) is_done_[p] = parts_[p].is_done ? 1 : 0;
    leave_out(contacts_.islands(), is_done_, x_);
    const bool solved = solve_contacts(step);
    ++step.report.velocity_iterations;
    largest_motions(system_, contacts_.islands(), x_, sizes_);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      parts_[p].previous_step = parts_[p].last_step;
      parts_[p].last_step = sizes_[p];
    }
    W_ += x_.head(system_.velocities());
    step.next.velocity = smooth.velocity() + W_;
    step.next.impulse += x_.tail(system_.constraints());
    if (!solved) {
      find_failed(step.report);
      return false;
    }
  }
  return true;
}

/// Mechanisms and elastic bodies without contacts may keep theirs, and mechanisms begin with that
/// of the position correction.
bool VelocityCorrection::needs_matrix(int iteration) {
  const Islands& islands = contacts_.islands();
  for (int c = 0; c < static_cast<int>(system_.components().size()); ++c) {
    const int island = islands.of_component(c);
    const Part& p = part(island);
    const auto component = static_cast<std::size_t>(c);
    if (p.is_done || islands.is_free(island) || !contacts_.points_of(island).empty()) {
      matrices_.renew(component, p.is_done);
    } else if (iteration == 0 && has_matrix_[component] != 0) {
      matrices_.keep(component);
      part(island).has_matrix = true;
    } else {
      const double speed = speeds_[static_cast<std::size_t>(island)];
      matrices_.ask(component, iteration, p.last_step / speed);
    }
  }
  return !matrices_.serve_all();
}

bool VelocityCorrection::linearize(const StepData& step) {
  find_gyroscopic_blocks(step);
  kkt_.keep(matrices_.kept());
  if (kkt_.linearize(step.next.configuration, step.next.velocity, zero_, step.at,
                     step.next.multiplier,
                     {.mass = 1,
                      .damping = options_.force_difference ? step.shares.velocity * step.h : 0.0,
                      .stiffness = 0,
                      .start = any_lasting_ ? &step.start.configuration : nullptr,
                      .turned = &turned_joints_},
                     gyroscopic_)) {
    return true;
  }
  step.report.message =
      "velocity correction: the equations of " + kkt_.singular_parts() + " are singular";
  return false;
}

/// Joints that have not converged are named.
void VelocityCorrection::describe_failure(const StepData& step, int iterations) const {
  const Islands& islands = contacts_.islands();
  VectorX rows = g_;
  double largest = 0;
  for (int i = 0; i < system_.constraints(); ++i) {
    const int island = islands.of_unknown(system_.velocities() + i);
    const Part& p = part(island);
    if (p.is_done || !(p.violation > joint_tolerance(island))) {
      rows[i] = 0;
    } else {
      largest = std::max(largest, p.violation);
    }
  }
  std::string& message = step.report.message;
  message = fmt::format("velocity correction: not in balance after {} iterations", iterations);
  if (largest == 0) return;
  message += fmt::format("; a joint velocity of {:.3g} m/s remains ({})", largest,
                         worst_row_name(system_, rows));
}

/// Joint velocities, and the balance without contact impulses, M W − h f* − GᵀΛ.           (11)
void VelocityCorrection::evaluate(const SmoothMotion& smooth, const StepData& step) {
  const Configuration& q = step.next.configuration;
  const VectorX& v = step.next.velocity;
  const Islands& islands = contacts_.islands();
  system_.constraint_rates(q, v, step.at.time, g_);
  largest_rows(system_, islands, g_, sizes_);
  step.report.velocity_violation = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].previous = parts_[i].violation;
    parts_[i].violation = sizes_[i];
    if (parts_[i].is_frozen) continue;
    step.report.velocity_violation = std::max(step.report.velocity_violation, sizes_[i]);
  }
  system_.mass_times(q, W_, Mx_);
  r_ = Mx_;
  if (options_.force_difference) {
    system_.forces(q, v, zero_, step.at, step.next.multiplier, terms_);
    has_forces_ = true;
    for (int i = 0; i < system_.velocities(); ++i) {
      part(islands.of_unknown(i)).forces_change |=
          terms_.damping[i] != step.next.forces.damping[i] ||
          terms_.applied[i] != step.next.forces.applied[i];
    }
    terms_.residual(work_);
    difference_ = -work_ - smooth.balance();
    if (!system_.has_constant_mass()) {  // (25)
      system_.mass_times(q, step.next.acceleration, work_);
      difference_ -= work_;
      system_.mass_times(smooth.configuration(), step.next.acceleration, work_);
      difference_ += work_;
    }
    r_ -= step.shares.velocity * step.h * difference_;
    if (step.shares.before != nullptr) {
      r_ -= (1 - step.shares.velocity) * step.h * *step.shares.before;
    }
  }
  reaction_.setZero();
  if (system_.constraints() > 0) {
    system_.add_constraint_forces(q, step.next.impulse, reaction_);
    if (any_lasting_) {
      reaction_at_start_.setZero();
      system_.add_constraint_forces(step.start.configuration, step.next.impulse,
                                    reaction_at_start_);
      for (int i = 0; i < system_.velocities(); ++i) {
        if (!part(islands.of_unknown(i)).lasting) continue;
        reaction_[i] = (reaction_[i] + reaction_at_start_[i]) / 2;
      }
    }
  }
  r_ -= reaction_;
  turn_momentum(smooth, step);
}

bool VelocityCorrection::has_converged(int iteration, const SmoothMotion& smooth,
                                       const StepData& step) {
  const Islands& islands = contacts_.islands();
  bool all = true, is_measured = false, are_forces_measured = false;
  for (int i = 0; i < islands.count(); ++i) {
    Part& p = part(i);
    if (!p.is_done && do_joints_hold(i, iteration)) {
      p.is_done = is_solved_at_once(i, iteration);
      if (!p.is_done && !is_measured) {
        reaction_ = reaction_.cwiseAbs() + impulses_.force().cwiseAbs();  // they may cancel
        work_ = r_ - impulses_.force();
        balance_.measure(system_, islands, work_, Mx_, reaction_);
        is_measured = true;
      }
      if (!p.is_done) p.is_done = is_in_balance(i, iteration);
      // Near rest W vanishes, and h f* is a difference of forces that do not: their round-off.
      if (!p.is_done && iteration > 0 && options_.force_difference) {
        if (!are_forces_measured) {
          balance_.measure_forces(system_, islands, terms_, smooth.balance(), step.h);
          are_forces_measured = true;
        }
        p.is_done = balance_.is_round_off(i);
      }
    }
    all &= p.is_done;
  }
  return all;
}

/// (12), or no further. Closed contacts are met by every solution of their problem, so that only
/// the first guess, which has none of it, is not accepted.
bool VelocityCorrection::do_joints_hold(int island, int iteration) const {
  const Part& p = part(island);
  if (iteration == 0 && !contacts_.points_of(island).empty()) return false;
  // One step with the matrix of the positions leaves more than round-off.
  if (iteration == 1 && p.has_matrix) return false;
  return p.violation <= joint_tolerance(island) || have_joints_stalled(island, iteration);
}

bool VelocityCorrection::have_joints_stalled(int island, int iteration) const {
  const Part& p = part(island);
  return p.violation > joint_tolerance(island) &&
         has_stalled(iteration, p.violation, p.previous, speeds_[static_cast<std::size_t>(island)]);
}

double VelocityCorrection::joint_tolerance(int island) const {
  return CorrectionTuning::joint_velocity_tolerance * speeds_[static_cast<std::size_t>(island)];
}

/// On free bodies without dampers nothing changes with W: one iteration.
bool VelocityCorrection::is_solved_at_once(int island, int iteration) const {
  return iteration > 0 && contacts_.islands().is_free(island) && !part(island).forces_change;
}

/// The balance (11). Joints that have stalled pull at it: it need not hold better than they do.
bool VelocityCorrection::is_in_balance(int island, int iteration) const {
  if (balance_.holds(island)) return true;
  if (iteration == 0) return false;
  const Part& p = part(island);
  const double speed = speeds_[static_cast<std::size_t>(island)];
  return p.last_step <= VelocityTuning::settled_velocity * speed ||
         (have_joints_stalled(island, iteration) &&
          is_moved_by_joints(p.violation, p.last_step, p.previous_step, speed));
}

bool VelocityCorrection::solve_contacts(const StepData& step) {
  work_ = step.next.velocity + x_.head(system_.velocities());
  joints_ = step.h / 2 * (step.start.multiplier + step.next.multiplier) + step.next.impulse;
  int most = 0;  // iterations of an island
  for (const int island : contacts_.islands_with_points()) {
    if (part(island).is_done) continue;
    const bool solved = impulses_.solve({.island = island,
                                         .kkt = kkt_,
                                         .start = start_,
                                         .free = work_,
                                         .speed = speeds_[static_cast<std::size_t>(island)],
                                         .h = step.h,
                                         .joints = &joints_},
                                        x_, step.report);
    most = std::max(most, impulses_.extra_iterations());
    part(island).has_failed = !solved;
    if (!solved) return false;
    if (!part(island).is_jamming_told) {
      const double speed = speeds_[static_cast<std::size_t>(island)];
      warn_of_jamming(contacts_, step.start, speed, step.report);
    }
    part(island).is_jamming_told = true;
  }
  step.report.velocity_iterations += most;
  return true;
}

}  // namespace saltus
