// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/constrained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// Ḣ v of a stop is known: a rope may be short beside the scene, and what it holds turns quickly.
double turning_of(const JointStop& stop, const NodePair& pair, const Vector12& v) {
  Matrix12 H = Matrix12::Zero();
  std::visit([&](const auto& s) { s.add_hessian(pair, stop.length * stop.side, H); },
             stop.coordinate);
  return v.dot(H * v);
}

}  // namespace

ConstrainedMotion::ConstrainedMotion(const System& system, HyperstaticForces forces)
    : system_(system),
      hyperstatic_(forces),
      kkt_(system),
      mass_(system),
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
  if (!constant_ || !factorized_) {
    factorized_ = kkt_.linearize(q, zero_, zero_, {.time = time}, no_multiplier_, {.mass = 1});
  }
  by_mass_ = mass_.is_suited() && !kkt_.has_redundancy() && mass_.factorize(q);
  return factorized_;
}

/// The factors that are quickest: where joints are redundant, or bodies without inertia, those of
/// the general matrix.
bool ConstrainedMotion::prepare(const Configuration& q, double time) {
  by_mass_ = mass_.is_suited() && !kkt_.has_redundancy() && mass_.factorize(q);
  return by_mass_ || factorize(q, time);
}

void ConstrainedMotion::solve(VectorX& x) const {
  if (by_mass_) {
    mass_.solve_in_place(x);
  } else {
    kkt_.solve_unregularized(x);
  }
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

/// Ḣ v by a difference of fourth order along the motion, but of stops. Only bodies with closed
/// points move.
void ConstrainedMotion::find_biases(const At& at) {
  for (ClosedPoint& point : points_) point.bias.setZero();
  const double speed = largest_motion(system_, at.v);
  if (!(speed > 0)) return;
  const double dt = ConstrainedTuning::difference_step * system_.characteristic_length() / speed;
  touched_.clear();
  for (const ClosedPoint& point : points_) {
    touched_.push_back(point.element().node_A);
    touched_.push_back(point.element().node_B);
  }
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  moved_.nodes.resize(at.q.nodes.size());
  moved_.nodes[0] = at.q.nodes[0];
  local_.resize(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactElement& e = points_[i].element();
    local_[i] = system_.local(at.v, e.node_A, e.node_B);
    if (const JointStop* stop = e.stop()) {
      points_[i].bias[0] = turning_of(*stop, system_.pair(at.q, e.node_A, e.node_B), local_[i]);
    }
  }
  constexpr double weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  constexpr double places[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; ++k) {
    motion_ = places[k] * dt * at.v;
    for (const int node : touched_) {
      const auto n = static_cast<std::size_t>(node);
      system_.nodes()[n].advance(at.q.nodes[n], motion_, moved_.nodes[n]);
    }
    for (std::size_t i = 0; i < points_.size(); ++i) {
      ClosedPoint& point = points_[i];
      if (point.is_stop()) continue;
      const ContactElement& e = point.element();
      const NodePair pair = system_.pair(moved_, e.node_A, e.node_B);
      const ContactElement::Rows H = e.jacobian(pair, e.axes(pair, point.from));
      point.bias.noalias() += weights[k] / dt * (H.topRows<3>() * local_[i]);
    }
  }
}

/// M v̇ = f + Gᵀλ, G v̇ = −γ.                                                                 (1)
bool ConstrainedMotion::accelerate_free(const At& at) {
  if (!prepare(at.q, at.time)) return false;
  system_.forces(at.q, at.v, zero_, {.time = at.time}, no_multiplier_, terms_);
  terms_.residual(r_);
  x_.head(system_.velocities()) = -r_;
  if (system_.constraints() > 0) {
    system_.constraint_accelerations(at.q, at.v, at.time, g_);
    x_.tail(system_.constraints()) = g_;
  }
  solve(x_);
  vdot_ = x_.head(system_.velocities());
  lambda_ = x_.tail(system_.constraints());
  acceleration_scale_ = system_.gravity().norm() + largest_motion(system_, vdot_);
  for (const ClosedPoint& point : points_) {
    acceleration_scale_ = std::max(acceleration_scale_, point.bias.norm());
  }
  return vdot_.allFinite();
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

/// Signs but for round-off of accelerations, and the cones of static friction.
bool ConstrainedMotion::is_in_cone(const Group& group, const nonsmooth::ForceCone& cone,
                                   const VectorX& force) const {
  const double none = ConstrainedTuning::no_force * acceleration_scale_;
  const double normal = force[cone.first];
  const double mobility = std::abs(group.S(cone.first, cone.first));
  if (normal < 0 && -normal * mobility > none) return false;
  if (cone.rows == 1) return true;
  const double friction = force.segment<2>(cone.first + 1).norm();
  const double bound = (1 + ConstrainedTuning::cone_margin) * cone.mu * std::max(normal, 0.0);
  return !(friction > bound && friction * mobility > none);
}

bool ConstrainedMotion::are_in_cones(const Group& group, const VectorX& force) const {
  return std::ranges::all_of(cones_of(group), [&](const nonsmooth::ForceCone& cone) {
    return is_in_cone(group, cone, force);
  });
}

void ConstrainedMotion::mark_leaving(const Group& group, const VectorX& force) {
  for (const nonsmooth::ForceCone& cone : cones_of(group)) {
    const int point = rows_[group.first_row + static_cast<std::size_t>(cone.first)].point;
    points_[static_cast<std::size_t>(point)].leaves_cone = !is_in_cone(group, cone, force);
  }
}

double ConstrainedMotion::margin_of(const Group& group, const VectorX& force) const {
  double least = std::numeric_limits<double>::infinity();
  for (const nonsmooth::ForceCone& cone : cones_of(group)) {
    const double normal = force[cone.first];
    double margin = normal;
    if (cone.rows == 3) {
      margin = std::min(margin, cone.mu * normal - force.segment<2>(cone.first + 1).norm());
    }
    least = std::min(least, margin * std::abs(group.S(cone.first, cone.first)));
  }
  return least;
}

/// S f = wanted: those of least norm if they are in the cones; where there are others, the least
/// in the cones. False if there are none: then force_ is without cones, so that the motion goes on
/// smoothly until the event is found.                                                        (4)
bool ConstrainedMotion::find_forces(Group& group, const VectorX& wanted) {
  const auto first = static_cast<Eigen::Index>(group.first_row);
  const auto n = static_cast<Eigen::Index>(group.rows);
  const double allowed = ConstrainedTuning::acceleration_met * acceleration_scale_;
  group_wanted_ = wanted.segment(first, n);
  least_.compute(group.S, ConstrainedTuning::redundant_row, group.unknowns);
  group_plain_ = least_.solve(group_wanted_);
  const bool is_unique = least_.rank() == n;
  if (!is_unique && keeps_law_forces(group)) {
    group_plain_ = near_law_forces(group, group_plain_);
  } else if (hyperstatic_ == HyperstaticForces::RigidBody && !is_unique) {
    group_plain_ = by_rigid_body_rule(group, group_plain_);
  }
  plain_force_.segment(first, n) = force_.segment(first, n) = group_plain_;
  margin_ = is_unique ? std::min(margin_, margin_of(group, group_plain_))
                      : std::numeric_limits<double>::quiet_NaN();
  r_group_ = group_wanted_;
  r_group_.noalias() -= group.S * group_plain_;
  if (r_group_.cwiseAbs().maxCoeff() > allowed) return false;
  if (are_in_cones(group, group_plain_)) return true;
  if (is_unique) mark_leaving(group, group_plain_);
  const double sharp = ConstrainedTuning::acceleration_in_cones * acceleration_scale_;
  const std::span<const nonsmooth::ForceCone> cones = cones_of(group);
  group_cones_.assign(cones.begin(), cones.end());
  if (is_unique) return false;
  // Where some slip, forces at their very limit would let those that stick hold too long.
  const bool found = in_cones_.solve(group.S, group_wanted_, group_cones_, sharp, group_force_,
                                     group.y, group.all_stick);
  // Forces that points can exert go before those that they cannot, also where they are not known
  // sharply enough to say that modes hold.
  r_group_ = group_wanted_;
  r_group_.noalias() -= group.S * group_force_;
  const bool is_told = r_group_.cwiseAbs().maxCoeff() <= allowed;
  if (found || is_told) force_.segment(first, n) = group_force_;
  return found;
}

bool ConstrainedMotion::keeps_law_forces(const Group& group) const {
  const std::span rows(rows_.data() + group.first_row, group.rows);
  return std::ranges::any_of(rows, [&](const Row& row) {
    return points_[static_cast<std::size_t>(row.point)].keeps_law_force;
  });
}

/// Of all forces that do the same as `start`, those next to the forces by which modes were found.
VectorX ConstrainedMotion::near_law_forces(const Group& group, const VectorX& start) const {
  VectorX away(static_cast<Eigen::Index>(group.rows));
  for (std::size_t i = 0; i < group.rows; ++i) {
    const Row& row = rows_[group.first_row + i];
    const auto k = static_cast<Eigen::Index>(i);
    away[k] = points_[static_cast<std::size_t>(row.point)].law_force[row.axis] - start[k];
  }
  const MatrixX Z = least_.null_space();  // what does nothing
  return start + Z * (Z.transpose() * away);
}

/// What forces are along the lines that join points of the same two bodies, one less the other:
/// η · (f_i − f_j).
MatrixX ConstrainedMotion::differences_along_lines(const Group& group) const {
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
  const auto rows = static_cast<Eigen::Index>(group.rows);
  const auto cone_point = [&](std::size_t i) {
    const nonsmooth::ForceCone& cone = cones_[group.first_cone + i];
    return rows_[group.first_row + static_cast<std::size_t>(cone.first)].point;
  };
  for (std::size_t a_cone = 0; a_cone < group.cones; ++a_cone) {
    for (std::size_t b_cone = 0; b_cone < a_cone; ++b_cone) {
      const int i = cone_point(a_cone), j = cone_point(b_cone);
      const ContactElement &a = point_of(i).element(), &b = point_of(j).element();
      if (std::minmax(a.node_A, a.node_B) != std::minmax(b.node_A, b.node_B)) continue;
      if (a.stop() != nullptr || b.stop() != nullptr) continue;  // along no line
      const Vector3 line = (place(i) - place(j)).normalized();
      // On which of the two bodies a force acts.
      const double side = a.node_A == b.node_A ? 1 : -1;
      VectorX differences = VectorX::Zero(rows);
      for (std::size_t k = 0; k < group.rows; ++k) {
        const Row row = rows_[group.first_row + k];
        if (row.point != i && row.point != j) continue;
        differences[static_cast<Eigen::Index>(k)] =
            (row.point == i ? 1 : -side) * line.dot(direction(row));
      }
      lines.push_back(differences);
    }
  }
  MatrixX W(static_cast<Eigen::Index>(lines.size()), rows);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    W.row(static_cast<Eigen::Index>(k)) = lines[k].transpose();
  }
  return W;
}

/// Of all forces that do the same as `start`, those with the least differences along lines, and of
/// these the least.                                                                        (4a)
VectorX ConstrainedMotion::by_rigid_body_rule(const Group& group, const VectorX& start) const {
  const MatrixX Z = least_.null_space();  // what does nothing
  const MatrixX W = differences_along_lines(group);
  linalg::MinimumNorm least;
  least.compute(W * Z, ConstrainedTuning::redundant_row);
  return start - Z * least.solve(W * start);
}

bool ConstrainedMotion::accelerate(const At& at) {
  at_ = &at.q;
  look(at);
  margin_ = std::numeric_limits<double>::infinity();
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
  force_.resize(wanted.size());
  plain_force_.resize(wanted.size());
  bool found = true;
  for (Group& group : groups()) found &= find_forces(group, wanted);
  add_motion(force_, x_);
  lambda_ += x_.tail(system_.constraints());
  // Where all stick the motion is the same for all forces, and known to more digits without cones.
  bool differs = false;
  for (const Group& group : groups()) {
    const auto first = static_cast<Eigen::Index>(group.first_row);
    const auto n = static_cast<Eigen::Index>(group.rows);
    if (!group.all_stick || force_.segment(first, n) == plain_force_.segment(first, n)) {
      plain_force_.segment(first, n) = force_.segment(first, n);
    } else {
      differs = true;
    }
  }
  if (differs) add_motion(plain_force_, x_);
  vdot_ += x_.head(system_.velocities());
  set_forces();
  return found;
}

void ConstrainedMotion::forget_forces() {
  for (Group& group : groups_) group.y.resize(0);
}

/// Along (n, t1, t2) of its point.
Vector3 ConstrainedMotion::force_of(const Row& row, double size) const {
  const ClosedPoint& point = points_[static_cast<std::size_t>(row.point)];
  if (row.axis > 0 || point.mode == ContactStatus::Stick) return size * Vector3::Unit(row.axis);
  Vector3 force;
  force << size, -point.friction * size * way_of_slip(point);
  return force;
}

/// No point pulls: where there are no forces in the cones, one that would has none.
void ConstrainedMotion::set_forces() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    points_[static_cast<std::size_t>(rows_[i].point)].force +=
        force_of(rows_[i], force_[static_cast<Eigen::Index>(i)]);
  }
  for (ClosedPoint& point : points_) {
    if (point.force[0] < 0) point.force.setZero();
  }
}

}  // namespace saltus
