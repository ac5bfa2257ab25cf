// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/impact_step.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/closed_points.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace impact_step_test {

using namespace test;

// The impulse domain is integrated to 1e-12, relative.
constexpr double close = 1e-10;

/// A scene whose touching points collide with the velocities of the model.
struct Struck : ClosedScene {
  VectorX v;
  ImpactOutcome outcome;

  explicit Struck(const Model& model, const EventDriven& options = {}, bool histories = false)
      : ClosedScene(model), v(state.velocity) {
    ImpactStep impacts(system, motion, options, {.histories = histories});
    outcome = impacts.resolve(state.configuration, 0.5, motion.points(), false, v);
  }
  double kinetic(const VectorX& w) const { return system.kinetic_energy(state.configuration, w); }
};

Model head_on(double restitution, double friction = 0, const Vector3& second_velocity = {0, 0, 0}) {
  return two_balls({.mass = 1, .velocity = {.linear = {2, 0, 0}}},
                   {.mass = 3, .position = {1, 0, 0}, .velocity = {.linear = second_velocity}},
                   {.restitution = restitution, .friction = friction});
}

Model oblique(double restitution, double friction, const Vector3& velocity) {
  return ball_on_floor({.mass = 2, .position = {0, 0, 0.5}, .velocity = {.linear = velocity}},
                       {.restitution = restitution, .friction = friction});
}

/// A bar that turns about a hinge at its end and comes down on the floor with a knob at x.
Model striking_bar(double x, double restitution) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  const BodyId bar = model.add(RigidBody{.name = "bar",
                                         .inertia = solid_box(3, {1, 0.1, 0.2}),
                                         .pose = {.position = {0.5, 0, 0.3}},
                                         .velocity = {.linear = {0, 0, -1}, .angular = {0, 2, 0}}});
  model.add(Collider{.name = "knob", .frame = at(bar, {x - 0.5, 0, 0}), .shape = Sphere{0.3}});
  model.add(Revolute{.name = "pin",
                     .bodies = {model.ground(), bar},
                     .at = Vector3(0, 0, 0.3),
                     .axis = Vector3(0, 1, 0)});
  model.add(Contact{.between = {"floor", "knob"}, .restitution = restitution});
  return model;
}

// Reduced mass, closed form: p = (1 + e) m u, loss ½ (1 − e²) m u².
TEST(ImpactStep, OfTwoBallsReversesTheirApproach) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Struck balls(head_on(e));
    ASSERT_TRUE(balls.outcome.converged) << balls.outcome.message;
    const double reduced = 3.0 / 4, p = (1 + e) * reduced * 2;
    EXPECT_NEAR(balls.linear(balls.v, 1).x(), 2 - p / 1, close);
    EXPECT_NEAR(balls.linear(balls.v, 2).x(), p / 3, close);
    EXPECT_NEAR(balls.outcome.impulses.at(0)[0], p, close);
    const double lost = 0.5 * (1 - e * e) * reduced * 4;
    EXPECT_NEAR(balls.outcome.lost, lost, close);
    EXPECT_NEAR(balls.kinetic(balls.state.velocity) - balls.kinetic(balls.v), lost, close);
  }
}

TEST(ImpactStep, WithFrictionKeepsMomentumAndBooksWhatIsLost) {
  const Struck balls(head_on(0.6, 0.2, {-1, 2, 0.5}));
  ASSERT_TRUE(balls.outcome.converged) << balls.outcome.message;
  const Configuration& q = balls.state.configuration;
  const Vector6 before = resultant(balls.system, q, balls.momentum(q, balls.state.velocity));
  const Vector6 after = resultant(balls.system, q, balls.momentum(q, balls.v));
  EXPECT_LE((after - before).norm(), close);
  EXPECT_GT(balls.angular(balls.v, 1).norm(), 0.1);
  const double lost = balls.kinetic(balls.state.velocity) - balls.kinetic(balls.v);
  EXPECT_GT(lost, 0);
  EXPECT_NEAR(balls.outcome.lost, lost, close);
  EXPECT_NEAR(balls.outcome.lost_by_point.at(0), lost, close);
}

// Of a ball normal and tangent do not act on each other: it sticks if 2/7 of its tangential
// momentum is less than μ times the normal impulse, and else slips all the time.
TEST(ImpactStep, ThatIsObliqueSticksOrSlipsByCoulombsLaw) {
  const double m = 2, e = 0.5, down = 2, along = 3;
  const double normal = (1 + e) * m * down;
  const double mu_limit = 2.0 / 7 * m * along / normal;
  for (const double part : {0.6, 1.4}) {
    const double mu = part * mu_limit;
    const Struck ball(oblique(e, mu, {along, 0, -down}));
    ASSERT_TRUE(ball.outcome.converged);
    const double tangential = std::min(mu * normal, 2.0 / 7 * m * along);
    EXPECT_NEAR(ball.linear(ball.v, 1).x(), along - tangential / m, close) << part;
    EXPECT_NEAR(ball.linear(ball.v, 1).z(), e * down, close) << part;
    EXPECT_NEAR(ball.angular(ball.v, 1).y(), 0.5 * tangential / (0.4 * m * 0.25), 10 * close);
    const double slip = ball.motion.points()[0].velocity.tail<2>().norm();
    const double expected = std::max(0.0, along - 3.5 * tangential / m);
    EXPECT_NEAR(slip, expected, 1e-8);
  }
}

// The centre of percussion: a bar that strikes there gives its hinge no blow.
TEST(ImpactStep, GivesAHingeItsShareOfTheBlow) {
  const double m = 3, e = 0.4, J = m * (1 + 0.2 * 0.2) / 12 + m / 4;
  for (const double x : {0.3, J / (m * 0.5), 0.95}) {
    const Struck bar(striking_bar(x, e));
    ASSERT_TRUE(bar.outcome.converged) << bar.outcome.message;
    const double p = (1 + e) * 2 * x / (x * x / J);
    EXPECT_NEAR(bar.outcome.impulses.at(0)[0], p, 10 * close);
    EXPECT_NEAR(bar.angular(bar.v, 1).y(), -e * 2, 10 * close);
    EXPECT_LE(bar.rates(bar.state.configuration, bar.v).norm(), 1e-9);
    VectorX blow = VectorX::Zero(6);
    bar.system.add_constraint_forces(bar.state.configuration, bar.outcome.joint_impulse, blow);
    EXPECT_NEAR(blow[2], p * (m * 0.5 * x / J - 1), 1e-8) << x;
  }
}

TEST(ImpactStep, TellsWhatHappenedInInertialComponents) {
  const Struck ball(oblique(0.5, 0.1, {3, -1, -2}));
  ASSERT_EQ(ball.outcome.events.size(), 1u);
  const ContactEvent& event = ball.outcome.events[0];
  EXPECT_EQ(event.kind, ContactEventKind::Impact);
  EXPECT_EQ(event.order, 1);
  EXPECT_EQ(event.time, 0.5);
  EXPECT_LE((event.normal - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LE((event.before - Vector3(3, -1, -2)).norm(), close);
  const Vector3 change = 2 * (ball.linear(ball.v, 1) - Vector3(3, -1, -2));
  EXPECT_LE((event.impulse - change).norm(), close);
  // The skin of the ball is faster than its centre by what it spins.
  const Vector3 spin = ball.node(1).R * ball.angular(ball.v, 1);
  EXPECT_LE((event.after - (ball.linear(ball.v, 1) + spin.cross(Vector3(0, 0, -0.5)))).norm(),
            close);
  EXPECT_NEAR(event.energy_lost, ball.outcome.lost, 1e-14);
}

TEST(ImpactStep, IsNoneWherePointsDoNotApproach) {
  for (const double speed : {0.0, 1.0}) {
    const Struck ball(oblique(0.5, 0.3, {1, 0, speed}));
    EXPECT_TRUE(ball.outcome.converged);
    EXPECT_TRUE(ball.outcome.events.empty());
    EXPECT_EQ(ball.v, ball.state.velocity);
    EXPECT_EQ(ball.outcome.lost, 0);
  }
}

// Four corners that come down flat share the blow; the box leaves as it came.
TEST(ImpactStep, OfABoxOnFourCornersIsShared) {
  const Struck box(box_on_floor(2, {1, 0.6, 0.5}, {.linear = {0, 0, -3}}, {.restitution = 0.5}));
  ASSERT_TRUE(box.outcome.converged) << box.outcome.message;
  EXPECT_LE((box.linear(box.v, 1) - Vector3(0, 0, 1.5)).norm(), close);
  EXPECT_LE(box.angular(box.v, 1).norm(), close);
  ASSERT_EQ(box.outcome.impulses.size(), 4u);
  for (const Vector3& p : box.outcome.impulses) EXPECT_NEAR(p[0], 2 * 4.5 / 4, 1e-8);
  EXPECT_NEAR(box.outcome.lost, 0.5 * 2 * 9 * 0.75, 1e-8);
}

TEST(ImpactStep, TakesTheCoefficientOfTheWholeImpactIfOneIsGiven) {
  const Struck balls(head_on(0.9), {.energetic_restitution = EnergeticRestitution(0.25)});
  ASSERT_TRUE(balls.outcome.converged);
  EXPECT_NEAR(balls.linear(balls.v, 2).x() - balls.linear(balls.v, 1).x(), 0.25 * 2, close);
}

// Newton's, Poisson's and Stronge's coefficients agree where there is no friction.
TEST(ImpactStep, OfASmoothBallIsTheSameByAllLawsOfRestitution) {
  for (const auto law :
       {RestitutionLaw::Energetic, RestitutionLaw::Poisson, RestitutionLaw::Newton}) {
    const Struck ball(oblique(0.7, 0, {1, 0, -2}), {.restitution_law = law});
    ASSERT_TRUE(ball.outcome.converged);
    EXPECT_NEAR(ball.linear(ball.v, 1).z(), 1.4, close);
  }
}

TEST(ImpactStep, TakesTheRestitutionOfTheSpeedOfApproach) {
  const TableRestitution table{{1, 3}, {0.8, 0.4}};
  for (const auto law : {RestitutionLaw::Energetic, RestitutionLaw::Poisson, RestitutionLaw::Newton,
                         RestitutionLaw::Complementarity}) {
    for (const double speed : {0.5, 2.0, 4.0}) {
      Model model = oblique(0, 0, {1, 0, -speed});
      model.contacts[0].restitution = table;
      const Struck ball(model, {.restitution_law = law});
      ASSERT_TRUE(ball.outcome.converged);
      const double e = std::clamp(1 - speed / 5, 0.4, 0.8);
      EXPECT_NEAR(ball.linear(ball.v, 1).z(), e * speed, close);
    }
  }
}

TEST(ImpactStep, KeepsItsHistoryIfThatIsAskedFor) {
  const Struck with(head_on(0.5), {}, true), without(head_on(0.5));
  EXPECT_FALSE(without.outcome.collision);
  ASSERT_TRUE(with.outcome.collision);
  const Collision& collision = *with.outcome.collision;
  EXPECT_EQ(collision.contacts, std::vector<ContactIndex>{0});
  EXPECT_NEAR(collision.problem.W(0, 0), 1 + 1.0 / 3, 1e-12);
  EXPECT_NEAR(collision.problem.u[0], -2, 1e-12);
  EXPECT_NEAR(collision.result.u[0], 1, close);
}

TEST(ImpactStep, TurnsWithTheScene) {
  Random random(6);
  const Model model = head_on(0.6, 0.2, {-1, 2, 0.5});
  const Struck straight(model);
  for (int i = 0; i < 5; ++i) {
    const Matrix3 R = random.rotation();
    const Struck turned(carried(model, R, random.vector()));
    ASSERT_TRUE(turned.outcome.converged);
    for (const int k : {1, 2}) {
      EXPECT_LE((turned.linear(turned.v, k) - R * straight.linear(straight.v, k)).norm(), 1e-8);
      EXPECT_LE((turned.angular(turned.v, k) - straight.angular(straight.v, k)).norm(), 1e-7);
    }
  }
}

}  // namespace impact_step_test
}  // namespace saltus
