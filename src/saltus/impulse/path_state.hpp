// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// Where an event stands: velocities and impulses of its points and the work of each, and of each
/// group the integral of its normal work and its normal impulse, in one vector for the integration.
class PathState {
 public:
  PathState() = default;
  PathState(const VectorX& u, int groups) : entries_(static_cast<int>(u.size())) {
    x.setZero(first_group() + 2 * groups);
    x.head(entries_) = u;
  }

  auto u() { return x.head(entries_); }
  auto u() const { return x.head(entries_); }
  auto impulses() const { return x.segment(entries_, entries_); }
  /// Normal work and friction work of each point.
  auto works() const { return x.segment(2 * entries_, 2 * points()); }
  void add_work(int group, double work) { x[first_group() + group] += work; }
  void add_point_works(int point, double normal, double friction) {
    x[2 * entries_ + 2 * point] += normal;
    x[2 * entries_ + 2 * point + 1] += friction;
  }
  double work(int group) const { return x[first_group() + group]; }
  double impulse(int group) const { return x[first_group() + groups() + group]; }
  int points() const { return entries_ / 3; }
  int groups() const { return (static_cast<int>(x.size()) - first_group()) / 2; }
  /// p, the sum of all normal impulses.
  double total() const { return x.tail(groups()).sum(); }

  VectorX x;

 private:
  int first_group() const { return 2 * entries_ + 2 * points(); }

  int entries_ = 0;
};

}  // namespace saltus::impulse
