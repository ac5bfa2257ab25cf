// SPDX-License-Identifier: Apache-2.0
// Impacts by events with the law of time stepping.
#include "saltus/integrators/complementarity_impact.hpp"

#include <cmath>

#include "saltus/integrators/impact_step.hpp"
#include "saltus/integrators/moreau_jean.hpp"
#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace complementarity_impact_test {

using namespace test;

constexpr double close = 1e-10;

/// A scene whose touching points collide with the velocities of the model.
struct Struck : ClosedScene {
  VectorX v;
  ImpactOutcome outcome;

  explicit Struck(const Model& model, MultipleImpacts impacts = MultipleImpacts::Sequence)
      : ClosedScene(model), v(state.velocity) {
    ImpactStep step(system, motion, {.restitution_law = RestitutionLaw::Complementarity},
                    {.multiple_impacts = impacts});
    outcome = step.resolve(state.configuration, 0.5, motion.points(), false, v);
  }
  double kinetic(const VectorX& w) const { return system.kinetic_energy(state.configuration, w); }
};

Model oblique(const Contact& contact, const Vector3& velocity) {
  return ball_on_floor({.mass = 2, .position = {0, 0, 0.5}, .velocity = {.linear = velocity}},
                       contact);
}

Model three_in_a_row() {
  Model model;
  model.gravity.setZero();
  add_ball(model, "a", 1, 0.5, {0, 0, 0}, {.linear = {1, 0, 0}});
  add_ball(model, "b", 1, 0.5, {1, 0, 0}, {});
  add_ball(model, "c", 1, 0.5, {2, 0, 0}, {});
  model.add(Contact{.between = {"skin_of_a", "skin_of_b"}, .restitution = 1});
  model.add(Contact{.between = {"skin_of_b", "skin_of_c"}, .restitution = 1});
  return model;
}

/// A rod on a hinge that comes down on the floor with a knob, and a ball that lies under its end.
Model rod_on_a_hinge(Random& random, double restitution, double friction) {
  Model model;
  model.gravity.setZero();
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId rod = model.add(RigidBody{.name = "rod",
                                         .inertia = solid_box(3, {1, 0.1, 0.2}),
                                         .pose = {.position = {0.5, 0, 0.3}},
                                         .velocity = {.linear = {0, 0, -1}, .angular = {0, 2, 0}}});
  model.add(Collider{.name = "knob", .frame = at(rod, {0.1, 0, 0}), .shape = Sphere{0.3}});
  model.add(Collider{.name = "end", .frame = at(rod, {0.5, 0, 0}), .shape = Sphere{0.1}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), rod},
                     .at = Vector3(0, 0, 0.3),
                     .axis = Vector3(0, 1, 0)});
  add_ball(model, "ball", 0.5, 0.1, {1, 0, 0.1}, {.linear = 0.3 * random.vector()});
  model.add(
      Contact{.between = {"floor", "knob"}, .restitution = restitution, .friction = friction});
  model.add(Contact{
      .between = {"end", "skin_of_ball"}, .restitution = restitution, .friction = friction});
  model.add(Contact{.between = {"floor", "skin_of_ball"}, .restitution = 0, .friction = friction});
  return model;
}

/// The velocities after one step of time stepping, too short for forces to matter.
VectorX after_a_step(const Model& model, MultipleImpacts impacts) {
  Scene scene(model);
  MoreauJeanStepper stepper(scene.system, {.theta = 0}, {.multiple_impacts = impacts});
  constexpr double h = 1e-9;
  stepper.start(scene.state, h);
  const StepReport report = stepper.step(scene.state, h, h);
  EXPECT_TRUE(report.converged) << report.message;
  return scene.state.velocity;
}

TEST(ComplementarityImpact, OfOneBallReversesItsApproach) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Struck ball(oblique({.restitution = e}, {1, 0, -2}));
    ASSERT_TRUE(ball.outcome.converged) << ball.outcome.message;
    EXPECT_LE((ball.linear(ball.v, 1) - Vector3(1, 0, 2 * e)).norm(), close);
    EXPECT_NEAR(ball.outcome.lost, 0.5 * 2 * 4 * (1 - e * e), close);
    ASSERT_EQ(ball.outcome.events.size(), 1u);
    EXPECT_NEAR(ball.outcome.events[0].impulse.z(), 2 * 2 * (1 + e), close);
  }
}

// A solid ball that grips: u_T⁺ = −e_T u_T⁻, of which 2/7 per unit of impulse goes into the centre.
TEST(ComplementarityImpact, ReversesSlipByTangentialRestitution) {
  const Struck ball(
      oblique({.restitution = 1, .tangential_restitution = 0.6, .friction = 5.0}, {1, 0, -2}));
  ASSERT_TRUE(ball.outcome.converged) << ball.outcome.message;
  const double p = -2 * (2.0 / 7) * (1 + 0.6) * 1;  // m_eff = 2 m / 7
  EXPECT_NEAR(ball.linear(ball.v, 1).x(), 1 + p / 2, close);
  EXPECT_NEAR(ball.linear(ball.v, 1).z(), 2, close);
  EXPECT_NEAR(ball.outcome.lost, ball.kinetic(ball.state.velocity) - ball.kinetic(ball.v), close);
}

TEST(ComplementarityImpact, RunsThroughARowOrMeetsItAtOnce) {
  const Struck sequence(three_in_a_row());
  const Struck at_once(three_in_a_row(), MultipleImpacts::Simultaneous);
  const double by_sequence[] = {0, 0, 1}, together[] = {-1.0 / 3, 2.0 / 3, 2.0 / 3};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sequence.linear(sequence.v, i + 1).x(), by_sequence[i], close);
    EXPECT_NEAR(at_once.linear(at_once.v, i + 1).x(), together[i], close);
  }
  ASSERT_EQ(sequence.outcome.events.size(), 2u);
  EXPECT_EQ(sequence.outcome.events[1].order, 2);
}

// Joints, friction, several contacts: what a step of time stepping does in no time.
TEST(ComplementarityImpact, DoesWhatAShortStepDoes) {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    const double e = random.uniform(0, 1), mu = random.uniform(0, 0.8);
    const Model model = rod_on_a_hinge(random, e, mu);
    for (const auto impacts : {MultipleImpacts::Sequence, MultipleImpacts::Simultaneous}) {
      const Struck rod(model, impacts);
      ASSERT_TRUE(rod.outcome.converged) << rod.outcome.message;
      EXPECT_LE((rod.v - after_a_step(model, impacts)).norm(), 1e-7) << "e " << e << ", mu " << mu;
      // Books of single contacts have the regularisation of joints, 1e-9, in them.
      EXPECT_NEAR(rod.outcome.lost, rod.kinetic(rod.state.velocity) - rod.kinetic(rod.v), 1e-8);
      VectorX rates(rod.system.constraints());
      rod.system.constraint_rates(rod.state.configuration, rod.v, 0.5, rates);
      EXPECT_LE(rates.norm(), 1e-13);
    }
  }
}

}  // namespace complementarity_impact_test
}  // namespace saltus
