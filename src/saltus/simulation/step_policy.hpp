// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/stepper.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/recorder.hpp"

namespace saltus {

/// Takes one step after the other as the user's policy for failures says. Observers hear of every
/// step that is tried, and of every one that is accepted, halved ones too.
class StepPolicy {
 public:
  /// All but the policy must live longer.
  StepPolicy(Stepper& stepper, FailurePolicy policy, State& state, Recorder& recorder,
             RunOutput& output)
      : stepper_(stepper), policy_(policy), state_(state), recorder_(recorder), output_(output) {}

  /// A step of length h to the time `end`, halved where it does not converge and that is the
  /// policy. False, with a message in the report, if it has to be given up.
  bool advance(double h, double end) { return advance(h, end, 0); }

 private:
  bool advance(double h, double end, int halvings);
  void accept(const StepReport& step, double h, double end);
  void give_up(const StepReport& step, double h);

  Stepper& stepper_;
  FailurePolicy policy_;
  State& state_;
  Recorder& recorder_;
  RunOutput& output_;
};

}  // namespace saltus
