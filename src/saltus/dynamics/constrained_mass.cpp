// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/constrained_mass.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <set>

namespace saltus {
namespace {

/// A pivot of A below this part of its diagonal tells of joint equations that depend on each other,
/// or so nearly that digits would be lost: KktSolver is then more accurate.
constexpr double smallest_pivot = 1e-8;
/// Of the inertia of a node: a rod has none about itself.
constexpr double smallest_inertia = 1e-10;
/// Blocks of L for each joint. Trees and chains of loops have two or three; where many joints meet
/// at a body all of them couple, and general elimination, which keeps M, has less to do.
constexpr std::size_t most_blocks = 8;

}  // namespace

ConstrainedMass::ConstrainedMass(const System& system) : system_(system) {
  const ElementLists& e = system.elements();
  is_suited_ = system.has_constant_mass() && e.beam_inertias.empty() && e.solids.empty();
  has_joints_.assign(system.nodes().size(), 0);
  if (!is_suited_) return;
  find_inverses();
  for (const JointEntry& joint : e.joints) {
    for (const int node : {joint.element.node_A, joint.element.node_B}) {
      const bool moves = system.nodes()[static_cast<std::size_t>(node)].unknowns > 0;
      has_joints_[static_cast<std::size_t>(node)] = moves ? 1 : 0;
    }
  }
  order_joints();
  if (is_suited_) list_couplings();
}

void ConstrainedMass::find_inverses() {
  inverses_.assign(system_.nodes().size(), Matrix6::Zero());
  for (const auto& inertia : system_.elements().inertias) {
    inverses_[static_cast<std::size_t>(inertia.node)] += inertia.mass_matrix();
  }
  for (std::size_t i = 0; i < inverses_.size(); ++i) {
    const int n = system_.nodes()[i].unknowns;
    const auto regular = [&](int first) {
      const Matrix3 block = inverses_[i].block<3, 3>(first, first);
      const Eigen::LDLT<Matrix3> factors(block);
      return factors.vectorD().minCoeff() > smallest_inertia * block.diagonal().maxCoeff();
    };
    for (int first = 0; first < n; first += 3) is_suited_ = is_suited_ && regular(first);
    if (!is_suited_) return;
    Matrix6 inverse = Matrix6::Zero();
    inverse.topLeftCorner(n, n) =
        inverses_[i].topLeftCorner(n, n).llt().solve(MatrixX::Identity(n, n));
    inverses_[i] = inverse;
  }
}

/// Of all joints that are left that with the fewest neighbours first; its neighbours then know of
/// each other.
void ConstrainedMass::order_joints() {
  const std::vector<JointEntry>& joints = system_.elements().joints;
  std::vector<std::vector<int>> at_node(system_.nodes().size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (const int node : {joints[j].element.node_A, joints[j].element.node_B}) {
      if (system_.nodes()[static_cast<std::size_t>(node)].unknowns == 0) continue;
      at_node[static_cast<std::size_t>(node)].push_back(static_cast<int>(j));
    }
  }
  std::vector<std::set<int>> neighbours(joints.size());
  for (const std::vector<int>& meet : at_node) {
    if (meet.size() > most_blocks) is_suited_ = false;
    if (!is_suited_) return;
    for (const int a : meet) {
      for (const int b : meet) {
        if (a != b) neighbours[static_cast<std::size_t>(a)].insert(b);
      }
    }
  }
  std::set<std::pair<std::size_t, int>> queue;  // by number of neighbours
  for (std::size_t j = 0; j < joints.size(); ++j) {
    queue.insert({neighbours[j].size(), static_cast<int>(j)});
  }
  std::vector<int> place(joints.size());
  std::vector<std::set<int>> later;
  std::size_t blocks = 0;
  while (!queue.empty()) {
    const int k = queue.begin()->second;
    queue.erase(queue.begin());
    const std::set<int> those = neighbours[static_cast<std::size_t>(k)];
    place[static_cast<std::size_t>(k)] = static_cast<int>(later.size());
    for (const int a : those) {
      std::set<int>& of_a = neighbours[static_cast<std::size_t>(a)];
      queue.erase({of_a.size(), a});
      of_a.insert(those.begin(), those.end());
      of_a.erase(a);
      of_a.erase(k);
      queue.insert({of_a.size(), a});
    }
    blocks += those.size();
    pivots_.push_back({.joint = k});
    later.push_back(those);
  }
  is_suited_ = blocks <= most_blocks * joints.size();
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    for (const int a : later[k]) pivots_[k].later.push_back(place[static_cast<std::size_t>(a)]);
    std::ranges::sort(pivots_[k].later);
    pivots_[k].below.resize(pivots_[k].later.size());
  }
}

std::size_t ConstrainedMass::place_of(int row, int column) const {
  const std::vector<int>& later = pivots_[static_cast<std::size_t>(column)].later;
  return static_cast<std::size_t>(std::ranges::lower_bound(later, row) - later.begin());
}

void ConstrainedMass::list_couplings() {
  for (int column = 0; column < static_cast<int>(pivots_.size()); ++column) {
    const JointElement& c = entry(pivots_[static_cast<std::size_t>(column)]).element;
    for (const int row : pivots_[static_cast<std::size_t>(column)].later) {
      const JointElement& r = entry(pivots_[static_cast<std::size_t>(row)]).element;
      for (const bool row_by_B : {false, true}) {
        for (const bool column_by_B : {false, true}) {
          const int node = row_by_B ? r.node_B : r.node_A;
          if (node != (column_by_B ? c.node_B : c.node_A)) continue;
          if (system_.nodes()[static_cast<std::size_t>(node)].unknowns == 0) continue;
          couplings_.push_back({row, column, place_of(row, column), row_by_B, column_by_B});
        }
      }
    }
  }
}

/// A = G M⁻¹Gᵀ.
void ConstrainedMass::fill(const Configuration& q) {
  for (Pivot& pivot : pivots_) {
    const JointElement& e = entry(pivot).element;
    e.jacobian(system_.pair(q, e.node_A, e.node_B), pivot.G);
    pivot.response_A.noalias() = inverse(e.node_A) * pivot.G.leftCols<6>().transpose();
    pivot.response_B.noalias() = inverse(e.node_B) * pivot.G.rightCols<6>().transpose();
    pivot.diagonal.noalias() = pivot.G.leftCols<6>() * pivot.response_A;
    pivot.diagonal.noalias() += pivot.G.rightCols<6>() * pivot.response_B;
    for (std::size_t i = 0; i < pivot.later.size(); ++i) {
      const Pivot& other = pivots_[static_cast<std::size_t>(pivot.later[i])];
      pivot.below[i].setZero(entry(other).element.rows(), e.rows());
    }
  }
  for (const Coupling& c : couplings_) {
    const Pivot& row = pivots_[static_cast<std::size_t>(c.row)];
    Pivot& column = pivots_[static_cast<std::size_t>(c.column)];
    const Response& response = c.column_by_B ? column.response_B : column.response_A;
    column.below[c.place].noalias() += row.G.middleCols<6>(c.row_by_B ? 6 : 0) * response;
  }
}

/// One column of L, and what it takes from the rest of A.
bool ConstrainedMass::eliminate(Pivot& pivot) {
  const Eigen::Index n = pivot.diagonal.rows();
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, JointElement::max_rows, 1> scale =
      pivot.G.leftCols<6>().cwiseProduct(pivot.response_A.transpose()).rowwise().sum() +
      pivot.G.rightCols<6>().cwiseProduct(pivot.response_B.transpose()).rowwise().sum();
  Block& L = pivot.diagonal;
  for (Eigen::Index k = 0; k < n; ++k) {
    double rest = L(k, k);
    for (Eigen::Index j = 0; j < k; ++j) rest -= L(k, j) * L(k, j);
    if (!(rest > smallest_pivot * scale[k])) return false;
    L(k, k) = std::sqrt(rest);
    for (Eigen::Index i = k + 1; i < n; ++i) {
      double sum = L(i, k);
      for (Eigen::Index j = 0; j < k; ++j) sum -= L(i, j) * L(k, j);
      L(i, k) = sum / L(k, k);
    }
  }
  for (Block& block : pivot.below) {  // times L⁻ᵀ
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index j = 0; j < k; ++j) block.col(k) -= L(k, j) * block.col(j);
      block.col(k) /= L(k, k);
    }
  }
  for (std::size_t i = 0; i < pivot.later.size(); ++i) {
    Pivot& column = pivots_[static_cast<std::size_t>(pivot.later[i])];
    column.diagonal.noalias() -= pivot.below[i].lazyProduct(pivot.below[i].transpose());
    for (std::size_t j = i + 1; j < pivot.later.size(); ++j) {
      Block& block = column.below[place_of(pivot.later[j], pivot.later[i])];
      block.noalias() -= pivot.below[j].lazyProduct(pivot.below[i].transpose());
    }
  }
  return true;
}

bool ConstrainedMass::factorize(const Configuration& q) {
  if (pivots_.empty()) return true;
  fill(q);
  return std::ranges::all_of(pivots_, [&](Pivot& pivot) { return eliminate(pivot); });
}

template <class Columns>
void ConstrainedMass::apply_inverses(Columns&& X) const {
  for (std::size_t i = 0; i < inverses_.size(); ++i) {
    const Node& node = system_.nodes()[i];
    if (node.kind == NodeKind::Frame) {
      X.template middleRows<6>(node.first_unknown) =
          (inverses_[i] * X.template middleRows<6>(node.first_unknown)).eval();
    } else if (node.kind == NodeKind::Point) {
      X.template middleRows<3>(node.first_unknown) =
          (inverses_[i].topLeftCorner<3, 3>() * X.template middleRows<3>(node.first_unknown))
              .eval();
    }
  }
}

/// λ = −A⁻¹(g + G v̇₀), v̇ = v̇₀ + M⁻¹Gᵀλ with v̇₀ = M⁻¹f in the rows of f.
template <class Columns>
void ConstrainedMass::solve_joints(Columns&& X) const {
  const auto of = [&](const Pivot& pivot) {
    const JointEntry& joint = entry(pivot);
    return X.middleRows(system_.velocities() + joint.first_row, joint.element.rows());
  };
  const auto for_nodes = [&](const Pivot& pivot, auto&& visit) {
    const JointElement& e = entry(pivot).element;
    for (const bool is_B : {false, true}) {
      const Node& node = system_.nodes()[static_cast<std::size_t>(is_B ? e.node_B : e.node_A)];
      if (node.unknowns > 0) visit(node, is_B);
    }
  };
  for (const Pivot& pivot : pivots_) {
    auto rows = of(pivot);
    rows = -rows;
    for_nodes(pivot, [&](const Node& node, bool is_B) {
      rows.noalias() -= pivot.G.middleCols(is_B ? 6 : 0, node.unknowns)
                            .lazyProduct(X.middleRows(node.first_unknown, node.unknowns));
    });
  }
  for (const Pivot& pivot : pivots_) {
    auto rows = of(pivot);
    const Block& L = pivot.diagonal;
    for (Eigen::Index k = 0; k < L.rows(); ++k) {
      for (Eigen::Index j = 0; j < k; ++j) rows.row(k) -= L(k, j) * rows.row(j);
      rows.row(k) /= L(k, k);
    }
    for (std::size_t i = 0; i < pivot.later.size(); ++i) {
      of(pivots_[static_cast<std::size_t>(pivot.later[i])]).noalias() -=
          pivot.below[i].lazyProduct(rows);
    }
  }
  for (std::size_t p = pivots_.size(); p-- > 0;) {
    const Pivot& pivot = pivots_[p];
    auto rows = of(pivot);
    for (std::size_t i = 0; i < pivot.later.size(); ++i) {
      rows.noalias() -= pivot.below[i].transpose().lazyProduct(
          of(pivots_[static_cast<std::size_t>(pivot.later[i])]));
    }
    const Block& L = pivot.diagonal;
    for (Eigen::Index k = L.rows() - 1; k >= 0; --k) {
      for (Eigen::Index j = k + 1; j < L.rows(); ++j) rows.row(k) -= L(j, k) * rows.row(j);
      rows.row(k) /= L(k, k);
    }
    for_nodes(pivot, [&](const Node& node, bool is_B) {
      const Response& response = is_B ? pivot.response_B : pivot.response_A;
      X.middleRows(node.first_unknown, node.unknowns).noalias() +=
          response.topRows(node.unknowns).lazyProduct(rows);
    });
  }
}

void ConstrainedMass::solve_in_place(Eigen::Ref<MatrixX> X) const {
  if (X.cols() == 1) {
    apply_inverses(X.col(0));
    solve_joints(X.col(0));
  } else {
    apply_inverses(X);
    solve_joints(X);
  }
}

}  // namespace saltus
