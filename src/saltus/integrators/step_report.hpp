// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace saltus {

/// What one step did, or why it did not.
struct StepReport {
  bool converged = true;
  bool usable = true;             ///< the last iterate is finite
  int smooth_iterations = 0;      ///< linear solves of the smooth motion
  int position_iterations = 0;    ///< of the position correction
  int velocity_iterations = 0;    ///< of the velocity correction
  double position_violation = 0;  ///< largest at the end, m; angles × characteristic length
  double velocity_violation = 0;  ///< m/s, likewise
  std::string message = {};       ///< which sub-problem failed, where, how far; empty if converged
};

}  // namespace saltus
