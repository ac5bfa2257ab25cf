// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/after_impact.hpp"

#include <algorithm>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

AfterImpact::AfterImpact(const System& system, KktSolver& kkt) : system_(system), kkt_(kkt) {
  zero_.setZero(system.velocities());
  multiplier_change_.setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
  rings_.assign(system.components().size(), 0.0);
  settling_.assign(system.components().size(), 0);
  std::vector<int> rigid(system.components().size(), 0);  // nodes
  for (const RigidInertia& body : system.elements().inertias) {
    const Node& node = system.nodes()[static_cast<std::size_t>(body.node)];
    if (node.unknowns == 0) continue;
    ++rigid[static_cast<std::size_t>(system.component_of(node.first_unknown))];
  }
  for (std::size_t c = 0; c < rigid.size(); ++c) {
    flexible_.push_back(rigid[c] < system.components()[c].nodes ? 1 : 0);
  }
}

bool AfterImpact::is_flexible(int component) const {
  return flexible_[static_cast<std::size_t>(component)] != 0;
}

bool AfterImpact::renew(const Renewal& renewal, State& next) {
  const At at{next.configuration, next.velocity, renewal.time};
  left_out_.assign(renewal.struck.size(), 1);
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    if (renewal.struck[i].begins_anew) left_out_[i] = 0;
  }
  a_ = next.acceleration;
  lambda_ = next.multiplier;
  if (!kkt_.linearize(at.q, at.v, a_, {.time = at.time}, lambda_, {.mass = 1})) {
    return false;
  }
  choose_loads(renewal, next);
  is_done_ = left_out_;
  refine(kkt_, renewal.islands, at, Loads::Smooth, is_done_);
  look_ahead(renewal, next);
  if (!look_ahead_with_forces(renewal, next)) return false;
  if (!a_.allFinite() || !x_.allFinite() || !lambda_.allFinite()) return false;
  write(renewal, next);
  return true;
}

/// Springs are those of the smooth motion: what U changes in them is in the velocities already, as
/// h f* for the whole step, and would count twice. That of dampers counts twice as well, but they
/// jump, and half of the time before an impact would push off again what has landed. Loads are
/// those behind a break.
void AfterImpact::choose_loads(const Renewal& renewal, const State& next) {
  damping_ = next.forces.damping;
  applied_ = next.forces.applied;
  const bool has_new = std::ranges::any_of(
      renewal.struck, [](const Struck& s) { return s.forces_jump || s.is_broken; });
  jumps_.assign(renewal.struck.size(), 0);
  if (has_new) {
    system_.forces(next.configuration, next.velocity, a_, {.time = renewal.time}, lambda_, terms_);
    actual_ = terms_.elastic + terms_.damping + terms_.applied;
    find_resolved(renewal, next);
    for (int i = 0; i < system_.velocities(); ++i) {
      if (jumps_[static_cast<std::size_t>(renewal.islands.of_unknown(i))] == 0) continue;
      damping_[i] = terms_.damping[i];
      applied_[i] = terms_.applied[i];
    }
  }
  loads_ = next.forces.elastic + damping_ + applied_;
}

/// Whether what dampers change would, over a step, be less than half of what the velocities jumped:
/// stiffer ones would throw back in one explicit beginning what they stop, harder in every step.
/// @pre terms_ are the forces at the state, kkt_ has its masses
void AfterImpact::find_resolved(const Renewal& renewal, const State& next) {
  const int n_v = system_.velocities();
  x_.setZero();
  x_.head(n_v) = next.velocity - renewal.before;
  largest_motions(system_, renewal.islands, x_, previous_);
  x_.head(n_v) = terms_.damping + terms_.applied - next.forces.damping - next.forces.applied;
  kkt_.solve(x_);
  largest_motions(system_, renewal.islands, x_, sizes_);
  for (std::size_t i = 0; i < jumps_.size(); ++i) {
    const bool is_resolved =
        renewal.h * sizes_[i] <= AfterImpactTuning::resolved_damping * previous_[i];
    jumps_[i] = renewal.struck[i].forces_jump && is_resolved ? 1 : 0;
  }
}

bool AfterImpact::find_reactions(const Islands& islands, const std::vector<char>& left_out,
                                 const State& next) {
  const At at{next.configuration, next.velocity, next.time};
  a_ = next.acceleration;
  lambda_ = next.multiplier;
  if (!masses_) masses_ = std::make_unique<KktSolver>(system_);
  masses_->take_redundancy(kkt_);
  if (!masses_->linearize(at.q, at.v, a_, {.time = at.time}, lambda_, {.mass = 1})) return false;
  is_done_ = left_out;
  refine(*masses_, islands, at, Loads::Actual, is_done_);
  return a_.allFinite() && lambda_.allFinite();
}

/// G v̇ + ∂_q(G v) v + g̈_t, in g_.
void AfterImpact::find_joint_accelerations(const At& at, const VectorX& a) {
  system_.constraint_accelerations(at.q, at.v, at.time, g_);
  system_.constraint_rates(at.q, a, at.time, rates_);  // G v̇ + ∂g/∂t
  system_.constraint_rates(at.q, zero_, at.time, drives_);
  g_ = g_ + rates_ - drives_;
}

/// b of S (δv̇, δλ) = b: what the balance and the joints' accelerations lack.
void AfterImpact::evaluate(const At& at, Loads loads) {
  system_.forces(at.q, at.v, a_, {.time = at.time}, lambda_, terms_);
  if (loads == Loads::Smooth) {
    r_ = terms_.inertia - terms_.gravity - terms_.constraint - loads_;
  } else {
    terms_.residual(r_);
  }
  find_joint_accelerations(at, a_);
  x_ << -r_, g_;
}

/// Rounds take out the regularisation, as long as an island's changes fall.
void AfterImpact::refine(KktSolver& kkt, const Islands& islands, const At& at, Loads loads,
                         std::vector<char>& left_out) {
  for (int round = 0; round < AfterImpactTuning::rounds; ++round) {
    evaluate(at, loads);
    kkt.solve(x_);
    leave_out(islands, left_out, x_);
    std::swap(previous_, sizes_);
    largest_motions(system_, islands, x_, sizes_);
    for (std::size_t i = 0; round > 0 && i < left_out.size(); ++i) {
      if (!(sizes_[i] < previous_[i])) left_out[i] = 1;
    }
    if (round > 0) leave_out(islands, left_out, x_);
    a_ += x_.head(system_.velocities());
    lambda_ += x_.tail(system_.constraints());
  }
}

void AfterImpact::watch(const Islands& islands, const std::vector<Struck>& struck,
                        const State& next) {
  for (int& rows : settling_) rows = std::max(rows - 1, 0);
  const bool is_quiet = std::ranges::none_of(struck, &Struck::is_struck) &&
                        std::ranges::all_of(rings_, [](double off) { return off == 0; });
  if (is_quiet) return;
  find_joint_accelerations({next.configuration, next.velocity, next.time}, next.acceleration);
  largest_rows(system_, islands, g_, sizes_);
  for (std::size_t c = 0; c < rings_.size(); ++c) {
    const auto island = static_cast<std::size_t>(islands.of_component(static_cast<int>(c)));
    const auto& [is_struck, begins_anew, forces_jump, is_broken] = struck[island];
    const double off = sizes_[island];
    if (is_struck) {
      rings_[c] = begins_anew ? 0 : std::max(off, rings_[c]);
      settling_[c] =
          1 + (forces_jump ? AfterImpactTuning::rows_of_jumps : AfterImpactTuning::rows_found);
    } else if (!(off > AfterImpactTuning::faded * rings_[c])) {
      rings_[c] = 0;
    }
  }
}

void AfterImpact::archive(Archive& memory) {
  bool has_masses = masses_ != nullptr;
  memory(rings_, settling_, has_masses);
  if (!has_masses) return;
  if (!masses_) masses_ = std::make_unique<KktSolver>(system_);
  memory(*masses_);
}

/// What accelerations and multipliers change in the next step: one Newton step of the motion that
/// goes on by itself.
void AfterImpact::look_ahead(const Renewal& renewal, const State& next) {
  const double h = renewal.h;
  motion_ = h * next.velocity + h * h / 2 * a_;
  v_ahead_ = next.velocity + h * a_;
  ahead_ = next.configuration;
  advance(next.configuration, system_.nodes(), motion_, ahead_);
  system_.predict_angles(next.configuration, next.velocity, h, ahead_.angles);
  system_.update_angles(ahead_);
  evaluate({ahead_, v_ahead_, next.time + h}, Loads::Smooth);
  kkt_.solve(x_);
  leave_out(renewal.islands, left_out_, x_);
}

/// The same where springs, dampers and loads take part in it: there may be a break in every step,
/// and each would leave an error of first order. Implicit, v̇ being linear in time, for they may be
/// stiff.
bool AfterImpact::look_ahead_with_forces(const Renewal& renewal, const State& next) {
  bool is_wanted = false;
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    const Struck& s = renewal.struck[i];
    is_done_[i] = s.begins_anew && (s.is_broken || jumps_[i] != 0) ? 0 : 1;
    is_wanted |= is_done_[i] == 0;
  }
  if (!is_wanted) return true;
  const double h = renewal.h;
  const At at{ahead_, v_ahead_, next.time + h};
  if (!kkt_.linearize(at.q, at.v, a_, {.time = at.time}, lambda_,
                      {.mass = 1,
                       .damping = h / 2,
                       .stiffness = h * h / 4,
                       .rows = Linearization::Rows::Position})) {
    return false;
  }
  changes_ = x_;
  evaluate(at, Loads::Smooth);
  x_.head(system_.velocities()) += terms_.elastic + terms_.damping + terms_.applied - actual_;
  kkt_.solve(x_);
  for (int i = 0; i < system_.unknowns(); ++i) {
    if (is_done_[static_cast<std::size_t>(renewal.islands.of_unknown(i))] != 0) x_[i] = changes_[i];
  }
  return true;
}

void AfterImpact::write(const Renewal& renewal, State& next) {
  const int n_v = system_.velocities();
  const double ahead = renewal.ahead;
  const auto is_meant = [&](int unknown) {
    return left_out_[static_cast<std::size_t>(renewal.islands.of_unknown(unknown))] == 0;
  };
  multiplier_change_ = ahead * x_.tail(system_.constraints());
  system_.forces(next.configuration, next.velocity, a_, {.time = next.time}, lambda_, terms_);
  terms_.inertia = loads_ + terms_.gravity + terms_.constraint;  // in balance: the books close
  terms_.damping = damping_;
  terms_.applied = applied_;
  for (int i = 0; i < n_v; ++i) {
    if (!is_meant(i)) continue;
    next.acceleration[i] = a_[i];
    next.pseudo_acceleration[i] = a_[i] + ahead * x_[i];
    for (VectorX ForceTerms::*term :
         {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::damping, &ForceTerms::applied,
          &ForceTerms::constraint}) {
      (next.forces.*term)[i] = (terms_.*term)[i];
    }
  }
  kkt_.make_least(next.configuration, next.time, lambda_);
  for (int row = 0; row < system_.constraints(); ++row) {
    if (is_meant(n_v + row)) next.multiplier[row] = lambda_[row];
  }
}

}  // namespace saltus
