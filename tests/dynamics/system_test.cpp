// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/core/input_error.hpp"
#include "saltus/model/moved.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random.hpp"
#include "tests/support/zoo.hpp"

namespace saltus {
namespace system_test {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr unsigned models = 10;

ForceTerms force_terms(const System& system, const Configuration& q, const VectorX& v,
                       const VectorX& vdot, const Instant& at) {
  ForceTerms terms;
  system.forces(q, v, vdot, at, VectorX::Zero(system.constraints()), terms);
  return terms;
}

VectorX rates(const System& system, const Configuration& q, const VectorX& v, double t) {
  VectorX gdot;
  system.constraint_rates(q, v, t, gdot);
  return gdot;
}

/// G v, without the drives' rates.
VectorX jacobian_times(const System& system, const Configuration& q, const VectorX& v) {
  return rates(system, q, v, 0) - rates(system, q, VectorX::Zero(system.velocities()), 0);
}

// ---- evaluation
// ----------------------------------------------------------------------------------

TEST(System, ConstraintRatesAreTimeDerivativesOfConstraints) {
  Agreement agreement("rates");
  for (unsigned seed = 0; seed < models; ++seed) {
    const System system(Zoo(seed).model());
    Random random(seed);
    const Motion motion(system, perturbed(system, random, 0.2), random);
    const double t_0 = 0.4;
    const auto g = [&](double t) -> VectorX {
      VectorX value;
      system.constraints(motion.configuration(t), t_0 + t, value);
      return value;
    };
    agreement.compare(rates(system, motion.configuration(0), motion.velocity(0), t_0),
                      derivative(g));
  }
  agreement.expect_within(1e-9);
}

TEST(System, ConstraintAccelerationsAreTimeDerivativesOfRates) {
  Agreement agreement("accelerations");
  for (unsigned seed = 0; seed < models; ++seed) {
    const System system(Zoo(seed).model());
    Random random(seed);
    const Motion motion(system, perturbed(system, random, 0.2), random);
    const double t_0 = 0.4;
    const auto gdot = [&](double t) {
      return rates(system, motion.configuration(t), motion.velocity(t), t_0 + t);
    };
    VectorX convective;
    system.constraint_accelerations(motion.configuration(0), motion.velocity(0), t_0, convective);
    agreement.compare(
        jacobian_times(system, motion.configuration(0), motion.acceleration(0)) + convective,
        derivative(gdot));
  }
  agreement.expect_within(1e-8);  // a formula's second derivative is known to 1e-9
}

TEST(System, ConstraintForcesAreTheTransposeOfTheRates) {
  for (unsigned seed = 0; seed < models; ++seed) {
    const System system(Zoo(seed).model());
    Random random(seed);
    const Configuration q = perturbed(system, random, 0.5);
    const VectorX v = random.vector_x(system.velocities());
    const VectorX lambda = random.vector_x(system.constraints());
    VectorX f = VectorX::Ones(system.velocities());
    system.add_constraint_forces(q, lambda, f);
    f.array() -= 1;
    EXPECT_NEAR(f.dot(v), lambda.dot(jacobian_times(system, q, v)), 1e-11);
  }
}

TEST(System, PowersOfForcesAreRatesOfEnergies) {
  Agreement kinetic("kinetic"), gravity("gravity"), elastic("elastic");
  for (unsigned seed = 0; seed < models; ++seed) {
    const System system(Zoo(seed).model());
    Random random(seed);
    const Motion motion(system, perturbed(system, random, 0.2), random);
    const VectorX v = motion.velocity(0);
    const ForceTerms f =
        force_terms(system, motion.configuration(0), v, motion.acceleration(0), {.time = 0.2});
    const auto T = [&](double t) {
      return system.kinetic_energy(motion.configuration(t), motion.velocity(t));
    };
    const auto V_g = [&](double t) { return system.gravity_energy(motion.configuration(t)); };
    const auto V_e = [&](double t) { return system.elastic_energy(motion.configuration(t)); };
    kinetic.compare(f.inertia.dot(v), derivative(T));
    gravity.compare(f.gravity.dot(v), -derivative(V_g));
    elastic.compare(f.elastic.dot(v), -derivative(V_e));
    EXPECT_LT(f.damping.dot(v), 0);
    EXPECT_GT(system.elastic_energy(motion.configuration(0)), 0);
  }
  kinetic.expect_within(1e-9);
  gravity.expect_within(1e-9);
  elastic.expect_within(1e-9);
}

TEST(System, ResidualIsInertiaMinusAllOtherForces) {
  const System system(Zoo(0).model());
  Random random;
  const VectorX v = random.vector_x(system.velocities());
  ForceTerms f;
  VectorX r;
  system.forces(system.given_configuration(), v, v, {}, random.vector_x(system.constraints()), f);
  f.residual(r);
  EXPECT_LE(
      (r - (f.inertia - (f.gravity + f.elastic + f.damping + f.applied + f.constraint))).norm(),
      1e-12);
  for (const VectorX* part :
       {&f.inertia, &f.gravity, &f.elastic, &f.damping, &f.applied, &f.constraint}) {
    EXPECT_GT(part->norm(), 0.1);
  }
}

TEST(System, LoadFactorScalesGravityAndAppliedForcesOnly) {
  const System system(Zoo(0).model());
  Random random;
  const Configuration q = perturbed(system, random, 0.3);
  const VectorX v = random.vector_x(system.velocities());
  const ForceTerms full = force_terms(system, q, v, v, {.time = 0.3});
  const ForceTerms part = force_terms(system, q, v, v, {.time = 0.3, .load_factor = 0.25});
  EXPECT_LE((part.gravity - 0.25 * full.gravity).norm(), 1e-14);
  EXPECT_LE((part.applied - 0.25 * full.applied).norm(), 1e-14);
  EXPECT_EQ(part.inertia, full.inertia);
  EXPECT_EQ(part.elastic, full.elastic);
  EXPECT_EQ(part.damping, full.damping);
}

TEST(System, GravityActsOnTheCentreOfMassOnly) {
  Model model;
  const BodyId body = model.add(RigidBody{
      .inertia =
          ExplicitInertia{.mass = 2, .moments = Vector3(1, 1, 1), .centre_of_mass = {1, 0, 0}},
      .pose = {.position = {0, 0, 5}}});
  model.add(PointMass{.mass = 3, .pose = {.position = {0, 0, 2}}});
  ASSERT_EQ(body.index, 0);
  const System system(model);
  const VectorX zero = VectorX::Zero(system.velocities());
  const ForceTerms f = force_terms(system, system.given_configuration(), zero, zero, {});
  VectorX expected = VectorX::Zero(9);
  expected[2] = -2 * 9.81;
  expected[8] = -3 * 9.81;
  EXPECT_LE((f.gravity - expected).norm(), 1e-13);
  EXPECT_NEAR(system.gravity_energy(system.given_configuration()), 9.81 * (2 * 5 + 3 * 2), 1e-12);
}

// ---- drives
// --------------------------------------------------------------------------------------

/// A body on a driven revolute and one on a driven prismatic joint.
Model driven_model() {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  const BodyId slider = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  model.add(Revolute{.bodies = {ground_body, wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3::UnitZ(),
                     .drive = Position{Sine{.amplitude = 2, .frequency = 0.3}}});
  model.add(Prismatic{.bodies = {ground_body, slider},
                      .at = Vector3::Zero(),
                      .axis = Vector3::UnitX(),
                      .drive = Speed{Expression{"4*t"}}});
  return model;
}

TEST(System, DriveWorkIsMeanForceTimesImposedMotion) {
  const System system(driven_model(), 2.0);
  Random random;
  const VectorX lambda_0 = random.vector_x(12), lambda_1 = random.vector_x(12);
  const double turn = 2 * (std::sin(0.6 * pi * 1.2) - std::sin(0.6 * pi * 0.5));
  const double slide = 2 * (1.2 * 1.2 - 0.5 * 0.5);
  EXPECT_NEAR(system.drive_work(0.5, 1.2, lambda_0, lambda_1),
              (lambda_0[5] + lambda_1[5]) / 2 * turn + (lambda_0[11] + lambda_1[11]) / 2 * slide,
              1e-12);
}

// The power λ·ṡ that a drive gives is the power of its constraint force.
TEST(System, DriveWorkIsTheWorkOfConstraintForces) {
  const System system(driven_model(), 2.0);
  Random random;
  const double t = 0.7;
  VectorX v = VectorX::Zero(12);
  v[5] = 1.2 * pi * std::cos(0.6 * pi * t);  // as the drives impose
  v[6] = 4 * t;
  const Configuration& q = system.given_configuration();
  EXPECT_LE(rates(system, q, v, t).norm(), 1e-9);
  const VectorX lambda = random.vector_x(12);
  VectorX f = VectorX::Zero(12);
  system.add_constraint_forces(q, lambda, f);
  const auto work = [&](double s) { return system.drive_work(t, t + s, lambda, lambda); };
  EXPECT_NEAR(f.dot(v), derivative(work), 1e-9);
}

TEST(System, PositiveDriveTurnsTheSecondBodyAboutTheAxis) {
  const System system(driven_model(), 2.0);
  const double t = 0.4, angle = 2 * std::sin(0.6 * pi * t), way = 2 * t * t;
  Configuration q = system.given_configuration();
  q.nodes[1] = NodePose::from({0, 0, 0}, lie::so3::exp({0, 0, angle}));
  q.nodes[2] = NodePose::from({way, 0, 0}, Matrix3::Identity());
  VectorX g;
  system.constraints(q, t, g);
  EXPECT_LE(g.norm(), 1e-13);
}

TEST(System, NextBreakIsTheFirstOfAllFunctionsOfTime) {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  const BodyId slider = model.add(RigidBody{.inertia = solid_sphere(1, 0.1)});
  model.add(Revolute{.bodies = {ground_body, wheel},
                     .at = Vector3::Zero(),
                     .axis = Vector3::UnitZ(),
                     .drive = Position{Expression{"max(0,t-0.3)"}}});
  model.add(Prismatic{.bodies = {ground_body, slider},
                      .at = Vector3::Zero(),
                      .axis = Vector3::UnitX(),
                      .drive = Speed{Table{{0, 0.4, 2}, {0, 1, 1}}}});
  model.add(
      Force{.on = {.body = wheel}, .value = {1.0, Sine{}, Expression{"1000*(t>0.5)*(t<0.502)"}}});
  model.add(
      Torque{.on = {.body = slider}, .value = {Expression{"sin(t)"}, Expression{"abs(t-1)"}, 0.0}});
  const System system(model, 2.0);
  const System copy = system;
  double t = 0;
  for (const double expected : {0.3, 0.4, 0.5, 0.502, 1.0}) {
    const auto found = system.next_break(t, 2);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->before, expected, 1e-15);
    EXPECT_NEAR(found->after, expected, 1e-15);
    EXPECT_EQ(copy.next_break(t, 2)->after, found->after);
    t = found->after;
  }
  EXPECT_FALSE(system.next_break(t, 2));
  EXPECT_FALSE(system.next_break(0, 0.25));
  EXPECT_FALSE(System(driven_model(), 2.0).next_break(0, 100));
}

// ---- angles
// --------------------------------------------------------------------------------------

Model torsion_pendulum() {
  Model model;
  const BodyId wheel = model.add(RigidBody{.inertia = solid_sphere(1, 0.1),
                                           .pose = {.rotation_vector = Vector3(0.4, 0.5, 0.6)}});
  const JointId pin = model.add(
      Revolute{.bodies = {ground_body, wheel}, .at = Vector3::Zero(), .axis = Vector3(1, 2, 3)});
  model.add(TorsionalSpringDamper{.joint = pin, .stiffness = 2, .rest_angle = 0.5});
  return model;
}

TEST(System, AnglesAreZeroAtTheInitialPose) {
  const System system(torsion_pendulum());
  Configuration q = system.given_configuration();
  ASSERT_EQ(q.angles.size(), 1u);
  system.update_angles(q);
  EXPECT_NEAR(q.angles[0], 0, 1e-15);
  EXPECT_NEAR(system.elastic_energy(q), 0.25, 1e-14);
}

TEST(System, AnglesAndTorsionalSpringsGoOnOverManyTurns) {
  const System system(torsion_pendulum());
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  const VectorX zero = VectorX::Zero(6);
  Configuration q = system.given_configuration(), next = system.given_configuration();
  const Vector3 body_axis = q.nodes[1].R.transpose() * axis;
  VectorX increment = VectorX::Zero(6);
  increment.tail<3>() = 1.5 * body_axis;
  for (int turn = 1; turn <= 30; ++turn) {
    // As in a time step: forces at the advanced configuration, then the angles of its end.
    advance(q, system.nodes(), increment, next);
    const ForceTerms f = force_terms(system, next, zero, zero, {});
    EXPECT_LE((f.elastic.tail<3>() + 2 * (1.5 * turn - 0.5) * body_axis).norm(), 1e-11) << turn;
    EXPECT_NEAR(system.elastic_energy(next), std::pow(1.5 * turn - 0.5, 2), 1e-10);
    system.update_angles(next);
    EXPECT_NEAR(next.angles[0], 1.5 * turn, 1e-12);
    q = next;
    next = system.given_configuration();  // as a workspace that was never updated
  }
}

TEST(Advance, CarriesTheAnglesOfItsStart) {
  const System system(torsion_pendulum());
  Configuration start = system.given_configuration(), q = start;
  start.angles[0] = 12.5;
  advance(start, system.nodes(), VectorX::Zero(6), q);
  EXPECT_EQ(q.angles[0], 12.5);
}

// ---- compilation
// ---------------------------------------------------------------------------------

TEST(System, NodesAreAtCentresOfMassWithTheirVelocities) {
  const Vector3 d{0.3, -0.2, 0.5}, position{1, 2, 3}, linear{0.1, 0.2, 0.3}, angular{1, -2, 0.5};
  const Vector3 turn{0.3, 0.4, -0.5};
  Model model;
  model.add(RigidBody{
      .inertia = ExplicitInertia{.mass = 2, .moments = Vector3(1, 1.2, 1.4), .centre_of_mass = d},
      .pose = {.position = position, .rotation_vector = turn},
      .velocity = {.linear = linear, .angular = angular}});
  const System system(model);
  const NodePose node = system.given_configuration().nodes[1];
  const Matrix3 R = lie::so3::exp(turn);
  EXPECT_LE((node.x - (position + R * d)).norm(), 1e-15);
  EXPECT_LE((node.R - R).norm(), 1e-14);
  const BodyEntry& body = system.elements().bodies[0];
  EXPECT_LE((node.x + node.R * body.origin - position).norm(), 1e-15);
  Vector6 v;
  v << linear + angular.cross(R * d), R.transpose() * angular;
  EXPECT_LE((system.given_velocity() - v).norm(), 1e-15);
  // Kinetic energy by König: of the centre of mass and about it.
  const Vector3 moments(1, 1.2, 1.4);
  const Vector3 Omega = R.transpose() * angular;
  const double energy = v.head<3>().squaredNorm() + Omega.dot(moments.cwiseProduct(Omega)) / 2;
  EXPECT_NEAR(system.kinetic_energy(system.given_configuration(), system.given_velocity()), energy,
              1e-14);
}

TEST(System, UnknownsAreVelocitiesNodeByNodeThenMultipliers) {
  Model model;
  const BodyId point = model.add(PointMass{.name = "bob", .mass = 1});
  const BodyId body = model.add(
      RigidBody{.name = "rod", .inertia = solid_sphere(1, 1), .pose = {.position = {1, 0, 0}}});
  model.add(Spherical{.name = "ball", .bodies = {ground_body, body}, .at = Vector3::Zero()});
  model.add(Distance{.name = "wire", .between = {at(point), at(body)}});
  const System system(model);
  EXPECT_EQ(system.velocities(), 9);
  EXPECT_EQ(system.constraints(), 4);
  EXPECT_EQ(system.unknowns(), 13);
  EXPECT_EQ(system.unknown_name(2), "body \"bob\", translation z");
  EXPECT_EQ(system.unknown_name(3), "body \"rod\", translation x");
  EXPECT_EQ(system.unknown_name(7), "body \"rod\", rotation y");
  EXPECT_EQ(system.unknown_name(9), "joint \"ball\", equation 1 of 3");
  EXPECT_EQ(system.unknown_name(12), "joint \"wire\", equation 1 of 1");
  EXPECT_EQ(system.owner_name(0), "body \"bob\"");
  EXPECT_EQ(system.owner_name(11), "joint \"ball\"");
  EXPECT_FALSE(system.is_rotation(2));
  EXPECT_FALSE(system.is_rotation(5));
  EXPECT_TRUE(system.is_rotation(6));
  for (int row = 0; row < 4; ++row) EXPECT_FALSE(system.is_angular(row));
}

TEST(System, RefusesAModelWithBrokenRules) {
  Model model;
  model.add(PointMass{.mass = -1});
  EXPECT_THROW(System{model}, InputError);
}

/// A body with an offset centre of mass, turned, and a second one to which joints connect it.
struct TwoBodies {
  Model model;
  BodyId first, second;

  TwoBodies() {
    const auto body = [&](const Vector3& position, const Vector3& turn) {
      return model.add(RigidBody{.inertia = ExplicitInertia{.mass = 2,
                                                            .moments = Vector3(1, 1.2, 1.4),
                                                            .centre_of_mass = {0.2, 0.3, 0.4}},
                                 .pose = {.position = position, .rotation_vector = turn}});
    };
    first = body({1, 2, 3}, {0.5, 0.6, 0.7});
    second = body({-1, 0.5, 2}, {-0.4, 0.3, 1.1});
  }
};

/// G v when the first body rests and the second has the velocity u at `at` and turns with w.
VectorX rates_of_relative_motion(const Model& model, const Vector3& at, const Vector3& u,
                                 const Vector3& w) {
  const System system(model);
  const NodePose node = system.given_configuration().nodes[2];
  VectorX v = VectorX::Zero(12);
  v.segment<3>(6) = u + w.cross(node.x - at);
  v.segment<3>(9) = node.R.transpose() * w;
  return jacobian_times(system, system.given_configuration(), v);
}

template <class J>
J placed(const TwoBodies& bodies) {
  J joint;
  joint.bodies = {bodies.first, bodies.second};
  joint.at = Vector3(0.3, 0.6, -0.2);
  if constexpr (requires { joint.axis; }) joint.axis = Vector3(1, -2, 0.5);
  return joint;
}

/// Which of the motions are free: translation along and across the axis, rotation about and across.
struct Freedom {
  bool along, across, about, tilt;
};

template <class J>
void expect_freedom(const J& joint, const Freedom& freedom) {
  SCOPED_TRACE(J::type_name);
  TwoBodies bodies;
  bodies.model.add(Joint(joint));
  const Vector3 n = Vector3(1, -2, 0.5).normalized(), e = n.cross(Vector3::UnitX()).normalized();
  const Vector3 zero = Vector3::Zero(), place = *joint.at;
  const auto is_free = [&](const Vector3& u, const Vector3& w) {
    return rates_of_relative_motion(bodies.model, place, u, w).norm() < 1e-13;
  };
  EXPECT_EQ(is_free(n, zero), freedom.along);
  EXPECT_EQ(is_free(e, zero), freedom.across);
  EXPECT_EQ(is_free(zero, n), freedom.about);
  EXPECT_EQ(is_free(zero, e), freedom.tilt);
  // Joints hold where they are placed.
  const System system(bodies.model);
  VectorX g;
  system.constraints(system.given_configuration(), 0, g);
  EXPECT_LE(g.cwiseAbs().maxCoeff(), 1e-14);
}

TEST(System, JointsPlacedInSpaceAllowTheirMotions) {
  const TwoBodies bodies;
  expect_freedom(placed<Fixed>(bodies), {false, false, false, false});
  expect_freedom(placed<Spherical>(bodies), {false, false, true, true});
  expect_freedom(placed<Revolute>(bodies), {false, false, true, false});
  expect_freedom(placed<Prismatic>(bodies), {true, false, false, false});
  expect_freedom(placed<Cylindrical>(bodies), {true, false, true, false});
  expect_freedom(placed<Planar>(bodies), {false, true, true, false});
  expect_freedom(placed<PointOnLine>(bodies), {true, false, true, true});
  expect_freedom(placed<PointOnPlane>(bodies), {false, true, true, true});
  Universal universal = placed<Universal>(bodies);
  universal.axis_2 = Vector3(1, -2, 0.5).cross(Vector3::UnitX());  // e: the tilt about it is free
  expect_freedom(universal, {false, false, true, true});
}

TEST(System, UniversalJointHoldsTheRotationAcrossItsArms) {
  TwoBodies bodies;
  Universal joint = placed<Universal>(bodies);
  joint.axis_2 = Vector3(0, 1, 1);  // oblique to the first arm
  bodies.model.add(joint);
  const Vector3 first(1, -2, 0.5), second(0, 1, 1), zero = Vector3::Zero();
  const auto rate = [&](const Vector3& w) {
    return rates_of_relative_motion(bodies.model, *joint.at, zero, w).norm();
  };
  EXPECT_LE(rate(first), 1e-13);
  EXPECT_LE(rate(second), 1e-13);
  EXPECT_GT(rate(first.cross(second)), 0.1);
}

TEST(System, FramesWithoutOrientationTakeThatOfTheFirst) {
  TwoBodies bodies;
  Frame first = at(bodies.first, {0.1, 0.2, 0.3});
  first.rotation_vector = Vector3(0.2, 0.9, -0.3);
  bodies.model.add(Fixed{.between = {first, at(bodies.second)}});
  const System system(bodies.model);
  VectorX g;
  system.constraints(system.given_configuration(), 0, g);
  EXPECT_GT(g.head<3>().norm(), 0.1);
  EXPECT_LE(g.tail<3>().norm(), 1e-14);
}

TEST(System, FramesAreInBodyCoordinatesNotFromTheCentreOfMass) {
  TwoBodies bodies;
  const Vector3 p_A(0.1, 0.2, 0.3), p_B(-0.2, 0.5, 0.4);
  bodies.model.add(Spherical{.between = {at(bodies.first, p_A), at(bodies.second, p_B)}});
  const System system(bodies.model);
  VectorX g;
  system.constraints(system.given_configuration(), 0, g);
  const Vector3 A = Vector3(1, 2, 3) + lie::so3::exp({0.5, 0.6, 0.7}) * p_A;
  const Vector3 B = Vector3(-1, 0.5, 2) + lie::so3::exp({-0.4, 0.3, 1.1}) * p_B;
  EXPECT_LE((g - (B - A)).norm(), 1e-14);
}

TEST(System, LockHoldsTheBodyFramesOriginInInertialAxes) {
  for (int axis = 0; axis < 3; ++axis) {
    TwoBodies bodies;
    const Axis name = static_cast<Axis>(axis);
    bodies.model.add(Lock{.body = bodies.second, .translation = {name}, .rotation = {name}});
    const Vector3 origin(-1, 0.5, 2), zero = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vector3 e = Vector3::Unit(i);
      const double held = i == axis ? 1 : 0;
      EXPECT_NEAR(rates_of_relative_motion(bodies.model, origin, e, zero).norm(), held, 1e-14);
      EXPECT_NEAR(rates_of_relative_motion(bodies.model, origin, zero, e).norm(), held, 1e-14);
    }
  }
}

TEST(System, SpringsAndBushingsAreRelaxedAtTheInitialPoseByDefault) {
  TwoBodies bodies;
  bodies.model.add(
      SpringDamper{.between = {at(bodies.first, {1, 0, 0}), at(bodies.second)}, .stiffness = 10});
  Bushing bushing;
  bushing.between = {at(bodies.first, {1, 0, 0}), at(bodies.second)};
  bushing.stiffness = bushing.rotational_stiffness = Vector3(1, 2, 3);
  bodies.model.add(bushing);
  const System system(bodies.model);
  EXPECT_EQ(system.elastic_energy(system.given_configuration()), 0);
}

TEST(System, FarModelsAreCompiledAsIfTheyWereNear) {
  const Vector3 by(611.25e3, -523.75e3, 593.125e3);
  for (unsigned seed = 0; seed < models; ++seed) {
    const Model model = Zoo(seed).model();
    const System near(model, 1.0, System::Places::Near);
    const System far(moved(model, by), 1.0, System::Places::Near);
    EXPECT_TRUE(near.origin().isZero());
    EXPECT_LT((far.origin() - by).norm(), 1e3);
    Random random(seed);
    Configuration q = perturbed(near, random, 0.2);
    const VectorX v = random.vector_x(near.velocities());
    const ForceTerms f = force_terms(near, q, v, v, {.time = 0.3});
    VectorX g, g_far;
    near.constraints(q, 0.3, g);
    const double energy = near.gravity_energy(q);
    for (std::size_t i = 1; i < q.nodes.size(); ++i) q.nodes[i].x += by - far.origin();
    const ForceTerms f_far = force_terms(far, q, v, v, {.time = 0.3});
    far.constraints(q, 0.3, g_far);
    // What the coordinates of the model itself have lost: 1e-10 m at 1e6 m.
    EXPECT_LT((f_far.elastic - f.elastic).norm(), 1e-8 * f.elastic.norm());
    EXPECT_LT((g_far - g).norm(), 1e-8 * g.norm());
    double weight = 0;
    for (const RigidInertia& body : near.elements().inertias) {
      weight += body.mass * near.gravity().dot(by);
    }
    EXPECT_NEAR(far.gravity_energy(q), energy - weight, 1e-9 * std::abs(weight));
  }
}

}  // namespace system_test
}  // namespace saltus
