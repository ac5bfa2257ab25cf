// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/archive.hpp"
#include "saltus/lie/so3.hpp"

namespace saltus {

/// What a compliant contact point remembers of the end of the last step
/// (docs/theory/compliant_contacts.md). Vectors without a frame are in the axes of node A.
struct ContactMemory {
  double time = 0;         ///< of the end, s
  bool is_felt = false;    ///< in contact, or over the surface: else it has come round an edge
  bool is_closed = false;  ///< overlaps
  double rate = 0;         ///< of the approach, m/s
  double approach = 0;     ///< the largest speed of approach since it closed, m/s
  double slip_speed = 0;   ///< m/s
  double tangential_stiffness = 0;  ///< k_t: grows as long as it is closed, N/m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  Eigen::Vector3d friction = Eigen::Vector3d::Zero();  ///< on B, N
  Eigen::Vector3d anchor_A = Eigen::Vector3d::Zero();  ///< the point of contact
  Eigen::Vector3d anchor_B = Eigen::Vector3d::Zero();  ///< the same in the axes of node B
  // For results.
  double gap = 0;           ///< m
  double hardness = 1;      ///< K over that at the bottom of a groove
  double normal_force = 0;  ///< N, ≥ 0
  bool sticks = false;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    ///< on B, inertial components, N
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< on B in the last step, inertial, N s

  double indentation() const { return is_closed ? -gap : 0; }

  void archive(Archive& memory) {
    memory(time, is_felt, is_closed, rate, approach, slip_speed, tangential_stiffness, normal,
           friction, anchor_A, anchor_B, gap, hardness, normal_force, sticks, force, impulse);
  }
};

/// What compliant contacts did in a step besides storing energy, J.
struct ContactBooks {
  double friction_loss = 0;
  double belt_work = 0;  ///< of moving surfaces on the bodies
};

}  // namespace saltus
