// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/integrators/stepper.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/adaptive_pace.hpp"
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
  bool advance(double h, double end);
  /// A step on the way to the time `target`, not beyond it, as long as its error allows. It is
  /// tried as a whole and in halves, and the halves are what happens.
  bool advance(AdaptivePace& pace, double target);
  /// The length of the last step that was tried, s.
  double tried() const { return tried_; }

 private:
  /// A step that may yet turn out to be too long, with what its report refers to.
  struct Held {
    State state;
    StepReport report;
    double h = 0, end = 0;
    std::vector<char> joints_along_mean = {};
    std::vector<double> smooth_multiplier = {}, multiplier_ahead = {};
    std::vector<int> sleeping = {};

    Held(const State& state, const StepReport& report, double h, double end);
  };
  enum class Verdict { Accepted, Rejected, GivenUp };

  bool divide(double h, double end);
  Verdict judge(AdaptivePace& pace, double h, double end, double& next);
  /// Takes steps that are held, and whose failures are not told.
  template <class Take>
  bool try_step(const Take& take) {
    const bool halves = stepper_.halves();
    stepper_.let_halve(false);
    is_trial_ = true;
    const bool done = take();
    is_trial_ = false;
    stepper_.let_halve(halves);
    return done;
  }
  bool take_halves(double h, double end);
  Verdict judge_halves(AdaptivePace& pace, const State& start, const State& whole, double h,
                       double end, double& next);
  Verdict take_shortest(AdaptivePace& pace, const State* whole, double h, double end);
  void count_divided();
  void hold(const StepReport& step, double h, double end);
  void tell_held();
  void tell(const State& state, const StepReport& step, double h, double end);
  bool advance(double h, double end, int halvings);
  bool advance_in_parts(double h, double end);
  StepReport take(double h, double& end);
  StepReport step_to_stop(const Archive::Bytes& before, double h, double& end);
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
  bool is_trial_ = false;  // it may be rejected, and who fails says nothing
  std::vector<Held> held_;
  std::vector<ContactEvent> events_;  // of steps that are held
  long divided_ = 0, parts_ = 0;      // steps, as compliant contacts wanted
  double tried_ = 0;
};

}  // namespace saltus
