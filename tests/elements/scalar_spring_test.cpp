// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/scalar_spring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace scalar_spring_test {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr int samples = 60;

struct Sample {
  ScalarSpring spring;
  NodePose A, B;
  Vector12 v;
  double reference = 0;

  NodePair pair() const { return {A, B}; }
};

/// A spring of random stiffness and damping between points 0.4 m to some metres apart.
Sample random_distance_spring(Random& random) {
  Sample s;
  s.spring.coordinate = PointDistance{random.vector(), random.vector()};
  s.spring.rest = random.uniform(0, 2);
  do {
    s.A = random.pose(2);
    s.B = random.pose(2);
  } while (std::get<PointDistance>(s.spring.coordinate).value(s.pair()) < 0.4);
  return s;
}

/// A spring on an angle that has been turned several times, its axes not quite parallel.
Sample random_angle_spring(Random& random) {
  Sample s;
  const Matrix3 E_A = random.rotation(), E_B = random.rotation();
  const double theta = random.uniform(-20, 20);
  s.spring.coordinate = TwistAngle{E_A.col(0), E_A.col(1), E_B.col(0)};
  s.spring.rest = random.uniform(-8, 8);
  s.spring.angle = 0;
  s.A = random.pose();
  const Matrix3 relative = lie::so3::exp({0, 0, theta}) * random.rotation(0.5);
  s.B = NodePose::from(random.vector(), s.A.R * E_A * relative * E_B.transpose());
  s.reference = theta + random.uniform(-1, 1);
  return s;
}

template <class Check>
void at_random_states(const Check& check) {
  Random random(5);
  for (int i = 0; i < 2 * samples; ++i) {
    Sample s = i < samples ? random_distance_spring(random) : random_angle_spring(random);
    s.spring.stiffness = random.uniform(1, 3);
    s.spring.damping = random.uniform(1, 3);
    s.v = random.velocity();
    check(s, random);
  }
}

TEST(ScalarSpring, ElasticForceIsMinusTheEnergysDerivative) {
  Agreement agreement("force");
  at_random_states([&](const Sample& s, Random&) {
    const auto energy = [&](const NodePair& p) { return one(s.spring.energy(p, s.reference)); };
    agreement.compare(s.spring.forces(s.pair(), s.v, s.reference).elastic,
                      -pose_derivative(energy, s.pair()).transpose());
  });
  agreement.expect_within(1e-9);
}

TEST(ScalarSpring, StiffnessIsMinusTheForcesDerivative) {
  Agreement agreement("stiffness");
  at_random_states([&](const Sample& s, Random&) {
    const auto force = [&](const NodePair& p) -> VectorX {
      const auto f = s.spring.forces(p, s.v, s.reference);
      return f.elastic + f.damping;
    };
    agreement.compare(s.spring.tangents(s.pair(), s.v, s.reference).K,
                      -pose_derivative(force, s.pair()));
  });
  agreement.expect_within(1e-9);
}

TEST(ScalarSpring, DampingIsMinusTheForcesDerivative) {
  Agreement agreement("damping");
  at_random_states([&](const Sample& s, Random&) {
    const auto force = [&](const VectorX& v) -> VectorX {
      const auto f = s.spring.forces(s.pair(), v, s.reference);
      return f.elastic + f.damping;
    };
    agreement.compare(s.spring.tangents(s.pair(), s.v, s.reference).C,
                      -vector_derivative(force, s.v));
  });
  agreement.expect_within(1e-11);
}

TEST(ScalarSpring, RigidMotionChangesNothing) {
  Agreement energy("energy"), damping("damping");
  at_random_states([&](const Sample& s, Random& random) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector();
    const NodePose A = carried(s.A, R, x), B = carried(s.B, R, x);
    energy.compare(s.spring.energy({A, B}, s.reference), s.spring.energy(s.pair(), s.reference));
    const Vector12 v = rigid_velocity(s.pair(), random.vector(), random.vector());
    damping.compare(s.spring.forces(s.pair(), v, s.reference).damping, Vector12::Zero());
  });
  energy.expect_within(1e-13);
  damping.expect_within(1e-13);
}

TEST(ScalarSpring, ForcesAndMomentsBalance) {
  Agreement agreement("resultant");
  at_random_states([&](const Sample& s, Random&) {
    const auto f = s.spring.forces(s.pair(), s.v, s.reference);
    agreement.compare(resultant(s.pair(), f.elastic), Vector6::Zero());
    agreement.compare(resultant(s.pair(), f.damping), Vector6::Zero());
  });
  agreement.expect_within(1e-12);
}

TEST(ScalarSpring, PowerIsWhatTheSpringStoresAndTheDamperLoses) {
  Agreement elastic("elastic"), viscous("viscous");
  at_random_states([&](const Sample& s, Random&) {
    const auto f = s.spring.forces(s.pair(), s.v, s.reference);
    const auto moved = [&](double t) { return MovedPair(s.pair(), s.v, t); };
    const auto energy = [&](double t) { return s.spring.energy(moved(t).pair(), s.reference); };
    const auto length = [&](double t) { return s.spring.elongation(moved(t).pair(), s.reference); };
    const double rate = derivative(length, 3e-4);
    elastic.compare(f.elastic.dot(s.v), -derivative(energy, 3e-4));
    viscous.compare(f.damping.dot(s.v), -s.spring.damping * rate * rate);
    EXPECT_LE(f.damping.dot(s.v), 0);
  });
  elastic.expect_within(1e-8);
  viscous.expect_within(1e-8);
}

TEST(ScalarSpring, StretchedSpringPullsTheEndsTogether) {
  ScalarSpring spring;
  spring.coordinate = PointDistance{Vector3::Zero(), Vector3::Zero()};
  spring.stiffness = 10;
  spring.damping = 2;
  spring.rest = 1;
  const NodePose A, B = NodePose::from({3, 0, 0}, Matrix3::Identity());
  Vector12 v = Vector12::Zero();
  v[6] = 0.5;  // B moves away
  const auto f = spring.forces({A, B}, v, 0);
  EXPECT_NEAR(f.elastic[0], 20, 1e-14);
  EXPECT_NEAR(f.elastic[6], -20, 1e-14);
  EXPECT_NEAR(f.damping[6], -1, 1e-14);
  EXPECT_NEAR(spring.energy({A, B}, 0), 20, 1e-14);
  EXPECT_EQ(spring.elongation({A, B}, 0), 2);
}

TEST(ScalarSpring, TorsionalSpringTurnsBackOverManyTurns) {
  ScalarSpring spring;
  spring.coordinate = TwistAngle{Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitX()};
  spring.stiffness = 10;
  spring.rest = 0.5;
  spring.angle = 0;
  const NodePose A;
  for (double theta = -30; theta < 30; theta += 0.37) {
    const NodePose B = NodePose::from({1, 2, 3}, lie::so3::exp({0, 0, theta}));
    const auto f = spring.forces({A, B}, Vector12::Zero(), theta + 3.1);
    EXPECT_NEAR(f.elastic[11], -10 * (theta - 0.5), 1e-11);
    EXPECT_NEAR(f.elastic[5], 10 * (theta - 0.5), 1e-11);
    EXPECT_NEAR(f.elastic.squaredNorm(), 2 * f.elastic[5] * f.elastic[5], 1e-9);
  }
}

TEST(ScalarSpring, CoincidentEndsGiveNoNotANumber) {
  ScalarSpring spring;
  spring.coordinate = PointDistance{Vector3::Zero(), Vector3::Zero()};
  spring.stiffness = 10;
  spring.damping = 1;
  const NodePose A, B;
  const Vector12 v = Random().velocity();
  EXPECT_TRUE(spring.forces({A, B}, v, 0).elastic.isZero(0));
  EXPECT_TRUE(spring.forces({A, B}, v, 0).damping.allFinite());
  EXPECT_TRUE(spring.tangents({A, B}, v, 0).K.allFinite());
  EXPECT_TRUE(spring.tangents({A, B}, v, 0).C.allFinite());
}

TEST(NearestBranch, DiffersByWholeTurnsAndIsNearest) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    const double angle = random.uniform(-50, 50), reference = random.uniform(-50, 50);
    const double branch = nearest_branch(angle, reference);
    EXPECT_LE(std::abs(branch - reference), pi + 1e-13);
    const double turns = (branch - angle) / (2 * pi);
    EXPECT_NEAR(turns, std::round(turns), 1e-13);
  }
}

TEST(NearestBranch, KeepsAnAngleThatIsNear) {
  EXPECT_EQ(nearest_branch(0.5, 0), 0.5);
  EXPECT_EQ(nearest_branch(-3, 0), -3);
  EXPECT_NEAR(nearest_branch(-3, 3), 2 * pi - 3, 1e-15);
  EXPECT_NEAR(nearest_branch(0.1, 20 * pi), 20 * pi + 0.1, 1e-13);
}

TEST(NearestBranch, FollowsATurningAngle) {
  double unwrapped = 0;
  for (double theta = 0; theta < 100; theta += 3) {
    unwrapped = nearest_branch(std::atan2(std::sin(theta), std::cos(theta)), unwrapped);
    EXPECT_NEAR(unwrapped, theta, 1e-12);
  }
}

}  // namespace scalar_spring_test
}  // namespace saltus
