// SPDX-License-Identifier: Apache-2.0
// Flexible bodies: CPU time of a step over the number of elements, where it goes, what a second
// thread gains, and a beam pendulum that other programs can compute too (peers/compare_beam).
//   flexible_bench                      everything, as tables
//   flexible_bench beams|solids|threads one part
//   flexible_bench pendulum             the pendulum as a line of JSON
//   flexible_bench beam|block|tip|drop N STEPS   steps of one model (tip, drop: with contact): for
//   profilers
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "saltus/core/threads.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "slope.hpp"

namespace {

using namespace saltus;

constexpr double h = 1e-3;
constexpr double enough = 1.0;  ///< s of CPU time that a measurement may take beyond its first runs

// ---- models -------------------------------------------------------------------------------------

const ElasticMaterial steel{.young_modulus = 2.1e11, .density = 7800};

/// What may touch the floor z = 0, without friction.
void add_floor(Model& model, const Frame& touching) {
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Collider{.name = "skin", .frame = touching, .shape = PointShape{}});
  model.add(Contact{.between = {"floor", "skin"}});
}

/// A clamped beam of n elements of 0.1 m; if it may touch, its tip drops on a floor at once.
Model cantilever(int n, bool touches) {
  Model model;
  const BodyId beam = model.add(Beam{.end = {0.1 * n, 0, 0},
                                     .elements = n,
                                     .section = RectangularSection{.width = 0.02, .height = 0.02},
                                     .material = steel});
  model.add(Fixed{.between = {at(model.ground()), Frame{.body = beam, .node = 0}}});
  if (touches) add_floor(model, Frame{.body = beam, .node = n});
  return model;
}

/// A box of hexahedra of rubber with edges of 0.1 m, `height` over the floor z = 0.
BodyId add_rubber(Model& model, const std::array<int, 3>& n, double height) {
  const Vector3 size = 0.1 * Vector3(n[0], n[1], n[2]);
  return model.add(Solid{.mesh = BoxMesh{.size = size, .divisions = n},
                         .material = {.young_modulus = 1e7, .density = 1000},
                         .pose = {.position = {0, 0, height + size.z() / 2}}});
}

/// n × n × n hexahedra in free fall, or dropped on the floor, which all nodes below touch.
Model falling_cube(int n, bool touches) {
  Model model;
  const BodyId body = add_rubber(model, {n, n, n}, touches ? 0 : 1);
  if (touches) add_floor(model, Frame{.body = body, .nodes = "z_min"});
  return model;
}

Model clamp(std::array<int, 3> n) {
  Model model;
  const BodyId body = add_rubber(model, n, 0);
  const Vector3 side(-0.05 * n[0], 0, 0.05 * n[2]);
  model.add(Fixed{.between = {at(model.ground(), side), Frame{.body = body, .nodes = "x_min"}}});
  return model;
}
Model clamped_cube(int n, bool /*touches*/) { return clamp({n, n, n}); }
Model clamped_rod(int n, bool /*touches*/) { return clamp({n, 6, 6}); }

/// The case of peers/compare_beam: a steel rod of 1 m, hinged at the origin, horizontal at first.
struct Pendulum {
  static constexpr int elements = 20, steps = 300;

  static Model model() {
    Model model;
    model.gravity = {0, -9.81, 0};
    const BodyId beam = model.add(Beam{.end = {1, 0, 0},
                                       .elements = elements,
                                       .section = RectangularSection{.width = 0.01, .height = 0.01},
                                       .material = steel});
    model.add(Revolute{.between = {at(model.ground()), Frame{.body = beam, .node = 0}}});
    return model;
  }
};

// ---- measuring ----------------------------------------------------------------------------------

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The least time of a call, s: others who use the machine only ever add to it.
double least(const std::function<void()>& call, double (*clock)() = cpu_seconds) {
  double best = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < 2 || (i < 1000 && total < enough); ++i) {
    const double start = clock();
    call();
    const double time = clock() - start;
    best = std::min(best, time);
    total += time;
  }
  return best;
}

/// A system, its state, and steps one by one.
class Run {
 public:
  explicit Run(const Model& model)
      : system_(model),
        stepper_(system_, {.step = h}),
        state_(initial_state(system_, stepper_.kkt())) {
    stepper_.start(state_, h);
  }

  StepReport advance() {
    ++n_;
    StepReport report = stepper_.step(state_, h, n_ * h);
    if (!report.converged) {
      fmt::print("step {}: {}\n", n_, report.message);
      std::exit(1);
    }
    return report;
  }
  const System& system() const { return system_; }
  const State& state() const { return state_; }
  int factorizations() {
    const linalg::FactorizationCounts& counts = stepper_.kkt().counts();
    return counts.numeric + counts.refactored;
  }
  long closed_contacts() const {
    return std::count_if(state_.contacts.begin(), state_.contacts.end(),
                         [](const ContactState& c) { return c.status != ContactStatus::Open; });
  }

 private:
  int n_ = 0;
  System system_;
  NonsmoothAlphaStepper stepper_;
  State state_;
};

/// A step, on average over a batch of steps.
struct StepCost {
  double seconds = std::numeric_limits<double>::infinity();
  double smooth = 0, corrections = 0, factorizations = 0;  ///< how many in a step
};

StepCost cost_of_batch(Run& run, int steps) {
  const int before = run.factorizations();
  int smooth = 0, corrections = 0;
  const double start = cpu_seconds();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = run.advance();
    smooth += report.smooth_iterations;
    corrections += report.position_iterations + report.velocity_iterations;
  }
  const double time = cpu_seconds() - start, share = 1.0 / steps;
  return {share * time, share * smooth, share * corrections,
          share * (run.factorizations() - before)};
}

/// The quickest batch until enough time has passed; a step goes before, for it allocates.
StepCost cost_of_steps(Run& run, int batch_steps) {
  run.advance();
  StepCost best;
  const double start = cpu_seconds();
  for (int i = 0; i < 2 || (i < 50 && cpu_seconds() - start < enough); ++i) {
    const StepCost batch = cost_of_batch(run, batch_steps);
    if (batch.seconds < best.seconds) best = batch;
  }
  return best;
}

/// One call of what steps are made of, at the state of a run, s.
struct PartCost {
  double forces = 0, assembly = 0, factorization = 0;
};

class Parts {
 public:
  explicit Parts(const Run& run)
      : system_(run.system()),
        state_(run.state()),
        S_(system_.pattern()),
        factorization_(system_.pattern()),
        T_(system_.nodes().size(), Matrix3::Identity()) {
    terms_.resize(system_.velocities());
  }

  void forces() {
    system_.forces(state_.configuration, state_.velocity, state_.acceleration, {state_.time},
                   state_.multiplier, terms_);
  }
  /// The matrix of the smooth motion.
  void assemble() {
    system_.assemble(state_.configuration, state_.velocity, state_.acceleration, {state_.time},
                     state_.multiplier,
                     {.mass = 2 / h,
                      .damping = 1,
                      .stiffness = h / 2,
                      .tangent_operators = &T_,
                      .regularization = 1e-10},
                     S_);
  }
  void factorize() { factorization_.factorize(S_); }
  PartCost cost() {
    PartCost cost;
    cost.forces = least([&] { forces(); });
    cost.assembly = least([&] { assemble(); });
    cost.factorization = least([&] { factorize(); });
    return cost;
  }
  const VectorX& elastic() const { return terms_.elastic; }
  std::vector<double> matrix() const { return {S_.values().begin(), S_.values().end()}; }

 private:
  const System& system_;
  const State& state_;
  linalg::SparseMatrix S_;
  linalg::Factorization factorization_;
  std::vector<Matrix3> T_;
  ForceTerms terms_;
};

// ---- tables -------------------------------------------------------------------------------------

struct Family {
  const char* name;
  Model (*make)(int n, bool touches);
  bool touches;
  std::vector<int> sizes;
  /// Of the exponent over n; 0: the exponent over the unknowns, reported only.
  double limit = 0;
};

/// The shares are counts × time of one call: estimates, of which the rest is what is left over.
void print_row(const Run& run, int n, const StepCost& step, const PartCost& part) {
  const double share = 100 / step.seconds;
  const double forces = share * (step.smooth + step.corrections + 2) * part.forces;
  const double assembly = share * step.factorizations * part.assembly;
  const double factorization = share * step.factorizations * part.factorization;
  fmt::print(
      "{:>6} {:>8} {:>8} {:>10.4g} {:>7.1f} {:>7.1f} {:>7.1f} {:>7.0f} {:>8.0f} {:>8.0f} {:>6.0f}",
      n, run.system().unknowns(), run.closed_contacts(), 1e3 * step.seconds, step.smooth,
      step.corrections, step.factorizations, forces, assembly, factorization,
      100 - forces - assembly - factorization);
}

/// @param without  times of the same models without contacts: what is more is the contacts'.
/// Returns the times.
std::vector<double> tabulate(const Family& family, const std::vector<double>& without = {}) {
  fmt::print("\n{}\n{:>6} {:>8} {:>8} {:>10} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8} {:>6} {:>8}\n",
             family.name, "n", "unknowns", "contacts", "ms/step", "smooth", "correct", "factors",
             "forces%", "assembl%", "factors%", "rest%", "contact%");
  std::vector<double> times, logs_N, logs_t;
  for (const int n : family.sizes) {
    Run run(family.make(n, family.touches));
    const StepCost step = cost_of_steps(run, std::max(1, 6000 / run.system().unknowns()));
    print_row(run, n, step, Parts(run).cost());
    if (times.size() < without.size()) {
      fmt::print(" {:>8.0f}", 100 * (1 - without[times.size()] / step.seconds));
    }
    fmt::print("\n");
    times.push_back(step.seconds);
    logs_N.push_back(std::log(family.limit > 0 ? n : run.system().unknowns()));
    logs_t.push_back(std::log(step.seconds));
  }
  const double p = slope(logs_N, logs_t);
  const double tail = slope({logs_N.end() - 3, logs_N.end()}, {logs_t.end() - 3, logs_t.end()});
  fmt::print("time ∝ {}^{:.2f} (least squares), ^{:.2f} over the largest three",
             family.limit > 0 ? "n" : "unknowns", p, tail);
  if (family.limit > 0) {
    fmt::print(", aim ≤ {:.2f}: {}", family.limit, p <= family.limit ? "met" : "MISSED");
  }
  fmt::print("\n");
  std::fflush(stdout);
  return times;
}

void tabulate_beams() {
  const std::vector<int> sizes = {10, 30, 100, 300, 1000, 3000, 10000};
  const auto free = tabulate({"cantilever of n beam elements", cantilever, false, sizes, 1.1});
  tabulate({"the same, its tip on a floor", cantilever, true, sizes, 1.1}, free);
}

void tabulate_solids() {
  tabulate({"clamped rod of n × 6 × 6 hexahedra", clamped_rod, false, {6, 20, 70, 230, 670}});
  tabulate({"clamped cube of n × n × n hexahedra", clamped_cube, false, {6, 9, 14, 20}});
  const auto free = tabulate({"cube in free fall", falling_cube, false, {6, 9, 14, 20, 31}});
  tabulate({"cube on a floor", falling_cube, true, {6, 9, 14, 20}}, free);
}

/// Wall time of element loops with one thread and with two; the bits must be the same.
void compare_threads(const std::string& name, const Model& model) {
  Run run(model);
  run.advance();
  Parts parts(run);
  double forces[2], assembly[2];
  VectorX f[2];
  std::vector<double> S[2];
  for (const int i : {0, 1}) {
    set_threads(i + 1);
    forces[i] = 1e3 * least([&] { parts.forces(); }, wall_seconds);
    assembly[i] = 1e3 * least([&] { parts.assemble(); }, wall_seconds);
    f[i] = parts.elastic();
    S[i] = parts.matrix();
  }
  set_threads(1);
  const auto text = [](const double(&t)[2]) {
    return fmt::format("{:.3g} / {:.3g} = {:.2f}", t[0], t[1], t[0] / t[1]);
  };
  fmt::print("{:>24} {:>24} {:>24} {:>10}\n", name, text(forces), text(assembly),
             f[0] == f[1] && S[0] == S[1] ? "same" : "DIFFERENT");
}

void tabulate_threads() {
  fmt::print("\nelement loops, wall time in ms with 1 and 2 threads\n{:>24} {:>24} {:>24} {:>10}\n",
             "", "forces", "assembly", "results");
  for (const int n : {100, 1000, 10000}) {
    compare_threads(fmt::format("{} beam elements", n), cantilever(n, false));
  }
  for (const int n : {6, 10, 20}) {
    compare_threads(fmt::format("{0} × {0} × {0} hexahedra", n), falling_cube(n, false));
  }
}

// ---- pendulum -----------------------------------------------------------------------------------

void print_pendulum() {
  const Model model = Pendulum::model();
  double cpu = std::numeric_limits<double>::infinity(), wall = cpu;
  Vector3 tip;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double cpu_start = cpu_seconds(), wall_start = wall_seconds();
    Run run(model);
    for (int i = 0; i < Pendulum::steps; ++i) run.advance();
    cpu = std::min(cpu, cpu_seconds() - cpu_start);
    wall = std::min(wall, wall_seconds() - wall_start);
    tip = run.state().configuration.nodes.back().x;
  }
  fmt::print(R"({{"program": "Saltus", "variant": "", "cpu": {:.6g}, "wall": {:.6g}, )", cpu, wall);
  fmt::print("\"x\": {:.9g}, \"y\": {:.9g}}}\n", tip.x(), tip.y());
}

void run_one(const Model& model, int steps) {
  Run run(model);
  const double start = cpu_seconds();
  for (int i = 0; i < steps; ++i) run.advance();
  fmt::print("{:.4g} ms/step\n", 1e3 * (cpu_seconds() - start) / steps);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int n = argc > 2 ? std::atoi(argv[2]) : 1000, steps = argc > 3 ? std::atoi(argv[3]) : 10;
  if (what == "pendulum") print_pendulum();
  if (what == "beam") run_one(cantilever(n, false), steps);
  if (what == "block") run_one(clamped_cube(n, false), steps);
  if (what == "tip") run_one(cantilever(n, true), steps);
  if (what == "drop") run_one(falling_cube(n, true), steps);
  if (what.empty() || what == "beams") tabulate_beams();
  if (what.empty() || what == "solids") tabulate_solids();
  if (what.empty() || what == "threads") tabulate_threads();
}
