// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/simulation/flexible_centre.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// What joints carry, and how far they have gone. Of a lock that holds a flexible body: the sum
/// over its nodes, about the centre of mass.
class JointRecord : public Observer {
 public:
  /// @param system  must live longer
  explicit JointRecord(const System& system);

  void start(const State& state) override;
  /// Adds the impulses of the step to those since the last row: the smooth forces as the method
  /// weighs them, so that the sum is the momentum that was given, and the corrections.
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void row(const State& state, Row& row) override;
  void archive(Archive& memory) override {
    memory(impulses_, last_reactions_, means_, stop_forces_, frictions_, sticks_, last_, last_time_,
           begins_);
  }

 private:
  /// A joint of the model: entries of the system that follow each other.
  struct Shown {
    std::size_t first = 0, count = 1;
    std::optional<FlexibleCentre> held = {};  ///< the flexible body of a lock
    bool has_stops = false;
    bool has_friction = false;
    bool acts() const { return has_stops || has_friction; }
  };

  Vector3 arm(const Shown& joint, std::size_t entry, const Configuration& q) const;
  void add_impulses(const State& state, const StepReport& step);
  JointReaction reaction(const Shown& joint, const Configuration& q,
                         const VectorX& multiplier) const;
  /// What stops and friction did in the last step, and where no stop had an impact, per time.
  void look_at_stops(const State& state, const StepReport& step, double h);
  void put_friction(std::size_t i, const State& state, Row& row) const;
  JointReaction correction(const Shown& joint, const State& state, const StepReport& step) const;

  const System& system_;
  std::vector<Shown> joints_;
  // Of all joints; the last smooth ones, and their means in the sense of ForceWeights.
  std::vector<JointReaction> impulses_, last_reactions_, means_;
  Configuration last_;
  double last_time_ = 0;
  std::vector<JointReaction> stops_, stop_forces_;  // impulses of the last step, and N, N m
  std::vector<JointReaction> frictions_;            // of the last step, N, N m
  std::vector<char> sticks_;                        // whether it stuck
  std::vector<char> begins_;  // of joints: the means are those of the smooth motion's beginning
};

}  // namespace saltus
