// SPDX-License-Identifier: Apache-2.0
//
// Spheres against spheres, points, hollow spheres and planes, eccentric on both of their bodies.
#include "tests/elements/sphere_contacts.hpp"
#include "tests/support/derivative.hpp"

namespace saltus::test {
namespace sphere_contact_test {

/// What the stencil leaves of functions that vary over half a metre.
constexpr double by_stencil = 1e-8;

TEST(SphereContact, JacobianIsTheDerivativeOfGapSlipAndRotationAtZeroMotion) {
  Agreement agreement("H_spheres");
  for_all_shapes(1, [&](Random&, const RandomContact& c) {
    const ContactElement::Place from = c.place();
    const auto D = pose_derivative(
        [&](const NodePair& q) -> VectorX {
          return c.element.gap_and_slip(from, c.element.place(q), 1e-3);
        },
        c.pair());
    agreement.compare(c.element.jacobian(c.pair()), D);
  });
  agreement.expect_within(by_stencil);
}

TEST(SphereContact, VelocityIsTheRateOfGapSlipAndRotation) {
  Agreement agreement("rate_spheres");
  for_all_shapes(2, [&](Random& random, const RandomContact& c) {
    const Vector12 v = random.velocity();
    const ContactElement::Place from = c.place();
    const Vector6 rate = derivative(
        [&](double t) {
          return c.element.gap_and_slip(from, c.element.place(MovedPair(c.pair(), v, t).pair()), t);
        },
        1e-4);  // speeds of 2 on bodies of size 2
    agreement.compare(rate, c.element.jacobian(c.pair()) * v);
  });
  agreement.expect_within(by_stencil);
}

// At any time, not only at the place from which slip is counted.
TEST(SphereContact, GapVelocityIsTheRateOfTheGap) {
  Agreement agreement("gap_rate");
  for_all_shapes(3, [&](Random& random, const RandomContact& c) {
    const Vector12 v = random.velocity();
    const double rate =
        derivative([&](double t) { return c.element.gap(MovedPair(c.pair(), v, t).pair()); }, 1e-4);
    agreement.compare(rate, c.element.jacobian(c.pair()).row(0) * v);
  });
  agreement.expect_within(by_stencil);
}

TEST(SphereContact, ARigidMotionOfBothBodiesChangesNothing) {
  for_all_shapes(4, [](Random& random, const RandomContact& c) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector(3);
    const NodePose A = carried(c.A, R, x), B = carried(c.B, R, x);
    const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place({A, B}), 1e-3);
    EXPECT_NEAR(g[0], c.element.gap(c.pair()), round_off);
    EXPECT_LE(g.tail<5>().norm(), round_off);
    const Vector12 v = rigid_velocity(c.pair(), random.vector(), random.vector());
    EXPECT_LE((c.element.jacobian(c.pair()) * v).norm(), round_off);
  });
}

TEST(SphereContact, ForcesAndMomentsOnTheTwoBodiesBalance) {
  for_all_shapes(5, [](Random& random, const RandomContact& c) {
    const Vector6 l = random.vector_x(6);
    const Vector12 f = c.element.jacobian(c.pair()).transpose() * l;
    EXPECT_LE(resultant(c.pair(), f).norm(), round_off);
  });
}

// B gets the force at the point of contact, and a couple.
TEST(SphereContact, ForceAndMomentOnBAreAlongTheAxes) {
  for_all_shapes(6, [](Random& random, const RandomContact& c) {
    const Vector6 l = random.vector_x(6);
    const Vector12 f = c.element.jacobian(c.pair()).transpose() * l;
    const Matrix3 e = c.element.axes(c.pair());
    EXPECT_LE((e.transpose() * e - Matrix3::Identity()).norm(), round_off);
    const Vector3 force = e * l.head<3>(), couple = c.element.length * (e * l.tail<3>());
    const Vector3 arm = c.element.contact_point(c.pair()) - c.B.x;
    EXPECT_LE((f.segment<3>(6) - force).norm(), round_off);
    EXPECT_LE((c.B.R * f.tail<3>() - arm.cross(force) - couple).norm(), round_off);
  });
}

TEST(SphereContact, RowsOfRotationAreZeroWithoutMoments) {
  for_all_shapes(7, [](Random& random, RandomContact c) {
    const MovedPair moved(c.pair(), random.velocity(), 0.1);
    const ContactElement::Place to = c.element.place(moved.pair());
    const Vector6 with = c.element.gap_and_slip(c.place(), to, 0.1);
    const ContactElement::Rows H = c.element.jacobian(c.pair());
    c.element.has_moments = false;
    const Vector6 without = c.element.gap_and_slip(c.place(), to, 0.1);
    EXPECT_EQ(without.tail<3>(), Vector3::Zero());
    EXPECT_EQ(without.head<3>(), Vector3(with.head<3>()));
    EXPECT_EQ(c.element.jacobian(c.pair()).topRows<3>(), H.topRows<3>());
    EXPECT_EQ(c.element.jacobian(c.pair()).bottomRows<3>().norm(), 0);
  });
}

// Where the surfaces touch, there is one point of contact, whichever sphere is A.
TEST(SphereContact, ExchangedSpheresHaveTheReversedVelocity) {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    RandomContact c(random, all_shapes[0]);
    c.close();
    ContactElement other = touch(feature(Kind::Sphere, c.element.radius, c.element.frame_B),
                                 feature(Kind::Sphere, c.radius_A(), c.element.frame_A))
                               .element;
    other.has_moments = true;
    EXPECT_EQ(other.length, c.element.length);
    const NodePair exchanged{c.B, c.A};
    EXPECT_NEAR(other.gap(exchanged), 0, round_off);
    EXPECT_LE((other.contact_point(exchanged) - c.element.contact_point(c.pair())).norm(),
              round_off);
    const Vector12 v = random.velocity();
    Vector12 w;
    w << v.tail<6>(), v.head<6>();
    const Vector6 rate = c.element.jacobian(c.pair()) * v, reversed = other.jacobian(exchanged) * w;
    const Matrix3 e = c.element.axes(c.pair()), f = other.axes(exchanged);
    EXPECT_LE((e.col(0) + f.col(0)).norm(), round_off) << "n";
    EXPECT_LE((e * rate.head<3>() + f * reversed.head<3>()).norm(), round_off);
    EXPECT_LE((e * rate.tail<3>() + f * reversed.tail<3>()).norm(), round_off);
  }
}

// Spheres about their nodes that move straight, outside and inside of each other.
TEST(SphereContact, PartToTouchLeadsToNoGap) {
  const auto at = [](double x, double y) {
    return NodePose::from({x, y, 0.3}, Matrix3::Identity());
  };
  const ContactElement balls =
      touch(feature(Kind::Sphere, 0.5, {}), feature(Kind::Sphere, 0.25, {})).element;
  const ContactElement hollow =
      touch(feature(Kind::HollowSphere, 2, {}), feature(Kind::Sphere, 0.25, {})).element;
  const NodePose A = at(0.1, 0.2), A_1 = at(0.3, 0.1), B = at(2, 0.6), B_1 = at(-0.5, 0.4);
  for (const ContactElement& e : {balls, hollow}) {
    const NodePose start = e.is_hollow() ? at(1, 0.6) : B, end = e.is_hollow() ? at(3, 2) : B_1;
    const double part = e.part_to_touch({A, start}, {A_1, end});
    EXPECT_GT(part, 0);
    EXPECT_LT(part, 1);
    const NodePose A_t = A.translated(part * (A_1.x - A.x));
    const NodePose B_t = start.translated(part * (end.x - start.x));
    EXPECT_NEAR(e.gap(NodePair{A_t, B_t}), 0, round_off);
  }
  const NodePose past = at(2, 3), away = at(3, 0.6), half = at(1.5, 0.6), inside = at(0.4, 0.2);
  EXPECT_NEAR(balls.part_to_touch({A, at(-2, 1.2)}, {A, at(2.2, 1.2)}), 0.5, round_off)
      << "nearest";
  EXPECT_EQ(balls.part_to_touch({A, B}, {A, away}), 0) << "they part";
  EXPECT_EQ(balls.part_to_touch({A, B}, {A, half}), 1) << "they do not meet yet";
  EXPECT_EQ(balls.part_to_touch({A, inside}, {A, past}), 0) << "closed at the start";
}

// Nothing touches in the middle, but nothing may break there either.
TEST(SphereContact, AllIsFiniteInTheMiddleOfAHollowSphere) {
  ContactElement element =
      touch(feature(Kind::HollowSphere, 2, {}), feature(Kind::Sphere, 0.5, {})).element;
  element.has_moments = true;
  const NodePose A = NodePose::from(Vector3::Zero(), Matrix3::Identity());
  const auto at = [&](double x) { return A.translated({x, 0, 0}); };
  EXPECT_EQ(element.gap(NodePair{A, A}), 1.5);
  EXPECT_TRUE(element.jacobian({A, A}).allFinite());
  for (const double from : {0.0, 1.0, 1e-200, 5e-324}) {
    for (const double to : {0.0, 1.0, -1.0, -1e-200, -5e-324}) {
      const NodePose B_0 = at(from), B_1 = at(to);
      const Vector6 g =
          element.gap_and_slip(element.place({A, B_0}), element.place({A, B_1}), 1e-3);
      EXPECT_TRUE(g.allFinite()) << from << " to " << to << ": " << g.transpose();
      EXPECT_TRUE(element.jacobian({A, B_1}).allFinite()) << to;
    }
  }
}

TEST(SphereContact, SidesOfHollowSpheresAreInside) {
  const ContactElement element =
      touch(feature(Kind::HollowSphere, 2, {}), feature(Kind::Sphere, 0.5, {})).element;
  EXPECT_TRUE(element.is_on_side({.d = Vector3(1.9, 0, 0)}));
  EXPECT_FALSE(element.is_on_side({.d = Vector3(0, 2.1, 0)}));
  const ContactElement spheres =
      touch(feature(Kind::Sphere, 2, {}), feature(Kind::Sphere, 0.5, {})).element;
  EXPECT_TRUE(spheres.is_on_side({.d = Vector3(9, 9, 9)}));
  EXPECT_TRUE(spheres.is_on_side({.d = Vector3(0.1, 0, 0)}));
}

TEST(Touch, SurfacesAreAAndThenLargerThingsThanPoints) {
  const ContactFeature point = feature(Kind::Point, 0, {}), sphere = feature(Kind::Sphere, 0.5, {});
  const ContactFeature plane = feature(Kind::Plane, 0, {}),
                       hollow = feature(Kind::HollowSphere, 2, {});
  for (const ContactFeature& surface : {plane, hollow}) {
    for (const ContactFeature& other : {point, sphere}) {
      EXPECT_TRUE(touch(surface, other).surface_is_first);
      EXPECT_FALSE(touch(other, surface).surface_is_first);
    }
  }
  EXPECT_TRUE(touch(sphere, point).surface_is_first);
  EXPECT_FALSE(touch(point, sphere).surface_is_first);
  EXPECT_TRUE(touch(sphere, sphere).surface_is_first);
  EXPECT_EQ(touch(point, sphere).element.radius, 0);
  EXPECT_EQ(touch(sphere, hollow).element.radius, 0.5);
}

TEST(Touch, TheLengthIsTheSmallerRadius) {
  const ContactFeature small = feature(Kind::Sphere, 0.2, {}),
                       large = feature(Kind::Sphere, 0.5, {});
  EXPECT_EQ(touch(small, large).element.length, 0.2);
  EXPECT_EQ(touch(large, small).element.length, 0.2);
  EXPECT_EQ(touch(large, feature(Kind::Point, 0, {})).element.length, 0.5);
  EXPECT_EQ(touch(large, feature(Kind::Plane, 0, {})).element.length, 0.5);
  EXPECT_EQ(touch(feature(Kind::HollowSphere, 2, {}), large).element.length, 0.5);
}

}  // namespace sphere_contact_test
}  // namespace saltus::test
