// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/elastoplastic_law.hpp"
#include "saltus/impulse/impact_problem.hpp"

namespace saltus::impulse {

/// A moment of a collision in micro-time; entries of points.
struct MicroSample {
  double time = 0;
  int event = 0;
  VectorX deformation, normal_velocity;
  VectorX friction;  ///< tangential over normal impulses, two a point
};

/// Velocities and works of an event between its samples: linear and quadratic in p.
class EventCurve {
 public:
  explicit EventCurve(const ImpactEvent& event);

  double end() const { return event_.samples.back().p; }
  VectorX normal_velocity(double p) const;
  double normal_velocity(double p, int point) const;
  /// dp_n/dp of a point.
  double share(double p, int point) const;
  VectorX friction(double p) const;
  /// W_nf − W_n, without cancellation near the end.
  double remaining_work(double p) const;
  /// The p at which a point that approaches comes to rest, or the end.
  double rest(int point) const;
  /// The point that comes to rest last, of those that approach first; the largest impulse of equal
  /// ones.
  int independent_point() const;

 private:
  int segment(double p) const;
  double segment_share(int k, int point) const;

  const ImpactEvent& event_;
};

/// (20), (21) for one event: goes on from the last sample, whose deformations it inherits.
/// `number`: of the event. Returns the time at which the independent point is at rest.
double add_event(const ImpactEvent& event, int number, const std::vector<ElastoplasticLaw>& laws,
                 std::vector<MicroSample>& samples);

}  // namespace saltus::impulse
