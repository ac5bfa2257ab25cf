// SPDX-License-Identifier: Apache-2.0
// Motions without contacts: closed forms, elliptic integrals, and other programs.
#include <cmath>
#include <numbers>

#include "saltus/verify/measures.hpp"
#include "saltus/verify/reference_suite.hpp"
#include "saltus/verify/rigid_slider_crank.hpp"

namespace saltus {
namespace {

using enum Source;
using measures::at;
using measures::largest;
using measures::largest_error;
using measures::last;
using measures::time_of_sign_changes;

double energy_of(const RecordedRun& run, std::size_t row) {
  return run.value("energy.kinetic", row) + run.value("energy.gravity", row);
}

/// Length of the position vector minus one.
double stretch(const RecordedRun& run, std::size_t row) {
  return run.vector("top.position", row).norm() - 1;
}

ReferenceCase spinning_top() {
  const double mass = 15, J = 0.234375, J_spin = 0.46875, spin = 150, nod = 4.61538;
  const double energy = (mass * nod * nod + J_spin * spin * spin + J * nod * nod) / 2;
  const char* const digits =
      "Euler's equations by Runge-Kutta, 8 digits; phase of the spin, (spin h)^2/12";
  return {
      "spinning_top",
      {"/simulation/integrator/step=1e-4", "/simulation/end_time=1"},
      {{"x at 1 s", "m", Derived, 0.17334396, 1e-4, digits, at("top.position.x", 1)},
       {"y at 1 s", "m", Derived, 0.64008859, 1e-4, digits, at("top.position.y", 1)},
       {"z at 1 s", "m", Derived, -0.74849079, 1e-4, digits, at("top.position.z", 1)},
       {"x at 0.5 s", "m", Derived, -0.70246830, 1e-4, digits},
       {"y at 0.5 s", "m", Derived, -0.02116518, 1e-4, digits},
       {"z at 0.5 s", "m", Derived, -0.71140026, 1e-4, digits},
       {"x at 1.5 s", "m", Derived, -0.96816572, 1e-4, digits},
       {"y at 1.5 s", "m", Derived, 0.25030606, 1e-4, digits},
       {"z at 1.5 s", "m", Derived, -0.00142208, 1e-4, digits},
       {"x at 2 s", "m", Derived, -0.15041682, 1e-4, digits},
       {"y at 2 s", "m", Derived, -0.72416559, 1e-4, digits},
       {"z at 2 s", "m", Derived, -0.67302227, 1e-4, digits},
       {"energy", "J", Exact, energy, 1e-5 * energy, "ten times (spin h)^2/12 of a percent"},
       {"change of length", "m", Exact, 0, 1e-10, "joints hold to round-off", largest(stretch)},
       {"change of energy", "J", Exact, 0, 1e-5 * energy, "ten times (spin h)^2/12 of a percent",
        largest([=](const RecordedRun& r, std::size_t i) { return energy_of(r, i) - energy; })}}};
}

/// A rod of 1 m hung at its end, let go at 2.5 rad: 4 K(sin 1.25)/ω₀, ω₀² = 3 g/(2 l).
ReferenceCase physical_pendulum() {
  const double omega = std::sqrt(1.5 * 9.81), h = 1e-3;
  const double period = 4 * std::comp_ellint_1(std::sin(1.25)) / omega;
  const auto angle = [](const RecordedRun& run, std::size_t row) {
    return 2.5 + run.value("pin.angle", row);
  };
  return {"physical_pendulum",
          {},
          {{"period", "s", Exact, period, period * std::pow(omega * h, 2) / 4,
            "(w h)^2/12, three times that near the top", time_of_sign_changes(2, angle)}}};
}

/// The spin about the middle axis is an elliptic sine: it changes sign every 2 K(k)/p.
double flip_interval() {
  const double I_1 = 0.02, I_2 = 0.05, I_3 = 0.065;
  const Vector3 spin(0.02, 8, 0.01), L = Vector3(I_1, I_2, I_3).cwiseProduct(spin);
  const double two_E = L.dot(spin), L_2 = L.squaredNorm();
  const double first = (I_3 - I_2) * (L_2 - two_E * I_1);
  const double second = (I_2 - I_1) * (two_E * I_3 - L_2);
  // The larger one belongs to the outer axis that the motion circles.
  const double k = std::sqrt(std::min(first, second) / std::max(first, second));
  return 2 * std::comp_ellint_1(k) / std::sqrt(std::max(first, second) / (I_1 * I_2 * I_3));
}

ReferenceCase free_body() {
  const auto middle_spin = [](const RecordedRun& run, std::size_t row) {
    const double w = run.value("racket.orientation.w", row);
    const Vector3 v = run.vector("racket.orientation", row);
    const Eigen::Quaterniond q(w, v.x(), v.y(), v.z());
    return (q * Vector3::UnitY()).dot(run.vector("racket.angular_velocity", row));
  };
  const double interval = flip_interval(), spin_h = 8e-3;
  // Of two equal bodies, each moving with 0.5, 0, 0.1 m/s.
  const double kinetic = 2 * (0.25 + 0.01) + 0.02 * 0.02 * 0.02 + 0.05 * 64 + 0.065 * 0.01 * 0.01;
  return {"free_body",
          {},
          {{"time between two flips", "s", Exact, interval, 3 * spin_h * spin_h * interval,
            "invariants to (spin h)^2, times the sensitivity of K(k)",
            time_of_sign_changes(1, middle_spin)},
           {"kinetic energy", "J", Exact, kinetic, spin_h * spin_h * kinetic, "kept to (spin h)^2",
            last("energy.kinetic")},
           {"centre's x at 5 s", "m", Exact, 2.5, 1e-11, "round-off of 5000 steps",
            last("racket.position.x")}}};
}

/// x = 0.1 cos 10t, and 0.1 exp(−t) (cos wt + sin wt / w).
ReferenceCase linear_oscillator() {
  const double w = std::sqrt(99.0), h = 2e-3, t_end = 3;
  const double phase = std::pow(10 * h, 2) / 12 * 10 * t_end;  // behind, rad
  const double c = std::cos(w * t_end), s = std::sin(w * t_end), decay = std::exp(-t_end);
  const double x = 0.1 * decay * (c + s / w), v = -10 * decay * s / w;
  return {"linear_oscillator",
          {},
          {{"error of x, free", "m", Exact, 0, 0.1 * phase, "0.1 m times the phase (w h)^2/12 w t",
            largest_error("free.position.x", [](double t) { return 1 + 0.1 * std::cos(10 * t); })},
           {"x at 3 s, damped", "m", Exact, 1 + x, 0.1 * decay * phase, "the same, decayed",
            last("damped.position.x")},
           {"taken by the damper", "J", Exact, 0.5 - (v * v + 100 * x * x) / 2,
            0.5 * std::pow(10 * h, 2), "(w h)^2 of 0.5 J", last("energy.damping_loss")}}};
}

constexpr const char* joints_hold = "joints hold to round-off";

ReferenceCase slider_crank() {
  const auto position = [](double t) {
    const double a = 50 * t;
    return 0.05 * std::cos(a) + std::sqrt(0.04 - std::pow(0.05 * std::sin(a), 2));
  };
  const RigidSliderCrank engine{.crank = 0.05,
                                .rod = 0.2,
                                .crank_mass = 0.3,
                                .crank_inertia = 0.3 * (3 * 1e-4 + 25e-4) / 12,
                                .rod_mass = 0.5,
                                .rod_inertia = 0.5 * (3 * 1e-4 + 0.04) / 12,
                                .slider_mass = 0.4};
  const double t = 0.225, lifted = (0.3 + 0.5) * 0.025 * std::sin(50 * t);
  return {"slider_crank",
          {},
          {{"error of slider's x", "m", Exact, 0, 1e-10, joints_hold,
            largest_error("slider.position.x", position)},
           {"kinetic energy, 0.225 s", "J", Exact, engine.kinetic_energy(50 * t, 50), 1e-9,
            joints_hold, at("energy.kinetic", t)},
           {"lifted at 0.225 s", "J", Exact, 9.81 * lifted, 1e-10, joints_hold,
            at("energy.gravity", t)}}};
}

/// Cardan's ratio at 40°, and the torque of a load of 5 N m and the second shaft's inertia.
ReferenceCase universal_shaft() {
  const double b = 40 * std::numbers::pi / 180, cos_b = std::cos(b), sin_b = std::sin(b);
  const auto angle = [=](double t) {
    const double a = 20 * t, s = std::sin(a), c = std::cos(a);
    return a + std::atan2(s * c * (1 - cos_b), cos_b * c * c + s * s);
  };
  const double a = 20, J = 3 * 0.05 * 0.05 / 2, d = 1 - std::pow(sin_b * std::cos(a), 2);
  const double slope = -cos_b * sin_b * sin_b * std::sin(2 * a) / (d * d);
  const double kinetic = 200 * (2 * 0.03 * 0.03 / 2 + J * std::pow(cos_b / d, 2));
  return {
      "universal_shaft",
      {},
      {{"error of angle", "rad", Exact, 0, 1e-10, joints_hold,
        largest_error("output_bearing.angle", angle)},
       {"torque at 1 s", "N m", Exact, cos_b / d * (5 + J * slope * 400), 7 * 0.12 * 0.12 / 12,
        "7 N m with frequencies to 120 rad/s: (w h)^2/12", at("input_bearing.torque.x", 1)},
       {"kinetic energy at 1 s", "J", Exact, kinetic, 1e-9, joints_hold, at("energy.kinetic", 1)}}};
}

ReferenceCase four_bar() {
  const char* const same_scheme = "6 digits of another program, same kind of scheme, same step";
  return {
      "four_bar",
      {},
      {{"torque at 0.5 s", "N m", Derived, -3.92252, 2e-4, same_scheme,
        at("bearing.torque.z", 0.5)},
       {"torque at 1 s", "N m", Derived, -2.02885, 2e-4, same_scheme, at("bearing.torque.z", 1)},
       {"rocker's x at 1 s", "m", Derived, 0.71263175, 1e-8, "8 digits",
        at("rocker.position.x", 1)},
       {"rocker's y at 1 s", "m", Derived, 0.27824358, 1e-8, "8 digits",
        at("rocker.position.y", 1)}}};
}

/// A disc that leans inwards rolls in a circle: Ω² = m g r cot θ/((C/r + m r) R + A cos θ), θ from
/// its axle to the vertical.
ReferenceCase rolling_disc() {
  const double m = 2, r = 0.25, R = 0.6, theta = 70 * std::numbers::pi / 180, h = 2e-3, t = 3.2;
  const double C = m * r * r / 2, A = m * (3 * r * r + 0.02 * 0.02) / 12;
  const double rate =
      std::sqrt(m * 9.81 * r / std::tan(theta) / ((C / r + m * r) * R + A * std::cos(theta)));
  const double spin = R * rate / r, phase = std::pow(spin * h, 2) / 4 * rate * t;
  const char* const spun = "(spin h)^2/4 of the way round";
  return {"rolling_disc",
          {},
          {{"error of x", "m", Exact, 0, R * phase, spun,
            largest_error("disc.position.x", [=](double s) { return R * std::cos(rate * s); })},
           {"error of height", "m", Exact, 0, R * phase, spun,
            largest_error("disc.position.z", [=](double) { return r * std::sin(theta); })},
           {"friction at 1.6 s", "N", Exact, -m * rate * rate * R * std::sin(rate * 1.6),
            m * rate * rate * R * phase, spun, at("roll.force.y", 1.6)},
           {"normal force at 1.6 s", "N", Exact, m * 9.81, m * rate * rate * R * phase, spun,
            at("roll.force.z", 1.6)}}};
}

/// A skate on a slope draws a cycloid.
ReferenceCase knife_edge() {
  const double m = 1.5, w = 2, h = 5e-3, b = std::numbers::pi / 6, a = 9.81 * std::sin(b);
  const double size = a / (4 * w * w), error = 8 * w * size * std::pow(2 * w * h, 2) / 4;
  const char* const turned = "its way, 8 w s, times (2 w h)^2/4";
  return {
      "knife_edge",
      {},
      {{"error down the slope", "m", Exact, 0, error, turned,
        largest_error("skate.position.x",
                      [=](double t) { return std::cos(b) * size * (1 - std::cos(2 * w * t)); })},
       {"error across", "m", Exact, 0, error, turned,
        largest_error("skate.position.y",
                      [=](double t) { return size * (2 * w * t - std::sin(2 * w * t)); })},
       {"edge's force at 2 s", "N", Exact, 2 * m * a * std::sin(2 * w) * std::cos(2 * w),
        2 * m * a * std::pow(2 * w * h, 2), "(2 w h)^2 of the largest", at("edge.force.y", 2)}}};
}

}  // namespace

std::vector<ReferenceCase> smooth_references() {
  return {spinning_top(), physical_pendulum(), free_body(),    linear_oscillator(), slider_crank(),
          four_bar(),     universal_shaft(),   rolling_disc(), knife_edge()};
}

}  // namespace saltus
