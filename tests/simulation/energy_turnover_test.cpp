// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/energy_turnover.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/simulation/simulation.hpp"

namespace saltus {
namespace energy_turnover_test {

double closure_error(const Model& model) {
  const Dynamics options{.integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}};
  Simulation simulation(model, options);
  const RunReport report = simulation.run_until(0.5);
  EXPECT_TRUE(report.converged());
  return report.turnover.closure_error(report.energy);
}

/// A ladder of 4 m between a rough floor and a rough wall.
Model ladder(const Vector3& gravity) {
  Model model{.gravity = gravity};
  const double x = 2 * std::cos(1.1), z = 2 * std::sin(1.1);
  const BodyId body = model.add(
      RigidBody{.name = "ladder",
                .inertia = ExplicitInertia{.mass = 12, .tensor = Vector3(4, 4, 0.1).asDiagonal()},
                .pose = {.position = {-x, 0, z}}});
  model.add(Collider{"foot", {.body = body, .position = {-x, 0, -z}}, PointShape{}});
  model.add(Collider{"top", {.body = body, .position = {x, 0, z}}, PointShape{}});
  model.add(Collider{"floor", at(model.ground()), HalfSpace{}});
  model.add(Collider{"wall", at(model.ground()), HalfSpace{.normal = {-1, 0, 0}}});
  model.add(Contact{.name = "below", .between = {{"foot"}, {"floor"}}, .friction = 0.6});
  model.add(Contact{.name = "above", .between = {{"top"}, {"wall"}}, .friction = 0.3});
  return model;
}

// Before: 1.3, the ratio of two round-offs.
TEST(ClosureError, OfALadderAtRestIsRoundOff) {
  EXPECT_LT(closure_error(ladder({0, 0, -9.81})), 1e-8);
}

// The same without gravity: what presses is a force.
TEST(ClosureError, OfWhatIsPressedIsRoundOff) {
  Model model = ladder({0, 0, 0});
  model.add(Force{.on = {.body = BodyId{0}}, .value = {0.0, 0.0, -117.0}});
  EXPECT_LT(closure_error(model), 1e-8);
}

// A spring of 1 N/m carries a pendulum of 1e-3 rad: little moves, and that little is what counts.
TEST(ClosureError, OfSmallMotionIsThatOfTheMotion) {
  EnergyTurnover turnover;
  turnover.add({.gravity = 50, .initial = 50});
  turnover.add({.kinetic = 1e-3, .gravity = 50 - 1e-3, .initial = 50});
  turnover.consider_stake(100);
  EXPECT_NEAR(turnover.closure_error({.kinetic = 1.5e-3, .gravity = 50 - 1e-3, .initial = 50}), 0.5,
              1e-9);
}

}  // namespace energy_turnover_test
}  // namespace saltus
