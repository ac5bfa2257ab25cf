// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/force_recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/model/local_law.hpp"

namespace saltus {
namespace {

/// Round-off are: parts of an impulse below this fraction of it, impulses below this fraction of
/// the largest of their step among connected bodies,
constexpr double smallest_part = 1e-9;
/// and those below this fraction of the largest of these bodies so far.
constexpr double smallest_impulse = 1e-12;

bool is_impact(const ContactEvent& event) { return event.kind == ContactEventKind::Impact; }

}  // namespace

ForceRecovery::ForceRecovery(const System& system, const CheckedModel& model, Impacts impacts,
                             std::optional<double> restitution)
    : system_(system),
      precision_(impacts),
      struck_(system.components().size(), 0),
      largest_(system.components().size(), 0.0),
      division_(system) {
  const ContactPoints& points = system.elements().contacts;
  point_of_.assign(points.listed.size(), -1);
  const Model& simulated = model.simulated();
  for (std::size_t i = 0; i < simulated.contacts.size(); ++i) {
    Contact contact = simulated.contacts[i];
    const bool is_given = i < model.given().contacts.size();
    if (restitution && is_given) contact.restitution = *restitution;
    add_contact(simulated, i, contact);
  }
}

void ForceRecovery::add_contact(const Model& model, std::size_t index, const Contact& contact) {
  if (!contact.has_local_law() || contact.is_compliant()) return;  // a compliant one has forces
  if (contact.elastoplastic && precision_ != Impacts::Exact) {
    messages_.push_back(fmt::format(
        "contact \"{}\": its elastoplastic law is for the event_driven integrator; no forces are "
        "recovered",
        system_.elements().contacts.groups[index].name));
    return;
  }
  const ContactPoints& points = system_.elements().contacts;
  const ContactGroup& group = points.groups[index];
  if (!group.is_listed()) {
    messages_.push_back(
        fmt::format("contact \"{}\": no forces are recovered, for it has more than {} points",
                    group.name, ContactPoints::most_listed));
    return;
  }
  if (group.has_solids) {
    messages_.push_back(fmt::format(
        "contact \"{}\": no forces are recovered at points that change with the configuration, as "
        "between boxes",
        group.name));
    return;
  }
  const auto* e = std::get_if<double>(&contact.restitution);
  if (!contact.elastoplastic && e != nullptr && *e > 0 && *e < smallest_restitution(contact)) {
    messages_.push_back(fmt::format(
        "contact \"{}\": restitution {:.3g} is too small for forces within impacts, they are those "
        "of {}",
        group.name, *e, hertz::ImpactShape::smallest_restitution));
  }
  contacts_.push_back(static_cast<int>(index));
  const auto begin = static_cast<std::size_t>(group.first);
  const auto end = begin + static_cast<std::size_t>(group.count);
  for (std::size_t listed = begin; listed < end; ++listed) {
    const auto shape = [&](std::size_t side) -> const Shape& {
      const int collider = points.listed_colliders[listed][side];
      return model.colliders[static_cast<std::size_t>(collider)].shape;
    };
    Point point{.listed = static_cast<int>(listed),
                .law = locals_.make(contact, shape(0), shape(1))};
    if (contact.elastoplastic) {
      point.plastic = elastoplastic_law(*contact.elastoplastic, shape(0), shape(1));
      needs_collisions_ = true;
    }
    point_of_[listed] = static_cast<int>(points_.size());
    points_.push_back(point);
  }
}

double ForceRecovery::friction_work(std::size_t listed) const {
  return points_[static_cast<std::size_t>(point_of_[listed])].friction_work;
}

void ForceRecovery::announce(RunOutput& output) const {
  for (const int contact : contacts_) {
    output.report().contacts[static_cast<std::size_t>(contact)].peaks.emplace();
  }
  for (const std::string& text : messages_) output.warn(text);
}

// ---- steps

void ForceRecovery::start(const State& state) {
  if (empty()) return;
  has_before_ = false;
  start_.take(state);
}

void ForceRecovery::Moment::take(const State& state) {
  time = state.time;
  configuration = state.configuration;
  velocity = state.velocity;
  acceleration = state.acceleration;
}

ContactElement ForceRecovery::element_of(ContactIndex contact, const State& state) const {
  return system_.elements().contacts.point(contact, state.configuration).element;
}

std::size_t ForceRecovery::island_of(const ContactElement& e) const {
  return static_cast<std::size_t>(division_.of_pair(e.node_A, e.node_B));
}

bool ForceRecovery::has_before(const ContactElement& e) const {
  const auto is_struck = [&](int node) {
    const Node& n = system_.nodes()[static_cast<std::size_t>(node)];
    return n.unknowns > 0 &&
           struck_[static_cast<std::size_t>(system_.component_of(n.first_unknown))] != 0;
  };
  return has_before_ && !is_struck(e.node_A) && !is_struck(e.node_B);
}

/// By the contacts that did something in the step: who does not touch what impacts knows nothing of
/// it.
void ForceRecovery::divide(const State& state, const std::vector<ContactEvent>& events) {
  division_.separate();
  const auto connect = [&](ContactIndex contact) {
    const ContactElement e = element_of(contact, state);
    division_.connect(e.node_A, e.node_B);
  };
  for (const ContactState& contact : state.contacts) connect(contact.contact);
  for (const ContactEvent& event : events) {
    if (is_impact(event)) connect(event.contact);
  }
  division_.number();
  islands_.assign(static_cast<std::size_t>(division_.count()), {});
}

void ForceRecovery::find_islands(const State& state, const std::vector<ContactEvent>& events) {
  divide(state, events);
  const auto at = [&](ContactIndex contact) -> Island& {
    return islands_[island_of(element_of(contact, state))];
  };
  for (const ContactEvent& event : events) {
    if (is_impact(event)) ++at(event.contact).impacts;
  }
  for (const ContactState& contact : state.contacts) {
    double& largest = at(contact.contact).largest;
    largest = std::max(largest, contact.impulse[0]);
  }
  for (std::size_t c = 0; c < largest_.size(); ++c) {
    Island& island =
        islands_[static_cast<std::size_t>(division_.of_component(static_cast<int>(c)))];
    largest_[c] = std::max(largest_[c], island.largest);
    island.so_far = std::max(island.so_far, largest_[c]);
  }
  for (Island& island : islands_) {
    island.noise = std::max(smallest_part * island.largest, smallest_impulse * island.so_far);
  }
  for (const ContactState& contact : state.contacts) {
    Island& island = at(contact.contact);
    if (contact.impulse[0] > island.noise) ++island.pressing;
  }
}

void ForceRecovery::step(const State& state, const StepReport& step, RunOutput& output) {
  if (empty()) return;
  find_rows(state, step);
  tell_rows(state.time, output);
}

void ForceRecovery::finish(const State& state, RunOutput& output) const {
  ForceRecovery closed = *this;  // the run may go on
  closed.find_last_rows();
  closed.tell_rows(state.time, output);
}

void ForceRecovery::archive(Archive& memory) {
  for (Point& point : points_) memory(point);
  memory(start_, before_, has_before_, struck_, largest_, impacts_, told_histories_);
}

void ForceRecovery::tell_rows(double time, RunOutput& output) {
  for (const ForceRow& row : rows_) output.force(row);
  output.warn(time, warnings_);
  warnings_.clear();
  if (impacts_ <= most_histories || told_histories_) return;
  told_histories_ = true;
  output.warn(
      fmt::format("t = {:.6g} s: the histories within impacts are kept for the first {} only", time,
                  most_histories));
}

void ForceRecovery::find_rows(const State& state, const StepReport& report) {
  const std::vector<ContactEvent>& events = report.events;
  rows_.clear();
  const double h = state.time - start_.time;
  find_islands(state, events);
  for (Point& point : points_) {
    const auto listed = static_cast<std::size_t>(point.listed);
    const Island& island = islands_[island_of(system_.elements().contacts.listed[listed].element)];
    point.now.begin(state.time, h, island.noise, island.impacts > 0);
  }
  for (const ContactEvent& event : events) {
    if (!is_impact(event)) continue;
    if (precision_ == Impacts::Exact) {
      take_exact_impact(event);
    } else {
      take_impact(event, h);
    }
  }
  for (const Collision& collision : report.collisions) take_collision(collision);
  for (const ContactState& contact : state.contacts) take_contact(state, contact);
  for (Point& point : points_) {
    if (precision_ == Impacts::Exact) {
      std::swap(point.last, point.now);
      put_exact_rows(point);
      continue;
    }
    const Step& now = point.now;
    const auto split = point.filter.push({now.impulse, now.h, now.known()});
    if (split) put_rows(point, *split);
    std::swap(point.last, point.now);
  }
  std::swap(before_, start_);
  start_.take(state);
  has_before_ = true;
  for (std::size_t c = 0; c < struck_.size(); ++c) {
    const int island = division_.of_component(static_cast<int>(c));
    struck_[c] = islands_[static_cast<std::size_t>(island)].impacts > 0 ? 1 : 0;
  }
}

void ForceRecovery::find_last_rows() {
  rows_.clear();
  for (Point& point : points_) {
    if (const auto split = point.filter.finish()) put_rows(point, *split);
  }
}

void ForceRecovery::Step::begin(double end, double length, double round_off, bool among) {
  time = end;
  h = length;
  noise = round_off;
  impulse = 0;
  impacts_impulse = 0;
  parts = false;
  amid_impacts = among;
  impacts.clear();
}

double ForceRecovery::Step::known() const {
  if (parts) return impulse;
  double sum = 0;
  for (const Impact& impact : impacts) sum += impact.impulse;
  return std::clamp(sum, 0.0, impulse);
}

/// The solver takes the velocity at the beginning of the step for that of the touch, and adds what
/// the forces of the whole step do to the impulse: both are off by a h. Here they are those of the
/// touch.
void ForceRecovery::take_impact(const ContactEvent& event, double h) {
  if (!system_.elements().contacts.is_listed(event.contact)) return;
  const int index = point_of_[static_cast<std::size_t>(event.contact)];
  if (index < 0) return;
  Step& now = points_[static_cast<std::size_t>(index)].now;
  const double approach = -event.before.dot(event.normal), after = event.after.dot(event.normal);
  Impact impact{event.order, event.impulse.dot(event.normal), approach, start_.time};
  if (!(impact.impulse > 0) || !(approach > 0)) return;
  const ContactElement& e =
      system_.elements().contacts.listed[static_cast<std::size_t>(event.contact)].element;
  const double a = force_acceleration(e, event.normal);
  const double s = event.order == 1 ? touch_time(e, a, h) : 0;
  impact.touch += s;
  const double at_touch = approach - a * s;
  if (at_touch > 0) impact.approach = at_touch;
  const double pushed = after + approach - a * h;  // by the contact
  const Island& island = islands_[island_of(e)];
  const bool is_alone = island.impacts == 1 && island.pressing == 1;
  if (is_alone && pushed > 0) {
    impact.impulse *= impact.approach * (1 + std::max(after, 0.0) / approach) / pushed;
  } else if (points_[static_cast<std::size_t>(index)].law.bounces(impact.approach)) {
    impact.impulse *= impact.approach / approach;  // in a sequence of impacts forces have no part
  }
  // Where it flies off faster than forces could bring it back, nothing lasts.
  now.parts = after > 0 && approach > std::abs(a) * h;
  now.impacts.push_back(impact);
}

ForceRecovery::Point* ForceRecovery::point_at(ContactIndex contact) {
  if (!system_.elements().contacts.is_listed(contact)) return nullptr;
  const int index = point_of_[static_cast<std::size_t>(contact)];
  return index < 0 ? nullptr : &points_[static_cast<std::size_t>(index)];
}

void ForceRecovery::take_exact_impact(const ContactEvent& event) {
  Point* known = point_at(event.contact);
  if (known == nullptr) return;
  Point& point = *known;
  const Impact impact{.order = event.order,
                      .impulse = event.impulse.dot(event.normal),
                      .approach = -event.before.dot(event.normal),
                      .touch = event.time};
  point.now.impacts_impulse += impact.impulse;
  const bool has_law = !point.plastic && impact.impulse > 0 && impact.approach > 0;
  if (has_law) point.now.impacts.push_back(impact);
}

/// From the axes of the collision's point to those of the results.
void ForceRecovery::turn_friction(const Collision& collision, std::size_t point,
                                  std::vector<ImpactSample>& history) const {
  const Matrix3& axes = collision.axes[point];
  const Matrix3 turn = results_frame(system_, collision.contacts[point], axes.col(0)) * axes;
  for (ImpactSample& sample : history) {
    const Vector3 friction = turn * Vector3(0, sample.friction_t1, sample.friction_t2);
    sample.friction_t1 = friction[1] + 0.0;  // no −0 in the results
    sample.friction_t2 = friction[2] + 0.0;
  }
}

void ForceRecovery::take_collision(const Collision& collision) {
  const CollisionForces inside([&](ContactIndex contact) -> const impulse::ElastoplasticLaw* {
    const Point* point = point_at(contact);
    return point != nullptr && point->plastic ? &*point->plastic : nullptr;
  });
  for (CollisionForces::Row& found : inside.rows(collision)) {
    Point* known = point_at(collision.contacts[found.point]);
    if (known == nullptr) continue;
    Point& point = *known;
    ForceRow& row = add_row(point, ForceRow::Kind::Impact);
    found.row.contact = row.contact;
    found.row.model_contact = row.model_contact;
    row = std::move(found.row);
    if (++impacts_ > most_histories) row.history.clear();
    turn_friction(collision, found.point, row.history);
    row.overlaps = collision.time < point.busy_until;
    point.busy_until = std::max(point.busy_until, collision.time + row.duration);
  }
}

/// How quickly the normal velocity changes without impacts, m/s².
double ForceRecovery::force_acceleration(const ContactElement& e, const Vector3& normal) const {
  if (!has_before(e)) {
    return normal.dot(relative_motion(e, start_.configuration, start_.acceleration));
  }
  const VectorX change = start_.velocity - before_.velocity;
  return normal.dot(relative_motion(e, start_.configuration, change)) /
         (start_.time - before_.time);
}

/// When the gap closes, from the beginning of the step: it goes on as a parabola.
double ForceRecovery::touch_time(const ContactElement& e, double acceleration, double h) const {
  const double gap = e.gap(system_.pair(start_.configuration, e.node_A, e.node_B));
  const double rate = normal_velocity(e, start_);
  double curvature = acceleration;
  if (has_before(e)) {
    curvature = (rate - normal_velocity(e, before_)) / (start_.time - before_.time);
  }
  const double slower = -rate + std::sqrt(std::max(0.0, rate * rate - 2 * curvature * gap));
  return slower > 0 ? std::clamp(2 * gap / slower, -h, h) : 0;
}

double ForceRecovery::normal_velocity(const ContactElement& e, const Moment& at) const {
  const NodePair q = system_.pair(at.configuration, e.node_A, e.node_B);
  return (e.jacobian(q) * system_.local(at.velocity, e.node_A, e.node_B))[0];
}

/// Of the point against the body of the surface, inertial components.
Vector3 ForceRecovery::relative_motion(const ContactElement& e, const Configuration& q,
                                       const VectorX& v) const {
  const NodePair pair = system_.pair(q, e.node_A, e.node_B);
  const Matrix3 axes = e.axes(pair);
  return axes * (e.jacobian(pair, axes) * system_.local(v, e.node_A, e.node_B)).head<3>();
}

void ForceRecovery::take_contact(const State& state, const ContactState& contact) {
  if (!system_.elements().contacts.is_listed(contact.contact)) return;
  const auto listed = static_cast<std::size_t>(contact.contact);
  if (point_of_[listed] < 0 || !std::isfinite(contact.impulse[0])) return;
  Point& point = points_[static_cast<std::size_t>(point_of_[listed])];
  const ContactElement& e = system_.elements().contacts.listed[listed].element;
  if (!(contact.impulse[0] > point.now.noise)) return;
  point.now.impulse = contact.impulse[0];
  const NodePair q_n = system_.pair(start_.configuration, e.node_A, e.node_B);
  const NodePair q = system_.pair(state.configuration, e.node_A, e.node_B);
  const Matrix3 axes_n = e.axes(q_n), axes = e.axes(q);
  const Vector3 u_n = relative_motion(e, start_.configuration, start_.velocity);
  const Vector3 u = relative_motion(e, state.configuration, state.velocity);
  // Reactions of lasting contact act along the mean of the axes at both ends.
  const bool lasts = point.now.impacts.empty() && axes_n.col(0).dot(axes.col(0)) > 0.5;
  const Vector3 n = lasts ? Vector3((axes_n.col(0) + axes.col(0)).normalized()) : axes.col(0);
  const Vector3 slip = (u_n + u - (axes_n + axes) * e.surface_velocity) / 2;
  if (point.law.in_groove()) point.now.cosine = e.groove_cosine(q);
  point.friction_work -= contact.force.dot(slip - n * n.dot(slip));
}

// ---- rows

/// Without an impact on the island in the step an impulse is that of lasting contact, however it
/// changes. A peak beyond the known impacts came through contacts that stayed closed: the solver
/// gives a rebound to all others, so there is no speed to rebuild a force with.
void ForceRecovery::put_rows(Point& point, const hertz::ImpulseSplit& split) {
  const Step& step = point.last;
  if (step.impulse == 0) return;
  locals_.touch_at(step.cosine, point.law);
  double impact = step.amid_impacts ? split.impact : 0;
  if (impact < smallest_part * step.impulse) impact = 0;
  if (step.impulse - impact < smallest_part * step.impulse) impact = step.impulse;
  const double continuous = (step.impulse - impact) / step.h;
  for (const Impact& part : step.impacts) put_impact(point, part, continuous);
  ForceRow& row = add_row(point, ForceRow::Kind::Step);
  row.impulse = step.impulse;
  row.continuous_force = continuous;
  row.impact_force = impact / step.h;
  row.total_force = step.impulse / step.h;
  row.depends_on_step = impact > 0;
  point.law.put_stress(continuous, row);
}

/// What impacts did not carry, lasting contact did.
void ForceRecovery::put_exact_rows(Point& point) {
  const double impact = std::clamp(point.last.impacts_impulse, 0.0, point.last.impulse);
  put_rows(point, {.continuous = point.last.impulse - impact, .impact = impact});
}

void ForceRecovery::put_impact(Point& point, const Impact& impact, double continuous) {
  ForceRow& row = add_row(point, ForceRow::Kind::Impact);
  if (precision_ == Impacts::Exact) row.time = impact.touch;
  row.order = impact.order;
  row.impulse = impact.impulse;
  row.approach_speed = impact.approach;
  row.continuous_force = continuous;
  const bool bounces = point.law.bounces(impact.approach);
  row.depends_on_step = !bounces;
  ++impacts_;
  if (!bounces) return;
  warn_of_little(point, impact.approach);
  point.law.put_impact(impacts_ <= most_histories ? samples : 0, row);
  row.overlaps = impact.touch < point.busy_until;
  point.busy_until = std::max(point.busy_until, impact.touch + row.duration);
}

/// Of numbers it is told before the run.
void ForceRecovery::warn_of_little(const Point& point, double speed) {
  if (point.law.has_constant_restitution() || !point.law.bounces_too_little(speed)) return;
  const auto listed = static_cast<std::size_t>(point.listed);
  warnings_.push_back(
      {fmt::format("contact \"{}\": the restitution of quick impacts is too small for the forces "
                   "within them, they are those of {}",
                   system_.elements().contacts.listed_names[listed],
                   hertz::ImpactShape::smallest_restitution),
       fmt::format("{:.3g} at {:.3g} m/s", point.law.restitution(speed), speed)});
}

ForceRow& ForceRecovery::add_row(const Point& point, ForceRow::Kind kind) {
  const auto listed = static_cast<std::size_t>(point.listed);
  ForceRow& row = rows_.emplace_back();
  row.time = point.last.time;
  row.contact = system_.elements().contacts.listed_names[listed];
  row.kind = kind;
  row.model_contact = system_.elements().contacts.listed[listed].contact;
  return row;
}

}  // namespace saltus
