// SPDX-License-Identifier: Apache-2.0
// The index maps of a System and the assembly of its Newton matrices.
#include <algorithm>
#include <cmath>

#include "saltus/dynamics/system.hpp"

namespace saltus {
namespace {

std::vector<int> range(int first, int count) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) indices[static_cast<std::size_t>(i)] = first + i;
  return indices;
}

/// Whether an element has unknowns on both of its nodes; node 0 is the ground.
constexpr auto couples_two = [](const auto& e) { return e.node_A != 0 && e.node_B != 0; };

}  // namespace

linalg::SparsityPattern System::make_pattern() const {
  linalg::PatternBuilder builder(unknowns());
  for (const Node& node : nodes_) {
    if (node.unknowns == 0) continue;
    const std::vector<int> own = range(node.first_unknown, node.unknowns);
    builder.add_block(own, own);
  }
  const auto couple = [&](int node_A, int node_B) {
    const Unknowns12 local = unknowns_of(node_A, node_B);
    builder.add_block(local, local);
  };
  for (const ScalarSpring& spring : elements_.springs) couple(spring.node_A, spring.node_B);
  for (const BeamElement& e : elements_.beams) couple(e.node_A, e.node_B);
  for (const BarElement& e : elements_.bars) couple(e.node_A, e.node_B);
  for (const SolidElement& e : elements_.solids) {
    const auto all = unknowns_of(e);
    const std::span<const int> local(all.data(), static_cast<std::size_t>(3 * e.count));
    builder.add_block(local, local);
  }
  for (const BushingElement& bushing : elements_.bushings) couple(bushing.node_A, bushing.node_B);
  for (const UserForceElement& user : elements_.user_forces) couple(user.node_A, user.node_B);
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    if (e.couples_nodes()) couple(e.node_A, e.node_B);
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    const std::vector<int> rows = range(velocities_ + joint.first_row, e.rows());
    builder.add_block(rows, columns);
    builder.add_block(columns, rows);
    for (const int row : rows) builder.add(row, row);
  }
  return linalg::SparsityPattern(std::move(builder));
}

void System::make_maps() {
  const auto map_12 = [&](int node_A, int node_B) {
    const Unknowns12 local = unknowns_of(node_A, node_B);
    return pattern_.scatter_map(local, local);
  };
  const auto map_6 = [&](int node) {
    const Unknowns12 local = unknowns_of(node, 0);
    const std::span<const int> six(local.data(), 6);
    return pattern_.scatter_map(six, six);
  };
  uncoupled_ =
      elements_.joints.empty() && elements_.beams.empty() && elements_.bars.empty() &&
      elements_.solids.empty() &&
      std::none_of(elements_.springs.begin(), elements_.springs.end(), couples_two) &&
      std::none_of(elements_.bushings.begin(), elements_.bushings.end(), couples_two) &&
      std::none_of(elements_.user_forces.begin(), elements_.user_forces.end(), couples_two);
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    node_maps_.push_back(map_6(node));
  }
  for (int i = 0; i < velocities_; ++i) velocity_diagonal_.push_back(pattern_.slot(i, i));
  for (const RigidInertia& inertia : elements_.inertias) {
    inertia_maps_.push_back(map_6(inertia.node));
  }
  for (const ScalarSpring& s : elements_.springs) {
    spring_maps_.push_back(map_12(s.node_A, s.node_B));
  }
  for (const BushingElement& b : elements_.bushings) {
    bushing_maps_.push_back(map_12(b.node_A, b.node_B));
  }
  for (const UserForceElement& u : elements_.user_forces) {
    user_maps_.push_back(map_12(u.node_A, u.node_B));
  }
  for (const AppliedLoad& load : elements_.loads) load_maps_.push_back(map_6(load.node));
  for (const JointEntry& joint : elements_.joints) {
    const JointElement& e = joint.element;
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    const std::vector<int> rows = range(velocities_ + joint.first_row, e.rows());
    JointMaps maps;
    maps.block = map_12(e.node_A, e.node_B);
    maps.columns = pattern_.scatter_map(columns, rows);
    maps.rows = pattern_.scatter_map(rows, columns);
    for (const int row : rows) maps.diagonal.push_back(pattern_.slot(row, row));
    joint_maps_.push_back(std::move(maps));
  }
  make_flexible_maps();
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

/// The rotation columns of K times T(ψ): K acts on δΘ = T(ψ) δψ.
void System::apply_operators(const Linearization& l, int node_A, int node_B, Matrix12& K) const {
  if (!l.tangent_operators) return;
  const std::vector<Matrix3>& T = *l.tangent_operators;
  if (nodes_[static_cast<std::size_t>(node_A)].unknowns == 6) {
    K.middleCols<3>(3) = (K.middleCols<3>(3) * T[static_cast<std::size_t>(node_A)]).eval();
  }
  if (nodes_[static_cast<std::size_t>(node_B)].unknowns == 6) {
    K.middleCols<3>(9) = (K.middleCols<3>(9) * T[static_cast<std::size_t>(node_B)]).eval();
  }
}

void System::apply_operators(const Linearization& l, int node_A, int node_B,
                             JointElement::RowMatrix& G) const {
  if (!l.tangent_operators) return;
  const std::vector<Matrix3>& T = *l.tangent_operators;
  if (nodes_[static_cast<std::size_t>(node_A)].unknowns == 6) {
    G.middleCols<3>(3) *= T[static_cast<std::size_t>(node_A)];
  }
  if (nodes_[static_cast<std::size_t>(node_B)].unknowns == 6) {
    G.middleCols<3>(9) *= T[static_cast<std::size_t>(node_B)];
  }
}

void System::assemble(const Configuration& q, const VectorX& v, const VectorX& vdot,
                      const Instant& at, const VectorX& lambda, const Linearization& l,
                      linalg::SparseMatrix& S) const {
  S.set_zero();
  assemble_inertias(v, l, S);
  assemble_forces(q, v, at, l, S);
  assemble_flexible(q, v, vdot, at, l, S);
  assemble_joints(q, v, lambda, l, S);
}

void System::assemble_inertias(const VectorX& v, const Linearization& l,
                               linalg::SparseMatrix& S) const {
  for (std::size_t i = 0; i < elements_.inertias.size(); ++i) {
    const RigidInertia& inertia = elements_.inertias[i];
    Matrix6 A = l.mass * inertia.mass_matrix();
    if (l.damping != 0) A += l.damping * inertia.gyroscopic_matrix(local(v, inertia.node));
    S.add(inertia_maps_[i], A);
  }
}

void System::assemble_forces(const Configuration& q, const VectorX& v, const Instant& at,
                             const Linearization& l, linalg::SparseMatrix& S) const {
  const auto add = [&](const auto& element, const auto& tangents, const std::vector<int>& map) {
    Matrix12 A = l.stiffness * tangents.K;
    apply_operators(l, element.node_A, element.node_B, A);
    A += l.damping * tangents.C;
    S.add(map, A);
  };
  for (std::size_t i = 0; i < elements_.springs.size(); ++i) {
    const ScalarSpring& s = elements_.springs[i];
    add(s,
        s.tangents(pair(q, s.node_A, s.node_B), local(v, s.node_A, s.node_B),
                   angle_reference(s, q)),
        spring_maps_[i]);
  }
  for (std::size_t i = 0; i < elements_.bushings.size(); ++i) {
    const BushingElement& b = elements_.bushings[i];
    add(b, b.tangents(pair(q, b.node_A, b.node_B), local(v, b.node_A, b.node_B)), bushing_maps_[i]);
  }
  for (std::size_t i = 0; i < elements_.user_forces.size(); ++i) {
    const UserForceElement& u = elements_.user_forces[i];
    auto tangents = u.tangents(pair(q, u.node_A, u.node_B), local(v, u.node_A, u.node_B), at.time);
    tangents.K *= at.load_factor;
    tangents.C *= at.load_factor;
    add(u, tangents, user_maps_[i]);
  }
  if (l.stiffness == 0) return;
  for (std::size_t i = 0; i < elements_.loads.size(); ++i) {
    const AppliedLoad& load = elements_.loads[i];
    const auto node = static_cast<std::size_t>(load.node);
    Matrix6 A = Matrix6::Zero();
    A.bottomRightCorner<3, 3>() =
        l.stiffness * at.load_factor * load.rotation_tangent(q.nodes[node], at.time);
    if (l.tangent_operators) A.bottomRightCorner<3, 3>() *= (*l.tangent_operators)[node];
    S.add(load_maps_[i], A);
  }
}

void System::assemble_joints(const Configuration& q, const VectorX& v, const VectorX& lambda,
                             const Linearization& l, linalg::SparseMatrix& S) const {
  JointElement::RowMatrix G, rows;
  JointElement::Rows multipliers;
  for (std::size_t i = 0; i < elements_.joints.size(); ++i) {
    const JointElement& e = elements_.joints[i].element;
    const int first_row = elements_.joints[i].first_row;
    const NodePair nodes = pair(q, e.node_A, e.node_B);
    e.jacobian(nodes, G);
    if (l.stiffness != 0) {
      Matrix12 H = Matrix12::Zero();
      multipliers = -l.stiffness * lambda.segment(first_row, e.rows());
      e.add_hessian(nodes, multipliers, H);
      apply_operators(l, e.node_A, e.node_B, H);
      S.add(joint_maps_[i].block, H);
    }
    rows = -G;
    if (l.rows == Linearization::Rows::Position) {
      apply_operators(l, e.node_A, e.node_B, rows);
    } else if (l.stiffness != 0) {
      JointElement::RowMatrix V;
      e.rate_gradient(nodes, local(v, e.node_A, e.node_B), V);
      apply_operators(l, e.node_A, e.node_B, V);
      rows -= l.stiffness * V;
    }
    S.add(joint_maps_[i].rows, rows);
    if (l.start) {
      rows = G;
      e.jacobian(pair(*l.start, e.node_A, e.node_B), G);
      G = (G + rows) / 2;
    }
    S.add(joint_maps_[i].columns, -G.transpose());
  }
  if (l.regularization > 0) regularize(q, l.regularization, S);
}

/// −δ_i on the multipliers' diagonal, δ_i = ε Σ_j G_ij² / D_j (generalized_alpha.md, eq. 17).
void System::regularize(const Configuration& q, double epsilon, linalg::SparseMatrix& S) const {
  JointElement::RowMatrix G;
  const std::span<double> values = S.values();
  double largest = 0;
  for (const int slot : velocity_diagonal_) {
    largest = std::max(largest, std::abs(values[static_cast<std::size_t>(slot)]));
  }
  for (std::size_t i = 0; i < elements_.joints.size(); ++i) {
    const JointElement& e = elements_.joints[i].element;
    e.jacobian(pair(q, e.node_A, e.node_B), G);
    const Unknowns12 columns = unknowns_of(e.node_A, e.node_B);
    for (int row = 0; row < e.rows(); ++row) {
      double delassus = 0;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j] < 0) continue;
        // The largest of the three translations or rotations: a rod has no inertia about itself.
        double diagonal = 0;
        for (std::size_t k = j / 3 * 3; k < j / 3 * 3 + 3; ++k) {
          const int slot = velocity_diagonal_[static_cast<std::size_t>(columns[k])];
          diagonal = std::max(diagonal, std::abs(values[static_cast<std::size_t>(slot)]));
        }
        // The diagonal of a node without inertia is round-off: what is tied to it resists.
        if (node_mass(j < 6 ? e.node_A : e.node_B) == 0) {
          const double arm = j % 6 < 3 ? 1.0 : characteristic_length_;
          diagonal = largest * arm * arm;
        }
        const double entry = G(row, static_cast<Eigen::Index>(j));
        if (diagonal > 0) delassus += entry * entry / diagonal;
      }
      const int slot = joint_maps_[i].diagonal[static_cast<std::size_t>(row)];
      values[static_cast<std::size_t>(slot)] -= epsilon * delassus;
    }
  }
}

}  // namespace saltus
