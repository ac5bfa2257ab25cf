// SPDX-License-Identifier: Apache-2.0
// Case C, piles of equal spheres in an open box: the start, the ruler and the line of results that
// Saltus and its peers share. The ruler sees positions and velocities only. SI units.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>

#include "contact_cases.hpp"

namespace bench {

using Triple = std::array<double, 3>;

inline double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Triple difference(const Triple& a, const Triple& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Centres, their velocities and angular velocities, all in inertial axes.
struct PileState {
  std::vector<Triple> x, v, w;
};

/// The inside of a wall is where normal · x ≥ offset.
struct Wall {
  Triple normal;
  double offset;
};

/// Case C: layers of spheres with small random shifts, dropped in a square box around the z axis.
struct Pile {
  static constexpr double radius = 0.05, density = 1000, friction = 0.5;
  static constexpr double rolling = 0.005, spinning = 0.002;  ///< m, where they are asked for
  static constexpr double pitch = 2.2 * radius, jitter = 0.04 * radius;

  int count;
  int side;      ///< spheres along an edge of a layer
  double width;  ///< of the box

  explicit Pile(int n)
      : count(n),
        side(n <= 100    ? 4
             : n <= 1000 ? 9
                         : 18),
        width((n <= 100    ? 10
               : n <= 1000 ? 20
                           : 40) *
              radius) {}

  double mass() const { return density * 4 / 3 * M_PI * radius * radius * radius; }
  double inertia() const { return 0.4 * mass() * radius * radius; }

  /// Floor and four sides.
  std::array<Wall, 5> walls() const {
    const double out = -width / 2;
    return {Wall{{0, 0, 1}, 0}, Wall{{1, 0, 0}, out}, Wall{{-1, 0, 0}, out}, Wall{{0, 1, 0}, out},
            Wall{{0, -1, 0}, out}};
  }

  PileState start() const {
    std::uint32_t seed = 12345;
    const auto shift = [&seed] {
      seed = seed * 1664525u + 1013904223u;
      return jitter * (seed / 4294967296.0 - 0.5);
    };
    const double middle = 0.5 * (side - 1);
    PileState state;
    for (int i = 0; i < count; ++i) {
      const int a = i % side, b = i / side % side, c = i / (side * side);
      Triple x = {(a - middle) * pitch, (b - middle) * pitch, (c + 0.5) * pitch};
      for (double& coordinate : x) coordinate += shift();
      state.x.push_back(x);
      state.v.push_back({});
      state.w.push_back({});
    }
    return state;
  }
};

// ---- the ruler ----------------------------------------------------------------------------------

struct PileCheck {
  double penetration = 0;  ///< deepest, of sphere and sphere or sphere and wall, m
  double approach = 0;     ///< fastest of those with a gap ≤ 0, m/s
  double kinetic = 0;      ///< of the translation, J
  int touching = 0;        ///< how many with a gap below 1e-3 r
  int outside = 0;         ///< centres that have left the box; walls do not count for them

  void take(double gap, double normal_velocity) {
    penetration = std::max(penetration, -gap);
    if (gap < 1e-3 * Pile::radius) ++touching;
    if (gap <= 0) approach = std::max(approach, -normal_velocity);
  }
};

inline void check_pair(const PileState& state, std::size_t i, std::size_t j, PileCheck& check) {
  const Triple d = difference(state.x[j], state.x[i]);
  const double length = std::sqrt(dot(d, d));
  if (length > 2.1 * Pile::radius || length == 0) return;
  check.take(length - 2 * Pile::radius, dot(d, difference(state.v[j], state.v[i])) / length);
}

inline PileCheck check_pile(const Pile& pile, const PileState& state) {
  PileCheck check;
  const double half = pile.width / 2;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const Triple &x = state.x[i], &v = state.v[i];
    check.kinetic += pile.mass() / 2 * dot(v, v);
    if (std::abs(x[0]) > half || std::abs(x[1]) > half || x[2] < 0) {
      ++check.outside;
      continue;
    }
    for (const Wall& wall : pile.walls()) {
      check.take(dot(wall.normal, x) - wall.offset - Pile::radius, dot(wall.normal, v));
    }
  }
  // Pairs: those near each other along x, of which most are far along y or z.
  std::vector<std::size_t> order(state.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return state.x[a][0] < state.x[b][0]; });
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      if (state.x[order[b]][0] - state.x[order[a]][0] > 2.1 * Pile::radius) break;
      check_pair(state, order[a], order[b], check);
    }
  }
  return check;
}

// ---- states in files: a line a sphere, x y z vx vy vz wx wy wz ----------------------------------

/// Reads the next state; false at the end of the file.
inline bool read_state(std::istream& file, int count, PileState& state) {
  state = {};
  for (int i = 0; i < count; ++i) {
    Triple x, v, w;
    for (Triple* t : {&x, &v, &w}) {
      if (!(file >> (*t)[0] >> (*t)[1] >> (*t)[2])) return false;
    }
    state.x.push_back(x);
    state.v.push_back(v);
    state.w.push_back(w);
  }
  return true;
}

inline void write_state(const std::string& path, const PileState& state) {
  std::ofstream file(path);
  file.precision(17);
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const char* separator = "";
    for (const Triple* t : {&state.x[i], &state.v[i], &state.w[i]}) {
      for (const double value : *t) {
        file << separator << value;
        separator = " ";
      }
    }
    file << '\n';
  }
}

[[noreturn]] inline void stop(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

// ---- a run --------------------------------------------------------------------------------------

struct PileOptions {
  int count = 100;
  int steps = 1000;
  int every = 10;  ///< steps between two looks of the ruler
  bool rolling = false;
  std::string accuracy = "standard";  ///< of Saltus
  std::string from = {};              ///< file to start from; empty: the layers
  std::string state = {};             ///< file for the end
  std::string measure = {};           ///< file of states that are measured instead of a run

  PileState start(const Pile& pile) const {
    if (from.empty()) return pile.start();
    std::ifstream file(from);
    PileState state_there;
    if (!read_state(file, count, state_there)) stop("cannot read the spheres of " + from);
    return state_there;
  }
};

/// The options from argument `first` on, the number of spheres being the first.
inline PileOptions pile_options(int count, char** arguments, int first) {
  PileOptions options;
  if (first >= count) stop("how many spheres?");
  options.count = std::atoi(arguments[first]);
  if (options.count < 1) stop("not a number of spheres: " + std::string(arguments[first]));
  for (int i = first + 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--rolling") {
      options.rolling = true;
      continue;
    }
    if (++i == count) stop(name + ": what is its value?");
    const std::string value = arguments[i];
    if (name == "--end") {
      options.steps = static_cast<int>(std::lround(std::stod(value) / h));
    } else if (name == "--steps") {
      options.steps = std::stoi(value);
    } else if (name == "--every") {
      options.every = std::max(1, std::stoi(value));
    } else if (name == "--from") {
      options.from = value;
    } else if (name == "--state") {
      options.state = value;
    } else if (name == "--accuracy") {
      options.accuracy = value;
    } else if (name == "--measure") {
      options.measure = value;
    } else {
      stop("unknown option " + name);
    }
  }
  return options;
}

/// What the ruler saw and what the steps took.
struct PileFigures {
  static constexpr int window = 200;  ///< the last steps, over which results are given

  struct Look {
    int step;
    PileCheck check;
    long contacts;  ///< as the program itself counts them
  };
  std::vector<double> millis;  ///< CPU time of each step
  std::vector<Look> looks;

  /// The worst of the looks after step `first`; counts and energy are those of the last.
  PileCheck worst(int first) const {
    PileCheck result;
    for (const Look& look : looks) {
      if (look.step <= first) continue;
      const PileCheck before = result;
      result = look.check;
      result.penetration = std::max(result.penetration, before.penetration);
      result.approach = std::max(result.approach, before.approach);
    }
    return result;
  }
  double median_millis(std::size_t first) const {
    return first < millis.size()
               ? median({millis.begin() + static_cast<std::ptrdiff_t>(first), millis.end()})
               : 0;
  }
  int first_of_window() const {
    return std::max(0, (looks.empty() ? 0 : looks.back().step) - window);
  }
};

/// One line of JSON; `more` are further members, each with a comma before it.
inline void print(const std::string& program, const std::string& variant, const Pile& pile,
                  const PileFigures& figures, const std::string& more = "") {
  const int first = figures.first_of_window();
  const PileCheck check = figures.worst(first);
  std::printf(
      "{\"case\": \"C\", \"program\": \"%s\", \"variant\": \"%s\", \"spheres\": %d, \"steps\": %d, "
      "\"millis\": %.5g, \"contacts\": %ld, \"touching\": %d, \"penetration\": %.3g, "
      "\"approach\": %.3g, \"kinetic\": %.4g, \"outside\": %d%s}\n",
      program.c_str(), variant.c_str(), pile.count, static_cast<int>(figures.millis.size()),
      figures.median_millis(static_cast<std::size_t>(first)),
      figures.looks.empty() ? 0 : figures.looks.back().contacts, check.touching,
      check.penetration / Pile::radius, check.approach, check.kinetic, check.outside, more.c_str());
}

}  // namespace bench
