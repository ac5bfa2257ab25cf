// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/impulse/impact_event.hpp"
#include "saltus/impulse/impact_problem.hpp"
#include "saltus/impulse/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus::impulse {

namespace {

/// The sequence of events of one collision.
class Collision {
 public:
  Collision(const ImpactProblem& problem, const ImpactOptions& options)
      : problem_(problem),
        options_(options),
        frozen_(problem.points.size(), 0),
        blocked_(problem.points.size(), 0) {
    result_.u = problem.u;
    result_.impulses = VectorX::Zero(problem.u.size());
  }

  ImpactResult run() {
    for (std::vector<int> chosen = first_points(); !chosen.empty(); chosen = next_points()) {
      if (static_cast<int>(result_.events.size()) >= options_.most_events) {
        fail("points still approach after " + std::to_string(options_.most_events) +
             " events; they are pressed against each other by what does not yield: a force or a "
             "spring in the place of a drive lets it");
        break;
      }
      result_.endless = result_.events.size() >= EventTuning::endless_events;
      run_event(std::move(chosen));
    }
    if (std::find(frozen_.begin(), frozen_.end(), 1) != frozen_.end()) make_compatible();
    const double kinetic = (problem_.u + result_.u).dot(result_.impulses) / 2;
    for (const ImpactEvent& event : result_.events)
      for (const double work : event.normal_work) result_.normal_work += work;
    result_.friction_work = kinetic - result_.normal_work;
    return std::move(result_);
  }

 private:
  double normal_velocity(int i) const { return result_.u[3 * i]; }
  int count() const { return static_cast<int>(problem_.points.size()); }

  std::vector<int> approaching() const {
    std::vector<int> chosen;
    for (int i = 0; i < count(); ++i)
      if (normal_velocity(i) < -options_.speed_tolerance && !blocked_[i]) chosen.push_back(i);
    return chosen;
  }

  /// Points that approach, and those at rest between the same bodies.
  std::vector<int> first_points() const {
    std::vector<int> chosen;
    const std::vector<int> impacting = approaching();
    for (int i = 0; i < count(); ++i) {
      const auto same_group = [&](int j) {
        return problem_.points[i].group == problem_.points[j].group;
      };
      if (normal_velocity(i) <= options_.speed_tolerance &&
          std::any_of(impacting.begin(), impacting.end(), same_group))
        chosen.push_back(i);
    }
    return chosen;
  }

  /// Whether events push points into the ground in turns and hardly slow them.
  bool goes_on_and_on() const { return result_.events.size() >= EventTuning::many_events; }

  /// Points that go on approaching; in the end with all that are at rest and may hold them.
  std::vector<int> next_points() const {
    std::vector<int> chosen = approaching();
    if (chosen.empty() || !goes_on_and_on()) return chosen;
    chosen.clear();
    for (int i = 0; i < count(); ++i)
      if (normal_velocity(i) <= options_.speed_tolerance && !blocked_[i]) chosen.push_back(i);
    return chosen;
  }

  /// How fast the fastest of some points approaches.
  double fastest(const std::vector<int>& chosen) const {
    double speed = 0;
    for (const int i : chosen) speed = std::max(speed, -normal_velocity(i));
    return speed;
  }

  /// Of a point of an event; of one that is only pushed by the others, at the speed of the fastest.
  double own_coefficient(int i, double fastest) const {
    const ImpactPoint& point = problem_.points[i];
    if (!point.restitution_at) return point.restitution;
    const double speed = -normal_velocity(i);
    return point.restitution_at(speed > options_.speed_tolerance ? speed : fastest);
  }

  double coefficient(const ImpactSystem& system, const std::vector<int>& chosen, int group) const {
    const auto of_list = [](const std::vector<double>& list, std::size_t k) {
      return list[std::min(k, list.size() - 1)];
    };
    if (result_.endless) return 0;
    const EventRestitution& e = options_.restitution;
    const std::vector<int>& members = system.members(group);
    if (!e.by_order.empty()) return of_list(e.by_order, result_.events.size());
    if (!e.by_points.empty()) return of_list(e.by_points, members.size() - 1);
    double sum = 0;
    const double speed = fastest(chosen);
    for (const int i : members) sum += own_coefficient(chosen[i], speed);
    return sum / static_cast<double>(members.size());
  }

  /// A negative coefficient holds for the same points of a group once: what did not get through
  /// compression would never get through it.
  double event_coefficient(const ImpactSystem& system, const std::vector<int>& chosen, int group) {
    const double e = coefficient(system, chosen, group);
    if (e >= 0) return e;
    std::vector<int> points;
    for (const int i : system.members(group)) points.push_back(chosen[i]);
    if (std::find(cut_short_.begin(), cut_short_.end(), points) != cut_short_.end()) return 0;
    cut_short_.push_back(std::move(points));
    return e;
  }

  void run_event(std::vector<int> chosen) {
    if (!try_event(chosen, options_)) {
      // The measure (23) need not have a minimum where points approach; the work always has.
      ImpactOptions options = options_;
      options.normal_work = NormalWork::Integral;
      if (options_.normal_work == NormalWork::Integral || !try_event(chosen, options)) {
        for (const int i : chosen) blocked_[i] = 1;
        fail(
            "the approach of some points cannot be stopped: joints, drives and friction hold their "
            "bodies; less friction, or a force or a spring in the place of a drive, lets them "
            "yield");
      }
    }
    previous_ = std::move(chosen);
  }

  /// False if the points have not been stopped and will not be.
  bool try_event(const std::vector<int>& chosen, const ImpactOptions& options) {
    EventRun run(problem_, options, result_.u, chosen, goes_on_and_on());
    std::vector<double> coefficients;
    for (int g = 0; g < run.system().group_count(); ++g)
      coefficients.push_back(event_coefficient(run.system(), chosen, g));
    const bool stopped = run.run(coefficients);
    ImpactEvent& event = run.event();
    const bool empty = event.impulses.isZero(0);
    if (!empty) update(event);
    // Without impulse: points at rest took all shares, or e* = −1. The next event is another one.
    return stopped && !(empty && chosen == previous_);
  }

  void update(ImpactEvent& event) {
    const bool freeze = options_.composition == Composition::Frozen;
    const VectorX change = problem_.W * event.impulses;
    for (int i = 0; i < count(); ++i)
      if (!frozen_[i]) result_.u.segment<3>(3 * i) += change.segment<3>(3 * i);
    event.u = result_.u;
    result_.impulses += event.impulses;
    const std::vector<int> left = approaching();
    if (freeze && !left.empty())
      for (const int i : event.points)
        if (std::find(left.begin(), left.end(), i) == left.end()) frozen_[i] = 1;
    result_.events.push_back(std::move(event));
  }

  /// Frozen velocities are no motion of the bodies: the nearest one, and impulses that make it.
  void make_compatible() {
    const auto [values, V] = linalg::symmetric_eigen(problem_.W);
    VectorX parts = V.transpose() * (result_.u - problem_.u);
    const double small = RankTuning::inverse_rank * values.cwiseAbs().maxCoeff();
    for (int k = 0; k < parts.size(); ++k) parts[k] = values[k] > small ? parts[k] / values[k] : 0;
    result_.impulses = V * parts;
    result_.u = problem_.u + problem_.W * result_.impulses;
  }

  void fail(std::string message) {
    result_.converged = false;
    if (result_.message.empty()) result_.message = std::move(message);
  }

  const ImpactProblem& problem_;
  const ImpactOptions& options_;
  std::vector<char> frozen_, blocked_;
  std::vector<int> previous_;                ///< points of the last event
  std::vector<std::vector<int>> cut_short_;  ///< points of groups that had a negative coefficient
  ImpactResult result_;
};

}  // namespace

ImpactResult resolve_impact(const ImpactProblem& problem, const ImpactOptions& options) {
  return Collision(problem, options).run();
}

}  // namespace saltus::impulse
