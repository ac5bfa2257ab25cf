// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/user_force.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/core/input_error.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace user_force_test {

using namespace test;

/// A law that depends on everything it is given, nonlinearly.
Wrench all_of_it(double t, const FrameMotion& A, const FrameMotion& B) {
  const Vector3 r = B.position - A.position, u = B.velocity - A.velocity;
  Wrench w;
  w.force = -(2 + r.squaredNorm()) * r - 0.3 * u.norm() * u + std::sin(t) * A.rotation.col(0);
  w.torque = 0.7 * A.rotation.col(2).cross(B.rotation.col(2)) -
             0.2 * (B.angular_velocity - A.angular_velocity) + 0.1 * B.position.cross(u);
  return w;
}

template <class Check>
void at_random_states(const Check& check) {
  Random random(11);
  for (int sample = 0; sample < 40; ++sample) {
    UserForceElement e;
    e.name = "all of it";
    e.frame_A = random.frame();
    e.frame_B = random.frame();
    e.law = all_of_it;
    const NodePose A = random.pose(), B = random.pose();
    check(e, NodePair{A, B}, random.velocity());
  }
}

TEST(UserForce, TangentsAreMinusTheForcesDerivatives) {
  Agreement stiffness("stiffness"), damping("damping");
  at_random_states([&](const UserForceElement& e, const NodePair& pair, const Vector12& v) {
    const auto of_pose = [&](const NodePair& p) -> VectorX { return e.force(p, v, 0.4); };
    const auto of_velocity = [&](const VectorX& u) -> VectorX { return e.force(pair, u, 0.4); };
    const auto t = e.tangents(pair, v, 0.4);
    stiffness.compare(t.K, -pose_derivative(of_pose, pair));
    damping.compare(t.C, -vector_derivative(of_velocity, VectorX(v)));
  });
  stiffness.expect_within(1e-6);  // forward differences by the root of round-off
  damping.expect_within(1e-6);
}

TEST(UserForce, ReactionKeepsMomentumAndAngularMomentum) {
  at_random_states([&](const UserForceElement& e, const NodePair& pair, const Vector12& v) {
    const Vector12 f = e.force(pair, v, 0.4);
    EXPECT_LT((f.head<3>() + f.segment<3>(6)).norm(), 1e-13 * f.norm());
    const Vector3 moment = pair.A.x.cross(f.head<3>()) + pair.A.R * f.segment<3>(3) +
                           pair.B.x.cross(f.segment<3>(6)) + pair.B.R * f.tail<3>();
    EXPECT_LT(moment.norm(), 1e-13 * f.norm() * (1 + pair.A.x.norm() + pair.B.x.norm()));
  });
}

TEST(UserForce, PowerIsThatOfForceAndTorqueAtTheFrames) {
  at_random_states([&](const UserForceElement& e, const NodePair& pair, const Vector12& v) {
    const auto motion = [](const NodePose& n, const FrameOnNode& f, const Vector6& u) {
      const Vector3 w = n.R * u.tail<3>();
      return FrameMotion{f.point(n), f.axes(n), u.head<3>() + w.cross(n.R * f.d), w};
    };
    const FrameMotion A = motion(pair.A, e.frame_A, v.head<6>());
    const FrameMotion B = motion(pair.B, e.frame_B, v.tail<6>());
    const Wrench w = all_of_it(0.4, A, B);
    // The reaction acts where the force does, on a point that moves with the first body.
    const Vector3 there = A.velocity + A.angular_velocity.cross(B.position - A.position);
    const double power =
        w.force.dot(B.velocity - there) + w.torque.dot(B.angular_velocity - A.angular_velocity);
    EXPECT_NEAR(e.force(pair, v, 0.4).dot(v), power, 1e-12 * (1 + std::abs(power)));
  });
}

TEST(UserForce, WithoutALawDoesNothing) {
  const UserForceElement e;
  const NodePose A, B;
  EXPECT_EQ(e.force({A, B}, Vector12::Ones(), 0), Vector12::Zero());
  EXPECT_TRUE(e.tangents({A, B}, Vector12::Ones(), 0).K.isZero(0));
}

TEST(UserForce, LawThatIsNotFiniteIsNamed) {
  UserForceElement e;
  e.name = "wind";
  e.law = [](double, const FrameMotion&, const FrameMotion&) {
    return Wrench{.force = Vector3(std::numeric_limits<double>::quiet_NaN(), 0, 0)};
  };
  const NodePose A, B;
  try {
    e.force({A, B}, Vector12::Zero(), 0.25);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("force \"wind\""), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("t = 0.25 s"), std::string::npos) << error.what();
  }
}

}  // namespace user_force_test
}  // namespace saltus
