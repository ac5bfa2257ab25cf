// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "saltus/dynamics/joint_reaction.hpp"
#include "saltus/integrators/joint_impulses.hpp"
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
    memory(impulses_, smooth_, stop_forces_, frictions_, sticks_, last_time_);
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
  void add_impulses(const State& state, const std::vector<JointReaction>& sums);
  JointReaction reaction(const Shown& joint, const Configuration& q,
                         const VectorX& multiplier) const;
  /// What stops and friction gave in the last step.
  void look_at_stops(const State& state);
  /// And what they do at its end, impacts not.
  void look_at_loads(const State& state);
  JointReaction about_joint(const Shown& joint, const Configuration& q, const Vector3& force,
                            const Vector3& moment) const;
  bool is_of(const Shown& joint, ContactIndex contact) const;
  void put_friction(std::size_t i, const State& state, Row& row) const;

  const System& system_;
  std::vector<Shown> joints_;
  JointImpulses smooth_;
  std::vector<JointReaction> sums_;      // of the last step, of joints of the system
  std::vector<JointReaction> impulses_;  // since the last row, of those shown
  double last_time_ = 0;
  std::vector<JointReaction> stops_, stop_forces_;  // impulses of the last step, and N, N m
  std::vector<JointReaction> frictions_;            // N, N m
  std::vector<char> sticks_;                        // whether it stuck
};

}  // namespace saltus
