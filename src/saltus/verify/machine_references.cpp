// SPDX-License-Identifier: Apache-2.0
// Machines and mechanisms: joints, drives, gears, actuators and springs.
#include <cmath>
#include <complex>
#include <numbers>

#include "saltus/verify/bennett_linkage.hpp"
#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"
#include "saltus/verify/rigid_slider_crank.hpp"

namespace saltus {
namespace machines {

using enum Source;
using measures::at;
using measures::largest;
using measures::largest_error;
using measures::last;

constexpr double pi = std::numbers::pi, g = 9.81;
constexpr const char* joints_hold = "joints hold to round-off";

/// A motor of 0.8 N m (1 − ω/120) turns a slider-crank through a gear 4 : 1, one equation for the
/// crank's angle.
static ReferenceCase geared_crank() {
  const double h = 1e-3, piston = std::pow(2 * 31 * h, 2) / 4;
  const char* const derived = "Runge-Kutta, 9 digits; (2 w h)^2/4 of it at w = 31 rad/s";
  return {"geared_crank",
          {},
          {{"crank at 0.3 s", "rad", Derived, -4.75784845, 4.76 * piston, derived,
            at("main.angle", 0.3)},
           {"motor at 0.3 s", "rad", Derived, 4 * 4.75784845, 4 * 4.76 * piston, derived,
            at("shaft.angle", 0.3)},
           {"kinetic energy, 0.5 s", "J", Derived, 7.15445134, 7.15 * piston, derived,
            at("energy.kinetic", 0.5)}}};
}

/// Pieces of constant torque: 28 N m for 0.5 s, then −2 N m; the stop at 1.6 rad turns the speed
/// back by 0.4. An impact up to a step late moves the angle by the jump of the speed times h, the
/// speed by what the closer does in it; the step that ends where the gust does has half of it.
static ReferenceCase door() {
  const double J = 20 * ((0.8 * 0.8 + 0.04 * 0.04) / 12 + 0.4 * 0.4), h = 1e-3;
  const double gust = 28 / J, closer = 2 / J, w_gust = gust * 0.5;
  const double w_stop = std::sqrt(w_gust * w_gust - 2 * closer * (1.6 - w_gust * 0.25));
  const double t = 1.2 - 0.5 - (w_gust - w_stop) / closer;  // since the stop
  const double w = 0.4 * w_stop + closer * t, angle = 1.6 - 0.4 * w_stop * t - closer * t * t / 2;
  const double late = 1.4 * closer * h + 0.4 * 15 / J * h;
  const char* const why = "impact up to a step late; half a step of the gust";
  return {"door",
          {},
          {{"weight", "N", Exact, 20 * g, 1e-9 * 20 * g, "tolerance of the iterations",
            at("hinge.force.z", 0.2)},
           {"angle at 1.2 s", "rad", Exact, angle, 1.4 * w_stop * h, why, at("hinge.angle", 1.2)},
           {"kinetic energy, 1.2 s", "J", Exact, J * w * w / 2, J * w * late, why,
            at("energy.kinetic", 1.2)}}};
}

/// I x'' = -m g a sin x - sign(x') mu r |F|, F from the motion itself, from one turn to the next.
static ReferenceCase pin_friction() {
  const char* const derived = "Runge-Kutta, 9 digits; at its turns the phase does not count";
  return {"pin_friction",
          {},
          {{"first turn", "rad", Derived, 0.742555377, 1e-5, derived, at("pin.angle", 0.64)},
           {"at its second", "rad", Derived, 0.085067751, 1e-5, derived, at("pin.angle", 1.279)},
           {"lost until the second", "J", Derived,
            2 * g * 0.3 * (std::cos(0.30763133) - std::cos(pi / 8)), 1e-4, derived,
            at("energy.friction_loss", 1.279)}}};
}

/// At the limit of 3 N m until 0.15 s and from 0.231944 to 0.411678 s, a damped oscillator else:
/// pieces in closed form, joined by bisection.
static ReferenceCase pd_arm() {
  const double w = std::sqrt(8 / 0.05), h = 2e-3, J = 0.6 * 0.5 * 0.5 / 3;
  const auto phase = [&](double t) { return 0.5 * std::pow(w * h, 2) / 4 * w * t; };
  const char* const lag = "0.5 rad times the phase (w h)^2/4 w t";
  return {"pd_arm",
          {},
          {{"angle at 0.3 s", "rad", Derived, 1.88757962, phase(0.3), lag, at("pin.angle", 0.3)},
           {"angle at 0.5 s", "rad", Derived, 1.64875421, phase(0.5), lag, at("pin.angle", 0.5)},
           {"angle at 1 s", "rad", Derived, 1.53123651, phase(1), lag, at("pin.angle", 1)},
           {"kinetic energy, 0.15 s", "J", Exact, J * 81 / 2, J * 81 * std::pow(9 * h, 2) / 4,
            "9 rad/s, reached with 60 rad/s^2; (w h)^2/2 of it", at("energy.kinetic", 0.15)}}};
}

/// (m + J (2π/p)²) z'' = −m g down to −0.2 m; its energy is that of the fall.
static ReferenceCase screw_jack() {
  const double J_over_m = 0.04 * 0.04 / 2, turns = 2 * pi / 0.1;
  const double a = g / (1 + J_over_m * turns * turns), t = std::sqrt(2 * 0.2 / a);
  const char* const located = "by events: 1e-8 of it";
  return {
      "screw_jack",
      {},
      {{"time of the way down", "s", Exact, t, 1e-8 * t, located,
        [](const RecordedRun& run) { return run.times().back(); }},
       {"kinetic energy there", "J", Exact, 2 * g * 0.2, 1e-8 * 2 * g * 0.2, located,
        last("energy.kinetic")},
       {"turned", "rad", Exact, -0.2 * turns, 1e-8 * 0.2 * turns, located, last("thread.angle")}}};
}

/// Bobs on springs, by Runge–Kutta with another program.
static ReferenceCase spring_pendulum() {
  const char* const lag = "phase of bouncing, 1e-3 rad of 0.6 m, times a few: it feeds the swing";
  return {
      "spring_pendulum",
      {},
      {{"left bob's x at 10 s", "m", Derived, 0.19442, 5e-3, lag, last("left.position.x")},
       {"left bob's z at 10 s", "m", Derived, -1.46094, 5e-3, lag, last("left.position.z")},
       {"right bob's x at 10 s", "m", Derived, 5 - 0.23704, 5e-3, lag, last("right.position.x")},
       {"right bob's z at 10 s", "m", Derived, -1.12905, 5e-3, lag, last("right.position.z")},
       {"taken by the damper", "J", Derived, 2.43695, 1e-3 * 2.43695, "1e-3 rad of phase",
        last("energy.damping_loss")}}};
}

/// Small angles: J z'' − i H z' + k z = 0 for z = θ_x + i θ_y, z' = 0.5 at first.
static ReferenceCase gyroscope_bushing() {
  const double J = 0.016, k = 20, H = 3, h = 1e-4, root = std::sqrt(H * H + 4 * J * k);
  const double fast = (root + H) / (2 * J), slow = (root - H) / (2 * J);
  const double size = 0.5 / (fast + slow);
  const auto z = [=](double t) {
    using namespace std::complex_literals;
    return -1i * size * (std::exp(1i * fast * t) - std::exp(-1i * slow * t));
  };
  const double phase = size * std::pow(fast * h, 2) / 12 * fast;
  const char* const lag = "phase of the fast one, (w h)^2/12 w t; small angles";
  return {"gyroscope_bushing",
          {},
          {{"error of tilt about x", "rad", Exact, 0, phase, lag,
            largest_error("housing.rotation.x", [=](double t) { return z(t).real(); })},
           {"error of tilt about y", "rad", Exact, 0, phase, lag,
            largest_error("housing.rotation.y", [=](double t) { return z(t).imag(); })},
           {"kinetic energy at 0 s", "J", Exact, (J * 0.25 + 0.01 * 300 * 300) / 2, 1e-9,
            joints_hold, at("energy.kinetic", 0)}}};
}

/// What moves at first, each with its own energy.
static double energy_of_the_gallery(double circling, double rate) {
  const double table = 2 * 0.32 / 12 + 0.5 * (0.4 * 0.01 + 0.09);
  const double lantern = 0.64 + 0.2 / 12, puck = 0.08 / 12;
  return (table * 9 + circling * circling * (1 + 2) + 0.4 * 0.01 * rate * rate + 0.16 + puck * 16 +
          0.1 + 0.2 * 0.05 * 0.05 / 2 * 25 + lantern * 9 + 0.05 * (0.13 + 0.1 * 0.1 / 2 * 49)) /
         2;
}

static ReferenceCase joints_gallery() {
  const double l = 0.5, tilt = 0.6, rate = std::sqrt(g / (l * std::cos(tilt))), h = 1e-3;
  const double radius = l * std::sin(tilt), phase = std::pow(rate * h, 2) / 4 * rate;
  const auto normal_force = [](const char* force) {
    return [=](const RecordedRun& run) { return run.vector(force, run.rows() - 1).norm(); };
  };
  const char* const even = "constant acceleration: round-off of 1000 steps";
  const char* const newton = "ten times Newton's tolerance";
  const double cos_slope = std::sqrt(0.75);
  return {
      "joints_gallery",
      {},
      {{"kinetic energy at 0 s", "J", Exact, energy_of_the_gallery(rate * radius, rate), 1e-9,
        joints_hold, at("energy.kinetic", 0)},
       {"turntable at 1 s", "rad", Exact, 3, 9e-6 * 3, "(w h)^2 of it", last("axle.angle")},
       {"error of bob's x", "m", Exact, 0, radius * phase, "phase of the scheme, (w h)^2/4",
        largest_error("bob.position.x", [=](double t) { return 2 + radius * std::cos(rate * t); })},
       {"error of sledge's way", "m", Exact, 0, 1e-11, even,
        largest_error("runner.displacement", [](double t) { return g / 4 * t * t; })},
       {"force on the sledge", "N", Exact, 3 * g * cos_slope, 1e-8 * g, newton,
        normal_force("runner.force")},
       {"force on the bead", "N", Exact, 0.1 * g * cos_slope, 1e-8 * g, newton,
        normal_force("wire.force")},
       {"error of nut's fall", "m", Exact, 0, 1e-11, even,
        largest_error("screw.displacement", [](double t) { return -g / 2 * t * t; })},
       {"coin turned at 1 s", "rad", Exact, 7, 1e-11, even, last("coin.rotation.z")}}};
}

static ReferenceCase driven_joint() {
  const double t = 0.3, w = 2 * pi, cube = 1 + t * t * t;
  const double wiper = 0.8 * w * std::cos(w * t), cabin = 6 * t * t / (cube * cube);
  const double wheel = 3 * std::exp(t / 2) * std::cos(4 * t);
  const double kinetic = (1.5 * 0.36 / 3 * wiper * wiper + 0.36 / 3 * 4 + 20 * cabin * cabin +
                          5 * 0.09 / 2 * wheel * wheel) /
                         2;
  const double lifted = 20 * 2 * t * t * t / cube - 1.5 * 0.3 * std::cos(0.8 * std::sin(w * t));
  return {
      "driven_joint",
      {},
      {{"error of the wiper", "rad", Exact, 0, 1e-10, joints_hold,
        largest_error("wiper_axle.angle", [=](double s) { return 0.8 * std::sin(w * s); })},
       {"error of the lift", "m", Exact, 0, 1e-10, joints_hold,
        largest_error("shaft.displacement",
                      [](double s) { return 2 * s * s * s / (1 + s * s * s); })},
       {"kinetic energy at 0.3 s", "J", Exact, kinetic, 1e-9, joints_hold, at("energy.kinetic", t)},
       {"lifted at 0.3 s", "J", Exact, g * lifted, 1e-9, joints_hold, at("energy.gravity", t)}}};
}

static ReferenceCase bennett_linkage() {
  const BennettLinkage bennett;
  const auto miss = [=](const RecordedRun& run, std::size_t row) {
    const double b = bennett.second_angle(1) + run.value("hinge_2.angle", row);
    const double a = 1 + run.value("hinge_1.angle", row);
    return std::remainder(b - bennett.second_angle(a), 2 * pi);
  };
  const Measure energy = [](const RecordedRun& run) {
    return run.at("energy.kinetic", 2) + run.at("energy.gravity", 2);
  };
  return {"bennett_linkage",
          {"/simulation/end_time=4"},
          {{"error of hinge 2", "rad", Exact, 0, 1e-10, joints_hold, largest(miss)},
           {"hinge 1 at 4 s", "rad", Exact, 8, 1e-10, joints_hold, last("hinge_1.angle")},
           {"energy at 2 s", "J", Exact, bennett.energy(5, 2), 1e-9, joints_hold, energy}}};
}

/// Left alone: its energy is that of the angle and the speed, and is kept.
static ReferenceCase long_loop() {
  const RigidSliderCrank engine{.crank = 0.05,
                                .rod = 0.2,
                                .crank_mass = 0,
                                .crank_inertia = 4 * 0.01 / 2,
                                .rod_mass = 0.5,
                                .rod_inertia = 0.5 * (3e-4 + 0.04) / 12,
                                .slider_mass = 0.4};
  const double start = engine.kinetic_energy(0, 60), kept = std::pow(60e-3, 2);
  const auto by_speed = [=](const RecordedRun& run, std::size_t row) {
    return run.value("energy.kinetic", row) -
           engine.kinetic_energy(run.value("bearing.angle", row),
                                 run.value("flywheel.angular_velocity.z", row));
  };
  const auto change = [=](const RecordedRun& run, std::size_t row) {
    const double lifted = 0.5 * g * 0.025 * std::sin(run.value("bearing.angle", row));
    return run.value("energy.kinetic", row) + lifted - start;
  };
  return {
      "long_loop",
      {"/simulation/end_time=2"},
      {{"kinetic energy at 0 s", "J", Exact, start, 1e-10, joints_hold, at("energy.kinetic", 0)},
       {"error of kinetic energy", "J", Exact, 0, 1e-9, joints_hold, largest(by_speed)},
       // It is the slider's that goes in and out.
       {"change of energy", "J", Exact, 0, 0.4 * 9 / 2 * kept, "(w h)^2 of the slider's 1.8 J",
        largest(change)}}};
}

}  // namespace machines

std::vector<ReferenceCase> machine_references() {
  using namespace machines;
  return {geared_crank(),      door(),
          pin_friction(),      pd_arm(),
          screw_jack(),        spring_pendulum(),
          gyroscope_bushing(), joints_gallery(),
          driven_joint(),      bennett_linkage(),
          long_loop()};
}

}  // namespace saltus
