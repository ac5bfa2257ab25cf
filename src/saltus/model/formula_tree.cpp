// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_tree.hpp"

#include <array>
#include <charconv>
#include <numbers>
#include <stdexcept>

namespace saltus {
namespace {

using Kind = FormulaTree::Kind;
using Node = FormulaTree::Node;

struct BinaryOperator {
  std::string_view sign;
  Kind kind;
  int precedence;  ///< muParser's (EOprtPrecedence); all are taken from the left
};

// Longer signs first: "<=" is not "<".
constexpr std::array<BinaryOperator, 12> binary_operators = {{{"||", Kind::Or, 1},
                                                              {"&&", Kind::And, 2},
                                                              {"<=", Kind::LessOrEqual, 4},
                                                              {">=", Kind::GreaterOrEqual, 4},
                                                              {"==", Kind::Equal, 4},
                                                              {"!=", Kind::Unequal, 4},
                                                              {"<", Kind::Less, 4},
                                                              {">", Kind::Greater, 4},
                                                              {"+", Kind::Add, 5},
                                                              {"-", Kind::Subtract, 5},
                                                              {"*", Kind::Multiply, 6},
                                                              {"/", Kind::Divide, 6}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Recursive descent. Every function reads one thing and returns the index of its node.
class Reader {
 public:
  Reader(std::string_view text, std::vector<Node>& nodes) : text_(text), nodes_(nodes) {}

  void read() {
    conditional();
    skip_space();
    if (at_ != text_.size()) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::invalid_argument("Unexpected text at position " + std::to_string(at_));
  }

  void skip_space() {
    while (at_ < text_.size() && text_[at_] > 0 && text_[at_] <= ' ') ++at_;
  }

  bool take(std::string_view sign) {
    skip_space();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }

  void expect(std::string_view sign) {
    if (!take(sign)) fail();
  }

  /// A node that begins at `begin` of the text and ends here.
  int add(std::size_t begin, Node node) {
    node.text = text_.substr(begin, at_ - begin);
    node.first = static_cast<int>(nodes_.size());
    node.depends_on_time = node.kind == Kind::Time || node.kind == Kind::Unknown;
    for (const int operand : node.operands) {
      const Node& o = nodes_[static_cast<std::size_t>(operand)];
      node.first = std::min(node.first, o.first);
      node.depends_on_time = node.depends_on_time || o.depends_on_time;
    }
    if (node.kind == Kind::Multiply) node.square = operand(node, 0).text == operand(node, 1).text;
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  const Node& operand(const Node& node, std::size_t i) const {
    return nodes_[static_cast<std::size_t>(node.operands[i])];
  }

  std::size_t beginning() {
    skip_space();
    return at_;
  }

  int conditional() {
    const std::size_t begin = beginning();
    const int condition = binary(1);
    if (!take("?")) return condition;
    const int yes = conditional();
    expect(":");
    const int no = conditional();
    return add(begin, {.kind = Kind::Conditional, .operands = {condition, yes, no}});
  }

  const BinaryOperator* take_operator(int precedence) {
    for (const BinaryOperator& o : binary_operators) {
      if (o.precedence >= precedence && take(o.sign)) return &o;
    }
    return nullptr;
  }

  int binary(int precedence) {
    const std::size_t begin = beginning();
    int left = with_sign();
    while (const BinaryOperator* o = take_operator(precedence)) {
      const int right = binary(o->precedence + 1);
      left = add(begin, {.kind = o->kind, .operands = {left, right}});
    }
    return left;
  }

  /// A sign binds as tightly as a product, a power more: −2² = −4.
  int with_sign() {
    const std::size_t begin = beginning();
    if (take("-")) return add(begin, {.kind = Kind::Negative, .operands = {power()}});
    take("+");
    return power();
  }

  int power() {
    const std::size_t begin = beginning();
    const int base = primary();
    if (!take("^")) return base;
    const int exponent = with_sign();  // from the right: 2^3^2 = 2^9
    return add(begin, {.kind = Kind::Power, .operands = {base, exponent}});
  }

  int primary() {
    const std::size_t begin = beginning();
    if (take("(")) {
      const int inner = conditional();
      expect(")");
      nodes_[static_cast<std::size_t>(inner)].text = text_.substr(begin, at_ - begin);
      return inner;
    }
    if (at_ >= text_.size()) fail();
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return named();
    fail();
  }

  int number() {
    const std::size_t begin = at_;
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return add(begin, {.kind = Kind::Number, .value = value});
  }

  int named() {
    const std::size_t begin = at_;
    const auto goes_on = [&](std::size_t i) {
      return i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]));
    };
    // A name with a dot is the state of something: pin.angle.
    while (goes_on(at_) || (at_ < text_.size() && text_[at_] == '.' && goes_on(at_ + 1))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (take("(")) return call(begin, name);
    if (name == "t") return add(begin, {.kind = Kind::Time});
    if (name == "pi" || name == "_pi") return add(begin, {.value = std::numbers::pi});
    if (name == "e" || name == "_e") return add(begin, {.value = std::numbers::e});
    return add(begin, {.kind = Kind::Unknown});
  }

  int call(std::size_t begin, std::string_view name) {
    std::vector<int> operands;
    if (!take(")")) {
      do operands.push_back(conditional());
      while (take(","));
      expect(")");
    }
    return add(begin, {.kind = Kind::Call, .name = name, .operands = std::move(operands)});
  }

  std::string_view text_;
  std::vector<Node>& nodes_;
  std::size_t at_ = 0;
};

}  // namespace

FormulaTree::FormulaTree(std::string text) : text_(std::move(text)) {
  Reader(text_, nodes_).read();
}

bool is_comparison(FormulaTree::Kind kind) {
  return kind >= FormulaTree::Kind::Less && kind <= FormulaTree::Kind::Unequal;
}

bool is_true(FormulaTree::Kind kind, double a, double b) {
  switch (kind) {
    case Kind::Less:
      return a < b;
    case Kind::Greater:
      return a > b;
    case Kind::LessOrEqual:
      return a <= b;
    case Kind::GreaterOrEqual:
      return a >= b;
    case Kind::Equal:
      return a == b;
    case Kind::Unequal:
      return a != b;
    case Kind::And:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

}  // namespace saltus
