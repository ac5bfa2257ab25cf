// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/core/field.hpp"

namespace saltus {

/// Linear between the given points, constant outside of them.
struct Table {
  static constexpr const char* type_name = "table";
  std::vector<double> times = {};
  std::vector<double> values = {};

  static constexpr void fields(auto&& field) {
    field("times", &Table::times, "increasing times", "s", required);
    field("values", &Table::values, "values at these times", "", required);
  }
};

/// offset + amplitude sin(2π frequency t + phase)
struct Sine {
  static constexpr const char* type_name = "sine";
  double amplitude = 1;
  double frequency = 1;
  double phase = 0;
  double offset = 0;

  static constexpr void fields(auto&& field) {
    field("amplitude", &Sine::amplitude, "amplitude", "", required);
    field("frequency", &Sine::frequency, "frequency f in sin(2π f t + phase)", "Hz", required);
    field("phase", &Sine::phase, "phase at t = 0", "rad");
    field("offset", &Sine::offset, "mean value");
  }
};

/// A formula in muParser's syntax with the variable t, e.g. "20*t*(t<0.1)".
struct Expression {
  static constexpr const char* type_name = "expression";
  std::string text = {};

  static constexpr void fields(auto&& field) {
    field("text", &Expression::text, "formula of the time t, muParser syntax; pi and e are known",
          "", required);
  }
};

/// A function of time as it stands in a model: a number, a table, a sine or a formula.
using TimeFunction = std::variant<double, Table, Sine, Expression>;

/// Where a function of time jumps or kinks: what it was before holds up to `before`, what it is
/// then from `after` on. Mostly these are neighbouring numbers; there may be some between them
/// where several breaks are nearer to each other than round-off.
struct Break {
  double before = 0;
  double after = 0;
};

/// A function of time ready for evaluation, with the derivatives and the integral that drives need.
/// Immutable: the same argument always gives the same bits. Calls from several threads are safe;
/// those of one formula take turns.
///
/// Derivatives of tables at their points are those from the left, but at the first. Derivatives of
/// formulas, which are exact, up to the `before` of a break are those of the branch that ends
/// there, from its `after` on those of the next.
class CompiledFunction {
 public:
  /// @param time_scale  a time of the problem, as some steps of a run, but not the length of the
  ///                    run: results must not depend on how long it goes on. Integrals of formulas
  ///                    are tabulated in parts of it, and where a formula has no derivatives of its
  ///                    own, as the root of zero, steps of difference quotients are parts of it.
  /// @throws std::invalid_argument with the parser's message for a formula that cannot be read.
  explicit CompiledFunction(const TimeFunction& function = 0.0, double time_scale = 1.0);
  ~CompiledFunction();
  CompiledFunction(CompiledFunction&&) noexcept;
  CompiledFunction& operator=(CompiledFunction&&) noexcept;
  CompiledFunction(const CompiledFunction&);
  CompiledFunction& operator=(const CompiledFunction&);

  double value(double t) const;
  double first_derivative(double t) const;
  double second_derivative(double t) const;
  double integral(double t) const;  ///< ∫₀ᵗ value dτ
  bool is_constant() const;
  /// Whether it may jump or kink at all.
  bool has_breaks() const;
  /// The first break whose `after` is in (after, until]; its `before` is not before `after`. Of a
  /// table these are the points where its slope changes. Those of a formula are found from its text
  /// (docs/theory/event_driven.md, section 2): none is missed within the
  /// limits named there, but there may be some that its value
  /// does not show, as of a jump times zero.
  std::optional<Break> next_break(double after, double until) const;

 private:
  class Formula;
  TimeFunction function_;
  std::shared_ptr<const Formula> formula_;  // shared by copies: it never changes
  std::vector<double> table_integral_;      // of a table, from its first to each of its points
};

}  // namespace saltus
