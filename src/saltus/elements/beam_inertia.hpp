// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/element.hpp"
#include "saltus/model/section.hpp"

namespace saltus {

/// Inertia of a piece of beam or bar between two nodes. Its mass moves as the points between the
/// nodes do: linearly between them (Consistent), with half of it at each node (Lumped), as the mean
/// of the two (Mixed), or on the cubic that has the nodes' x axes as tangents (Hermite). Only that
/// last mass depends on the configuration. The rotary inertia of the sections is lumped. Equation
/// numbers: docs/theory/beams.md.
struct BeamInertia {
  int node_A = 0, node_B = 0;
  double mass = 0;                   ///< of the piece, kg
  double length = 0;                 ///< of the piece, m; only Hermite uses it
  Vector3 rotary = Vector3::Zero();  ///< moments that each end gets, in section axes, kg m²
  BeamMass kind = BeamMass::Consistent;

  /// Whether the mass matrix is, so that `pair` does not matter.
  bool is_constant() const { return kind != BeamMass::Hermite; }

  /// M v̇ and the gyroscopic and convective terms.
  Vector12 force(const NodePair& pair, const Vector12& v, const Vector12& vdot) const;
  /// The force of gravity, g its acceleration.
  Vector12 weight(const NodePair& pair, const Vector3& g) const;
  Vector12 mass_times(const NodePair& pair, const Vector12& x) const;
  /// The centre of mass, and its velocity.
  Vector3 centre(const NodePair& pair) const;
  Vector3 centre_velocity(const NodePair& pair, const Vector12& v) const;
  Matrix12 mass_matrix(const NodePair& pair) const;
  /// ∂force/∂v
  Matrix12 gyroscopic_matrix(const NodePair& pair, const Vector12& v) const;
  /// ∂(force − weight)/∂q at constant v and v̇; zero if the mass is constant.
  Matrix12 stiffness_matrix(const NodePair& pair, const Vector12& v, const Vector12& vdot,
                            const Vector3& g) const;
  double kinetic_energy(const NodePair& pair, const Vector12& v) const;
  double gravity_energy(const NodePair& pair, const Vector3& g) const;

  using View = PairView;
  static constexpr bool is_parallel = true;
  struct Forces {
    Vector12 inertia, gravity;
  };
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  Forces forces(const PairView& at) const;
  Vector12 momentum(const PairView& at) const { return mass_times(at.poses(), at.velocity()); }
  double kinetic_energy(const PairView& at) const {
    return kinetic_energy(at.poses(), at.velocity());
  }
  double gravity_energy(const PairView& at) const {
    return gravity_energy(at.poses(), at.input().gravity);
  }
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
};

}  // namespace saltus
