// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "saltus/elements/rim_bend.hpp"
#include "saltus/integrators/correction.hpp"
#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

/// The velocity that goes with U, times h/U: that of a constant acceleration.              (24)
constexpr double velocity_share = 2;

/// Of components: whether springs, loads or elastic elements act on them.
std::vector<char> find_elements(const System& system) {
  std::vector<char> found(system.components().size(), 0);
  ElementLists::for_each(system.elements(), [&]<Element E>(const ElementList<E>& list) {
    if constexpr (!std::is_same_v<E, RigidInertia>) {
      for (const E& e : list) {
        for (const int n : e.node_ids()) {
          const Node& node = system.nodes()[static_cast<std::size_t>(n)];
          if (node.unknowns == 0) continue;
          found[static_cast<std::size_t>(system.component_of(node.first_unknown))] = 1;
        }
      }
    }
  });
  return found;
}

bool has_slides(const ContactSet& contacts, int island) {
  return std::ranges::any_of(contacts.points_of(island), [&](int i) {
    return contacts.points()[static_cast<std::size_t>(i)].element().slide() != nullptr;
  });
}

}  // namespace

PositionCorrection::PositionCorrection(const System& system, KktSolver& kkt, ContactSet& contacts,
                                       const CorrectionOptions& options)
    : system_(system),
      kkt_(kkt),
      contacts_(contacts),
      options_(options),
      loads_(contacts),
      matrices_(system.components().size()),
      has_slips_(system.components().size(), 0),
      has_elements_(find_elements(system)),
      has_matrix_(system.components().size(), 0) {
  for (int row = 0; row < system.constraints(); ++row) {
    const auto c = static_cast<std::size_t>(system.component_of(system.velocities() + row));
    if (system.is_slip(row)) has_slips_[c] = 1;
  }
  for (VectorX* v : {&U_, &ahead_, &v_, &r_, &Mx_, &work_, &reaction_, &round_off_, &zero_})
    v->setZero(system.velocities());
  for (VectorX* v : {&nu_, &total_, &g_}) v->setZero(system.constraints());
  for (VectorX* v : {&x_, &w_}) v->setZero(system.unknowns());
  gaps_.reserve(system.elements().contacts.listed.size());
  reactions_.reserve(gaps_.capacity());
  terms_.resize(system.velocities());
  begins_.resize(system.components().size());
}

bool PositionCorrection::solve(const SmoothMotion& smooth, const StepData& step) {
  std::ranges::fill(begins_, Begin::Chosen);
  is_first_begin_ = true;
  StepReport& report = step.report;
  const bool accurate = report.accurate;
  const std::size_t warnings = report.warnings.size();
  const std::string message = report.message;  // of the smooth motion
  bool found = begin_and_correct(smooth, step);
  if (!found) find_failed(report);
  if (!found && change_begin(step)) {
    report.failed.clear();
    report.accurate = accurate;
    report.warnings.resize(warnings);
    report.message = message;
    found = begin_and_correct(smooth, step);
    if (!found) find_failed(report);
  }
  close_contacts(step);
  if (const std::string name = contacts_.passed_through(step.start, step.next.configuration);
      !name.empty()) {
    step.report.warn(fmt::format(
        "contact \"{}\": spheres went through each other within a step: use a smaller one", name));
  }
  return found;
}

bool PositionCorrection::begin_and_correct(const SmoothMotion& smooth, const StepData& step) {
  step.next.configuration = smooth.configuration();
  U_.setZero();
  nu_.setZero();
  std::ranges::fill(has_matrix_, 0);
  contacts_.select(step.start, smooth.configuration(), smooth.velocity(), step.h);
  reactions_.clear();
  if (system_.constraints() == 0 && contacts_.empty()) {
    contacts_.divide(ContactSet::Connecting::All);
    parts_.assign(static_cast<std::size_t>(contacts_.islands().count()), {});
    return true;
  }
  divide(step, smooth.configuration(), true);
  add_reactions(step.start);
  begin(smooth, step);
  return correct(smooth, step);
}

/// Where loaded contacts hold elastic bodies or mechanisms, these fall far within the smooth
/// motion, which knows no contacts; but they stay nearly where they are. Islands that are further
/// from there than an iteration goes begin ahead, at q_n ∘ exp(h v_n). At rest that is the
/// solution.
void PositionCorrection::begin(const SmoothMotion& smooth, const StepData& step) {
  const Islands& islands = contacts_.islands();
  const std::vector<int>& with_points = contacts_.islands_with_points();
  if (std::ranges::none_of(with_points, [&](int i) { return may_begin_ahead(i, step); })) return;
  find_ahead(smooth, step);
  largest_motions(system_, islands, ahead_, sizes_);
  bool found = false;
  for (const int i : with_points) {
    Part& p = part(i);
    const bool is_far = sizes_[static_cast<std::size_t>(i)] > SmoothTuning::rotation_cap * p.length;
    p.begins_ahead = is_far && may_begin_ahead(i, step);
  }
  for (std::size_t c = 0; c < begins_.size(); ++c) {
    Part& p = part(islands.of_component(static_cast<int>(c)));
    if (begins_[c] != Begin::Chosen) p.begins_ahead = begins_[c] == Begin::Ahead;
    p.moved |= p.begins_ahead;
    found |= p.begins_ahead;
  }
  if (!found) return;
  for (int i = 0; i < system_.velocities(); ++i) {
    if (part(islands.of_unknown(i)).begins_ahead) U_[i] = ahead_[i];
  }
  advance(smooth.configuration(), system_.nodes(), U_, step.next.configuration);
}

bool PositionCorrection::may_begin_ahead(int island, const StepData& step) const {
  return !contacts_.islands().is_free(island) && contacts_.is_loaded(island, step.start);
}

/// U that leads from q̃ to q_n ∘ exp(h v_n).
void PositionCorrection::find_ahead(const SmoothMotion& smooth, const StepData& step) {
  const VectorX& moved = smooth.increment();
  const VectorX& v = step.start.velocity;
  for (const Node& node : system_.nodes()) {
    if (node.unknowns == 0) continue;
    const int i = node.first_unknown;
    ahead_.segment<3>(i) = step.h * v.segment<3>(i) - moved.segment<3>(i);
    if (!node.turns()) continue;
    const Matrix3 turn = lie::so3::exp(Vector3(-moved.segment<3>(i + 3))) *
                         lie::so3::exp(Vector3(step.h * v.segment<3>(i + 3)));
    ahead_.segment<3>(i + 3) = lie::so3::log(turn);
  }
}

/// After a failure: islands that failed begin at the other place, all others where they did. False
/// if there is none that may.
bool PositionCorrection::change_begin(const StepData& step) {
  is_first_begin_ = false;
  bool found = false;
  for (std::size_t c = 0; c < begins_.size(); ++c) {
    const int island = contacts_.islands().of_component(static_cast<int>(c));
    const Part& p = part(island);
    const bool changes = p.has_failed && may_begin_ahead(island, step);
    begins_[c] = p.begins_ahead != changes ? Begin::Ahead : Begin::AtSmooth;
    found |= changes;
  }
  return found;
}

/// Islands by the points at hand. Where points were added in the step, islands begin anew; what is
/// known of the others is kept.
void PositionCorrection::divide(const StepData& step, const Configuration& q, bool is_first) {
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
    const bool begins_ahead = p.begins_ahead || old_parts_[old].begins_ahead;
    p = old_parts_[old];
    p.moved = moved;
    p.begins_ahead = begins_ahead;
    p.is_frictionless = is_frictionless;
  }
  for (std::size_t i = reactions_.size(); i < contacts_.points().size(); ++i) {
    Part& p = part(contacts_.island_of(contacts_.points()[i]));
    p = {.moved = p.moved, .begins_ahead = p.begins_ahead, .is_frictionless = p.is_frictionless};
  }
  for (int c = 0; c < components && step.frozen != nullptr; ++c) {
    if ((*step.frozen)[static_cast<std::size_t>(c)] == 0) continue;
    Part& p = part(islands.of_component(c));
    p.is_frozen = p.is_done = true;
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
    divide(step, step.next.configuration, false);
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
    bool has_failed = false;
    const bool is_last = i == options_.max_iterations;
    for (int island = 0; island < contacts_.islands().count(); ++island) {
      Part& p = part(island);
      if (is_last && !p.is_done) p.is_done = leave_as_is(island, step.report);
      const bool finite = std::isfinite(p.violation) && !std::isnan(p.contact_error);
      p.has_failed = !finite || (is_last && !p.is_done);
      has_failed |= p.has_failed;
    }
    if (is_last && !has_failed) return true;
    if (has_failed) {
      describe_failure(step, i);
      return false;
    }
    if (!linearize(step, i)) return false;
    int most = 0;  // further iterations of an island
    for (const int island : contacts_.islands_with_points()) {
      if (part(island).is_done) continue;
      part(island).has_failed = !solve_contacts(island, step);
      if (part(island).has_failed) return false;
      most = std::max(most, part(island).solved.iterations - 1);
    }
    step.report.position_iterations += 1 + most;
    move(smooth, step);
  }
}

/// Of free bodies whose iterations go to and fro between contacts, as between two places of a rim:
/// the next step begins from what is left.
bool PositionCorrection::leave_as_is(int island, StepReport& report) {
  const Part& p = part(island);
  const bool has_points = !contacts_.points_of(island).empty();
  if (!has_points || !contacts_.islands().is_free(island) || p.forces_change) return false;
  if (!(p.contact_error <= PositionTuning::last_resort * p.reach)) return false;
  report.accurate = false;
  report.warn("position correction: contacts are closed less accurately than asked for",
              fmt::format("contact \"{}\": a gap or slip of {:.1e} m",
                          contacts_.name(contacts_.points()[static_cast<std::size_t>(p.worst)]),
                          p.contact_error));
  return true;
}

void PositionCorrection::find_failed(StepReport& report) const {
  report.failed = components_of(system_, contacts_.islands(),
                                [&](int island) { return part(island).has_failed; });
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
    if (!joints && worst->contact_error <= PositionTuning::gap_round_off * worst->reach) {
      message += fmt::format(" bodies are not in balance with their contacts (contact \"{}\")",
                             contacts_.name(point));
      return;
    }
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
  const double c_h = step.shares.position * step.h * step.h;
  system_.constraints(q, step.at.time, g_);
  const Islands& islands = contacts_.islands();
  largest_rows(system_, islands, g_, sizes_);
  step.report.position_violation = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].previous = parts_[i].violation;
    parts_[i].violation = sizes_[i];
    if (parts_[i].is_frozen) continue;
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
    const ForceTerms& before = step.next.forces;  // of the smooth motion
    for (int i = 0; i < system_.velocities(); ++i) {
      part(islands.of_unknown(i)).forces_change |= terms_.elastic[i] != before.elastic[i] ||
                                                   terms_.damping[i] != before.damping[i] ||
                                                   terms_.applied[i] != before.applied[i];
    }
    terms_.residual(work_);  // −(f(q, ṽ + 2U/h) + Gᵀλ̃)
    work_ += smooth.balance();
    if (islands.count() > 1) {  // where nothing moved, nothing changes but round-off
      for (int i = 0; i < system_.velocities(); ++i) {
        if (!part(islands.of_unknown(i)).moved) work_[i] = 0;
      }
    }
    r_ += c_h * work_;
  }
  if (step.shares.before != nullptr) {
    r_ -= (0.5 - step.shares.position) * step.h * step.h * *step.shares.before;
  }
  reaction_.setZero();
  if (system_.constraints() > 0) system_.add_constraint_forces(q, nu_, reaction_);
  r_ -= reaction_;
}

bool PositionCorrection::has_converged(int iteration) {
  is_balance_measured_ = are_nodes_measured_ = false;
  bool all = true;
  for (int i = 0; i < contacts_.islands().count(); ++i) {
    Part& p = part(i);
    if (!p.is_done) p.is_done = has_converged(i, iteration);
    all &= p.is_done;
  }
  return all;
}

/// Of all islands, when one first asks: free bodies never do.
void PositionCorrection::measure_balance() {
  if (is_balance_measured_) return;
  is_balance_measured_ = true;
  work_.setZero();
  add_contact_forces(work_);
  reaction_ = reaction_.cwiseAbs() + work_.cwiseAbs();  // they may cancel
  work_ = r_ - work_;
  balance_.measure(system_, contacts_.islands(), work_, Mx_, reaction_);
}

/// Joints, contacts and the balance (9) of an island.
bool PositionCorrection::has_converged(int island, int iteration) {
  const Part& p = part(island);
  const bool joints_hold = p.violation <= p.joint_tolerance;
  const bool joints_stalled =
      !joints_hold && has_stalled(iteration, p.violation, p.previous, p.length);
  if (!joints_hold && !joints_stalled) return false;
  if (!are_contacts_met(island, iteration)) return false;
  // Friction in joints is closed without a gap that would tell that it is to act.
  if (iteration == 0 && (p.begins_ahead || has_slides(contacts_, island))) return false;
  if (iteration == 0) {
    measure_balance();
    return !balance_.has_reaction(island);
  }
  // Of free bodies without springs one iteration is exact but for the gaps, which are met.
  if (contacts_.islands().is_free(island) && !p.forces_change) return true;
  // Joints that have stalled pull at the balance: it need not hold better than they do.
  return p.last_move <= PositionTuning::settled_position * p.length || is_in_balance(island) ||
         (joints_stalled &&
          is_moved_by_joints(p.violation, p.last_move, p.previous_move, p.length));
}

/// As a whole, and at each node for itself.
/// @pre not of the first iterate: the matrix is that of the last
bool PositionCorrection::is_in_balance(int island) {
  measure_balance();
  if (!balance_.holds(island)) return false;
  if (!are_nodes_measured_) {
    are_nodes_measured_ = true;
    stiffness_terms(system_, contacts_.islands(), kkt_.matrix(), far_, round_off_);
    add_multiplier_terms(system_, kkt_.matrix(), nu_, round_off_);
    round_off_ *= SmoothTuning::position_rounding;
    balance_.measure_nodes(system_, contacts_.islands(), work_, Mx_, reaction_, round_off_);
  }
  return balance_.holds_at_nodes(island);
}

bool PositionCorrection::linearize(const StepData& step, int iteration) {
  if (needs_matrix(iteration) && !make_matrix(step)) return false;
  x_.head(system_.velocities()) = -r_;
  x_.tail(system_.constraints()) = g_;
  kkt_.solve(x_);
  is_done_.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) is_done_[i] = parts_[i].is_done ? 1 : 0;
  leave_out(contacts_.islands(), is_done_, x_);
  return true;
}

/// Mechanisms and elastic bodies without contacts may keep theirs.
bool PositionCorrection::needs_matrix(int iteration) {
  const Islands& islands = contacts_.islands();
  for (std::size_t c = 0; c < has_slips_.size(); ++c) {
    const int island = islands.of_component(static_cast<int>(c));
    const Part& p = part(island);
    if (p.is_done && has_matrix_[c] != 0) {
      matrices_.keep(c);  // the velocity correction may go on with it
      continue;
    }
    if (p.is_done || has_slips_[c] != 0 || islands.is_free(island) ||
        !contacts_.points_of(island).empty()) {
      matrices_.renew(c, p.is_done);
    } else {
      matrices_.ask(c, iteration, p.last_move / p.length);
      has_matrix_[c] = 1;
    }
  }
  return !matrices_.serve_all();
}

/// Of bodies and joints alone both levels have the same masses and rows, but for what the last move
/// has turned and the step's length times gyroscopic terms.
bool PositionCorrection::leaves_matrix(int component) const {
  const auto c = static_cast<std::size_t>(component);
  const Part& p = part(contacts_.islands().of_component(component));
  return has_matrix_[c] != 0 && has_elements_[c] == 0 &&
         p.last_move <= SmoothTuning::same_matrix * p.length;
}

bool PositionCorrection::make_matrix(const StepData& step) {
  const double c_h = step.shares.position * step.h * step.h;
  total_ = step.next.multiplier + nu_ / c_h;
  find_curvatures(step);
  kkt_.add_closing_slips(step.next.configuration, step.at.time, g_);
  kkt_.keep(matrices_.kept());
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
    if (!(nu > 0)) continue;
    const NodePair q = system_.pair(step.next.configuration, e.node_A, e.node_B);
    add_rim_curvature(e, q, nu);
    if (!e.is_hollow()) continue;
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

/// A rim on a face that stands still: as its body tilts, the lowest point runs round the rim, the
/// faster the flatter it lies, and the reaction with it. Without this iterations go to and fro
/// between two places of a rim that has just been lifted from where it lay flat. (Where both bodies
/// move their turns would be coupled, and one without the other is worse than none.)
void PositionCorrection::add_rim_curvature(const ContactElement& e, const NodePair& q, double nu) {
  const bool moves_A = system_.node_mass(e.node_A) > 0, moves_B = system_.node_mass(e.node_B) > 0;
  if (moves_A == moves_B) return;
  const RimBend rim = rim_bend(e, q);
  if (rim.bend == 0) return;
  const Vector3 axis = (moves_A ? q.A : q.B).R.transpose() * rim.axis;
  Matrix6 B = Matrix6::Zero();
  B.bottomRightCorner<3, 3>() = nu * rim.bend * axis * axis.transpose();
  curvatures_.push_back({moves_A ? e.node_A : e.node_B, B});
}

/// U ← log(exp U exp x): translations add, rotations by T⁻¹(U).
void PositionCorrection::move(const SmoothMotion& smooth, const StepData& step) {
  const Islands& islands = contacts_.islands();
  largest_motions(system_, islands, x_, sizes_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].is_done) continue;  // its last move says whether its matrix serves further on
    parts_[i].previous_move = parts_[i].last_move;
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

}  // namespace saltus
