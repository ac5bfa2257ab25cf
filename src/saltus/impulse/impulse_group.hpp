// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/face_weights.hpp"
#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// How a point moves along the surface.
struct PointMode {
  bool sticks = false;
  Vector2 direction = Vector2::Zero();  ///< of its slip, unit; zero: no friction acts
};

/// (5): no impulse along the line between a point and the reference, the group's last point:
/// point·dp_i − reference·dp_j = 0, components (n, t1, t2).
struct RigidRow {
  Vector3 point = Vector3::Zero(), reference = Vector3::Zero();
};

/// How the points of a group share its impulse, (6)–(8).
struct GroupShares {
  VectorX C;           ///< dp of the group's points over their common normal impulse, ΣC_n = 1
  bool equal = false;  ///< whether the rules gave a pull, and equal normal shares stand for them
};

/// The points of an event between two bodies, which share one independent impulse.
class ImpulseGroup {
 public:
  /// `L`: the rows of the group in the factor of the Delassus matrix.
  ImpulseGroup(std::vector<ImpactPoint> points, MatrixX L, ShareRule rule = ShareRule::Points);

  int size() const { return static_cast<int>(points_.size()); }
  const std::vector<RigidRow>& rigid_rows() const { return rows_; }
  const MatrixX& L() const { return L_; }
  const std::vector<ImpactPoint>& points() const { return points_; }
  const FaceWeights& face() const { return face_; }

  /// (6)–(8); `equal`: with equal normal shares whatever the rules say.
  GroupShares shares(const std::vector<PointMode>& modes, bool equal) const;

 private:
  bool slipping_shares(const std::vector<PointMode>& modes, VectorX& x) const;
  bool general_shares(const std::vector<PointMode>& modes, VectorX& z) const;
  const MatrixX& stick_rows(const std::vector<PointMode>& modes) const;
  MatrixX share_rows(const std::vector<PointMode>& modes, const MatrixX& stick) const;
  void equal_shares(const std::vector<PointMode>& modes, VectorX& z) const;
  VectorX assemble(const std::vector<PointMode>& modes, const VectorX& z) const;

  std::vector<ImpactPoint> points_;
  MatrixX L_;
  std::vector<RigidRow> rows_;
  FaceWeights face_;
  // Rows of the points that stuck last: the same for many directions of the others.
  mutable std::vector<char> last_stuck_;
  mutable MatrixX last_rows_;
};

/// z = (x, τ) with B z = 0 and Σwx = 1, x the first entries, as many as there are weights w of mean
/// 1, with the least scatter Σw(x − 1/m)² and then the least |τ|; empty if Σwx = 0 for all null
/// vectors of B.
VectorX least_scatter(const MatrixX& B, const VectorX& weights);

}  // namespace saltus::impulse
