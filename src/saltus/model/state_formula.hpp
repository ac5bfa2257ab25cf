// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace saltus {

class FormulaTree;

/// A formula of the time t and of what moves: names with a dot, like pin.angle or ball.position.z.
/// Its derivatives are those of the formula, not differences. Immutable: any number of threads.
class StateFormula {
 public:
  /// So that an evaluation needs no memory but the stack's.
  static constexpr std::size_t most_nodes = 256;
  static constexpr std::size_t most_states = 16;

  /// @throws std::invalid_argument for a text that cannot be read, that names something without a
  ///         dot that formulas do not know, or that is too long.
  explicit StateFormula(const std::string& text);
  ~StateFormula();
  StateFormula(const StateFormula&);
  StateFormula(StateFormula&&) noexcept;
  StateFormula& operator=(const StateFormula&);
  StateFormula& operator=(StateFormula&&) noexcept;

  /// The names with dots, each once, in the order of the text.
  const std::vector<std::string>& states() const { return states_; }

  /// @param states    a value for each of states()
  /// @param gradient  gets the derivatives by them, if it is not empty
  double value(double t, std::span<const double> states, std::span<double> gradient = {}) const;

  /// Of a formula that is one comparison a < b, a > b, a <= b or a >= b: b − a or a − b, which
  /// becomes positive when it becomes true. Of any other: 1 or −1.
  double margin(double t, std::span<const double> states) const;

  /// Whether it is true or false: a comparison, or several with && and ||, not a number.
  bool is_condition() const;

 private:
  struct Operation;

  void add(const FormulaTree& tree, int i);
  static double call(const Operation& o, std::span<const double> values);
  static void hand_to_arguments(const Operation& o, double d, std::span<const double> values,
                                std::span<double> parts);
  void evaluate(double t, std::span<const double> states, std::span<double> values) const;
  void differentiate(std::span<const double> values, std::span<double> gradient) const;

  std::vector<Operation> operations_;
  std::vector<std::string> states_;
};

/// Whether a formula names what moves.
bool names_states(const std::string& text);

}  // namespace saltus
