// SPDX-License-Identifier: Apache-2.0
// The index maps of a System and the assembly of its Newton matrices.
#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/dynamics/element_loops.hpp"
#include "saltus/dynamics/system.hpp"

namespace saltus {
namespace {

std::vector<int> range(int first, int count) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) indices[static_cast<std::size_t>(i)] = first + i;
  return indices;
}

/// Whether another joint adds to the rows of this one.
bool shares_rows(const std::vector<JointEntry>& joints, std::size_t joint) {
  const int row = joints[joint].first_row;
  return (joint > 0 && joints[joint - 1].first_row == row) ||
         (joint + 1 < joints.size() && joints[joint + 1].first_row == row);
}

}  // namespace

linalg::SparsityPattern System::make_pattern() const {
  linalg::PatternBuilder builder(unknowns());
  for (const Node& node : nodes_) {
    if (node.unknowns == 0) continue;
    const std::vector<int> own = range(node.first_unknown, node.unknowns);
    builder.add_block(own, own);
  }
  ElementLists::for_each(elements_,
                         [&](const auto& list) { mark_blocks(list, {.nodes = nodes_}, builder); });
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    if (e.couples_nodes()) builder.add_block(columns, columns);
    const std::vector<int> rows = range(velocities_ + joint.first_row, e.rows());
    builder.add_block(rows, columns);
    builder.add_block(columns, rows);
    for (const int row : rows) builder.add(row, row);
  }
  return linalg::SparsityPattern(std::move(builder));
}

void System::make_maps() {
  const ElementInput input{.nodes = nodes_};
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    const std::vector<int> own = NodeView(input, {node}).unknowns();
    node_maps_.push_back(pattern_.scatter_map(own, own));
  }
  for (int i = 0; i < velocities_; ++i) velocity_diagonal_.push_back(pattern_.slot(i, i));
  uncoupled_ = elements_.joints.empty();
  ElementLists::for_each(elements_, [&](auto& list) {
    saltus::make_maps(input, pattern_, list);
    uncoupled_ &= !couples_nodes(list);
    for (const auto& e : list) {
      if constexpr (requires { e.is_constant(); }) constant_mass_ &= e.is_constant();
    }
  });
  make_joint_maps();
}

void System::make_joint_maps() {
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    const std::vector<int> rows = range(velocities_ + joint.first_row, e.rows());
    JointMaps maps;
    maps.block = pattern_.scatter_map(columns, columns);
    maps.columns = pattern_.scatter_map(columns, rows);
    maps.rows = pattern_.scatter_map(rows, columns);
    for (const int row : rows) maps.diagonal.push_back(pattern_.slot(row, row));
    joint_maps_.push_back(std::move(maps));
  }
}

Matrix6 System::node_block(const linalg::SparseMatrix& S, int node) const {
  Matrix6 block = Matrix6::Identity();
  const std::vector<int>& map = node_maps_[static_cast<std::size_t>(node)];
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (map[k] >= 0) block.data()[k] = S.values()[static_cast<std::size_t>(map[k])];
  }
  return block;
}

void System::add_node_block(int node, const Matrix6& block, linalg::SparseMatrix& S) const {
  const std::vector<int>& map = node_maps_[static_cast<std::size_t>(node)];
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (map[k] >= 0) S.values()[static_cast<std::size_t>(map[k])] += block.data()[k];
  }
}

void System::assemble(const Configuration& q, const VectorX& v, const VectorX& vdot,
                      const Instant& at, const VectorX& lambda, const Linearization& l,
                      linalg::SparseMatrix& S) const {
  S.set_zero();
  ElementInput input = input_at(q);
  input.at = at;
  input.velocity = &v;
  input.acceleration = &vdot;
  input.operators = l.tangent_operators;
  const TangentFactors factors{l.mass, l.damping, l.stiffness};
  ElementLists::for_each(elements_,
                         [&](const auto& list) { add_tangents(list, input, factors, S); });
  assemble_joints(input, lambda, l, S);
  if (!l.regularization.empty()) regularize(q, l, S);
}

void System::assemble_joints(const ElementInput& input, const VectorX& lambda,
                             const Linearization& l, linalg::SparseMatrix& S) const {
  JointElement::RowMatrix G, rows;
  JointElement::Rows multipliers;
  for (std::size_t i = 0; i < elements_.joints.size(); ++i) {
    const JointElement& e = elements_.joints[i].element;
    const int first_row = elements_.joints[i].first_row;
    const PairView at(input, {e.node_A, e.node_B});
    const NodePair nodes = at.poses();
    e.jacobian(nodes, G);
    if (l.stiffness != 0) {
      Matrix12 H = Matrix12::Zero();
      multipliers = -l.stiffness * lambda.segment(first_row, e.rows());
      e.add_hessian(nodes, multipliers, H);
      at.turn(H);
      S.add(joint_maps_[i].block, H);
    }
    rows = -G;
    if (l.rows == Linearization::Rows::Closing) {
      for (int row = 0; row < e.rows(); ++row) {
        if (e.is_slip(row)) rows.row(row).setZero();
      }
    }
    if (l.rows != Linearization::Rows::Velocity) {
      at.turn(rows);
    } else if (l.stiffness != 0) {
      JointElement::RowMatrix V;
      e.rate_gradient(nodes, at.velocity(), V);
      at.turn(V);
      rows -= l.stiffness * V;
    }
    S.add(joint_maps_[i].rows, rows);
    if (l.start && (!l.turned || (*l.turned)[i] != 0)) {
      rows = G;
      e.jacobian(pair(*l.start, e.node_A, e.node_B), G);
      G = (G + rows) / 2;
    }
    S.add(joint_maps_[i].columns, -G.transpose());
  }
}

/// −δ_i on the multipliers' diagonal, δ_i = ε Σ_j G_ij² / D_j (generalized_alpha.md, eq. 17).
/// A row that holds nothing has ε = 1: its multiplier is 0.
void System::regularize(const Configuration& q, const Linearization& l,
                        linalg::SparseMatrix& S) const {
  JointElement::RowMatrix G;
  const std::span<double> values = S.values();
  // The largest diagonal entry of a component, kept from joint to joint.
  std::size_t known = components_.size();
  double largest = 0;
  const auto find_largest = [&](std::size_t component) {
    if (component == known) return;
    known = component;
    largest = 0;
    for (std::size_t i = 0; i < velocity_diagonal_.size(); ++i) {
      if (static_cast<std::size_t>(component_of_[i]) != component) continue;
      const auto slot = static_cast<std::size_t>(velocity_diagonal_[i]);
      largest = std::max(largest, std::abs(values[slot]));
    }
  };
  for (std::size_t i = 0; i < elements_.joints.size(); ++i) {
    const JointElement& e = elements_.joints[i].element;
    if (e.rows() == 0) continue;  // a rope
    // The rows are in S already, unless those there are a mean, or a sum that joints share.
    const std::vector<int>& places = joint_maps_[i].columns;
    const bool in_S = !l.start && !shares_rows(elements_.joints, i);
    if (!in_S) e.jacobian(pair(q, e.node_A, e.node_B), G);
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    const auto component =
        static_cast<std::size_t>(component_of(velocities_ + elements_.joints[i].first_row));
    const double length = length_of(components_[component].length, components_[component].height);
    std::array<double, 12> diagonals;  // the same for all rows; 0: no unknown
    for (std::size_t j = 0; j < columns.size(); ++j) {
      diagonals[j] = 0;
      if (columns[j] < 0) continue;
      // The largest of the three translations or rotations: a rod has no inertia about itself.
      for (std::size_t k = j / 3 * 3; k < j / 3 * 3 + 3; ++k) {
        const int slot = velocity_diagonal_[static_cast<std::size_t>(columns[k])];
        diagonals[j] = std::max(diagonals[j], std::abs(values[static_cast<std::size_t>(slot)]));
      }
      // The diagonal of a node without inertia is round-off: what is tied to it resists.
      if (node_mass(j < 6 ? e.node_A : e.node_B) == 0) {
        const double arm = j % 6 < 3 ? 1.0 : length;
        find_largest(component);
        diagonals[j] = largest * arm * arm;
      }
    }
    for (int row = 0; row < e.rows(); ++row) {
      double delassus = 0;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (!(diagonals[j] > 0)) continue;
        const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(row) * 12 + j]);
        const double entry = in_S ? values[place] : G(row, static_cast<Eigen::Index>(j));
        delassus += entry * entry / diagonals[j];
      }
      const int slot = joint_maps_[i].diagonal[static_cast<std::size_t>(row)];
      const bool is_free = l.rows == Linearization::Rows::Closing && e.is_slip(row);
      const double epsilon = is_free ? 1 : l.regularization[component];
      values[static_cast<std::size_t>(slot)] -= epsilon * delassus;
    }
  }
}

}  // namespace saltus
