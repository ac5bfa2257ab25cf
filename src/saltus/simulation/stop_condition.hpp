// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"

namespace saltus {

/// When a run is complete before its end: a condition on the time and on what moves.
class StopCondition {
 public:
  /// @param system  must live longer
  /// @param text    the condition; empty: none
  /// @param exact   whether the time at which it becomes true is to be found within a step
  StopCondition(const Model& model, const System& system, std::string text, bool exact);

  const std::string& text() const { return text_; }
  /// Whether steps that lead to it are to end where it becomes true.
  bool is_located() const { return exact_ && !text_.empty(); }
  /// Positive where the condition is true.
  double margin(const State& state) const;
  bool holds(const State& state) const { return !text_.empty() && margin(state) > 0; }

 private:
  const System& system_;
  std::string text_;
  bool exact_;
  std::vector<int> nodes_;
  std::vector<StateLaw> law_;  // one, or none without a condition
};

}  // namespace saltus
