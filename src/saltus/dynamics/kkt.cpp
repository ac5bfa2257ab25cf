// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/kkt.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "saltus/core/interruption.hpp"

namespace saltus {
namespace {

// ε of (17), docs/theory/generalized_alpha.md, section 4.

/// For joints whose equations are independent: it only carries a mechanism through positions where
/// they are not for a moment.
constexpr double independent = 1e-10;

/// For redundant equations. Beside the joints, where Newton's iterates are, they contradict each
/// other a little; with this ε their multipliers stay small all the same.
constexpr double redundant = 1e-5;

/// The smallest pivot of [M, −Gᵀ; −G, 0], rows and columns scaled to 1, below which joint equations
/// are redundant: round-off leaves some n · 1e-16 where the exact one is 0, and joints that are
/// nearly parallel (1e-5 rad) still have 1e-10.
constexpr double redundant_pivot = 1e-12;

/// Rounds of refinement. Each leaves about ε of what was wrong: two or three do for independent
/// joints. With redundant ones they go on as long as the change falls.
constexpr int most_rounds = 20;
/// A change of the motion, of its size, that is round-off.
constexpr double refined = 1e-15;

/// Rounds that take ε out of the forces of least multipliers: each leaves some ε of what is
/// missing.
constexpr int least_rounds = 4;

/// Angles are lengths on the arm of their component.
linalg::UnitsOfUnknowns units_of(const System& system) {
  linalg::UnitsOfUnknowns units;
  for (int i = 0; i < system.unknowns(); ++i) {
    const bool is_multiplier = i >= system.velocities();
    const bool is_angle =
        is_multiplier ? system.is_angular(i - system.velocities()) : system.is_rotation(i);
    const Component& c = system.components()[static_cast<std::size_t>(system.component_of(i))];
    units.sizes.push_back(is_angle ? length_of(c.length, c.height) : 1.0);
    units.is_multiplier.push_back(is_multiplier ? 1 : 0);
  }
  return units;
}

}  // namespace

KktSolver::KktSolver(const System& system)
    : system_(system),
      S_(system.pattern()),
      factorization_(system.pattern()),
      regularization_(system.components().size(), independent) {
  for (int row = system.velocities(); row < system.unknowns(); ++row) {
    multiplier_diagonal_.push_back(system.pattern().slot(row, row));
  }
  factorization_.set_units(units_of(system));
}

bool KktSolver::detect_redundancy(const Configuration& q, double time) {
  if (system_.constraints() == 0) return false;
  const VectorX zero = VectorX::Zero(system_.velocities());
  const VectorX no_multiplier = VectorX::Zero(system_.constraints());
  Linearization mass{.mass = 1};
  const auto is_redundant = [&] {
    system_.assemble(q, zero, zero, {.time = time}, no_multiplier, mass, S_);
    return factorization_.factorize(S_).smallest_pivot < redundant_pivot;
  };
  std::ranges::fill(regularization_, independent);
  if (!is_redundant()) return false;
  // Which component it is: each in turn without −δ, all others with it.
  std::vector<double> all_but_one(regularization_.size(), redundant);
  mass.regularization = all_but_one;
  for (std::size_t c = 0; c < regularization_.size(); ++c) {
    if (system_.components()[c].constraints == 0) continue;
    all_but_one[c] = 0;
    if (regularization_.size() == 1 || is_redundant()) regularization_[c] = redundant;
    all_but_one[c] = redundant;
  }
  return true;
}

bool KktSolver::has_redundancy() const {
  return std::ranges::find(regularization_, redundant) != regularization_.end();
}

void KktSolver::take_over_redundancy(const KktSolver& other, const std::vector<int>& rows) {
  for (int row = 0; row < system_.constraints(); ++row) {
    const int ours = system_.component_of(system_.velocities() + row);
    const int theirs = other.system_.component_of(other.system_.velocities() +
                                                  rows[static_cast<std::size_t>(row)]);
    regularization_[static_cast<std::size_t>(ours)] =
        other.regularization_[static_cast<std::size_t>(theirs)];
  }
}

void KktSolver::make_least(const Configuration& q, double time, VectorX& lambda) {
  if (!has_redundancy()) return;
  zero_.setZero(system_.velocities());
  if (!linearize(q, zero_, zero_, {.time = time}, lambda, {.mass = 1})) return;
  least_.setZero(system_.constraints());
  x_.resize(system_.unknowns());
  image_.resize(system_.unknowns());
  for (int round = 0; round < least_rounds; ++round) {
    x_.head(system_.velocities()).setZero();
    x_.tail(system_.constraints()) = lambda - least_;
    S_.multiply(x_, image_);  // above: −Gᵀ times what is missing
    x_.head(system_.velocities()) = image_.head(system_.velocities());
    x_.tail(system_.constraints()).setZero();
    solve(x_);
    least_ += x_.tail(system_.constraints());
  }
  for (int row = 0; row < system_.constraints(); ++row) {
    const int component = system_.component_of(system_.velocities() + row);
    const double epsilon = regularization_[static_cast<std::size_t>(component)];
    if (epsilon == redundant) lambda[row] = least_[row];
  }
}

void KktSolver::add_closing_slips(const Configuration& q, double time, VectorX& g) {
  if (!system_.has_slips() || g.isZero(0)) return;
  before_.assign(S_.values().begin(), S_.values().end());
  zero_.setZero(system_.velocities());
  least_.setZero(system_.constraints());
  if (!linearize(q, zero_, zero_, {.time = time}, least_,
                 {.mass = 1, .rows = Linearization::Rows::Closing}))
    return;
  x_.setZero(system_.unknowns());
  x_.tail(system_.constraints()) = g;
  solve_unregularized(x_);
  force_ = x_.head(system_.velocities());
  system_.constraint_rates(q, force_, time, missing_);
  for (int row = 0; row < system_.constraints(); ++row) {
    if (system_.is_slip(row)) g[row] = -missing_[row];
  }
  std::ranges::copy(before_, S_.values().begin());
}

bool KktSolver::linearize(const Configuration& q, const VectorX& v, const VectorX& vdot,
                          const Instant& at, const VectorX& lambda,
                          const Linearization& linearization, const std::vector<NodeBlock>& more) {
  poll_interruption();
  Linearization regularized = linearization;
  regularized.regularization = regularization_;
  system_.assemble(q, v, vdot, at, lambda, regularized, S_);
  for (const NodeBlock& m : more) system_.add_node_block(m.node, m.block, S_);
  put_back();
  return factorization_.factorize(S_).ok();
}

void KktSolver::keep(const std::vector<char>& components) {
  kept_.clear();
  if (std::ranges::find(components, 1) == components.end()) return;
  kept_.assign(components.begin(), components.end());
  before_.assign(S_.values().begin(), S_.values().end());
}

/// The columns of components that keep their matrix.
void KktSolver::put_back() {
  if (kept_.empty()) return;
  const std::span<const int> starts = system_.pattern().column_starts();
  for (int j = 0; j < system_.unknowns(); ++j) {
    if (kept_[static_cast<std::size_t>(system_.component_of(j))] == 0) continue;
    const auto column = static_cast<std::size_t>(j);
    std::copy(before_.begin() + starts[column], before_.begin() + starts[column + 1],
              S_.values().begin() + starts[column]);
  }
  kept_.clear();
}

void KktSolver::solve_unregularized(VectorX& x) const {
  b_ = x;
  residual_.resize(x.size());
  solve(x);
  refinements_.resize(regularization_.size());
  for (std::size_t c = 0; c < refinements_.size(); ++c) {
    refinements_[c] = {.is_done = system_.components()[c].constraints == 0};
  }
  for (int round = 0; round < most_rounds; ++round) {
    if (std::ranges::all_of(refinements_, &Refinement::is_done)) return;
    refine(x);
  }
}

/// A round for all components that are not done: each has its own count, so that it gets the same
/// bits whatever else is in the system.
void KktSolver::refine(VectorX& x) const {
  const Eigen::Index first = system_.velocities();
  const std::span<const double> values = S_.values();
  S_.multiply(x, residual_);
  for (std::size_t i = 0; i < multiplier_diagonal_.size(); ++i) {
    const Eigen::Index row = first + static_cast<Eigen::Index>(i);
    residual_[row] -= values[static_cast<std::size_t>(multiplier_diagonal_[i])] * x[row];
  }
  residual_ = b_ - residual_;
  solve(residual_);
  const auto refinement_of = [&](Eigen::Index unknown) -> Refinement& {
    const int component = system_.component_of(static_cast<int>(unknown));
    return refinements_[static_cast<std::size_t>(component)];
  };
  for (Refinement& r : refinements_) r.change = r.size = 0;
  for (Eigen::Index i = 0; i < first; ++i) {
    Refinement& r = refinement_of(i);
    const double change = std::abs(residual_[i]);
    r.change = change <= r.change ? r.change : change;  // not a number wins
  }
  for (Refinement& r : refinements_) {
    if (!(r.change < r.before)) r.is_done = true;  // what is left contradicts itself
  }
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Refinement& r = refinement_of(i);
    if (r.is_done) continue;
    x[i] += residual_[i];
    if (i < first) r.size = std::max(r.size, std::abs(x[i]));
  }
  for (Refinement& r : refinements_) {
    r.is_done = r.is_done || r.change <= refined * r.size;
    r.before = r.change;
  }
}

std::string KktSolver::singular_parts() const {
  std::vector<std::string> parts;
  for (const int unknown : factorization_.null_unknowns(S_)) {
    const std::string part = system_.owner_name(unknown);
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    if (parts.size() == 6) break;
  }
  if (parts.empty())
    return "a model whose gravity, masses, stiffnesses or velocities are far too large or too "
           "small";
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace saltus
