// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Warns where a body goes to and fro between two surfaces several times within a step: methods
/// with steps see one impact of them a step.
class CrossingWatch : public Observer {
 public:
  explicit CrossingWatch(const System& system) : system_(system) {}

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void archive(Archive& memory) override { memory(last_, steps_, time_); }

 private:
  /// The last impact of a node.
  struct Turn {
    long step = 0;
    ContactIndex contact = 0;
    Vector3 push = Vector3::Zero();  ///< direction in which the node was pushed
    int turns = 0;                   ///< in steps one after the other, each against the last

    void archive(Archive& memory) { memory(step, contact, push, turns); }
  };

  void look(int node, const Vector3& push, double speed, const ContactEvent& event,
            const State& state, RunOutput& output);
  double gap(ContactIndex contact, const State& state) const;

  const System& system_;
  std::map<int, Turn> last_;
  long steps_ = 0;
  double time_ = 0, h_ = 0;
};

}  // namespace saltus
