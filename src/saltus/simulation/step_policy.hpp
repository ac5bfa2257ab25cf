// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/stepper.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/compliant_pace.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/stop_condition.hpp"
#include "saltus/simulation/violation_watch.hpp"

namespace saltus {

/// Takes one step after the other as the user's policy for failures says. Observers hear of every
/// step that is tried, and of every one that is accepted, halved ones too.
class StepPolicy {
 public:
  /// All but the policy must live longer.
  /// @param pace   null: no compliant contacts
  StepPolicy(Stepper& stepper, FailurePolicy policy, const StopCondition& stop, State& state,
             Recorder& recorder, RunOutput& output, ViolationWatch& watch, CompliantPace* pace)
      : stepper_(stepper),
        policy_(policy),
        stop_(stop),
        state_(state),
        recorder_(recorder),
        output_(output),
        watch_(watch),
        pace_(pace) {}

  /// A step of length h to the time `end`, halved where it does not converge and that is the
  /// policy. False, with a message in the report, if it has to be given up. It ends earlier where
  /// a stop condition that is to be located becomes true.
  /// Where compliant contacts want shorter steps it is divided.
  bool advance(double h, double end) {
    return pace_ == nullptr ? advance(h, end, 0) : advance_in_parts(h, end);
  }

 private:
  bool advance(double h, double end, int halvings);
  bool advance_in_parts(double h, double end);
  StepReport take(double h, double& end);
  StepReport step_to_stop(const Archive::Bytes& before, double h, double& end);
  void accept(const StepReport& step, double h, double end);
  bool holds(const StepReport& step, double h);
  void give_up(const StepReport& step, double h);

  Stepper& stepper_;
  FailurePolicy policy_;
  const StopCondition& stop_;
  State& state_;
  Recorder& recorder_;
  RunOutput& output_;
  ViolationWatch& watch_;
  CompliantPace* pace_;
  bool is_risky_ = false;  // a contact may close in the step at hand
};

}  // namespace saltus
