// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"

namespace saltus {

/// Looks whether joints and contacts hold at the end of a step, each measured by the parts that it
/// joins or that touch there: what is large or far elsewhere does not count. A run that breaks them
/// is no motion of the model.
class ViolationWatch {
 public:
  /// Of the size of the parts.
  static constexpr double allowed = 1e-6;

  /// @param system  must live longer
  explicit ViolationWatch(const System& system);

  /// What is broken most, and how far; empty: all hold.
  std::string look(const State& state, const StepReport& step);

 private:
  double size_at(int node_A, int node_B) const;
  std::string joint(const State& state);
  std::string contact(const State& state) const;

  const System& system_;
  std::vector<double> sizes_;  // of the part that a node belongs to, m; 0: it has none
  double smallest_ = 0;        // of those that have one
  VectorX g_;
};

}  // namespace saltus
