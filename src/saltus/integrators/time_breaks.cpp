// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/time_breaks.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

TimeBreaks::TimeBreaks(const System& system) {
  for (const JointEntry& joint : system.elements().joints) {
    if (!joint.element.drive || !joint.element.drive->function.has_breaks()) continue;
    functions_.push_back({&joint.element.drive->function,
                          system.component_of(system.velocities() + joint.first_row), false});
  }
  for (const AppliedLoad& load : system.elements().loads) {
    const Node& node = system.nodes()[static_cast<std::size_t>(load.node)];
    if (node.unknowns == 0) continue;
    for (const CompiledFunction& component : load.components) {
      if (!component.has_breaks()) continue;
      functions_.push_back({&component, system.component_of(node.first_unknown), true});
    }
  }
}

/// Whether breaks follow each other within few steps, as those of a table of measured values do:
/// they stand for something smooth, and a method that began anew each time would have none of its
/// damping.
bool TimeBreaks::is_sampled(const CompiledFunction& f, double start, double end, double until) {
  const double reach = StepEndTuning::sampled * (end - start);
  int count = 0;
  for (auto found = f.next_break(start - reach, until + reach);
       found && count < StepEndTuning::samples; found = f.next_break(found->after, until + reach)) {
    ++count;
  }
  return count == StepEndTuning::samples;
}

/// Of a load it is a break if it jumps: by more than round-off of its values in the step.
bool TimeBreaks::counts(const Function& f, const Break& found, double size) {
  if (!f.may_kink) return true;
  const double before = f.function->value(found.before), after = f.function->value(found.after);
  const double scale = std::max({size, std::abs(before), std::abs(after)});
  return !(std::abs(after - before) <= StepEndTuning::continuous * scale);
}

bool TimeBreaks::breaks(const Function& f, double start, double end, double until) {
  auto found = f.function->next_break(start, until);
  if (found && is_sampled(*f.function, start, end, until)) return false;
  if (!f.may_kink) return found.has_value();
  const double size =
      std::max(std::abs(f.function->value(start)), std::abs(f.function->value(end)));
  for (; found; found = f.function->next_break(found->after, until)) {
    if (counts(f, *found, size)) return true;
  }
  return false;
}

double TimeBreaks::first(double start, double end) const {
  const double near =
      StepEndTuning::reach * (end - start) + StepEndTuning::rounding * std::abs(end);
  double first = end;
  for (const Function& f : functions_) {
    if (!f.function->next_break(start + near, end) || is_sampled(*f.function, start, end, end))
      continue;
    const double size =
        std::max(std::abs(f.function->value(start)), std::abs(f.function->value(end)));
    for (auto found = f.function->next_break(start + near, end); found && found->before < first;
         found = f.function->next_break(found->after, end)) {
      if (counts(f, *found, size)) first = found->before;
    }
  }
  return first > end - near ? end : first;
}

double TimeBreaks::find(double start, double end, std::vector<char>& components) const {
  const double near =
      StepEndTuning::reach * (end - start) + StepEndTuning::rounding * std::abs(end);
  double behind = end;
  for (const Function& f : functions_) {
    if (!breaks(f, start, end, end + near)) continue;
    components[static_cast<std::size_t>(f.component)] = 1;
    if (const auto last = f.function->next_break(end, end + near)) {
      behind = std::max(behind, last->after);
    }
  }
  return behind;
}

}  // namespace saltus
