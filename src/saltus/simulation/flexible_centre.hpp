// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// What a unit acceleration along x pulls at each unknown: at the x of a node, its part of the
/// mass.
VectorX nodal_pull(const System& system);

/// The centre of mass of a flexible body.
class FlexibleCentre {
 public:
  /// @param body  a flexible one of the system, which must live longer
  /// @param pull  nodal_pull(system)
  FlexibleCentre(const System& system, const BodyEntry& body, const VectorX& pull);

  Vector3 position(const Configuration& q) const;
  Vector3 velocity(const Configuration& q, const VectorX& v) const;

 private:
  /// A piece of beam whose mass is not on the chord of its nodes.
  struct CurvedPiece {
    const BeamInertia* inertia = nullptr;
    double weight = 0;  // part of the body's mass
  };

  const System& system_;
  int first_node_;
  std::vector<double> weights_;  // of the nodes, sum 1
  std::vector<CurvedPiece> curved_ = {};
};

}  // namespace saltus
