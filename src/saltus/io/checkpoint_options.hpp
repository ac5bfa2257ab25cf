// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/field.hpp"

namespace saltus {

/// What a model file says about checkpoints, in `simulation` of a motion in time. It is no part of
/// the motion: who simulates in memory does not see it.
struct CheckpointOptions {
  double every_seconds = 60;

  static constexpr void fields(auto&& field) {
    field("every_seconds", &CheckpointOptions::every_seconds,
          "wall time from one checkpoint to the next, from which `saltus resume` goes on; one is "
          "written in any case when the run is interrupted",
          "s", positive);
  }
};

namespace io {

constexpr const char* checkpoint_key = "checkpoint";
constexpr const char* checkpoint_text = "how often a run writes down all that it goes on with";

}  // namespace io

}  // namespace saltus
