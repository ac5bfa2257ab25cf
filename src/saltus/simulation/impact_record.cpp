// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/impact_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {
namespace {

using impulse::EventSample;
using impulse::ImpactEvent;

/// Between two samples of a straight piece velocities and impulses are linear in p, works
/// quadratic: below the chord by θ (1 − θ)/2 Δu·Δp.
EventSample between(const EventSample& a, const EventSample& b, double theta,
                    const ImpactEvent& event) {
  EventSample s = a;
  const VectorX du = b.u - a.u, dp = b.impulses - a.impulses;
  const double bend = theta * (1 - theta) / 2;
  s.p += theta * (b.p - a.p);
  s.u += theta * du;
  s.impulses += theta * dp;
  s.works += theta * (b.works - a.works);
  for (std::size_t g = 0; g < s.group_works.size(); ++g)
    s.group_works[g] += theta * (b.group_works[g] - a.group_works[g]);
  for (std::size_t k = 0; k < event.points.size(); ++k) {
    const int i = event.points[k];
    const double normal = bend * du[3 * i] * dp[3 * i];
    s.works[2 * i] -= normal;
    s.works[2 * i + 1] -= bend * du.segment<2>(3 * i + 1).dot(dp.segment<2>(3 * i + 1));
    s.group_works[static_cast<std::size_t>(event.group_of[k])] -= normal;
  }
  return s;
}

/// The samples of an event, with more of them where velocities are straight.
std::vector<EventSample> curve(const ImpactEvent& event) {
  std::vector<EventSample> samples;
  const double longest = event.samples.back().p / ImpactRecord::pieces;
  for (std::size_t k = 0; k < event.samples.size(); ++k) {
    const EventSample& b = event.samples[k];
    if (k > 0 && b.straight && longest > 0) {
      const EventSample& a = event.samples[k - 1];
      const int parts = static_cast<int>(std::ceil((b.p - a.p) / longest));
      for (int j = 1; j < parts; ++j)
        samples.push_back(between(a, b, static_cast<double>(j) / parts, event));
    }
    samples.push_back(b);
  }
  return samples;
}

bool takes_part(const ImpactEvent& event, int point) {
  return std::ranges::find(event.points, point) != event.points.end();
}

/// Makes the rows of a collision.
class InsideOfImpact {
 public:
  InsideOfImpact(const System& system, const Collision& collision)
      : collision_(collision), acts_(collision.contacts.size(), 0) {
    for (std::size_t i = 0; i < collision.contacts.size(); ++i) {
      const Matrix3& axes = collision.axes[i];
      turn_.push_back(results_frame(system, collision.contacts[i], axes.col(0)) * axes);
      names_.push_back(system.elements().contacts.name(collision.contacts[i]));
      for (const ImpactEvent& event : collision.result.events)
        acts_[i] |= takes_part(event, static_cast<int>(i));
    }
  }

  /// A row for each group of each event, and one for the points that take no part in it.
  std::vector<ImpactRow> rows(int impact) const {
    std::vector<ImpactRow> rows;
    VectorX before = collision_.problem.u;
    int order = 0;
    for (const ImpactEvent& event : collision_.result.events) {
      ++order;
      const std::vector<EventSample> samples = curve(event);
      const int groups = static_cast<int>(event.groups.size());
      for (int g = 0; g <= groups; ++g) {
        const std::vector<int> points = g < groups ? members(event, g) : bystanders(event);
        if (points.empty()) continue;
        ImpactRow& row = rows.emplace_back();
        row.time = collision_.time;
        row.impact = impact;
        row.order = order;
        row.contact = names_[static_cast<std::size_t>(points.front())];
        row.points = static_cast<int>(points.size());
        row.transitions = event.transitions;
        if (g < groups) put_group(event, g, row);
        for (const int i : points) {
          row.impulse += event.impulses[3 * i];
          row.friction_work += event.samples.back().works[2 * i + 1];
          // Composition "frozen": what has parted keeps its velocity.
          const bool is_frozen =
              g == groups && event.u.segment<3>(3 * i) == before.segment<3>(3 * i);
          put_path(samples, i, is_frozen ? &before : nullptr, row);
        }
      }
      before = event.u;
    }
    return rows;
  }

 private:
  static std::vector<int> members(const ImpactEvent& event, int group) {
    std::vector<int> points;
    for (std::size_t k = 0; k < event.points.size(); ++k)
      if (event.group_of[k] == group) points.push_back(event.points[k]);
    return points;
  }

  /// Those that act in another event of the collision.
  std::vector<int> bystanders(const ImpactEvent& event) const {
    std::vector<int> points;
    for (std::size_t i = 0; i < acts_.size(); ++i)
      if (acts_[i] && !takes_part(event, static_cast<int>(i)))
        points.push_back(static_cast<int>(i));
    return points;
  }

  static void put_group(const ImpactEvent& event, int group, ImpactRow& row) {
    const auto g = static_cast<std::size_t>(group);
    row.group = group + 1;
    row.restitution = event.coefficient[g];
    row.compression_impulse = event.compression_impulse[g];
    row.compression_work = event.compression_work[g];
    row.normal_work = event.normal_work[g];
  }

  /// @param kept  velocities that do not change in this event, or null
  void put_path(const std::vector<EventSample>& samples, int point, const VectorX* kept,
                ImpactRow& row) const {
    const auto k = static_cast<std::size_t>(point);
    for (const EventSample& s : samples) {
      const Vector3 u = (kept != nullptr ? *kept : s.u).segment<3>(3 * point);
      const auto g = static_cast<std::size_t>(row.group - 1);
      row.path.push_back({.contact = names_[k],
                          .p = s.p,
                          // + 0: no −0 in the results
                          .impulse = (turn_[k] * s.impulses.segment<3>(3 * point)).array() + 0.0,
                          .velocity = (turn_[k] * u).array() + 0.0,
                          .normal_work = s.works[2 * point],
                          .friction_work = s.works[2 * point + 1],
                          .group_work = row.group > 0 ? s.group_works[g] : 0});
    }
  }

  const Collision& collision_;
  std::vector<char> acts_;     // points that take part in some event
  std::vector<Matrix3> turn_;  // from the axes of the problem to those of the results
  std::vector<std::string> names_;
};

}  // namespace

ImpactRecord::ImpactRecord(const System& system, const RecordedImpacts& wanted)
    : system_(system), wanted_(wanted) {
  for (const ContactGroup& group : system.elements().contacts.groups) {
    const auto& names = wanted.contacts;
    contacts_.push_back(names.empty() || std::ranges::find(names, group.name) != names.end());
  }
}

bool ImpactRecord::is_wanted(const Collision& collision) const {
  if (collision.time < wanted_.after) return false;
  for (const ImpactEvent& event : collision.result.events) {
    for (const int i : event.points) {
      const ContactIndex contact = collision.contacts[static_cast<std::size_t>(i)];
      const int index = system_.elements().contacts.contact_of(contact);
      if (contacts_[static_cast<std::size_t>(index)]) return true;
    }
  }
  return false;
}

void ImpactRecord::step(const State& /*state*/, const StepReport& step, RunOutput& output) {
  for (const Collision& collision : step.collisions) {
    if (!is_wanted(collision)) continue;
    if (impacts_ < wanted_.most) {
      for (const ImpactRow& row : InsideOfImpact(system_, collision).rows(++impacts_))
        output.impact(row);
    } else if (!std::exchange(told_more_, true)) {
      output.warn(fmt::format(
          "t = {:.6g} s: record/impacts: {} impacts are recorded, and no more; \"most\" sets the "
          "number, \"after\" the time of the first",
          collision.time, wanted_.most));
    }
  }
}

}  // namespace saltus
