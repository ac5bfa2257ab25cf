// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/residual_scale.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
SplitNorm split_norm(const System& system, const VectorX& v) {
  SplitNorm square;
  for (int i = 0; i < system.velocities(); ++i) {
    (system.is_rotation(i) ? square.rotation : square.translation) += v[i] * v[i];
  }
  return {std::sqrt(square.translation), std::sqrt(square.rotation)};
}

SplitNorm force_scale(const System& system, const ForceTerms& terms, const VectorX& M_vdot) {
  SplitNorm sum;
  for (const VectorX* term : {&terms.inertia, &terms.gravity, &terms.elastic, &terms.damping,
                              &terms.applied, &terms.constraint, &M_vdot}) {
    const SplitNorm norm = split_norm(system, *term);
    sum.translation += norm.translation;
    sum.rotation += norm.rotation;
  }
  // Moments are forces times arms: where one kind vanishes, round-off of the other is left.
  const double L = system.characteristic_length();
  return {sum.translation + ScaleTuning::cross_share * sum.rotation / L,
          sum.rotation + ScaleTuning::cross_share * sum.translation * L};
}

double largest_row(const System& system, const VectorX& rows) {
  double largest = 0;
  for (int i = 0; i < system.constraints(); ++i) {
    const double unit = system.is_angular(i) ? system.characteristic_length() : 1.0;
    const double size = unit * std::abs(rows[i]);
    if (!(size <= largest)) largest = size;  // keeps NaN
  }
  return largest;
}

std::string worst_row_name(const System& system, const VectorX& rows) {
  int worst = 0;
  double size = -1;
  for (int i = 0; i < system.constraints(); ++i) {
    const double unit = system.is_angular(i) ? system.characteristic_length() : 1.0;
    if (unit * std::abs(rows[i]) > size) size = unit * std::abs(rows[i]), worst = i;
  }
  return system.unknown_name(system.velocities() + worst);
}

double speed_scale(const System& system, const VectorX& v, const VectorX& vdot, double h) {
  return largest_motion(system, v) + h * largest_motion(system, vdot) +
         ScaleTuning::position_round_off * system.characteristic_length() / h;
}

double largest_motion(const System& system, const VectorX& v) {
  double largest = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    const double unit = system.is_rotation(i) ? system.characteristic_length() : 1.0;
    const double size = unit * std::abs(v[i]);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

double largest_rotation(const System& system, const VectorX& v) {
  double largest = 0;
  for (int i = 0; i < system.velocities(); ++i) {
    if (system.is_rotation(i)) largest = std::max(largest, std::abs(v[i]));
  }
  return largest;
}

}  // namespace saltus
