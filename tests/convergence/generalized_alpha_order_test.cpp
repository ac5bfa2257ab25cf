// SPDX-License-Identifier: Apache-2.0
// The order of the generalized-α scheme in positions, velocities and multipliers, measured over
// three halvings of the step against minimal-coordinate references that are exact to round-off.
#include <array>
#include <cmath>

#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "saltus/simulation/body_record.hpp"
#include "saltus/simulation/joint_record.hpp"
#include "tests/support/example_run.hpp"
#include "tests/support/reference_bodies.hpp"

namespace saltus::test {
namespace generalized_alpha_order_test {

/// What is compared at one time.
struct Sample {
  Vector position, velocity, multiplier;
};

/// Largest errors over the second half of the run, and of the multipliers over all of it.
struct Errors {
  double position = 0, velocity = 0, multiplier = 0, multiplier_from_start = 0;
};

/// A problem: the run's samples by row, and the reference at a time (called in order of time).
struct Problem {
  std::string example = {};
  double end = 1, coarsest = 0.01;
  std::function<Sample(const TableSink&, std::size_t)> computed = {};
  std::function<std::vector<Sample>(const std::vector<double>&)> reference = {};
  std::function<TableSink(double h, double rho)> run = {};
};

Errors errors_of(const Problem& problem, double h, double rho) {
  const TableSink table = problem.run(h, rho);
  const std::vector<Sample> exact = problem.reference(table.column("time"));
  Errors errors;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const Sample sample = problem.computed(table, row);
    const double multiplier = (sample.multiplier - exact[row].multiplier).norm();
    errors.multiplier_from_start = std::max(errors.multiplier_from_start, multiplier);
    if (table.time(row) < problem.end / 2) continue;
    errors.position = std::max(errors.position, (sample.position - exact[row].position).norm());
    errors.velocity = std::max(errors.velocity, (sample.velocity - exact[row].velocity).norm());
    errors.multiplier = std::max(errors.multiplier, multiplier);
  }
  return errors;
}

/// Second order means that the last two halvings give 2 up to the next term of the expansion, which
/// at these steps is below a tenth.
void expect_second_order(const Problem& problem, double rho) {
  std::array<Errors, 4> errors;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = errors_of(problem, std::ldexp(problem.coarsest, -static_cast<int>(i)), rho);
  }
  const auto check = [&](const char* what, double Errors::*error) {
    for (std::size_t i = 1; i < errors.size(); ++i) {
      const double order = observed_order(errors[i - 1].*error, errors[i].*error);
      measured(fmt::format("rho_{}_{}_order_{}", rho, what, i), order);
      if (i == 1) continue;
      if (error == &Errors::multiplier_from_start) {
        // a₀ = v̇₀ is the pseudo-acceleration of the wrong time, see the last test: first order
        // while the difference dies out like ρ∞ⁿ.
        EXPECT_GE(order, 0.85) << what << ", ρ∞ = " << rho << ", halving " << i;
      } else {
        EXPECT_NEAR(order, 2, 0.1) << what << ", ρ∞ = " << rho << ", halving " << i;
      }
    }
    measured(fmt::format("rho_{}_{}_error", rho, what), errors.back().*error);
  };
  check("position", &Errors::position);
  check("velocity", &Errors::velocity);
  check("multiplier", &Errors::multiplier);
  check("multiplier_from_start", &Errors::multiplier_from_start);
}

TableSink run_quietly(const Model& model, double h, double rho, double end) {
  const Dynamics options{
      .end_time = end,
      .integrator = GeneralizedAlpha{.step = h, .rho_inf = rho, .tolerance = 1e-12}};
  TableSink table = run_model(model, options);
  EXPECT_TRUE(table.report().converged()) << table.report().message;
  return table;
}

Vector joined(std::initializer_list<Vector> parts) {
  Eigen::Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  Eigen::Index first = 0;
  for (const Vector& part : parts) {
    all.segment(first, part.size()) = part;
    first += part.size();
  }
  return all;
}

// ---- a spatial motion with a ball joint
// ----------------------------------------------------------

Problem spinning_top() {
  Problem problem{.end = 0.2, .coarsest = 1e-3};
  problem.run = [](double h, double rho) {
    return run_quietly(read_example("spinning_top").model, h, rho, 0.2);
  };
  problem.computed = [](const TableSink& table, std::size_t row) {
    return Sample{table.vector("top.position", row), table.vector("top.velocity", row),
                  table.vector("tip.force", row)};
  };
  problem.reference = [](const std::vector<double>& times) {
    const BodyAboutPoint top = heavy_top();
    Vector y = start_aligned({0, 150, -4.61538});
    std::vector<Sample> samples;
    double t = 0;
    for (const double time : times) {
      y = integrate_ode(top, t, y, time, 5e-3);
      t = time;
      samples.push_back({top.centre(y), top.centre_velocity(y), top.reaction(y)});
    }
    return samples;
  };
  return problem;
}

// ---- a rheonomic joint
// ---------------------------------------------------------------------------

/// Two bars, the first driven about z by θ(t) = sin 3t, the second hinged to it about a skew axis.
/// State (φ, φ̇) of the second hinge.
struct SkewDoublePendulum {
  Matrix3 E =
      Eigen::AngleAxisd(std::hypot(0.5, 0.3), Vector3(0.5, 0.3, 0).normalized()).toRotationMatrix();
  Vector3 axis = E.col(2), g = {0, -9.81, 0};
  Matrix3 J = Vector3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal();

  struct Motion {
    Vector3 x_1, v_1, x_2, v_2, F_1, M_1, F_2, M_2;  ///< centres; reactions on bars at their hinges
    double hinge_moment;                             ///< about the free axis
  };

  Motion motion(double t, double phi, double phi_1, double phi_2) const {
    const double theta = std::sin(3 * t), theta_1 = 3 * std::cos(3 * t), theta_2 = -9 * theta;
    const Vector3 e = Vector3::UnitZ(), half = Vector3::UnitX() / 2;
    const Matrix3 R_1 = Eigen::AngleAxisd(theta, e).toRotationMatrix();
    const Matrix3 R_2 = R_1 * Eigen::AngleAxisd(phi, axis).toRotationMatrix();
    const Vector3 u = R_1 * axis, w_1 = theta_1 * e, dw_1 = theta_2 * e;
    const Vector3 w_2 = w_1 + phi_1 * u, dw_2 = dw_1 + phi_2 * u + phi_1 * w_1.cross(u);
    const auto acceleration = [](const Vector3& dw, const Vector3& w, const Vector3& r) -> Vector3 {
      return dw.cross(r) + w.cross(w.cross(r));
    };
    const Vector3 c_1 = R_1 * half, elbow = 2 * c_1, c_2 = R_2 * half;
    const Vector3 a_1 = acceleration(dw_1, w_1, c_1);
    const Vector3 a_2 = 2 * a_1 + acceleration(dw_2, w_2, c_2);
    const Matrix3 J_1 = R_1 * J * R_1.transpose(), J_2 = R_2 * J * R_2.transpose();
    Motion m;
    m.x_1 = c_1;
    m.v_1 = w_1.cross(c_1);
    m.x_2 = elbow + c_2;
    m.v_2 = w_1.cross(elbow) + w_2.cross(c_2);
    m.F_2 = a_2 - g;
    m.M_2 = J_2 * dw_2 + w_2.cross(J_2 * w_2) + c_2.cross(m.F_2);
    m.F_1 = a_1 - g + m.F_2;
    m.M_1 = J_1 * dw_1 + w_1.cross(J_1 * w_1) + c_1.cross(a_1 - g) + elbow.cross(m.F_2) + m.M_2;
    m.hinge_moment = u.dot(m.M_2);
    return m;
  }
  double acceleration(double t, double phi, double phi_1) const {
    const double at_zero = motion(t, phi, phi_1, 0).hinge_moment;
    return -at_zero / (motion(t, phi, phi_1, 1).hinge_moment - at_zero);
  }
  Model model() const {
    Model model{.gravity = g};
    const ExplicitInertia inertia{.mass = 1, .moments = Vector3(1e-3, 1.0 / 12, 1.0 / 12)};
    const BodyId first = model.add(RigidBody{.name = "first",
                                             .inertia = inertia,
                                             .pose = {.position = {0.5, 0, 0}},
                                             .velocity = {{0, 1.5, 0}, {0, 0, 3}}});
    const BodyId second = model.add(RigidBody{.name = "second",
                                              .inertia = inertia,
                                              .pose = {.position = {1.5, 0, 0}},
                                              .velocity = {{0, 4.5, 0}, {0, 0, 3}}});
    model.add(Revolute{.name = "drive",
                       .bodies = {model.ground(), first},
                       .at = Vector3::Zero(),
                       .axis = Vector3(0, 0, 1),
                       .drive = Position{Expression{"sin(3*t)"}}});
    model.add(
        Revolute{.name = "elbow", .bodies = {first, second}, .at = Vector3(1, 0, 0), .axis = axis});
    return model;
  }
};

Problem driven_double_pendulum() {
  Problem problem{.end = 1, .coarsest = 8e-3};
  const SkewDoublePendulum pendulum;
  problem.run = [=](double h, double rho) { return run_quietly(pendulum.model(), h, rho, 1); };
  problem.computed = [](const TableSink& table, std::size_t row) {
    return Sample{
        joined({table.vector("first.position", row), table.vector("second.position", row)}),
        joined({table.vector("first.velocity", row), table.vector("second.velocity", row)}),
        joined({table.vector("drive.force", row), table.vector("drive.torque", row),
                table.vector("elbow.force", row), table.vector("elbow.torque", row)})};
  };
  problem.reference = [=](const std::vector<double>& times) {
    const Derivative f = [&](double t, const Vector& y) {
      return Vector(Eigen::Vector2d(y[1], pendulum.acceleration(t, y[0], y[1])));
    };
    Vector y = Vector::Zero(2);
    std::vector<Sample> samples;
    double t = 0;
    for (const double time : times) {
      y = integrate_ode(f, t, y, time, 0.02);
      t = time;
      const auto m = pendulum.motion(t, y[0], y[1], pendulum.acceleration(t, y[0], y[1]));
      samples.push_back(
          {joined({m.x_1, m.x_2}), joined({m.v_1, m.v_2}), joined({m.F_1, m.M_1, m.F_2, m.M_2})});
    }
    return samples;
  };
  return problem;
}

// ---- a closed loop with redundant equations
// ------------------------------------------------------

Problem swinging_four_bar() {
  Problem problem{.end = 1, .coarsest = 8e-3};
  problem.run = [](double h, double rho) {
    Model model = read_example("four_bar").model;
    std::get<Revolute>(model.joints[0]).drive.reset();  // the crank swings freely from 3 rad/s
    return run_quietly(model, h, rho, 1);
  };
  problem.computed = [](const TableSink& table, std::size_t row) {
    const auto plane = [&](const char* name) { return Vector(table.vector(name, row).head<2>()); };
    return Sample{
        joined({plane("crank.position"), plane("coupler.position"), plane("rocker.position")}),
        joined({plane("crank.velocity"), plane("coupler.velocity"), plane("rocker.velocity")}),
        joined({plane("bearing.force"), plane("crank_pin.force"), plane("rocker_pin.force"),
                plane("pivot.force")})};
  };
  problem.reference = [](const std::vector<double>& times) {
    const FourBar bar;
    const Derivative f = [&](double, const Vector& y) {
      return Vector(Eigen::Vector2d(y[1], bar.free_acceleration(y[0], y[1])));
    };
    Vector y = Eigen::Vector2d(1, 3);
    std::vector<Sample> samples;
    double t = 0;
    for (const double time : times) {
      y = integrate_ode(f, t, y, time, 0.01);
      t = time;
      const Vector3 a = bar.angles(y[0]);
      const FourBar::Points x = bar.centres(a), v = bar.centre_velocities(a, bar.rates(a, y[1]));
      samples.push_back({Eigen::Map<const Vector>(x.data(), 6),
                         Eigen::Map<const Vector>(v.data(), 6),
                         bar.reactions(y[0], y[1], bar.free_acceleration(y[0], y[1])).head<8>()});
    }
    return samples;
  };
  return problem;
}

TEST(GeneralizedAlphaOrder, IsTwoForTheSpinningTop) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) expect_second_order(spinning_top(), rho);
}

TEST(GeneralizedAlphaOrder, IsTwoWithADrivenJoint) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) expect_second_order(driven_double_pendulum(), rho);
}

TEST(GeneralizedAlphaOrder, IsTwoInAClosedLoop) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) expect_second_order(swinging_four_bar(), rho);
}

// ---- the start
// -----------------------------------------------------------------------------------

/// Steps the driven pendulum, with or without NonsmoothAlphaStepper::start, and returns the
/// largest error of the joint forces and torques over the first ten steps.
double first_multiplier_error(double h, double rho, bool with_start) {
  const SkewDoublePendulum pendulum;
  const System system(pendulum.model());
  NonsmoothAlphaStepper stepper(system, {.rho_inf = rho, .tolerance = 1e-12});
  State state = initial_state(system, stepper.kkt());
  if (with_start) stepper.start(state, h);

  Recorder::Observers observers;
  observers.push_back(std::make_unique<BodyRecord>(system, FlexibleDetail::All));
  observers.push_back(std::make_unique<JointRecord>(system));
  Recorder recorder(std::move(observers), state);
  TableSink table;
  table.begin({.channels = recorder.channels()});
  table.record(recorder.row(state));
  for (int n = 1; n <= 10; ++n) {
    EXPECT_TRUE(stepper.step(state, h, n * h).converged);
    table.record(recorder.row(state));
  }
  const Problem problem = driven_double_pendulum();
  const std::vector<Sample> exact = problem.reference(table.column("time"));
  double worst = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const Sample sample = problem.computed(table, row);
    worst = std::max(worst, (sample.multiplier - exact[row].multiplier).norm());
  }
  return worst;
}

// The scheme's a_n is v̇ at t_n + (α_m − α_f) h. Started with v̇₀ itself, the multipliers are of
// first order in the first steps; started at its own time they are of second order from the first
// step on.
TEST(GeneralizedAlphaOrder, IsTwoForTheFirstMultipliersBecauseOfTheStart) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    for (const bool with_start : {false, true}) {
      const double order = observed_order(first_multiplier_error(2e-3, rho, with_start),
                                          first_multiplier_error(1e-3, rho, with_start));
      measured(fmt::format("rho_{}_{}_order", rho, with_start ? "started" : "plain"), order);
      EXPECT_NEAR(order, with_start ? 2 : 1, 0.15) << "ρ∞ = " << rho;
    }
  }
}

}  // namespace generalized_alpha_order_test
}  // namespace saltus::test
