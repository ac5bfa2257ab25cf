// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/state_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "saltus/model/formula_functions.hpp"
#include "saltus/model/formula_tree.hpp"
#include "saltus/model/formula_values.hpp"

namespace saltus {
namespace {

using Kind = FormulaTree::Kind;

/// Without the parentheses around it.
std::string_view bare_name(const FormulaTree::Node& node) {
  std::string_view name = node.text;
  name = name.substr(name.find_first_not_of("( "));
  return name.substr(0, name.find_first_of(") "));
}

bool is_state(const FormulaTree::Node& node) {
  return node.kind == Kind::Unknown && node.text.find('.') != std::string_view::npos;
}

}  // namespace

struct StateFormula::Operation {
  Kind kind = Kind::Number;
  double number = 0;
  int state = -1;
  const UnaryFunction* unary = nullptr;
  SeveralArguments several = SeveralArguments::None;
  std::vector<int> operands = {};
};

StateFormula::StateFormula(const std::string& text) {
  const FormulaTree tree(text);
  for (int i = 0; i <= tree.root(); ++i) add(tree, i);
  if (operations_.size() > most_nodes || states_.size() > most_states) {
    throw std::invalid_argument(
        fmt::format("a formula of what moves has at most {} operations and {} different states",
                    most_nodes, most_states));
  }
  // What muParser refuses is refused here, with its words.
  std::string plain;
  std::size_t done = 0;
  for (const FormulaTree::Node& node : tree.nodes()) {
    if (!is_state(node)) continue;
    const std::string_view name = bare_name(node);
    const std::size_t at = text.find(name, done);
    plain += text.substr(done, at - done) + "t";
    done = at + name.size();
  }
  if (FormulaValues(plain + text.substr(done)).count() != 1) {
    throw std::invalid_argument("a formula must have one value, without commas");
  }
}

void StateFormula::add(const FormulaTree& tree, int i) {
  const FormulaTree::Node& node = tree.node(i);
  Operation o{.kind = node.kind, .number = node.value, .operands = node.operands};
  if (is_state(node)) {
    const std::string_view name = bare_name(node);
    const auto found = std::find(states_.begin(), states_.end(), name);
    o.state = static_cast<int>(found - states_.begin());
    if (found == states_.end()) states_.emplace_back(name);
  } else if (node.kind == Kind::Unknown) {
    throw std::invalid_argument(fmt::format("the name \"{}\" is not known", node.text));
  } else if (node.kind == Kind::Call) {
    o.unary = find_unary_function(node.name);
    o.several = find_several_arguments(node.name);
    const std::size_t count = node.operands.size();
    const bool fits = o.unary != nullptr                     ? count == 1
                      : o.several == SeveralArguments::Atan2 ? count == 2
                      : o.several != SeveralArguments::None  ? count > 0
                                                             : false;
    if (!fits) {
      throw std::invalid_argument(
          fmt::format("no function is named \"{}\" and takes {} values", node.name, count));
    }
  }
  operations_.push_back(std::move(o));
}

void StateFormula::evaluate(double t, std::span<const double> states,
                            std::span<double> values) const {
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    const auto x = [&](std::size_t k) { return values[static_cast<std::size_t>(o.operands[k])]; };
    double& y = values[i];
    switch (o.kind) {
      case Kind::Number:
        y = o.number;
        break;
      case Kind::Time:
        y = t;
        break;
      case Kind::Unknown:
        y = states[static_cast<std::size_t>(o.state)];
        break;
      case Kind::Negative:
        y = -x(0);
        break;
      case Kind::Add:
        y = x(0) + x(1);
        break;
      case Kind::Subtract:
        y = x(0) - x(1);
        break;
      case Kind::Multiply:
        y = x(0) * x(1);
        break;
      case Kind::Divide:
        y = x(0) / x(1);
        break;
      case Kind::Power:
        y = std::pow(x(0), x(1));
        break;
      case Kind::Conditional:
        y = x(0) != 0 ? x(1) : x(2);
        break;
      case Kind::Call:
        y = call(o, values);
        break;
      default:
        y = is_true(o.kind, x(0), x(1)) ? 1.0 : 0.0;
    }
  }
}

double StateFormula::call(const Operation& o, std::span<const double> values) {
  const auto x = [&](std::size_t k) { return values[static_cast<std::size_t>(o.operands[k])]; };
  if (o.unary != nullptr) return o.unary->value(x(0));
  if (o.several == SeveralArguments::Atan2) return std::atan2(x(0), x(1));
  double y = x(0);
  for (std::size_t k = 1; k < o.operands.size(); ++k) {
    if (o.several == SeveralArguments::Min) {
      y = std::min(y, x(k));
    } else if (o.several == SeveralArguments::Max) {
      y = std::max(y, x(k));
    } else {
      y += x(k);
    }
  }
  return o.several == SeveralArguments::Average ? y / static_cast<double>(o.operands.size()) : y;
}

/// From the whole to its parts: each operation hands its derivative on to its operands.
void StateFormula::differentiate(std::span<const double> values, std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::array<double, most_nodes> parts;
  std::fill_n(parts.begin(), operations_.size(), 0.0);
  parts[operations_.size() - 1] = 1;
  for (std::size_t i = operations_.size(); i-- > 0;) {
    const Operation& o = operations_[i];
    const double d = parts[i];
    if (d == 0) continue;
    const auto at = [&](std::size_t k) { return static_cast<std::size_t>(o.operands[k]); };
    const auto x = [&](std::size_t k) { return values[at(k)]; };
    const auto hand = [&](std::size_t k, double factor) { parts[at(k)] += d * factor; };
    switch (o.kind) {
      case Kind::Unknown:
        gradient[static_cast<std::size_t>(o.state)] += d;
        break;
      case Kind::Negative:
        hand(0, -1);
        break;
      case Kind::Add:
        hand(0, 1), hand(1, 1);
        break;
      case Kind::Subtract:
        hand(0, 1), hand(1, -1);
        break;
      case Kind::Multiply:
        hand(0, x(1)), hand(1, x(0));
        break;
      case Kind::Divide:
        hand(0, 1 / x(1)), hand(1, -values[i] / x(1));
        break;
      case Kind::Power:
        if (x(1) != 0) hand(0, x(1) * std::pow(x(0), x(1) - 1));
        if (x(0) > 0) hand(1, values[i] * std::log(x(0)));
        break;
      case Kind::Conditional:
        parts[at(x(0) != 0 ? 1 : 2)] += d;
        break;
      case Kind::Call:
        hand_to_arguments(o, d, values, parts);
        break;
      default:
        break;  // numbers, the time, and what is true or false
    }
  }
}

void StateFormula::hand_to_arguments(const Operation& o, double d, std::span<const double> values,
                                     std::span<double> parts) {
  const auto at = [&](std::size_t k) { return static_cast<std::size_t>(o.operands[k]); };
  const auto x = [&](std::size_t k) { return values[at(k)]; };
  const std::size_t count = o.operands.size();
  if (o.unary != nullptr) {
    parts[at(0)] += d * o.unary->derivative(x(0));
  } else if (o.several == SeveralArguments::Atan2) {
    const double square = x(0) * x(0) + x(1) * x(1);
    parts[at(0)] += d * x(1) / square;
    parts[at(1)] -= d * x(0) / square;
  } else if (o.several == SeveralArguments::Sum || o.several == SeveralArguments::Average) {
    const double share =
        o.several == SeveralArguments::Sum ? 1.0 : 1.0 / static_cast<double>(count);
    for (std::size_t k = 0; k < count; ++k) parts[at(k)] += d * share;
  } else {
    std::size_t chosen = 0;
    for (std::size_t k = 1; k < count; ++k) {
      const bool better = o.several == SeveralArguments::Min ? x(k) < x(chosen) : x(k) > x(chosen);
      if (better) chosen = k;
    }
    parts[at(chosen)] += d;
  }
}

double StateFormula::value(double t, std::span<const double> states,
                           std::span<double> gradient) const {
  std::array<double, most_nodes> values;
  evaluate(t, states, values);
  if (!gradient.empty()) differentiate(values, gradient);
  return values[operations_.size() - 1];
}

double StateFormula::margin(double t, std::span<const double> states) const {
  std::array<double, most_nodes> values;
  evaluate(t, states, values);
  const Operation& whole = operations_.back();
  const bool less = whole.kind == Kind::Less || whole.kind == Kind::LessOrEqual;
  const bool greater = whole.kind == Kind::Greater || whole.kind == Kind::GreaterOrEqual;
  if (!less && !greater) return values[operations_.size() - 1] != 0 ? 1 : -1;
  const double a = values[static_cast<std::size_t>(whole.operands[0])];
  const double b = values[static_cast<std::size_t>(whole.operands[1])];
  return less ? b - a : a - b;
}

bool StateFormula::is_condition() const {
  // Operands stand before what they are operands of.
  std::vector<bool> is_truth;
  for (const Operation& o : operations_) {
    const auto operand = [&](std::size_t k) {
      return is_truth[static_cast<std::size_t>(o.operands[k])];
    };
    const bool is_number = o.kind == Kind::Number && (o.number == 0 || o.number == 1);
    if (o.kind == Kind::And || o.kind == Kind::Or || o.kind == Kind::Multiply) {
      is_truth.push_back(operand(0) && operand(1));
    } else if (o.kind == Kind::Conditional) {
      is_truth.push_back(operand(1) && operand(2));
    } else {
      is_truth.push_back(is_number || (o.kind >= Kind::Less && o.kind <= Kind::Unequal));
    }
  }
  return is_truth.back() && operations_.back().kind != Kind::Number;
}

StateFormula::~StateFormula() = default;
StateFormula::StateFormula(const StateFormula&) = default;
StateFormula::StateFormula(StateFormula&&) noexcept = default;
StateFormula& StateFormula::operator=(const StateFormula&) = default;
StateFormula& StateFormula::operator=(StateFormula&&) noexcept = default;

bool names_states(const std::string& text) {
  try {
    const FormulaTree tree(text);
    return std::any_of(tree.nodes().begin(), tree.nodes().end(), is_state);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace saltus
