// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/islands.hpp"

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

/// Whether the residual of a correction is small against its inertia and constraint terms, forces
/// and moments apart: they have different units. Island by island.
class IslandBalance {
 public:
  void measure(const System& system, const Islands& islands, const VectorX& residual,
               const VectorX& inertia, const VectorX& reaction);
  /// @param length  size of the island
  bool holds(int island, double length) const;
  bool has_reaction(int island) const;

  /// What the residual is a difference of, besides: `share` times the terms of the forces, and the
  /// forces with which they are compared. Their round-off is no error.
  void measure_forces(const System& system, const Islands& islands, const ForceTerms& terms,
                      const VectorX& compared_with, double share);
  /// @pre measure() and measure_forces() of the same iterate.
  bool is_round_off(int island) const;

 private:
  SplitNorms residual_, inertia_, reaction_, forces_, work_;
  double share_ = 0;
};

/// T of an island, J. @param momentum  workspace
double kinetic_energy(const System& system, const Islands& islands, int island,
                      const Configuration& q, const VectorX& v, VectorX& momentum);

/// Sets the unknowns of islands that are done to zero.
void leave_out(const Islands& islands, const std::vector<char>& is_done, VectorX& x);

}  // namespace saltus
