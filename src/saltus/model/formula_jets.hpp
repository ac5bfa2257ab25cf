// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/model/formula_functions.hpp"
#include "saltus/model/formula_tree.hpp"

namespace saltus {

/// A value and its first two derivatives by the time.
struct Jet {
  double value = 0, first = 0, second = 0;
};

/// A formula of the time with its derivatives, operation by operation: those of the formula, not
/// differences. Not for several threads at a time: it computes in memory of its own.
class FormulaJets {
 public:
  /// At a kink, derivatives from this side.
  enum class Side { Left, Right };

  /// @throws std::invalid_argument for a text that muParser would refuse too.
  explicit FormulaJets(const std::string& text);

  /// Not finite where one of its operations has no derivative, as the root of zero.
  Jet at(double t, Side side = Side::Right);
  /// Whether the last value was that of a kink, where the side matters.
  bool was_kink() const { return kink_; }

 private:
  struct Operation {
    FormulaTree::Kind kind = FormulaTree::Kind::Number;
    double number = 0;
    const UnaryFunction* unary = nullptr;
    SeveralArguments several = SeveralArguments::None;
    std::vector<int> operands = {};
    bool is_constant = false;
  };

  Jet evaluate(const Operation& o, double t, Side side);
  Jet call(const Operation& o, Side side);
  bool is_positive(const Jet& x, Side side);
  const Jet& operand(const Operation& o, std::size_t k) const {
    return jets_[static_cast<std::size_t>(o.operands[k])];
  }

  std::vector<Operation> operations_;
  std::vector<Jet> jets_;
  bool kink_ = false;
};

}  // namespace saltus
