// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/dynamics/contact_points.hpp"

// What the points of a ContactSet do at the two levels of a step. Whoever solves for a reaction
// owns the list of them, in the order of ContactSet::points(), and nobody else writes it. Vectors
// are (n, t1, t2), and where moments resist rotation (s, r1, r2) besides: rotations times the
// element's length, moments over it.
namespace saltus {

/// Of PositionCorrection.
struct PositionReaction {
  Vector6 nu = Vector6::Zero();  ///< multiplier, kg m
  /// Of a sticking contact: slip, and rotation times length, m.
  Eigen::Matrix<double, 5, 1> creep = Eigen::Matrix<double, 5, 1>::Zero();
};

/// Of ContactImpulses.
struct VelocityReaction {
  double mu = 0;  ///< coefficient of friction at the slip speed at hand
  /// Normal velocity that restitution reverses, ≤ 0: that before the impact along the rows H, along
  /// which the impulse acts, so that without friction exactly ½ (1 − e²) of its energy is lost. Or,
  /// ≥ 0, the one after the impact.
  double approach = 0;
  double restitution = 0;  ///< coefficient at this approach
  /// Of a contact that friction holds in part: the approach that it lets happen in the first impact
  /// problem, ≤ 0.
  double yields = 0;
  /// Whether friction is against the mean of the slips at both ends of the step, not that of its
  /// end (nonsmooth_generalized_alpha.md, eq. 27).
  bool along_mean = false;
  Vector6 impulse = Vector6::Zero();  ///< Λ, N s
  Vector3 force = Vector3::Zero();    ///< Λ on the point's body, inertial components
  /// The part of Λ that no impact made, where joints ask for it.
  Vector6 lasting = Vector6::Zero();
};

/// What a contact got in one of the impact problems of a step.
struct SubImpact {
  int point = 0;           ///< of the set
  int order = 0;           ///< of the problem in the step, from 1
  bool is_impact = false;  ///< the contact was approaching before it
  bool by_forces = false;  ///< after the impacts, against the forces of the step
  Vector6 impulse = Vector6::Zero();
  // In inertial components: the normal, the impulse on the point's body, and the point's velocities
  // relative to the surface.
  Vector3 normal = Vector3::Zero();
  Vector3 force = Vector3::Zero();
  Vector3 before = Vector3::Zero();
  Vector3 after = Vector3::Zero();
  double normal_loss = 0;    ///< J
  double friction_loss = 0;  ///< J, moments included
};

/// A part of a reaction with a bound of its own.
struct FrictionPart {
  int first = 1;  ///< row
  int rows = 2;
};
/// Against sliding, spinning and rolling (frictional_contact.md, eq. 7m).
inline constexpr std::array<FrictionPart, 3> friction_parts = {{{1, 2}, {3, 1}, {4, 2}}};

}  // namespace saltus
