// SPDX-License-Identifier: Apache-2.0
// Contact: a bouncing ball, a ball that slides and rolls, a stack of cubes, and a slider-crank of
// joints only, with CPU time a step and the error of the answer; time over the number of closed
// contacts; the step of an impact.
//   contact_bench                   everything, as tables
//   contact_bench cases             the four cases only, one line of JSON each
//   (bench/peers/compare) contact_bench A|B|D|G|N [times]   one case, or a stack of N cubes at
//   rest: for profilers
// Boxes touch the one below with their corners, pairs are given; peers search for contacts.
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "contact_cases.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/simulation/simulation.hpp"
#include "slope.hpp"

namespace {

using namespace saltus;
using bench::Bounce;
using bench::cpu_seconds;
using bench::Crank;
using bench::Roll;
using bench::Stack;

constexpr double h = bench::h;

// ---- models -------------------------------------------------------------------------------------

void add_floor(Model& model) {
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
}

Model ball_on_floor(RigidBody ball, double radius, Contact contact) {
  Model model;
  const BodyId body = model.add(std::move(ball));
  add_floor(model);
  model.add(Collider{.name = "skin", .frame = at(body), .shape = Sphere{.radius = radius}});
  contact.between = {"floor", "skin"};
  model.add(std::move(contact));
  return model;
}

Model bouncing_ball() {
  return ball_on_floor(RigidBody{.inertia = solid_sphere(Bounce::mass, Bounce::radius),
                                 .pose = {.position = {0, 0, Bounce::height}}},
                       Bounce::radius, {.restitution = Bounce::restitution});
}

Model rolling_ball() {
  return ball_on_floor(RigidBody{.inertia = solid_sphere(Roll::mass, Roll::radius),
                                 .pose = {.position = {0, 0, Roll::radius}},
                                 .velocity = {.linear = {Roll::speed, 0, 0}}},
                       Roll::radius, {.friction = Roll::friction});
}

/// Puts a cube on the collider `below`; returns the name of the cube's upper face.
std::string add_cube(Model& model, const std::string& below, double z, double speed) {
  const std::size_t i = model.bodies.size();
  const std::string corners = fmt::format("corners_{}", i), top = fmt::format("top_{}", i);
  const Vector3 size = Vector3::Constant(Stack::edge);
  const BodyId cube = model.add(RigidBody{.inertia = solid_box(Stack::mass, size),
                                          .pose = {.position = {0, 0, z}},
                                          .velocity = {.linear = {0, 0, -speed}}});
  model.add(Collider{.name = corners, .frame = at(cube), .shape = Box{.size = size}});
  model.add(Collider{
      .name = top, .frame = at(cube, {0, 0, Stack::edge / 2}), .shape = Face{.normal = {}}});
  model.add(Contact{.between = {below, corners}, .friction = Stack::friction});
  return top;
}

struct Fall {
  double gap = 0, speed = 0;  ///< m above what is below, m/s downwards
};

/// Cubes on each other; the whole stack and a last cube on top may fall.
Model cube_stack(int count, Fall stack = {}, Fall last = {}) {
  Model model;
  add_floor(model);
  std::string below = "floor";
  for (int i = 0; i < count; ++i) {
    below = add_cube(model, below, Stack::height_of(i) + stack.gap, stack.speed);
  }
  if (last.speed > 0) add_cube(model, below, Stack::height_of(count) + last.gap, last.speed);
  return model;
}

/// A slender part in the plane, its middle at (x, y), turned by an angle about z.
RigidBody crank_part(const char* name, double length, Vector3 middle, double turn, Vector3 velocity,
                     double rate) {
  return {.name = name,
          .inertia = ExplicitInertia{.mass = Crank::mass,
                                     .moments = Vector3(0.02, 0.02, Crank::moment(length))},
          .pose = {.position = middle, .rotation_vector = Vector3(0, 0, turn)},
          .velocity = {velocity, {0, 0, rate}}};
}

Model slider_crank() {
  const double a = Crank::angle, b = Crank::rod_angle(a), w = Crank::rate;
  const double w_rod = Crank::rod_rate(a) * w;
  const auto along = [](double turn, double length) {
    return Vector3(length * std::cos(turn), length * std::sin(turn), 0);
  };
  const auto across = [](double turn, double speed) {
    return Vector3(-speed * std::sin(turn), speed * std::cos(turn), 0);
  };
  Model model;
  model.gravity = {0, -bench::gravity, 0};
  const Vector3 pin = along(a, Crank::crank), end{Crank::slider(a), 0, 0};
  const BodyId crank =
      model.add(crank_part("crank", Crank::crank, pin / 2, a, across(a, w * Crank::crank / 2), w));
  const BodyId rod =
      model.add(crank_part("rod", Crank::rod, (pin + end) / 2, b,
                           across(a, w * Crank::crank) + across(b, w_rod * Crank::rod / 2), w_rod));
  const BodyId slider = model.add(
      RigidBody{.name = "slider",
                .inertia = ExplicitInertia{.mass = Crank::mass, .moments = Vector3::Constant(0.01)},
                .pose = {.position = end},
                .velocity = {.linear = {Crank::slider_rate(a) * w, 0, 0}}});
  model.add(Revolute{.name = "bearing",
                     .bodies = {model.ground(), crank},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 0, 1)});
  model.add(Spherical{.name = "crank_pin", .bodies = {crank, rod}, .at = pin});
  model.add(Spherical{.name = "wrist_pin", .bodies = {rod, slider}, .at = end});
  model.add(Prismatic{
      .name = "guide", .bodies = {model.ground(), slider}, .at = end, .axis = Vector3(1, 0, 0)});
  return model;
}

// ---- runs ---------------------------------------------------------------------------------------

/// CPU time of a step in the library's own loop, no row recorded but the first and the last, µs.
double loop_micros(const Model& model, int steps, double step = h) {
  Simulation simulation(model, Dynamics{.end_time = steps * step,
                                        .integrator = NonsmoothGeneralizedAlpha{.step = step},
                                        .record = {.every = steps}});
  const double start = cpu_seconds();
  const RunReport report = simulation.run();
  const double time = cpu_seconds() - start;
  if (!report.converged()) fmt::print("{}\n", report.message);
  return 1e6 * time / steps;
}

/// A system, its state, and steps one by one.
class Run {
 public:
  explicit Run(const Model& model, double step = h)
      : step_(step),
        system_(model),
        stepper_(make_stepper(system_, NonsmoothGeneralizedAlpha{.step = step}, {})),
        state_(initial_state(system_)) {
    stepper_->start(state_, step);
  }

  StepReport advance() {
    ++n_;
    StepReport report = stepper_->step(state_, step_, n_ * step_);
    if (!report.converged) fmt::print("step {}: {}\n", n_, report.message);
    return report;
  }
  double time() const { return n_ * step_; }
  const NodePose& pose(int body) const {
    return state_.configuration.nodes[static_cast<std::size_t>(body) + 1];
  }
  double velocity(int component) const { return state_.velocity[component]; }
  long closed_contacts() const {
    return std::count_if(state_.contacts.begin(), state_.contacts.end(),
                         [](const ContactState& c) { return c.status != ContactStatus::Open; });
  }

 private:
  double step_;
  int n_ = 0;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
};

bench::BounceResult bounce(double step) {
  bench::BounceResult result;
  Run run(bouncing_ball(), step);
  const long steps = std::lround(Bounce::steps * h / step);
  for (long i = 0; i < steps; ++i) {
    run.advance();
    result.penetration = std::max(result.penetration, Bounce::radius - run.pose(0).x.z());
  }
  result.height = run.pose(0).x.z();
  return result;
}

bench::RollResult roll() {
  bench::RollResult result;
  Run run(rolling_ball());
  for (int i = 0; i < Roll::steps; ++i) {
    run.advance();
    const double slip = run.velocity(0) - Roll::radius * run.velocity(4);  // turns about y only
    result.take(run.time(), slip, Roll::radius - run.pose(0).x.z());
  }
  result.speed = run.velocity(0);
  return result;
}

bench::StackResult stack() {
  bench::StackResult result;
  Run run(cube_stack(Stack::count));
  for (int i = 0; i < Stack::steps; ++i) {
    run.advance();
    for (int k = 0; k < Stack::count; ++k) {
      result.take_depth(k, run.pose(k).x.z(), k > 0 ? run.pose(k - 1).x.z() : 0);
    }
  }
  for (int k = 0; k < Stack::count; ++k) {
    const NodePose& pose = run.pose(k);
    result.take_end(pose.x.x(), pose.x.y(), 2 * pose.orientation.vec().norm());
  }
  result.sink = Stack::height_of(Stack::count - 1) - run.pose(Stack::count - 1).x.z();
  return result;
}

bench::CrankResult crank() {
  bench::CrankResult result;
  Run run(slider_crank(), Crank::step);
  const auto end = [&](int body, double length) -> Vector3 {  // of a part, from its middle
    return run.pose(body).x + run.pose(body).R * Vector3(length / 2, 0, 0);
  };
  for (int i = 0; i < Crank::steps; ++i) {
    run.advance();
    const Vector3& slider = run.pose(2).x;
    for (const double gap :
         {end(0, -Crank::crank).norm(), (end(0, Crank::crank) - end(1, -Crank::rod)).norm(),
          (end(1, Crank::rod) - slider).norm(), slider.tail<2>().norm()}) {
      result.gap = std::max(result.gap, gap);
    }
  }
  const Vector3 pin = end(0, Crank::crank);
  result.take_end(std::atan2(pin.y(), pin.x()), run.velocity(5));
  return result;
}

/// Median time of a step in the library's loop.
double median_micros(const Model& model, int steps, double step = h) {
  std::vector<double> times;
  loop_micros(model, steps, step);  // warms up
  for (int i = 0; i < bench::repeats; ++i) times.push_back(loop_micros(model, steps, step));
  return bench::median(times);
}

template <class Result>
Result with_time(Result result, const Model& model, int steps, double step = h) {
  result.micros = median_micros(model, steps, step);
  return result;
}

// ---- tables -------------------------------------------------------------------------------------

const char* verdict(bool met) { return met ? "met" : "MISSED"; }

void print_cases() {
  const auto A = with_time(bounce(h), bouncing_ball(), Bounce::steps);
  const auto B = with_time(roll(), rolling_ball(), Roll::steps);
  const auto D = with_time(stack(), cube_stack(Stack::count), Stack::steps);
  bench::print("Saltus", "", A);
  bench::print("Saltus", "", B);
  const auto G = with_time(crank(), slider_crank(), Crank::steps / 5, Crank::step);
  bench::print("Saltus", "", D);
  bench::print("Saltus", "", G);
}

void tabulate_bounce() {
  fmt::print("\nA bouncing ball, {:.3g} µs/step\n", median_micros(bouncing_ball(), Bounce::steps));
  fmt::print("{:>10} {:>14} {:>12} {:>14}\n", "h [s]", "z error [m]", "error/h", "penetration");
  const double exact = Bounce::height_at(Bounce::steps * h);
  bool met = true;
  for (const double step : {h, h / 2, h / 4, h / 8}) {
    const bench::BounceResult r = bounce(step);
    const double error = r.height - exact;
    fmt::print("{:>10.3g} {:>14.3e} {:>12.3f} {:>14.2e}\n", step, error, error / step,
               r.penetration);
    met = met && std::abs(error) <= Bounce::tolerance(step) && r.penetration <= 1e-9;
  }
  fmt::print("|z error| ≤ 12.6 m/s h, penetration ≤ 1e-9 m: {}\n", verdict(met));
}

void tabulate_roll() {
  const bench::RollResult r = roll();
  fmt::print("\nB ball that slides, then rolls, {:.3g} µs/step\n",
             median_micros(rolling_ball(), Roll::steps));
  fmt::print("rolls at {:.4f} s (exact {:.4f}), end speed off by {:.1e}, penetration {:.1e} m\n",
             r.stick_time, Roll::stick_time, r.speed / Roll::end_speed - 1, r.penetration);
}

void tabulate_stack() {
  const bench::StackResult r = stack();
  fmt::print("\nD stack of {} cubes, {:.3g} µs/step\n", Stack::count,
             median_micros(cube_stack(Stack::count), Stack::steps));
  fmt::print("penetration {:.1e} m, sink {:.1e} m, drift {:.1e} m, tilt {:.1e} rad\n",
             r.penetration, r.sink, r.drift, r.tilt);
  fmt::print("drift ≤ 1e-8 m: {}\n", verdict(r.drift <= 1e-8));
}

int iterations_of(const StepReport& step) {
  return step.position_iterations + step.velocity_iterations;
}

struct Timing {
  double micros = 0;      ///< of a step
  double slowest = 0;     ///< the same in the slowest batch, µs
  double iterations = 0;  ///< of a step, position and velocity
  long contacts = 0;
};

/// A step of a stack at rest: median over batches, after the first steps. The batches are long,
/// for round-off that adds up shows late.
Timing rest_timing(int cubes) {
  constexpr int batch_steps = 200;
  Run run(cube_stack(cubes));
  for (int i = 0; i < 10; ++i) run.advance();
  std::vector<double> batches;
  double iterations = 0;
  for (int batch = 0; batch < bench::repeats; ++batch) {
    const double start = cpu_seconds();
    for (int i = 0; i < batch_steps; ++i) iterations += iterations_of(run.advance());
    batches.push_back(1e6 * (cpu_seconds() - start) / batch_steps);
  }
  return {bench::median(batches), *std::max_element(batches.begin(), batches.end()),
          iterations / (batch_steps * bench::repeats), run.closed_contacts()};
}

/// The slowest of the first 20 steps, in which something falls: a start without a guess.
Timing impact_timing(const Model& model) {
  Run run(model);
  Timing worst;
  for (int i = 0; i < 20; ++i) {
    const double start = cpu_seconds();
    const StepReport step = run.advance();
    const double micros = 1e6 * (cpu_seconds() - start);
    if (i > 0 && micros > worst.micros) {  // the first step allocates
      worst = {micros, micros, static_cast<double>(iterations_of(step)), run.closed_contacts()};
    }
  }
  return worst;
}

void tabulate_stacks() {
  fmt::print("\nstacks of cubes at rest, 1000 steps\n{:>9} {:>11} {:>16} {:>11} {:>11} {:>9}\n",
             "contacts", "µs/step", "µs/step/contact", "slowest", "iterations", "exponent");
  std::vector<double> logs_n, logs_t;
  for (const int cubes : {1, 2, 5, 10, 20, 50, 100}) {
    const Timing timing = rest_timing(cubes);
    const auto contacts = static_cast<double>(timing.contacts);
    std::string exponent;
    if (!logs_n.empty()) {
      exponent = fmt::format("{:.2f}", (std::log(timing.micros) - logs_t.back()) /
                                           (std::log(contacts) - logs_n.back()));
    }
    logs_n.push_back(std::log(contacts));
    logs_t.push_back(std::log(timing.micros));
    fmt::print("{:>9} {:>11.4g} {:>16.3g} {:>11.4g} {:>11.2f} {:>9}\n", timing.contacts,
               timing.micros, timing.micros / contacts, timing.slowest, timing.iterations,
               exponent);
  }
  const double all = slope(logs_n, logs_t);
  const double tail = slope({logs_n.end() - 3, logs_n.end()}, {logs_t.end() - 3, logs_t.end()});
  fmt::print("time ∝ n^{:.2f} (least squares), n^{:.2f} over the largest three, aim ≤ 1.30: {}\n",
             all, tail, verdict(std::max(all, tail) <= 1.3));
}

void tabulate_impacts() {
  fmt::print("\nimpacts: the slowest step\n{:>7} {:>28} {:>28}\n", "cubes",
             "a cube on the stack [µs, it]", "the stack on the floor [µs, it]");
  for (const int cubes : {1, 2, 5, 10, 20, 50, 100}) {
    const Timing on_top = impact_timing(cube_stack(cubes, {}, {.gap = 5e-3, .speed = 1}));
    const Timing on_floor = impact_timing(cube_stack(cubes, {.gap = 5e-3, .speed = 1}));
    fmt::print("{:>7} {:>22.4g} {:>5} {:>25.4g} {:>5}\n", cubes, on_top.micros, on_top.iterations,
               on_floor.micros, on_floor.iterations);
  }
}

void run_one(const std::string& name) {
  double micros = 0;
  if (name == "A") {
    micros = median_micros(bouncing_ball(), Bounce::steps);
  } else if (name == "B") {
    micros = median_micros(rolling_ball(), Roll::steps);
  } else if (name == "D") {
    micros = median_micros(cube_stack(Stack::count), Stack::steps);
  } else if (name == "G") {
    micros = median_micros(slider_crank(), Crank::steps / 5, Crank::step);
  } else {
    micros = rest_timing(std::max(1, std::atoi(name.c_str()))).micros;
  }
  fmt::print("{:.4g} µs/step\n", micros);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "cases") {
    print_cases();
  } else if (!what.empty()) {
    for (int i = argc > 2 ? std::atoi(argv[2]) : 1; i > 0; --i) run_one(what);
  } else {
    tabulate_bounce();
    tabulate_roll();
    tabulate_stack();
    tabulate_stacks();
    tabulate_impacts();
  }
}
