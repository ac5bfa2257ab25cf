// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impact_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/core/interruption.hpp"
#include "saltus/impulse/stick_slip.hpp"
#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The first Δ > 0 with w + s Δ + ½ s' Δ² = 0 on the way up.
double upward_zero(double w, double s, double slope) {
  if (slope == 0) return s > 0 ? -w / s : infinity;
  const double root = s * s - 2 * w * slope;
  if (root < 0) return infinity;
  const double q = std::sqrt(root);
  // (−s + q)/s' without cancellation.
  const double length = s > 0 ? -2 * w / (s + q) : (q - s) / slope;
  return length > 0 ? length : infinity;
}

}  // namespace

ImpactPath::ImpactPath(const ImpactSystem& system, const NormalWorkMeasure& measure,
                       RestitutionLaw law, double tolerance, double longest)
    : system_(system), measure_(measure), law_(law), tolerance_(tolerance), longest_(longest) {}

const PathState& ImpactPath::boundary(int k) const {
  return k < static_cast<int>(steps_.size()) ? steps_[k].start : state_;
}

bool ImpactPath::slips_with_friction(int point) const {
  const ImpactPoint& p = system_.point(point);
  return modes_.open[system_.group_of(point)] && !modes_.points[point].sticks &&
         (p.friction > 0 || p.static_friction > 0);
}

bool ImpactPath::sticks(int point) const {
  return modes_.points[point].sticks && modes_.open[system_.group_of(point)];
}

Vector2 ImpactPath::direction(int point) const {
  if (modes_.frozen) return modes_.points[point].direction;
  return slip_direction(state_.u().segment<2>(3 * point + 1), modes_.points[point]);
}

PathEnd ImpactPath::explore(PathState state, ImpactModes modes, std::vector<LeastWork> least) {
  state_ = std::move(state);
  modes_ = std::move(modes);
  least_ = std::move(least);
  steps_.clear();
  next_length_ = 0;
  settlements_ = 0;
  speed_scale_ = std::max(speed_scale_, state_.u().lpNorm<Eigen::Infinity>());
  flow_ = system_.flow(state_.u(), modes_);
  settle_points();
  while (static_cast<int>(steps_.size()) < PathTuning::most_path_steps) {
    poll_interruption();
    if (static_cast<int>(steps_.size()) == PathTuning::freeze_after || modes_.frozen)
      freeze_directions();
    close_recovered();
    if (!(flow_.rates.sum() > 0)) return PathEnd::Recovered;
    PathStep step{state_, 0, straight(), modes_, flow_};
    if (step.straight) {
      step.length = straight_length();
      if (!(step.length < infinity)) return PathEnd::Endless;
    } else if (!turning_step(step)) {
      return PathEnd::Endless;
    }
    if (step.length > 0) advance(step);
  }
  return PathEnd::Endless;
}

VectorX ImpactPath::settled_speeds(const PathState& state, const ImpactModes& modes) {
  state_ = state;
  modes_ = modes;
  speed_scale_ = state_.u().lpNorm<Eigen::Infinity>();
  flow_ = system_.flow(state_.u(), modes_);
  settle_points();
  return flow_.speeds;
}

void ImpactPath::advance(const PathStep& step) {
  if (!end_known_) {
    state_ = after(step, step.length);
    flow_ = system_.flow(state_.u(), modes_);
  }
  end_known_ = false;
  steps_.push_back(step);
  for (int g = 0; g < system_.group_count(); ++g) {
    const double work = measure_.work(state_, g);
    if (work < least_[g].work) least_[g] = {work, measure_.impulse(state_, g)};
  }
  keep_fallbacks();
  if (needs_settling()) settle_points();
}

/// Shares and rates that jump to and fro would never end.
void ImpactPath::keep_fallbacks() {
  for (int g = 0; g < system_.group_count(); ++g) modes_.equal[g] |= flow_.equal[g];
  modes_.proportional |= flow_.proportional;
}

/// The last resort where slip goes round and round: directions are kept until friction would no
/// longer oppose the slip. The loss of energy keeps its sign.
void ImpactPath::freeze_directions() {
  for (int i = 0; i < system_.point_count(); ++i) {
    const Vector2 slip = state_.u().segment<2>(3 * i + 1);
    PointMode& mode = modes_.points[i];
    const bool opposed = modes_.frozen && slip.dot(mode.direction) > rest_speed();
    if (!slips_with_friction(i) || opposed || slip.isZero(0)) continue;
    mode.direction = slip.normalized();
  }
  modes_.frozen = true;
  flow_ = system_.flow(state_.u(), modes_);
  keep_fallbacks();
}

/// Whether a point has come to rest or a sticking one cannot be held.
bool ImpactPath::needs_settling() const {
  for (int i = 0; i < system_.point_count(); ++i) {
    if (slips_with_friction(i)) {
      const double speed = slip_speed(i);
      const double growth = flow_.du.segment<2>(3 * i + 1).dot(direction(i));
      if (speed <= rest_speed() && (speed == 0 || growth <= 0) && !waits(i)) return true;
    } else if (sticks(i) && !modes_.forced[i] && cone_margin(system_, flow_, i) < 0) {
      return true;
    }
  }
  return false;
}

double ImpactPath::slip_speed(int point) const {
  return state_.u().segment<2>(3 * point + 1).norm();
}

/// Whether others on the same plane are slow and come to rest, but are not there yet.
bool ImpactPath::waits(int point) const {
  double fastest = 0, growth = 0;
  for (const int j : system_.members(system_.group_of(point))) {
    const double cosine = system_.point(point).axes.col(0).dot(system_.point(j).axes.col(0));
    if (!slips_with_friction(j) || cosine <= 1 - StickTuning::same_normal ||
        slip_speed(j) <= fastest)
      continue;
    fastest = slip_speed(j);
    growth = flow_.du.segment<2>(3 * j + 1).dot(direction(j));
  }
  return !modes_.frozen && growth < 0 && fastest > rest_speed() &&
         fastest <= PathTuning::slow_slip * speed_scale_;
}

void ImpactPath::settle_points() {
  std::vector<int> rest;
  for (int i = 0; i < system_.point_count(); ++i) {
    const bool comes_to_rest = slips_with_friction(i) && slip_speed(i) <= rest_speed() && !waits(i);
    if (sticks(i) || comes_to_rest) rest.push_back(i);
  }
  for (const int i : rest) state_.u().segment<2>(3 * i + 1).setZero();
  // Points that stick and slip by turns for ever stick in the end.
  if (++settlements_ >
      PathTuning::settlements + PathTuning::settlements_of_a_point * system_.point_count()) {
    for (const int i : rest) {
      modes_.points[i].sticks = true;
      modes_.forced[i] = 1;
    }
  } else {
    settle(system_, state_.u(), rest, modes_);
  }
  flow_ = system_.flow(state_.u(), modes_);
  keep_fallbacks();
}

/// Groups that have recovered stop; the others may flow differently then.
void ImpactPath::close_recovered() {
  for (bool closed = true; closed;) {
    closed = false;
    for (int g = 0; g < system_.group_count(); ++g)
      if (modes_.open[g] && flow_.rates[g] > 0 && has_recovered(g) && !supports(g)) {
        jammed_ |= is_jammed(g);
        modes_.open[g] = 0;
        closed = true;
      }
    if (closed) settle_points();
  }
}

/// Whether a group at rest holds against others that approach.
bool ImpactPath::supports(int group) const {
  if (least_[group].work < 0 || flow_.speeds[group] > PathTuning::no_speed * speed_scale_)
    return false;
  for (int g = 0; g < system_.group_count(); ++g)
    if (g != group && modes_.open[g] && flow_.rates[g] > 0 && !has_recovered(g)) return true;
  return false;
}

bool ImpactPath::has_recovered(int group) const {
  const double rate = measure_.rate(state_.u(), flow_, group);
  if (rate < -negligible_rate(group)) return false;
  if (is_jammed(group)) return true;
  const LeastWork& least = least_[group];
  switch (law_) {
    case RestitutionLaw::Energetic:
      return measure_.work(state_, group) >= PathTuning::recovered * least.work;
    case RestitutionLaw::Poisson:
      return measure_.impulse(state_, group) >= (2 - PathTuning::recovered) * least.impulse;
    case RestitutionLaw::Newton:
      break;
  }
  return flow_.speeds[group] >= (1 - PathTuning::recovered) * std::abs(modes_.reference[group]);
}

/// Whether impulses of the group move none of its points along the normal: friction and joints hold
/// them, so that nothing of what compression took can come back.
bool ImpactPath::is_jammed(int group) const {
  double moved = 0, mobility = 0;
  for (const int i : system_.members(group)) {
    moved = std::max(moved, std::abs(flow_.du[3 * i]));
    mobility = std::max(mobility, system_.W()(3 * i, 3 * i));
  }
  return moved <= PathTuning::jammed * mobility * flow_.rates[group];
}

double ImpactPath::negligible_rate(int group) const {
  return PathTuning::no_rate * flow_.rates[group] * speed_scale_;
}

/// Whether no slip turns: then C is constant.
bool ImpactPath::straight() const {
  if (modes_.frozen) return true;
  const double scale = flow_.du.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < system_.point_count(); ++i) {
    if (!slips_with_friction(i)) continue;
    const Vector2 d = direction(i), a = flow_.du.segment<2>(3 * i + 1);
    if (std::abs(d[0] * a[1] - d[1] * a[0]) > PathTuning::straight_slip * scale) return false;
  }
  return true;
}

double ImpactPath::straight_length() const {
  double length = length_to_rest();
  for (int g = 0; g < system_.group_count(); ++g) length = std::min(length, length_of_group(g));
  return length;
}

/// Until the first slip vanishes at the rates of now.
double ImpactPath::length_to_rest() const {
  double length = infinity;
  for (int i = 0; i < system_.point_count(); ++i) {
    if (!slips_with_friction(i)) continue;
    const double speed = state_.u().segment<2>(3 * i + 1).dot(direction(i));
    const double growth = flow_.du.segment<2>(3 * i + 1).dot(direction(i));
    if (growth < 0 && speed > 0) length = std::min(length, -speed / growth);
  }
  return length;
}

/// In which the slip of no point can change by more than itself. Without this bound slow slip would
/// jump across rest and back for ever.
double ImpactPath::length_to_turn() const {
  double length = infinity;
  for (int i = 0; i < system_.point_count(); ++i) {
    if (!slips_with_friction(i)) continue;
    const double speed = slip_speed(i), rate = flow_.du.segment<2>(3 * i + 1).norm();
    const bool waiting = speed <= rest_speed() && waits(i);
    if (rate > 0 && speed > 0 && !waiting) length = std::min(length, speed / rate);
  }
  return length;
}

/// Until the normal work of a group has an extremum, or the group has recovered.
double ImpactPath::length_of_group(int group) const {
  if (!(flow_.rates[group] > 0)) return infinity;
  const double s = measure_.rate(state_.u(), flow_, group);
  const double slope = measure_.rate(flow_.du, flow_, group);
  if (s < -negligible_rate(group)) return slope > 0 ? -s / slope : infinity;
  double length = infinity;
  switch (law_) {
    case RestitutionLaw::Energetic:
      length = upward_zero(measure_.work(state_, group), s, slope);
      break;
    case RestitutionLaw::Poisson:
      length = (2 * least_[group].impulse - measure_.impulse(state_, group)) /
               measure_.impulse_rate(flow_, group);
      break;
    case RestitutionLaw::Newton:
      length =
          (std::abs(modes_.reference[group]) - flow_.speeds[group]) * flow_.rates[group] / slope;
      break;
  }
  if (!(length > 0)) length = infinity;
  return s > negligible_rate(group) && slope < 0 ? std::min(length, -s / slope) : length;
}

}  // namespace saltus::impulse
