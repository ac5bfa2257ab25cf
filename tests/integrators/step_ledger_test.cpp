// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/step_ledger.hpp"

#include <cmath>

#include "tests/support/one_step.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace step_ledger_test {

using namespace test;

/// A step made up by hand: a motion, a change of the velocities, and forces over the step.
struct MadeUp : Scene {
  StepLedger ledger;
  VectorX motion, change;
  ForceTerms mean;
  State next;

  MadeUp(const Model& model, double h, unsigned seed) : Scene(model), ledger(system), next(state) {
    Random random(seed);
    const int n = system.velocities();
    change = random.vector_x(n, 0.3);
    next.velocity = state.velocity + change;
    motion = h / 2 * (state.velocity + next.velocity);
    next.configuration = moved(system, state.configuration, motion);
    next.time = state.time + h;
    mean.resize(n);
    for (VectorX* term : {&mean.inertia, &mean.gravity, &mean.elastic, &mean.damping, &mean.applied,
                          &mean.constraint}) {
      term->setZero(n);
    }
    mean.inertia = momentum(state.configuration, change) / h;
  }
  const EnergyLedger& close() {
    ledger.close(state, mean, VectorX::Zero(system.constraints()), motion, change, next);
    return next.energy;
  }
};

constexpr double step_length = 0.01, h = step_length, close = 1e-14;

Model flying_masses(double stiffness = 0) {
  Model model = spring_pair(2, 3, stiffness, 0.2);
  std::get<PointMass>(model.bodies[0]).velocity.linear = {1, 2, -0.5};
  return model;
}

// All that changes the motion is a load: it is external work, and nothing else is booked.
TEST(StepLedger, BooksTheWorkOfLoads) {
  MadeUp step(flying_masses(), h, 1);
  step.mean.applied = step.mean.inertia;
  const EnergyLedger& energy = step.close();
  const double gained = step.system.kinetic_energy(step.next.configuration, step.next.velocity) -
                        step.system.kinetic_energy(step.state.configuration, step.state.velocity);
  EXPECT_NEAR(energy.external_work, gained, close);
  EXPECT_NEAR(energy.numerical_loss, 0, close);
  EXPECT_NEAR(energy.residual(), 0, close);
  EXPECT_NEAR(energy.kinetic - energy.initial, gained, close);
}

TEST(StepLedger, BooksTheLossOfDampers) {
  MadeUp step(flying_masses(), h, 2);
  step.mean.damping = step.mean.inertia;
  const EnergyLedger& energy = step.close();
  EXPECT_NEAR(energy.damping_loss, -step.mean.damping.dot(step.motion), close);
  EXPECT_NEAR(energy.external_work, 0, close);
  EXPECT_NEAR(energy.residual(), 0, close);
}

// (7): what the forces of springs did and what their potential says need not agree.
TEST(StepLedger, BooksWhatSpringsDoAlongAChordAsNumericalLoss) {
  MadeUp step(flying_masses(500), h, 3);
  step.mean.elastic = step.mean.inertia;
  const double before = step.system.elastic_energy(step.state.configuration);
  const double after = step.system.elastic_energy(step.next.configuration);
  const double stored = step.next.energy.elastic;
  ASSERT_NEAR(stored, before, close);
  const EnergyLedger& energy = step.close();
  EXPECT_NEAR(energy.numerical_loss, -step.mean.elastic.dot(step.motion) - (after - before), 1e-13);
  EXPECT_EQ(energy.elastic, after);
  EXPECT_NEAR(energy.residual(), 0, 1e-13);
}

// Gravity is linear in the motion: its work is the change of its potential, exactly.
TEST(StepLedger, NeedsNoTermForGravity) {
  Model model = flying_masses();
  model.gravity = {1, 2, -9.81};
  MadeUp step(model, h, 4);
  step.mean.gravity = step.momentum(step.state.configuration, step.state.acceleration);
  step.mean.applied = step.mean.inertia - step.mean.gravity;
  const EnergyLedger& energy = step.close();
  EXPECT_NEAR(energy.numerical_loss, 0, close);
  EXPECT_NEAR(energy.residual(), 0, 1e-13);
}

// (8): a joint that is no drive does no work; what its force does along the chord is an error.
TEST(StepLedger, BooksTheWorkOfJointsAlongAChordAsNumericalLoss) {
  Model model = flying_masses();
  model.add(Distance{.between = {at(BodyId{0}), at(BodyId{1})}});
  MadeUp step(model, h, 5);
  step.mean.constraint = step.mean.inertia;
  const EnergyLedger& energy = step.close();
  EXPECT_NEAR(energy.numerical_loss, -step.mean.constraint.dot(step.motion), close);
  EXPECT_EQ(energy.external_work, 0);
  EXPECT_NEAR(energy.residual(), 0, close);
}

// (6): a change of the velocity that no inertia force explains is a loss of the scheme.
TEST(StepLedger, BooksAJumpThatNoForceExplainsAsNumericalLoss) {
  MadeUp step(flying_masses(), h, 6);
  step.mean.inertia.setZero();
  const EnergyLedger& energy = step.close();
  const double gained = energy.kinetic - energy.initial;
  EXPECT_GT(std::abs(gained), 0.1);
  EXPECT_NEAR(energy.numerical_loss, -gained, close);
  EXPECT_NEAR(energy.residual(), 0, close);
}

// (10): a residual is what unbalanced forces do along the motion. This is what it can reveal.
TEST(StepLedger, HasAResidualWhereForcesAreNotInBalance) {
  MadeUp step(flying_masses(), h, 7);
  Random random(7);
  const VectorX missing = random.vector_x(6, 2);
  step.mean.applied = step.mean.inertia - missing;
  const EnergyLedger& energy = step.close();
  EXPECT_GT(std::abs(missing.dot(step.motion)), 1e-3);
  EXPECT_NEAR(energy.residual(), missing.dot(step.motion), close);
}

// And a velocity that was changed behind its back.
TEST(StepLedger, HasAResidualWhereAVelocityWasChangedElsewhere) {
  MadeUp step(flying_masses(), h, 8);
  step.mean.applied = step.mean.inertia;
  step.next.velocity[0] += 0.1;
  EXPECT_GT(std::abs(step.close().residual()), 1e-2);
}

// A drive brings in its multiplier times the motion that it imposes.
TEST(StepLedger, BooksTheWorkOfDrives) {
  Model model;
  model.gravity.setZero();
  const BodyId slider = model.add(RigidBody{.name = "slider", .inertia = solid_box(2, {1, 1, 1})});
  model.add(Prismatic{.bodies = {model.ground(), slider},
                      .at = Vector3(0, 0, 0),
                      .axis = Vector3(1, 0, 0),
                      .drive = Speed{Expression{"2+3*t"}}});
  Scene scene(model);
  StepLedger ledger(scene.system);
  State next = scene.state;
  next.time = h;
  ForceTerms mean = scene.state.forces;
  const VectorX multiplier = scene.state.multiplier;  // that of the start: m a = 6 N
  const double way = 2 * h + 1.5 * h * h;
  VectorX motion = VectorX::Zero(6), change = motion;
  motion[0] = way;
  change[0] = 3 * h;
  next.velocity += change;
  next.configuration = moved(scene.system, scene.state.configuration, motion);
  ledger.close(scene.state, mean, multiplier, motion, change, next);
  EXPECT_NEAR(next.energy.external_work, 6 * way, 1e-8);
  EXPECT_NEAR(next.energy.residual(), 0, 1e-8);
}

/// A step in parts whose contacts were booked.
struct Booked : OneStep {
  StepLedger ledger;

  explicit Booked(const Model& model, const std::vector<ContactState>& before = {})
      : OneStep(model, step_length), ledger(system) {
    state.contacts = before;
    EXPECT_TRUE(to_velocities()) << report.message;
    ledger.close_contacts(state,
                          {contacts, velocity.impulses(), position.reactions(), velocity.speeds()},
                          next, report);
  }
  std::vector<ContactEventKind> kinds() const {
    std::vector<ContactEventKind> result;
    for (const ContactEvent& event : report.events) result.push_back(event.kind);
    return result;
  }
};

using Kinds = std::vector<ContactEventKind>;

TEST(StepLedger, TellsThatAContactClosesAndSticks) {
  const Booked step(point_on_floor(2, {0, 0, 0}, {0, 0, 0}, {.friction = 0.3}));
  EXPECT_EQ(step.kinds(), (Kinds{ContactEventKind::Closes, ContactEventKind::Sticks}));
  ASSERT_EQ(step.next.contacts.size(), 1u);
  const ContactState& contact = step.next.contacts[0];
  EXPECT_EQ(contact.status, ContactStatus::Stick);
  EXPECT_NEAR(contact.impulse[0], 2 * g_0 * h, close);
  EXPECT_LE((contact.force - Vector3(0, 0, 2 * g_0 * h)).norm(), close);
  EXPECT_NEAR(step.next.energy.friction_loss, 0, close);
  EXPECT_NEAR(step.next.energy.impact_loss, 0, close);
}

// A contact that stays as it was has no event.
TEST(StepLedger, TellsChangesOnly) {
  const ContactState rests{.contact = 0, .status = ContactStatus::Stick};
  EXPECT_TRUE(
      Booked(point_on_floor(2, {0, 0, 0}, {0, 0, 0}, {.friction = 0.3}), {rests}).kinds().empty());
}

// μ m g times the slip of the step, along the mean of the two velocities.
TEST(StepLedger, BooksTheFrictionOfASlidingContact) {
  const double mu = 0.3, v = 2;
  const Booked step(point_on_floor(2, {0, 0, 0}, {v, 0, 0}, {.friction = mu}));
  EXPECT_EQ(step.kinds(), (Kinds{ContactEventKind::Closes, ContactEventKind::Slips}));
  EXPECT_EQ(step.next.contacts.at(0).status, ContactStatus::Slip);
  const double lost = mu * 2 * g_0 * h * (v - mu * g_0 * h / 2);
  EXPECT_NEAR(step.next.energy.friction_loss, lost, 1e-13);
  EXPECT_NEAR(step.next.contact_losses.at(0).friction, lost, 1e-13);
  EXPECT_NEAR(step.report.events[0].energy_lost, lost, 1e-13);
  EXPECT_EQ(step.report.events[1].energy_lost, 0);  // sums over rows are right
}

// (13): a belt puts in what the contact takes and what the body gains.
TEST(StepLedger, BooksTheWorkOfABelt) {
  Model model = point_on_floor(2, {0, 0, 0}, {0, 0, 0}, {.friction = 0.3});
  std::get<HalfSpace>(model.colliders[0].shape).surface_velocity = {4, 0, 0};
  const Booked step(model);
  const double impulse = 0.3 * 2 * g_0 * h;
  EXPECT_NEAR(step.next.energy.external_work, 4 * impulse, 1e-13);
  const double gained = step.next.energy.external_work - step.next.energy.friction_loss;
  EXPECT_NEAR(gained, 0.5 * 2 * std::pow(0.3 * g_0 * h, 2), 1e-13);
}

TEST(StepLedger, TellsOfAnImpactWhatItWas) {
  const double e = 0.5;
  Model model = point_on_floor(2, {0, 0, 0.005}, {1, 0, -2}, {.restitution = e});
  model.gravity.setZero();
  const Booked step(model);
  ASSERT_FALSE(step.report.events.empty());
  const ContactEvent& event = step.report.events[0];
  EXPECT_EQ(event.kind, ContactEventKind::Impact);
  EXPECT_EQ(event.time, h);
  EXPECT_LE((event.before - Vector3(1, 0, -2)).norm(), close);
  EXPECT_LE((event.after - Vector3(1, 0, 1)).norm(), 1e-13);
  EXPECT_LE((event.impulse - Vector3(0, 0, 6)).norm(), 1e-13);
  EXPECT_NEAR(event.energy_lost, 0.5 * 2 * 4 * (1 - e * e), 1e-13);
  EXPECT_NEAR(step.next.energy.impact_loss, event.energy_lost, close);
}

// Friction during an impact is a part of it: only the sum is booked, as an impact loss.
TEST(StepLedger, BooksTheFrictionOfAnImpactWithIt) {
  Model model = point_on_floor(2, {0, 0, 0.005}, {3, 0, -2}, {.restitution = 0.5, .friction = 0.1});
  model.gravity.setZero();
  const Booked step(model);
  EXPECT_EQ(step.next.energy.friction_loss, 0);
  const double lost = step.system.kinetic_energy(step.state.configuration, step.state.velocity) -
                      step.system.kinetic_energy(step.next.configuration, step.next.velocity);
  EXPECT_NEAR(step.next.energy.impact_loss, lost, 1e-13);
}

TEST(StepLedger, TellsThatAContactOpens) {
  Model model = point_on_floor(2, {0, 0, 0.1}, {0, 0, 1}, {.friction = 0.3});
  const Booked step(model, {{.contact = 0, .status = ContactStatus::Slip}});
  EXPECT_EQ(step.kinds(), Kinds{ContactEventKind::Opens});
  EXPECT_TRUE(step.next.contacts.empty());
  EXPECT_LE((step.report.events[0].normal - Vector3::UnitZ()).norm(), close);
  EXPECT_NEAR(step.report.events[0].after.z(), 1 - g_0 * h, 1e-13);
}

}  // namespace step_ledger_test
}  // namespace saltus
