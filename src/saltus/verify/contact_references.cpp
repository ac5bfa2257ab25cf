// SPDX-License-Identifier: Apache-2.0
// Impacts, friction and rest.
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
using measures::last;
using measures::max_penetration;

double all_losses(const RecordedRun& run) {
  return run.last("energy.impact_loss") + run.last("energy.friction_loss") +
         run.last("energy.numerical_loss");
}

/// A ball from 0.8 m with restitution 0.8: impact k + 1 comes 2 eᵏ v/g after impact k.
ReferenceCase bouncing_ball() {
  const double g = 9.8, height = 0.8, e = 0.8, h = 1e-3, speed = std::sqrt(2 * g * height);
  const double t_1 = speed / g, t_2 = t_1 + 2 * e * t_1, t_3 = t_2 + 2 * e * e * t_1;
  const char* const late = "each impact is at most a step late";
  return {
      "bouncing_ball",
      {"/simulation/integrator/step=1e-3", "/simulation/end_time=5"},
      {{"time of impact 1", "s", Exact, t_1, h, late, impact_time(0)},
       {"time of impact 2", "s", Exact, t_2, 2 * h, late, impact_time(1)},
       {"time of impact 3", "s", Exact, t_3, 3 * h, late, impact_time(2)},
       {"speed at 5 s", "m/s", Exact, 0, 1e-12, "at rest since 3.64 s", last("ball.velocity.z")},
       {"sum of all losses", "J", Exact, g * height, 1e-9, "the energy ledger closes", all_losses},
       {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
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
      {{"x at rest", "m", Exact, stop, 2e-6, "the step in which it stops, v h/2",
        last("mass.position.x")},
       {"normal impulse", "N s", Exact, normal * h, 1e-12, balance, at("touch.impulse.n", 0.2)},
       {"friction, slipping", "N s", Exact, -mu * normal * h, 1e-12, balance,
        at("touch.impulse.t1", 0.2)},
       {"friction, sticking", "N s", Exact, weight * h, 1e-12, balance, at("touch.impulse.t1", 1)},
       {"creep from 1 s to 2 s", "m", Exact, 0, 1e-11, "sticking is exact up to round-off", creep},
       // The way in metres is the time in seconds, for it begins with 2 m/s.
       {"time of the stop", "s", Exact, stop, h, "noticed at the end of the step"},
       {"time of the stop, printed", "s", Galvez, 0.374, 5e-4,
        "half of the last digit; does not follow from the model"}}};
}

/// Leaves the belt's speed of 1 m/s where the spring pulls with μ m g, and then oscillates.
ReferenceCase block_on_belt() {
  const double h = 1e-3, amplitude = std::sqrt(3.0 / 50), delay = 2 * h, onset = 1 + 3 * 9.81 / 50;
  const double omega = std::sqrt(50.0 / 3), period = 2 * std::numbers::pi / omega;
  const char* const larger = "slip begins up to two steps late, by d = 2 v h: d^2/(2 A)";
  const char* const late = "each impact is at most a step late";
  const char* const drawing = "two digits; the author's drawing of the model is missing";
  return {"block_on_belt",
          {},
          {{"largest x", "m", Exact, onset + amplitude, delay * delay / (2 * amplitude), larger,
            largest([](const RecordedRun& r, std::size_t i) {
              return r.value("block.position.x", i);
            })},
           {"bounce 1", "s", Derived, 0.2300, h, late, impact_time(0)},
           {"bounce 2", "s", Derived, 0.4583, 2 * h, late, impact_time(1)},
           {"bounce 3", "s", Derived, 0.5728, 3 * h, late, impact_time(2)},
           {"bounce 4", "s", Derived, 0.6302, 4 * h, late, impact_time(3)},
           {"last bounce, printed", "s", Galvez, 0.65, 0.005, drawing},
           {"slip begins", "s", Derived, 0.9030, 2 * h, "up to two steps late"},
           {"slip begins, printed", "s", Galvez, 0.94, 0.005, drawing},
           {"x where slip begins", "m", Exact, onset, delay, "up to two steps late: 2 v h"},
           {"amplitude", "m", Exact, amplitude, delay * delay / (2 * amplitude), larger},
           {"period", "s", Exact, period, period * std::pow(omega * h, 2) / 4,
            "phase of the scheme, (w h)^2/4"}}};
}

ReferenceCase rigid_box_impact() {
  const double h = 1e-4, spin = 60 * std::numbers::sqrt2, turned = 500.8 * spin * h;
  const double mass = 46.8,
               rate = turned * 0.15 / 0.195;  // arm over the smallest moment of inertia
  const char* const late = "a step late: turned by spin h";
  const auto impulse = [](const RecordedRun& run) {
    return run.events().empty() ? std::nan("") : run.events().front().impulse[0];
  };
  return {"rigid_box_impact",
          {"/simulation/integrator/step=1e-4"},
          {{"time of impact", "s", Derived, 0.41529, h, "a step late", impact_time(0)},
           {"impulse", "N s", Derived, 500.8, turned, late, impulse},
           {"horizontal velocity", "m/s", Exact, 3, 1e-12, "no friction", last("box.velocity.x")},
           {"z at 0.69 s", "m", Derived, 1.6043, turned / mass * (0.69 - 0.41529), late,
            last("box.position.z")},
           {"v_z at 0.69 s", "m/s", Derived, 3.9316, turned / mass, late, last("box.velocity.z")},
           // In body axes; of steps of 1e-5 and less, the tolerance is for 1e-4.
           {"Ω_x at 0.69 s", "rad/s", Derived, 2.49, rate, late},
           {"Ω_y at 0.69 s", "rad/s", Derived, 38.57, rate, late},
           {"Ω_z at 0.69 s", "rad/s", Derived, -17.49, rate, late}}};
}

ReferenceCase pendulum_on_flexible_supports() {
  return {"pendulum_on_flexible_supports",
          {},
          {{"time of impact 1", "s", Exact, 0.50570, 1e-3, "a step late", impact_time(0)},
           {"weight of the plate", "N", Exact, 0.2 * 9.81, 1e-9, "at rest until the impact",
            at("centre.force.z", 0.2)},
           {"largest penetration", "m", Exact, 0, 1e-9, contacts_hold, max_penetration}}};
}

/// Each falls with its slope of 12° until it meets support 1.
ReferenceCase rocking_rod(int number, const std::vector<Reference>& more = {}) {
  const double h = 1e-3, tilt = 12 * std::numbers::pi / 180;
  const double fall = 0.5 * std::sin(tilt) - 0.2 * std::tan(tilt);
  const auto lift = [](const RecordedRun& run) {
    return run.last("support_1.impulse.y") + run.last("support_2.impulse.y");
  };
  ReferenceCase item = {
      fmt::format("rocking_rod_{}", number),
      {},
      {{"speed at 1.5 s", "m/s", Exact, 0, 1e-12, "at rest", last("rod.velocity.y")},
       {"supports' impulse", "N s", Exact, 0.48 * 9.8 * h, 1e-9, "carry the weight", lift},
       {"first impact", "s", Exact, std::sqrt(2 * fall / 9.8), h, "noticed at the end of the step",
        impact_time(0)}}};
  item.references.insert(item.references.end(), more.begin(), more.end());
  return item;
}

/// Impacts of a calculation whose first one is a step late.
std::vector<Reference> impacts_of_rod_1() {
  const double h = 1e-3;
  const char* const both = "a step late, and inherits delays of both programs";
  return {{"impact 1, support 1", "s", Derived, 0.113, 2 * h, both},
          {"impact 1, support 2", "s", Derived, 0.202, 3 * h, both},
          {"impact 2, support 1", "s", Derived, 0.334, 4 * h, both}};
}

std::vector<Reference> rest_of_rod_3() {
  return {{"normal force 1", "N", Galvez, 2.19, 0.0219, "1 %: follows from the place"},
          {"normal force 2", "N", Galvez, 2.50, 0.025, "1 %: follows from the place"},
          {"sum of tangential forces", "N", Galvez, 0.47, 0.005, "half of the last digit"},
          {"x at rest", "m", Galvez, 0.0134, 0.0015, "schemes and steps scatter by 10 %"}};
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
          {{"frequency", "Hz", Galvez, frequency, 0.015 * frequency, published, measured_frequency},
           {"drop a cycle", "mm", Galvez, drop, 0.015 * drop, published, measured_drop}}};
}

ReferenceCase free_woodpecker(double frequency, double drop,
                              const std::vector<std::string>& settings) {
  ReferenceCase item = woodpecker("woodpecker_free", frequency, drop, settings);
  const Measure closed = [](const RecordedRun& run) {
    const std::vector<double>& status = run.column("contact_3.status");
    if (status.empty()) return std::nan("");
    return static_cast<double>(
        std::count_if(status.begin(), status.end(), [](double s) { return s > 0; }));
  };
  item.references.push_back({"contact 3 closed", "", Galvez, 0, 0.5, "published: never", closed});
  return item;
}

/// On a rough rod, with a friction of 0.35.
ReferenceCase rough_woodpecker() {
  std::vector<std::string> rough = every_step();
  for (int k = 0; k < 5; ++k) rough.push_back(fmt::format("/model/contacts/{}/friction=0.35", k));
  ReferenceCase result = free_woodpecker(8.3, 5.3, rough);
  for (Reference& row : result.references) row.quantity = "rough: " + row.quantity;
  return result;
}

/// A chain of masses that slide; a blow goes through it, with the speed of waves.
ReferenceCase sliding_masses() {
  const double wave = 0.05 * std::sqrt(20 / 0.0025), front = std::cbrt(0.05 * 0.05 / 8) / wave;
  const char* const derived = "four digits of another program with this step";
  const Measure length = [](const RecordedRun& run) {
    return run.last("m1.position.x") - run.last("m21.position.x") - 1;
  };
  return {
      "sliding_masses",
      {"/simulation/integrator/step=1e-4", "/simulation/record/every=5"},
      {{"way of the first mass", "m", Derived, 0.3740, 1e-4, derived, last("m1.position.x")},
       {"place of the last mass", "m", Derived, 0.3732 - 1, 1e-4, derived, last("m21.position.x")},
       {"change of the length", "m", Exact, 0, 1e-3, "springs recover it; friction holds the rest",
        length},
       // Of another step, and what is seen at rows of 0.5 ms.
       {"way of the first mass, h 1e-3", "m", Derived, 0.3760, 1e-4, derived},
       {"place of the last mass, h 1e-3", "m", Derived, 0.3754 - 1, 1e-4, derived},
       {"last mass moves", "s", Derived, 0.215, 1e-3, "last digit, and a row"},
       {"last mass moves, h 1e-3", "s", Derived, 0.216, 1.5e-3, "last digit, and a row"},
       {"arrival of the wave", "s", Exact, 1 / wave, front, "what the masses spread it by"}}};
}

}  // namespace

std::vector<ReferenceCase> contact_references() {
  return {bouncing_ball(),
          incline_point_mass(),
          block_on_belt(),
          rigid_box_impact(),
          pendulum_on_flexible_supports(),
          rocking_rod(1, impacts_of_rod_1()),
          rocking_rod(2),
          rocking_rod(3, rest_of_rod_3()),
          rocking_rod(4),
          woodpecker("woodpecker_fixed", 7.66, 14.3, every_step()),
          free_woodpecker(7.96, 7.6, every_step()),
          rough_woodpecker(),
          sliding_masses()};
}

}  // namespace saltus
