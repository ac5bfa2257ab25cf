// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "saltus/io/capsule.hpp"
#include "saltus/simulation/replay.hpp"

namespace saltus::study {

/// One way to solve a step again, and what came of it.
struct ReplayTrial {
  std::string setting = {};  ///< as for --set; empty: as the run did
  ReplayedStretch stretch = {};
  std::string refused = {};  ///< why the method cannot have the model; empty: it was tried
  bool is_in_time = true;    ///< false: given up after the time that it may take
  double apart = 0;          ///< of its end from that of the solution with the most steps, m
};

/// The ways that are tried: the step in parts, the options of the method, the solvers of contact
/// problems, the other methods.
std::vector<ReplayTrial> replay_trials(const io::Capsule& capsule);

/// Tries one.
/// @param goes_on  asked now and then
/// @throws Interruption, FileError if the capsule does not fit its own model
void try_again(const io::Capsule& capsule, ReplayTrial& trial, double most_seconds,
               const std::function<bool()>& goes_on);

/// Fills in `apart` of those that work.
void compare_trials(std::vector<ReplayTrial>& trials);

}  // namespace saltus::study
