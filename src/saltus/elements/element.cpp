// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/element.hpp"

namespace saltus {
namespace {

/// Room for six unknowns of a node, −1 for what it has not.
void append_six(const Node& node, std::vector<int>& unknowns) {
  for (int i = 0; i < 6; ++i) unknowns.push_back(i < node.unknowns ? node.first_unknown + i : -1);
}

}  // namespace

std::vector<int> NodeView::unknowns() const {
  std::vector<int> unknowns;
  append_six(node(), unknowns);
  return unknowns;
}

std::vector<int> PairView::unknowns() const {
  std::vector<int> unknowns;
  for (const int node : {node_A_, node_B_}) append_six(input_.node(node), unknowns);
  return unknowns;
}

std::vector<int> CellView::unknowns() const {
  std::vector<int> unknowns;
  for (const int node : nodes_) {
    for (int i = 0; i < 3; ++i) unknowns.push_back(input_.node(node).first_unknown + i);
  }
  return unknowns;
}

SolidShape::Positions CellView::positions() const {
  SolidShape::Positions x(3, static_cast<Eigen::Index>(nodes_.size()));
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    x.col(static_cast<Eigen::Index>(a)) = input_.pose(nodes_[a]).x;
  }
  return x;
}

SolidShape::Positions CellView::local(const VectorX& v) const {
  SolidShape::Positions local(3, static_cast<Eigen::Index>(nodes_.size()));
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    local.col(static_cast<Eigen::Index>(a)) = v.segment<3>(input_.node(nodes_[a]).first_unknown);
  }
  return local;
}

void CellView::add(const SolidShape::Positions& f, VectorX& out) const {
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    out.segment<3>(input_.node(nodes_[a]).first_unknown) += f.col(static_cast<Eigen::Index>(a));
  }
}

}  // namespace saltus
