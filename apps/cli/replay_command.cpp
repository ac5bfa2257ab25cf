// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/study/replay_trials.hpp"

namespace saltus::cli {
namespace {

using study::ReplayTrial;

constexpr const char* as_it_was = "as it was";

std::string verdict(const ReplayTrial& trial) {
  if (!trial.refused.empty()) return "refused";
  if (!trial.is_in_time) return "too long";
  if (!trial.stretch.is_solved) return "fails";
  return trial.stretch.is_accurate ? "works" : "inaccurate";
}

void print_trial(const ReplayTrial& trial) {
  const ReplayedStretch& s = trial.stretch;
  say("{:<10}  {}\n", verdict(trial),
      trial.setting.empty() ? as_it_was : "--set '" + trial.setting + "'");
  if (!trial.refused.empty()) return say("            {}\n", trial.refused);
  if (!trial.is_in_time) return;
  const std::string apart = s.is_solved ? fmt::format(", ends {:.2g} m apart", trial.apart) : "";
  say("            {} step{}, {} iterations, {:.3g} s, violated by at most {:.2g} m{}\n", s.steps,
      s.steps == 1 ? "" : "s", s.iterations, s.seconds, s.violation, apart);
  if (!s.message.empty()) say("            {}\n", s.message);
}

void print_advice(const std::vector<ReplayTrial>& trials) {
  const auto works = [](const ReplayTrial& t) { return verdict(t) == "works"; };
  const auto count = std::ranges::count_if(trials, works);
  if (count == 0) {
    say("\nnothing works: the model may have no solution there; saltus bundle DIR makes one file "
        "of the run for a report\n");
    return;
  }
  say("\n{} of {} work", count, trials.size());
  if (works(trials[0])) {
    say("; as it was, too: what the run knew of the steps before made it fail\n");
  } else {
    say("; run the model with one of these --set, and compare\n");
  }
}

}  // namespace

int replay_command(const ReplayArguments& arguments) {
  const io::Capsule capsule = io::read_capsule(arguments.file);
  set_threads(capsule.threads);
  const StepCapsule& step = capsule.step;
  say("{}, step {}: from t = {:.9g} s, {:.3g} s long\n{}\n\n", capsule.model, step.number,
      step.time, step.length, step.message);
  std::vector<ReplayTrial> trials = study::replay_trials(capsule);
  catch_interrupts();
  try {
    for (ReplayTrial& trial : trials) {
      study::try_again(capsule, trial, arguments.seconds, [] { return !is_interrupted(); });
    }
  } catch (const Interruption&) {
    say(stderr, "{}: interrupted\n", arguments.file);
    return Interrupted;
  }
  study::compare_trials(trials);
  for (const ReplayTrial& trial : trials) print_trial(trial);
  print_advice(trials);
  return Done;
}

}  // namespace saltus::cli
