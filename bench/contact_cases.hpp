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

}  // namespace bench
