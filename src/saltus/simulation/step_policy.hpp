// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/stepper.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/stop_condition.hpp"
#include "saltus/simulation/violation_watch.hpp"

namespace saltus {

/// Takes one step after the other as the user's policy for failures says. Observers hear of every
/// step that is tried, and of every one that is accepted, halved ones too.
class StepPolicy {
 public:
  /// All but the policy must live longer.
  /// @param watch  null: violations are the method's own
  StepPolicy(Stepper& stepper, FailurePolicy policy, const StopCondition& stop, State& state,
             Recorder& recorder, RunOutput& output, ViolationWatch* watch)
      : stepper_(stepper),
        policy_(policy),
        stop_(stop),
        state_(state),
        recorder_(recorder),
        output_(output),
        watch_(watch) {}

  /// A step of length h to the time `end`, halved where it does not converge and that is the
  /// policy. False, with a message in the report, if it has to be given up. It ends earlier where
  /// a stop condition that is to be located becomes true.
  bool advance(double h, double end) { return advance(h, end, 0); }

 private:
  bool advance(double h, double end, int halvings);
  StepReport take(double h, double& end);
  StepReport step_to_stop(const Archive::Bytes& before, double h, double& end);
  void accept(const StepReport& step, double h, double end);
  bool holds(const StepReport& step);
  void give_up(const StepReport& step, double h);

  Stepper& stepper_;
  FailurePolicy policy_;
  const StopCondition& stop_;
  State& state_;
  Recorder& recorder_;
  RunOutput& output_;
  ViolationWatch* watch_;
};

}  // namespace saltus
