// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_switches.hpp"

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using Kind = FormulaTree::Kind;
using Node = FormulaTree::Node;
using Rule = FormulaSwitch::Rule;

Rule rule_of(Kind comparison) {
  switch (comparison) {
    case Kind::Less:
    case Kind::GreaterOrEqual:
      return Rule::Below;
    case Kind::Greater:
    case Kind::LessOrEqual:
      return Rule::Above;
    default:
      return Rule::Equality;
  }
}

/// Walks down the tree with the conditions that hold where it is.
class SwitchFinder {
 public:
  explicit SwitchFinder(const FormulaTree& tree) : tree_(tree) { visit(tree.root()); }

  std::vector<FormulaSwitch> take() { return std::move(switches_); }

 private:
  void visit(int i) {
    const Node& node = tree_.node(i);
    if (!node.depends_on_time) return;
    look_at(node);
    if (node.kind == Kind::Conditional) {
      visit(node.operands[0]);
      for (const bool yes : {true, false}) {
        guards_.emplace_back(node.operands[0], yes);
        visit(node.operands[yes ? 1 : 2]);
        guards_.pop_back();
      }
      return;
    }
    for (const int operand : node.operands) visit(operand);
  }

  void look_at(const Node& node) {
    if (is_comparison(node.kind)) add_pair(rule_of(node.kind), node.operands, 0, 1);
    switch (node.kind) {
      case Kind::And:
      case Kind::Or:
        add_condition(node.operands[0]);
        add_condition(node.operands[1]);
        return;
      case Kind::Conditional:
        add_condition(node.operands[0]);
        return;
      case Kind::Divide:
        add_single(Rule::Edge, node.operands[1]);
        return;
      case Kind::Power:
        look_at_power(node);
        return;
      case Kind::Call:
        look_at_call(node);
        return;
      default:
        return;
    }
  }

  void look_at_power(const Node& node) {
    const Node& exponent = tree_.node(node.operands[1]);
    const bool whole =
        exponent.kind == Kind::Number && exponent.value == std::floor(exponent.value);
    if (!whole) add_single(Rule::Edge, node.operands[0]);
  }

  void look_at_call(const Node& node) {
    if (node.operands.empty()) return;
    const int a = node.operands[0];
    const std::string_view name = node.name;
    if (name == "abs") add_single(Rule::Below, a);
    if (name == "sign" || name == "sqrt" || name.starts_with("log") || name == "ln") {
      add_single(Rule::Edge, a);
    }
    if (name == "asin" || name == "acos" || name == "atanh") add_single(Rule::Edge, a, -1);
    if (name == "asin" || name.starts_with("acos") || name == "atanh") add_single(Rule::Edge, a, 1);
    if (name == "rint") add_steps(a, 1);
    if (name == "tan") add_steps(a, std::numbers::pi);
    if (name == "atan2") add_cut(node.operands);
    if (name == "min") add_all_pairs(Rule::Smallest, node.operands);
    if (name == "max") add_all_pairs(Rule::Largest, node.operands);
  }

  void add(FormulaSwitch s) {
    if (!tree_.node(s.a).depends_on_time && !(s.b && tree_.node(*s.b).depends_on_time)) return;
    s.guards = guards_;
    switches_.push_back(std::move(s));
  }

  void add_single(Rule rule, int a, double threshold = 0) {
    add({.rule = rule, .a = a, .threshold = threshold, .operands = {a}});
  }

  /// What is true or false has its own switches.
  void add_condition(int a) {
    const Kind kind = tree_.node(a).kind;
    if (is_comparison(kind) || kind == Kind::And || kind == Kind::Or) return;
    add_single(Rule::Equality, a);
  }

  void add_steps(int a, double period) {
    add({.rule = Rule::Step, .a = a, .period = period, .operands = {a}});
  }

  void add_cut(const std::vector<int>& operands) {
    add({.rule = Rule::Cut, .a = operands[0], .operands = operands});
    add({.rule = Rule::Cut, .a = operands[1], .operands = operands, .place_a = 1});
  }

  void add_pair(Rule rule, const std::vector<int>& operands, int i, int j) {
    add({.rule = rule,
         .a = operands[static_cast<std::size_t>(i)],
         .b = operands[static_cast<std::size_t>(j)],
         .operands = operands,
         .place_a = i,
         .place_b = j});
  }

  void add_all_pairs(Rule rule, const std::vector<int>& operands) {
    for (int i = 0; i < static_cast<int>(operands.size()); ++i) {
      for (int j = i + 1; j < static_cast<int>(operands.size()); ++j) {
        add_pair(rule, operands, i, j);
      }
    }
  }

  const FormulaTree& tree_;
  std::vector<std::pair<int, bool>> guards_;
  std::vector<FormulaSwitch> switches_;
};

}  // namespace

std::vector<FormulaSwitch> find_switches(const FormulaTree& tree) {
  return SwitchFinder(tree).take();
}

}  // namespace saltus
