// SPDX-License-Identifier: Apache-2.0
// Flexible bodies: CPU time of a step over the number of elements, where it goes, what a second
// thread gains, and a beam pendulum that other programs can compute too (peers/compare_beam).
//   flexible_bench                      everything, as tables
//   flexible_bench beams|solids|threads one part
//   flexible_bench pendulum             the pendulum as a line of JSON
//   flexible_bench beam|block N STEPS   steps of one model: for profilers
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "saltus/core/parallel.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "slope.hpp"

namespace {

using namespace saltus;

constexpr double h = 1e-3;
constexpr double enough = 0.4;  ///< s of CPU time that a measurement may take beyond its first runs

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

/// A cube of n × n × n hexahedra of rubber, clamped at a side, or dropped on the floor.
Model cube(int n, bool touches) {
  Model model;
  const double edge = 0.1 * n;
  const BodyId body =
      model.add(Solid{.mesh = BoxMesh{.size = Vector3::Constant(edge), .divisions = {n, n, n}},
                      .material = {.young_modulus = 1e7, .density = 1000},
                      .pose = {.position = {0, 0, edge / 2}}});
  const Frame side{.body = body, .nodes = "x_min"};
  if (touches) {
    add_floor(model, Frame{.body = body, .nodes = "z_min"});
  } else {
    model.add(Fixed{.between = {at(model.ground(), {-edge / 2, 0, edge / 2}), side}});
  }
  return model;
}

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
  call();
  double best = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < 3 || (i < 1000 && total < enough); ++i) {
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
    if (!report.converged) fmt::print("step {}: {}\n", n_, report.message);
    return report;
  }
  const System& system() const { return system_; }
  const State& state() const { return state_; }
  int factorizations() {
    const linalg::FactorizationCounts& counts = stepper_.kkt().counts();
    return counts.numeric + counts.refactored;
  }
  bool touches() const {
    for (const ContactState& c : state_.contacts) {
      if (c.status != ContactStatus::Open) return true;
    }
    return false;
  }

 private:
  int n_ = 0;
  System system_;
  NonsmoothAlphaStepper stepper_;
  State state_;
};

/// A step on average over the steps that were taken, and the time of the quickest ones.
struct StepCost {
  double seconds = 0;
  double smooth = 0, corrections = 0, factorizations = 0;  ///< how many in a step
  double touching = 0;                                     ///< share of the steps with contact
};

/// Five batches; two steps go before.
StepCost cost_of_steps(Run& run, int batch_steps) {
  StepCost cost;
  run.advance();
  run.advance();
  const int before = run.factorizations();
  const double steps = 5.0 * batch_steps;
  cost.seconds = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 5; ++batch) {
    const double start = cpu_seconds();
    for (int i = 0; i < batch_steps; ++i) {
      const StepReport report = run.advance();
      cost.smooth += report.smooth_iterations / steps;
      cost.corrections += (report.position_iterations + report.velocity_iterations) / steps;
      cost.touching += run.touches() ? 1 / steps : 0;
    }
    cost.seconds = std::min(cost.seconds, (cpu_seconds() - start) / batch_steps);
  }
  cost.factorizations = (run.factorizations() - before) / steps;
  return cost;
}

/// One call of what steps are made of, at the state of a run, s.
struct PartCost {
  double forces = 0, assembly = 0, factorization = 0, solve = 0;
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
  void solve() {
    x_ = VectorX::Ones(system_.unknowns());
    factorization_.solve_in_place(x_);
  }
  PartCost cost() {
    PartCost cost;
    cost.forces = least([&] { forces(); });
    cost.assembly = least([&] { assemble(); });
    cost.factorization = least([&] { factorize(); });
    cost.solve = least([&] { solve(); });
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
  VectorX x_;
};

// ---- tables -------------------------------------------------------------------------------------

struct Family {
  const char* name;
  Model (*make)(int n, bool touches);
  bool touches;
  std::vector<int> sizes;
  double work;   ///< steps × unknowns in a batch, about
  double limit;  ///< of the exponent; 0: reported only
};

void print_row(const Run& run, int n, const StepCost& step, const PartCost& part, double p) {
  const double share = 100 / step.seconds;
  const double assembly = share * step.factorizations * part.assembly;
  const double factorization = share * step.factorizations * part.factorization;
  fmt::print(
      "{:>6} {:>8} {:>10.4g} {:>8} {:>8.1f} {:>8.1f} {:>8.1f} {:>5.0f} % {:>6.0f} % "
      "{:>5.0f} % {:>6.0f} %\n",
      n, run.system().unknowns(), 1e3 * step.seconds,
      std::isnan(p) ? std::string() : fmt::format("{:.2f}", p), step.smooth, step.corrections,
      step.factorizations, assembly, factorization, 100 - assembly - factorization,
      100 * step.touching);
}

void tabulate(const Family& family) {
  fmt::print("\n{}\n{:>6} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8} {:>7} {:>8} {:>7} {:>8}\n",
             family.name, "n", "unknowns", "ms/step", "exponent", "smooth", "correct", "factors",
             "assemb", "factor", "rest", "touch");
  std::vector<double> logs_N, logs_t;
  for (const int n : family.sizes) {
    Run run(family.make(n, family.touches));
    const int unknowns = run.system().unknowns();
    const StepCost step = cost_of_steps(run, std::max(1, static_cast<int>(family.work / unknowns)));
    const PartCost part = Parts(run).cost();
    logs_N.push_back(std::log(unknowns));
    logs_t.push_back(std::log(step.seconds));
    const std::size_t last = logs_N.size() - 1;
    const double p = last > 0
                         ? (logs_t[last] - logs_t[last - 1]) / (logs_N[last] - logs_N[last - 1])
                         : std::nan("");
    print_row(run, n, step, part, p);
  }
  const double p = slope(logs_N, logs_t);
  fmt::print("time ∝ N^{:.2f} (least squares)", p);
  if (family.limit > 0) {
    fmt::print(", aim ≤ {:.2f}: {}", family.limit, p <= family.limit ? "met" : "MISSED");
  }
  fmt::print("\n");
}

void tabulate_beams() {
  const std::vector<int> sizes = {10, 30, 100, 300, 1000, 3000, 10000};
  tabulate({"cantilever of n beam elements", cantilever, false, sizes, 6000, 1.1});
  tabulate({"the same, its tip on a floor", cantilever, true, sizes, 6000, 1.1});
}

void tabulate_solids() {
  tabulate({"clamped cube of n × n × n hexahedra", cube, false, {6, 9, 14, 20, 31}, 1e4, 0});
  tabulate({"cube on a floor", cube, true, {6, 9, 14, 20}, 1e4, 0});
}

/// Wall time of element loops with one thread and with two; the bits must be the same.
void tabulate_threads() {
  fmt::print("\nelement loops, wall time in ms with 1 and 2 threads\n{:>24} {:>24} {:>24} {:>10}\n",
             "", "forces", "assembly", "results");
  const auto row = [](const std::string& name, const Model& model) {
    Run run(model);
    run.advance();
    Parts parts(run);
    double forces[2], assembly[2];
    VectorX f;
    std::vector<double> S;
    bool same = true;
    for (const int count : {1, 2}) {
      set_threads(count);
      const int i = count - 1;
      forces[i] = 1e3 * least([&] { parts.forces(); }, wall_seconds);
      assembly[i] = 1e3 * least([&] { parts.assemble(); }, wall_seconds);
      same = i == 0 || (f == parts.elastic() && S == parts.matrix());
      f = parts.elastic();
      S = parts.matrix();
    }
    set_threads(1);
    const auto text = [](const double(&t)[2]) {
      return fmt::format("{:.3g} / {:.3g} = {:.2f}", t[0], t[1], t[0] / t[1]);
    };
    fmt::print("{:>24} {:>24} {:>24} {:>10}\n", name, text(forces), text(assembly),
               same ? "same" : "DIFFERENT");
  };
  for (const int n : {100, 1000, 10000}) {
    row(fmt::format("{} beam elements", n), cantilever(n, false));
  }
  for (const int n : {6, 10, 20}) row(fmt::format("{0}×{0}×{0} hexahedra", n), cube(n, false));
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
  fmt::print(R"({{"program": "Saltus", "variant": "", "cpu": {:.6g}, "wall": {:.6g}, )"
             R"("x": {:.9g}, "y": {:.9g}}})"
             "\n",
             cpu, wall, tip.x(), tip.y());
}

void run_one(Model (*make)(int, bool), int n, int steps) {
  Run run(make(n, false));
  const double start = cpu_seconds();
  for (int i = 0; i < steps; ++i) run.advance();
  fmt::print("{:.4g} ms/step\n", 1e3 * (cpu_seconds() - start) / steps);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int n = argc > 2 ? std::atoi(argv[2]) : 1000, steps = argc > 3 ? std::atoi(argv[3]) : 10;
  if (what == "pendulum") print_pendulum();
  if (what == "beam") run_one(cantilever, n, steps);
  if (what == "block") run_one(cube, n, steps);
  if (what.empty() || what == "beams") tabulate_beams();
  if (what.empty() || what == "solids") tabulate_solids();
  if (what.empty() || what == "threads") tabulate_threads();
}
