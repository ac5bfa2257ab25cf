// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// Where an event stands: velocities and impulses of its points, and of each group the integral of
/// its normal work and its normal impulse, in one vector for the integration.
class PathState {
 public:
  PathState() = default;
  PathState(const VectorX& u, int groups) : entries_(static_cast<int>(u.size())) {
    x.setZero(2 * entries_ + 2 * groups);
    x.head(entries_) = u;
  }

  auto u() { return x.head(entries_); }
  auto u() const { return x.head(entries_); }
  auto impulses() const { return x.segment(entries_, entries_); }
  double work(int group) const { return x[2 * entries_ + group]; }
  void add_work(int group, double work) { x[2 * entries_ + group] += work; }
  double impulse(int group) const { return x[2 * entries_ + groups() + group]; }
  int groups() const { return (static_cast<int>(x.size()) - 2 * entries_) / 2; }
  /// p, the sum of all normal impulses.
  double total() const { return x.tail(groups()).sum(); }

  VectorX x;

 private:
  int entries_ = 0;
};

}  // namespace saltus::impulse
