// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/islands.hpp"
#include "saltus/linalg/sparse_matrix.hpp"

namespace saltus {

/// Norms of a vector of velocities or forces, translations and rotations apart: they have different
/// units and are never added.
struct SplitNorm {
  double translation = 0;
  double rotation = 0;
};
SplitNorm split_norm(const System& system, const VectorX& v);
using SplitNorms = std::vector<SplitNorm>;  ///< of islands
void split_norms(const System& system, const Islands& islands, const VectorX& v, SplitNorms& out);

/// Σ over the force terms of their norms, and that of M v̇ (which gyroscopic terms may balance):
/// what a residual is compared with (docs/theory/generalized_alpha.md, eq. 12).
SplitNorm force_scale(const System& system, const ForceTerms& terms, const VectorX& M_vdot);
/// @param work  workspace
void force_scales(const System& system, const Islands& islands, const ForceTerms& terms,
                  const VectorX& M_vdot, SplitNorms& work, SplitNorms& out);

/// Largest |row|, in m (or m/s); rows in rad are taken times the characteristic length.
double largest_row(const System& system, const VectorX& rows);
using Sizes = std::vector<double>;  ///< of islands
void largest_rows(const System& system, const Islands& islands, const VectorX& rows, Sizes& out);

/// Of forces that are no numbers: why that may be.
constexpr const char* not_finite =
    "forces are not finite numbers at this time: a formula has no value there, or gravity, masses, "
    "stiffnesses or velocities are far too large";

/// "joint "pin", equation 3 of 5": whose row is the largest.
std::string worst_row_name(const System& system, const VectorX& rows);

/// What joint velocities are compared with, m/s: the largest speed, the largest change of speed in
/// a step h, and what round-off of positions makes of rest.
/// @param work  workspace
void speed_scales(const System& system, const Islands& islands, const VectorX& v,
                  const VectorX& vdot, double h, Sizes& work, Sizes& out);

/// Of a node, in m (or m/s), whatever the axes; rotations times the characteristic length.
double largest_motion(const System& system, const VectorX& v);
void largest_motions(const System& system, const Islands& islands, const VectorX& v, Sizes& out);

/// Largest rotation component, rad (or rad/s).
double largest_rotation(const System& system, const VectorX& v);
void largest_rotations(const System& system, const Islands& islands, const VectorX& v, Sizes& out);

/// Largest coordinate of a node, or the size of the island if that is more, m: what round-off of
/// positions is a part of.
void largest_coordinates(const Islands& islands, const Configuration& q, Sizes& out);

/// Shortens the motions of islands in which `factor` × v turns a node by more than
/// SmoothTuning::rotation_cap, each as a whole.
/// @param turns  workspace
void shorten(const System& system, const Islands& islands, double factor, Sizes& turns, VectorX& v);

/// Σ_j |S_ij| |q_j| over the columns of positions of a Newton matrix: times the round-off of a
/// number, what is left of its rows i.
/// @param coordinates  of islands: largest_coordinates()
void stiffness_terms(const System& system, const Islands& islands, const linalg::SparseMatrix& S,
                     const Sizes& coordinates, VectorX& out);
/// Adds Σ_j |S_ij| |ν_j| over those of multipliers.
void add_multiplier_terms(const System& system, const linalg::SparseMatrix& S, const VectorX& nu,
                          VectorX& out);

/// Whether the residual of a correction is small against its inertia and constraint terms, forces
/// and moments apart: they have different units. Island by island, and node by node: what is little
/// against the reactions of a heavy body is much for a light one that is joined to it.
class IslandBalance {
 public:
  /// @param reaction  sums of absolute values, so that reactions that cancel count
  void measure(const System& system, const Islands& islands, const VectorX& residual,
               const VectorX& inertia, const VectorX& reaction);
  /// Of the island as a whole.
  bool holds(int island) const;
  /// The same vectors node by node. What of the residual is `round_off` is no error.
  void measure_nodes(const System& system, const Islands& islands, const VectorX& residual,
                     const VectorX& inertia, const VectorX& reaction, const VectorX& round_off);
  /// Of each node that has a mass. @pre measure_nodes() of the same iterate.
  bool holds_at_nodes(int island) const { return is_met_[static_cast<std::size_t>(island)] != 0; }
  bool has_reaction(int island) const;

  /// What the residual is a difference of, besides: `share` times the terms of the forces, and the
  /// forces with which they are compared. Their round-off is no error.
  void measure_forces(const System& system, const Islands& islands, const ForceTerms& terms,
                      const VectorX& compared_with, double share);
  /// @pre measure() and measure_forces() of the same iterate.
  bool is_round_off(int island) const;

 private:
  SplitNorms residual_, inertia_, reaction_, forces_, work_;
  Sizes lengths_;
  std::vector<char> is_met_;  // at all nodes of an island
  double share_ = 0;
};

/// T of an island, J. @param momentum  workspace
double kinetic_energy(const System& system, const Islands& islands, int island,
                      const Configuration& q, const VectorX& v, VectorX& momentum);

/// Sets the unknowns of islands that are done to zero.
void leave_out(const Islands& islands, const std::vector<char>& is_done, VectorX& x);

}  // namespace saltus
