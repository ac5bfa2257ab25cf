// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Warns where two convex solids that are apart at both ends of a step have been in each other on
/// the way: one that moves more in a step than the other is thick. Meshes that are not convex are
/// felt on the way already.
class PassageWatch : public Observer {
 public:
  explicit PassageWatch(const System& system);

  void start(const State& state) override { before_ = state.configuration.nodes; }
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void archive(Archive& memory) override { memory(before_); }

 private:
  /// Where a solid is at both ends of the step.
  struct Way {
    Vector3 from = Vector3::Zero(), to = Vector3::Zero();  // of its centre
  };

  RelativePose pose(const SolidEntry& solid, const std::vector<NodePose>& nodes) const;
  bool may_pass(int a, int b) const;
  bool passes(int a, int b, const State& state);
  void look_at_all(const State& state, RunOutput& output);
  void look(int contact, int a, int b, const State& state, RunOutput& output);

  const System& system_;
  std::vector<double> half_widths_;  // of solids, least; of meshes and planes infinite
  std::vector<Way> ways_;
  std::vector<int> fast_;  // solids that move more than they are thick, or may pass the thinnest
  double thinnest_ = 0;
  std::vector<NodePose> before_;
  CoreSearchSpace space_;
};

}  // namespace saltus
