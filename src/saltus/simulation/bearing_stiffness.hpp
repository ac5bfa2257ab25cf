// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// A race on its node, and the indices of its compliant contacts with the balls.
struct ElasticRace {
  int node = 0;
  FrameOnNode frame = {};
  std::vector<int> contacts = {};  ///< in ElementLists::compliant
};

using Vector5 = Eigen::Matrix<double, 5, 1>;
using Matrix5 = Eigen::Matrix<double, 5, 5>;

/// What the inner race has moved from its initial pose, seen from the outer one: m, and rad about
/// x and y of the outer race's axes.
Vector5 race_displacement(const System& system, const State& state, const ElasticRace& inner,
                          const ElasticRace& outer);

/// −∂(forces, moments)/∂(displacements) of the inner race about its centre, (x, y, z, about x,
/// about y) in the axes of the outer one, which stands still. The balls follow in their planes
/// through the axis and balance; (16) of docs/theory/compliant_contacts.md.
Matrix5 bearing_stiffness(const System& system, const State& state, const ElasticRace& inner,
                          const ElasticRace& outer);

}  // namespace saltus
