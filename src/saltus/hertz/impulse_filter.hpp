// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "saltus/core/archive.hpp"

namespace saltus::hertz {

/// One step of one contact.
struct ImpulseStep {
  double impulse = 0;       ///< Λ of the step, N s
  double step = 1;          ///< its length h > 0, s
  double known_impact = 0;  ///< the part that is known to come from impacts, 0 to `impulse`, N s

  void archive(Archive& memory) { memory(impulse, step, known_impact); }
};

/// continuous + impact is the impulse of the step.
struct ImpulseSplit {
  double continuous = 0, impact = 0;
};

/// Splits impulses into those of lasting contact, force times h, and those of impacts: (20)–(21)
/// of docs/theory/contact_forces.md. What a step has beyond its known impacts is an impact as far
/// as its force level stands above the line between its two neighbours, if it is above both.
/// On the run: the split of a step comes with the next step.
class ImpulseFilter {
 public:
  /// Nothing after the first step, the split of the step before after all others.
  std::optional<ImpulseSplit> push(const ImpulseStep& step);
  /// The split of the last step, if there was one. Then the filter is as new.
  std::optional<ImpulseSplit> finish();

  void archive(Archive& memory) { memory(before_, current_); }

 private:
  std::optional<ImpulseStep> before_, current_;
};

/// The same for a whole history.
std::vector<ImpulseSplit> split_impulses(std::span<const ImpulseStep> history);

}  // namespace saltus::hertz
