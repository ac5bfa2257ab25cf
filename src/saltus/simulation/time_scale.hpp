// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "saltus/model/options.hpp"

namespace saltus {

/// What functions of time take for theirs: by steps, not by the end of the run, which results must
/// not depend on.
inline double time_scale_of(const Dynamics& options) {
  constexpr double steps = 4096;
  return steps * step_of(options.integrator);
}

inline double time_scale_of(const SimulationOptions& options) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  return dynamics ? time_scale_of(*dynamics) : 1.0;
}

}  // namespace saltus
