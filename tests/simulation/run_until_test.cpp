// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "saltus/core/input_error.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace run_until_test {

/// A ball that falls 1 m on the floor under 10 m/s².
Model falling_ball() {
  Model model{.gravity = {0, 0, -10}};
  const BodyId ball =
      model.add(PointMass{.name = "ball", .mass = 2, .pose = {.position = {0, 0, 1}}});
  const ColliderId skin = model.add(Collider{"skin", at(ball), PointShape{}});
  const ColliderId floor = model.add(Collider{"floor", at(model.ground()), HalfSpace{}});
  model.add(Contact{.name = "hit", .between = {skin, floor}, .restitution = 0.8, .stiffness = 1e7});
  return model;
}

const Dynamics options{.integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}};

TEST(Model, IdsOfCollidersBecomeTheirNames) {
  const Model model = falling_ball();
  EXPECT_EQ(model.contacts[0].between[0].patterns, std::vector<std::string>{"skin"});
  EXPECT_EQ(model.contacts[0].between[1].patterns, std::vector<std::string>{"floor"});
}

TEST(RunUntil, KeepsRowsInMemoryAndGivesThemAsSeries) {
  Simulation simulation{falling_ball(), options};
  const RunReport report = simulation.run_until(0.4);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.steps, 400);
  const Result& result = simulation.result();
  ASSERT_EQ(result.rows(), 401u);
  const auto z = result.position(BodyId{0});
  const auto t = result.time();
  for (Eigen::Index i = 0; i < z.rows(); ++i) EXPECT_NEAR(z(i, 2), 1 - 5 * t[i] * t[i], 1e-12);
  EXPECT_EQ(result.series("ball.velocity.z")[400], result.velocity(BodyId{0})(400, 2));
}

TEST(RunUntil, NamesTheNearestColumn) {
  Simulation simulation{falling_ball(), options};
  simulation.run_until(0.01);
  try {
    simulation.result().series("ball.positon.z");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ball.position.z"), std::string::npos);
  }
}

TEST(RunUntil, PiecesGiveTheRowsOfOneRun) {
  Simulation whole{falling_ball(), options}, pieces{falling_ball(), options};
  whole.run_until(1.5);
  for (const double t : {0.25, 0.447, 0.448, 1.0, 1.5}) pieces.run_until(t);
  const Result &a = whole.result(), &b = pieces.result();
  ASSERT_EQ(a.rows(), b.rows());
  const auto size = static_cast<Eigen::Index>(a.rows() * a.columns().size());
  const Eigen::Map<const VectorX> x(a.values().get(), size), y(b.values().get(), size);
  EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-9 * x.cwiseAbs().maxCoeff());
  // Forces come a step late: what was provisional at the end of a piece is there once.
  ASSERT_EQ(a.forces().size(), b.forces().size());
  for (std::size_t i = 0; i < a.forces().size(); ++i) {
    EXPECT_NEAR(a.forces()[i].time, b.forces()[i].time, 1e-12);
    EXPECT_NEAR(a.forces()[i].impulse, b.forces()[i].impulse, 1e-9);
  }
  EXPECT_EQ(a.events().size(), b.events().size());
  EXPECT_EQ(whole.result().report().impacts, pieces.result().report().impacts);
}

TEST(RunUntil, ATimeThatHasPassedIsRefused) {
  Simulation simulation{falling_ball(), options};
  simulation.run_until(0.1);
  EXPECT_THROW(simulation.run_until(0.05), InputError);
  EXPECT_EQ(simulation.state().time, 0.1);
  EXPECT_EQ(simulation.run_until(0.1).steps, 100);
}

TEST(RunUntil, RefusesWhatIsNoTimeAndStatics) {
  Simulation simulation{falling_ball(), options};
  EXPECT_THROW(simulation.run_until(std::nan("")), InputError);
  Model hanging;
  hanging.add(PointMass{.name = "mass", .mass = 1});
  hanging.add(Bushing{.between = {at(hanging.ground()), at(BodyId{0})}, .stiffness = {1, 1, 1}});
  Simulation statics{hanging, SimulationOptions(Statics{})};
  EXPECT_THROW(statics.run_until(1), InputError);
  EXPECT_TRUE(statics.run().converged());
  EXPECT_EQ(statics.result().rows(), 2u);
}

TEST(Listeners, HearEveryImpactAndEveryStep) {
  Simulation simulation{falling_ball(), options};
  std::vector<Impact> impacts;
  long steps = 0;
  simulation.on_impact([&](const Impact& impact) { impacts.push_back(impact); });
  simulation.on_step([&](const Progress& progress) {
    EXPECT_EQ(progress.steps, ++steps);
    return true;
  });
  const RunReport report = simulation.run_until(1.0);
  EXPECT_EQ(steps, 1000);
  ASSERT_EQ(static_cast<long>(impacts.size()), report.impacts);
  EXPECT_EQ(impacts[0].contact, "hit");
  EXPECT_NEAR(impacts[0].impulse.x(), 2 * 1.8 * std::sqrt(20.0), 0.05);
}

TEST(Listeners, StopARunThatGoesOnLater) {
  Simulation simulation{falling_ball(), options};
  simulation.on_step([](const Progress& progress) { return progress.steps != 7; });
  EXPECT_EQ(simulation.run_until(0.1).status, RunStatus::Interrupted);
  EXPECT_NEAR(simulation.state().time, 0.007, 1e-12);
  EXPECT_TRUE(simulation.run_until(0.1).converged());
  EXPECT_EQ(simulation.result().rows(), 101u);
}

TEST(Listeners, ExceptionsComeThroughAndRowsAreKept) {
  Simulation simulation{falling_ball(), options};
  simulation.on_impact([](const Impact&) { throw std::runtime_error("enough"); });
  EXPECT_THROW(simulation.run_until(1.0), std::runtime_error);
  EXPECT_EQ(simulation.result().report().status, RunStatus::Interrupted);
  EXPECT_EQ(simulation.result().report().impacts, 1);
  // The step in which it happened is complete, and the run can go on.
  simulation.on_impact({});
  EXPECT_TRUE(simulation.run_until(1.0).converged());
  EXPECT_EQ(simulation.result().rows(), 1001u);
  const auto impulse = simulation.result().series("hit.impulse.n");
  const double change = 2 * simulation.result().velocity(BodyId{0})(1000, 2);
  EXPECT_NEAR(impulse.sum() - 2 * 10 * 1.0, change, 1e-9);
}

TEST(Listeners, CannotRunTheSimulation) {
  Simulation simulation{falling_ball(), options};
  simulation.on_step([&](const Progress&) {
    simulation.run_until(2.0);
    return true;
  });
  EXPECT_THROW(simulation.run_until(1.0), InputError);
  EXPECT_EQ(simulation.result().rows(), 2u);
}

TEST(Listeners, ARunThatIsStoppedHasItsLastRow) {
  Dynamics sparse = options;
  sparse.record.every = 100;
  Simulation simulation{falling_ball(), sparse};
  simulation.on_step([](const Progress& progress) { return progress.steps != 250; });
  simulation.run_until(1.0);
  EXPECT_EQ(simulation.result().rows(), 4u);
  EXPECT_NEAR(simulation.result().time()[3], 0.25, 1e-12);
}

TEST(UserForce, LawThatThrowsStopsTheRun) {
  Model model = falling_ball();
  bool is_trap = true;
  model.add(UserForce{.name = "trap",
                      .between = {at(model.ground()), at(BodyId{0})},
                      .law = [&](double t, const FrameMotion&, const FrameMotion&) -> Wrench {
                        if (is_trap && t > 0.05) throw std::runtime_error("no table beyond 0.05 s");
                        return {};
                      }});
  Simulation simulation{model, options};
  EXPECT_THROW(simulation.run_until(0.2), std::runtime_error);
  EXPECT_EQ(simulation.result().report().status, RunStatus::Interrupted);
  EXPECT_NEAR(simulation.result().report().end_time, 0.05, 1e-9);
  is_trap = false;
  EXPECT_TRUE(simulation.run_until(0.2).converged());
  EXPECT_EQ(simulation.result().rows(), 201u);
}

TEST(UserForce, WithoutALawIsRefused) {
  Model model = falling_ball();
  model.add(UserForce{.between = {at(model.ground()), at(BodyId{0})}});
  EXPECT_THROW(Simulation(model, options), InputError);
}

}  // namespace run_until_test
}  // namespace saltus
