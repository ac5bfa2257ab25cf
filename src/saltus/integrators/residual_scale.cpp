// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/residual_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// Keeps what is not a number.
void take_larger(double size, double& largest) {
  if (!(size <= largest) && !std::isnan(largest)) largest = size;
}

/// Of three numbers, in their order.
void take_largest(const double* v, double unit, double& largest) {
  for (int k = 0; k < 3; ++k) take_larger(unit * std::abs(v[k]), largest);
}

void add_squares(const double* v, double& sum) {
  for (int k = 0; k < 3; ++k) sum += v[k] * v[k];
}

/// Moments are forces times arms: where one kind vanishes, round-off of the other is left.
SplitNorm with_cross_share(const SplitNorm& sum, double L) {
  return {sum.translation + ScaleTuning::cross_share * sum.rotation / L,
          sum.rotation + ScaleTuning::cross_share * sum.translation * L};
}

std::array<const VectorX*, 7> terms_of(const ForceTerms& terms, const VectorX& M_vdot) {
  return {&terms.inertia, &terms.gravity,    &terms.elastic, &terms.damping,
          &terms.applied, &terms.constraint, &M_vdot};
}

/// Σ |S_ij| × size over the rows i of velocities.
void add_column(const System& system, const linalg::SparseMatrix& S, int j, double size,
                VectorX& out) {
  const std::span<const double> values = S.values();
  const std::span<const int> starts = system.pattern().column_starts();
  const std::span<const int> rows = system.pattern().row_indices();
  const auto column = static_cast<std::size_t>(j);
  for (int k = starts[column]; k < starts[column + 1]; ++k) {
    const int i = rows[static_cast<std::size_t>(k)];
    if (i < system.velocities()) out[i] += size * std::abs(values[static_cast<std::size_t>(k)]);
  }
}

SplitNorm norm_at(const Node& node, const VectorX& v) {
  return {v.segment<3>(node.first_unknown).norm(),
          node.turns() ? v.segment<3>(node.first_unknown + 3).norm() : 0.0};
}

/// What a correction's balance may leave of such terms. Where forces or moments vanish, round-off
/// of the others is left.
SplitNorm tolerance(const SplitNorm& terms, double L) {
  using Limits = CorrectionTuning;
  return {Limits::balance_tolerance *
              (terms.translation + Limits::balance_cross_share * terms.rotation / L),
          Limits::balance_tolerance *
              (terms.rotation + Limits::balance_cross_share * terms.translation * L)};
}

}  // namespace

SplitNorm split_norm(const System& system, const VectorX& v) {
  SplitNorm square;
  for (int i = 0; i < system.velocities(); ++i) {
    (system.is_rotation(i) ? square.rotation : square.translation) += v[i] * v[i];
  }
  return {std::sqrt(square.translation), std::sqrt(square.rotation)};
}

void split_norms(const System& system, const Islands& islands, const VectorX& v, SplitNorms& out) {
  out.assign(static_cast<std::size_t>(islands.count()), {});
  for (const Node& node : system.nodes()) {
    if (node.unknowns == 0) continue;
    SplitNorm& square = out[static_cast<std::size_t>(islands.of_unknown(node.first_unknown))];
    add_squares(v.data() + node.first_unknown, square.translation);
    if (node.turns()) add_squares(v.data() + node.first_unknown + 3, square.rotation);
  }
  for (SplitNorm& n : out) n = {std::sqrt(n.translation), std::sqrt(n.rotation)};
}

SplitNorm force_scale(const System& system, const ForceTerms& terms, const VectorX& M_vdot) {
  SplitNorm sum;
  for (const VectorX* term : terms_of(terms, M_vdot)) {
    const SplitNorm norm = split_norm(system, *term);
    sum.translation += norm.translation;
    sum.rotation += norm.rotation;
  }
  return with_cross_share(sum, system.characteristic_length());
}

void force_scales(const System& system, const Islands& islands, const ForceTerms& terms,
                  const VectorX& M_vdot, SplitNorms& work, SplitNorms& out) {
  out.assign(static_cast<std::size_t>(islands.count()), {});
  for (const VectorX* term : terms_of(terms, M_vdot)) {
    split_norms(system, islands, *term, work);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].translation += work[i].translation;
      out[i].rotation += work[i].rotation;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = with_cross_share(out[i], islands.length(static_cast<int>(i)));
  }
}

double largest_row(const System& system, const VectorX& rows) {
  double largest = 0;
  for (int i = 0; i < system.constraints(); ++i) {
    const double unit = system.is_angular(i) ? system.characteristic_length() : 1.0;
    take_larger(unit * std::abs(rows[i]), largest);
  }
  return largest;
}

void largest_rows(const System& system, const Islands& islands, const VectorX& rows, Sizes& out) {
  out.assign(static_cast<std::size_t>(islands.count()), 0.0);
  for (int i = 0; i < system.constraints(); ++i) {
    const int island = islands.of_unknown(system.velocities() + i);
    const double unit = system.is_angular(i) ? islands.length(island) : 1.0;
    take_larger(unit * std::abs(rows[i]), out[static_cast<std::size_t>(island)]);
  }
}

std::string worst_row_name(const System& system, const VectorX& rows) {
  int worst = 0;
  double size = -1;
  for (int i = 0; i < system.constraints(); ++i) {
    const double unit = system.is_angular(i) ? system.characteristic_length() : 1.0;
    if (unit * std::abs(rows[i]) > size) size = unit * std::abs(rows[i]), worst = i;
  }
  return system.unknown_name(system.velocities() + worst);
}

void speed_scales(const System& system, const Islands& islands, const VectorX& v,
                  const VectorX& vdot, double h, Sizes& work, Sizes& out) {
  largest_motions(system, islands, v, out);
  largest_motions(system, islands, vdot, work);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double L = islands.length(static_cast<int>(i));
    out[i] = out[i] + h * work[i] + ScaleTuning::position_round_off * L / h;
  }
}

double largest_motion(const System& system, const VectorX& v) {
  double largest = 0;
  for (const Node& node : system.nodes()) {
    if (node.unknowns == 0) continue;
    take_larger(v.segment<3>(node.first_unknown).norm(), largest);
    if (!node.turns()) continue;
    const double turn = v.segment<3>(node.first_unknown + 3).norm();
    take_larger(system.characteristic_length() * turn, largest);
  }
  return largest;
}

void largest_motions(const System& system, const Islands& islands, const VectorX& v, Sizes& out) {
  out.assign(static_cast<std::size_t>(islands.count()), 0.0);
  for (const Node& node : system.nodes()) {
    if (node.unknowns == 0) continue;
    const int island = islands.of_unknown(node.first_unknown);
    double& largest = out[static_cast<std::size_t>(island)];
    take_largest(v.data() + node.first_unknown, 1.0, largest);
    if (!node.turns()) continue;
    take_largest(v.data() + node.first_unknown + 3, islands.length(island), largest);
  }
}

double largest_rotation(const System& system, const VectorX& v) {
  double largest = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    if (system.is_rotation(i)) take_larger(std::abs(v[i]), largest);
  }
  return largest;
}

void largest_rotations(const System& system, const Islands& islands, const VectorX& v, Sizes& out) {
  out.assign(static_cast<std::size_t>(islands.count()), 0.0);
  for (const Node& node : system.nodes()) {
    if (!node.turns()) continue;
    const int island = islands.of_unknown(node.first_unknown);
    take_largest(v.data() + node.first_unknown + 3, 1.0, out[static_cast<std::size_t>(island)]);
  }
}

void largest_coordinates(const Islands& islands, const Configuration& q, Sizes& out) {
  out.resize(static_cast<std::size_t>(islands.count()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = islands.length(static_cast<int>(i));
  for (std::size_t n = 0; n < q.nodes.size(); ++n) {
    const int island = islands.of_node(static_cast<int>(n));
    if (island < 0) continue;
    take_larger(q.nodes[n].x.cwiseAbs().maxCoeff(), out[static_cast<std::size_t>(island)]);
  }
}

void shorten(const System& system, const Islands& islands, double factor, Sizes& turns,
             VectorX& v) {
  largest_rotations(system, islands, v, turns);
  bool too_far = false;
  for (double& turn : turns) {
    turn *= factor;
    too_far |= turn > SmoothTuning::rotation_cap;
  }
  if (!too_far) return;
  for (int i = 0; i < system.velocities(); ++i) {
    const double turn = turns[static_cast<std::size_t>(islands.of_unknown(i))];
    if (turn > SmoothTuning::rotation_cap) v[i] *= SmoothTuning::rotation_cap / turn;
  }
}

void leave_out(const Islands& islands, const std::vector<char>& is_done, VectorX& x) {
  if (islands.count() == 1) {
    if (is_done.front() != 0) x.setZero();
    return;
  }
  for (int i = 0; i < static_cast<int>(x.size()); ++i) {
    if (is_done[static_cast<std::size_t>(islands.of_unknown(i))] != 0) x[i] = 0;
  }
}

void stiffness_terms(const System& system, const Islands& islands, const linalg::SparseMatrix& S,
                     const Sizes& coordinates, VectorX& out) {
  out.setZero();
  for (int j = 0; j < system.velocities(); ++j) {
    const double size =
        system.is_rotation(j) ? 1.0 : coordinates[static_cast<std::size_t>(islands.of_unknown(j))];
    add_column(system, S, j, size, out);
  }
}

void add_multiplier_terms(const System& system, const linalg::SparseMatrix& S, const VectorX& nu,
                          VectorX& out) {
  for (int j = 0; j < system.constraints(); ++j) {
    add_column(system, S, system.velocities() + j, std::abs(nu[j]), out);
  }
}

void IslandBalance::measure(const System& system, const Islands& islands, const VectorX& residual,
                            const VectorX& inertia, const VectorX& reaction) {
  split_norms(system, islands, residual, residual_);
  split_norms(system, islands, inertia, inertia_);
  split_norms(system, islands, reaction, reaction_);
  // Room for what measure_forces may ask for in any later step.
  for (SplitNorms* norms : {&forces_, &work_}) norms->reserve(residual_.size());
  is_met_.reserve(residual_.size());
  lengths_.resize(residual_.size());
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    lengths_[i] = islands.length(static_cast<int>(i));
  }
}

bool IslandBalance::holds(int island) const {
  const auto i = static_cast<std::size_t>(island);
  const SplitNorm allowed = tolerance({inertia_[i].translation + reaction_[i].translation,
                                       inertia_[i].rotation + reaction_[i].rotation},
                                      lengths_[i]);
  return residual_[i].translation <= allowed.translation &&
         residual_[i].rotation <= allowed.rotation;
}

/// Nodes without mass hang on joints that may cancel each other: they have the island's terms only.
void IslandBalance::measure_nodes(const System& system, const Islands& islands,
                                  const VectorX& residual, const VectorX& inertia,
                                  const VectorX& reaction, const VectorX& round_off) {
  is_met_.assign(residual_.size(), 1);
  for (int n = 0; n < static_cast<int>(system.nodes().size()); ++n) {
    const Node& node = system.nodes()[static_cast<std::size_t>(n)];
    if (node.unknowns == 0 || system.node_mass(n) == 0) continue;
    const auto island = static_cast<std::size_t>(islands.of_node(n));
    const SplitNorm M_U = norm_at(node, inertia), reactions = norm_at(node, reaction);
    const SplitNorm size = norm_at(node, residual), rounding = norm_at(node, round_off);
    const SplitNorm allowed =
        tolerance({M_U.translation + reactions.translation, M_U.rotation + reactions.rotation},
                  lengths_[island]);
    if (!(size.translation <= allowed.translation + rounding.translation &&
          size.rotation <= allowed.rotation + rounding.rotation)) {
      is_met_[island] = 0;
    }
  }
}

void IslandBalance::measure_forces(const System& system, const Islands& islands,
                                   const ForceTerms& terms, const VectorX& compared_with,
                                   double share) {
  force_scales(system, islands, terms, compared_with, work_, forces_);
  share_ = CorrectionTuning::rounding * share;
}

bool IslandBalance::is_round_off(int island) const {
  const auto i = static_cast<std::size_t>(island);
  return residual_[i].translation <= share_ * forces_[i].translation &&
         residual_[i].rotation <= share_ * forces_[i].rotation;
}

bool IslandBalance::has_reaction(int island) const {
  const SplitNorm& reaction = reaction_[static_cast<std::size_t>(island)];
  return reaction.translation != 0 || reaction.rotation != 0;
}

double kinetic_energy(const System& system, const Islands& islands, int island,
                      const Configuration& q, const VectorX& v, VectorX& momentum) {
  system.mass_times(q, v, momentum);
  double sum = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    if (islands.of_unknown(i) == island) sum += v[i] * momentum[i];
  }
  return sum / 2;
}

}  // namespace saltus
