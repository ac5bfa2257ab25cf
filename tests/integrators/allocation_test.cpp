// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "tests/support/allocation_counter.hpp"

namespace saltus {
namespace allocation_test {

constexpr double h = 1e-3;

/// A chain with every kind of element that a step evaluates.
Model mixed_chain(int links) {
  Model model;
  BodyId last = model.ground();
  for (int i = 0; i < links; ++i) {
    const BodyId link = model.add(RigidBody{.inertia = solid_box(1.0, {1, 0.1, 0.2}),
                                            .pose = {.position = {i + 0.5, 0, 0}},
                                            .velocity = {.angular = {0, 0, 0}}});
    if (i % 2 == 0) {
      const JointId pin = model.add(
          Revolute{.bodies = {last, link}, .at = Vector3(i, 0, 0), .axis = Vector3(0, 1, 0)});
      model.add(TorsionalSpringDamper{.joint = pin, .stiffness = 1.0, .damping = 0.1});
    } else {
      model.add(Spherical{.bodies = {last, link}, .at = Vector3(i, 0, 0)});
    }
    model.add(SpringDamper{.between = {at(model.ground(), {i + 0.5, 0, 2}), at(link)},
                           .stiffness = 10,
                           .damping = 0.1});
    last = link;
  }
  model.add(Bushing{.between = {at(model.ground(), {double(links), 0, 0}), at(last, {0.5, 0, 0})},
                    .stiffness = Vector3::Constant(100)});
  model.add(Force{.on = at(last), .value = {Sine{.amplitude = 2}, 0.0, Expression{"3*t"}}});
  return model;
}

#ifdef SALTUS_COUNTS_ALLOCATIONS
TEST(AllocationCounter, Counts) {
  const long before = test::allocations;
  const std::vector<double> memory(1000);
  EXPECT_GT(test::allocations, before) << memory.size();
}
#endif

class StepAllocations : public testing::TestWithParam<int> {};

TEST_P(StepAllocations, NoneAfterTheSecondStepAndOneSymbolicFactorisation) {
  const System system(mixed_chain(GetParam()));
  NonsmoothAlphaStepper stepper(system, {.step = h});
  State state = initial_state(system, stepper.kkt());
  for (int n = 1; n <= 2; ++n) ASSERT_TRUE(stepper.step(state, h, n * h).converged);
#ifdef SALTUS_COUNTS_ALLOCATIONS
  const long before = test::allocations;
#endif
  for (int n = 3; n <= 40; ++n) ASSERT_TRUE(stepper.step(state, h, n * h).converged);
#ifdef SALTUS_COUNTS_ALLOCATIONS
  EXPECT_EQ(test::allocations - before, 0);
#endif
  EXPECT_EQ(stepper.kkt().counts().symbolic, 1);
}

INSTANTIATE_TEST_SUITE_P(ChainsOf, StepAllocations, testing::Values(1, 3, 10, 60));

/// Boxes on a rough floor, each with four corners down; they slide, or rest. Hinged in pairs, their
/// contacts act on each other through the joints.
Model boxes_on_floor(int boxes, double speed, bool hinged) {
  Model model;
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  BodyId last = {};
  for (int i = 0; i < boxes; ++i) {
    const BodyId box = model.add(RigidBody{.inertia = solid_box(1.0, {0.8, 0.4, 0.2}),
                                           .pose = {.position = {double(i), 0, 0.1}},
                                           .velocity = {.linear = {speed, 0, 0}}});
    model.add(Collider{.frame = at(box), .shape = Box{.size = {0.8, 0.4, 0.2}}});
    if (hinged && i % 2 == 1) {
      model.add(Revolute{
          .bodies = {last, box}, .at = Vector3(i - 0.5, 0, 0.1), .axis = Vector3(0, 0, 1)});
    }
    last = box;
  }
  model.add(Contact{.between = {"floor", "collider*"}, .restitution = 0.5, .friction = 0.3});
  return model;
}

struct BoxCase {
  int boxes;
  double speed;
  bool hinged;
};

class ContactStepAllocations : public testing::TestWithParam<BoxCase> {};

// Events and warnings are reported in lists, which are empty while contacts stay as they are. Each
// method of the contact solver makes its workspace when it is needed first.
TEST_P(ContactStepAllocations, NoneWhileContactsStayAsTheyAre) {
  const auto [boxes, speed, hinged] = GetParam();
  const System system(boxes_on_floor(boxes, speed, hinged));
  NonsmoothAlphaStepper stepper(system, {.step = h});
  State state = initial_state(system, stepper.kkt());
  for (int n = 1; n <= 40; ++n) ASSERT_TRUE(stepper.step(state, h, n * h).converged);
#ifdef SALTUS_COUNTS_ALLOCATIONS
  int allocating_steps = 0;
#endif
  for (int n = 41; n <= 120; ++n) {
#ifdef SALTUS_COUNTS_ALLOCATIONS
    const long before = test::allocations;
#endif
    ASSERT_TRUE(stepper.step(state, h, n * h).converged);
#ifdef SALTUS_COUNTS_ALLOCATIONS
    if (test::allocations > before) ++allocating_steps;
#endif
  }
#ifdef SALTUS_COUNTS_ALLOCATIONS
  EXPECT_LE(allocating_steps, 1);  // the first use of Newton's method may come late
#endif
  for (const ContactState& contact : state.contacts) {
    EXPECT_TRUE(contact.status == ContactStatus::Open ||
                contact.status == (speed > 0 ? ContactStatus::Slip : ContactStatus::Stick));
  }
}

INSTANTIATE_TEST_SUITE_P(Boxes, ContactStepAllocations,
                         testing::Values(BoxCase{1, 0, false}, BoxCase{1, 2, false},
                                         BoxCase{6, 0, false}, BoxCase{6, 2, false},
                                         BoxCase{6, 0, true}, BoxCase{6, 2, true}));

}  // namespace allocation_test
}  // namespace saltus
