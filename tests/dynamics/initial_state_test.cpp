// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/initial_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/lie/so3.hpp"
#include "saltus/linalg/decompositions.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/four_bar.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace initial_state_test {

using namespace test;
using Eigen::MatrixXd;

constexpr double g_0 = 9.81;

/// A system with its initial state and what was logged.
struct Start {
  System system;
  KktSolver kkt;
  std::vector<std::string> warnings, infos;
  State state;

  explicit Start(const Model& model)
      : system(model), kkt(system), state(initial_state(system, kkt, sink())) {}
  Start(const Start&) = delete;

  LogSink sink() {
    return [this](LogLevel level, std::string_view text) {
      (level == LogLevel::Warning ? warnings : infos).emplace_back(text);
    };
  }
  VectorX constraints() const {
    VectorX g;
    system.constraints(state.configuration, 0, g);
    return g;
  }
  VectorX rates(const VectorX& v) const {
    VectorX gdot;
    system.constraint_rates(state.configuration, v, 0, gdot);
    return gdot;
  }
  VectorX jacobian_times(const VectorX& v) const {
    return rates(v) - rates(VectorX::Zero(system.velocities()));
  }
  MatrixXd jacobian() const {
    MatrixXd G(system.constraints(), system.velocities());
    for (int i = 0; i < system.velocities(); ++i) {
      G.col(i) = jacobian_times(VectorX::Unit(system.velocities(), i));
    }
    return G;
  }
  VectorX mass_times(const VectorX& x) const {
    VectorX y;
    system.mass_times(state.configuration, x, y);
    return y;
  }
  VectorX constraint_accelerations() const {
    VectorX gddot;
    system.constraint_accelerations(state.configuration, state.velocity, 0, gddot);
    return gddot + jacobian_times(state.acceleration);
  }

  /// Joints hold at all three levels and forces balance.
  void expect_consistent(double tolerance = 1e-10) const {
    EXPECT_LE(constraints().cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE(rates(state.velocity).cwiseAbs().maxCoeff(), tolerance);
    const double size = 1 + state.acceleration.cwiseAbs().maxCoeff();
    EXPECT_LE(constraint_accelerations().cwiseAbs().maxCoeff(), tolerance * size);
    ForceTerms terms;
    VectorX r;
    system.forces(state.configuration, state.velocity, state.acceleration, {}, state.multiplier,
                  terms);
    terms.residual(r);
    EXPECT_LE(r.cwiseAbs().maxCoeff(), tolerance * (1 + terms.constraint.cwiseAbs().maxCoeff()));
  }
};

std::string error_of(const Model& model) {
  try {
    const Start start(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const Model& model, const std::vector<std::string>& words) {
  const std::string message = error_of(model);
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
  }
}

// ---- positions
// -----------------------------------------------------------------------------------

/// Two boxes in a chain of revolutes with frames in body coordinates, at the given poses.
Model chain(const Pose& first, const Pose& second) {
  Model model;
  const BodyId upper =
      model.add(RigidBody{.name = "upper", .inertia = solid_box(1, {1, 0.1, 0.2}), .pose = first});
  const BodyId lower =
      model.add(RigidBody{.name = "lower", .inertia = solid_box(1, {1, 0.1, 0.2}), .pose = second});
  model.add(Revolute{
      .between = {at(ground_body),
                  {.body = upper, .position = {-0.5, 0, 0}, .rotation_vector = Vector3::Zero()}}});
  model.add(Revolute{
      .between = {at(upper, {0.5, 0, 0}),
                  {.body = lower, .position = {-0.5, 0, 0}, .rotation_vector = Vector3::Zero()}}});
  return model;
}

TEST(InitialState, PosesThatFitStayAsTheyAre) {
  const Start start(chain({.position = {0.5, 0, 0}}, {.position = {1.5, 0, 0}}));
  start.expect_consistent();
  EXPECT_TRUE(start.warnings.empty());
  EXPECT_EQ(start.state.configuration.nodes[2].x, Vector3(1.5, 0, 0));
}

TEST(InitialState, PosesOffTheJointsAreProjectedWithAWarning) {
  const Start start(
      chain({.position = {0.55, 0.02, 0.03}, .rotation_vector = Vector3(0.1, 0.2, 0.3)},
            {.position = {1.4, -0.1, 0.1}, .rotation_vector = Vector3(-0.2, 0.1, 0.2)}));
  start.expect_consistent();
  ASSERT_EQ(start.warnings.size(), 1u);
  EXPECT_NE(start.warnings[0].find("was moved by"), std::string::npos) << start.warnings[0];
  EXPECT_NE(start.warnings[0].find("was turned by"), std::string::npos) << start.warnings[0];
  EXPECT_NE(start.warnings[0].find("\"lower\""), std::string::npos) << start.warnings[0];
}

TEST(InitialState, FarPosesAreProjectedToo) {
  Random random;
  for (int sample = 0; sample < 20; ++sample) {
    const Start start(chain({.position = random.vector(), .rotation_vector = random.vector(1)},
                            {.position = random.vector(), .rotation_vector = random.vector(1)}));
    start.expect_consistent();
  }
}

TEST(InitialState, ProjectionIsTheNearestPoint) {
  Model model{.gravity = Vector3::Zero()};
  const BodyId bob = model.add(PointMass{.mass = 2, .pose = {.position = {1.2, 0.9, 0}}});
  model.add(Distance{.between = {at(ground_body), at(bob)}, .length = 1});
  const Start start(model);
  EXPECT_LE((start.state.configuration.nodes[1].x - Vector3(0.8, 0.6, 0)).norm(), 1e-12);
}

TEST(InitialState, PositionDriveSetsTheStart) {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  model.add(Revolute{.bodies = {ground_body, wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3::UnitZ(),
                     .drive = Position{Expression{"1.2 + 3*t"}}});
  const Start start(model);
  start.expect_consistent(1e-9);
  EXPECT_NEAR(start.state.configuration.angles[0], 1.2, 1e-12);
  EXPECT_NEAR(start.state.velocity[5], 3, 1e-9);
}

// ---- velocities
// ----------------------------------------------------------------------------------

TEST(InitialState, VelocitiesAreProjectedWithAWarning) {
  Model model;
  const BodyId bob = model.add(PointMass{.name = "bob",
                                         .mass = 2,
                                         .pose = {.position = {3, 4, 0}},
                                         .velocity = {.linear = {1, 2, 3}}});
  model.add(Distance{.between = {at(ground_body), at(bob)}});
  const Start start(model);
  const Vector3 n(0.6, 0.8, 0), v(1, 2, 3);
  EXPECT_LE((start.state.velocity - (v - n * n.dot(v))).norm(), 1e-13);
  ASSERT_EQ(start.warnings.size(), 1u);
  EXPECT_NE(start.warnings[0].find("body \"bob\", translation y"), std::string::npos)
      << start.warnings[0];
}

TEST(InitialState, VelocityChangeIsAnImpulseOfTheJoints) {
  Model model = chain({.position = {0.5, 0, 0}}, {.position = {1.5, 0, 0}});
  std::get<RigidBody>(model.bodies[0]).velocity = {.linear = {1, 2, 3}, .angular = {0.3, 2, 1}};
  std::get<RigidBody>(model.bodies[1]).velocity = {.linear = {0, -2, 1}, .angular = {1, 0, -3}};
  const Start start(model);
  start.expect_consistent();
  // M Δv = Gᵀμ: no part of it lies in the null space of G.
  const VectorX momentum = start.mass_times(start.state.velocity - start.system.given_velocity());
  const MatrixXd G = start.jacobian();
  const VectorX mu = linalg::LeastNorm(G.transpose()).solve(momentum);
  EXPECT_GT(momentum.norm(), 0.1);
  EXPECT_LE((G.transpose() * mu - momentum).norm(), 1e-12);
}

TEST(InitialState, BodyWithOffsetCentreOfMassStartsWithItsVelocity) {
  const Vector3 d(0.2, -0.1, 0.4), turn(0.3, 0.5, -0.2), linear(1, 2, 3), angular(0.5, -1, 2);
  Model model;
  model.add(RigidBody{
      .inertia = ExplicitInertia{.mass = 3, .moments = Vector3(1, 1.1, 1.2), .centre_of_mass = d},
      .pose = {.position = {5, 6, 7}, .rotation_vector = turn},
      .velocity = {.linear = linear, .angular = angular}});
  const Start start(model);
  const Matrix3 R = lie::so3::exp(turn);
  Vector6 v;
  v << linear + angular.cross(R * d), R.transpose() * angular;
  EXPECT_LE((start.state.velocity - v).norm(), 1e-14);
  EXPECT_LE((start.state.acceleration.head<3>() - Vector3(0, 0, -g_0)).norm(), 1e-13);
}

// ---- accelerations
// -------------------------------------------------------------------------------

TEST(InitialState, HorizontalRodFallsWithThreeHalvesOfGravity) {
  Model model;
  const BodyId rod =
      model.add(RigidBody{.inertia = slender_rod(2, 1.5), .pose = {.position = {0.75, 0, 0}}});
  model.add(
      Revolute{.bodies = {ground_body, rod}, .at = Vector3::Zero(), .axis = Vector3::UnitY()});
  const Start start(model);
  start.expect_consistent();
  EXPECT_NEAR(start.state.acceleration[4], 1.5 * g_0 / 1.5, 1e-11);
  EXPECT_NEAR(start.state.multiplier[2], 2 * g_0 / 4, 1e-11);  // support: a quarter of the weight
}

/// A tree of bodies with every joint that two bodies can have, random places, springs between them.
Model tree(unsigned seed) {
  Random random(seed);
  Model model;
  std::vector<BodyId> bodies = {ground_body};
  const auto add_body = [&] {
    const Vector3 moments = random.vector(0.4).cwiseAbs() + Vector3::Ones();
    bodies.push_back(model.add(
        RigidBody{.inertia = ExplicitInertia{.mass = random.uniform(0.5, 2),
                                             .moments = 0.1 * moments,
                                             .centre_of_mass = random.vector(0.3)},
                  .pose = {.position = random.vector(2), .rotation_vector = random.vector(1.5)},
                  .velocity = {.linear = random.vector(), .angular = random.vector()}}));
  };
  const auto place = [&](auto joint) {
    add_body();
    const auto other = static_cast<std::size_t>(random.uniform(0, double(bodies.size()) - 1.01));
    joint.bodies = {bodies[other], bodies.back()};
    joint.at = random.vector(2);
    if constexpr (requires { joint.axis; }) joint.axis = random.vector();
    if constexpr (requires { joint.axis_2; }) joint.axis_2 = random.vector();
    return model.add(Joint(joint));
  };
  place(Fixed{});
  place(Spherical{});
  const JointId pin = place(Revolute{});
  place(Revolute{.drive = Speed{Sine{.amplitude = 2, .frequency = 0.5, .offset = 0.3}}});
  place(Prismatic{});
  place(Prismatic{.drive = Position{Sine{.amplitude = 0.2, .frequency = 0.5}}});
  place(Cylindrical{});
  place(Universal{});
  place(Planar{});
  place(PointOnLine{});
  place(PointOnPlane{});
  add_body();
  model.add(
      Distance{.between = {at(bodies[3], random.vector()), at(bodies.back(), random.vector())}});
  add_body();
  model.add(Lock{.body = bodies.back(), .translation = {Axis::Y}, .rotation = {Axis::X, Axis::Y}});
  const BodyId point = model.add(PointMass{.mass = 1, .pose = {.position = random.vector(2)}});
  model.add(Spherical{.bodies = {bodies[4], point},
                      .at = std::get<PointMass>(model.bodies.back()).pose.position});
  model.add(TorsionalSpringDamper{.joint = pin, .stiffness = 5, .damping = 1, .rest_angle = 1});
  model.add(SpringDamper{.between = {at(bodies[2], random.vector()), at(point)},
                         .stiffness = 10,
                         .damping = 1,
                         .rest_length = 0.5});
  model.add(Force{.on = at(bodies[5], random.vector()), .value = {1.0, 2.0, 3.0}});
  return model;
}

TEST(InitialState, BalancesForcesAndHoldsJointsAtAllLevels) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Start start(tree(seed));
    start.expect_consistent();
  }
}

TEST(InitialState, FillsTheWholeState) {
  const Start start(tree(0));
  const State& s = start.state;
  EXPECT_EQ(s.time, 0);
  EXPECT_EQ(s.pseudo_acceleration, s.acceleration);
  EXPECT_EQ(s.rotation.size(), start.system.nodes().size());
  EXPECT_EQ(s.impulse.size(), start.system.constraints());
  EXPECT_TRUE(s.impulse.isZero(0));
  EXPECT_NEAR(s.energy.kinetic, s.velocity.dot(start.mass_times(s.velocity)) / 2, 1e-12);
  EXPECT_EQ(s.energy.gravity, start.system.gravity_energy(s.configuration));
  EXPECT_EQ(s.energy.elastic, start.system.elastic_energy(s.configuration));
  EXPECT_EQ(s.energy.initial, s.energy.total());
  EXPECT_EQ(s.energy.residual(), 0);
  VectorX r;
  s.forces.residual(r);
  EXPECT_LE(r.norm(), 1e-9);
}

TEST(InitialState, WorksWithoutJoints) {
  Model model;
  model.add(PointMass{.mass = 2, .velocity = {.linear = {1, 0, 0}}});
  const Start start(model);
  EXPECT_LE((start.state.acceleration - Vector3(0, 0, -g_0)).norm(), 1e-14);
}

// ---- redundant joints
// ----------------------------------------------------------------------------

TEST(InitialState, FourBarHasTwentyOneEquationsOfRankEighteen) {
  const Start start(FourBar{}.model(1));
  EXPECT_EQ(start.system.constraints(), 21);
  const VectorX singular = linalg::singular_values(start.jacobian()).sigma;
  EXPECT_GT(singular[17], 1e-3);
  EXPECT_EQ(singular.size(), 18);
  start.expect_consistent();
  EXPECT_TRUE(start.warnings.empty());
}

// The drive's torque times its speed is the rate of energy along the exact motion; the two values
// are those of elements.md 4.6, from a time integration with h = 2.5 ms.
TEST(InitialState, FourBarsDriveTorqueIsTheRateOfEnergy) {
  const FourBar bars;
  for (const double theta : {0.3, 1.0, 2.5, 4.0, 5.5}) {
    const Start start(bars.model(theta));
    start.expect_consistent();
    const auto energy = [&](double t) { return bars.energy(theta + bars.speed * t); };
    EXPECT_NEAR(start.state.multiplier[5] * bars.speed, derivative(energy, 1e-3), 1e-6) << theta;
    if (theta == 2.5) {
      EXPECT_NEAR(start.state.multiplier[5], -3.92252, 2e-4);
    }
    if (theta == 4.0) {
      EXPECT_NEAR(start.state.multiplier[5], -2.02885, 2e-4);
      const Vector3 rocker = start.state.configuration.nodes[3].x;
      EXPECT_LE((rocker - Vector3(.71263175, .27824358, 0)).norm(), 1e-5);
    }
  }
}

TEST(InitialState, RedundantMultipliersHaveLeastNorm) {
  const Start start(FourBar{}.model(1));
  const MatrixXd G = start.jacobian();
  VectorX force = VectorX::Zero(start.system.velocities());
  start.system.add_constraint_forces(start.state.configuration, start.state.multiplier, force);
  // In the metric of the regularisation δ, which makes N and N m comparable.
  const KktSolver& kkt = start.kkt;
  VectorX weight(start.system.constraints());
  for (int i = 0; i < weight.size(); ++i) {
    const int row = start.system.velocities() + i;
    weight[i] = std::sqrt(
        -kkt.matrix().values()[static_cast<std::size_t>(start.system.pattern().slot(row, row))]);
  }
  weight /= weight.maxCoeff();
  const MatrixXd scaled = G.transpose() * weight.cwiseInverse().asDiagonal();
  ASSERT_EQ(linalg::PivotedQr(scaled, 1e-10).rank(), 18);
  const VectorX least =
      weight.cwiseInverse().cwiseProduct(linalg::LeastNorm(scaled, 1e-10).solve(VectorX(force)));
  EXPECT_LE((start.state.multiplier - least).norm(), 1e-5 * least.norm());
}

TEST(KktSolver, LeastMultipliersGiveTheSameForcesAndForgetWhatGivesNone) {
  const Start start(FourBar{}.model(1));
  const Configuration& q = start.state.configuration;
  KktSolver kkt(start.system);
  ASSERT_TRUE(kkt.detect_redundancy(q, 0));
  const auto least = [&](VectorX lambda) {
    kkt.make_least(q, 0, lambda);
    return lambda;
  };
  const VectorX lambda = test::Random(1).vector_x(start.system.constraints());
  const VectorX nothing = lambda - least(lambda);
  VectorX force = VectorX::Zero(start.system.velocities());
  start.system.add_constraint_forces(q, nothing, force);
  EXPECT_LE(force.norm(), 1e-12 * lambda.norm());
  EXPECT_GE(nothing.norm(), 0.1 * lambda.norm());
  EXPECT_LE(least(nothing).norm(), 1e-8 * lambda.norm());
  // Those of the start are of the same kind.
  const VectorX& first = start.state.multiplier;
  EXPECT_LE((least(first + nothing) - first).norm(), 1e-5 * first.norm());
}

TEST(InitialState, FourBarOfSlenderRodsWorks) {
  FourBar bars;
  bars.thin = true;
  for (const double theta : {0.3, 1.0, 2.5}) {
    const Start start(bars.model(theta));
    start.expect_consistent();
  }
  // A parallelogram along the axes: the rods' own axes are unknowns without inertia.
  bars.crank = bars.rocker = 0.5;
  const Start start(bars.model(std::acos(0.0)));
  start.expect_consistent();
}

TEST(InitialState, DoubledJointsWork) {
  Model model;
  const BodyId door = model.add(
      RigidBody{.inertia = solid_box(20, {1, 0.05, 2}), .pose = {.position = {0.5, 0, 0}}});
  for (const double z : {-0.8, 0.0, 0.8}) {
    model.add(
        Revolute{.bodies = {ground_body, door}, .at = Vector3(0, 0, z), .axis = Vector3::UnitZ()});
  }
  const Start start(model);
  start.expect_consistent();
  const double weight = 20 * g_0;
  EXPECT_NEAR(start.state.multiplier[2] + start.state.multiplier[7] + start.state.multiplier[12],
              weight, 1e-8 * weight);
  EXPECT_NEAR(start.state.multiplier[2], weight / 3, 1e-5 * weight);  // shared by the hinges
}

// ---- contradictions
// ------------------------------------------------------------------------------

TEST(InitialState, RefusesRodsOfDifferentLengthBetweenTheSamePoints) {
  Model model;
  const BodyId bob = model.add(PointMass{.mass = 1, .pose = {.position = {1, 0, 0}}});
  const BodyId other = model.add(PointMass{.mass = 1, .pose = {.position = {0, 1, 0}}});
  model.add(Distance{.name = "short", .between = {at(ground_body), at(bob)}, .length = 1});
  model.add(Distance{.name = "long", .between = {at(ground_body), at(bob)}, .length = 1.1});
  model.add(Distance{.name = "innocent", .between = {at(ground_body), at(other)}});
  expect_error(model, {"\"short\"", "\"long\"", "positions"});
  EXPECT_EQ(error_of(model).find("innocent"), std::string::npos);
}

/// Two parallel revolutes between the same bodies, each with a drive.
Model two_drives(const Drive& first, const Drive& second) {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  model.add(Revolute{.name = "slow",
                     .bodies = {ground_body, wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3::UnitZ(),
                     .drive = first});
  model.add(Revolute{.name = "fast",
                     .bodies = {ground_body, wheel},
                     .at = Vector3(0, 0, 0.5),
                     .axis = Vector3::UnitZ(),
                     .drive = second});
  return model;
}

TEST(InitialState, RefusesDrivesOfDifferentSpeed) {
  expect_error(two_drives(Speed{1.0}, Speed{2.0}), {"\"slow\"", "\"fast\"", "velocities"});
  expect_error(two_drives(Speed{1.0}, Speed{-1.0}), {"\"slow\"", "\"fast\"", "velocities"});
}

TEST(InitialState, RefusesDrivesOfDifferentPosition) {
  expect_error(two_drives(Position{0.1}, Position{0.3}), {"\"slow\"", "\"fast\"", "positions"});
}

TEST(InitialState, RefusesDrivesOfDifferentAcceleration) {
  expect_error(two_drives(Speed{Expression{"1 + t"}}, Speed{Expression{"1 + 2*t"}}),
               {"\"slow\"", "\"fast\"", "accelerations"});
}

TEST(InitialState, AcceptsDrivesThatAgree) {
  const Start start(two_drives(Speed{Expression{"1 + t"}}, Position{Expression{"t + t^2/2"}}));
  start.expect_consistent(1e-8);
  EXPECT_NEAR(start.state.velocity[5], 1, 1e-9);
}

TEST(InitialState, RefusesALockedBodyThatIsDriven) {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  model.add(Lock{.name = "brake", .body = wheel, .rotation = {Axis::X, Axis::Y, Axis::Z}});
  model.add(Revolute{.name = "motor",
                     .bodies = {ground_body, wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3::UnitZ(),
                     .drive = Speed{1.0}});
  expect_error(model, {"\"brake\"", "\"motor\"", "velocities"});
}

// ---- motions without inertia
// -----------------------------------------------------------------------

Model rod_with(const Joint& joint, const Direction& axis = Vector3::UnitX()) {
  Model model;
  model.add(RigidBody{
      .name = "stick", .inertia = slender_rod(1, 1, axis), .pose = {.position = {0.5, 0, 0}}});
  model.add(joint);
  return model;
}

TEST(InitialState, RefusesASlenderRodFreeAboutItsAxis) {
  const BodyId rod{0};
  expect_error(rod_with(Spherical{.bodies = {ground_body, rod}, .at = Vector3::Zero()}),
               {"body \"stick\"", "no inertia"});
  expect_error(rod_with(Revolute{
                   .bodies = {ground_body, rod}, .at = Vector3::Zero(), .axis = Vector3::UnitX()}),
               {"body \"stick\"", "no inertia"});
  Model free;
  free.add(RigidBody{.name = "stick", .inertia = slender_rod(1, 1, Vector3(1, 2, 3))});
  expect_error(free, {"body \"stick\"", "no inertia"});
}

TEST(InitialState, AcceptsASlenderRodThatJointsHold) {
  const BodyId rod{0};
  // Along an axis of the body, along none, and along one up to rounding.
  for (const Vector3& axis :
       {Vector3(1, 0, 0), Vector3(3, 1, 0.5), Vector3(1, 1e-9, 0), Vector3(1, 1e-5, 1e-6)}) {
    SCOPED_TRACE(axis.transpose());
    const Start start(rod_with(
        Revolute{.bodies = {ground_body, rod}, .at = Vector3::Zero(), .axis = Vector3::UnitY()},
        axis));
    start.expect_consistent();
    EXPECT_LE(start.state.multiplier.norm(), 100);
  }
}

TEST(InitialState, RefusesRodsFixedTogetherAlongOneAxis) {
  Model model;
  const BodyId first = model.add(
      RigidBody{.name = "left", .inertia = slender_rod(1, 1), .pose = {.position = {0.5, 0, 0}}});
  const BodyId second = model.add(
      RigidBody{.name = "right", .inertia = slender_rod(1, 1), .pose = {.position = {1.5, 0, 0}}});
  model.add(Fixed{.bodies = {first, second}, .at = Vector3(1, 0, 0)});
  model.add(Spherical{.bodies = {ground_body, first}, .at = Vector3::Zero()});
  const std::string message = error_of(model);
  EXPECT_NE(message.find("no inertia"), std::string::npos) << message;
  EXPECT_TRUE(message.find("\"left\"") != std::string::npos ||
              message.find("\"right\"") != std::string::npos)
      << message;
}

TEST(InitialState, AcceptsRodsFixedTogetherAtAnAngle) {
  Model model;
  const BodyId first =
      model.add(RigidBody{.inertia = slender_rod(1, 1), .pose = {.position = {0.5, 0, 0}}});
  const BodyId second = model.add(
      RigidBody{.inertia = slender_rod(1, 1, Vector3::UnitY()), .pose = {.position = {1, 0.5, 0}}});
  model.add(Fixed{.bodies = {first, second}, .at = Vector3(1, 0, 0)});
  model.add(Spherical{.bodies = {ground_body, first}, .at = Vector3::Zero()});
  const Start start(model);
  start.expect_consistent();
}

// The least change in the metric of the mass: 5/7 of the speed remain, the rest becomes spin.
TEST(InitialState, PutsABallOntoItsPlaneAndTakesItsSlip) {
  const double r = 0.2;
  Model model;
  const BodyId ball = model.add(RigidBody{.name = "ball",
                                          .inertia = SolidSphere{.mass = 3, .radius = r},
                                          .pose = {.position = {0.3, 0.1, r + 0.01}},
                                          .velocity = {.linear = {1.4, 0, 0}}});
  model.add(Rolling{.name = "roll", .between = {at(ground_body), at(ball)}, .radius = r});
  const System system(model);
  KktSolver kkt(system);
  std::vector<std::string> told;
  const State state =
      initial_state(system, kkt, [&](LogLevel, std::string_view text) { told.emplace_back(text); });
  EXPECT_LE((state.configuration.nodes[1].x - Vector3(0.3, 0.1, r)).norm(), 1e-14);
  EXPECT_LE((state.velocity.head<3>() - Vector3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LE((state.velocity.segment<3>(3) - Vector3(0, 1 / r, 0)).norm(), 1e-12);
  ASSERT_EQ(told.size(), 2u);  // the pose, and the velocity
  EXPECT_NE(told[0].find("moved by 0.01 m"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("velocities did not fit"), std::string::npos) << told[1];
}

}  // namespace initial_state_test
}  // namespace saltus
