// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/load_looks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

LoadLooks::LoadLooks(const System& system) {
  for (const JointEntry& joint : system.elements().joints) {
    if (!joint.element.drive || joint.element.drive->function.is_constant()) continue;
    functions_.push_back({joint.element.drive->function, "the drive of joint " + joint.name});
  }
  for (const ActuatorElement& actuator : system.elements().actuators) {
    const auto* law = std::get_if<CompiledFunction>(&actuator.law);
    if (law == nullptr || law->is_constant()) continue;
    functions_.push_back({*law, "the actuator " + actuator.name});
  }
  for (const AppliedLoad& load : system.elements().loads) {
    const char* kind = load.kind == AppliedLoad::Kind::Force ? "force" : "torque";
    for (std::size_t i = 0; i < load.components.size(); ++i) {
      if (load.components[i].is_constant()) continue;
      functions_.push_back(
          {load.components[i], fmt::format("component {} of a {}", "xyz"[i], kind)});
    }
  }
}

/// A function that bends nearly everywhere is no pulse: steps follow it by their errors.
void LoadLooks::look(double from, double until) {
  constexpr int parts = EventTuning::looks_at_loads;
  from_ = from;
  part_ = (until - from) / parts;
  any_ = false;
  bends_.assign(parts, false);
  for (const Function& f : functions_) mark(f.function);
  const auto bent = static_cast<double>(std::ranges::count(bends_, true));
  if (bent > EventTuning::most_bent * parts) any_ = false;
}

/// Where second differences count beside the largest value, and one part farther on both sides.
void LoadLooks::mark(const CompiledFunction& function) {
  constexpr int parts = EventTuning::looks_at_loads;
  values_.resize(parts + 1);
  double largest = 0;
  for (int i = 0; i <= parts; ++i) {
    const double value = function.value(from_ + i * part_);
    if (!std::isfinite(value)) return;  // what is told elsewhere
    values_[static_cast<std::size_t>(i)] = value;
    largest = std::max(largest, std::abs(value));
  }
  for (int i = 1; i < parts; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double second = std::abs(values_[k - 1] - 2 * values_[k] + values_[k + 1]);
    if (!(second > EventTuning::bend_of_load * largest)) continue;
    any_ = true;
    for (int j = std::max(i - 2, 0); j <= std::min(i + 1, parts - 1); ++j) {
      bends_[static_cast<std::size_t>(j)] = true;
    }
  }
}

double LoadLooks::latest(double t) const {
  constexpr double round_off = 1e-6;  // of a part: a step that ends at its edge is in the next one
  if (!any_) return std::numeric_limits<double>::infinity();
  const auto parts = static_cast<int>(bends_.size());
  const int at = std::clamp(static_cast<int>((t - from_) / part_ + round_off), 0, parts - 1);
  int end = at + 1;
  if (!bends_[static_cast<std::size_t>(at)]) {
    while (end < parts && !bends_[static_cast<std::size_t>(end)]) ++end;
  }
  return end < parts ? from_ + end * part_ : std::numeric_limits<double>::infinity();
}

std::string LoadLooks::unbounded(double t) const {
  const double size = std::max(std::abs(t), part_ * EventTuning::looks_at_loads);
  const double near = EventTuning::near_pole * size;
  for (const Function& f : functions_) {
    const double now = f.function.value(t), soon = f.function.value(t + near);
    if (!std::isfinite(now) || !std::isfinite(soon)) {
      return fmt::format("{} has no finite value there", f.name);
    }
    const double before = f.function.value(t - EventTuning::before_pole * size);
    if (std::max(std::abs(now), std::abs(soon)) > EventTuning::growth_to_pole * std::abs(before)) {
      return fmt::format("{} grows beyond all bounds there", f.name);
    }
  }
  return {};
}

}  // namespace saltus
