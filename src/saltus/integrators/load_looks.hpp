// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// Looks at loads and drives as functions of time alone, many times in an interval of the results,
/// for the control of steps sees them at six places of a step only: a smooth pulse between these
/// would be none. Steps end where a function begins to bend, and are short as long as it does.
/// (docs/theory/event_driven.md, section 2)
class LoadLooks {
 public:
  explicit LoadLooks(const System& system);

  /// Looks at an interval.
  void look(double from, double until);
  /// When a step from t ends at the latest.
  double latest(double t) const;
  /// A sentence about one that has no finite value at t, or just after it; empty if all have.
  std::string unbounded(double t) const;

 private:
  struct Function {
    CompiledFunction function;
    std::string name;
  };
  void mark(const CompiledFunction& function);

  std::vector<Function> functions_;
  std::vector<double> values_;
  std::vector<bool> bends_;  // parts of the interval
  bool any_ = false;
  double from_ = 0, part_ = 0;
};

}  // namespace saltus
