// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/contact_impulses.hpp"

#include <cmath>

#include "tests/support/scene.hpp"

namespace saltus {
namespace contact_impulses_test {

using namespace test;

/// The velocity problem of a scene whose touching points are closed, without any other force.
struct Blow : Scene {
  ContactSet contacts;
  ContactImpulses impulses;
  StepReport report;
  VectorX x;       ///< what the contacts do to the velocities
  VectorX forces;  ///< what the forces of the step do to them
  bool solved = false;

  explicit Blow(const Model& model, const ContactOptions& options = {}, double scale = 1,
                const VectorX& by_forces = {})
      : Scene(model), contacts(system), impulses(system, contacts, options) {
    forces = by_forces.size() > 0 ? by_forces : VectorX::Zero(system.velocities());
    const VectorX zero = VectorX::Zero(system.velocities());
    const VectorX none = VectorX::Zero(system.constraints());
    contacts.select(state, state.configuration, zero, 1e-3);
    contacts.linearize(state.configuration);
    for (std::size_t i = 0; i < contacts.points().size(); ++i) contacts.set_closed(i, true);
    contacts.divide(ContactSet::Connecting::Closed);
    EXPECT_TRUE(kkt.linearize(state.configuration, zero, zero, {}, none, {.mass = 1 / scale}));
    impulses.begin_step();
    x.setZero(system.unknowns());
    const VectorX free = state.velocity + forces;
    solved = true;
    for (const int island : contacts.islands_with_points()) {
      solved &= impulses.solve({.island = island,
                                .kkt = kkt,
                                .start = state.velocity,
                                .free = free,
                                .speed = 1,
                                .scale = scale},
                               x, report);
    }
  }
  VectorX after() const { return state.velocity + forces + x.head(system.velocities()); }
  double speed(int body) const { return linear(after(), body).x(); }
  double kinetic(const VectorX& v) const { return system.kinetic_energy(state.configuration, v); }
  double lost() const {
    double sum = 0;
    for (const SubImpact& part : impulses.impacts()) sum += part.normal_loss + part.friction_loss;
    return sum;
  }
};

/// Balls of diameter 1 in a row that touch; the first comes with 1 m/s.
Model row_of_balls(const std::vector<double>& masses, double restitution, bool wall = false) {
  Model model;
  model.gravity.setZero();
  double x = 0;
  for (std::size_t i = 0; i < masses.size(); ++i, x += 1) {
    add_ball(model, "ball" + std::to_string(i), masses[i], 0.5, {x, 0, 0},
             {.linear = {i == 0 ? 1.0 : 0.0, 0, 0}});
  }
  model.add(Contact{.between = {"skin*", "skin*"}, .restitution = restitution});
  if (wall) {
    model.add(Collider{.name = "wall",
                       .frame = at(model.ground(), {x - 0.5, 0, 0}),
                       .shape = HalfSpace{.normal = Vector3(-1, 0, 0)}});
    model.add(Contact{.between = {"wall", "skin*"}, .restitution = restitution});
  }
  return model;
}

// The contact laws are solved to 1e-12, relative.
constexpr double close = 1e-11;

TEST(ContactImpulses, OfTwoBallsAreThoseOfTheReducedMass) {
  for (const double e : {0.0, 0.4, 1.0}) {
    const Blow blow(row_of_balls({1, 3}, e));
    ASSERT_TRUE(blow.solved);
    const double p = (1 + e) * 0.75;
    EXPECT_NEAR(blow.impulses.reactions()[0].impulse[0], p, close);
    EXPECT_NEAR(blow.speed(1), 1 - p, close);
    EXPECT_NEAR(blow.speed(2), p / 3, close);
    EXPECT_NEAR(blow.lost(), 0.5 * (1 - e * e) * 0.75, close);
    ASSERT_EQ(blow.impulses.impacts().size(), 1u);
    const SubImpact& part = blow.impulses.impacts()[0];
    EXPECT_TRUE(part.is_impact);
    EXPECT_EQ(part.order, 1);
    EXPECT_NEAR(part.before.x() - part.after.x(), part.normal.x() * -p / 0.75, close);
  }
}

// Σ Fᵀ Λ is what changes the momenta.
TEST(ContactImpulses, AreTheChangeOfTheMomenta) {
  const Blow blow(row_of_balls({1, 2, 3}, 0.6));
  ASSERT_TRUE(blow.solved);
  const VectorX change =
      blow.momentum(blow.state.configuration, blow.after() - blow.state.velocity);
  EXPECT_LE((change - blow.impulses.force()).norm(), close);
  EXPECT_LE(resultant(blow.system, blow.state.configuration, change).norm(), close);
}

// Newton's cradle: in a sequence the blow runs through, at once it is shared.
TEST(ContactImpulses, OfACradleRunThroughTheBalls) {
  const Blow sequence(row_of_balls({1, 1, 1}, 1));
  ASSERT_TRUE(sequence.solved);
  EXPECT_NEAR(sequence.speed(1), 0, close);
  EXPECT_NEAR(sequence.speed(2), 0, close);
  EXPECT_NEAR(sequence.speed(3), 1, close);
  ASSERT_EQ(sequence.impulses.impacts().size(), 2u);
  EXPECT_EQ(sequence.impulses.impacts()[0].order, 1);
  EXPECT_EQ(sequence.impulses.impacts()[1].order, 2);
  const Blow at_once(row_of_balls({1, 1, 1}, 1),
                     {.multiple_impacts = MultipleImpacts::Simultaneous});
  ASSERT_TRUE(at_once.solved);
  EXPECT_NEAR(at_once.speed(1), -1.0 / 3, close);
  EXPECT_NEAR(at_once.speed(2), 2.0 / 3, close);
  EXPECT_NEAR(at_once.speed(3), 2.0 / 3, close);
}

// Two balls and a wall: the blow comes back, two equal balls as one would.
TEST(ContactImpulses, ComeBackFromAWall) {
  const Blow blow(row_of_balls({1, 1}, 1, true));
  ASSERT_TRUE(blow.solved);
  EXPECT_NEAR(blow.speed(1), -1, close);
  EXPECT_NEAR(blow.speed(2), 0, close);
  EXPECT_EQ(blow.impulses.impacts().back().order, 3);
}

// Without restitution the limit of the sequence is found at once: all go on together.
TEST(ContactImpulses, WithoutRestitutionJoinTheBalls) {
  const Blow blow(row_of_balls({1, 2, 3}, 0));
  ASSERT_TRUE(blow.solved);
  for (const int i : {1, 2, 3}) EXPECT_NEAR(blow.speed(i), 1.0 / 6, close);
  EXPECT_NEAR(blow.lost(), 0.5 - 0.5 / 6, close);
}

// (7): the sum over the problems of a sequence is the change of the kinetic energy, exactly.
TEST(ContactImpulses, OfASequenceLoseWhatTheirPartsLose) {
  for (const double e : {0.3, 0.8, 1.0}) {
    const Blow blow(row_of_balls({1, 2, 0.5}, e, true));
    ASSERT_TRUE(blow.solved);
    EXPECT_GE(blow.impulses.impacts().size(), 3u);
    EXPECT_NEAR(blow.kinetic(blow.state.velocity) - blow.kinetic(blow.after()), blow.lost(), 1e-11);
    EXPECT_GE(blow.lost(), -close);
    for (std::size_t i = 0; i < blow.contacts.points().size(); ++i) {
      EXPECT_GE(blow.contacts.velocity(blow.after(), i)[0], -1e-8);  // nothing approaches
    }
  }
}

// With friction too, and a spinning ball: the work along the mean of the velocities is exact.
TEST(ContactImpulses, WithFrictionLoseWhatTheyBook) {
  Model model = row_of_balls({1, 2}, 0.5, true);
  for (Contact& contact : model.contacts) contact.friction = 0.2;
  std::get<RigidBody>(model.bodies[0]).velocity.angular = {0, 3, -2};
  const Blow blow(model);
  ASSERT_TRUE(blow.solved);
  EXPECT_NEAR(blow.kinetic(blow.state.velocity) - blow.kinetic(blow.after()), blow.lost(), 1e-11);
  for (const VelocityReaction& reaction : blow.impulses.reactions()) {
    EXPECT_EQ(reaction.mu, 0.2);
    EXPECT_GE(reaction.impulse[0], 0);
  }
}

// A Newton matrix of another scale gives the same impulses: K is M over it, multipliers too.
TEST(ContactImpulses, DoNotDependOnTheScaleOfTheMatrix) {
  const Blow one(row_of_balls({1, 2, 3}, 0.6)), other(row_of_balls({1, 2, 3}, 0.6), {}, 5e-3);
  ASSERT_TRUE(one.solved && other.solved);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(one.impulses.reactions()[i].impulse[0], other.impulses.reactions()[i].impulse[0],
                1e-11);
  }
  EXPECT_LE((one.after() - other.after()).norm(), 1e-11);
}

// (5): forces of the step do not press together again what has bounced.
TEST(ContactImpulses, HoldAgainstTheForcesOfTheStepAfterTheImpacts) {
  VectorX pull = VectorX::Zero(12);
  pull[0] = 0.05;  // the first ball is pushed on towards the second
  const Blow blow(row_of_balls({1, 1}, 0.5, true), {}, 1, pull);
  ASSERT_TRUE(blow.solved);
  const Blow without(row_of_balls({1, 1}, 0.5, true));
  const double parting = without.speed(2) - without.speed(1);
  EXPECT_GE(blow.speed(2) - blow.speed(1), parting - 1e-8);
  EXPECT_LE(blow.speed(2), 1e-8);  // the wall holds
}

// Balls at rest that forces press together: no impact, but impulses that hold them.
TEST(ContactImpulses, OfRestHoldTheForces) {
  Model model = row_of_balls({1, 2}, 0.8, true);
  std::get<RigidBody>(model.bodies[0]).velocity.linear.setZero();
  VectorX push = VectorX::Zero(12);
  push[0] = 0.01;
  const Blow blow(model, {}, 1, push);
  ASSERT_TRUE(blow.solved);
  EXPECT_LE(blow.after().norm(), 1e-12);
  EXPECT_TRUE(blow.impulses.impacts().empty());
  for (const VelocityReaction& reaction : blow.impulses.reactions()) {
    EXPECT_NEAR(reaction.impulse[0], 0.01, 1e-12);
  }
}

// Impulses push only: balls that part get none.
TEST(ContactImpulses, OfBallsThatPartAreNone) {
  Model model = row_of_balls({1, 2}, 0.8);
  std::get<RigidBody>(model.bodies[0]).velocity.linear = {-1, 0.5, 0};
  const Blow blow(model);
  ASSERT_TRUE(blow.solved);
  EXPECT_EQ(blow.x.norm(), 0);
  EXPECT_EQ(blow.impulses.force().norm(), 0);
}

}  // namespace contact_impulses_test
}  // namespace saltus
