// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

/// A formula of t as a tree, read by muParser's rules: what depends on what.
class FormulaTree {
 public:
  enum class Kind {
    Number,
    Time,
    Call,  ///< of the function `name`
    Negative,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    Unequal,
    And,
    Or,
    Conditional,
    Unknown,  ///< a name that is none of ours; nothing is known of its value
  };

  struct Node {
    Kind kind = Kind::Number;
    double value = 0;                ///< of a number
    std::string_view text = {};      ///< what stands in the formula, with its parentheses
    std::string_view name = {};      ///< of a function
    std::vector<int> operands = {};  ///< indices of nodes
    int first = 0;                   ///< the nodes `first` … this one are the subtree
    bool depends_on_time = false;
    bool square = false;  ///< a product of two operands with the same text
  };

  /// @throws std::invalid_argument for a text that muParser would refuse too.
  explicit FormulaTree(std::string text);
  FormulaTree(const FormulaTree&) = delete;  // nodes look into the text
  FormulaTree& operator=(const FormulaTree&) = delete;

  /// Operands before what they are operands of; the last is the whole.
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  int root() const { return static_cast<int>(nodes_.size()) - 1; }

 private:
  std::string text_;
  std::vector<Node> nodes_;
};

bool is_comparison(FormulaTree::Kind kind);
/// Of a comparison or a junction, as muParser has it.
bool is_true(FormulaTree::Kind kind, double a, double b);

}  // namespace saltus
