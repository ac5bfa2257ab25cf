// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/model/formula_bounds.hpp"
#include "saltus/model/formula_switches.hpp"
#include "saltus/model/formula_tree.hpp"
#include "saltus/model/formula_values.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// Values of the operands and then of the guards of a switch, as the formula has them. The parser
/// is made when the first is asked for: most searches end without.
class SwitchValues {
 public:
  SwitchValues(const FormulaTree& tree, const FormulaSwitch& s);

  std::span<const double> at(double t);

 private:
  std::string text_;
  std::optional<FormulaValues> values_;
};

/// Where a formula of time may jump or kink. Found from its text: every comparison, `abs`, `min`, …
/// has a difference whose sign changes there. Intervals of time are discarded only where interval
/// arithmetic shows that the sign does not change; the others are divided until the difference is
/// monotonic, and its change is then found between two neighbouring numbers from the same values
/// that the formula has. Zeros that are only touched, to round-off, are no jumps.
///
/// Not for several threads at a time.
class FormulaBreaks {
 public:
  /// @param span  > 0, length of the run, s: times nearer than its round-off are one.
  FormulaBreaks(const std::string& text, double span);

  /// Whether there is nothing in the text that could break.
  bool none() const { return switches_.empty(); }
  /// The first with its `after` in (after, until].
  std::optional<Break> next(double after, double until);

 private:
  std::optional<Break> earliest(double after, double until);

  FormulaTree tree_;
  FormulaBounds bounds_;
  double span_;
  std::vector<FormulaSwitch> switches_;
  std::vector<SwitchValues> values_;  // of the switches
};

}  // namespace saltus
