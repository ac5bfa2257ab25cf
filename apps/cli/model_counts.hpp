// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/dynamics/system.hpp"

namespace saltus::cli {

/// How large a system is.
struct SystemCounts {
  int velocities = 0;   ///< equations of motion
  int constraints = 0;  ///< equations of joints and drives
  int redundant = 0;    ///< of the constraints, in the given pose
  int degrees_of_freedom() const { return velocities - constraints + redundant; }
};

SystemCounts count(const System& system);

/// "3 degrees of freedom; 9 equations: 6 of motion, 3 of joints (1 redundant)"
std::string describe(const SystemCounts& counts);

/// ", 2 contacts with 9 points", or nothing
std::string contact_counts(const System& system);

/// "1 body", "2 bodies"
std::string counted(std::size_t number, const char* singular, const char* plural);

}  // namespace saltus::cli
