// SPDX-License-Identifier: Apache-2.0
// Time per step over the size of the model: a hanging chain of links and a grid of bodies on
// bushings. Prints a table and the exponent p of time ∝ N^p, between neighbours and over all.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "slope.hpp"

namespace {

using namespace saltus;

constexpr double h = 1e-3;

/// N links of 1 m, horizontal at first, held at one end.
Model hanging_chain(int links) {
  Model model;
  BodyId last = model.ground();
  for (int i = 0; i < links; ++i) {
    const BodyId link = model.add(
        RigidBody{.inertia = solid_box(1.0, {1, 0.1, 0.1}), .pose = {.position = {i + 0.5, 0, 0}}});
    model.add(Spherical{.bodies = {last, link}, .at = Vector3(i, 0, 0)});
    last = link;
  }
  return model;
}

/// side × side bodies, neighbours joined by bushings, the first row to the ground.
Model bushing_grid(int side) {
  Model model;
  std::vector<BodyId> bodies;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      bodies.push_back(model.add(RigidBody{.inertia = solid_box(1.0, {0.2, 0.2, 0.2}),
                                           .pose = {.position = {double(i), double(j), 0}}}));
    }
  }
  const auto join = [&](const Frame& a, const Frame& b) {
    model.add(Bushing{.between = {a, b},
                      .stiffness = Vector3::Constant(1e4),
                      .rotational_stiffness = Vector3::Constant(1e2)});
  };
  const auto body = [&](int i, int j) { return bodies[static_cast<std::size_t>(i * side + j)]; };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      if (i == 0) join(at(model.ground(), {0, double(j), 0}), at(body(0, j)));
      if (i + 1 < side) join(at(body(i, j)), at(body(i + 1, j)));
      if (j + 1 < side) join(at(body(i, j)), at(body(i, j + 1)));
    }
  }
  return model;
}

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Median over five batches of the CPU time of one step, s. Two steps go before.
double time_per_step(const Model& model, int steps, linalg::FactorizationCounts& counts) {
  const System system(model);
  NonsmoothAlphaStepper stepper(system, {.step = h});
  State state = initial_state(system, stepper.kkt());
  int n = 0;
  const auto advance_one = [&] {
    ++n;
    if (!stepper.step(state, h, n * h).converged) fmt::print("step {} did not converge\n", n);
  };
  advance_one();
  advance_one();
  std::vector<double> batches;
  for (int batch = 0; batch < 5; ++batch) {
    const double start = cpu_seconds();
    for (int i = 0; i < steps; ++i) advance_one();
    batches.push_back((cpu_seconds() - start) / steps);
  }
  counts = stepper.kkt().counts();
  std::sort(batches.begin(), batches.end());
  return batches[2];
}

struct Size {
  int parameter;
  int bodies;
};

void run(const char* name, Model (*make)(int), const std::vector<Size>& sizes, double limit) {
  fmt::print("\n{}\n{:>8} {:>12} {:>14} {:>10} {:>20}\n", name, "bodies", "ms/step", "µs/step/body",
             "exponent", "symbolic/full/reused");
  double last_time = 0;
  int last_bodies = 0;
  std::vector<double> logs_N, logs_t;
  for (const Size& size : sizes) {
    linalg::FactorizationCounts counts;
    const double time = time_per_step(make(size.parameter), std::max(2, 600 / size.bodies), counts);
    std::string exponent;
    if (last_bodies > 0) {
      exponent =
          fmt::format("{:.2f}", std::log(time / last_time) /
                                    std::log(static_cast<double>(size.bodies) / last_bodies));
    }
    logs_N.push_back(std::log(size.bodies));
    logs_t.push_back(std::log(time));
    fmt::print("{:>8} {:>12.4g} {:>14.3g} {:>10} {:>20}\n", size.bodies, 1e3 * time,
               1e6 * time / size.bodies, exponent,
               fmt::format("{}/{}/{}", counts.symbolic, counts.numeric, counts.refactored));
    last_time = time;
    last_bodies = size.bodies;
  }
  const double p = slope(logs_N, logs_t);
  fmt::print("time ∝ N^{:.2f} (least squares), aim ≤ {:.2f}: {}\n", p, limit,
             p <= limit ? "met" : "MISSED");
}

}  // namespace

int main() {
  run("hanging chain", hanging_chain,
      {{10, 10}, {30, 30}, {100, 100}, {300, 300}, {1000, 1000}, {3000, 3000}}, 1.15);
  run("grid of bodies on bushings", bushing_grid,
      {{3, 9}, {5, 25}, {10, 100}, {18, 324}, {32, 1024}, {55, 3025}}, 1.6);
}
