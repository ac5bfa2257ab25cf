// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/constrained_mass.hpp"

#include <gtest/gtest.h>

#include "saltus/dynamics/kkt.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace constrained_mass_test {

using namespace test;

/// Links between pins at (i, 0, 0), a side branch at each third of them, and a free body.
Model tree(int links) {
  Model model;
  std::vector<BodyId> bodies = {model.ground()};
  for (int i = 0; i < links; ++i) {
    bodies.push_back(model.add(RigidBody{.inertia = solid_box(1 + 0.1 * i, {1, 0.2, 0.3}),
                                         .pose = {.position = {i + 0.5, 0, 0}}}));
    model.add(Revolute{.bodies = {bodies[bodies.size() - 2], bodies.back()},
                       .at = Vector3(i, 0, 0),
                       .axis = Vector3(0, 1, 0.1 * i)});
    if (i % 3 != 0) continue;
    const BodyId side = model.add(
        RigidBody{.inertia = solid_sphere(0.5, 0.3), .pose = {.position = {i + 0.5, 1, 0}}});
    model.add(Spherical{.bodies = {bodies.back(), side}, .at = Vector3(i + 0.5, 0.5, 0)});
  }
  model.add(RigidBody{.inertia = solid_box(2, {1, 2, 3}), .pose = {.position = {0, 5, 0}}});
  return model;
}

/// Both ends of a chain on the ground: a loop.
Model loop() {
  Model model = tree(5);
  model.add(Spherical{.bodies = {BodyId(7), model.ground()}, .at = Vector3(5, 0, 0)});
  return model;
}

void expect_agreement(const Model& model) {
  const System system(model);
  ConstrainedMass mass(system);
  ASSERT_TRUE(mass.is_suited());
  Random random(3);
  const Configuration q = perturbed(system, random, 0.2);
  ASSERT_TRUE(mass.factorize(q));
  KktSolver kkt(system);
  const VectorX zero = VectorX::Zero(system.velocities());
  ASSERT_TRUE(kkt.linearize(q, zero, zero, {}, VectorX::Zero(system.constraints()), {.mass = 1}));
  MatrixX X(system.unknowns(), 3);
  for (Eigen::Index i = 0; i < X.size(); ++i) X.data()[i] = random.uniform();
  const MatrixX B = X;
  mass.solve_in_place(X);
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    VectorX x = B.col(j);
    kkt.solve_unregularized(x);
    EXPECT_LE((X.col(j) - x).norm(), 1e-11 * x.norm());
    VectorX alone = B.col(j);
    mass.solve_in_place(alone);
    EXPECT_LE((alone - X.col(j)).norm(), 1e-13 * x.norm());
  }
}

TEST(ConstrainedMass, AgreesWithTheGeneralMatrixForTrees) { expect_agreement(tree(9)); }

TEST(ConstrainedMass, AgreesWithTheGeneralMatrixForLoops) { expect_agreement(loop()); }

TEST(ConstrainedMass, OfFreeBodiesIsThatOfEach) {
  Model model;
  model.add(RigidBody{.inertia = solid_box(2, {1, 2, 3})});
  const System system(model);
  ConstrainedMass mass(system);
  ASSERT_TRUE(mass.is_suited());
  EXPECT_TRUE(mass.factorize(system.given_configuration()));
  EXPECT_FALSE(mass.has_joints(1));
  EXPECT_NEAR(mass.inverse(1)(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(mass.inverse(1)(5, 5), 12 / (2 * (1.0 + 4.0)), 1e-14);
  EXPECT_EQ(mass.inverse(0), Matrix6::Zero());
}

// Two joints that hold the same: A is singular.
TEST(ConstrainedMass, TellsRedundantJoints) {
  Model model;
  const BodyId body =
      model.add(RigidBody{.inertia = solid_box(1, {1, 1, 1}), .pose = {.position = {0.5, 0, 0}}});
  for (const double y : {-0.5, 0.5}) {
    model.add(Revolute{
        .bodies = {model.ground(), body}, .at = Vector3(0, y, 0), .axis = Vector3(0, 1, 0)});
  }
  const System system(model);
  ConstrainedMass mass(system);
  ASSERT_TRUE(mass.is_suited());
  EXPECT_FALSE(mass.factorize(system.given_configuration()));
}

TEST(ConstrainedMass, IsNotSuitedToAHubOfManyJoints) {
  Model model;
  const BodyId hub = model.add(RigidBody{.inertia = solid_sphere(1, 1)});
  for (int i = 0; i < 12; ++i) {
    const Vector3 place(std::cos(i), std::sin(i), 0);
    const BodyId spoke =
        model.add(RigidBody{.inertia = solid_sphere(1, 0.1), .pose = {.position = 2 * place}});
    model.add(Spherical{.bodies = {hub, spoke}, .at = place});
  }
  EXPECT_FALSE(ConstrainedMass(System(model)).is_suited());
}

}  // namespace constrained_mass_test
}  // namespace saltus
