// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "saltus/elements/element.hpp"

namespace saltus {

/// What an element on several nodes sees: six rows for each, a column a node in vectors.
class StateView {
 public:
  static constexpr int max_nodes = 9;
  using Nodes = std::span<const int>;
  using Vector = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, max_nodes>;
  using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 6 * max_nodes>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                               6 * max_nodes, 6 * max_nodes>;

  StateView(const ElementInput& input, Nodes nodes) : input_(input), nodes_(nodes) {}

  const ElementInput& input() const { return input_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  /// The a-th and the b-th of its nodes as a pair.
  PairView pair(int a, int b) const { return {input_, {node(a), node(b)}}; }
  void add(const Vector& f, VectorX& out) const {
    for (int a = 0; a < size(); ++a) input_.node(node(a)).add(f.col(a), out);
  }
  /// The rotation columns of K times T(ψ): K acts on δΘ = T(ψ) δψ.
  void turn(Row& K) const {
    if (!input_.operators) return;
    for (int a = 0; a < size(); ++a) {
      if (!input_.node(node(a)).turns()) continue;
      K.middleCols<3>(6 * a + 3) *= input_.tangent_operator(node(a));
    }
  }
  std::vector<int> unknowns() const;

 private:
  int node(int a) const { return nodes_[static_cast<std::size_t>(a)]; }

  const ElementInput& input_;
  Nodes nodes_;
};

}  // namespace saltus
