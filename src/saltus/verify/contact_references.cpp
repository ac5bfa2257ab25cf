// SPDX-License-Identifier: Apache-2.0
// Impacts, friction and rest.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"

namespace saltus {
namespace {

using measures::at;
using measures::contacts_hold;
using measures::impact_time;
using measures::largest;
using measures::last;
using measures::max_penetration;
using measures::Measure;

double all_losses(const RecordedRun& run) {
  return run.last("energy.impact_loss") + run.last("energy.friction_loss") +
         run.last("energy.numerical_loss");
}

/// A ball from 0.8 m with restitution 0.8: impact k + 1 comes 2 eᵏ v/g after impact k.
ReferenceCase bouncing_ball() {
  const double g = 9.8, height = 0.8, e = 0.8, h = 1e-3, speed = std::sqrt(2 * g * height);
  const double t_1 = speed / g, t_2 = t_1 + 2 * e * t_1, t_3 = t_2 + 2 * e * e * t_1;
  const char* const late = "each impact is at most a step late";
  return {"bouncing_ball",
          {"/simulation/integrator/step=1e-3", "/simulation/end_time=5"},
          {{"time of impact 1 (s)", t_1, 2 * h, late, impact_time(0)},
           {"time of impact 2 (s)", t_2, 3 * h, late, impact_time(1)},
           {"time of impact 3 (s)", t_3, 4 * h, late, impact_time(2)},
           {"speed at 5 s (m/s)", 0, 1e-12, "at rest since 3.64 s", last("ball.velocity.z")},
           {"sum of all losses (J)", g * height, 1e-9, "the energy ledger closes", all_losses},
           {"largest penetration (m)", 0, 1e-9, contacts_hold, max_penetration}}};
}

/// A mass thrown with 2 m/s up a plane of 15° with friction 0.3.
ReferenceCase incline_point_mass() {
  const double angle = 15 * std::numbers::pi / 180, mu = 0.3, h = 1e-3;
  const double normal = 9.81 * std::cos(angle), weight = 9.81 * std::sin(angle);
  const double stop = 2 * 2 / (2 * (weight + mu * normal));
  const char* const balance = "forces balance in each step";
  const auto creep = [](const RecordedRun& run) {
    return run.at("mass.position.x", 2) - run.at("mass.position.x", 1);
  };
  return {
      "incline_point_mass",
      {"/simulation/integrator/step=1e-3", "/simulation/end_time=2"},
      {{"x at rest (m)", stop, 2e-6, "the step in which it stops, v h/2", last("mass.position.x")},
       {"normal impulse (N s)", normal * h, 1e-9, balance, at("touch.impulse.n", 0.2)},
       {"friction, slipping (N s)", -mu * normal * h, 1e-9, balance, at("touch.impulse.t1", 0.2)},
       {"friction, sticking (N s)", weight * h, 1e-9, balance, at("touch.impulse.t1", 1)},
       {"creep from 1 s to 2 s (m)", 0, 1e-11, "sticking is exact up to round-off", creep}}};
}

/// Leaves the belt's speed of 1 m/s where the spring pulls with μ m g, and then oscillates.
ReferenceCase block_on_belt() {
  const double amplitude = std::sqrt(3.0 / 50), delay = 2e-3;
  return {"block_on_belt",
          {},
          {{"largest x (m)", 1 + 3 * 9.81 / 50 + amplitude, delay * delay / (2 * amplitude),
            "slip begins up to two steps late, by d = 2 v h: d^2/(2 A)",
            largest([](const RecordedRun& r, std::size_t i) {
              return r.value("block.position.x", i);
            })}}};
}

ReferenceCase rigid_box_impact() {
  const double h = 1e-4, spin = 60 * std::numbers::sqrt2;
  const auto impulse = [](const RecordedRun& run) {
    return run.events().empty() ? std::nan("") : run.events().front().impulse[0];
  };
  return {"rigid_box_impact",
          {"/simulation/integrator/step=1e-4"},
          {{"time of impact (s)", 0.41529, h, "a step late", impact_time(0)},
           {"impulse (N s)", 500.8, 500.8 * spin * h, "a step late: turned by spin h", impulse},
           {"horizontal velocity (m/s)", 3, 1e-12, "no friction", last("box.velocity.x")}}};
}

ReferenceCase pendulum_on_flexible_supports() {
  return {"pendulum_on_flexible_supports",
          {},
          {{"time of impact 1 (s)", 0.50570, 1e-3, "a step late", impact_time(0)},
           {"largest penetration (m)", 0, 1e-9, contacts_hold, max_penetration}}};
}

ReferenceCase rocking_rod(int number) {
  const auto lift = [](const RecordedRun& run) {
    return run.last("support_1.impulse.y") + run.last("support_2.impulse.y");
  };
  return {fmt::format("rocking_rod_{}", number),
          {},
          {{"speed at 1.5 s (m/s)", 0, 1e-12, "at rest", last("rod.velocity.y")},
           {"supports' impulse (N s)", 0.48 * 9.8 * 1e-3, 1e-9, "carry the weight", lift}}};
}

/// Times of the last n + 1 impacts of a contact.
std::vector<double> last_impacts(const RecordedRun& run, const std::string& contact,
                                 std::size_t n) {
  std::vector<double> times;
  for (const EventRow& event : run.events()) {
    if (event.kind == "impact" && event.contact == contact) times.push_back(event.time);
  }
  if (times.size() <= n) return std::vector<double>(n + 1, std::nan(""));
  return {times.end() - static_cast<long>(n) - 1, times.end()};
}

std::vector<std::string> every_step() { return {"/simulation/record/every=1"}; }

/// The beak strikes once a cycle.
ReferenceCase woodpecker(const char* example, double frequency, double drop,
                         const std::vector<std::string>& settings) {
  constexpr std::size_t cycles = 10;
  const auto measured_frequency = [](const RecordedRun& run) {
    const std::vector<double> t = last_impacts(run, "contact_1", cycles);
    return cycles / (t.back() - t.front());
  };
  const auto measured_drop = [](const RecordedRun& run) {
    const std::vector<double> t = last_impacts(run, "contact_1", cycles);
    const double fall =
        run.at("sleeve.position.y", t.front()) - run.at("sleeve.position.y", t.back());
    return 1000 * fall / cycles;
  };
  const char* const published = "published with two or three digits: 1.5 %";
  return {example,
          settings,
          {{"frequency (Hz)", frequency, 0.015 * frequency, published, measured_frequency},
           {"drop a cycle (mm)", drop, 0.015 * drop, published, measured_drop}}};
}

/// The free woodpecker on a rough rod, with a friction of 0.35.
ReferenceCase rough_woodpecker() {
  std::vector<std::string> rough = every_step();
  for (int k = 0; k < 5; ++k) rough.push_back(fmt::format("/model/contacts/{}/friction=0.35", k));
  ReferenceCase result = woodpecker("woodpecker_free", 8.3, 5.3, rough);
  for (ReferenceCheck& check : result.checks) check.quantity = "rough: " + check.quantity;
  return result;
}

/// A chain of masses that slide; a blow goes through it.
ReferenceCase sliding_masses() {
  const char* const derived = "four digits of another program with this step";
  const Measure length = [](const RecordedRun& run) {
    return run.last("m1.position.x") - run.last("m21.position.x") - 1;
  };
  return {"sliding_masses",
          {"/simulation/integrator/step=1e-4", "/simulation/record/every=5"},
          {{"way of the first mass (m)", 0.3740, 1e-4, derived, last("m1.position.x")},
           {"place of the last mass (m)", 0.3732 - 1, 1e-4, derived, last("m21.position.x")},
           {"change of the length (m)", 0, 1e-3, "springs recover it; friction holds the rest",
            length}}};
}

}  // namespace

std::vector<ReferenceCase> contact_references() {
  return {bouncing_ball(),
          incline_point_mass(),
          block_on_belt(),
          rigid_box_impact(),
          pendulum_on_flexible_supports(),
          rocking_rod(1),
          rocking_rod(2),
          rocking_rod(3),
          rocking_rod(4),
          woodpecker("woodpecker_fixed", 7.66, 14.3, every_step()),
          woodpecker("woodpecker_free", 7.96, 7.6, every_step()),
          rough_woodpecker(),
          sliding_masses()};
}

}  // namespace saltus
