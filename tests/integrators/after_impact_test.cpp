// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/after_impact.hpp"

#include "tests/support/scene.hpp"

namespace saltus {
namespace after_impact_test {

using namespace test;

/// Two pendulums that do not know of each other.
Model pendulums() {
  Model model = skew_pendulum({0, 2, 1});
  const BodyId other = model.add(RigidBody{.name = "other",
                                           .inertia = solid_box(1.0, {1, 0.1, 0.2}),
                                           .pose = {.position = {0.5, 9, 0}},
                                           .velocity = {.angular = {0, 3, 0}}});
  model.add(Revolute{.name = "far",
                     .bodies = {model.ground(), other},
                     .at = Vector3(0, 9, 0),
                     .axis = Vector3(0, 1, 0)});
  return model;
}

/// What the balance M v̇ − f − Gᵀλ lacks.
VectorX missing(const Scene& scene) {
  ForceTerms terms;
  terms.resize(scene.system.velocities());
  VectorX r;
  scene.system.forces(scene.state.configuration, scene.state.velocity, scene.state.acceleration,
                      {.time = scene.state.time}, scene.state.multiplier, terms);
  terms.residual(r);
  return r;
}

/// G v̇ + ∂(G v)/∂q v
VectorX joint_accelerations(const Scene& scene) {
  VectorX quadratic, linear;
  scene.system.constraint_accelerations(scene.state.configuration, scene.state.velocity,
                                        scene.state.time, quadratic);
  scene.system.constraint_rates(scene.state.configuration, scene.state.acceleration,
                                scene.state.time, linear);
  return quadratic + linear;
}

// All joints are at rest, so that −½ times the velocities are as good velocities.
TEST(AfterImpact, BalancesForcesAtTheNewVelocities) {
  Scene scene(pendulums());
  scene.state.velocity *= -0.5;
  EXPECT_GE(joint_accelerations(scene).norm(), 0.5);
  KktSolver kkt(scene.system);
  const Islands islands(scene.system);
  AfterImpact after(scene.system, kkt);
  const std::vector<AfterImpact::Struck> struck(2, {.is_struck = true, .begins_anew = true});
  ASSERT_TRUE(after.renew({islands, struck, VectorX(VectorX::Zero(scene.state.velocity.size())),
                           scene.state.time, 1e-4, -0.1},
                          scene.state));
  EXPECT_LE(missing(scene).norm(), 1e-9);
  EXPECT_LE(joint_accelerations(scene).norm(), 1e-9);
}

TEST(AfterImpact, LeavesOtherIslandsAlone) {
  Scene scene(pendulums());
  const State before = scene.state;
  scene.state.velocity *= -0.5;
  KktSolver kkt(scene.system);
  const Islands islands(scene.system);
  ASSERT_EQ(islands.count(), 2);
  AfterImpact after(scene.system, kkt);
  const int far = islands.of_node(3);
  std::vector<AfterImpact::Struck> struck(2, {.is_struck = true, .begins_anew = true});
  struck[static_cast<std::size_t>(far)] = {};
  ASSERT_TRUE(after.renew({islands, struck, VectorX(VectorX::Zero(scene.state.velocity.size())),
                           scene.state.time, 1e-3, -0.1},
                          scene.state));
  const Node& node = scene.system.nodes()[3];
  const auto of_far = [&](const VectorX& v) { return v.segment(node.first_unknown, 6).eval(); };
  EXPECT_EQ(of_far(scene.state.acceleration), of_far(before.acceleration));
  EXPECT_EQ(of_far(scene.state.pseudo_acceleration), of_far(before.pseudo_acceleration));
  EXPECT_EQ(scene.state.multiplier.tail(5), before.multiplier.tail(5));
  EXPECT_GE((scene.state.acceleration - before.acceleration).norm(), 1);
}

TEST(AfterImpact, BeginsAnewWithDampersAtTheNewVelocities) {
  Model model = pendulums();
  model.add(SpringDamper{
      .between = {at(model.ground(), {1, 8, 1}), at(BodyId{2})}, .stiffness = 0, .damping = 3});
  Scene scene(model);
  scene.state.velocity *= -0.5;
  KktSolver kkt(scene.system);
  const Islands islands(scene.system);
  AfterImpact after(scene.system, kkt);
  const std::vector<AfterImpact::Struck> struck(
      2, {.is_struck = true, .begins_anew = true, .forces_jump = true});
  ASSERT_TRUE(after.renew({islands, struck, VectorX(VectorX::Zero(scene.state.velocity.size())),
                           scene.state.time, 1e-4, -0.1},
                          scene.state));
  EXPECT_LE(missing(scene).norm(), 1e-9);
  EXPECT_LE(joint_accelerations(scene).norm(), 1e-9);
}

// Dampers take the velocities of the state, whatever the smooth motion had.
TEST(AfterImpact, FindsWhatJointsCarryWithAllForcesAndChangesNothing) {
  Model model = pendulums();
  model.add(SpringDamper{
      .between = {at(model.ground(), {1, 8, 1}), at(BodyId{2})}, .stiffness = 7, .damping = 3});
  Scene scene(model);
  scene.state.velocity *= -0.5;
  const State before = scene.state;
  KktSolver kkt(scene.system);
  const Islands islands(scene.system);
  AfterImpact after(scene.system, kkt);
  ASSERT_TRUE(after.find_reactions(islands, std::vector<char>(2, 0), scene.state));
  EXPECT_EQ(scene.state.acceleration, before.acceleration);
  EXPECT_EQ(scene.state.multiplier, before.multiplier);
  scene.state.acceleration = after.acceleration();
  scene.state.multiplier = after.multiplier();
  EXPECT_LE(missing(scene).norm(), 1e-9);
  EXPECT_LE(joint_accelerations(scene).norm(), 1e-9);
}

TEST(AfterImpact, RingsUntilAccelerationsFollowTheJoints) {
  Scene scene(pendulums());
  KktSolver kkt(scene.system);
  const Islands islands(scene.system);
  AfterImpact after(scene.system, kkt);
  const auto first = static_cast<std::size_t>(islands.of_component(0));
  std::vector<AfterImpact::Struck> struck(2);
  after.watch(islands, struck, scene.state);
  EXPECT_FALSE(after.rings(0) || after.rings(1));
  const VectorX consistent = scene.state.acceleration;
  scene.state.acceleration *= 0.5;  // as an impact might leave it
  struck[first].is_struck = true;
  after.watch(islands, struck, scene.state);
  EXPECT_TRUE(after.rings(0));
  EXPECT_FALSE(after.rings(1));
  struck[first].is_struck = false;
  scene.state.acceleration = 0.99 * consistent;
  after.watch(islands, struck, scene.state);
  EXPECT_TRUE(after.rings(0));
  scene.state.acceleration = consistent;
  after.watch(islands, struck, scene.state);
  EXPECT_FALSE(after.rings(0));
}

// Means over steps have the time before for longer where dampers have jumped.
TEST(AfterImpact, SettlesWhereItWasStruck) {
  const auto rows = [](const AfterImpact::Struck& one) {
    Scene scene(pendulums());
    KktSolver kkt(scene.system);
    const Islands islands(scene.system);
    AfterImpact after(scene.system, kkt);
    const auto first = static_cast<std::size_t>(islands.of_component(0));
    std::vector<AfterImpact::Struck> struck(2);
    struck[first] = one;
    int count = 0;
    for (; count < 100; ++count) {
      after.watch(islands, struck, scene.state);
      EXPECT_FALSE(after.settles(1));
      if (!after.settles(0)) break;
      struck[first] = {};
    }
    return count;
  };
  const int plain = rows({.is_struck = true, .begins_anew = true});
  EXPECT_EQ(plain, 2);  // its own row, and the one after it
  EXPECT_GT(rows({.is_struck = true, .begins_anew = true, .forces_jump = true}), 2 * plain);
  EXPECT_EQ(rows({}), 0);
}

}  // namespace after_impact_test
}  // namespace saltus
