// SPDX-License-Identifier: Apache-2.0
// Points whose forces know of each other, and what their forces do: Y = K⁻¹Dᵀ and S = N Y.
#include <algorithm>

#include "saltus/integrators/constrained_motion.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {

int ConstrainedMotion::root_of(int component) {
  while (parents_[static_cast<std::size_t>(component)] != component) {
    component = parents_[static_cast<std::size_t>(component)];
  }
  return component;
}

/// The ground connects nothing.
int ConstrainedMotion::root_of(const ClosedPoint& point) {
  for (const int node : {point.element().node_A, point.element().node_B}) {
    const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
    if (n.unknowns > 0) return root_of(system_.component_of(n.first_unknown));
  }
  return 0;
}

/// order_: the closed points, those of a group one after the other in their own order.
void ConstrainedMotion::group_points() {
  parents_.resize(system_.components().size());
  for (std::size_t i = 0; i < parents_.size(); ++i) parents_[i] = static_cast<int>(i);
  order_.clear();
  for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
    const ClosedPoint& point = points_[static_cast<std::size_t>(i)];
    if (point.mode == ContactStatus::Open) continue;
    order_.push_back(i);
    const Node& A = system_.nodes()[static_cast<std::size_t>(point.element().node_A)];
    const Node& B = system_.nodes()[static_cast<std::size_t>(point.element().node_B)];
    if (A.unknowns == 0 || B.unknowns == 0) continue;
    const int a = root_of(system_.component_of(A.first_unknown));
    const int b = root_of(system_.component_of(B.first_unknown));
    parents_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::ranges::stable_sort(order_, {},
                           [&](int i) { return root_of(points_[static_cast<std::size_t>(i)]); });
}

/// The rows of all points but the open ones, group by group.
void ConstrainedMotion::list_rows(bool tangents) {
  group_points();
  rows_.clear();
  cones_.clear();
  group_count_ = 0;
  int last = -1;
  for (const int i : order_) {
    const int root = root_of(points_[static_cast<std::size_t>(i)]);
    if (root != last) {
      if (++group_count_ > groups_.size()) groups_.emplace_back();
      Group& group = groups_[group_count_ - 1];
      group.first_row = rows_.size();
      group.first_cone = cones_.size();
      group.rows = group.cones = 0;
      group.all_stick = true;
      last = root;
    }
    list_point(i, tangents, groups_[group_count_ - 1]);
  }
}

void ConstrainedMotion::list_point(int i, bool tangents, Group& group) {
  const ClosedPoint& point = points_[static_cast<std::size_t>(i)];
  const bool sticks = tangents && point.mode == ContactStatus::Stick;
  cones_.push_back({static_cast<int>(group.rows), sticks ? 3 : 1, point.static_friction});
  for (int axis = 0; axis < (sticks ? 3 : 1); ++axis) rows_.push_back({i, axis});
  group.rows += sticks ? 3 : 1;
  ++group.cones;
  group.all_stick = group.all_stick && point.mode != ContactStatus::Slip;
}

void ConstrainedMotion::respond(const ClosedPoint& point, MatrixX& Y) {
  const ContactElement& e = point.element();
  Y.resize(system_.unknowns(), 3);
  for (int k = 0; k < 3; ++k) {
    x_.setZero();
    system_.scatter(Vector12(point.H.row(k).transpose()), e.node_A, e.node_B, x_);
    solve(x_);
    Y.col(k) = x_;
  }
}

void ConstrainedMotion::feel(const ClosedPoint& point, int axis, const MatrixX& Y,
                             Row1 felt) const {
  const ContactElement& e = point.element();
  const System::Unknowns12 columns = system_.unknowns_of(e.node_A, e.node_B);
  felt.setZero();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] < 0) continue;
    felt += point.H(axis, static_cast<Eigen::Index>(k)) * Y.row(columns[k]);
  }
}

/// K⁻¹Dᵀ of all rows. A force between bodies without joints moves these two alone.
void ConstrainedMotion::respond_to_rows() {
  near_.resize(rows_.size());
  column_.assign(rows_.size(), -1);
  int columns = 0;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const ContactElement& e = points_[static_cast<std::size_t>(rows_[j].point)].element();
    if (by_mass_ && !mass_.has_joints(e.node_A) && !mass_.has_joints(e.node_B)) {
      const Eigen::Matrix<double, 1, 12> d = direction_of(rows_[j]);
      near_[j].head<6>().noalias() = mass_.inverse(e.node_A) * d.head<6>().transpose();
      near_[j].tail<6>().noalias() = mass_.inverse(e.node_B) * d.tail<6>().transpose();
    } else {
      column_[j] = columns++;
    }
  }
  if (columns == 0) return;
  Y_.setZero(system_.unknowns(), columns);
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    if (column_[j] < 0) continue;
    const ContactElement& e = points_[static_cast<std::size_t>(rows_[j].point)].element();
    x_.setZero();
    system_.scatter(Vector12(direction_of(rows_[j]).transpose()), e.node_A, e.node_B, x_);
    if (!by_mass_) kkt_.solve_unregularized(x_);
    Y_.col(column_[j]) = x_;
  }
  if (by_mass_) mass_.solve_in_place(Y_);
}

/// S = N Y of a group.
void ConstrainedMotion::fill_group(Group& group) {
  const auto m = static_cast<Eigen::Index>(group.rows);
  group.S.setZero(m, m);
  const auto feel_near = [&](const ClosedPoint& felt, int axis, const ContactElement& source,
                             const Vector12& y) {
    const ContactElement& e = felt.element();
    double sum = 0;
    for (const auto& [node, own] : {std::pair{e.node_A, 0}, std::pair{e.node_B, 6}}) {
      if (node == source.node_A) sum += felt.H.block<1, 6>(axis, own).dot(y.head<6>());
      if (node == source.node_B) sum += felt.H.block<1, 6>(axis, own).dot(y.tail<6>());
    }
    return sum;
  };
  for (Eigen::Index j = 0; j < m; ++j) {
    const std::size_t column = group.first_row + static_cast<std::size_t>(j);
    const ContactElement& source = points_[static_cast<std::size_t>(rows_[column].point)].element();
    for (Eigen::Index i = 0; i < m; ++i) {
      const Row& row = rows_[group.first_row + static_cast<std::size_t>(i)];
      const ClosedPoint& point = points_[static_cast<std::size_t>(row.point)];
      if (column_[column] < 0) {
        group.S(i, j) = feel_near(point, row.axis, source, near_[column]);
      } else {
        const ContactElement& e = point.element();
        for (const auto& [id, own] : {std::pair{e.node_A, 0}, std::pair{e.node_B, 6}}) {
          const Node& node = system_.nodes()[static_cast<std::size_t>(id)];
          if (node.unknowns == 0) continue;
          group.S(i, j) +=
              point.H.row(row.axis)
                  .segment(own, node.unknowns)
                  .dot(Y_.col(column_[column]).segment(node.first_unknown, node.unknowns));
        }
      }
    }
  }
}

void ConstrainedMotion::fill_system() {
  respond_to_rows();
  for (Group& group : groups()) {
    fill_group(group);
    touched_.clear();
    for (std::size_t i = 0; i < group.rows; ++i) {
      const ContactElement& e =
          points_[static_cast<std::size_t>(rows_[group.first_row + i].point)].element();
      touched_.push_back(e.node_A);
      touched_.push_back(e.node_B);
    }
    std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    group.unknowns = 0;
    for (const int node : touched_) {
      group.unknowns += system_.nodes()[static_cast<std::size_t>(node)].unknowns;
    }
  }
}

/// x = Y f
void ConstrainedMotion::add_motion(const VectorX& force, VectorX& x) const {
  x.setZero(system_.unknowns());
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const double f = force[static_cast<Eigen::Index>(j)];
    if (column_[j] >= 0) {
      x += f * Y_.col(column_[j]);
      continue;
    }
    const ContactElement& e = points_[static_cast<std::size_t>(rows_[j].point)].element();
    system_.scatter(Vector12(f * near_[j]), e.node_A, e.node_B, x);
  }
}

/// The least forces that do what is wanted, whatever their signs.
void ConstrainedMotion::solve_least(const VectorX& wanted, VectorX& force) {
  force.resize(wanted.size());
  for (Group& group : groups()) {
    const auto first = static_cast<Eigen::Index>(group.first_row);
    const auto n = static_cast<Eigen::Index>(group.rows);
    least_.compute(group.S, ConstrainedTuning::redundant_row, group.unknowns);
    force.segment(first, n) = least_.solve(wanted.segment(first, n));
  }
}

/// N v of the listed rows.
VectorX ConstrainedMotion::values(const VectorX& v) const {
  VectorX result(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ClosedPoint& point = points_[static_cast<std::size_t>(rows_[i].point)];
    const ContactElement& e = point.element();
    result[static_cast<Eigen::Index>(i)] =
        point.H.row(rows_[i].axis).dot(system_.local(v, e.node_A, e.node_B).transpose());
  }
  return result;
}

}  // namespace saltus
