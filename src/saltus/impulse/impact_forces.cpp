// SPDX-License-Identifier: Apache-2.0
#include "saltus/impulse/impact_forces.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/impulse/micro_time.hpp"
#include "saltus/impulse/tuning.hpp"

namespace saltus::impulse {

namespace {

/// Samples a…b of a point in which it takes part in events and only approaches or only parts.
struct Phase {
  int first, last;
  bool approaches;
};

std::vector<Phase> phases(const ImpactResult& result, const std::vector<MicroSample>& samples,
                          int point) {
  std::vector<Phase> list;
  double fastest = 0;
  for (const MicroSample& sample : samples) {
    fastest = std::max(fastest, sample.normal_velocity.cwiseAbs().maxCoeff());
  }
  for (int k = 0; k < static_cast<int>(samples.size()); ++k) {
    const auto& members = result.events[samples[k].event].points;
    if (std::find(members.begin(), members.end(), point) == members.end()) continue;
    double v = samples[k].normal_velocity[point];
    if (std::abs(v) <= MicroTuning::still_velocity * fastest) v = 0;
    // The moment of rest belongs to both.
    const bool approaches = v < 0 || (v == 0 && !list.empty() && list.back().approaches);
    const bool follows = !list.empty() && list.back().last == k - 1;
    if (follows && list.back().approaches == approaches)
      list.back().last = k;
    else
      list.push_back({follows && !approaches ? k - 1 : k, k, approaches});
  }
  return list;
}

/// (16) and (22): the law while the point approaches; then back to no force along the curve of
/// elastic contact.
void set_forces(const ImpactResult& result, const std::vector<MicroSample>& samples,
                const ElastoplasticLaw& law, int point, double preload, PointForces& forces) {
  double f_0 = preload;
  for (const Phase& phase : phases(result, samples, point)) {
    const double delta_c = samples[phase.first].deformation[point];
    const double delta_f = samples[phase.last].deformation[point];
    for (int k = phase.first; k <= phase.last; ++k) {
      const double delta = samples[k].deformation[point];
      if (phase.approaches) {
        forces.normal[k] = law.force(delta, -samples[k].normal_velocity[point]);
      } else if (delta_c > delta_f) {
        const double part = std::clamp((delta - delta_f) / (delta_c - delta_f), 0.0, 1.0);
        forces.normal[k] = f_0 * std::pow(part, 1.5);
      }
    }
    if (phase.approaches) {
      f_0 = forces.normal[phase.last];
      forces.largest_deformation = std::max(forces.largest_deformation, delta_f);
    }
  }
}

}  // namespace

ImpactForces impact_forces(const ImpactProblem& problem, const ImpactResult& result,
                           const std::vector<ElastoplasticLaw>& laws,
                           const std::vector<double>& preload) {
  const int n = static_cast<int>(problem.points.size());
  ImpactForces forces;
  forces.points.resize(n);
  std::vector<MicroSample> samples(1);
  samples[0].deformation = VectorX::Zero(n);
  for (int k = 0; k < static_cast<int>(result.events.size()); ++k) {
    if (result.events[k].samples.size() < 2) continue;
    const double rest = add_event(result.events[k], k, laws, samples);
    if (k == 0) forces.compression_time = rest;
  }
  samples.erase(samples.begin());  // only carried the start
  for (const MicroSample& sample : samples) forces.time.push_back(sample.time);
  if (samples.empty()) return forces;
  forces.duration = samples.back().time;
  for (int i = 0; i < n; ++i) {
    PointForces& point = forces.points[i];
    point.normal.assign(samples.size(), 0);
    set_forces(result, samples, laws[i], i, preload.empty() ? 0 : preload[i], point);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      point.deformation.push_back(samples[k].deformation[i]);
      point.friction.emplace_back(point.normal[k] * samples[k].friction.segment<2>(2 * i));
      point.peak = std::max(point.peak, point.normal[k]);
    }
    point.permanent_deformation = point.deformation.back();
  }
  return forces;
}

}  // namespace saltus::impulse
