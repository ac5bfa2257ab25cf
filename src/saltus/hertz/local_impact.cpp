// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/local_impact.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "saltus/hertz/numerics.hpp"

namespace saltus::hertz {

namespace {

constexpr double tolerance = 1e-13;
constexpr double largest_damping = 300;

/// (18): lengths in units of L = (m v²/K)^{1/(n+1)}, time in units of L/v.
struct Motion {
  double x, v;
};

struct Law {
  double n, eta;
  double force(const Motion& y) const { return y.x > 0 ? (1 + eta * y.v) * std::pow(y.x, n) : 0; }
  Motion rate(const Motion& y) const { return {y.v, -force(y)}; }
};

Motion moved(const Motion& y, double h, const Motion& k) { return {y.x + h * k.x, y.v + h * k.v}; }

struct Trial {
  Motion end;
  double error;
};

/// One step of Dormand and Prince's pair of orders 5 and 4.
Trial attempt(const Law& law, const Motion& y, double h) {
  const auto sum = [](double a, const Motion& p, double b, const Motion& q) {
    return Motion{a * p.x + b * q.x, a * p.v + b * q.v};
  };
  const Motion k_1 = law.rate(y);
  const Motion k_2 = law.rate(moved(y, h / 5, k_1));
  const Motion k_3 = law.rate(moved(y, h, sum(3.0 / 40, k_1, 9.0 / 40, k_2)));
  Motion g = moved(y, h, sum(44.0 / 45, k_1, -56.0 / 15, k_2));
  const Motion k_4 = law.rate(moved(g, h * 32 / 9, k_3));
  g = moved(y, h, sum(19372.0 / 6561, k_1, -25360.0 / 2187, k_2));
  const Motion k_5 = law.rate(moved(g, h, sum(64448.0 / 6561, k_3, -212.0 / 729, k_4)));
  g = moved(moved(y, h, sum(9017.0 / 3168, k_1, -355.0 / 33, k_2)), h * 46732 / 5247, k_3);
  const Motion k_6 = law.rate(moved(g, h, sum(49.0 / 176, k_4, -5103.0 / 18656, k_5)));
  g = moved(y, h, sum(35.0 / 384, k_1, 500.0 / 1113, k_3));
  g = moved(g, h, sum(125.0 / 192, k_4, -2187.0 / 6784, k_5));
  const Motion end = moved(g, h * 11 / 84, k_6);
  const Motion k_7 = law.rate(end);
  Motion d = sum(71.0 / 57600, k_1, -71.0 / 16695, k_3);
  d = moved(d, 1, sum(71.0 / 1920, k_4, -17253.0 / 339200, k_5));
  d = moved(d, 1, sum(22.0 / 525, k_6, -1.0 / 40, k_7));
  return {end, h * std::max(std::abs(d.x), std::abs(d.v))};
}

/// Collects what the integration passes.
struct Passage {
  const Law& law;
  double t = 0;
  Motion y{0, 1};
  double peak_force = 0, peak_depth = 0;
  std::vector<LocalSample> history;

  void record() { history.push_back({t, y.x, y.v, law.force(y)}); }

  /// Extremes inside of an accepted step: where v, and where dF/dt ∝ n v − η x^{n+1}, vanish.
  void watch(double h, const Motion& end) {
    const auto after = [&](double part) { return attempt(law, y, part).end; };
    const auto rise = [&](const Motion& p) {
      return law.n * p.v - law.eta * std::pow(std::max(p.x, 0.0), law.n + 1);
    };
    if (y.v > 0 && end.v <= 0)
      peak_depth = after(bracketed_root([&](double s) { return after(s).v; }, 0, h)).x;
    if (rise(y) > 0 && rise(end) <= 0)
      peak_force = law.force(after(bracketed_root([&](double s) { return rise(after(s)); }, 0, h)));
  }

  void advance(double h, const Motion& end) {
    watch(h, end);
    t += h;
    y = end;
    record();
  }
};

/// Steps until the bodies part; the last one is cut to end at x = 0.
void run(Passage& p) {
  p.record();
  double h = 1e-3;
  for (int step = 0; step < 1000000; ++step) {
    const Trial trial = attempt(p.law, p.y, h);
    const double growth = 0.9 * std::pow(tolerance / std::max(trial.error, 1e-3 * tolerance), 0.2);
    if (trial.error > tolerance) {
      h *= std::max(0.2, growth);
      continue;
    }
    if (trial.end.x <= 0) {
      const auto x = [&](double part) { return attempt(p.law, p.y, part).end.x; };
      const double last = bracketed_root(x, p.t == 0 ? h / 2 : 0, h);
      p.advance(last, attempt(p.law, p.y, last).end);
      return;
    }
    p.advance(h, trial.end);
    h *= std::min(4.0, growth);
  }
  throw std::runtime_error("the integration of a local contact law does not end");
}

void check(const LocalLaw& law, double approach_speed) {
  const auto positive = [](double value, const char* message) {
    if (!(value > 0) || std::isinf(value)) throw std::invalid_argument(message);
  };
  positive(law.mass, "the mass must be positive and finite");
  positive(law.stiffness, "the stiffness must be positive and finite");
  positive(law.exponent, "the exponent of the local law must be positive and finite");
  positive(approach_speed, "the approach speed must be positive and finite");
  if (!(law.damping >= 0 && law.damping * approach_speed <= largest_damping * law.stiffness))
    throw std::invalid_argument("the damping must lie between 0 and 300 K over the approach speed");
}

}  // namespace

LocalImpact integrate_local_law(const LocalLaw& law, double approach_speed) {
  check(law, approach_speed);
  const double v = approach_speed, n = law.exponent;
  const double L = std::pow(law.mass * v * v / law.stiffness, 1 / (n + 1));
  const double F = law.mass * v * v / L;
  const Law scaled{n, law.damping * v / law.stiffness};
  Passage passage{scaled, 0, {0, 1}, 0, 0, {}};
  run(passage);
  LocalImpact impact;
  impact.duration = passage.t * L / v;
  impact.peak_force = passage.peak_force * F;
  impact.peak_indentation = passage.peak_depth * L;
  impact.restitution = -passage.y.v;
  impact.history = std::move(passage.history);
  for (LocalSample& s : impact.history)
    s = {s.time * L / v, s.delta * L, s.deltadot * v, s.force * F};
  return impact;
}

}  // namespace saltus::hertz
