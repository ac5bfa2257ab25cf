// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/model/flexible.hpp"

namespace saltus {

/// What follows from a cell's reference shape and material alone, for each point of integration.
struct SolidConstants {
  double lambda = 0, mu = 0;  ///< Lamé's constants, Pa
  double b = 0;               ///< damping time, s
  VectorX weights = {};       ///< volume of the points, m³
  Eigen::MatrixXd X = {};     ///< nodes relative to the first, a row each, m
  Eigen::MatrixXd gradients =
      {};  ///< ∂N/∂X, 1/m: a row for each node, three columns for each point
  Eigen::MatrixXd mode_stress = {};  ///< of the enhanced modes (solid_modes.hpp); empty without
  Eigen::MatrixXd mode_shape = {};
};

/// One cell of a solid (docs/theory/solids.md), or all cells that are congruent to it: reference
/// shape and material, and what follows from them alone. Total Lagrangian, Green–Lagrange strain E,
/// St-Venant–Kirchhoff stress S = λ tr(E) 1 + 2μE, and a damping stress b (λ tr(Ė) 1 + 2μĖ), b the
/// damping time; rigid motions do nothing. Every function is const and may be called by several
/// threads; those that Newton's method calls do not allocate.
class SolidShape {
 public:
  static constexpr int max_nodes = 10;
  static constexpr int max_points = 8;
  /// A column for each node: places in m, velocities in m/s, or forces in N.
  using Positions = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, max_nodes>;
  /// Unknowns in the order x₀ y₀ z₀ x₁ y₁ …
  using Tangent = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                3 * max_nodes, 3 * max_nodes>;
  /// Symmetric tensors, a column for each node or point: 11, 22, 33, 12, 23, 13 (shear not
  /// doubled).
  using Tensors = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, max_nodes>;

  /// @param X places of the nodes without strain, m; they fill the cell with positive volume
  /// @param young_modulus Pa, positive
  /// @param poisson_ratio between −1 and 1/2, both excluded
  /// @param damping_time b, s, not negative
  SolidShape(CellKind kind, HexFormulation formulation, const Positions& X, double young_modulus,
             double poisson_ratio, double damping_time);

  CellKind kind() const { return kind_; }
  int nodes() const { return node_count(kind_); }
  int points() const { return static_cast<int>(constants_.weights.size()); }  ///< of integration
  double volume() const { return volume_; }  ///< without strain, m³
  double damping_time() const { return constants_.b; }

  /// ∫ N_a N_b dV₀ in m³: times density, the consistent mass between nodes a and b.
  const Eigen::MatrixXd& mass_shares() const { return mass_shares_; }
  /// Its row sums ∫ N_a dV₀: what gravity acts on.
  const VectorX& node_shares() const { return node_shares_; }
  /// The same volume shared among the nodes, each positive: times density, lumped masses.
  const VectorX& lumped_shares() const { return lumped_shares_; }

  double energy(const Positions& x) const;  ///< elastic, J
  /// Forces on the nodes: elastic = −∂V/∂x, damping against the strain's rate. Without damping v is
  /// not read, and `damping` is zero.
  void forces(const Positions& x, const Positions& v, Positions& elastic, Positions& damping) const;
  /// A = stiffness_factor K + damping_factor C with K = −∂f/∂x and C = −∂f/∂v of both forces.
  /// K is symmetric without damping, C always.
  void tangents(const Positions& x, const Positions& v, double stiffness_factor,
                double damping_factor, Tangent& A) const;

  /// Green–Lagrange strain at the points of integration, with the enhanced modes.
  Tensors point_strains(const Positions& x) const;
  /// Elastic Cauchy stress at the points of integration, Pa.
  Tensors point_stresses(const Positions& x) const;
  /// The smallest volume over that without strain, at the points of integration: not positive where
  /// the cell is turned inside out.
  double smallest_volume_ratio(const Positions& x) const;
  Vector6 mean_strain(const Positions& x) const;  ///< over the volume without strain
  Vector6 mean_stress(const Positions& x) const;  ///< Cauchy, Pa, over the present volume
  /// Cauchy stress at the nodes, Pa, by the polynomial through the points of integration. Cells
  /// that share a node give different values there; their mean is customary.
  Tensors nodal_stresses(const Positions& x) const;

 private:
  CellKind kind_;
  SolidConstants constants_;
  double volume_ = 0;
  Eigen::MatrixXd mass_shares_;
  VectorX node_shares_;
  VectorX lumped_shares_;
};

/// The equivalent stress √(3/2 dev σ : dev σ) of a tensor 11, 22, 33, 12, 23, 13.
double von_mises(const Vector6& stress);

}  // namespace saltus
