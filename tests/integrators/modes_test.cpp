// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/modes.hpp"

#include <cmath>
#include <numbers>

#include "saltus/integrators/equilibrium.hpp"
#include "tests/support/random.hpp"
#include "tests/support/scene.hpp"

namespace saltus {
namespace modes_test {

using namespace test;

/// The modes of a scene about its static equilibrium.
struct Vibrating : Scene {
  std::vector<Mode> modes;

  explicit Vibrating(const Model& model, int count = 100) : Scene(model) {
    EXPECT_TRUE(find_equilibrium(system, kkt, {}, 1, state).converged);
    modes = natural_modes(system, kkt, state, count);
  }
  const Mode& mode(int i) const { return modes[static_cast<std::size_t>(i)]; }
  VectorX mass_times(const VectorX& shape) const { return momentum(state.configuration, shape); }
  /// −∂f/∂q − ∂(Gᵀλ)/∂q along a shape, by a central difference of the forces.
  VectorX stiffness_times(const VectorX& shape) const {
    const VectorX zero = VectorX::Zero(system.velocities());
    const double step = 1e-4;
    const auto at = [&](double s) {
      return forces(moved(system, state.configuration, s * shape), zero, state.multiplier);
    };
    return -(at(step) - at(-step)) / (2 * step);
  }
  Eigen::MatrixXd jacobian() const {
    Eigen::MatrixXd G(system.constraints(), system.velocities());
    for (int i = 0; i < system.velocities(); ++i) {
      G.col(i) = rates(state.configuration, VectorX::Unit(system.velocities(), i));
    }
    return G;
  }
};

/// Two boxes on elastic supports, tied to each other by a bushing.
Model sprung_boxes() {
  Model model;
  const BodyId a = model.add(RigidBody{
      .name = "a", .inertia = solid_box(2, {0.4, 0.3, 0.2}), .pose = {.position = {0, 0, 0}}});
  const BodyId b = model.add(RigidBody{
      .name = "b", .inertia = solid_box(1, {0.2, 0.3, 0.5}), .pose = {.position = {1, 0, 0}}});
  model.add(Bushing{.between = {at(model.ground()), at(a, {0.1, 0, 0})},
                    .stiffness = {500, 700, 900},
                    .rotational_stiffness = {20, 30, 40}});
  model.add(Bushing{.between = {at(a, {0.5, 0, 0}), at(b, {-0.5, 0, 0.1})},
                    .stiffness = {300, 200, 400},
                    .rotational_stiffness = {10, 5, 8}});
  return model;
}

Model hinged_rod(double angle) {
  Model model;
  const Vector3 middle = 0.5 * Vector3(std::sin(angle), 0, -std::cos(angle));
  const BodyId rod =
      model.add(RigidBody{.name = "rod",
                          .inertia = solid_cylinder(2, 0.02, 1, Vector3::UnitZ()),
                          .pose = {.position = middle, .rotation_vector = {0, -angle, 0}}});
  model.add(
      Revolute{.bodies = {model.ground(), rod}, .at = Vector3(0, 0, 0), .axis = Vector3(0, 1, 0)});
  return model;
}

// k (1/m₁ + 1/m₂) along the spring; three translations and two rotations of the pair are free.
TEST(Modes, OfTwoMassesOnASpringAreTheBreathingOneAndRigidMotions) {
  const Vibrating scene(spring_pair(2, 3, 120, 0));
  ASSERT_EQ(scene.modes.size(), 6u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(scene.mode(i).eigenvalue, 0) << i;
  const Mode& breathing = scene.mode(5);
  const double square = 120 * (1.0 / 2 + 1.0 / 3);
  EXPECT_NEAR(breathing.eigenvalue, square, 1e-10 * square);
  EXPECT_NEAR(breathing.frequency(), std::sqrt(square) / (2 * std::numbers::pi), 1e-10);
  // The masses go apart, their centre stays: m₁ φ₁ + m₂ φ₂ = 0.
  EXPECT_NEAR(2 * breathing.shape[0] + 3 * breathing.shape[3], 0, 1e-12);
}

TEST(Modes, AreOrthonormalInTheMetricOfTheMass) {
  const Vibrating scene(sprung_boxes());
  ASSERT_EQ(scene.modes.size(), 12u);
  for (const Mode& a : scene.modes) {
    for (const Mode& b : scene.modes) {
      EXPECT_NEAR(a.shape.dot(scene.mass_times(b.shape)), &a == &b ? 1 : 0, 1e-10);
    }
  }
}

TEST(Modes, SatisfyTheirEquation) {
  const Vibrating scene(sprung_boxes());
  for (const Mode& mode : scene.modes) {
    const VectorX inertia = mode.eigenvalue * scene.mass_times(mode.shape);
    // The difference quotient has an error of the square of its step.
    EXPECT_LE((scene.stiffness_times(mode.shape) - inertia).norm(), 1e-5 * inertia.norm());
  }
}

// With joints: G φ = 0, and K φ − ω² M φ is a reaction, so it does no work on any other mode.
TEST(Modes, WithJointsKeepToThem) {
  Model model = sprung_boxes();
  model.add(Spherical{.name = "ball", .bodies = {BodyId{0}, BodyId{1}}, .at = Vector3(0.5, 0, 0)});
  const Vibrating scene(model);
  ASSERT_EQ(scene.modes.size(), 9u);
  const Eigen::MatrixXd G = scene.jacobian();
  for (const Mode& mode : scene.modes) {
    EXPECT_LE((G * mode.shape).norm(), 1e-10);
    const VectorX rest =
        scene.stiffness_times(mode.shape) - mode.eigenvalue * scene.mass_times(mode.shape);
    for (const Mode& other : scene.modes) {
      EXPECT_NEAR(other.shape.dot(rest), 0, 1e-5 * scene.modes.back().eigenvalue);
    }
  }
}

TEST(Modes, ComeInOrderAndAsManyAsAskedFor) {
  const Vibrating all(sprung_boxes()), some(sprung_boxes(), 4);
  ASSERT_EQ(some.modes.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(some.mode(i).eigenvalue, all.mode(i).eigenvalue);
    EXPECT_LE(all.mode(i).eigenvalue, all.mode(i + 1).eigenvalue);
  }
}

// The physical pendulum: ω² = m g (l/2) / (J + m l²/4). All its stiffness is that of the reaction.
TEST(Modes, OfAHangingRodHaveTheFrequencyOfAPendulum) {
  const Vibrating scene(hinged_rod(0));
  ASSERT_EQ(scene.modes.size(), 1u);
  const double J = 2 * (1.0 / 12 + 0.02 * 0.02 / 4) + 2 * 0.25;
  EXPECT_NEAR(scene.mode(0).eigenvalue, 2 * g_0 * 0.5 / J, 1e-7);
  EXPECT_EQ(scene.mode(0).growth_rate(), 0);
}

TEST(Modes, OfAnInvertedRodGrow) {
  const Vibrating scene(hinged_rod(std::numbers::pi));
  ASSERT_EQ(scene.modes.size(), 1u);
  const double J = 2 * (1.0 / 12 + 0.02 * 0.02 / 4) + 2 * 0.25;
  EXPECT_NEAR(scene.mode(0).eigenvalue, -2 * g_0 * 0.5 / J, 1e-6);
  EXPECT_NEAR(scene.mode(0).growth_rate(), std::sqrt(2 * g_0 * 0.5 / J), 1e-6);
  EXPECT_EQ(scene.mode(0).frequency(), 0);
}

TEST(Modes, DoNotDependOnWhereTheSceneStands) {
  Random random(4);
  const Model model = sprung_boxes();
  const Vibrating scene(model), turned(carried(model, random.rotation(), random.vector(2)));
  for (int i = 0; i < 12; ++i) {
    const double square = scene.mode(i).eigenvalue;
    EXPECT_NEAR(turned.mode(i).eigenvalue, square, 1e-7 * square) << i;
  }
}

TEST(Modes, LookTheSameEachTime) {
  const Vibrating scene(sprung_boxes()), again(sprung_boxes());
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(scene.mode(i).shape, again.mode(i).shape);
    EXPECT_GT(scene.mode(i).shape.maxCoeff(), -scene.mode(i).shape.minCoeff()) << i;
  }
}

// Above 400 velocities Lanczos' method takes over: ω_j = 2 √(k/m) sin(jπ / (2 (n + 1))).
TEST(Modes, OfALongChainAreThoseOfItsClosedForm) {
  const int n = 140;
  const double m = 0.1, k = 4000;
  Model model;
  model.gravity.setZero();
  BodyId last = model.ground();
  for (int i = 1; i <= n + 1; ++i) {
    const bool is_wall = i == n + 1;
    const Vector3 place(0.1 * i, 0, 0);
    const BodyId next =
        is_wall ? model.ground() : model.add(PointMass{.mass = m, .pose = {.position = place}});
    // Across, the chain is held by walls of its own, so that its low modes are those along it.
    model.add(Bushing{.between = {i == 1 ? at(last, {0.1, 0, 0}) : at(last),
                                  is_wall ? at(next, {0.1 * n, 0, 0}) : at(next)},
                      .stiffness = {k, 100 * k, 100 * k}});
    last = next;
  }
  Scene scene(model);
  ASSERT_GT(scene.system.velocities(), 400);
  const std::vector<Mode> modes = natural_modes(scene.system, scene.kkt, scene.state, 5);
  ASSERT_EQ(modes.size(), 5u);
  for (int j = 1; j <= 5; ++j) {
    const double w = 2 * std::sqrt(k / m) * std::sin(j * std::numbers::pi / (2 * (n + 1)));
    EXPECT_NEAR(modes[static_cast<std::size_t>(j - 1)].angular_frequency(), w, 1e-8 * w) << j;
  }
}

}  // namespace modes_test
}  // namespace saltus
