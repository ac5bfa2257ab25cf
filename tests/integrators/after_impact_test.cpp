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
  ASSERT_TRUE(after.renew(islands, {0, 0}, 1e-4, -0.1, scene.state));
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
  std::vector<char> left_out(2, 0);
  left_out[static_cast<std::size_t>(far)] = 1;
  ASSERT_TRUE(after.renew(islands, left_out, 1e-3, -0.1, scene.state));
  const Node& node = scene.system.nodes()[3];
  const auto of_far = [&](const VectorX& v) { return v.segment(node.first_unknown, 6).eval(); };
  EXPECT_EQ(of_far(scene.state.acceleration), of_far(before.acceleration));
  EXPECT_EQ(of_far(scene.state.pseudo_acceleration), of_far(before.pseudo_acceleration));
  EXPECT_EQ(scene.state.multiplier.tail(5), before.multiplier.tail(5));
  EXPECT_GE((scene.state.acceleration - before.acceleration).norm(), 1);
}

}  // namespace after_impact_test
}  // namespace saltus
