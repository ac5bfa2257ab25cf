// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "saltus/dynamics/state.hpp"
#include "saltus/model/checked_model.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// What became of a stretch of time that was solved again.
struct ReplayedStretch {
  bool is_solved = false;    ///< all steps converged, joints and contacts hold
  bool is_accurate = true;   ///< and the contact problems were solved to the accuracy asked for
  int steps = 0;             ///< done
  long iterations = 0;       ///< linear solves of all sub-problems
  double seconds = 0;        ///< of the processor
  double violation = 0;      ///< the worst of joints and contacts, m
  std::string message = {};  ///< what failed, or the first thing told about a solved one
  Configuration end = {};    ///< where nodes are, if it is solved
};

/// Solves from the beginning of a stored step to its end by what `run` says, which may be another
/// method or other options than those that the step was stored with; steps that fail are not
/// halved. The method begins there: it does not know what came before.
/// @throws InputError if the method cannot have the model, Interruption if it is not wanted
/// @throws std::out_of_range if the state is of another model
ReplayedStretch replay(const CheckedRun& run, const StepCapsule& step);

/// How far nodes of two solutions are apart at most, m.
double distance(const Configuration& a, const Configuration& b);

}  // namespace saltus
