// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impact_flow.hpp"

#include <algorithm>
#include <utility>

#include "saltus/impulse/delassus_factor.hpp"
#include "saltus/impulse/group_rates.hpp"
#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

ImpactSystem::ImpactSystem(const ImpactProblem& problem, const std::vector<int>& chosen, bool split,
                           ShareRule rule) {
  const int n = static_cast<int>(chosen.size());
  W_.resize(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    points_.push_back(problem.points[chosen[i]]);
    for (int j = 0; j < n; ++j)
      W_.block<3, 3>(3 * i, 3 * j) = problem.W.block<3, 3>(3 * chosen[i], 3 * chosen[j]);
    const auto same = [&](const std::vector<int>& group) {
      return !split && points_[group.front()].group == points_[i].group;
    };
    const auto found = std::find_if(members_.begin(), members_.end(), same);
    group_of_.push_back(static_cast<int>(found - members_.begin()));
    if (found == members_.end()) members_.emplace_back();
    members_[group_of_[i]].push_back(i);
  }
  L_ = delassus_factor(W_);
  for (const std::vector<int>& group : members_) {
    std::vector<ImpactPoint> points;
    MatrixX L(3 * group.size(), L_.cols());
    for (int k = 0; k < static_cast<int>(group.size()); ++k) {
      points.push_back(points_[group[k]]);
      L.middleRows<3>(3 * k) = L_.middleRows<3>(3 * group[k]);
    }
    groups_.emplace_back(std::move(points), std::move(L), rule);
  }
}

Vector2 slip_direction(const Vector2& slip, const PointMode& mode) {
  const double speed = slip.norm();
  if (mode.sticks || speed == 0) return mode.direction;
  const Vector2 direction = slip / speed;
  return (direction - mode.direction).norm() <= StickTuning::on_isocline ? mode.direction
                                                                         : direction;
}

/// With the directions of the velocities. A point that has left rest along an isocline is kept on
/// it: near the critical friction round-off in slow slip would make it shake.
const std::vector<PointMode>& ImpactSystem::modes_at(const Eigen::Ref<const VectorX>& u,
                                                     const ImpactModes& modes, int group) const {
  group_modes_.clear();
  for (const int i : members_[group]) {
    const PointMode& mode = modes.points[i];
    group_modes_.push_back(mode);
    if (!modes.frozen)
      group_modes_.back().direction = slip_direction(u.segment<2>(3 * i + 1), mode);
  }
  return group_modes_;
}

/// Tangential rows of points that stick; factors of their part of W go with them.
const std::vector<int>& ImpactSystem::stuck_rows(const ImpactModes& modes) const {
  std::vector<int> rows;
  for (int i = 0; i < point_count(); ++i)
    if (modes.points[i].sticks && modes.open[group_of_[i]])
      rows.insert(rows.end(), {3 * i + 1, 3 * i + 2});
  if (rows == stuck_rows_) return stuck_rows_;
  stuck_rows_ = rows;
  if (rows.empty()) return stuck_rows_;
  stuck_factors_.emplace(W_(rows, rows), ShareTuning::coupling_rank);
  return stuck_rows_;
}

/// Friction that keeps the sticking points of all groups at rest while each group alone acts, (12).
/// `Y`: Lᵀ C of the groups.
MatrixX ImpactSystem::coupling_friction(const ImpactModes& modes, const MatrixX& Y) const {
  const std::vector<int>& rows = stuck_rows(modes);
  if (rows.empty()) return MatrixX(0, Y.cols());
  return stuck_factors_->solve(MatrixX(-(L_(rows, Eigen::all) * Y)));
}

Flow ImpactSystem::flow(const Eigen::Ref<const VectorX>& u, const ImpactModes& modes) const {
  const int n = point_count(), count = group_count(), rank = static_cast<int>(L_.cols());
  Flow flow{VectorX::Zero(3 * n), VectorX::Zero(3 * n),        VectorX::Zero(count),
            VectorX::Zero(count), std::vector<char>(count, 0), modes.proportional};
  std::vector<int> open;
  for (int g = 0; g < count; ++g)
    if (modes.open[g]) open.push_back(g);
  if (open.empty()) return flow;
  const int columns = static_cast<int>(open.size());
  // Impulses of one group alone make the motion Y; N is that of their normal parts alone.
  MatrixX Y(rank, columns), N = MatrixX::Zero(rank, columns);
  for (int k = 0; k < columns; ++k) {
    const int g = open[k];
    const GroupShares shares = groups_[g].shares(modes_at(u, modes, g), modes.equal[g] != 0);
    flow.equal[g] = shares.equal;
    Y.col(k).noalias() = groups_[g].L().transpose() * shares.C;
    for (int j = 0; j < groups_[g].size(); ++j) {
      const int i = members_[g][j];
      flow.dp.segment<3>(3 * i) = shares.C.segment<3>(3 * j);
      flow.speeds[g] += shares.C[3 * j] * u[3 * i];
      if (columns > 1) N.col(k) += shares.C[3 * j] * L_.row(3 * i).transpose();
    }
  }
  if (columns == 1) {
    flow.rates[open[0]] = 1;
    flow.du.noalias() = L_ * Y;
    return flow;
  }
  const MatrixX friction = coupling_friction(modes, Y);
  for (int k = 0; k < friction.rows(); ++k)
    Y += L_.row(stuck_rows_[k]).transpose() * friction.row(k);
  VectorX V(columns);
  for (int k = 0; k < columns; ++k) V[k] = modes.reference[open[k]];
  const GroupRates found = group_rates(N.transpose() * Y, V, modes.proportional);
  const VectorX& rates = found.rates;
  flow.proportional = found.proportional;
  for (int k = 0; k < columns; ++k) {
    flow.rates[open[k]] = rates[k];
    for (const int i : members_[open[k]]) flow.dp.segment<3>(3 * i) *= rates[k];
  }
  for (int k = 0; k < friction.rows(); ++k) flow.dp[stuck_rows_[k]] += friction.row(k).dot(rates);
  flow.du.noalias() = L_ * (Y * rates);
  return flow;
}

}  // namespace saltus::impulse
