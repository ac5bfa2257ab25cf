// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/simulation/run_report.hpp"

namespace saltus {

/// Looks whether joints and contacts hold at the end of a step, each measured by the parts that it
/// joins or that touch there: what is large or far elsewhere does not count. A run that breaks them
/// is no motion of the model.
class ViolationWatch {
 public:
  /// Of the size of the parts.
  static constexpr double allowed = 1e-6;

  /// What is broken most, and how far.
  struct Violation {
    double ratio = 0;  ///< of the size of the parts
    std::string text = {};

    explicit operator bool() const { return !text.empty(); }
  };

  /// @param system  must live longer
  /// @param drifts  the method holds velocities only: drift of positions is its own, and what
  ///                counts is the way that velocities go against joints and contacts in steps
  ///                whose equations contradict each other or were not solved
  explicit ViolationWatch(const System& system, bool drifts = false);

  /// After a step of length h. Without a violation: all hold.
  Violation look(const State& state, const StepReport& step, double h, PushedThrough& pushed);
  Violation look(const State& state, const StepReport& step);

 private:
  void push_through(const State& state, const StepReport& step, double h, PushedThrough& pushed);
  Violation pushed_through(const State& state, const PushedThrough& pushed) const;
  double size_at(int node_A, int node_B) const;
  Violation joint(const State& state);
  Violation contact(const State& state) const;
  const JointEntry& joint_of(int row) const;
  /// Calls visit(element, index) for rigid contact points that may touch.
  template <class Visit>
  void for_each_contact(const State& state, const Visit& visit) const;

  const System& system_;
  bool drifts_;
  std::vector<double> sizes_;  // of the part that a node belongs to, m; 0: it has none
  double smallest_ = 0;        // of those that have one
  VectorX g_;
};

}  // namespace saltus
