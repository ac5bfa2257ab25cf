// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Where accelerations jump because drives kink or jump, or loads jump, as functions of time, and
/// of which components: a method that goes on from those before oscillates about those after it.
/// (docs/theory/nonsmooth_generalized_alpha.md, section 7)
class TimeBreaks {
 public:
  explicit TimeBreaks(const System& system);

  bool none() const { return functions_.empty(); }

  /// Marks the components with a break in a step, or at its end as far as round-off of times and of
  /// the grid tell.
  /// @return a time behind the last of them: the end of the step, or a little later
  double find(double start, double end, std::vector<char>& components) const;
  /// Where a step that would have a break within is to end: just before the first one; `end` if
  /// there is none.
  double first(double start, double end) const;

 private:
  struct Function {
    const CompiledFunction* function = nullptr;
    int component = 0;
    bool may_kink = false;  ///< a load that only kinks leaves accelerations continuous
  };
  static bool breaks(const Function& f, double start, double end, double until);
  static bool counts(const Function& f, const Break& found, double size);
  static bool is_sampled(const CompiledFunction& f, double start, double end, double until);

  std::vector<Function> functions_;
};

}  // namespace saltus
