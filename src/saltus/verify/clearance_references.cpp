// SPDX-License-Identifier: Apache-2.0
// Joints with clearance.
#include <cmath>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"
#include "saltus/verify/rigid_slider_crank.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::largest;

// Of the slider-crank: radius of the crank over length of the rod, acceleration of its pin.
constexpr double turn_time = 0.012, crank_speed = 523.5987756, crank = 0.05, rod = 0.12,
                 slider = 0.14;
constexpr double lambda = crank / rod, inertia = slider * crank * crank_speed * crank_speed;

/// Largest speed of the slider, from the kinematics of rigid members.
double fastest_slider() {
  double fastest = 0;
  for (int i = 0; i <= 10000; ++i) {
    const double angle = 1e-4 * M_PI * i, s = std::sin(angle);
    const double swing = lambda * s * std::cos(angle) / std::sqrt(1 - lambda * lambda * s * s);
    fastest = std::max(fastest, crank * crank_speed * (s + swing));
  }
  return fastest;
}

Measure pin_force(double time) {
  return [=](const RecordedRun& run) { return std::abs(run.at("slider_pin.force.x", time)); };
}

ReferenceCase ideal_slider_crank() {
  const char* const exact = "rigid members: m r ω² (1 ± r/l)";
  const double most = inertia * (1 + lambda), least = inertia * (1 - lambda);
  const RigidSliderCrank engine{.crank = crank,
                                .rod = rod,
                                .crank_mass = 0.3,
                                .crank_inertia = 0.3 * crank * crank / 12,
                                .rod_mass = 0.21,
                                .rod_inertia = 0.21 * rod * rod / 12,
                                .slider_mass = slider};
  const double t = 0.2 * turn_time, energy = engine.kinetic_energy(crank_speed * t, crank_speed);
  return {"clearance_slider_crank_ideal",
          {},
          {{"kinetic energy, 0.0024 s", "J", Exact, energy, 1e-8 * energy,
            "kinematics of rigid members", measures::at("energy.kinetic", t)},
           {"pin force at 0°", "N", Exact, most, 0.1, exact, pin_force(turn_time)},
           {"pin force at 180°", "N", Exact, least, 0.1, exact, pin_force(1.5 * turn_time)},
           {"speed of the slider", "m/s", Exact, fastest_slider(), 1e-4 * fastest_slider(),
            "kinematics of rigid members", largest([](const RecordedRun& run, std::size_t row) {
              return run.value("slider.velocity.x", row);
            })}}};
}

ReferenceCase slider_crank(const char* example, double clearance) {
  return {example,
          {"/simulation/integrator/step=4e-6", "/simulation/end_time=0.012"},
          {{"largest eccentricity", "m", Exact, clearance, 1e-6 * clearance, "the radial clearance",
            largest([](const RecordedRun& run, std::size_t row) {
              return run.vector("joint.eccentricity", row).norm();
            })},
           {"speed of the slider", "m/s", Exact, fastest_slider(), 1,
            "that of rigid members; beams and clearance change it by some per cent",
            largest([](const RecordedRun& run, std::size_t row) {
              return run.value("slider.velocity.x", row);
            })}}};
}

/// What the far end of the pin pulls down with, over the weight: the lever, less what the pin has
/// slipped out.
ReferenceCase pin_in_bore() {
  const auto lever = [](const RecordedRun& run) {
    return 0.1 - (run.last("bracket.position.x") - 0.15);
  };
  const Measure error = [=](const RecordedRun& run) {
    double down = 0;
    for (const char* point : {"1", "2", "3", "6"}) {
      const double impulse = run.last("fit.bore.pin." + std::string(point) + ".impulse.z");
      if (impulse < 0) down -= impulse / 1e-4;
    }
    return down / (2 * 9.81) - (0.2 / lever(run) - 1);
  };
  const Measure tilt = [=](const RecordedRun& run) {
    return run.last("bracket.rotation.y") * lever(run);
  };
  return {"pin_in_bore",
          {"/model/contacts/0/friction=0", "/simulation/end_time=0.2"},
          {{"end force over weight, error", "", Exact, 0, 1e-3, "equilibrium of moments", error},
           {"tilt times lever", "m", Exact, 2e-4, 1e-7, "twice the clearance", tilt}}};
}

/// Its crank turns evenly: bearing and crank pin together give it m (l/2) ω².
ReferenceCase flexible_rod_clearance() {
  const auto on_crank = [](const RecordedRun& run) {
    const std::size_t row = run.rows() - 1;
    return (run.vector("bearing.force", row) - run.vector("crank_pin.force", row)).norm();
  };
  return {"flexible_rod_clearance",
          {"/simulation/end_time=0.012"},
          {{"force on the crank", "N", Exact, 0.3 * 0.025 * 52.4 * 52.4, 1e-6,
            "balance in each step", on_crank}}};
}

}  // namespace

std::vector<ReferenceCase> clearance_references() {
  return {ideal_slider_crank(), slider_crank("clearance_slider_crank_005", 0.05e-3),
          slider_crank("clearance_slider_crank_010", 0.1e-3), pin_in_bore(),
          flexible_rod_clearance()};
}

}  // namespace saltus
