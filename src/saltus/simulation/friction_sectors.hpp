// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Where about an axis a contact loses energy by friction: its wear.
class FrictionSectors {
 public:
  static constexpr int count = 36;  ///< of a turn

  /// @param system  must live longer
  /// @param group   a contact of the model whose points are listed
  FrictionSectors(const System& system, int group) : system_(&system), group_(group) {}

  /// The state from which the first step starts.
  void start(const State& state) { loss_ = loss(state); }
  /// Takes the loss of a step as the energy ledger has it, shared by the points as their friction
  /// times slip at its end.
  /// @param angle_of  where about the axis the k-th point is, rad
  void accumulate(const State& state, const std::function<double(std::size_t)>& angle_of);
  /// J, the first sector from the angle 0 on.
  const std::vector<double>& work() const { return work_; }
  void archive(Archive& memory) { memory(loss_, work_); }

 private:
  double loss(const State& state) const;
  std::vector<double> weights(const State& state) const;

  const System* system_;
  int group_ = 0;
  double loss_ = 0;  ///< at the last step, J
  std::vector<double> work_ = std::vector<double>(count, 0.0);
};

}  // namespace saltus
