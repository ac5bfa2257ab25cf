// SPDX-License-Identifier: Apache-2.0
// Forces of impacts, rebuilt from their impulses.
#include <fmt/format.h>

#include <cmath>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using measures::impact_time;
using measures::Measure;
using measures::strongest;

Measure duration() { return strongest(&StrongestImpact::duration); }
Measure peak_force() { return strongest(&StrongestImpact::peak_force); }

constexpr const char* rebuilt = "of the same method, at the exact speed: 1 %";

/// The first bounce from 1 m; reference: the method on the exact impulse.
ReferenceCase bouncing_ball_force(double e, double h, double milliseconds, double newtons) {
  const double T = milliseconds * 1e-3;
  const std::string name = fmt::format("e {}, h {}: ", e, h);
  return {"bouncing_ball_force",
          {fmt::format("/model/contacts/bounce/restitution={}", e),
           fmt::format("/simulation/integrator/step={}", h), "/simulation/end_time=0.6"},
          {{name + "T (s)", T, 0.01 * T, rebuilt, duration()},
           {name + "peak (N)", newtons, 0.01 * newtons, rebuilt, peak_force()}}};
}

ReferenceCase two_sphere_impact(double e, double published, double margin, double newtons) {
  return {
      "two_sphere_impact",
      {fmt::format("/model/contacts/hit/restitution={}", e)},
      {{fmt::format("e = {}: duration (s)", e), published, margin,
        "published with three digits; the method gives 0.230 ms at 0.2", duration()},
       {fmt::format("e = {}: peak force (N)", e), newtons, 0.01 * newtons, rebuilt, peak_force()}}};
}

ReferenceCase crank_block_impact() {
  const char* const published = "published with three digits by another program";
  return {"crank_block_impact",
          {},
          {{"first impact (s)", 0.0438, 0.5e-3, published, impact_time(0)},
           {"second impact (s)", 0.0672, 0.5e-3, published, impact_time(1)},
           {"duration of the first (s)", 68.5e-6, 0.02 * 68.5e-6, published, duration()}}};
}

ReferenceCase ball_bearing() {
  const Measure ratio = [](const RecordedRun& run) {
    return run.report().bearings.at(0).cage_ratio;
  };
  return {"ball_bearing",
          {"/simulation/end_time=0.3"},
          {{"cage over inner speed", 0.3813, 0.005 * 0.3813, "rolling: r_i/(r_i + r_e)", ratio}}};
}

}  // namespace

std::vector<ReferenceCase> force_references() {
  std::vector<ReferenceCase> all;
  for (const double h : {1e-4, 1e-3, 1e-2}) {
    all.push_back(bouncing_ball_force(1.0, h, 1.369, 11544));
    all.push_back(bouncing_ball_force(0.8, h, 1.391, 10902));
    all.push_back(bouncing_ball_force(0.6, h, 1.446, 11297));
    all.push_back(bouncing_ball_force(0.4, h, 1.581, 13070));
    all.push_back(bouncing_ball_force(0.2, h, 1.999, 17857));
  }
  all.push_back(ball_bearing());
  all.push_back(two_sphere_impact(0.8, 0.160e-3, 0.002e-3, 295.7));
  all.push_back(two_sphere_impact(0.2, 0.228e-3, 0.003e-3, 388.2));
  all.push_back(crank_block_impact());
  return all;
}

}  // namespace saltus
