// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "saltus/model/formula_tree.hpp"

namespace saltus {

/// All numbers from lo to hi.
struct Interval {
  double lo = 0;
  double hi = 0;

  static constexpr Interval everything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  double width() const { return hi - lo; }
  bool contains(double x) const { return lo <= x && x <= hi; }
};

/// What is known of a part of a formula on an interval of time.
struct FormulaBound {
  enum class Undefined { Never, Sometimes, Always };

  Interval value = {};
  /// Of the derivative; everything where the part may jump.
  Interval slope = {};
  /// Whether it may be no number. Infinite values count, for what comes of them may be none.
  Undefined undefined = Undefined::Never;
  bool unknown = false;  ///< a name in it means nothing to us: smaller intervals tell no more
};

/// Interval arithmetic on a formula: values and slopes that are guaranteed, but for the last digits
/// of what is undefined. Every operation rounds outwards by some units of the last place.
class FormulaBounds {
 public:
  explicit FormulaBounds(const FormulaTree& tree);

  /// Of a node of the tree, for all t in `time`.
  const FormulaBound& over(int node, Interval time);

 private:
  const FormulaTree& tree_;
  std::vector<FormulaBound> bounds_;  // of the nodes, from the last call
};

// Interval arithmetic, rounded outwards.
Interval operator-(const Interval& a, const Interval& b);
Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval common(const Interval& a, const Interval& b);

}  // namespace saltus
