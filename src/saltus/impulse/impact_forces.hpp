// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/elastoplastic_law.hpp"
#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// Deformation and force of a point within a collision, at the times of ImpactForces.
struct PointForces {
  std::vector<double> deformation;  ///< δ, m
  std::vector<double> normal;       ///< N
  std::vector<Eigen::Vector2d> friction;
  double peak = 0;                   ///< of the normal force
  double largest_deformation = 0;    ///< when the point has come to rest, m
  double permanent_deformation = 0;  ///< after the collision, m
};

/// A collision in time, all points at the same moments.
struct ImpactForces {
  std::vector<double> time;  ///< from the first touch, s
  std::vector<PointForces> points;
  double compression_time = 0;  ///< until the independent point of the first event is at rest
  double duration = 0;
};

/// The micro-time of a collision that is resolved, (20)–(22): elapsed time, deformations, and the
/// forces of every point by its own law. Impulses and velocities are those of the result, which
/// must have histories. `laws`: one a point. `preload`: normal forces of points that rest in
/// contact before, N; empty: none.
ImpactForces impact_forces(const ImpactProblem& problem, const ImpactResult& result,
                           const std::vector<ElastoplasticLaw>& laws,
                           const std::vector<double>& preload = {});

}  // namespace saltus::impulse
