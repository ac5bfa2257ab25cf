// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/equilibrium.hpp"

#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/scene.hpp"

namespace saltus {
namespace equilibrium_test {

using namespace test;

/// A scene that has looked for its equilibrium.
struct Settled : Scene {
  EquilibriumReport report;

  explicit Settled(const Model& model, double load_factor = 1, const Statics& options = {})
      : Scene(model) {
    report = find_equilibrium(system, kkt, options, load_factor, state);
  }
  /// The unbalanced force over the largest force.
  double imbalance(double load_factor = 1) const {
    ForceTerms terms;
    terms.resize(system.velocities());
    const VectorX zero = VectorX::Zero(system.velocities());
    VectorX r(system.velocities());
    system.forces(state.configuration, zero, zero, {.load_factor = load_factor}, state.multiplier,
                  terms);
    terms.residual(r);
    return r.norm() / (terms.gravity.norm() + terms.constraint.norm() + terms.elastic.norm());
  }
};

/// Two masses that hang on springs one below the other.
Model hanging_masses(double upper, double lower, double k_1, double k_2) {
  Model model;
  const BodyId a =
      model.add(PointMass{.name = "a", .mass = upper, .pose = {.position = {0, 0, -1}}});
  const BodyId b =
      model.add(PointMass{.name = "b", .mass = lower, .pose = {.position = {0, 0, -2}}});
  model.add(SpringDamper{.between = {at(model.ground()), at(a)}, .stiffness = k_1});
  model.add(SpringDamper{.between = {at(a), at(b)}, .stiffness = k_2});
  return model;
}

/// A rod on a hinge at the origin, at an angle from hanging straight down.
Model pendulum(double mass, double length, double angle, double spring = 0) {
  Model model;
  const Vector3 middle = length / 2 * Vector3(std::sin(angle), 0, -std::cos(angle));
  const BodyId rod =
      model.add(RigidBody{.name = "rod",
                          .inertia = solid_box(mass, {0.05, 0.05, length}),
                          .pose = {.position = middle, .rotation_vector = {0, -angle, 0}}});
  const JointId pin = model.add(Revolute{.name = "pin",
                                         .bodies = {model.ground(), rod},
                                         .at = Vector3(0, 0, 0),
                                         .axis = Vector3(0, 1, 0)});
  if (spring > 0) model.add(TorsionalSpringDamper{.joint = pin, .stiffness = spring});
  return model;
}

TEST(Equilibrium, OfMassesOnSpringsIsThatOfTheirWeights) {
  const Settled scene(hanging_masses(2, 3, 500, 400));
  ASSERT_TRUE(scene.report.converged) << scene.report.message;
  const double first = 5 * g_0 / 500, second = 3 * g_0 / 400;
  EXPECT_NEAR(scene.node(1).x.z(), -1 - first, 1e-9);
  EXPECT_NEAR(scene.node(2).x.z(), -2 - first - second, 1e-9);
  EXPECT_LE(scene.imbalance(), 1e-9);
}

TEST(Equilibrium, ScalesGravityWithTheLoadFactor) {
  for (const double factor : {0.0, 0.25, 1.0}) {
    const Settled scene(hanging_masses(2, 3, 500, 400), factor);
    ASSERT_TRUE(scene.report.converged) << scene.report.message;
    EXPECT_NEAR(scene.node(1).x.z(), -1 - factor * 5 * g_0 / 500, 1e-9) << factor;
  }
}

TEST(Equilibrium, OfAPendulumHangsAndItsHingeCarriesTheWeight) {
  for (const double angle : {0.3, 1.5, 3.0}) {
    const Settled scene(pendulum(4, 1, angle));
    ASSERT_TRUE(scene.report.converged) << scene.report.message;
    EXPECT_LE((scene.node(1).x - Vector3(0, 0, -0.5)).norm(), 1e-8) << angle;
    EXPECT_LE(scene.violation(scene.state.configuration).norm(), 1e-11);
    VectorX reaction = VectorX::Zero(scene.system.velocities());
    scene.system.add_constraint_forces(scene.state.configuration, scene.state.multiplier, reaction);
    EXPECT_NEAR(reaction[2], 4 * g_0, 1e-6);
    // The rotation is counted: it came down by the angle.
    EXPECT_NEAR(scene.state.rotation[1].y(), angle, 1e-7);
  }
}

// m g l/2 sin(θ₀ + φ) = −k φ with φ from the initial pose: the root by bisection.
TEST(Equilibrium, OfAPendulumOnATorsionalSpringSolvesItsEquation) {
  const double m = 2, l = 1.2, k = 6, start = 1.1;
  const Settled scene(pendulum(m, l, start, k));
  ASSERT_TRUE(scene.report.converged) << scene.report.message;
  const auto moment = [&](double phi) { return m * g_0 * l / 2 * std::sin(start + phi) + k * phi; };
  double low = -start, high = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (moment(middle) < 0 ? low : high) = middle;
  }
  const Vector3 x = scene.node(1).x;
  EXPECT_NEAR(std::atan2(x.x(), -x.z()), start + low, 1e-9);
  EXPECT_NEAR(std::abs(scene.state.configuration.angles[0]), std::abs(low), 1e-9);
  EXPECT_LE(scene.imbalance(), 1e-8);
}

TEST(Equilibrium, OfTwoHingedRodsHangsStraight) {
  Model model;
  const BodyId upper = model.add(RigidBody{
      .name = "upper", .inertia = solid_box(1, {1, 0.1, 0.1}), .pose = {.position = {0.5, 0, 0}}});
  const BodyId lower = model.add(RigidBody{
      .name = "lower", .inertia = solid_box(2, {1, 0.1, 0.1}), .pose = {.position = {1.5, 0, 0}}});
  model.add(Spherical{.bodies = {model.ground(), upper}, .at = Vector3(0, 0, 0)});
  model.add(Spherical{.bodies = {upper, lower}, .at = Vector3(1, 0, 0)});
  // Nothing holds the rotation of a rod about itself: soft springs do.
  for (const BodyId body : {upper, lower}) {
    model.add(Bushing{.between = {at(model.ground()), at(body)},
                      .rotational_stiffness = Vector3::Constant(1e-9)});
  }
  const Settled scene(model);
  ASSERT_TRUE(scene.report.converged) << scene.report.message;
  EXPECT_LE((scene.node(1).x - Vector3(0, 0, -0.5)).norm(), 1e-6);
  EXPECT_LE((scene.node(2).x - Vector3(0, 0, -1.5)).norm(), 1e-6);
}

// Wherever it begins, and however the scene is turned, it is the same equilibrium.
TEST(Equilibrium, TurnsWithTheScene) {
  Random random(2);
  const Matrix3 R = random.rotation();
  const Vector3 x = random.vector(3);
  const Model model = pendulum(2, 1.2, 1.1, 6);
  const Settled scene(model), turned(carried(model, R, x));
  ASSERT_TRUE(scene.report.converged && turned.report.converged);
  EXPECT_LE((turned.node(1).x - R * scene.node(1).x - x).norm(), 1e-9);
}

TEST(Equilibrium, OfAPreloadedSpringDoesNotScaleThePreload) {
  Model model = spring_pair(1, 1, 100, 0.3);  // a spring that wants to be shorter by 0.3
  model.add(Lock{.body = BodyId{0}, .translation = {Axis::X, Axis::Y, Axis::Z}});
  model.add(Lock{.body = BodyId{1}, .translation = {Axis::Y, Axis::Z}});
  const Settled scene(model, 0);
  ASSERT_TRUE(scene.report.converged) << scene.report.message;
  EXPECT_NEAR(scene.node(2).x.x(), 1, 1e-10);
}

TEST(Equilibrium, OfABodyThatNothingHoldsIsNotFound) {
  const Settled falling(ball_on_floor({.position = {0, 0, 1}}, {}), 1, {.max_iterations = 20});
  EXPECT_FALSE(falling.report.converged);
  EXPECT_NE(falling.report.message.find("no static equilibrium"), std::string::npos);
  EXPECT_NE(falling.report.message.find("ball"), std::string::npos);
  EXPECT_EQ(falling.report.iterations, 20);
}

}  // namespace equilibrium_test
}  // namespace saltus
