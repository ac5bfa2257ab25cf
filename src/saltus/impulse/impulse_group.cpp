// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impulse_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

RigidRow rigid_row(const ImpactPoint& i, const ImpactPoint& j, double size) {
  const Vector3 line = i.position - j.position;
  if (line.norm() <= ShareTuning::same_place * size) return {};
  Vector3 eta = line.normalized();
  const double n_i = i.axes.col(0).dot(eta), n_j = j.axes.col(0).dot(eta);
  const bool level = std::abs(n_i) <= ShareTuning::level_line;
  if (level ? n_j > 0 : n_i < 0) eta = -eta;
  RigidRow row{i.axes.transpose() * eta, j.axes.transpose() * eta};
  row.point[0] = level ? 0 : std::abs(n_i);  // compressive on both, (5)
  row.reference[0] = std::abs(n_j);
  return row;
}

/// dp of a point over its normal impulse, (2).
Vector3 slipping(const ImpactPoint& point, const PointMode& mode) {
  return {1, -point.friction * mode.direction[0], -point.friction * mode.direction[1]};
}

int count_stuck(const std::vector<PointMode>& modes) {
  return static_cast<int>(
      std::count_if(modes.begin(), modes.end(), [](const PointMode& mode) { return mode.sticks; }));
}

}  // namespace

ImpulseGroup::ImpulseGroup(std::vector<ImpactPoint> points, MatrixX L, ShareRule rule)
    : points_(std::move(points)), L_(std::move(L)) {
  face_.weights = VectorX::Ones(this->size());
  if (rule == ShareRule::Face) face_ = face_weights(points_);
  double size = 0;
  for (const ImpactPoint& point : points_)
    size = std::max(size, (point.position - points_.back().position).norm());
  for (int i = 0; i + 1 < this->size(); ++i)
    rows_.push_back(rigid_row(points_[i], points_.back(), size));
}

GroupShares ImpulseGroup::shares(const std::vector<PointMode>& modes, bool equal) const {
  VectorX z;
  bool found = false;
  if (!equal)
    found = count_stuck(modes) == 0 ? slipping_shares(modes, z) : general_shares(modes, z);
  if (found) {
    const auto x = z.head(size());
    const double sum = face_.weights.dot(x);
    found = sum != 0 && std::isfinite(sum) && (x / sum).minCoeff() >= -ShareTuning::pull;
    if (found) z /= sum;
  }
  if (!found) equal_shares(modes, z);
  return {assemble(modes, z), !found && !equal};
}

// Shares are found as those of a unit of weight, x = C_n/w: then (5) is the same for all weights.

// Every row couples one point with the reference, so the null vector has a closed form.
bool ImpulseGroup::slipping_shares(const std::vector<PointMode>& modes, VectorX& x) const {
  const int m = size(), last = m - 1;
  x = VectorX::Ones(m);
  const VectorX& w = face_.weights;
  double sum = w[last], squares = w[last], free = 0;
  for (int i = 0; i < last; ++i) {
    const double a = rows_[i].point.dot(slipping(points_[i], modes[i]));
    const double b = rows_[i].reference.dot(slipping(points_[last], modes[last]));
    const double scale = std::max(points_[i].friction, points_[last].friction);
    if (std::max(std::abs(a), std::abs(b)) <=
        ShareTuning::void_row * scale + ShareTuning::void_frictionless_row) {
      x[i] = std::numeric_limits<double>::quiet_NaN();
      free += w[i];
      continue;
    }
    // The reference comes to rest: its share goes to zero, and the ratio would overflow.
    x[i] = b / std::copysign(std::max(std::abs(a), ShareTuning::vanishing_share * std::abs(b)), a);
    sum += w[i] * x[i];
    squares += w[i] * x[i] * x[i];
  }
  if (free == 0) return true;
  if (!(sum > 0)) return false;
  const double f = 1 / (sum * sum / squares + free);  // (8)
  for (double& entry : x) entry = std::isnan(entry) ? f : entry * f * sum / squares;
  return true;
}

/// Rows that span those of the sticking points' tangential velocities, on the group's impulses.
const MatrixX& ImpulseGroup::stick_rows(const std::vector<PointMode>& modes) const {
  std::vector<char> stuck;
  for (const PointMode& mode : modes) stuck.push_back(mode.sticks);
  if (stuck == last_stuck_) return last_rows_;
  last_stuck_ = stuck;
  MatrixX L_s(2 * count_stuck(modes), L_.cols());
  for (int i = 0, k = 0; i < size(); ++i)
    if (modes[i].sticks) L_s.middleRows<2>(2 * k++) = L_.middleRows<2>(3 * i + 1);
  const linalg::PivotedQr qr(L_s, ShareTuning::stick_rank);
  const int rank = qr.rank();
  last_rows_ = qr.rows() * L_.transpose();
  const double largest = rank > 0 ? last_rows_.rowwise().norm().maxCoeff() : 0;
  if (largest > 0) last_rows_ /= largest;
  return last_rows_;
}

/// Columns: the normal shares x of all points, then the tangential ones of those that stick.
MatrixX ImpulseGroup::share_rows(const std::vector<PointMode>& modes, const MatrixX& stick) const {
  const int m = size(), k = static_cast<int>(stick.rows());
  MatrixX on_points = MatrixX::Zero(m - 1 + k, 3 * m);
  for (int i = 0; i + 1 < m; ++i) {
    on_points.block<1, 3>(i, 3 * i) = rows_[i].point.transpose();
    on_points.block<1, 3>(i, 3 * (m - 1)) = -rows_[i].reference.transpose();
  }
  for (int i = 0; i < m; ++i)
    on_points.block(m - 1, 3 * i, k, 3) = face_.weights[i] * stick.middleCols<3>(3 * i);
  MatrixX B(m - 1 + k, m + 2 * count_stuck(modes));
  for (int i = 0, s = 0; i < m; ++i) {
    if (modes[i].sticks) {
      B.col(i) = on_points.col(3 * i);
      B.middleCols<2>(m + 2 * s++) = on_points.middleCols<2>(3 * i + 1);
    } else {
      B.col(i) = on_points.middleCols<3>(3 * i) * slipping(points_[i], modes[i]);
    }
  }
  for (int i = 0; i + 1 < m; ++i)
    if (B.row(i).lpNorm<Eigen::Infinity>() <= ShareTuning::void_row) B.row(i).setZero();
  return B;
}

bool ImpulseGroup::general_shares(const std::vector<PointMode>& modes, VectorX& z) const {
  const MatrixX B = share_rows(modes, stick_rows(modes));
  z = least_scatter(B, face_.weights);
  return z.size() > 0;
}

void ImpulseGroup::equal_shares(const std::vector<PointMode>& modes, VectorX& z) const {
  const int m = size(), tangential = 2 * count_stuck(modes);
  z = VectorX::Constant(m + tangential, 1.0 / m);
  if (tangential == 0) return;
  const MatrixX stick = stick_rows(modes);
  const MatrixX B = share_rows(modes, stick).bottomRows(stick.rows());
  z.tail(tangential) =
      linalg::LeastNorm(B.rightCols(tangential)).solve(VectorX(-B.leftCols(m) * z.head(m)));
}

VectorX ImpulseGroup::assemble(const std::vector<PointMode>& modes, const VectorX& z) const {
  const int m = size();
  VectorX C(3 * m);
  for (int i = 0, s = 0; i < m; ++i) {
    const double x = face_.weights[i] * std::max(z[i], 0.0);
    if (modes[i].sticks)
      C.segment<3>(3 * i) << x, face_.weights[i] * z.segment<2>(m + 2 * s++);
    else
      C.segment<3>(3 * i) = x * slipping(points_[i], modes[i]);
  }
  return C;
}

}  // namespace saltus::impulse
