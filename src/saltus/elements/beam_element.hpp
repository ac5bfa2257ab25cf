// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/elements/element.hpp"

namespace saltus {

/// A piece of beam between two nodes whose axes are the section axes, x along the beam. The pieces
/// of a beam are helices: its deformation is h = (u, ψ) = log(H_A⁻¹ H_B), the motion in SE(3) from
/// A to B seen from the section, less its value h₀ in the reference configuration; the strain
/// (h − h₀)/L is constant along the piece. Objective, free of locking, exact where the strain is
/// constant. The relative rotation of the nodes must stay below π. Equation numbers:
/// docs/theory/beams.md.
struct BeamElement {
  int node_A = 0, node_B = 0;
  double length = 0;                    ///< L of the reference arc, m
  Vector6 stiffness = Vector6::Zero();  ///< resultants N, Q_y, Q_z, M_x, M_y, M_z per strain
  double damping_time = 0;              ///< b: the resultants have a part b · stiffness · rate, s
  Vector6 rest = Vector6::Zero();       ///< h₀

  struct Forces {
    Vector12 elastic, damping;
  };
  struct Tangents {
    Matrix12 K, C;  ///< −∂f/∂q and −∂f/∂v
  };

  Vector6 strain(const NodePair& pair) const;  ///< (h − h₀)/L
  /// Elastic N, Q_y, Q_z, M_x, M_y, M_z in section axes, in the middle of the piece.
  Vector6 resultants(const NodePair& pair) const;
  /// The same at end A, in the axes of node A, and at end B, in the axes of node B.
  Vector12 end_resultants(const NodePair& pair) const;
  double energy(const NodePair& pair) const;
  Forces forces(const NodePair& pair, const Vector12& v) const;
  Tangents tangents(const NodePair& pair, const Vector12& v) const;

  using View = PairView;
  static constexpr bool is_parallel = true;
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  bool is_damped(const PairView&) const { return damping_time > 0; }
  Forces forces(const PairView& at) const { return forces(at.poses(), at.velocity()); }
  double elastic_energy(const PairView& at) const { return energy(at.poses()); }
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
};

struct BeamElementOptions {
  /// Adds to the shear flexibility what a constant strain misses of bending, so that forces at the
  /// ends give the exact linear deflection with one element, and the order in statics is 4, not 2.
  /// The shear strain is no longer that of the section; the resultants are.
  bool residual_bending_flexibility = true;
  double damping_time = 0;  ///< s
};

/// The element that is at rest in the reference poses.
/// @param section_stiffness EA, k_y GA, k_z GA, GJ, EI_y, EI_z
BeamElement make_beam_element(int node_A, int node_B, const NodePair& reference,
                              const Vector6& section_stiffness,
                              const BeamElementOptions& options = {});

}  // namespace saltus
