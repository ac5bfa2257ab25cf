// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/elements/element.hpp"
#include "saltus/elements/primitives.hpp"

namespace saltus {

/// A spring and damper on a scalar coordinate s of two nodes: τ = k (s − s₀) + c ṡ acts against s.
/// (docs/theory/constrained_dynamics.md, section 4)
struct ScalarSpring {
  int node_A = 0, node_B = 0;
  std::variant<PointDistance, TwistAngle> coordinate;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;          ///< s₀
  int angle = -1;           ///< index of the unwrapped joint angle, −1 for a distance
  double angle_offset = 0;  ///< what that angle counts as zero, rad

  struct Forces {
    Vector12 elastic, damping;
  };
  struct Tangents {
    Matrix12 K, C;  ///< −∂f/∂q and −∂f/∂v
  };

  /// s − s₀, an angle taken on the branch nearest to `reference` (rad).
  double elongation(const NodePair& pair, double reference) const;
  double energy(const NodePair& pair, double reference) const;
  Forces forces(const NodePair& pair, const Vector12& v, double reference) const;
  Tangents tangents(const NodePair& pair, const Vector12& v, double reference) const;

  using View = PairView;
  std::array<int, 2> node_ids() const { return {node_A, node_B}; }
  Forces forces(const PairView& at) const { return forces(at.poses(), at.velocity(), branch(at)); }
  double elastic_energy(const PairView& at) const { return energy(at.poses(), branch(at)); }
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;

 private:
  /// Near which an angle is looked for, rad.
  double branch(const PairView& at) const;
};

/// The angle equal to `angle` modulo 2π that is nearest to `reference`.
double nearest_branch(double angle, double reference);

}  // namespace saltus
