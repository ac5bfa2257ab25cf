// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Counts how often actuators jump with the motion from one short step to the next. A brake
/// −sign(rate) at its end does so for ever: a sliding mode, which explicit steps follow in ever
/// shorter zigzags.
class ActuatorJumps {
 public:
  explicit ActuatorJumps(const System& system);

  /// At the beginning of an interval of the results.
  void begin(const Configuration& q, const VectorX& v, double t);
  /// At the end of a step.
  void look(const Configuration& q, const VectorX& v, double t, bool is_short);
  /// The name of an actuator that jumps to and fro without end; empty if none does.
  std::string endless() const;

 private:
  struct Count {
    std::size_t element = 0;  // of those that depend on what moves
    double value = 0, largest = 0;
    int jumps = 0;
  };
  double value_of(const Count& count, const Configuration& q, const VectorX& v, double t) const;

  const System& system_;
  std::vector<Count> counts_;
};

}  // namespace saltus
