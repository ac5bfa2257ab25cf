// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_stop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/elements/contact_element.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace joint_stop_test {

using namespace test;

JointStop random_stop(Random& random, int kind) {
  JointStop stop;
  stop.bound = random.vector().x();
  stop.offset = random.vector().y();
  stop.side = random.vector().z() > 0 ? 1 : -1;
  stop.length = 1 + std::abs(random.vector().x());
  const Matrix3 E = random.rotation();
  if (kind == 0) stop.coordinate = Dot2{E.col(0), random.vector(), random.vector()};
  if (kind == 1) stop.coordinate = PointDistance{random.vector(), random.vector()};
  if (kind == 2) stop.coordinate = TwistAngle{E.col(0), E.col(1), random.rotation().col(0)};
  return stop;
}

TEST(JointStop, GradientIsTheDerivativeOfTheGap) {
  Random random;
  Agreement agreement("gradient");
  for (int sample = 0; sample < 60; ++sample) {
    JointStop stop = random_stop(random, sample % 3);
    const NodePose A = random.pose(2), B = random.pose(2);
    // Near its own value no branch is changed.
    if (stop.is_angular()) {
      stop.near = std::get<TwistAngle>(stop.coordinate).value({A, B}) - stop.offset;
    }
    const NodePair pair{A, B};
    if (std::abs(stop.gradient(pair).tail<3>().norm()) > 10) continue;  // nearly singular
    const auto gap = [&](const NodePair& q) { return one(stop.gap(q)); };
    agreement.compare(stop.gradient(pair), pose_derivative(gap, pair));
  }
  agreement.expect_within(1e-8);  // the stencil's own error where the gradient turns quickly
}

TEST(JointStop, AnglesCountTheirTurns) {
  JointStop stop{.coordinate = TwistAngle{Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitX()},
                 .bound = 4 * std::numbers::pi,
                 .side = -1,
                 .length = 0.5};
  const NodePose A, B;
  stop.near = 4 * std::numbers::pi - 0.1;
  EXPECT_NEAR(stop.gap({A, B}), 0, 1e-15);
  stop.near = 0.1;
  EXPECT_NEAR(stop.gap({A, B}), 2 * std::numbers::pi, 1e-15);
}

// B's point moves straight in the axes of A, which stays.
TEST(JointStop, LeastGapIsNotMoreThanManyLooksFind) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const JointStop stop = random_stop(random, sample % 2);
    const NodePose A = random.pose(2), B = random.pose(2);
    const Vector3 way = random.vector(3);
    const double least = stop.least_gap({A, B}, {A, B.translated(way)});
    double found = stop.gap({A, B});
    for (int i = 1; i <= 2000; ++i) {
      found = std::min(found, stop.gap({A, B.translated(i / 2000.0 * way)}));
    }
    EXPECT_LE(least, found + 1e-13);
    EXPECT_NEAR(least, found, 2e-3 * stop.length);
  }
}

TEST(JointStop, HasOneRowAsAContact) {
  Random random;
  const NodePose A = random.pose(1), B = random.pose(1);
  const JointStop stop = random_stop(random, 0);
  ContactElement e{.node_A = 1, .node_B = 2};
  e.surface = stop;
  const NodePair q{A, B};
  const ContactElement::Rows H = e.jacobian(q);
  EXPECT_EQ(H.row(0), stop.gradient(q));
  EXPECT_TRUE(H.bottomRows<5>().isZero(0));
  EXPECT_EQ(e.gap(q), stop.gap(q));
  EXPECT_EQ(e.gap(e.place(q)), stop.gap(q));
  EXPECT_EQ(e.gap_and_slip(e.place(q), e.place(q), 1e-3),
            stop.gap(q) * ContactElement::Vector6::Unit(0));
  EXPECT_FALSE(e.is_open());
}

}  // namespace joint_stop_test
}  // namespace saltus
