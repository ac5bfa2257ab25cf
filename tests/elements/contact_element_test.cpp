// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/contact_element.hpp"

#include <gtest/gtest.h>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus::test {
namespace contact_element_test {

constexpr double step = 1e-3;        ///< s
constexpr double by_stencil = 1e-9;  ///< what the five-point stencil leaves of a smooth function

/// A contact between two turned bodies, at random places.
struct RandomContact {
  explicit RandomContact(Random& random, double radius = 0) : A(random.pose()), B(random.pose()) {
    element.frame_A = random.frame();
    element.frame_B.d = random.vector();
    element.radius = radius;
    element.surface_velocity = {0, random.uniform(), random.uniform()};
  }
  NodePair pair() const { return {A, B}; }
  ContactElement::Place place() const { return element.place(pair()); }

  NodePose A, B;
  ContactElement element;
};

/// ∂(g_N, g_T)/∂q at the place from which the slip is counted.
Eigen::MatrixXd derivative_of_slip(const RandomContact& c) {
  const ContactElement::Place from = c.place();
  return pose_derivative(
      [&](const NodePair& q) -> VectorX {
        return c.element.gap_and_slip(from, c.element.place(q), step);
      },
      c.pair());
}

TEST(ContactElement, JacobianOfAPointIsTheDerivativeOfGapAndSlip) {
  Random random;
  Agreement agreement("H_point");
  for (int i = 0; i < 50; ++i) {
    const RandomContact c(random);
    agreement.compare(c.element.jacobian(c.pair()), derivative_of_slip(c));
  }
  agreement.expect_within(by_stencil);
}

// A point: the slip is the difference of two places, so H is its derivative wherever it began.
TEST(ContactElement, JacobianOfAPointIsTheDerivativeFromAnyEarlierPlace) {
  Random random(2);
  Agreement agreement("H_point_far");
  for (int i = 0; i < 20; ++i) {
    const RandomContact c(random), before(random);
    const ContactElement::Place from = before.element.place(before.pair());
    const auto D = pose_derivative(
        [&](const NodePair& q) -> VectorX {
          return c.element.gap_and_slip(from, c.element.place(q), step);
        },
        c.pair());
    agreement.compare(c.element.jacobian(c.pair()), D);
  }
  agreement.expect_within(by_stencil);
}

// A sphere: exact at the place from which its rotation is counted.
TEST(ContactElement, JacobianOfASphereIsTheDerivativeAtZeroRotation) {
  Random random(3);
  Agreement agreement("H_sphere");
  for (int i = 0; i < 50; ++i) {
    const RandomContact c(random, 0.4);
    agreement.compare(c.element.jacobian(c.pair()), derivative_of_slip(c));
  }
  agreement.expect_within(by_stencil);
}

// And later off by half the rotation since then: the derivative of the logarithm is 1 + Θ/2 ….
TEST(ContactElement, JacobianOfASphereIsOffByTheRotationOfTheStep) {
  Random random(4);
  const RandomContact c(random, 0.4);
  const ContactElement::Place from = c.place();
  const Vector12 v = random.velocity();
  const auto error = [&](double t) {
    const MovedPair moved(c.pair(), v, t);
    const auto D = pose_derivative(
        [&](const NodePair& q) -> VectorX {
          return c.element.gap_and_slip(from, c.element.place(q), t);
        },
        moved.pair());
    return (c.element.jacobian(moved.pair()) - D).norm();
  };
  EXPECT_NEAR(error(2e-2) / error(1e-2), 2, 0.1);
  EXPECT_LE(error(1e-2), 0.4 * 1e-2 * 12);  // r Θ
}

// Over a step, (gap, slip) changes with H v − surface velocity.
TEST(ContactElement, VelocityIsTheRateOfGapAndSlipOnMovingTurnedPlanes) {
  Random random(5);
  Agreement agreement("rate");
  for (const double radius : {0.0, 0.4}) {
    for (int i = 0; i < 20; ++i) {
      const RandomContact c(random, radius);
      const Vector12 v = random.velocity();
      const ContactElement::Place from = c.place();
      const Vector6 rate = derivative([&](double t) {
        return c.element.gap_and_slip(from, c.element.place(MovedPair(c.pair(), v, t).pair()), t);
      });
      const Vector6 expected = c.element.jacobian(c.pair()) * v;
      agreement.compare(rate.head<3>(), expected.head<3>() - c.element.surface_velocity);
    }
  }
  agreement.expect_within(1e-8);  // speeds of 2 turn the planes quickly: derivatives of order 100
}

TEST(ContactElement, ARigidMotionOfBothBodiesChangesNothing) {
  Random random(6);
  for (const double radius : {0.0, 0.4}) {
    const RandomContact c(random, radius);
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector(3);
    const NodePose A = carried(c.A, R, x), B = carried(c.B, R, x);
    const ContactElement::Place place = c.element.place({A, B});
    EXPECT_NEAR(c.element.gap(NodePair{A, B}), c.element.gap(c.pair()), 1e-13);
    const Vector6 g = c.element.gap_and_slip(c.place(), place, 0);
    EXPECT_LE(g.segment<2>(1).norm(), 1e-13);
    const Vector12 v = rigid_velocity(c.pair(), random.vector(), random.vector());
    EXPECT_LE((c.element.jacobian(c.pair()) * v).norm(), 1e-13);
  }
}

// Hᵀ l: opposite forces at one point have no resultant.
TEST(ContactElement, ForcesOnTheTwoBodiesBalance) {
  Random random(7);
  for (const double radius : {0.0, 0.4}) {
    const RandomContact c(random, radius);
    const Vector12 f = c.element.jacobian(c.pair()).topRows<3>().transpose() * random.vector();
    EXPECT_LE(resultant(c.pair(), f).norm(), 1e-13);
  }
}

TEST(ContactElement, ForceOnThePointsBodyIsAlongTheAxes) {
  Random random(8);
  const RandomContact c(random, 0.4);
  const Vector3 l = random.vector();
  const Vector12 f = c.element.jacobian(c.pair()).topRows<3>().transpose() * l;
  const Vector3 force = c.element.axes(c.pair()) * l;
  EXPECT_LE((f.segment<3>(6) - force).norm(), 1e-14);
  EXPECT_LE((f.head<3>() + force).norm(), 1e-14);
  const Vector3 arm = c.element.contact_point(c.pair()) - c.B.x;
  EXPECT_LE((c.B.R * f.tail<3>() - arm.cross(force)).norm(), 1e-13);
}

// A belt that runs at w: what moves with it does not slip.
TEST(ContactElement, SurfaceVelocityIsTakenFromTheSlip) {
  ContactElement element;
  element.surface_velocity = {0, 0.7, -0.2};
  const NodePose A = NodePose::from(Vector3::Zero(), Matrix3::Identity());
  const NodePose B = NodePose::from({1, 2, 0}, Matrix3::Identity());
  const NodePose moved = NodePose::from({1 + 0.7 * step, 2 - 0.2 * step, 0}, Matrix3::Identity());
  const Vector6 g = element.gap_and_slip(element.place({A, B}), element.place({A, moved}), step);
  EXPECT_LE(g.norm(), 1e-15);
}

// A sphere that rolls: its centre moves by r Θ, and it does not slip.
TEST(ContactElement, ASphereThatRollsDoesNotSlip) {
  ContactElement element;
  element.radius = 0.25;
  const NodePose A = NodePose::from(Vector3::Zero(), Matrix3::Identity());
  const NodePose B = NodePose::from({0, 0, 0.25}, Matrix3::Identity());
  const double turn = 0.3;
  const NodePose rolled = B.moved({0.25 * turn, 0, 0}, {0, turn, 0});
  const Vector6 g = element.gap_and_slip(element.place({A, B}), element.place({A, rolled}), step);
  EXPECT_LE(g.norm(), 1e-15);
  const Vector6 slid = element.gap_and_slip(
      element.place({A, B}), element.place({A, B.moved({0, 0, 0}, {0, turn, 0})}), step);
  EXPECT_NEAR(slid[1], -0.25 * turn, 1e-15);
}

TEST(ContactElement, AFaceEndsAtItsEdges) {
  ContactElement element;
  const auto at = [](double x, double y) {
    return ContactElement::Place{.d = Vector3(x, y, -0.1)};
  };
  EXPECT_TRUE(element.is_on_side(at(1e6, 1e6)));
  EXPECT_FALSE(element.has_edges());
  element.surface = PlaneSurface{.half_size = {{1.0, 0.5}}};
  EXPECT_TRUE(element.has_edges());
  EXPECT_TRUE(element.is_on_side(at(0.99, -0.49)));
  EXPECT_FALSE(element.is_on_side(at(1.01, 0)));
  EXPECT_FALSE(element.is_on_side(at(0, -0.51)));
}

}  // namespace contact_element_test
}  // namespace saltus::test
