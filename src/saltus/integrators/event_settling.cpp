// SPDX-License-Identifier: Apache-2.0
// What happens at an event: impacts, contacts that close, open, stick and slip; and the books of an
// interval.
#include <fmt/core.h>

#include <algorithm>

#include "saltus/integrators/correction_limits.hpp"
#include "saltus/integrators/event_driven.hpp"
#include "saltus/integrators/residual_scale.hpp"
#include "saltus/integrators/tuning.hpp"

namespace saltus {
ClosedPoint* EventDrivenStepper::closed(ContactIndex contact) {
  for (ClosedPoint& point : motion_.points()) {
    if (point.contact == contact) return &point;
  }
  return nullptr;
}

ClosedPoint EventDrivenStepper::closed_point(ContactIndex contact,
                                             const ContactEntry& entry) const {
  ClosedPoint point;
  point.contact = contact;
  point.entry = entry;
  const ContactElement& e = entry.element;
  point.from = e.place(system_.pair(next_.configuration, e.node_A, e.node_B));
  const ContactLaw& law = system_.elements().contacts.law(entry);
  point.static_friction = law.static_friction.value_or(coefficient(law.friction, 0));
  return point;
}

/// All points that touch.
void EventDrivenStepper::gather() {
  const double L = system_.characteristic_length();
  const double touching =
      std::max(PositionTuning::closed_gap * L,
               EventTuning::touching * gap_accuracy(system_, next_.configuration));
  std::fill(margins_.begin(), margins_.end(), touching);
  std::vector<ClosedPoint> points;
  for (const ContactIndex i : search_.find(next_.configuration, margins_)) {
    const ContactEntry entry = system_.elements().contacts.point(i, next_.configuration);
    const ContactElement& e = entry.element;
    const NodePair pair = system_.pair(next_.configuration, e.node_A, e.node_B);
    const double gap = e.gap(pair);
    if (gap > touching || !is_there(e, pair)) continue;
    if (e.has_edges() && gap < -ContactTuning::behind_face * L) continue;
    ClosedPoint* known = closed(i);
    points.push_back(known != nullptr ? *known : closed_point(i, entry));
  }
  motion_.points() = std::move(points);
}

/// Impacts and modes, until both are as they must be.
bool EventDrivenStepper::settle(StepReport& report) {
  const double before = energy();
  contact_speed_ = std::max(options_.contact_speed, least_contact_speed());
  impacts_.set_contact_speed(contact_speed_);
  gather();
  motion_.project_position(next_.time, next_.configuration);
  next_.energy.numerical_loss += before - energy();
  for (int i = 0; i < EventTuning::most_settlings; ++i) {
    bool approaches = false;
    for (ClosedPoint& point : motion_.points()) {
      motion_.look({next_.configuration, next_.velocity, next_.time}, point);
      approaches |= point.velocity[0] < -contact_speed_;
    }
    if (approaches) {
      if (!collide(report)) return false;
      continue;
    }
    capture();
    if (!find_modes(report)) {
      if (shock(report)) continue;
      return false;
    }
    tell_changes(report);
    is_settled_ = true;
    return true;
  }
  report.message =
      fmt::format("event-driven: impacts at t = {:.9g} s do not come to an end", next_.time);
  return false;
}

/// Painlevé's paradox: points that slip, and no forces that hold them, or only ever greater ones.
/// Then an impulse stops them, as if they struck. False if that has been tried, or none slips.
bool EventDrivenStepper::shock(StepReport& report) {
  const bool slips = std::ranges::any_of(motion_.points(), [](const ClosedPoint& point) {
    return point.mode == ContactStatus::Slip && point.friction > 0;
  });
  if (!slips || ++shocks_ > EventTuning::most_shocks) return false;
  if (++jams_ > EventTuning::most_jams) {
    report.message = fmt::format(
        "event-driven: t = {:.9g} s: friction jams and frees points again and again (Painlevé's "
        "paradox), more than {} times in one interval of the results; less friction, or a "
        "time-stepping integrator, passes through",
        next_.time, EventTuning::most_jams);
    return false;
  }
  return collide(report, true);
}

/// Shares of points that slip in different directions are a rule's, not those of mechanics
/// (impact_events.md, section 3).
void EventDrivenStepper::warn_of_shares(const ImpactOutcome& outcome, StepReport& report) const {
  const ContactPoints& contacts = system_.elements().contacts;
  const auto name = [&](int point) {
    const ContactIndex contact = motion_.points()[static_cast<std::size_t>(point)].contact;
    return contacts.groups[static_cast<std::size_t>(contacts.contact_of(contact))].name;
  };
  if (outcome.turning >= 0) {
    report.warn(fmt::format(
        "contact \"{}\": in a flat landing with turning slip the points share the impulse by a "
        "rule, all counting the same: the motion depends on how many there are and where; shares "
        "\"face\" lets them stand for the face that they span",
        name(outcome.turning)));
  }
  if (outcome.faceless >= 0) {
    report.warn(fmt::format(
        "contact \"{}\": its points cannot stand for the face or edge that they span (ends, "
        "corners or a rim alone) and share the impulse as feet: turning slip depends on how many "
        "there are and where; points inside of it, at least 3 by 3, let them",
        name(outcome.faceless)));
  }
}

/// One impact of all points that touch, with its events, impulses and losses. What the module
/// impulse says was lost and what the motion lost differ by the work of supports and by round-off,
/// which is numerical loss.
bool EventDrivenStepper::collide(StepReport& report, bool shock) {
  if (++collisions_ > EventTuning::most_collisions) {
    report.message = fmt::format(
        "event-driven: t = {:.9g} s: more than {} collisions in one interval of the results; a "
        "larger contact_speed lets bounces end earlier",
        next_.time, EventTuning::most_collisions);
    return false;
  }
  std::vector<ClosedPoint>& points = motion_.points();
  for (ClosedPoint& point : points) point.leaves_cone = false;  // forces will be others
  const double before = system_.kinetic_energy(next_.configuration, next_.velocity);
  mean_velocity_ = next_.velocity / 2;
  ImpactOutcome outcome =
      impacts_.resolve(next_.configuration, next_.time, points, shock, next_.velocity);
  if (!outcome.converged) {
    report.message =
        fmt::format("event-driven: impact at t = {:.9g} s: {}", next_.time, outcome.message);
    return false;
  }
  for (StepWarning& warning : outcome.warnings) report.warnings.push_back(std::move(warning));
  report.accurate &= outcome.accurate;
  report.contact_residual = std::max(report.contact_residual, outcome.residual);
  if (outcome.jammed >= 0) {
    const ContactIndex contact = points[static_cast<std::size_t>(outcome.jammed)].contact;
    report.warn(
        fmt::format("contact \"{}\": friction and joints hold it in an impact; it does not "
                    "bounce",
                    system_.elements().contacts.name(contact)));
  }
  warn_of_shares(outcome, report);
  if (outcome.endless >= 0) {
    const ContactIndex contact = points[static_cast<std::size_t>(outcome.endless)].contact;
    report.warn(
        fmt::format("contact \"{}\": impacts there and beside it would follow each other without "
                    "end; the last of them are without restitution",
                    system_.elements().contacts.name(contact)));
  }
  add_joint_impulse(outcome.joint_impulse);
  for (std::size_t k = 0; k < points.size(); ++k) {
    add_impulse(points[k], outcome.impulses[k]);
    next_.contact_losses[static_cast<std::size_t>(points[k].entry.contact)].impact +=
        outcome.lost_by_point[k];
  }
  const double lost = before - system_.kinetic_energy(next_.configuration, next_.velocity);
  mean_velocity_ += next_.velocity / 2;
  const double work = work_of_supports(outcome);
  if (-outcome.lost > ImpulseTuning::gain_of_impact * before) {
    report.warn("an impact with friction made energy, as restitution by velocities may",
                fmt::format("{:.3g} J; use the energetic restitution_law", -outcome.lost));
  }
  next_.energy.impact_loss += outcome.lost;
  next_.energy.external_work += work;
  next_.energy.numerical_loss += lost + work - outcome.lost;
  report.events.insert(report.events.end(), outcome.events.begin(), outcome.events.end());
  if (outcome.collision) report.collisions.push_back(std::move(*outcome.collision));
  return true;
}

/// What running surfaces and drives do in an impact, J.
double EventDrivenStepper::work_of_supports(const ImpactOutcome& outcome) {
  double work = 0;
  for (std::size_t k = 0; k < motion_.points().size(); ++k) {
    work += outcome.impulses[k].dot(motion_.points()[k].element().surface_velocity);
  }
  if (system_.constraints() == 0) return work;
  VectorX impulse = VectorX::Zero(system_.velocities());
  system_.add_constraint_forces(next_.configuration, outcome.joint_impulse, impulse);
  return work + impulse.dot(mean_velocity_);
}

/// Points that separate are open; of the others the rest of the normal velocity is taken, so that
/// impacts do not follow each other without end.
void EventDrivenStepper::capture() {
  std::erase_if(motion_.points(),
                [&](const ClosedPoint& p) { return p.velocity[0] > contact_speed_; });
  for (ClosedPoint& point : motion_.points()) point.mode = ContactStatus::Slip;
  const double before = energy();
  project_velocity();
  next_.energy.impact_loss += before - energy();
}

/// Slips that friction stops within the tolerance are stopped at once: the impulse is that of the
/// friction on the way to rest, which is its loss.
void EventDrivenStepper::stop_fading_slips(double slow) {
  const bool fades = std::ranges::any_of(motion_.points(), [&](const ClosedPoint& point) {
    return point.mode == ContactStatus::Stick && point.velocity.tail<2>().norm() > slow;
  });
  if (!fades) return;
  const double before = energy();
  std::vector<Vector3> slips;
  for (const ClosedPoint& point : motion_.points()) slips.push_back(point.velocity);
  ImpactOutcome stop;
  stop.joint_impulse.setZero(system_.constraints());
  mean_velocity_ = next_.velocity / 2;
  stop.impulses =
      motion_.stop_slips(next_.configuration, next_.time, next_.velocity, stop.joint_impulse);
  mean_velocity_ += next_.velocity / 2;
  const double work = work_of_supports(stop), lost = before - energy() + work;
  next_.energy.external_work += work;
  next_.energy.friction_loss += lost;
  add_joint_impulse(stop.joint_impulse);
  for (std::size_t k = 0; k < stop.impulses.size(); ++k) {
    const ClosedPoint& point = motion_.points()[k];
    add_impulse(point, stop.impulses[k]);
    next_.contact_losses[static_cast<std::size_t>(point.entry.contact)].friction -=
        stop.impulses[k].dot(slips[k] + point.velocity) / 2;
  }
}

/// At the configuration of now.
void EventDrivenStepper::add_joint_impulse(const VectorX& impulse) {
  add_joint_reactions(system_, next_.configuration, impulse, 1, joint_impulses_);
}

/// Of a contact point, at the configuration of now.
void EventDrivenStepper::add_impulse(const ClosedPoint& point, const Vector3& impulse) {
  ContactState& sum = totals_[point.contact];
  sum.impulse += impulse;
  sum.force += point.inertial(impulse);
  if (point.is_stop()) {
    add_stop_reaction(system_, point.entry, next_.configuration, impulse[0], joint_impulses_);
  }
}

std::vector<JointReaction> EventDrivenStepper::stop_forces() const {
  std::vector<JointReaction> forces(system_.elements().joints.size());
  for (const ClosedPoint& point : motion_.points()) {
    if (!point.is_stop()) continue;
    add_stop_reaction(system_, point.entry, next_.configuration, point.force[0], forces);
  }
  return forces;
}

/// What closes gaps and stops slips for good is an impulse, however small: it belongs to the
/// impulses of the interval, or they would not balance the momentum.
void EventDrivenStepper::project_velocity() {
  const ProjectionImpulse impulse =
      motion_.project_velocity(next_.configuration, next_.time, next_.velocity);
  add_joint_impulse(impulse.joints);
  for (std::size_t k = 0; k < impulse.points.size(); ++k) {
    if (impulse.points[k].isZero(0)) continue;
    add_impulse(motion_.points()[k], impulse.points[k]);
  }
}

/// Modes by the laws of accelerations, then velocities that belong to them: a point that sticks, or
/// slips from rest, has no slip at all, or round-off would decide its direction.
bool EventDrivenStepper::find_modes(StepReport& report) {
  const double none = slowest_slip();
  const ConstrainedMotion::At at{next_.configuration, next_.velocity, next_.time};
  if (!modes_.find(at, none, fading_slip())) {
    const std::string load = loads_.unbounded(next_.time);
    report.message = fmt::format("event-driven: t = {:.9g} s: {}", next_.time,
                                 load.empty() ? modes_.message() : load);
    return false;
  }
  std::erase_if(motion_.points(),
                [](const ClosedPoint& point) { return point.mode == ContactStatus::Open; });
  stop_fading_slips(none);
  // What sticks does not slip at all, nor does what only begins to.
  std::vector<ContactStatus> modes;
  for (ClosedPoint& point : motion_.points()) {
    modes.push_back(point.mode);
    const bool has_friction = point.friction + point.static_friction > 0;
    if (has_friction && point.velocity.tail<2>().norm() <= none) point.mode = ContactStatus::Stick;
  }
  const double before = energy();
  project_velocity();
  next_.energy.numerical_loss += before - energy();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    ClosedPoint& point = motion_.points()[i];
    point.mode = modes[i];
    point.speed = point.velocity.tail<2>().norm();
    point.keeps_law_force = false;
  }
  if (!modes_.agree(at)) {
    for (ClosedPoint& point : motion_.points()) point.keeps_law_force = true;
  }
  return true;
}

/// Whether a slip has passed through rest since it was told last: it goes on another way.
bool EventDrivenStepper::turned_round(const ClosedPoint& point) const {
  const auto known = ways_.find(point.contact);
  return point.mode == ContactStatus::Slip && known != ways_.end() &&
         point.velocity.tail<2>().norm() <= EventTuning::no_slip * fastest_ &&
         known->second.dot(point.axes.rightCols<2>() * point.direction) < 0;
}

/// Events by comparison with the statuses that were told last: settling may pass through others.
void EventDrivenStepper::tell_changes(StepReport& report) {
  std::map<ContactIndex, ContactStatus> now;
  const auto add = [&](const ClosedPoint& point, ContactEventKind kind) {
    report.events.push_back({.time = next_.time,
                             .contact = point.contact,
                             .kind = kind,
                             .normal = point.axes.col(0),
                             .before = point.axes * point.velocity,
                             .after = point.axes * point.velocity});
  };
  for (const ClosedPoint& point : motion_.points()) {
    const ContactStatus is =
        point.mode == ContactStatus::Stick ? ContactStatus::Stick : ContactStatus::Slip;
    now[point.contact] = is;
    const auto before = status_.find(point.contact);
    if (before == status_.end()) add(point, ContactEventKind::Closes);
    if (before != status_.end() && before->second == is && !turned_round(point)) continue;
    if (point.friction + point.static_friction == 0) continue;
    add(point, is == ContactStatus::Stick ? ContactEventKind::Sticks : ContactEventKind::Slips);
  }
  for (const auto& [contact, status] : status_) {
    if (now.contains(contact)) continue;
    ClosedPoint point =
        closed_point(contact, system_.elements().contacts.point(contact, next_.configuration));
    motion_.look({next_.configuration, next_.velocity, next_.time}, point);
    add(point, ContactEventKind::Opens);
  }
  status_ = std::move(now);
  keep_ways();
}

void EventDrivenStepper::keep_ways() {
  ways_.clear();
  for (const ClosedPoint& point : motion_.points()) {
    if (point.mode != ContactStatus::Slip || point.friction + point.static_friction == 0) continue;
    ways_[point.contact] = point.axes.rightCols<2>() * point.direction;
  }
}

/// Contacts and energies at the end of an interval.
void EventDrivenStepper::book(StepReport& report) {
  next_.contacts.clear();
  for (const ClosedPoint& point : motion_.points()) totals_[point.contact];
  for (auto& [contact, sum] : totals_) {
    sum.contact = contact;
    const auto status = status_.find(contact);
    sum.status = status == status_.end() ? ContactStatus::Open : status->second;
    const ClosedPoint* point = closed(contact);
    if (point != nullptr) {
      sum.t1 = point->axes.col(1);
    } else {
      const ContactElement e =
          system_.elements().contacts.point(contact, next_.configuration).element;
      sum.t1 = e.axes(system_.pair(next_.configuration, e.node_A, e.node_B)).col(1);
    }
    next_.contacts.push_back(sum);
  }
  const double L = system_.characteristic_length();
  std::fill(margins_.begin(), margins_.end(), 0.0);
  for (const ContactIndex i : search_.find(next_.configuration, margins_)) {
    const ContactElement e = system_.elements().contacts.point(i, next_.configuration).element;
    const NodePair pair = system_.pair(next_.configuration, e.node_A, e.node_B);
    const double gap = e.gap(pair);
    if (!is_there(e, pair) || (e.has_edges() && gap < -ContactTuning::behind_face * L)) continue;
    report.penetration = std::max(report.penetration, -gap);
  }
  VectorX rows(system_.constraints());
  system_.constraints(next_.configuration, next_.time, rows);
  report.position_violation = largest_row(system_, rows);
  system_.constraint_rates(next_.configuration, next_.velocity, next_.time, rows);
  report.velocity_violation = largest_row(system_, rows);
  report.smooth_iterations = steps_ + rejected_;
  steps_ = rejected_ = 0;
  system_.forces(next_.configuration, next_.velocity, next_.acceleration, {.time = next_.time},
                 next_.multiplier, next_.forces);
  next_.energy.kinetic = system_.kinetic_energy(next_.configuration, next_.velocity);
  next_.energy.gravity = system_.gravity_energy(next_.configuration);
  next_.energy.elastic = system_.elastic_energy(next_.configuration);
}

}  // namespace saltus
