// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/element.hpp"

namespace saltus {

/// A piece of bar whose nodes move along a fixed line: only their distance along the line strains
/// it, N = EA (n·(x_B − x_A) − L)/L, however large the displacements. Linear. It neither resists
/// nor notices motion across the line, nor rotation. docs/theory/solids.md, (17).
struct BarElement {
  int node_A = 0, node_B = 0;
  Vector3 direction = Vector3::UnitX();  ///< n, a unit vector from A to B, inertial axes
  double length = 0;                     ///< L at rest, m
  double stiffness = 0;                  ///< EA, N
  double damping_time = 0;               ///< b: N has a part b · EA · strain rate, s

  struct Forces {
    Vector12 elastic, damping;
  };
  struct Tangents {
    Matrix12 K, C;  ///< −∂f/∂q and −∂f/∂v, constant
  };

  double strain(const NodePair& pair) const;
  double resultant(const NodePair& pair) const;  ///< elastic N, positive in tension
  double energy(const NodePair& pair) const;
  Forces forces(const NodePair& pair, const Vector12& v) const;
  Tangents tangents() const;

  using View = PairView;
  static constexpr bool is_parallel = true;
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  bool is_damped(const PairView&) const { return damping_time > 0; }
  Forces forces(const PairView& at) const { return forces(at.poses(), at.velocity()); }
  double elastic_energy(const PairView& at) const { return energy(at.poses()); }
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
};

}  // namespace saltus
