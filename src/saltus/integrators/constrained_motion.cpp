// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/constrained_motion.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
ConstrainedMotion::ConstrainedMotion(const System& system, HyperstaticForces forces)
    : system_(system),
      hyperstatic_(forces),
      kkt_(system),
      constant_(system.has_constant_mass() && system.constraints() == 0) {
  for (VectorX* v : {&vdot_, &r_, &zero_, &motion_}) v->setZero(system.velocities());
  for (VectorX* v : {&lambda_, &g_, &no_multiplier_}) v->setZero(system.constraints());
  x_.setZero(system.unknowns());
  terms_.resize(system.velocities());
}

void ConstrainedMotion::archive(Archive& memory) {
  memory(kkt_, points_, vdot_, acceleration_scale_, slowest_slip_, factorized_);
}

void ConstrainedMotion::find_elements(const Configuration& q) {
  for (ClosedPoint& point : points_) {
    point.entry = system_.elements().contacts.point(point.contact, q);
  }
}

bool ConstrainedMotion::factorize(const Configuration& q, double time) {
  if (constant_ && factorized_) return true;
  factorized_ = kkt_.linearize(q, zero_, zero_, {.time = time}, no_multiplier_, {.mass = 1});
  return factorized_;
}

void ConstrainedMotion::look(const At& at, ClosedPoint& point) const {
  const ContactElement& e = point.element();
  const NodePair pair = system_.pair(at.q, e.node_A, e.node_B);
  point.axes = e.axes(pair, point.from);
  point.H = e.jacobian(pair, point.axes).topRows<3>();
  point.velocity = point.H * system_.local(at.v, e.node_A, e.node_B) - e.surface_velocity;
  const FrictionLaw& law = system_.elements().contacts.law(point.entry).friction;
  point.friction = coefficient(law, point.velocity.tail<2>().norm());
}

void ConstrainedMotion::look(const At& at) {
  for (ClosedPoint& point : points_) look(at, point);
  if (!points_.empty()) find_biases(at);
}

/// Ḣ v by a difference of fourth order along the motion.
void ConstrainedMotion::find_biases(const At& at) {
  for (ClosedPoint& point : points_) point.bias.setZero();
  const double speed = largest_motion(system_, at.v);
  if (!(speed > 0)) return;
  const double dt = ConstrainedTuning::difference_step * system_.characteristic_length() / speed;
  moved_ = at.q;
  constexpr double weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  constexpr double places[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; ++k) {
    motion_ = places[k] * dt * at.v;
    advance(at.q, system_.nodes(), motion_, moved_);
    for (ClosedPoint& point : points_) {
      const ContactElement& e = point.element();
      const NodePair pair = system_.pair(moved_, e.node_A, e.node_B);
      const ClosedPoint::Rows H = e.jacobian(pair, e.axes(pair, point.from)).topRows<3>();
      point.bias += weights[k] / dt * (H * system_.local(at.v, e.node_A, e.node_B));
    }
  }
}

/// M v̇ = f + Gᵀλ, G v̇ = −γ.                                                                 (1)
bool ConstrainedMotion::accelerate_free(const At& at) {
  if (!factorize(at.q, at.time)) return false;
  system_.forces(at.q, at.v, zero_, {.time = at.time}, no_multiplier_, terms_);
  terms_.residual(r_);
  x_.head(system_.velocities()) = -r_;
  if (system_.constraints() > 0) {
    system_.constraint_accelerations(at.q, at.v, at.time, g_);
    x_.tail(system_.constraints()) = g_;
  }
  kkt_.solve_unregularized(x_);
  vdot_ = x_.head(system_.velocities());
  lambda_ = x_.tail(system_.constraints());
  acceleration_scale_ = system_.gravity().norm() + largest_motion(system_, vdot_);
  for (const ClosedPoint& point : points_) {
    acceleration_scale_ = std::max(acceleration_scale_, point.bias.norm());
  }
  return vdot_.allFinite();
}

void ConstrainedMotion::list_rows(bool tangents) {
  rows_.clear();
  cones_.clear();
  for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
    const ClosedPoint& point = points_[static_cast<std::size_t>(i)];
    if (point.mode == ContactStatus::Open) continue;
    const bool sticks = tangents && point.mode == ContactStatus::Stick;
    cones_.push_back({static_cast<int>(rows_.size()), sticks ? 3 : 1, point.static_friction});
    rows_.push_back({i, 0});
    if (!sticks) continue;
    rows_.push_back({i, 1});
    rows_.push_back({i, 2});
  }
}

/// Of the force that belongs to a row: of a point that slips, the normal one with its friction. (3)
Eigen::Matrix<double, 1, 12> ConstrainedMotion::direction_of(const Row& row) const {
  const ClosedPoint& point = points_[static_cast<std::size_t>(row.point)];
  if (row.axis > 0 || point.mode == ContactStatus::Stick) return point.H.row(row.axis);
  return point.H.row(0) -
         point.friction * (way_of_slip(point).transpose() * point.H.bottomRows<2>());
}

bool ConstrainedMotion::keeps_direction(const ClosedPoint& point) const {
  return !(point.velocity.tail<2>().norm() > slowest_slip_);
}

/// Speed over which a slip that begins takes its own direction, m/s.
double ConstrainedMotion::begun_slip() const {
  const double L = system_.characteristic_length();
  return std::max(ConstrainedTuning::begun_slip * std::sqrt(acceleration_scale_ * L),
                  slowest_slip_);
}

/// Friction turns a slow slip into the direction in which it grows, at a rate of μ g over its
/// speed: steps would be proportional to the slip. So one that begins has the direction c that the
/// laws gave it, and its own in the measure in which it grows: that of v + c v_b / (1 + |v|²/v_b²).
/// Only the direction is concerned: friction is that of a slip, and what sticks does not creep.
Eigen::Vector2d ConstrainedMotion::way_of_begun_slip(const ClosedPoint& point) const {
  const Eigen::Vector2d slip = point.velocity.tail<2>();
  const double begun = begun_slip();
  const double along = slip.dot(point.direction);
  const double share = slip.norm() / begun;
  const double given = begun / (1 + share * share) + (std::abs(along) - along);
  return (slip + given * point.direction).normalized();
}

/// The direction of the slip. Beyond the moment at which it would turn round, which an event will
/// cut off, it is that from before, so that the motion of a step is smooth.
Eigen::Vector2d ConstrainedMotion::way_of_slip(const ClosedPoint& point) const {
  if (point.begins) return way_of_begun_slip(point);
  if (keeps_direction(point)) return point.direction;
  const Eigen::Vector2d slip = point.velocity.tail<2>();
  return (slip.dot(point.direction) < 0 ? -1 : 1) * slip.normalized();
}

void ConstrainedMotion::renew_direction(ClosedPoint& point) const {
  const double speed = point.velocity.tail<2>().norm();
  if (point.mode == ContactStatus::Slip) {
    point.direction = way_of_slip(point);
    if (speed > ConstrainedTuning::own_way * begun_slip()) point.begins = false;
  }
  point.speed = speed;
}

void ConstrainedMotion::respond(const ClosedPoint& point, MatrixX& Y) {
  const ContactElement& e = point.element();
  Y.resize(system_.unknowns(), 3);
  for (int k = 0; k < 3; ++k) {
    x_.setZero();
    system_.scatter(Vector12(point.H.row(k).transpose()), e.node_A, e.node_B, x_);
    kkt_.solve_unregularized(x_);
    Y.col(k) = x_;
  }
}

/// Y = K⁻¹Dᵀ and S = N Y.
void ConstrainedMotion::fill_system() {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Y_.resize(system_.unknowns(), m);
  S_.resize(m, m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const Row& row = rows_[static_cast<std::size_t>(j)];
    const ContactElement& e = points_[static_cast<std::size_t>(row.point)].element();
    x_.setZero();
    system_.scatter(Vector12(direction_of(row).transpose()), e.node_A, e.node_B, x_);
    kkt_.solve_unregularized(x_);
    Y_.col(j) = x_;
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    feel(points_[static_cast<std::size_t>(row.point)], row.axis, Y_, S_.row(i));
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

bool ConstrainedMotion::all_stick() const {
  return std::ranges::all_of(
      points_, [](const ClosedPoint& point) { return point.mode != ContactStatus::Slip; });
}

/// Signs but for round-off of accelerations, and the cones of static friction.
bool ConstrainedMotion::is_in_cone(const nonsmooth::ForceCone& cone, const VectorX& force) const {
  const double none = ConstrainedTuning::no_force * acceleration_scale_;
  const double normal = force[cone.first];
  if (normal < 0 && -normal * std::abs(S_(cone.first, cone.first)) > none) return false;
  if (cone.rows == 1) return true;
  const double friction = force.segment<2>(cone.first + 1).norm();
  const double bound = (1 + ConstrainedTuning::cone_margin) * cone.mu * std::max(normal, 0.0);
  return !(friction > bound && friction * std::abs(S_(cone.first, cone.first)) > none);
}

bool ConstrainedMotion::are_in_cones(const VectorX& force) const {
  return std::ranges::all_of(cones_, [&](const auto& cone) { return is_in_cone(cone, force); });
}

void ConstrainedMotion::mark_leaving() {
  for (const nonsmooth::ForceCone& cone : cones_) {
    const int point = rows_[static_cast<std::size_t>(cone.first)].point;
    points_[static_cast<std::size_t>(point)].leaves_cone = !is_in_cone(cone, force_);
  }
}

/// S f = wanted: those of least norm if they are in the cones; where there are others, the least
/// in the cones. False if there are none: then force_ is without cones, so that the motion goes on
/// smoothly until the event is found.                                                        (4)
bool ConstrainedMotion::find_forces(const VectorX& wanted) {
  const double allowed = ConstrainedTuning::acceleration_met * acceleration_scale_;
  least_.compute(S_, ConstrainedTuning::redundant_row);
  plain_force_ = least_.solve(wanted);
  const bool is_unique = least_.rank() == S_.cols();
  const bool by_law = !is_unique && std::ranges::any_of(points_, &ClosedPoint::keeps_law_force);
  if (by_law) {
    plain_force_ = near_law_forces(plain_force_);
  } else if (hyperstatic_ == HyperstaticForces::RigidBody && !is_unique) {
    plain_force_ = by_rigid_body_rule(plain_force_);
  }
  force_ = plain_force_;
  if ((S_ * force_ - wanted).cwiseAbs().maxCoeff() > allowed) return false;
  if (are_in_cones(force_)) return true;
  if (is_unique) mark_leaving();
  const double sharp = ConstrainedTuning::acceleration_in_cones * acceleration_scale_;
  if (is_unique || !in_cones_.solve(S_, wanted, cones_, sharp, force_)) {
    force_ = plain_force_;
    return false;
  }
  return true;
}

/// Of all forces that do the same as `start`, those next to the forces by which modes were found.
VectorX ConstrainedMotion::near_law_forces(const VectorX& start) const {
  VectorX away(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    away[k] = points_[static_cast<std::size_t>(rows_[i].point)].law_force[rows_[i].axis] - start[k];
  }
  const MatrixX Z = least_.null_space();  // what does nothing
  return start + Z * (Z.transpose() * away);
}

/// What forces are along the lines that join points of the same two bodies, one less the other:
/// η · (f_i − f_j).
MatrixX ConstrainedMotion::differences_along_lines() const {
  const auto point_of = [&](int i) -> const ClosedPoint& {
    return points_[static_cast<std::size_t>(i)];
  };
  const auto place = [&](int i) {
    const ContactElement& e = point_of(i).element();
    return e.contact_point(system_.pair(*at_, e.node_A, e.node_B));
  };
  const auto direction = [&](const Row& row) -> Vector3 {
    const ClosedPoint& point = point_of(row.point);
    if (row.axis > 0 || point.mode == ContactStatus::Stick) return point.axes.col(row.axis);
    return point.axes.col(0) - point.friction * (point.axes.rightCols<2>() * way_of_slip(point));
  };
  std::vector<VectorX> lines;
  const int n = static_cast<int>(points_.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      const ContactElement &a = point_of(i).element(), &b = point_of(j).element();
      if (std::minmax(a.node_A, a.node_B) != std::minmax(b.node_A, b.node_B)) continue;
      const Vector3 line = (place(i) - place(j)).normalized();
      // On which of the two bodies a force acts.
      const double side = a.node_A == b.node_A ? 1 : -1;
      VectorX differences = VectorX::Zero(static_cast<Eigen::Index>(rows_.size()));
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Row row = rows_[k];
        if (row.point != i && row.point != j) continue;
        differences[static_cast<Eigen::Index>(k)] =
            (row.point == i ? 1 : -side) * line.dot(direction(row));
      }
      lines.push_back(differences);
    }
  }
  MatrixX W(static_cast<Eigen::Index>(lines.size()), static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < lines.size(); ++k) {
    W.row(static_cast<Eigen::Index>(k)) = lines[k].transpose();
  }
  return W;
}

/// Of all forces that do the same as `start`, those with the least differences along lines, and of
/// these the least.                                                                        (4a)
VectorX ConstrainedMotion::by_rigid_body_rule(const VectorX& start) const {
  const MatrixX Z = least_.null_space();  // what does nothing
  const MatrixX W = differences_along_lines();
  linalg::MinimumNorm least;
  least.compute(W * Z, ConstrainedTuning::redundant_row);
  return start - Z * least.solve(W * start);
}

bool ConstrainedMotion::accelerate(const At& at) {
  at_ = &at.q;
  look(at);
  for (ClosedPoint& point : points_) {
    point.force.setZero();
    point.leaves_cone = false;
  }
  if (!accelerate_free(at)) return false;
  list_rows(true);
  if (rows_.empty()) return true;
  fill_system();
  VectorX wanted = -values(vdot_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    wanted[static_cast<Eigen::Index>(i)] -=
        points_[static_cast<std::size_t>(rows_[i].point)].bias[rows_[i].axis];
  }
  const bool found = find_forces(wanted);
  x_ = Y_ * force_;
  lambda_ += x_.tail(system_.constraints());
  // Where all stick the motion is the same for all forces, and known to more digits without cones.
  if (all_stick()) x_ = Y_ * plain_force_;
  vdot_ += x_.head(system_.velocities());
  set_forces();
  return found;
}

/// No point pulls: where there are no forces in the cones, one that would has none.
void ConstrainedMotion::set_forces() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    ClosedPoint& point = points_[static_cast<std::size_t>(rows_[i].point)];
    const double f = force_[static_cast<Eigen::Index>(i)];
    if (rows_[i].axis > 0 || point.mode == ContactStatus::Stick) {
      point.force[rows_[i].axis] += f;
      continue;
    }
    point.force << f, -point.friction * f * way_of_slip(point);
  }
  for (ClosedPoint& point : points_) {
    if (point.force[0] < 0) point.force.setZero();
  }
}

}  // namespace saltus
