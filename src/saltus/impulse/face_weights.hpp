// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

using Vector2 = Eigen::Vector2d;

/// How much of the face that points of a plane span, or of the edge of points of a line, each of
/// them stands for.
struct FaceWeights {
  VectorX weights;      ///< their mean is 1
  bool stands = true;   ///< false: no such weights exist, and all are 1
  bool centred = true;  ///< whether the mean of the points is the centre of the face or edge
};

/// (8b): the most even weights with which sums over the points are integrals over the face of all
/// polynomials of the second degree. Points with different normals have no face: all weights are 1.
FaceWeights face_weights(const std::vector<ImpactPoint>& points);

bool have_one_normal(const std::vector<ImpactPoint>& points);

}  // namespace saltus::impulse
