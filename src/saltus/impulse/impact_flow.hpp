// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/impulse/impulse_group.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

/// Which points of an event slip where, and which groups still act.
struct ImpactModes {
  std::vector<PointMode> points;
  std::vector<char> open;     ///< groups that have not ended
  std::vector<char> equal;    ///< groups that have lost the rules of shares, for the event
  std::vector<char> forced;   ///< points that stick though their cone is too narrow
  bool proportional = false;  ///< whether rates of groups have lost their rule, for the event
  bool frozen = false;        ///< whether points slip along their modes' directions whatever u is
  VectorX reference;          ///< V at the start of the event, of each group
};

/// The direction that friction opposes: that of the slip, or of the mode at rest.
Vector2 slip_direction(const Vector2& slip, const PointMode& mode);

/// Derivatives with respect to p, the sum of all normal impulses.
struct Flow {
  VectorX dp, du;
  VectorX rates;   ///< λ of each group
  VectorX speeds;  ///< V = C_nᵀ u_n of each group; its normal work grows by λ V dp
  std::vector<char> equal;
  bool proportional = false;
};

/// The points of one event by themselves, numbered 0, 1, …, and how impulses flow at them.
class ImpactSystem {
 public:
  /// `chosen`: points of the problem that take part; `split`: each as a group of its own.
  ImpactSystem(const ImpactProblem& problem, const std::vector<int>& chosen, bool split = false,
               ShareRule rule = ShareRule::Points);

  int point_count() const { return static_cast<int>(points_.size()); }
  int group_count() const { return static_cast<int>(groups_.size()); }
  const ImpactPoint& point(int i) const { return points_[i]; }
  int group_of(int i) const { return group_of_[i]; }
  const ImpulseGroup& group(int group) const { return groups_[group]; }
  const std::vector<int>& members(int group) const { return members_[group]; }
  /// The number that the problem gives the group.
  int group_number(int group) const { return points_[members_[group].front()].group; }
  const MatrixX& W() const { return W_; }
  const MatrixX& L() const { return L_; }

  Flow flow(const Eigen::Ref<const VectorX>& u, const ImpactModes& modes) const;

 private:
  const std::vector<PointMode>& modes_at(const Eigen::Ref<const VectorX>& u,
                                         const ImpactModes& modes, int group) const;
  MatrixX coupling_friction(const ImpactModes& modes, const MatrixX& Y) const;
  const std::vector<int>& stuck_rows(const ImpactModes& modes) const;

  std::vector<ImpactPoint> points_;
  std::vector<int> group_of_;
  std::vector<std::vector<int>> members_;
  std::vector<ImpulseGroup> groups_;
  MatrixX W_, L_;
  // Kept from one flow to the next: space, and the factors of what stuck last.
  mutable std::vector<PointMode> group_modes_;
  mutable std::vector<int> stuck_rows_;
  mutable std::optional<linalg::LeastNorm> stuck_factors_;
};

}  // namespace saltus::impulse
