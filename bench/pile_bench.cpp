// SPDX-License-Identifier: Apache-2.0
// Piles of spheres (case C): CPU time a step, how well the contact laws hold, and the balances that
// a pile must keep. A line every 0.1 s, then one of JSON for the last 0.2 s.
//   pile_bench N [--end T | --steps n] [--rolling] [--accuracy A] [--every k] [--from FILE]
//   [--state FILE]
//     --rolling  with friction against rolling and spinning
//     --accuracy fast | standard | high
//     --every    steps between two looks of the ruler, 10 by default
//     --from     starts from the state in a file instead of layers in the air
//     --state    writes the state with every line, so at the end; with --steps 0 the start
//   pile_bench N --measure FILE   no run: what the ruler says about the states in a file
#include <fmt/core.h>

#include "pile_cases.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"

namespace {

using namespace saltus;
using bench::Pile;
using bench::PileCheck;
using bench::PileFigures;
using bench::PileOptions;
using bench::PileState;

constexpr double h = bench::h;
constexpr int line_every = 100;   // steps
constexpr int most_halvings = 6;  // of a step that does not converge

Vector3 vector(const bench::Triple& t) { return {t[0], t[1], t[2]}; }
bench::Triple triple(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

// ---- model --------------------------------------------------------------------------------------

Contact pile_contact(const char* first, const char* second, bool rolling) {
  Contact contact{.between = {first, second}, .friction = Pile::friction};
  if (rolling) {
    contact.rolling_friction = Pile::rolling;
    contact.spinning_friction = Pile::spinning;
  }
  return contact;
}

Model pile_model(const Pile& pile, const PileState& start, bool rolling) {
  Model model;
  for (std::size_t i = 0; i < start.x.size(); ++i) {
    const BodyId body = model.add(RigidBody{.inertia = solid_sphere(pile.mass(), Pile::radius),
                                            .pose = {.position = vector(start.x[i])},
                                            .velocity = {vector(start.v[i]), vector(start.w[i])}});
    model.add(Collider{.name = fmt::format("ball{}", i),
                       .frame = at(body),
                       .shape = Sphere{.radius = Pile::radius}});
  }
  int k = 0;
  for (const bench::Wall& wall : pile.walls()) {
    const Vector3 n = vector(wall.normal);
    model.add(Collider{.name = fmt::format("wall{}", k++),
                       .frame = at(model.ground(), wall.offset * n),
                       .shape = HalfSpace{.normal = n}});
  }
  model.add(pile_contact("ball*", "ball*", rolling));
  model.add(pile_contact("ball*", "wall*", rolling));
  return model;
}

// ---- run ----------------------------------------------------------------------------------------

/// What a step says of itself.
struct StepFigures {
  int position_iterations = 0, velocity_iterations = 0;
  double floor = 0;       ///< impulse of the floor, over the weight's
  double support = 0;     ///< vertical impulse of floor and sides, over the weight's
  double balance = 0;     ///< support − weight − change of momentum, over the weight's impulse
  double gain = 0;        ///< of energy; < 0: a loss, J
  double residual = NAN;  ///< of the contact laws at velocity level, if it is reported
  bool inaccurate = false;
  int halvings = 0;
};

template <class Report>
double residual_of(const Report& report) {
  if constexpr (requires { report.contact_residual; }) {
    return report.contact_residual;
  } else {
    return NAN;
  }
}

class PileRun {
 public:
  PileRun(const Pile& pile, const PileState& start, bool rolling, nonsmooth::Accuracy accuracy)
      : pile_(pile),
        system_(pile_model(pile, start, rolling)),
        stepper_(make_stepper(system_, NonsmoothGeneralizedAlpha{.step = h},
                              {.solver = {.accuracy = accuracy}})),
        state_(initial_state(system_)) {
    stepper_->start(state_, h);
  }

  StepFigures advance() {
    StepFigures figures;
    support_ = floor_ = 0;
    const double energy = state_.energy.total(), momentum = vertical_momentum();
    const double start = bench::cpu_seconds();
    advance(h, (n_ + 1) * h, figures);
    millis_ = 1e3 * (bench::cpu_seconds() - start);
    ++n_;
    const double weight = pile_.count * pile_.mass() * bench::gravity * h;
    figures.floor = floor_ / weight;
    figures.support = support_ / weight;
    figures.balance = (support_ - (vertical_momentum() - momentum)) / weight - 1;
    figures.gain = state_.energy.total() - energy;
    return figures;
  }
  int steps() const { return n_; }
  double millis() const { return millis_; }  ///< CPU time of the last step
  long closed_contacts() const {
    return std::count_if(state_.contacts.begin(), state_.contacts.end(),
                         [](const ContactState& c) { return c.status != ContactStatus::Open; });
  }
  PileState state() const {
    PileState result;
    for (std::size_t i = 1; i < system_.nodes().size(); ++i) {  // 0 is the ground
      const NodePose& pose = state_.configuration.nodes[i];
      const auto velocity = state_.velocity.segment<6>(system_.nodes()[i].first_unknown);
      result.x.push_back(triple(pose.x));
      result.v.push_back(triple(velocity.head<3>()));
      result.w.push_back(triple(pose.R * velocity.tail<3>()));
    }
    return result;
  }

 private:
  /// Halves a step that does not converge, as the program does, and takes what there is in the end.
  void advance(double length, double end, StepFigures& figures, int halvings = 0) {
    const bool last = halvings == most_halvings;
    const StepReport report = stepper_->step(state_, length, end, last);
    figures.position_iterations += report.position_iterations;
    figures.velocity_iterations += report.velocity_iterations;
    figures.inaccurate |= !report.accurate || !report.converged;
    figures.residual = std::fmax(figures.residual, residual_of(report));  // a number wins over NaN
    if (report.converged || last) {
      add_support();
      return;
    }
    ++figures.halvings;
    if (!told_) fmt::print("t = {:.4g} s: {}; halved, and others like it\n", end, report.message);
    told_ = true;
    advance(length / 2, end - length / 2, figures, halvings + 1);
    advance(length / 2, end, figures, halvings + 1);
  }
  /// Impulses of the walls in the last step; the floor is the one that points upwards.
  void add_support() {
    for (const ContactState& c : state_.contacts) {
      const ContactElement e =
          system_.elements().contacts.point(c.contact, state_.configuration).element;
      if (e.node_A != 0) continue;
      const Matrix3 axes = e.axes(system_.pair(state_.configuration, e.node_A, e.node_B));
      support_ += axes.row(2) * c.impulse;
      if (axes(2, 0) > 0.5) floor_ += c.impulse[0];
    }
  }
  double vertical_momentum() const {
    double sum = 0;
    for (std::size_t i = 1; i < system_.nodes().size(); ++i) {
      sum += state_.velocity[system_.nodes()[i].first_unknown + 2];
    }
    return pile_.mass() * sum;
  }

  Pile pile_;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  int n_ = 0;
  double millis_ = 0, floor_ = 0, support_ = 0;
  bool told_ = false;
};

// ---- tables -------------------------------------------------------------------------------------

/// Means, medians and worst of some steps.
struct Summary {
  int position = 0, velocity = 0;
  double floor = 0, support = 0, balance = 0, gain = 0, residual = NAN;
  int inaccurate = 0, halvings = 0;

  Summary(const std::vector<StepFigures>& steps, std::size_t first) {
    std::vector<double> positions, velocities;
    const double n = static_cast<double>(steps.size() - first);
    for (std::size_t i = first; i < steps.size(); ++i) {
      const StepFigures& s = steps[i];
      positions.push_back(s.position_iterations);
      velocities.push_back(s.velocity_iterations);
      floor += s.floor / n;
      support += s.support / n;
      balance = std::max(balance, std::abs(s.balance));
      gain = std::max(gain, s.gain);
      residual = std::fmax(residual, s.residual);
      inaccurate += s.inaccurate;
      halvings += s.halvings;
    }
    if (positions.empty()) return;
    position = static_cast<int>(bench::median(positions));
    velocity = static_cast<int>(bench::median(velocities));
  }
};

void print_header() {
  fmt::print(
      "{:>6} {:>9} {:>8} {:>7} {:>9} {:>9} {:>9} {:>7} {:>8} {:>8} {:>9} {:>9} {:>5} {:>6}\n",
      "t [s]", "ms/step", "contacts", "it p+v", "depth/r", "approach", "kin. [J]", "floor",
      "support", "balance", "gain [J]", "residual", "inacc", "halved");
}

void print_line(int step, const PileFigures& figures, const std::vector<StepFigures>& own) {
  const int first = std::max(0, step - line_every);
  const Summary s(own, static_cast<std::size_t>(first));
  const PileCheck check = figures.worst(first);
  fmt::print(
      "{:>6.3f} {:>9.4g} {:>8} {:>7} {:>9.2e} {:>9.2e} {:>9.3g} {:>7.4f} {:>8.4f} {:>8.1e} "
      "{:>9.1e} {:>9.1e} {:>5} {:>6}\n",
      step * h, figures.median_millis(static_cast<std::size_t>(first)),
      figures.looks.empty() ? 0 : figures.looks.back().contacts,
      fmt::format("{}+{}", s.position, s.velocity), check.penetration / Pile::radius,
      check.approach, check.kinetic, s.floor, s.support, s.balance, s.gain, s.residual,
      s.inaccurate, s.halvings);
  std::fflush(stdout);
}

std::string own_members(const std::vector<StepFigures>& own, int first) {
  const Summary window(own, static_cast<std::size_t>(first)), all(own, 0);
  return fmt::format(
      ", \"position_iterations\": {}, \"velocity_iterations\": {}, \"floor\": {:.5g}, "
      "\"support\": {:.5g}, \"balance\": {:.2g}, \"gain\": {:.3g}, \"residual\": {}, "
      "\"inaccurate\": {}, \"inaccurate_of_all\": {}, \"halved\": {}",
      window.position, window.velocity, window.floor, window.support, window.balance, window.gain,
      std::isnan(window.residual) ? "null" : fmt::format("{:.3g}", window.residual),
      window.inaccurate, all.inaccurate, all.halvings);
}

nonsmooth::Accuracy accuracy_named(const std::string& name) {
  for (const auto accuracy : {nonsmooth::Accuracy::Fast, nonsmooth::Accuracy::Standard}) {
    if (name == EnumNames<nonsmooth::Accuracy>::names[static_cast<int>(accuracy)]) return accuracy;
  }
  if (name != "high") bench::stop("no such accuracy: " + name);
  return nonsmooth::Accuracy::High;
}

void run(const PileOptions& options) {
  const Pile pile(options.count);
  PileRun run(pile, options.start(pile), options.rolling, accuracy_named(options.accuracy));
  PileFigures figures;
  std::vector<StepFigures> own;
  if (options.steps > 0) print_header();
  while (run.steps() < options.steps) {
    own.push_back(run.advance());
    figures.millis.push_back(run.millis());
    const int n = run.steps();
    const bool is_last = n == options.steps;
    if (n % options.every == 0 || is_last) {
      figures.looks.push_back({n, check_pile(pile, run.state()), run.closed_contacts()});
    }
    if (n % line_every != 0 && !is_last) continue;
    print_line(n, figures, own);
    if (!options.state.empty()) write_state(options.state, run.state());
  }
  if (options.steps == 0) {
    if (!options.state.empty()) write_state(options.state, run.state());
    return;
  }
  const std::string level = options.accuracy == "standard" ? "" : options.accuracy;
  bench::print("Saltus", options.rolling ? "rolling" : level, pile, figures,
               own_members(own, figures.first_of_window()));
}

/// The ruler on states that another program has written.
void measure(const PileOptions& options) {
  const Pile pile(options.count);
  std::ifstream file(options.measure);
  PileFigures figures;
  PileState state;
  while (read_state(file, options.count, state)) {
    figures.looks.push_back({1, check_pile(pile, state), 0});
  }
  if (figures.looks.empty()) bench::stop("no states in " + options.measure);
  bench::print("", "", pile, figures);
}

}  // namespace

int main(int count, char** arguments) {
  const PileOptions options = bench::pile_options(count, arguments, 1);
  options.measure.empty() ? run(options) : measure(options);
}
