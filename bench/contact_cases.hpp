// SPDX-License-Identifier: Apache-2.0
// The contact problems that Saltus and its peers are measured on: numbers, exact answers, clock,
// and the line of results. Depends on nothing, so that every driver can include it. SI units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

namespace bench {

constexpr double gravity = 9.81;
constexpr double h = 1e-3;  ///< step of all cases, s
constexpr int repeats = 5;  ///< a time is the median of so many runs

/// A: a ball dropped on a floor, without friction.
struct Bounce {
  static constexpr double radius = 0.1, mass = 1, height = 1, restitution = 0.8;
  static constexpr int steps = 2000;

  /// Height of the centre at the time t: parabolas between the impacts.
  static double height_at(double t) {
    double start = std::sqrt(2 * (height - radius) / gravity);
    if (t < start) return height - gravity / 2 * t * t;
    double speed = restitution * gravity * start;
    for (; t > start + 2 * speed / gravity && speed > 1e-9; speed *= restitution) {
      start += 2 * speed / gravity;
    }
    return radius + speed * (t - start) - gravity / 2 * (t - start) * (t - start);
  }
  /// What z may be off at the end: each of three impacts comes up to a step late, and the ball is
  /// never quicker than in the first.
  static double tolerance(double step) {
    return 3 * std::sqrt(2 * gravity * (height - radius)) * step;
  }
};

/// B: a solid ball slides until friction has made it roll.
struct Roll {
  static constexpr double radius = 0.5, mass = 1, speed = 2.5, friction = 0.2;
  static constexpr double inertia = 0.4 * mass * radius * radius;
  static constexpr double end_speed = speed * 5 / 7;
  static constexpr double stick_time = 2 * speed / (7 * friction * gravity);
  static constexpr double rolls = 1e-2;  ///< a slower slip is called rolling, m/s
  static constexpr int steps = 1000;
};

/// D: cubes on each other, exactly touching, at rest.
struct Stack {
  static constexpr double edge = 0.2, mass = 1, friction = 0.5;
  static constexpr double inertia = mass * edge * edge / 6;
  static constexpr int count = 10, steps = 2000;

  static double height_of(int cube) { return edge / 2 + edge * cube; }
};

/// G: a slider-crank without a drive, joints only: revolute, two spherical, prismatic, 16
/// equations. The crank turns about the origin, the slider moves along x, gravity is along −y.
struct Crank {
  static constexpr double crank = 0.2, rod = 0.5, mass = 1;  ///< lengths; the mass of each part
  static constexpr double angle = M_PI / 4, rate = 10;       ///< of the crank at the start
  static constexpr double step = 1e-4;
  static constexpr int steps = 10000;

  /// Moment of inertia of a slender part about its middle.
  static double moment(double length) { return mass * length * length / 12; }
  static double rod_angle(double a) { return -std::asin(crank / rod * std::sin(a)); }
  static double rod_rate(double a) {  ///< over that of the crank
    return -crank * std::cos(a) / (rod * std::cos(rod_angle(a)));
  }
  static double slider(double a) { return crank * std::cos(a) + rod * std::cos(rod_angle(a)); }
  static double slider_rate(double a) {
    return -crank * std::sin(a) - rod * std::sin(rod_angle(a)) * rod_rate(a);
  }
  static double potential(double a) {
    return mass * gravity * (1.5 * crank * std::sin(a) + rod / 2 * std::sin(rod_angle(a)));
  }
  /// 2 T = inertia(a) ȧ²
  static double inertia(double a) {
    const double b = rod_angle(a), b_rate = rod_rate(a), s = slider_rate(a);
    const double x = -crank * std::sin(a) - rod / 2 * std::sin(b) * b_rate;
    const double y = crank * std::cos(a) + rod / 2 * std::cos(b) * b_rate;
    return moment(crank) + mass * crank * crank / 4 + mass * (x * x + y * y) +
           moment(rod) * b_rate * b_rate + mass * s * s;
  }
  static double energy(double a, double a_rate) {
    return inertia(a) * a_rate * a_rate / 2 + potential(a);
  }
  static double acceleration(double a, double a_rate) {
    const double d = 1e-5;  // differences to 1e-10
    const double dI = (inertia(a + d) - inertia(a - d)) / (2 * d);
    const double dV = (potential(a + d) - potential(a - d)) / (2 * d);
    return -(dI / 2 * a_rate * a_rate + dV) / inertia(a);
  }
  /// The crank's angle at the end, by Runge–Kutta steps short enough for 1e-10.
  static double end_angle() {
    double a = angle, w = rate;
    const double k = step;
    for (int i = 0; i < steps; ++i) {
      const double w1 = acceleration(a, w);
      const double w2 = acceleration(a + k / 2 * w, w + k / 2 * w1);
      const double w3 = acceleration(a + k / 2 * (w + k / 2 * w1), w + k / 2 * w2);
      const double w4 = acceleration(a + k * (w + k / 2 * w2), w + k * w3);
      a += k * w + k * k / 6 * (w1 + w2 + w3);
      w += k / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    return a;
  }
};

/// CPU time of this process, s: what others do on the machine does not count.
inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct BounceResult {
  double micros = 0;       ///< CPU time of a step, µs
  double penetration = 0;  ///< deepest after any step
  double height = 0;       ///< at the end
};

struct RollResult {
  double micros = 0;
  double penetration = 0;
  double stick_time = NAN;  ///< end of the first step after which the ball rolls
  double speed = 0;         ///< at the end

  void take(double time, double slip, double depth) {
    if (std::isnan(stick_time) && std::abs(slip) < Roll::rolls) stick_time = time;
    penetration = std::max(penetration, depth);
  }
};

struct StackResult {
  double micros = 0;
  double penetration = 0;  ///< from the heights of the centres
  double sink = 0;         ///< of the uppermost cube
  double drift = 0;        ///< largest horizontal displacement
  double tilt = 0;         ///< largest angle, rad

  void take_depth(int cube, double z, double z_below) {
    const double floor = cube == 0 ? 0 : z_below + Stack::edge / 2;
    penetration = std::max(penetration, floor + Stack::edge / 2 - z);
  }
  void take_end(double x, double y, double angle) {
    drift = std::max(drift, std::hypot(x, y));
    tilt = std::max(tilt, angle);
  }
};

struct CrankResult {
  double micros = 0;
  double gap = 0;     ///< largest of a joint after any step
  double angle = 0;   ///< of the crank at the end, minus the exact one, rad
  double energy = 0;  ///< relative change over the run

  void take_end(double a, double a_rate) {
    angle = std::remainder(a - Crank::end_angle(), 2 * M_PI);
    energy = Crank::energy(a, a_rate) / Crank::energy(Crank::angle, Crank::rate) - 1;
  }
};

/// Repeats `run`, which returns a result; its time is the median.
template <class Run>
auto repeat(Run run) {
  std::vector<double> times;
  auto result = run();
  for (int i = 0; i < repeats; ++i) {  // the first run, which warms up, is not counted
    result = run();
    times.push_back(result.micros);
  }
  result.micros = median(times);
  return result;
}

// One line of JSON a result; `compare` reads them.
inline void print(const char* program, const char* variant, const BounceResult& r) {
  std::printf(
      "{\"case\": \"A\", \"program\": \"%s\", \"variant\": \"%s\", \"micros\": %.4g, "
      "\"penetration\": %.3g, \"error\": %.3g}\n",
      program, variant, r.micros, r.penetration, r.height - Bounce::height_at(h * Bounce::steps));
}

inline void print(const char* program, const char* variant, const RollResult& r) {
  std::printf(
      "{\"case\": \"B\", \"program\": \"%s\", \"variant\": \"%s\", \"micros\": %.4g, "
      "\"penetration\": %.3g, \"error\": %.3g, \"stick\": %.4g}\n",
      program, variant, r.micros, r.penetration, r.speed / Roll::end_speed - 1,
      std::isnan(r.stick_time) ? -1 : r.stick_time);
}

inline void print(const char* program, const char* variant, const StackResult& r) {
  std::printf(
      "{\"case\": \"D\", \"program\": \"%s\", \"variant\": \"%s\", \"micros\": %.4g, "
      "\"penetration\": %.3g, \"sink\": %.3g, \"drift\": %.3g, \"tilt\": %.3g}\n",
      program, variant, r.micros, r.penetration, r.sink, r.drift, r.tilt);
}

inline void print(const char* program, const char* variant, const CrankResult& r) {
  std::printf(
      "{\"case\": \"G\", \"program\": \"%s\", \"variant\": \"%s\", \"micros\": %.4g, "
      "\"gap\": %.3g, \"error\": %.3g, \"energy\": %.3g}\n",
      program, variant, r.micros, r.gap, r.angle, r.energy);
}

}  // namespace bench
