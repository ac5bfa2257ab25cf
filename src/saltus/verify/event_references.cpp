// SPDX-License-Identifier: Apache-2.0
// Impacts of several points with an energetic coefficient, by events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::impact_time;
using measures::last;
using measures::strongest;

constexpr const char* printed = "last digit of the reference";

/// Right after the impact at the start.
const std::vector<std::string> at_once = {"/simulation/end_time=1e-9",
                                          "/simulation/integrator/step=1e-9"};

/// Something of the impact with this number, from 0.
template <class Function>
Measure of_impact(std::size_t number, Function what) {
  return [=](const RecordedRun& run) {
    std::size_t count = 0;
    for (const EventRow& event : run.events()) {
      if (event.kind == "impact" && count++ == number) return what(event);
    }
    return std::nan("");
  };
}

Measure normal_impulse(std::size_t number) {
  return of_impact(number, [](const EventRow& event) { return event.impulse[0]; });
}

Measure normal_velocity_after(std::size_t number) {
  return of_impact(number, [](const EventRow& event) { return event.after[0]; });
}

/// The largest rise of the energy over what it was before, of the largest.
Reference no_gain() {
  const auto rise = [](const RecordedRun& run) {
    double lowest = HUGE_VAL, most = 0, worst = run.rows() > 0 ? 0 : std::nan("");
    for (std::size_t row = 0; row < run.rows(); ++row) {
      const double energy = run.value("energy.kinetic", row) + run.value("energy.gravity", row);
      worst = std::max(worst, energy - lowest);
      lowest = std::min(lowest, energy);
      most = std::max(most, std::abs(energy));
    }
    return worst / most;
  };
  return {"energy that appears, of all", "", Exact, 0, 1e-10, "it never grows", rise};
}

ReferenceCase planar_block(const char* name) {
  const double b = 0.1087;
  const auto corner = [=](double side) {
    return [=](const RecordedRun& run) {
      return run.last("block.velocity.z") + side * b / 2 * run.last("block.angular_velocity.y");
    };
  };
  return {name,
          at_once,
          {{"corner 1 leaves with", "m/s", Chatterjee, 0.1, 5e-5, "four digits of the coefficients",
            corner(1)},
           {"corner 2 leaves with", "m/s", Chatterjee, 0.6, 5e-5, "four digits of the coefficients",
            corner(-1)}}};
}

struct Corner {
  const char* example;
  Source source;
  double v_x, v_z, omega;
  double digits;
};

ReferenceCase ball_corner(const Corner& c) {
  const auto spin = [](const RecordedRun& run) {
    return std::abs(run.last("ball.angular_velocity.y"));
  };
  return {c.example,
          at_once,
          {{"v_x", "m/s", c.source, c.v_x, c.digits, printed, last("ball.velocity.x")},
           {"v_z", "m/s", c.source, c.v_z, c.digits, printed, last("ball.velocity.z")},
           {"angular velocity", "rad/s", c.source, c.omega, c.digits, printed, spin}}};
}

ReferenceCase block_four_point() {
  return {
      "block_four_point",
      {},
      {{"impact of the face", "s", Derived, 0.0872, 5e-5, printed, impact_time(0)},
       {"struck edge, event 1", "m/s", Derived, -0.262, 5e-4, printed, normal_velocity_after(0)},
       {"other edge, event 1", "m/s", Derived, 0.852, 5e-4, printed, normal_velocity_after(2)},
       no_gain()}};
}

ReferenceCase block_edge_impacts() {
  return {
      "block_edge_impacts",
      {},
      {{"first edge", "s", Derived, 0.357473, 5e-7, printed, impact_time(0)},
       {"impulse a corner", "N s", Derived, 2674.24, 0.01, printed, normal_impulse(0)},
       {"first edge leaves", "m/s", Derived, 1.549218, 1e-6, printed, normal_velocity_after(0)},
       {"second edge", "s", Derived, 0.487228, 1e-6, printed, impact_time(2)},
       {"second edge leaves", "m/s", Derived, 1.623484, 2e-6, printed, normal_velocity_after(2)},
       {"peak force", "N", Derived, 3.154e5, 100, printed, strongest(&StrongestImpact::peak_force)},
       {"indentation", "m", Derived, 1.7666e-2, 1e-6, printed,
        strongest(&StrongestImpact::peak_indentation)},
       {"duration", "s", Derived, 1.390e-2, 1e-5, printed, strongest(&StrongestImpact::duration)},
       {"v_y after the first", "m/s", Derived, 2.265908, 2e-6, printed},
       {"v_z after the first", "m/s", Derived, 0.053143, 2e-6, printed},
       {"w_x after the first", "rad/s", Derived, -6.071481, 2e-6, printed},
       {"v_y after the second", "m/s", Derived, 1.473308, 2e-6, printed},
       {"v_z after the second", "m/s", Derived, 1.044813, 2e-6, printed},
       {"w_x after the second", "rad/s", Derived, 1.733116, 2e-6, printed},
       no_gain()}};
}

ReferenceCase block_surface(int points, double impulse) {
  return {fmt::format("block_surface_{}", points),
          {},
          {{"first edge", "s", Derived, 0.418961, 5e-7, printed, impact_time(0)},
           {"impulse a point", "N s", Derived, impulse, 5e-5, printed, normal_impulse(0)},
           no_gain()}};
}

ReferenceCase block_surface_force(const char* name, double force, double indentation, double T) {
  return {name,
          {},
          {{"peak force", "N", Derived, force, 1e-3 * force, printed,
            strongest(&StrongestImpact::peak_force)},
           {"indentation", "m", Derived, indentation, 1e-3 * indentation, printed,
            strongest(&StrongestImpact::peak_indentation)},
           {"duration", "s", Derived, T, 1e-3 * T, printed, strongest(&StrongestImpact::duration)},
           no_gain()}};
}

struct Specimen {
  int number;
  double width, height;
  double e;  ///< of events of both corners
};

/// What the first rock leaves of the angular velocity: from the angular momentum about the new
/// pivot right after it, which the bounces of the pivot keep.
Measure share_kept(const Specimen& s) {
  return [=](const RecordedRun& run) {
    const double t = run.impact_time(0);
    double before = std::nan(""), away = std::nan("");
    Vector3 pivot = Vector3::Constant(std::nan(""));
    for (const EventRow& event : run.events()) {
      if (event.time != t) continue;
      const bool is_pivot = event.contact == "k.corner2.floor.0";
      if (is_pivot && event.kind == "impact") {
        if (event.order == 1) before = -event.before[0] / s.width;
        pivot = event.after;
      }
      if (!is_pivot && event.kind == "opens") away = event.after[0];
    }
    const double x = -s.width / 2, z = s.height / 2;  // of the centre, from the pivot
    const double I = 4.0 / 3 * (x * x + z * z);       // about the pivot, a unit of mass
    const double omega = (away - pivot[0]) / s.width + (z * pivot[1] - x * pivot[0]) / I;
    return omega / before;
  };
}

ReferenceCase rocking(const Specimen& s) {
  const double sine = s.width / std::hypot(s.width, s.height);
  return {fmt::format("rocking_specimen_{}", s.number),
          {},
          {{"angular velocity kept", "", Exact, 1 - 0.75 * (1 + s.e) * sine * sine, 1e-6,
            "1 - 0.75 (1 + |e*|) sin^2 a, bounces of the new edge left out", share_kept(s)},
           no_gain()}};
}

}  // namespace

std::vector<ReferenceCase> event_references() {
  std::vector<ReferenceCase> all = {
      planar_block("planar_block"),
      planar_block("planar_block_friction"),
      ball_corner({"planar_ball_corner", Derived, -1.30706, 3.73195, 7.46391, 1e-5}),
      ball_corner({"planar_ball_corner_thesis", Chatterjee, -5.50418, 4.89286, 9.78572, 2e-5}),
      block_four_point(),
      block_edge_impacts(),
      block_surface(4, 3.5153),
      block_surface(8, 2.3435),
      block_surface(16, 1.7577),
      block_surface(25, 1.4061),
      block_surface_force("block_surface_force", 4.579e4, 2.746e-4, 1.563e-4),
      block_surface_force("block_surface_force_8", 3.572e4, 2.289e-4, 1.319e-4),
      block_surface_force("block_surface_force_16", 3.011e4, 2.007e-4, 1.166e-4),
      block_surface_force("block_surface_force_25", 2.645e4, 1.810e-4, 1.057e-4),
      {"sphere_corner",
       {},
       {{"impact", "s", Exact, 1, 1e-12, "exact", impact_time(0)}, no_gain()}}};
  for (const Specimen& s :
       {Specimen{1, 0.23, 1, 0.73}, Specimen{2, 0.155, 1, 0.95}, Specimen{4, 0.115, 0.457, 0.96}}) {
    all.push_back(rocking(s));
    all.push_back({fmt::format("rocking_specimen_{}_3d", s.number), {}, {no_gain()}});
  }
  all.push_back({"rocking_specimen_1_force", {}, {no_gain()}});
  return all;
}

}  // namespace saltus
