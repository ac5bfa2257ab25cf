// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "saltus/model/formula_tree.hpp"

namespace saltus {

/// One place of a formula where it may jump or kink: a difference a − b and the levels that it has
/// to cross.
struct FormulaSwitch {
  /// Which changes of the level are breaks.
  enum class Rule {
    Below,     ///< from below zero to zero or above: a < b, a ≥ b, abs(a)
    Above,     ///< from above zero to zero or below: a > b, a ≤ b
    Equality,  ///< from and to zero: a = b, a ≠ b, conditions
    Edge,      ///< any, and zeros that are only touched: sign, roots, logarithms, denominators
    Step,      ///< of the number of the period: rint, tan
    Cut,       ///< of atan2(a, other) or atan2(other, a) on its cut
    Smallest,  ///< of which of all operands is the smallest
    Largest,
  };
  Rule rule = Rule::Below;
  int a = 0;                  ///< node
  std::optional<int> b = {};  ///< node; none: the number `threshold`
  double threshold = 0;
  double period = 0;               ///< of `Step`
  std::vector<int> operands = {};  ///< all whose values the rule needs; a and b are among them
  int place_a = 0, place_b = 0;    ///< their places there
  /// Conditions of ?: around it, and whether they must hold for it to count.
  std::vector<std::pair<int, bool>> guards = {};
};

/// All places of a formula that may break; none where nothing depends on time.
std::vector<FormulaSwitch> find_switches(const FormulaTree& tree);

}  // namespace saltus
