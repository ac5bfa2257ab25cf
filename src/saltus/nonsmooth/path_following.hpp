// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/nonsmooth/body_motion.hpp"
#include "saltus/nonsmooth/second_order_cone.hpp"

namespace saltus::nonsmooth {

/// A point near the central path, or a direction: motions w of the bodies, and of each contact its
/// reaction L and shifted motion Z in units in which both are in Q and L·Z is energy.
struct PathPoint {
  BodyMotion w;
  std::vector<Vector3> L, Z;
  double tau = 0;  ///< log m, L ∘ Z = m e being the path

  void resize(std::size_t contacts, Eigen::Index unknowns);
  void add(double factor, const PathPoint& direction);
};

/// Arrays of path_following and polish, which only grow.
struct PathSpace {
  PathPoint x, last, tangent, newton, along;
  std::vector<Vector3> scales;               // T: l = T L, Z = T û
  std::vector<SymmetricScaling> symmetries;  // of L and Z at x
  std::vector<Vector3> u, gap, v;            // H w + b; r_p; right sides
  std::vector<Matrix3> W, C;
  BodyMotion imbalance, force, change;  // r_d; right side and its refinement
  ContactVectors<3> reaction, motion;
};

/// The derivative of project_on_cone; on its kinks one of them.
Matrix3 tangent_of_projection(const Vector3& x, double mu);

}  // namespace saltus::nonsmooth
