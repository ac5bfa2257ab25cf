// SPDX-License-Identifier: Apache-2.0
// Positions and velocities onto joints and closed points.
#include <algorithm>
#include <cmath>

#include "saltus/integrators/constrained_motion.hpp"
#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
/// One Newton iteration of (5): the least motion in the metric of the mass that closes joints and
/// gaps to first order. Returns the error before it.
double ConstrainedMotion::restore(double time, Configuration& q) {
  for (ClosedPoint& point : points_) look({q, zero_, time}, point);
  VectorX gaps(static_cast<Eigen::Index>(rows_.size()));
  double worst = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ContactElement& e = points_[static_cast<std::size_t>(rows_[i].point)].element();
    gaps[static_cast<Eigen::Index>(i)] = e.gap(system_.pair(q, e.node_A, e.node_B));
    worst = std::max(worst, std::abs(gaps[static_cast<Eigen::Index>(i)]));
  }
  if (system_.constraints() > 0) {
    system_.constraints(q, time, g_);
    worst = std::max(worst, largest_row(system_, g_));
  }
  if (worst <= ConstrainedTuning::position_met * system_.characteristic_length()) return worst;
  name_worst(gaps);
  kkt_.add_closing_slips(q, time, g_);
  if (!prepare(q, time)) return worst;
  motion_.setZero();
  if (system_.constraints() > 0) {
    x_.setZero();
    x_.tail(system_.constraints()) = g_;
    solve(x_);
    motion_ = x_.head(system_.velocities());
  }
  if (!rows_.empty()) {
    fill_system();
    solve_least(-gaps - values(motion_), force_);
    add_motion(force_, x_);
    motion_ += x_.head(system_.velocities());
  }
  moved_ = q;
  advance(moved_, system_.nodes(), motion_, q);
  return worst;
}

void ConstrainedMotion::name_worst(const VectorX& gaps) {
  Eigen::Index worst = 0;
  const double gap = gaps.size() > 0 ? gaps.cwiseAbs().maxCoeff(&worst) : 0;
  if (system_.constraints() > 0 && largest_row(system_, g_) >= gap) {
    worst_name_ = worst_row_name(system_, g_);
  } else {
    const ClosedPoint& point =
        points_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(worst)].point)];
    worst_name_ = "contact \"" + system_.elements().contacts.name(point.contact) + "\"";
  }
}

/// Contacts push along their normals, and leave what lies along the surface as it is.
double ConstrainedMotion::project_position(double time, Configuration& q) {
  std::vector<ContactStatus> modes;
  for (ClosedPoint& point : points_) {
    modes.push_back(point.mode);
    // Along the normal alone.
    if (point.mode == ContactStatus::Slip) point.mode = ContactStatus::Stick;
  }
  list_rows(false);
  double worst = 0;
  if (!rows_.empty() || system_.constraints() > 0) {
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < ConstrainedTuning::most_projections; ++i) {
      worst = restore(time, q);
      if (worst <= ConstrainedTuning::position_met * system_.characteristic_length() ||
          worst > ConstrainedTuning::stalled_projection * before)
        break;
      before = worst;
    }
  }
  for (std::size_t i = 0; i < points_.size(); ++i) points_[i].mode = modes[i];
  return worst;
}

void ConstrainedMotion::project_on_joints(const Configuration& q, double time, VectorX& v,
                                          VectorX& impulse) {
  if (system_.constraints() > 0 && prepare(q, time)) restore_rates(q, time, v, impulse);
}

/// Of joints; again where redundant ones, which are regularised, leave a rest.
void ConstrainedMotion::restore_rates(const Configuration& q, double time, VectorX& v,
                                      VectorX& impulse) {
  for (int i = 0; system_.constraints() > 0 && i < ConstrainedTuning::most_refinements; ++i) {
    system_.constraint_rates(q, v, time, g_);
    if (i > 0 &&
        largest_row(system_, g_) <= ConstrainedTuning::velocity_met * largest_motion(system_, v))
      break;
    x_.setZero();
    x_.tail(system_.constraints()) = g_;
    solve(x_);
    v += x_.head(system_.velocities());
    impulse += x_.tail(system_.constraints());
  }
}

/// Joints first: points may be redundant to them, and are then met to what joints left.
ProjectionImpulse ConstrainedMotion::project_velocity(const Configuration& q, double time,
                                                      VectorX& v) {
  ProjectionImpulse impulse{VectorX::Zero(system_.constraints()),
                            std::vector<Vector3>(points_.size(), Vector3::Zero())};
  for (ClosedPoint& point : points_) look({q, v, time}, point);
  list_rows(true);
  if ((rows_.empty() && system_.constraints() == 0) || !prepare(q, time)) return impulse;
  restore_rates(q, time, v, impulse.joints);
  if (rows_.empty()) return impulse;
  VectorX wanted(static_cast<Eigen::Index>(rows_.size()));
  std::vector<ContactStatus> modes;
  for (ClosedPoint& point : points_) {
    look({q, v, time}, point);
    modes.push_back(point.mode);
    if (point.mode == ContactStatus::Slip) point.mode = ContactStatus::Stick;  // no friction here
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    wanted[static_cast<Eigen::Index>(i)] =
        -points_[static_cast<std::size_t>(rows_[i].point)].velocity[rows_[i].axis];
  }
  fill_system();
  solve_least(wanted, force_);
  add_motion(force_, x_);
  v += x_.head(system_.velocities());
  impulse.joints += x_.tail(system_.constraints());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    impulse.points[static_cast<std::size_t>(rows_[i].point)][rows_[i].axis] =
        force_[static_cast<Eigen::Index>(i)];
  }
  for (std::size_t i = 0; i < points_.size(); ++i) points_[i].mode = modes[i];
  for (ClosedPoint& point : points_) look({q, v, time}, point);
  return impulse;
}

/// The impulses that the forces of the modes have on the way to rest, but for what acts meanwhile:
/// S p = −N v with S of (3).
std::vector<Vector3> ConstrainedMotion::stop_slips(const Configuration& q, double time, VectorX& v,
                                                   VectorX& joint_impulse) {
  std::vector<Vector3> impulses(points_.size(), Vector3::Zero());
  for (ClosedPoint& point : points_) look({q, v, time}, point);
  list_rows(true);
  if (rows_.empty() || !prepare(q, time)) return impulses;
  VectorX wanted(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    wanted[static_cast<Eigen::Index>(i)] =
        -points_[static_cast<std::size_t>(rows_[i].point)].velocity[rows_[i].axis];
  }
  fill_system();
  solve_least(wanted, force_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    impulses[static_cast<std::size_t>(rows_[i].point)] +=
        force_of(rows_[i], force_[static_cast<Eigen::Index>(i)]);
  }
  add_motion(force_, x_);
  v += x_.head(system_.velocities());
  joint_impulse += x_.tail(system_.constraints());
  for (ClosedPoint& point : points_) look({q, v, time}, point);
  return impulses;
}

}  // namespace saltus
