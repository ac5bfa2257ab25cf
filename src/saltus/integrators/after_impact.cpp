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
    if (rigid[c] < system.components()[c].nodes) flexible_.push_back(static_cast<int>(c));
  }
}

void AfterImpact::leave_out_flexible(const Islands& islands, std::vector<char>& left_out) const {
  for (const int c : flexible_) left_out[static_cast<std::size_t>(islands.of_component(c))] = 1;
}

bool AfterImpact::renew(const Islands& islands, const std::vector<char>& left_out, double h,
                        double ahead, State& next) {
  const At at{next.configuration, next.velocity, next.time};
  a_ = next.acceleration;
  lambda_ = next.multiplier;
  loads_ = next.forces.elastic + next.forces.damping + next.forces.applied;
  if (!kkt_.linearize(at.q, at.v, a_, {.time = at.time}, lambda_, {.mass = 1})) {
    return false;
  }
  is_done_ = left_out;
  refine(kkt_, islands, at, Loads::Smooth, is_done_);
  look_ahead(islands, left_out, h, next);
  if (!a_.allFinite() || !x_.allFinite() || !lambda_.allFinite()) return false;
  write(islands, left_out, ahead, next);
  return true;
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

/// b of S (δv̇, δλ) = b: what the balance and the joints' accelerations lack. For a motion that
/// begins anew springs, dampers and loads are those of the smooth motion: what W and U change in
/// them is in the velocities already, as h f* for the whole step, and would count twice.
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
    const auto& [is_struck, begins_anew, forces_jump] = struck[island];
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
void AfterImpact::look_ahead(const Islands& islands, const std::vector<char>& left_out, double h,
                             const State& next) {
  motion_ = h * next.velocity + h * h / 2 * a_;
  v_ahead_ = next.velocity + h * a_;
  ahead_ = next.configuration;
  advance(next.configuration, system_.nodes(), motion_, ahead_);
  system_.predict_angles(next.configuration, next.velocity, h, ahead_.angles);
  system_.update_angles(ahead_);
  evaluate({ahead_, v_ahead_, next.time + h}, Loads::Smooth);
  kkt_.solve(x_);
  leave_out(islands, left_out, x_);
}

void AfterImpact::write(const Islands& islands, const std::vector<char>& left_out, double ahead,
                        State& next) {
  const int n_v = system_.velocities();
  const auto is_meant = [&](int unknown) {
    return left_out[static_cast<std::size_t>(islands.of_unknown(unknown))] == 0;
  };
  multiplier_change_ = ahead * x_.tail(system_.constraints());
  system_.forces(next.configuration, next.velocity, a_, {.time = next.time}, lambda_, terms_);
  terms_.inertia = loads_ + terms_.gravity + terms_.constraint;  // in balance: the books close
  for (int i = 0; i < n_v; ++i) {
    if (!is_meant(i)) continue;
    next.acceleration[i] = a_[i];
    next.pseudo_acceleration[i] = a_[i] + ahead * x_[i];
    for (VectorX ForceTerms::*term :
         {&ForceTerms::inertia, &ForceTerms::gravity, &ForceTerms::constraint}) {
      (next.forces.*term)[i] = (terms_.*term)[i];
    }
  }
  kkt_.make_least(next.configuration, next.time, lambda_);
  for (int row = 0; row < system_.constraints(); ++row) {
    if (is_meant(n_v + row)) next.multiplier[row] = lambda_[row];
  }
}

}  // namespace saltus
