// SPDX-License-Identifier: Apache-2.0
// Beams, bars and solids: equilibria, frequencies, waves, impacts, mechanisms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::at;
using measures::contacts_hold;
using measures::impact_time;
using measures::largest;
using measures::largest_error;
using measures::last;
using measures::max_penetration;
using std::numbers::pi;

constexpr const char* late = "noticed at the end of the step";
constexpr const char* same_element = "digits of an independent program with this element";

Measure frequency(std::size_t mode) {
  return [=](const RecordedRun& run) { return measures::angular_frequency(mode)(run) / (2 * pi); };
}

/// Time of the first event of this kind at this contact.
Measure first_event(const std::string& kind, const std::string& contact) {
  return [=](const RecordedRun& run) {
    for (const EventRow& event : run.events()) {
      if (event.kind == kind && event.contact == contact) return event.time;
    }
    return std::nan("");
  };
}

// ---- statics and modes
// ---------------------------------------------------------------------------

ReferenceCase roll_up() {
  const auto tip = [](const RecordedRun& run) {
    return run.vector("strip.node10.position", run.rows() - 1).norm();
  };
  return {"cantilever_roll_up",
          {},
          {{"tip from clamp", "m", Exact, 0, 1e-9, "arcs are exact; forces balance to 1e-10", tip},
           {"energy", "J", Exact, 2 * pi * pi, 1e-8, "the same", last("energy.elastic")}}};
}

ReferenceCase bend() {
  return {"bend_45",
          {},
          {{"tip's x", "", Derived, 47.1494, 1e-4, same_element, last("bend.node8.position.x")},
           {"tip's y", "", Derived, 15.6841, 1e-4, same_element, last("bend.node8.position.y")},
           {"tip's z", "", Derived, 53.4830, 1e-4, same_element, last("bend.node8.position.z")},
           {"tip's z, literature", "", Literature, 53.4, 0.1,
            "published with three digits, by many elements", last("bend.node8.position.z")},
           {"tip's x, converged", "", Derived, 47.15042, 1e-5, same_element},
           {"tip's y, converged", "", Derived, 15.68479, 1e-5, same_element},
           {"tip's z, converged", "", Derived, 53.47498, 1e-5, same_element}}};
}

/// Timoshenko's beam; eight elements of length l with Hermite mass. Wave numbers k of Bernoulli's.
ReferenceCase cantilever_frequencies() {
  const auto row = [](const char* name, double omega, double k_L, double thickness,
                      std::size_t mode) {
    const double f = omega / (2 * pi), kl = k_L / 8, kr = k_L * thickness / std::sqrt(12.0);
    const double mesh = std::pow(kl, 4) / 1200 + std::pow(kr * kl, 2) / 12;
    return Reference{
        name,           "Hz",
        Exact,          f,
        mesh * f,       "the mesh: (k l)^4/1440 and more; rotary inertia on nodes: (k r k l)^2/12",
        frequency(mode)};
  };
  return {"cantilever_modes",
          {},
          {row("first", 52.660846, 1.8751, 0.01, 0), row("second", 105.296497, 1.8751, 0.02, 1),
           row("third", 329.862708, 4.6941, 0.01, 2), row("fifth", 922.915464, 7.8548, 0.01, 4)}};
}

ReferenceCase cube_frequencies() {
  const char* const polynomials = "last digit of a Ritz solution, polynomials of degree 12";
  return {"free_cube_modes",
          {},
          {{"sixth, rigid", "Hz", Exact, 0, 1e-4, "root of round-off", frequency(5)},
           {"seventh", "Hz", Derived, 27.7459, 5.1e-5, same_element, frequency(6)},
           {"ninth", "Hz", Derived, 37.2088, 5.1e-5, same_element, frequency(8)},
           {"twelfth", "Hz", Derived, 38.1515, 5.1e-5, same_element, frequency(11)},
           {"seventh, converged", "Hz", Derived, 26.7439, 5e-5, polynomials},
           {"ninth, converged", "Hz", Derived, 36.0133, 5e-5, polynomials},
           {"twelfth, converged", "Hz", Derived, 36.6246, 5e-5, polynomials}}};
}

// ---- impacts
// -------------------------------------------------------------------------------------

/// Waves with c = 30 m/s: contact for 2 L/c, force ρ c v A.
ReferenceCase bar() {
  const double h = 1e-3, closes = 0.5005, opens = closes + 20.0 / 30;
  const auto plateau = [](const RecordedRun& run) {
    double sum = 0;
    for (std::size_t row = 0; row < run.rows(); ++row) {
      if (run.times()[row] > 0.55 && run.times()[row] < 1.0501)
        sum += run.value("impact.impulse.n", row);
    }
    return sum / 0.5;
  };
  const double front = std::cbrt(30 * 0.05 * 0.05 * (opens - closes) / 8) / 30;
  const char* const spread = "the front of the wave, spread by the mesh";
  const char* const same_scheme = "digits of an independent program of the scheme";
  return {
      "elastic_bar_impact",
      {},
      {{"contact closes", "s", Exact, closes, h, late, impact_time(0)},
       {"contact opens", "s", Exact, opens, front, spread, first_event("opens", "impact")},
       {"force between", "N", Exact, 300, 0.03, "a plateau that the front does not reach", plateau},
       {"impulse", "N s", Exact, 200, 300 * front, "300 N for the time of the front"},
       {"velocity after", "m/s", Exact, -10, 30 * front,
        "300 N for the time of the front, over 10 kg", last("bar.velocity.x")},
       {"the same, this scheme", "m/s", Derived, -9.9458, 5e-5, same_scheme,
        last("bar.velocity.x")},
       {"the same, h 0.01", "m/s", Derived, -9.587, 5e-4, same_scheme},
       {"the same, h 0.03", "m/s", Derived, -8.970, 5e-4, same_scheme},
       {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

ReferenceCase pendulum() {
  const double h = 1e-4;
  const char* const elements = "other elements, other step: a bow of 0.1 mm";
  return {
      "flexible_pendulum",
      {},
      {{"time of impact 1", "s", Derived, 0.33023, h, late, impact_time(0)},
       {"time of impact, rigid rod", "s", Exact, 0.330171, h, late},
       {"tip's x at 0.3 s", "m", Derived, 0.79453, 2e-4, elements, at("rod.node8.position.x", 0.3)},
       {"tip's y at 0.3 s", "m", Derived, -0.60722, 2e-4, elements,
        at("rod.node8.position.y", 0.3)},
       {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

/// From 0.24 s on; times are counted from there.
ReferenceCase cube() {
  const double h = 1e-3, g = 9.81, start = 0.24, fall = std::sqrt(2 * 0.3 / g), rebound = 1.95;
  const auto speed = [](const RecordedRun& run) {
    return run.events().empty() ? std::nan("") : -run.events().front().before[0];
  };
  const auto lowest = [](const RecordedRun& run) {
    const std::vector<double>& z = run.column("cube.position.z");
    return z.empty() ? std::nan("") : *std::min_element(z.begin(), z.end());
  };
  return {"flexible_cube",
          {fmt::format("/simulation/integrator/step={}", h), "/simulation/end_time=0.06",
           R"(/simulation/record={"every": 1, "flexible": "bodies"})",
           fmt::format("/model/bodies/0/pose={{\"position\": [0, 0, {:.17g}]}}",
                       0.35 - g * start * start / 2),
           fmt::format("/model/bodies/0/velocity={{\"linear\": [0, 0, {:.17g}]}}", -g * start)},
          {{"time of impact", "s", Exact, fall - start, h, late, impact_time(0)},
           {"speed of impact", "m/s", Exact, g * fall, g * h, late, speed},
           {"lowest centre", "m", Derived, 0.0329, 1e-4, "three digits of an independent program",
            lowest},
           // The centre falls again for 23 ms after the contact has opened at 0.277 s.
           {"velocity at 0.3 s", "m/s", Derived, rebound - g * 0.023, 0.06,
            "first order in h: 60 m/s^2 h", last("cube.velocity.z")},
           {"rebound", "m/s", Derived, rebound, 0.01 + 60 * h, "last digit, and first order in h"},
           {"contact opens, from the start", "s", Derived, 0.277, h, late},
           {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

ReferenceCase oblique() {
  const char* const meshes = "chatter: range of meshes of 4 to 32 elements, steps and masses";
  return {
      "oblique_beam_impact",
      {},
      {{"first impact", "s", Exact, 0.05, 1e-4, late, first_event("impact", "lower")},
       {"first opening", "s", Galvez, 0.055, 5e-4, "published with two digits",
        first_event("opens", "lower")},
       {"second impact", "s", Galvez, 0.5878, 0.022,
        "chatter: depends on mesh and step, 0.57 to 0.61", first_event("impact", "upper")},
       {"second impact, meshes", "s", Derived, 0.59, 0.02, meshes, first_event("impact", "upper")},
       {"last contact", "s", Galvez, 0.0825, 0.0075, meshes}}};
}

// ---- mechanisms
// ----------------------------------------------------------------------------------

ReferenceCase roller_crank() {
  const auto impacts = [](const RecordedRun& run) {
    return static_cast<double>(run.report().impacts);
  };
  const auto iterations = [](const RecordedRun& run) {
    const RunReport& r = run.report();
    return static_cast<double>(std::max({r.smooth.max, r.position.max, r.velocity.max}));
  };
  return {"roller_crank_flexible",
          {},
          {{"landings of the roller", "", Sanchez, 2, 0.5, "published", impacts},
           {"most iterations", "", Sanchez, 2, 1, "published: 2 to 3", iterations},
           {"mass of the rod", "kg", Exact, 7850 * 1.1323e-4 * 0.3, 5e-6, "density, area, length"},
           {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

/// The slider of a rigid mechanism; a bow w of the rod shortens it by π²w²/(4L).
ReferenceCase slider_crank() {
  const auto position = [](double t) {
    const double angle = t < 0.1 ? 300 * t * t : 60 * t - 3, y = 0.15 * std::sin(angle);
    return 0.15 * std::cos(angle) + std::sqrt(0.09 - y * y);
  };
  return {"flexible_slider_crank",
          {},
          {{"slider, rigid", "m", Exact, 0, 6e-6, "the rod is bent by 0.6 mm, and shorter",
            largest_error("slider.position.x", position)},
           {"ledger's residual", "J", Exact, 0, 1e-7, "1e-8 of 10 J",
            largest([](const RecordedRun& r, std::size_t i) {
              return r.value("energy.residual", i);
            })}}};
}

/// At rest, with more damping than in the example.
ReferenceCase beam_and_ball() {
  const double E = 2.1e11, I = 0.05 * 8e-6 / 12, A = 1e-3, L = 2, g = 9.81, h = 1e-3;
  const double ball = 2 * g, beam = 7850 * A * L * g;
  const double by_beam = 5 * beam * std::pow(L, 3) / (384 * E * I);
  const double sag = ball * std::pow(L, 3) / (48 * E * I) + by_beam;
  const auto lift = [](const RecordedRun& run) {
    return (run.last("left.impulse.z") + run.last("right.impulse.z")) / 1e-3;
  };
  return {"beam_falling_mass",
          {fmt::format("/simulation/integrator/step={}", h), "/simulation/end_time=4",
           R"(/simulation/record={"every": 1, "flexible": "nodes"})",
           R"(/model/bodies/0/damping={"type": "modal_ratio", "ratio": 0.15})"},
          {{"deflection at rest", "m", Exact, -sag, by_beam / 256,
            "weight acts on 16 elements' nodes", last("beam.node8.position.z")},
           {"supports' force", "N", Exact, ball + beam, 1e-3, "at rest to 1e-5", lift},
           {"ball's velocity", "m/s", Exact, 0, 1e-6, "at rest", last("ball.velocity.z")}}};
}

/// A rigid block would stop after v²/(2 g (μ cos α − sin α)).
ReferenceCase wedge() {
  const double angle = pi / 12, h = 4e-3, g = 9.81, mass = 1100 * 0.1 * 0.2 * (0.08 + 0.02) / 2;
  const double a = g * (0.5 * std::cos(angle) - std::sin(angle)), way = 1 / (2 * a);
  const double lost = mass * (0.5 + g * std::sin(angle) * way);
  const auto moved = [](const RecordedRun& run) {
    return run.at("wedge.position.x", 0.5) - run.value("wedge.position.x", 0);
  };
  const auto creep = [](const RecordedRun& run) {
    return run.last("wedge.position.x") - run.at("wedge.position.x", 0.5);
  };
  const auto losses = [](const RecordedRun& run) {
    return run.report().energy.friction_loss + run.report().energy.impact_loss;
  };
  const auto force = [h](const char* column) -> Measure {
    return [=](const RecordedRun& run) { return run.last(column) / (5 * h); };  // of five steps
  };
  return {
      "sliding_wedge",
      {fmt::format("/simulation/integrator/step={}", h), "/simulation/end_time=0.6",
       R"(/simulation/record={"every": 5, "flexible": "bodies"})"},
      {{"way until it stops", "m", Exact, way, a * h * h / 2 + 8e-6,
        "stops within a step; rubber leans by 1e-4 of 0.08 m", moved},
       {"creep from 0.5 to 0.6 s", "m", Exact, 0, 1e-5, "rubber that comes to rest", creep},
       // Where nodes close again, friction is part of an impact.
       {"friction, impacts take", "J", Exact, lost, 2e-3 * lost, "the rest is strain and sag",
        losses},
       {"carried by the plane", "N", Exact, mass * g * std::cos(angle), 1e-3 * mass * g,
        "the weight across it", force("friction.impulse.z")},
       {"held by the plane", "N", Exact, -mass * g * std::sin(angle), 1e-2 * mass * g,
        "the weight along it; rubber that comes to rest", force("friction.impulse.x")},
       {"ledger's residual", "J", Exact, 0, 1e-8 * lost, "1e-8 of what is lost",
        largest([](const RecordedRun& r, std::size_t i) { return r.value("energy.residual", i); })},
       {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

}  // namespace

std::vector<ReferenceCase> flexible_references() {
  return {roll_up(),
          bend(),
          cantilever_frequencies(),
          cube_frequencies(),
          bar(),
          pendulum(),
          cube(),
          oblique(),
          roller_crank(),
          slider_crank(),
          beam_and_ball(),
          wedge()};
}

}  // namespace saltus
