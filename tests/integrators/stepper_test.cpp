// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/stepper.hpp"

#include "saltus/integrators/event_scene.hpp"
#include "saltus/integrators/island_steps.hpp"
#include "saltus/integrators/moreau_jean.hpp"
#include "tests/support/stepped.hpp"

namespace saltus {
namespace stepper_test {

using namespace test;

const Integrator methods[] = {NonsmoothGeneralizedAlpha{.step = 0.01},
                              GeneralizedAlpha{.step = 0.01}, MoreauJean{.step = 0.01},
                              EventDriven{.step = 0.01}};

TEST(MakeStepper, MakesTheMethodThatIsAskedFor) {
  const System system(skew_pendulum());
  const auto made = [&](const Integrator& method) { return make_stepper(system, method, {}); };
  EXPECT_NE(dynamic_cast<IslandSteps*>(made(methods[0]).get()), nullptr);
  EXPECT_NE(dynamic_cast<IslandSteps*>(made(methods[1]).get()), nullptr);
  EXPECT_NE(dynamic_cast<MoreauJeanStepper*>(made(methods[2]).get()), nullptr);
  EXPECT_NE(dynamic_cast<EventDrivenScene*>(made(methods[3]).get()), nullptr);
}

TEST(MakeStepper, TakesGeneralizedAlphaForTheSameMethodWithoutContacts) {
  Stepped with(skew_pendulum({0, 2, 1}), NonsmoothGeneralizedAlpha{.step = 0.01, .rho_inf = 0.6}),
      without(skew_pendulum({0, 2, 1}), GeneralizedAlpha{.step = 0.01, .rho_inf = 0.6});
  ASSERT_TRUE(with.steps(10));
  ASSERT_TRUE(without.steps(10));
  EXPECT_TRUE(is_same(with.state, without.state));
}

TEST(Stepper, BringsTheStateToTheEndOfTheStep) {
  for (const Integrator& method : methods) {
    Stepped pendulum(skew_pendulum({0, 2, 1}), method);
    ASSERT_TRUE(pendulum.steps(3));
    EXPECT_NEAR(pendulum.state.time, 0.03, 1e-15) << method.index();
    // What is recorded of a step belongs to its end.
    const State& state = pendulum.state;
    EXPECT_EQ(state.energy.kinetic,
              pendulum.system.kinetic_energy(state.configuration, state.velocity));
    EXPECT_EQ(state.energy.gravity, pendulum.system.gravity_energy(state.configuration));
  }
}

// Whatever the method, the motion is the same as the step goes to zero.
TEST(Stepper, OfEveryMethodGoesTheSameWay) {
  Stepped exact(skew_pendulum({0, 2, 1}), EventDriven{.step = 0.1, .tolerance = 1e-12});
  ASSERT_TRUE(exact.steps(2));
  for (const Integrator& method : {Integrator(NonsmoothGeneralizedAlpha{.step = 1e-3}),
                                   Integrator(MoreauJean{.step = 1e-3})}) {
    Stepped scene(skew_pendulum({0, 2, 1}), method);
    ASSERT_TRUE(scene.steps(200));
    // h² times the third derivatives of a motion of some rad/s; joints that drift take more.
    EXPECT_LE((scene.state.velocity - exact.state.velocity).norm(), 1e-2) << method.index();
    EXPECT_LE((scene.node(2).x - exact.node(2).x).norm(), 1e-4) << method.index();
  }
}

TEST(Stepper, GivesTheReactionsOfTheJointsInNewtons) {
  for (const Integrator& method : methods) {
    Model model;
    model.add(PointMass{.name = "mass", .mass = 3, .velocity = {.linear = {1, 0, 0}}});
    model.add(Lock{.body = BodyId{0}, .translation = {Axis::Z}});
    Stepped mass(model, method);
    ASSERT_TRUE(mass.steps(3));
    VectorX force = VectorX::Zero(3);
    mass.system.add_constraint_forces(mass.state.configuration, mass.state.multiplier, force);
    EXPECT_NEAR(force[2], 3 * g_0, 1e-8) << method.index();  // joints are regularised
    EXPECT_NEAR(mass.node(1).x.x(), 0.03, 1e-14) << method.index();
  }
}

}  // namespace stepper_test
}  // namespace saltus
