// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impact_event.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/impulse/bracketed_root.hpp"
#include "saltus/impulse/stick_slip.hpp"
#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

namespace {

VectorX entries(const VectorX& u, const std::vector<int>& points) {
  VectorX result(3 * points.size());
  for (int i = 0; i < static_cast<int>(points.size()); ++i)
    result.segment<3>(3 * i) = u.segment<3>(3 * points[i]);
  return result;
}

}  // namespace

EventRun::EventRun(const ImpactProblem& problem, const ImpactOptions& options, const VectorX& u,
                   std::vector<int> chosen, bool split)
    : problem_(problem),
      options_(options),
      u_(u),
      chosen_(std::move(chosen)),
      system_(problem, chosen_, split, options.shares),
      measure_(system_, options.normal_work, entries(u, chosen_)),
      path_(system_, measure_, options.law, options.tolerance,
            options.histories ? EventTuning::history_step : 0) {}

bool EventRun::run(const std::vector<double>& coefficients) {
  coefficients_ = coefficients;
  start();
  bool stopped = true;
  while (std::find(modes_.open.begin(), modes_.open.end(), 1) != modes_.open.end())
    if (!end_next_groups()) {
      stopped = false;
      break;
    }
  finish();
  return stopped;
}

void EventRun::start() {
  const int n = system_.point_count(), groups = system_.group_count();
  state_ = PathState(entries(u_, chosen_), groups);
  modes_.points.assign(n, {});
  modes_.open.assign(groups, 1);
  modes_.equal.assign(groups, 0);
  modes_.forced.assign(n, 0);
  modes_.reference = VectorX::Zero(groups);
  least_.assign(groups, {});
  reversed_.assign(n, 0);
  event_.points = chosen_;
  event_.coefficient = coefficients_;
  for (auto* list : {&event_.compression_work, &event_.normal_work, &event_.compression_impulse})
    list->assign(groups, 0);
  for (int g = 0; g < groups; ++g) event_.groups.push_back(system_.group_number(g));
  for (int i = 0; i < n; ++i) event_.group_of.push_back(system_.group_of(i));
  add_sample(true);
  // V needs shares, which need to know what sticks, which needs the rates, which need V: mean
  // velocities stand for it first.
  for (int g = 0; g < groups; ++g)
    for (const int i : system_.members(g))
      modes_.reference[g] += state_.u()[3 * i] / static_cast<double>(system_.members(g).size());
  modes_.reference = path_.settled_speeds(state_, modes_);
}

/// Explores, goes to the first end of a group, and closes all groups that end there.
bool EventRun::end_next_groups() {
  const PathEnd path_end = path_.explore(state_, modes_, least_);
  const int groups = system_.group_count();
  std::vector<Moment> ends(groups);
  const Moment* first = nullptr;
  for (int g = 0; g < groups; ++g) {
    if (!modes_.open[g]) continue;
    ends[g] = end_of(g, path_end);
    if (ends[g].step >= 0 && (first == nullptr || ends[g].p < first->p)) first = &ends[g];
  }
  if (first == nullptr) {
    if (path_end == PathEnd::Endless) return false;
    for (int g = 0; g < groups; ++g) close(g);
    return true;
  }
  const double limit = first->p + EventTuning::same_moment * path_.end().total();
  go_to(*first);
  for (int g = 0; g < groups; ++g)
    if (modes_.open[g] && ends[g].step >= 0 && ends[g].p <= limit) close(g);
  return true;
}

/// The least work so far and on the path explored, (14).
EventRun::Compression EventRun::compression(int group) const {
  Compression result{least_[group], 0};
  for (int k = 0; k <= static_cast<int>(path_.steps().size()); ++k) {
    const PathState& state = path_.boundary(k);
    const double work = measure_.work(state, group);
    if (work < result.least.work) result = {{work, measure_.impulse(state, group)}, k};
  }
  return result;
}

/// What the law compares with its target.
double EventRun::value(const PathState& state, const Flow* flow, int group) const {
  if (options_.law == RestitutionLaw::Newton) return flow->speeds[group];
  if (options_.law == RestitutionLaw::Poisson) return measure_.impulse(state, group);
  return measure_.work(state, group);
}

/// The first moment from a boundary on at which the value of the law is not below the target; for
/// e < 0 in the energetic law, not above.
EventRun::Moment EventRun::first_above(int group, double target, int from) const {
  const bool down = options_.law == RestitutionLaw::Energetic && coefficients_[group] < 0;
  const bool newton = options_.law == RestitutionLaw::Newton;
  const double tolerance = EventTuning::on_target * std::abs(target), sign = down ? -1 : 1;
  double p = path_.boundary(from).total();
  for (int k = from; k < static_cast<int>(path_.steps().size()); ++k) {
    const PathStep& step = path_.steps()[k];
    const auto excess = [&](double part) {
      const PathState state = part > 0 ? path_.after(step, part) : step.start;
      if (!newton) return sign * (value(state, nullptr, group) - target);
      const Flow flow = part > 0 ? system_.flow(state.u(), step.modes) : step.flow;
      return value(state, &flow, group) - target;
    };
    const double before = excess(0);
    if (before >= -tolerance) return {k, 0, p};
    const double after = newton ? excess(step.length)
                                : sign * (value(path_.boundary(k + 1), nullptr, group) - target);
    if (after >= -tolerance) {
      const double part =
          after > 0 ? bracketed_root(excess, 0, before, step.length, after) : step.length;
      return {k, part, p + part};
    }
    p = path_.boundary(k + 1).total();
  }
  return {};
}

EventRun::Moment EventRun::end_of(int group, PathEnd path_end) const {
  const int last = static_cast<int>(path_.steps().size());
  // A group without impulse on the path waits for the others.
  if (path_.end().impulse(group) == state_.impulse(group) && path_.end_modes().open[group])
    return {};
  const Compression c = compression(group);
  const double e = coefficients_[group];
  Moment end;
  switch (options_.law) {
    case RestitutionLaw::Energetic:
      end = first_above(group, (1 - e * e) * c.least.work, e < 0 ? 0 : c.boundary);
      break;
    case RestitutionLaw::Poisson:
      end = first_above(group, (1 + e) * c.least.impulse, 0);
      break;
    case RestitutionLaw::Newton:
      end = first_above(group, -e * modes_.reference[group], e < 0 ? 0 : c.boundary);
      break;
  }
  if (end.step < 0 && path_end == PathEnd::Recovered) end = {last, 0, path_.end().total()};
  return end;
}

void EventRun::go_to(const Moment& moment) {
  const std::vector<char> open = modes_.open;
  const int last = static_cast<int>(path_.steps().size());
  for (int k = 0; k <= moment.step; ++k) {
    const PathStep* step = k < last ? &path_.steps()[k] : nullptr;
    state_ = path_.boundary(k);
    for (int g = 0; g < system_.group_count(); ++g) {
      const double work = measure_.work(state_, g);
      if (work < least_[g].work) least_[g] = {work, measure_.impulse(state_, g)};
    }
    if (k > 0) {
      count_transitions(path_.steps()[k - 1], step ? step->modes : path_.end_modes(), state_);
      add_sample(path_.steps()[k - 1].straight);
    }
    modes_ = step ? step->modes : path_.end_modes();
    if (k == moment.step && moment.part > 0) {
      state_ = path_.after(*step, moment.part);
      add_sample(step->straight);
    }
  }
  modes_.open = open;
}

void EventRun::close(int group) {
  if (!modes_.open[group]) return;
  modes_.open[group] = 0;
  const double work = measure_.work(state_, group);
  if (work < least_[group].work) least_[group] = {work, measure_.impulse(state_, group)};
  const Compression c =
      coefficients_[group] < 0 ? compression(group) : Compression{least_[group], 0};
  event_.compression_work[group] = c.least.work;
  event_.compression_impulse[group] = c.least.impulse;
  event_.normal_work[group] = work;
}

void EventRun::count_transitions(const PathStep& before, const ImpactModes& after,
                                 const PathState& state) {
  for (int i = 0; i < system_.point_count(); ++i) {
    const PointMode &old = before.modes.points[i], &now = after.points[i];
    const bool leaves = !now.sticks && state.u().segment<2>(3 * i + 1).isZero(0);
    if (old.sticks != now.sticks || (!old.sticks && leaves && !now.direction.isZero(0)))
      ++event_.transitions;
    if (leaves && !now.direction.isZero(0)) {
      const Vector2 first = u_.segment<2>(3 * chosen_[i] + 1);
      reversed_[i] = first.dot(now.direction) < 0;
    }
  }
}

void EventRun::add_sample(bool straight) {
  if (!options_.histories) return;
  EventSample sample;
  sample.p = state_.total();
  sample.impulses = VectorX::Zero(problem_.u.size());
  sample.works = VectorX::Zero(2 * static_cast<int>(problem_.points.size()));
  for (int i = 0; i < system_.point_count(); ++i) {
    sample.impulses.segment<3>(3 * chosen_[i]) = state_.impulses().segment<3>(3 * i);
    sample.works.segment<2>(2 * chosen_[i]) = state_.works().segment<2>(2 * i);
  }
  sample.u = u_ + problem_.W * sample.impulses;
  for (int g = 0; g < system_.group_count(); ++g)
    sample.group_works.push_back(measure_.work(state_, g));
  for (const double work : sample.group_works) sample.normal_work += work;
  sample.straight = straight;
  event_.samples.push_back(std::move(sample));
}

/// Whether the points of a plane slip differently, at the beginning or at the end.
bool EventRun::turns(int group) const {
  const std::vector<ImpactPoint>& points = system_.group(group).points();
  if (points.size() < 2 || !have_one_normal(points)) return false;
  const auto plane = points.front().axes.rightCols<2>();
  for (const VectorX& u : {entries(u_, chosen_), VectorX(state_.u())}) {
    Vector2 low = Vector2::Constant(HUGE_VAL), high = -low;
    double fastest = 0;
    for (const int i : system_.members(group)) {
      if (!(system_.point(i).friction > 0)) continue;
      const Vector2 slip =
          plane.transpose() * system_.point(i).axes.rightCols<2>() * u.segment<2>(3 * i + 1);
      low = low.cwiseMin(slip);
      high = high.cwiseMax(slip);
      fastest = std::max(fastest, slip.norm());
    }
    const bool slips = fastest > EventTuning::slow_slip * u_.lpNorm<Eigen::Infinity>();
    if (slips && (high - low).maxCoeff() > FaceTuning::turning * fastest) return true;
  }
  return false;
}

/// Where the motion depends on how many points there are.
void EventRun::note_shares() {
  for (int g = 0; g < system_.group_count(); ++g) {
    const FaceWeights& face = system_.group(g).face();
    const bool turning = turns(g);
    if (options_.shares == ShareRule::Points)
      event_.turning_groups += turning;
    else if (!face.stands)
      event_.faceless_groups += turning || !face.centred;
  }
}

void EventRun::finish() {
  event_.impulses = VectorX::Zero(problem_.u.size());
  for (int i = 0; i < system_.point_count(); ++i) {
    event_.impulses.segment<3>(3 * chosen_[i]) = state_.impulses().segment<3>(3 * i);
    event_.states.push_back(modes_.points[i].sticks ? PointState::Sticks
                            : reversed_[i]          ? PointState::Reverses
                                                    : PointState::Slips);
  }
  event_.u = u_ + problem_.W * event_.impulses;
  note_shares();
  event_.coarse = modes_.frozen;
  event_.jammed = path_.has_jammed();
  event_.equal_shares =
      static_cast<int>(std::count(modes_.equal.begin(), modes_.equal.end(), char{1}));
}

}  // namespace saltus::impulse
