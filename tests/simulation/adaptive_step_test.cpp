// SPDX-License-Identifier: Apache-2.0
// Steps chosen by their error: the error follows the tolerance, impacts are met, rows stay where
// they are asked for, and a run is the same however it is cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/simulation/simulation.hpp"
#include "tests/support/scene.hpp"

namespace saltus::adaptive_step_test {

using test::g_0;

Dynamics adaptive(double end, const AdaptiveStep& step, std::optional<double> interval = {},
                  double rho_inf = 0.8) {
  return {.end_time = end,
          .integrator = NonsmoothGeneralizedAlpha{.step = step, .rho_inf = rho_inf},
          .record = {.interval = interval}};
}

/// A run and its rows.
struct Motion {
  Simulation simulation;
  RunReport report;

  Motion(const Model& model, const Dynamics& options)
      : simulation(model, options), report(simulation.run()) {
    EXPECT_TRUE(report.converged()) << report.message;
  }
  VectorX column(const char* name) const { return simulation.result().series(name); }
  VectorX time() const { return simulation.result().time(); }
  double last(const char* name) const {
    const VectorX values = column(name);
    return values[values.size() - 1];
  }
  const AdaptiveTotal& steps() const { return *report.adaptive; }
};

/// ω = 10 rad/s, 0.1 m about x = 1.
Model oscillator() {
  Model model;
  model.gravity.setZero();
  const BodyId bob =
      model.add(PointMass{.name = "bob", .mass = 2, .pose = {.position = {1.1, 0, 0}}});
  model.add(
      SpringDamper{.between = {at(model.ground()), at(bob)}, .stiffness = 200, .rest_length = 1});
  return model;
}

double oscillator_error(const Motion& run) {
  const VectorX x = run.column("bob.position.x"), t = run.time();
  double most = 0;
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    most = std::max(most, std::abs(x[i] - 1 - 0.1 * std::cos(10 * t[i])));
  }
  return most;
}

TEST(AdaptiveStep, TheErrorOfAnOscillatorFollowsTheTolerance) {
  double last = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Motion run(oscillator(), adaptive(2, {.max = 0.1, .tolerance = tolerance}));
    const double error = oscillator_error(run);
    if (last > 0) {
      EXPECT_GT(last / error, 3) << tolerance;
      EXPECT_LT(last / error, 30) << tolerance;
    }
    EXPECT_LT(error, 20 * tolerance);
    EXPECT_EQ(run.steps().accepted, run.report.steps);
    last = error;
  }
}

/// A force that shakes for a while, and then nothing.
TEST(AdaptiveStep, StepsFollowTheMotion) {
  Model model;
  model.gravity.setZero();
  const BodyId bob = model.add(PointMass{.name = "bob", .mass = 1});
  model.add(Force{.on = at(bob),
                  .value = {TimeFunction(Expression{"(t<0.2)*50*sin(100*t)"}), TimeFunction(0.0),
                            TimeFunction(0.0)}});
  const Motion run(model, adaptive(2, {.max = 0.1, .tolerance = 1e-5}));
  EXPECT_LT(run.steps().shortest, 5e-3);
  EXPECT_NEAR(run.steps().longest, 0.1, 1e-9);
}

/// A ball falls 1 m and bounces with e = 0.8: times and heights in closed form.
Model bouncing_ball(double radius = 0.1) {
  return test::ball_on_floor({.radius = radius, .position = {0, 0, 1 + radius}},
                             {.name = "bounce", .restitution = 0.8});
}

/// When impact number n comes, from 0.
double impact_time(int n) {
  const double fall = std::sqrt(2 / g_0);
  double time = fall;
  for (int i = 1; i <= n; ++i) time += 2 * fall * std::pow(0.8, i);
  return time;
}

double height(double t) {
  const double fall = std::sqrt(2 / g_0);
  if (t < fall) return 1 - g_0 / 2 * t * t;
  int n = 0;
  while (t >= impact_time(n + 1)) ++n;
  const double speed = g_0 * fall * std::pow(0.8, n + 1), since = t - impact_time(n);
  return since * (speed - g_0 / 2 * since);
}

TEST(AdaptiveStep, ImpactsAreMetToTheTolerance) {
  double last = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Motion run(bouncing_ball(), adaptive(2.5, {.max = 0.02, .tolerance = tolerance}));
    std::vector<double> times;
    for (const EventRow& event : run.simulation.result().events()) {
      if (event.kind == "impact") times.push_back(event.time);
    }
    ASSERT_EQ(times.size(), 4U);
    double late = 0;
    for (int n = 0; n < 4; ++n) {
      late = std::max(late, std::abs(times[static_cast<std::size_t>(n)] - impact_time(n)));
    }
    // The way in the time by which an impact is missed, v Δt, is a part of the size.
    EXPECT_LT(late, 0.2 * tolerance);
    double off = 0;
    const VectorX z = run.column("ball.position.z"), t = run.time();
    for (Eigen::Index i = 0; i < t.size(); ++i) {
      off = std::max(off, std::abs(z[i] - 0.1 - height(t[i])));
    }
    EXPECT_LT(off, 2 * tolerance);
    if (last > 0) {
      EXPECT_LT(late, 0.4 * last);
    }
    last = late;
  }
}

TEST(AdaptiveStep, ItDoesNotMatterInWhichUnitsAModelIs) {
  // Lengths by 1024, a power of two: not even round-off differs.
  Model small = bouncing_ball();
  Model large;
  large.gravity = {0, 0, -1024 * g_0};
  large.add(Collider{.name = "floor", .frame = at(large.ground()), .shape = HalfSpace{}});
  test::add_ball(large, "ball", 1, 102.4, {0, 0, 1024 * 1.1});
  large.add(Contact{.name = "bounce", .between = {"floor", "skin_of_ball"}, .restitution = 0.8});
  const Dynamics options = adaptive(1.5, {.max = 0.02, .tolerance = 1e-4});
  const Motion a(small, options), b(large, options);
  EXPECT_EQ(a.steps().accepted, b.steps().accepted);
  EXPECT_EQ(a.steps().rejected, b.steps().rejected);
  EXPECT_EQ(1024 * a.last("ball.position.z"), b.last("ball.position.z"));
}

TEST(AdaptiveStep, BouncesComeToAnEnd) {
  const Motion run(bouncing_ball(), adaptive(6, {.max = 0.02, .tolerance = 1e-3}));
  EXPECT_NEAR(run.last("ball.position.z"), 0.1, 1e-9);
  EXPECT_NEAR(run.last("ball.velocity.z"), 0, 1e-9);
  EXPECT_LT(run.steps().accepted, 3000);
}

// ---- rows

void expect_rows(const Motion& run, double interval, double end) {
  const VectorX t = run.time();
  const auto whole = static_cast<Eigen::Index>(std::floor(end / interval + 1e-9));
  const bool has_rest = end > static_cast<double>(whole) * interval * (1 + 1e-9);
  ASSERT_EQ(t.size(), whole + 1 + (has_rest ? 1 : 0));
  for (Eigen::Index i = 0; i <= whole; ++i) {
    if (i < whole || has_rest) {
      EXPECT_EQ(t[i], static_cast<double>(i) * interval);
    }
  }
  EXPECT_EQ(t[t.size() - 1], end);
}

TEST(AdaptiveStep, RowsAreAtMultiplesOfTheInterval) {
  const AdaptiveStep step{.max = 0.02, .tolerance = 1e-3};
  for (const double interval : {0.02, 0.01, 0.0137, 0.05, 0.33, 5.0}) {
    const Motion run(bouncing_ball(), adaptive(1.0, step, interval));
    expect_rows(run, interval, 1.0);
  }
  const Motion run(bouncing_ball(), adaptive(1.03, step));
  expect_rows(run, 0.02, 1.03);
}

TEST(AdaptiveStep, RowsOfOneLengthAreAtMultiplesToo) {
  Dynamics options{.end_time = 0.1,
                   .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3},
                   .record = {.interval = 5e-3}};
  const Motion run(bouncing_ball(), options);
  EXPECT_EQ(run.simulation.result().rows(), 21U);
  EXPECT_EQ(run.report.steps, 100);
  EXPECT_FALSE(run.report.adaptive.has_value());
  options.record.interval = 1.5e-3;
  EXPECT_THROW(Simulation(bouncing_ball(), options), InputError);
}

TEST(AdaptiveStep, RowsDoNotChangeTheMotionMuch) {
  const AdaptiveStep step{.max = 0.02, .tolerance = 1e-5};
  const Motion seldom(oscillator(), adaptive(1.0, step, 1.0));
  const Motion often(oscillator(), adaptive(1.0, step, 1e-3));
  EXPECT_EQ(seldom.simulation.result().rows(), 2U);
  EXPECT_LT(oscillator_error(seldom), 5e-5);
  EXPECT_LT(oscillator_error(often), 5e-5);
}

// ---- mechanisms

TEST(AdaptiveStep, ADoublePendulumKeepsItsEnergyAsWellAsAskedFor) {
  double last = 0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const Motion run(test::skew_pendulum(),
                     adaptive(1, {.max = 0.05, .tolerance = tolerance}, {}, 1));
    const EnergyLedger& energy = run.report.energy;
    const double loss = std::abs(energy.numerical_loss);
    EXPECT_LT(loss, 1e2 * tolerance);
    EXPECT_LT(std::abs(energy.residual()), 1e-9);
    if (last > 0) {
      EXPECT_LT(loss, 0.4 * last) << tolerance;
    }
    last = loss;
  }
}

/// A rod of 1 m falls from the horizontal against a stop at the vertical.
Model pendulum_against_stop() {
  Model model;
  const BodyId rod = model.add(
      RigidBody{.name = "rod", .inertia = slender_rod(1, 1), .pose = {.position = {0.5, 0, 0}}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), rod},
                     .at = Vector3(0, 0, 0),
                     .axis = Vector3(0, 1, 0),
                     .limits = Limits{.upper = std::numbers::pi / 2, .restitution = 0.5}});
  return model;
}

TEST(AdaptiveStep, StopsOfJointsAreMet) {
  // ω = √(3 g / l) at the vertical; it swings back to where cos of the angle from there is 3/4.
  const double tolerance = 1e-5;
  const Motion run(pendulum_against_stop(), adaptive(0.9, {.max = 0.02, .tolerance = tolerance}));
  const VectorX angle = run.column("pin.angle");
  double back = 10;
  bool struck = false;
  const auto& events = run.simulation.result().events();
  ASSERT_GE(events.size(), 1U);
  EXPECT_EQ(events[0].kind, "stop");
  for (Eigen::Index i = 0; i < angle.size(); ++i) {
    struck |= run.time()[i] > events[0].time;
    if (struck) back = std::min(back, angle[i]);
  }
  EXPECT_NEAR(std::cos(std::numbers::pi / 2 - back), 0.75, 1e-3);
  // ½ ω² at the impact is 3 g/(2 l), a quarter of which is left.
  EXPECT_NEAR(run.report.energy.impact_loss, 0.75 * g_0 / 2, 1e-3);
  const Motion finer(pendulum_against_stop(),
                     adaptive(0.9, {.max = 0.02, .tolerance = tolerance / 100}));
  EXPECT_NEAR(finer.simulation.result().events()[0].time, events[0].time, 10 * tolerance);
}

/// 1 kg on a spring that a force pulls from 0.1003 s on: a jump that no row meets.
TEST(AdaptiveStep, LoadsMayJump) {
  Model model;
  model.gravity.setZero();
  const BodyId bob =
      model.add(PointMass{.name = "bob", .mass = 1, .pose = {.position = {1, 0, 0}}});
  model.add(
      SpringDamper{.between = {at(model.ground()), at(bob)}, .stiffness = 100, .rest_length = 1});
  model.add(Force{
      .on = at(bob),
      .value = {TimeFunction(Expression{"10*(t>=0.1003)"}), TimeFunction(0.0), TimeFunction(0.0)}});
  double last = 0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const Motion run(model, adaptive(1, {.max = 0.02, .tolerance = tolerance}));
    const VectorX x = run.column("bob.position.x"), t = run.time();
    double off = 0;
    for (Eigen::Index i = 0; i < t.size(); ++i) {
      const double exact = t[i] < 0.1003 ? 0 : 0.1 * (1 - std::cos(10 * (t[i] - 0.1003)));
      off = std::max(off, std::abs(x[i] - 1 - exact));
    }
    EXPECT_LT(off, 10 * tolerance);
    if (last > 0) {
      EXPECT_LT(off, 0.5 * last) << tolerance;
    }
    last = off;
  }
}

/// A block is thrown along a rough floor and stops: v²/(2 μ g).
TEST(AdaptiveStep, ABlockStopsWhereFrictionStopsIt) {
  const Model model = test::box_on_floor(1, {0.2, 0.2, 0.1}, {.linear = {1.0, 0, 0}},
                                         {.name = "slide", .friction = 0.3});
  const Motion run(model, adaptive(0.6, {.max = 0.02, .tolerance = 1e-5}));
  EXPECT_NEAR(run.last("box.position.x"), 1 / (2 * 0.3 * g_0), 1e-5);
  EXPECT_NEAR(run.last("box.velocity.x"), 0, 1e-9);
}

/// A block on a belt, held by a spring: it sticks and slips.
TEST(AdaptiveStep, SlipAndStickFollowEachOther) {
  Model model;
  const Vector3 size(0.2, 0.2, 0.1);
  model.add(Collider{.name = "belt",
                     .frame = at(model.ground()),
                     .shape = HalfSpace{.surface_velocity = {0.1, 0, 0}}});
  const BodyId box = model.add(
      RigidBody{.name = "box", .inertia = solid_box(1, size), .pose = {.position = {0, 0, 0.05}}});
  model.add(Collider{.name = "corners", .frame = at(box), .shape = Box{size}});
  model.add(Contact{.name = "rub",
                    .between = {"belt", "corners"},
                    .friction = ExponentialFriction{.base = 0.2, .amplitude = 0.2, .decay = 50}});
  model.add(SpringDamper{
      .between = {at(model.ground(), {-1, 0, 0.05}), at(box)}, .stiffness = 100, .rest_length = 1});
  const Motion fine(model, adaptive(3, {.max = 0.01, .tolerance = 1e-8}));
  const VectorX exact = fine.column("box.position.x");
  EXPECT_GT(exact.maxCoeff(), 0.03);
  double last = 0;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const Motion run(model, adaptive(3, {.max = 0.01, .tolerance = tolerance}));
    const VectorX x = run.column("box.position.x");
    ASSERT_EQ(x.size(), exact.size());
    // Slip grows from nothing: when it begins is known to about the third root of the tolerance.
    const double off = (x - exact).cwiseAbs().maxCoeff();
    EXPECT_LT(off, 0.1 * std::cbrt(tolerance));
    if (last > 0) {
      EXPECT_LT(off, 0.5 * last);
    }
    last = off;
  }
}

// ---- memory and determinism

std::string bytes_of(const Result& result) {
  return {reinterpret_cast<const char*>(result.values().get()),
          result.rows() * result.columns().size() * sizeof(double)};
}

TEST(AdaptiveStep, TwoRunsAreTheSameBytes) {
  const Dynamics options = adaptive(1.2, {.max = 0.02, .tolerance = 1e-4}, 0.013);
  const Motion a(bouncing_ball(), options), b(bouncing_ball(), options);
  EXPECT_EQ(bytes_of(a.simulation.result()), bytes_of(b.simulation.result()));
}

TEST(AdaptiveStep, WhatIsSavedGoesOnWithTheSameBits) {
  for (const Model& model : {bouncing_ball(), pendulum_against_stop(), test::skew_pendulum()}) {
    const Dynamics options = adaptive(1.0, {.max = 0.02, .tolerance = 1e-4}, 0.013);
    Simulation whole(model, options);
    whole.run_until(0.437);
    const Archive::Bytes saved = whole.save();
    const RunReport last = whole.run_until(1.0);
    Simulation fresh(model, options);
    fresh.load(saved);
    const RunReport report = fresh.run_until(1.0);
    EXPECT_EQ(fresh.save(), whole.save());
    EXPECT_EQ(report.adaptive->accepted, last.adaptive->accepted);
    EXPECT_EQ(report.adaptive->rejected, last.adaptive->rejected);
  }
}

/// Stopped between two rows, on its way to the end.
TEST(AdaptiveStep, ARunThatWasStoppedGoesOnAsIfNothingHadBeen) {
  const Dynamics options = adaptive(1.0, {.max = 0.02, .tolerance = 1e-4}, 0.1);
  Simulation whole(bouncing_ball(), options), stopped(bouncing_ball(), options);
  whole.run();
  int steps = 0;
  stopped.on_step([&](const Progress&) { return ++steps != 17; });
  EXPECT_EQ(stopped.run_until(1.0).status, RunStatus::Interrupted);
  EXPECT_LT(stopped.state().time, 1.0);
  const Archive::Bytes saved = stopped.save();
  stopped.on_step({});
  stopped.run_until(1.0);
  EXPECT_EQ(stopped.save(), whole.save());
  Simulation fresh(bouncing_ball(), options);
  fresh.load(saved);
  fresh.run_until(1.0);
  EXPECT_EQ(fresh.save(), whole.save());
}

// ---- what else there is

TEST(AdaptiveStep, AStopConditionIsLocated) {
  Dynamics options = adaptive(2.0, {.max = 0.02, .tolerance = 1e-4});
  options.stop_when = "ball.position.z < 0.6";
  const Motion run(bouncing_ball(), options);
  EXPECT_EQ(run.report.stopped_by, "ball.position.z < 0.6");
  EXPECT_NEAR(run.report.end_time, std::sqrt(2 * 0.5 / g_0), 2e-6);
  EXPECT_EQ(run.time()[run.time().size() - 1], run.report.end_time);
}

TEST(AdaptiveStep, TheShortestStepIsTakenWhateverItsError) {
  const Motion run(bouncing_ball(), adaptive(1, {.max = 0.02, .tolerance = 1e-6, .min = 1e-3}));
  EXPECT_GE(run.steps().shortest, 0.9e-3);
  EXPECT_GT(run.report.impacts, 0);
  EXPECT_GT(run.steps().rejected, 0);
}

TEST(AdaptiveStep, CompliantContactsDivideTheirStepsAsBefore) {
  Model model = bouncing_ball();
  model.contacts[0].model = ContactModel::Compliant;
  model.contacts[0].stiffness = 1e6;
  model.contacts[0].exponent = 1.5;
  const Motion coarse(model, adaptive(1, {.max = 0.02, .tolerance = 1e-4}));
  const Motion fine(model, adaptive(1, {.max = 0.02, .tolerance = 1e-6}));
  EXPECT_GT(coarse.report.compliant->contacts, 0);
  EXPECT_NEAR(coarse.last("ball.position.z"), fine.last("ball.position.z"), 2e-3);
}

TEST(AdaptiveStep, ModelsWithoutContactsHaveThemByGeneralizedAlphaToo) {
  Dynamics options = adaptive(1, {.max = 0.05, .tolerance = 1e-4});
  const Motion nonsmooth(oscillator(), options);
  options.integrator = GeneralizedAlpha{.step = AdaptiveStep{.max = 0.05, .tolerance = 1e-4}};
  const Motion smooth(oscillator(), options);
  EXPECT_EQ(smooth.last("bob.position.x"), nonsmooth.last("bob.position.x"));
}

/// What is thrown is not still because ten steps before an impact elsewhere are short.
TEST(AdaptiveStep, BodiesDoNotFallAsleepInTheAir) {
  Model model = bouncing_ball();
  test::add_ball(model, "other", 1, 0.1, {5, 0, 1.7}, {.linear = {0, 0, 2}});
  model.add(Contact{.name = "other_floor", .between = {"floor", "skin_of_other"}});
  const Motion run(model, adaptive(0.5, {.max = 0.02, .tolerance = 1e-6}));
  EXPECT_EQ(run.report.sleep.bodies(), 0);
  EXPECT_NEAR(run.last("other.position.z"), 1.7 + 2 * 0.5 - g_0 / 8, 1e-9);
}

TEST(AdaptiveStep, JointImpulsesAreTheMomentumThatWasGiven) {
  const Motion run(test::skew_pendulum(), adaptive(0.5, {.max = 0.05, .tolerance = 1e-4}, 0.05));
  // Of both bodies along z: their weight and the pin.
  const VectorX pin = run.column("pin.impulse.z");
  const double momentum = run.last("upper.velocity.z") + 2 * run.last("lower.velocity.z");
  // Each of some hundred steps is in balance to 1e-10.
  EXPECT_NEAR(pin.sum(), momentum + 3 * g_0 * 0.5, 1e-8);
}

}  // namespace saltus::adaptive_step_test
