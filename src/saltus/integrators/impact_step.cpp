// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/impact_step.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "saltus/integrators/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus {
namespace {

impulse::EventRestitution restitution_of(const EventDriven& options) {
  if (!options.energetic_restitution) return {};
  struct Reader {
    impulse::EventRestitution operator()(double e) const { return {{e}, {}}; }
    impulse::EventRestitution operator()(const RestitutionByPoints& e) const {
      return {e.values, {}};
    }
    impulse::EventRestitution operator()(const RestitutionByOrder& e) const {
      return {{}, e.values};
    }
  };
  return std::visit(Reader{}, *options.energetic_restitution);
}

/// What ends an event in the domain of impulses.
impulse::RestitutionLaw law_of(RestitutionLaw law) {
  switch (law) {
    case RestitutionLaw::Poisson:
      return impulse::RestitutionLaw::Poisson;
    case RestitutionLaw::Newton:
      return impulse::RestitutionLaw::Newton;
    case RestitutionLaw::Energetic:
    case RestitutionLaw::Complementarity:  // which has no events
      break;
  }
  return impulse::RestitutionLaw::Energetic;
}

}  // namespace

ImpactStep::ImpactStep(const System& system, ConstrainedMotion& motion, const EventDriven& options,
                       const ContactOptions& contacts)
    : system_(system),
      motion_(motion),
      contact_speed_(options.contact_speed),
      as_a_whole_(options.energetic_restitution.has_value()) {
  if (options.restitution_law == RestitutionLaw::Complementarity) {
    whole_.emplace(system, motion, contacts);
  }
  options_.law = law_of(options.restitution_law);
  options_.normal_work = options.normal_work;
  options_.composition = options.composition;
  options_.shares = options.shares;
  options_.restitution = restitution_of(options);
  options_.histories = contacts.histories;
}

/// W = H K⁻¹Hᵀ, the velocities that impulses at the points make there. It is symmetric but for
/// round-off of the back-solves, which is taken out: the module impulse relies on it.
void ImpactStep::pose(const Configuration& q, const std::vector<ClosedPoint>& points, bool shock) {
  const auto n = static_cast<Eigen::Index>(points.size());
  responses_.resize(points.size());
  problem_.points.resize(points.size());
  problem_.W.resize(3 * n, 3 * n);
  problem_.u.resize(3 * n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const ClosedPoint& point = points[k];
    const ContactElement& e = point.element();
    const ContactLaw& law = system_.elements().contacts.law(point.entry);
    // The frames say where forces of points of one pair act on one of its two bodies.
    const double side = e.node_A < e.node_B ? 1 : -1;
    problem_.points[k] = {.group = 0,
                          .position = e.contact_point(system_.pair(q, e.node_A, e.node_B)),
                          .axes = side * point.axes,
                          .friction = point.friction,
                          .static_friction = point.static_friction};
    if (const auto* number = std::get_if<double>(&law.restitution)) {
      problem_.points[k].restitution = *number;
    } else {
      problem_.points[k].restitution_at = [&law](double speed) {
        return coefficient_of_restitution(law.restitution, speed);
      };
    }
    problem_.u.segment<3>(3 * j) = point.velocity;
    motion_.respond(point, responses_[k]);
    for (Eigen::Index i = 0; i < n; ++i) {
      const ClosedPoint& other = points[static_cast<std::size_t>(i)];
      for (int axis = 0; axis < 3; ++axis) {
        motion_.feel(other, axis, responses_[k], problem_.W.row(3 * i + axis).segment(3 * j, 3));
      }
    }
  }
  problem_.W = ((problem_.W + problem_.W.transpose()) / 2).eval();
  pressed_.setZero(problem_.u.size());
  if (shock) press_slips(points);
  set_groups(points);
}

/// Points that slip approach just fast enough for an impact, and others in the way in which bodies
/// can: a velocity that no impulse makes, none can take.
void ImpactStep::press_slips(const std::vector<ClosedPoint>& points) {
  VectorX pressed = VectorX::Zero(problem_.u.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k].mode == ContactStatus::Slip) pressed[3 * static_cast<Eigen::Index>(k)] = -1;
  }
  const auto [values, V] = linalg::symmetric_eigen(problem_.W);
  VectorX parts = V.transpose() * pressed;
  for (Eigen::Index i = 0; i < parts.size(); ++i) {
    if (values[i] <= EventTuning::immovable * values.cwiseAbs().maxCoeff()) parts[i] = 0;
  }
  const VectorX made = V * parts;
  double fastest = 0;
  for (Eigen::Index i = 0; i < made.size(); i += 3) fastest = std::max(fastest, -made[i]);
  if (fastest > 0) pressed_ = 2 * options_.speed_tolerance / fastest * made;
  problem_.u += pressed_;
}

/// What a normal impulse would do to the point if its two bodies were free.
double ImpactStep::free_mobility(const ClosedPoint& point) const {
  const ContactElement& e = point.element();
  double mobility = 0;
  for (const auto& [node, first] : {std::pair{e.node_A, 0}, std::pair{e.node_B, 6}}) {
    if (system_.nodes()[static_cast<std::size_t>(node)].unknowns == 0) continue;
    const Vector6 direction = point.H.block<1, 6>(0, first).transpose();
    const Matrix6 mass = system_.node_block(motion_.kkt().matrix(), node);
    mobility += direction.dot(linalg::inverse(mass) * direction);
  }
  return mobility;
}

/// A point that approaches and that no impulse moves; −1 if there is none.
int ImpactStep::immovable(const std::vector<ClosedPoint>& points) const {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto i = 3 * static_cast<Eigen::Index>(k);
    if (problem_.u[i] < -options_.speed_tolerance &&
        problem_.W(i, i) <= EventTuning::immovable * free_mobility(points[k]))
      return static_cast<int>(k);
  }
  return -1;
}

/// Points of a group share the impulse of an event. With one coefficient for the whole impact they
/// are all points of two bodies that approach, and those beside them that rest with the same
/// normal. With coefficients of their own contacts they are those that approach with the same
/// normal; the others that touch have their turn when they are pushed. A stop of a joint shares
/// with none.
void ImpactStep::set_groups(const std::vector<ClosedPoint>& points) {
  struct Group {
    std::pair<int, int> bodies;
    bool approaches;
    bool is_stop;
    std::vector<Vector3> normals;
  };
  std::vector<Group> groups;
  const auto is_parallel = [](const Group& group, const Vector3& n) {
    return std::ranges::any_of(group.normals, [&](const Vector3& other) {
      return other.dot(n) > 1 - EventTuning::parallel_normals;
    });
  };
  for (const bool approaching : {true, false}) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double u_n = problem_.u[3 * static_cast<Eigen::Index>(k)];
      if ((u_n < -options_.speed_tolerance) != approaching) continue;
      const ContactElement& e = points[k].element();
      const std::pair<int, int> bodies = std::minmax(e.node_A, e.node_B);
      const Vector3 n = problem_.points[k].axes.col(0);
      const auto known = std::ranges::find_if(groups, [&](const Group& group) {
        if (group.bodies != bodies || group.is_stop || points[k].is_stop()) return false;
        if (as_a_whole_ && approaching) return true;
        return (as_a_whole_ || group.approaches == approaching) && is_parallel(group, n);
      });
      problem_.points[k].group = static_cast<int>(known - groups.begin());
      if (known == groups.end()) {
        groups.push_back({bodies, approaching, points[k].is_stop(), {n}});
      } else {
        known->normals.push_back(n);
      }
    }
  }
}

ImpactOutcome ImpactStep::resolve(const Configuration& q, double time,
                                  std::vector<ClosedPoint>& points, bool shock, VectorX& v) {
  ImpactOutcome outcome;
  outcome.joint_impulse.setZero(system_.constraints());
  outcome.impulses.assign(points.size(), Vector3::Zero());
  outcome.lost_by_point.assign(points.size(), 0.0);
  options_.speed_tolerance = (shock ? EventTuning::shock_speed : 1) * contact_speed_;
  if (!motion_.factorize(q, time)) {
    outcome.converged = false;
    outcome.message = "the equations of " + motion_.kkt().singular_parts() + " are singular";
    return outcome;
  }
  for (ClosedPoint& point : points) motion_.look({q, v, time}, point);
  pose(q, points, shock);
  if (const int i = immovable(points); i >= 0) {
    outcome.converged = false;
    outcome.message =
        fmt::format("contact \"{}\": joints or a drive move a body against it that cannot yield",
                    system_.elements().contacts.name(points[static_cast<std::size_t>(i)].contact));
    return outcome;
  }
  if (whole_) {
    outcome.converged = resolve_whole(q, time, points, shock, v, outcome);
    return outcome;
  }
  impulse::ImpactResult result = impulse::resolve_impact(problem_, options_);
  outcome.converged = result.converged && result.impulses.allFinite();
  outcome.message = result.message;
  if (!outcome.converged) return outcome;
  for (std::size_t k = 0; k < points.size(); ++k) {
    outcome.impulses[k] = result.impulses.segment<3>(3 * static_cast<Eigen::Index>(k));
    const VectorX change = responses_[k] * outcome.impulses[k];
    v += change.head(system_.velocities());
    outcome.joint_impulse += change.tail(system_.constraints());
  }
  add_events(result, points, time, outcome);
  if (result.endless) outcome.endless = result.events.back().points.front();
  for (const impulse::ImpactEvent& event : result.events) {
    const bool bounces = std::ranges::any_of(event.coefficient, [](double e) { return e > 0; });
    if (event.jammed && bounces) outcome.jammed = event.points.front();
    if (event.turning_groups > 0) outcome.turning = event.points.front();
  }
  // Later events have the part of a face that still approaches.
  if (!result.events.empty() && result.events.front().faceless_groups > 0)
    outcome.faceless = result.events.front().points.front();
  if (options_.histories) outcome.collision = collision(std::move(result), points, time);
  for (ClosedPoint& point : points) motion_.look({q, v, time}, point);
  return outcome;
}

/// The impact as the contact problems of time stepping.
bool ImpactStep::resolve_whole(const Configuration& q, double time,
                               std::vector<ClosedPoint>& points, bool shock, VectorX& v,
                               ImpactOutcome& outcome) {
  VectorX pushed = v;
  if (shock && !push(q, time, points, pushed)) {
    outcome.message = "no force presses a point that slips";
    return false;
  }
  const bool solved =
      whole_->solve({.q = q, .v = v, .time = time, .pushed = pushed}, points, find_loaded(points));
  outcome.warnings = whole_->report().warnings;
  outcome.residual = whole_->report().contact_residual;
  outcome.accurate = whole_->report().accurate;
  if (!solved) {
    outcome.message = whole_->report().message;
    if (outcome.message.empty()) outcome.message = "its impulses are not finite";
    return false;
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    outcome.impulses[k] = points[k].axes.transpose() * whole_->impulse(k);
  }
  outcome.joint_impulse = whole_->joint_impulse();
  v += whole_->jump();
  add_parts(points, time, v, outcome);
  for (ClosedPoint& point : points) motion_.look({q, v, time}, point);
  return true;
}

/// Which points carried more than the round-off of forces until now.
std::vector<char> ImpactStep::find_loaded(const std::vector<ClosedPoint>& points) const {
  const double none = ConstrainedTuning::no_force * motion_.acceleration_scale();
  std::vector<char> loaded;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto i = 3 * static_cast<Eigen::Index>(k);
    loaded.push_back(points[k].force[0] * problem_.W(i, i) > none ? 1 : 0);
  }
  return loaded;
}

/// What forces make of the velocities within a moment, so short that points that slip come to
/// approach half as fast as would be an impact. Time stepping has such a push in every step.
bool ImpactStep::push(const Configuration& q, double time, const std::vector<ClosedPoint>& points,
                      VectorX& v) const {
  const ConstrainedMotion::At at{q, v, time};
  motion_.look(at);
  if (!motion_.accelerate_free(at)) return false;
  double fastest = 0;  // approach, m/s²
  for (const ClosedPoint& point : points) {
    if (point.mode != ContactStatus::Slip) continue;
    const ContactElement& e = point.element();
    const double acceleration =
        point.H.row(0).dot(system_.local(motion_.acceleration(), e.node_A, e.node_B)) +
        point.bias[0];
    fastest = std::max(fastest, -acceleration);
  }
  if (fastest == 0) return false;
  v += contact_speed_ / 2 / fastest * motion_.acceleration();
  return true;
}

/// Rows of contacts that approached. Where none did, a push was stopped: all have one.
void ImpactStep::add_parts(const std::vector<ClosedPoint>& points, double time, const VectorX& v,
                           ImpactOutcome& outcome) const {
  const auto lose = [&](std::size_t k, double lost) {
    outcome.lost_by_point[k] += lost;
    outcome.lost += lost;
  };
  for (const SubImpact& part : whole_->parts()) {
    const auto k = static_cast<std::size_t>(part.point);
    const double lost = part.normal_loss + part.friction_loss;
    lose(k, lost);
    if (!part.is_impact) continue;
    outcome.events.push_back({.time = time,
                              .contact = points[k].contact,
                              .kind = ContactEventKind::Impact,
                              .order = part.order,
                              .normal = part.normal,
                              .impulse = part.force,
                              .before = part.before,
                              .after = part.after,
                              .energy_lost = lost});
  }
  if (!whole_->parts().empty()) return;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vector3& p = outcome.impulses[k];
    if (p.isZero(0)) continue;
    const ContactElement& e = points[k].element();
    const Vector3 u_0 = points[k].velocity;
    const Vector3 u_1 = points[k].H * system_.local(v, e.node_A, e.node_B) - e.surface_velocity;
    const double lost = -p.dot(u_0 + u_1) / 2;
    lose(k, lost);
    outcome.events.push_back({.time = time,
                              .contact = points[k].contact,
                              .kind = ContactEventKind::Impact,
                              .order = 1,
                              .normal = points[k].axes.col(0),
                              .impulse = points[k].axes * p,
                              .before = points[k].axes * u_0,
                              .after = points[k].axes * u_1,
                              .energy_lost = lost});
  }
}

Collision ImpactStep::collision(impulse::ImpactResult&& result,
                                const std::vector<ClosedPoint>& points, double time) const {
  Collision whole{.time = time, .problem = problem_, .result = std::move(result)};
  for (const ClosedPoint& point : points) {
    whole.contacts.push_back(point.contact);
    whole.axes.push_back(point.axes);
    whole.preload.push_back(point.force[0]);
  }
  return whole;
}

/// A row for each point of each event; the loss of a point is that of its impulse along the mean of
/// the velocities, so that the sum over the points is exact. What slips were pressed by is no
/// velocity of the bodies, and has no part in it.
void ImpactStep::add_events(const impulse::ImpactResult& result,
                            const std::vector<ClosedPoint>& points, double time,
                            ImpactOutcome& outcome) const {
  VectorX before = problem_.u - pressed_, after;
  int order = 0;
  for (const impulse::ImpactEvent& event : result.events) {
    ++order;
    after = event.u - pressed_;
    for (const int i : event.points) {
      const auto k = static_cast<std::size_t>(i);
      const Vector3 p = event.impulses.segment<3>(3 * i);
      if (p.isZero(0)) continue;
      const Vector3 u_0 = before.segment<3>(3 * i), u_1 = after.segment<3>(3 * i);
      const double lost = -p.dot(u_0 + u_1) / 2;
      const Matrix3& axes = points[k].axes;
      outcome.lost_by_point[k] += lost;
      outcome.lost += lost;
      outcome.events.push_back({.time = time,
                                .contact = points[k].contact,
                                .kind = ContactEventKind::Impact,
                                .order = order,
                                .normal = axes.col(0),
                                .impulse = axes * p,
                                .before = axes * u_0,
                                .after = axes * u_1,
                                .energy_lost = lost});
    }
    before.swap(after);
  }
}

}  // namespace saltus
