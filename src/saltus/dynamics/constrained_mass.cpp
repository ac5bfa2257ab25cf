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
    if (joint.continues) is_suited_ = false;  // a row of several joints
    for (const int node : {joint.element.node_A, joint.element.node_B}) {
      const bool moves = system.nodes()[static_cast<std::size_t>(node)].unknowns > 0;
      has_joints_[static_cast<std::size_t>(node)] = moves ? 1 : 0;
    }
  }
  if (!is_suited_) return;
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
  JointElement::RowMatrix G;
  for (Pivot& pivot : pivots_) {
    const JointElement& e = entry(pivot).element;
    e.jacobian(system_.pair(q, e.node_A, e.node_B), G);
    pivot.rows = e.rows();
    pivot.G.topRows(pivot.rows) = G;
    pivot.response_A.noalias() = inverse(e.node_A) * pivot.G.leftCols<6>().transpose();
    pivot.response_B.noalias() = inverse(e.node_B) * pivot.G.rightCols<6>().transpose();
    pivot.diagonal.noalias() = pivot.G.leftCols<6>() * pivot.response_A;
    pivot.diagonal.noalias() += pivot.G.rightCols<6>() * pivot.response_B;
    for (int k = pivot.rows; k < 6; ++k) pivot.diagonal(k, k) = 1;
    for (Matrix6& block : pivot.below) block.setZero();
  }
  for (const Coupling& c : couplings_) {
    const Pivot& row = pivots_[static_cast<std::size_t>(c.row)];
    Pivot& column = pivots_[static_cast<std::size_t>(c.column)];
    const Matrix6& response = c.column_by_B ? column.response_B : column.response_A;
    column.below[c.place].noalias() += row.G.middleCols<6>(c.row_by_B ? 6 : 0) * response;
  }
}

/// One column of L, and what it takes from the rest of A.
bool ConstrainedMass::eliminate(Pivot& pivot) {
  const Vector6 scale =
      pivot.G.leftCols<6>().cwiseProduct(pivot.response_A.transpose()).rowwise().sum() +
      pivot.G.rightCols<6>().cwiseProduct(pivot.response_B.transpose()).rowwise().sum();
  Matrix6 L = pivot.diagonal;
  for (int k = 0; k < 6; ++k) {
    double rest = L(k, k);
    for (int j = 0; j < k; ++j) rest -= L(k, j) * L(k, j);
    if (!(rest > smallest_pivot * scale[k])) return false;
    L(k, k) = std::sqrt(rest);
    for (int i = k + 1; i < 6; ++i) {
      double sum = L(i, k);
      for (int j = 0; j < k; ++j) sum -= L(i, j) * L(k, j);
      L(i, k) = sum / L(k, k);
    }
  }
  pivot.inverse.setIdentity();
  L.triangularView<Eigen::Lower>().solveInPlace(pivot.inverse);
  for (Matrix6& block : pivot.below) block = (block * pivot.inverse.transpose()).eval();
  for (std::size_t i = 0; i < pivot.later.size(); ++i) {
    Pivot& column = pivots_[static_cast<std::size_t>(pivot.later[i])];
    column.diagonal.noalias() -= pivot.below[i] * pivot.below[i].transpose();
    for (std::size_t j = i + 1; j < pivot.later.size(); ++j) {
      Matrix6& block = column.below[place_of(pivot.later[j], pivot.later[i])];
      block.noalias() -= pivot.below[j] * pivot.below[i].transpose();
    }
  }
  return true;
}

bool ConstrainedMass::factorize(const Configuration& q) {
  if (pivots_.empty()) return true;
  fill(q);
  return std::ranges::all_of(pivots_, [&](Pivot& pivot) { return eliminate(pivot); });
}

void ConstrainedMass::apply_inverses(double* x) const {
  for (std::size_t i = 0; i < inverses_.size(); ++i) {
    const Node& node = system_.nodes()[i];
    if (node.kind == NodeKind::Frame) {
      Eigen::Map<Vector6> v(x + node.first_unknown);
      v = (inverses_[i] * v).eval();
    } else if (node.kind == NodeKind::Point) {
      Eigen::Map<Vector3> v(x + node.first_unknown);
      v = (inverses_[i].topLeftCorner<3, 3>() * v).eval();
    }
  }
}

/// λ = −A⁻¹(g + G v̇₀), v̇ = v̇₀ + M⁻¹Gᵀλ with v̇₀ = M⁻¹f in the rows of f.
void ConstrainedMass::solve_joints(double* x) const {
  const auto node_of = [&](int node) -> const Node& {
    return system_.nodes()[static_cast<std::size_t>(node)];
  };
  const auto motion = [&](int id) -> Vector6 {
    const Node& node = node_of(id);
    Vector6 v = Vector6::Zero();
    if (node.unknowns == 6) v = Eigen::Map<const Vector6>(x + node.first_unknown);
    if (node.unknowns == 3) v.head<3>() = Eigen::Map<const Vector3>(x + node.first_unknown);
    return v;
  };
  const auto move = [&](int id, const Vector6& by) {
    const Node& node = node_of(id);
    if (node.unknowns == 6) Eigen::Map<Vector6>(x + node.first_unknown) += by;
    if (node.unknowns == 3) Eigen::Map<Vector3>(x + node.first_unknown) += by.head<3>();
  };
  double* const g = x + system_.velocities();
  lambda_.assign(pivots_.size(), Vector6::Zero());
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    const Pivot& pivot = pivots_[k];
    const JointEntry& joint = entry(pivot);
    for (int i = 0; i < pivot.rows; ++i) lambda_[k][i] = -g[joint.first_row + i];
    lambda_[k].noalias() -= pivot.G.leftCols<6>() * motion(joint.element.node_A);
    lambda_[k].noalias() -= pivot.G.rightCols<6>() * motion(joint.element.node_B);
  }
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    const Pivot& pivot = pivots_[k];
    lambda_[k] = (pivot.inverse * lambda_[k]).eval();
    for (std::size_t i = 0; i < pivot.later.size(); ++i) {
      lambda_[static_cast<std::size_t>(pivot.later[i])].noalias() -= pivot.below[i] * lambda_[k];
    }
  }
  for (std::size_t k = pivots_.size(); k-- > 0;) {
    const Pivot& pivot = pivots_[k];
    const JointEntry& joint = entry(pivot);
    for (std::size_t i = 0; i < pivot.later.size(); ++i) {
      lambda_[k].noalias() -=
          pivot.below[i].transpose() * lambda_[static_cast<std::size_t>(pivot.later[i])];
    }
    lambda_[k] = (pivot.inverse.transpose() * lambda_[k]).eval();
    for (int i = 0; i < pivot.rows; ++i) g[joint.first_row + i] = lambda_[k][i];
    move(joint.element.node_A, pivot.response_A * lambda_[k]);
    move(joint.element.node_B, pivot.response_B * lambda_[k]);
  }
}

void ConstrainedMass::solve_in_place(Eigen::Ref<MatrixX> X) const {
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    double* const x = X.col(j).data();
    apply_inverses(x);
    solve_joints(x);
  }
}

}  // namespace saltus
