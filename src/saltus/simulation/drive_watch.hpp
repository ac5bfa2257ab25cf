// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Looks for jumps of drives: a position or speed that changes at one instant asks for an infinite
/// force, which no step resolves.
class DriveWatch {
 public:
  explicit DriveWatch(const System& system);

  /// A sentence for each drive that jumps between t_0 and t_1; nearly always none.
  std::vector<std::string> jumps(double t_0, double t_1);

 private:
  struct Change {
    double position = 0, speed = 0;  ///< over the last step, absolute
  };

  const System& system_;
  std::vector<Change> last_;
};

}  // namespace saltus
