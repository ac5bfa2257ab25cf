// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Looks for jumps of drives: a position or speed that changes at one instant asks for an infinite
/// force, which no step resolves. By events a speed may jump: joints and contacts have impulses
/// then, which are booked with their work.
class DriveWatch : public Observer {
 public:
  explicit DriveWatch(const System& system, bool by_events = false);

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  void archive(Archive& memory) override { memory(last_, last_time_); }
  /// A sentence for each drive that jumps between t_0 and t_1; nearly always none.
  std::vector<std::string> jumps(double t_0, double t_1);

 private:
  struct Change {
    double position = 0, speed = 0;                  ///< over the last step, absolute
    double largest_position = 0, largest_speed = 0;  ///< of the drive so far

    void archive(Archive& memory) { memory(position, speed, largest_position, largest_speed); }
  };

  const System& system_;
  bool by_events_;
  std::vector<Change> last_;  // of all joints
  double last_time_ = 0;
};

}  // namespace saltus
