// SPDX-License-Identifier: Apache-2.0
//
// Pins in bores, balls in bores, on cylinders and in grooves: gaps, normals and extents.
#include "saltus/geometry/features.hpp"
#include "saltus/lie/so3.hpp"
#include "tests/elements/sphere_contacts.hpp"

namespace saltus::test {
namespace pin_in_bore_test {

constexpr double bore_radius = 0.05, pin_radius = 0.049, clearance = bore_radius - pin_radius;

ContactFeature along_z(Kind kind, double radius, double half_length, double z = 0) {
  ContactFeature feature{.form = {.kind = kind, .radius = radius, .half_length = half_length}};
  feature.frame.d.z() = z;
  return feature;
}

ContactFeature ball(double radius) { return along_z(Kind::Sphere, radius, 0); }

/// A at the origin, B moved and turned about y.
NodePair moved(NodePose& A, NodePose& B, const Vector3& x, double tilt = 0) {
  A = {};
  B = {};
  B.x = x;
  B.R = lie::so3::exp({0, tilt, 0});
  return {A, B};
}

TEST(PinInBore, GapIsTheClearanceLessTheEccentricity) {
  const ContactElement e =
      touch(along_z(Kind::Tube, bore_radius, 0.1), along_z(Kind::PinEnd, pin_radius, 0.02, 0.02))
          .element;
  NodePose A, B;
  EXPECT_NEAR(e.gap(moved(A, B, {3e-4, 4e-4, 0.07})), clearance - 5e-4, 1e-16);
  const Matrix3 axes = e.axes({A, B});
  EXPECT_LE((axes.col(0) - Vector3(-0.6, -0.8, 0)).norm(), 1e-15) << "the bore pushes back";
  EXPECT_LE(
      (e.contact_point({A, B}) - Vector3(3e-4, 4e-4, 0.09) - pin_radius * Vector3(0.6, 0.8, 0))
          .norm(),
      1e-15);
}

TEST(PinInBore, TheRimOfABoreTouchesALongPin) {
  const FeaturePair pair =
      touch(along_z(Kind::TubeRim, bore_radius, 0.01, 0.01), along_z(Kind::Rod, pin_radius, 0.5));
  EXPECT_FALSE(pair.surface_is_first);
  const ContactElement& e = pair.element;
  NodePose A, B;  // A is the pin
  EXPECT_NEAR(e.gap(moved(A, B, {6e-4, 0, 0})), clearance - 6e-4, 1e-16);
  // The bore is to the right, so that its left side touches: it is pushed to the left.
  EXPECT_LE((e.axes({A, B}).col(0) - Vector3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LE((e.contact_point({A, B}) - Vector3(6e-4 - bore_radius, 0, 0.01)).norm(), 1e-15);
}

// A tilted pin touches with one end on either side.
TEST(PinInBore, ATiltedPinTouchesAtBothEndsOnOppositeSides) {
  NodePose A, B;
  const double tilt = 0.01, half = 0.1;
  const NodePair q = moved(A, B, Vector3::Zero(), tilt);
  for (const double sign : {-1.0, 1.0}) {
    const ContactElement e = touch(along_z(Kind::Tube, bore_radius, 0.2),
                                   along_z(Kind::PinEnd, pin_radius, half, sign * half))
                                 .element;
    EXPECT_NEAR(e.gap(q), clearance - half * std::sin(tilt), 1e-15);
    EXPECT_NEAR(e.axes(q)(0, 0), -sign, 1e-15);
  }
}

// The rim of a disc that is tilted by β is nearer to the axis than the sphere by r (1 − cos β) at
// most: never an overlap.
TEST(PinInBore, TheTrueRimStaysInside) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vector3 axis = (Vector3::UnitZ() + 0.05 * random.vector()).normalized();
    const Matrix3 E = frame_with_normal(axis);
    const Vector3 centre(1e-4 * random.uniform(), 1e-4 * random.uniform(), 0);
    const double sphere = bore_radius - pin_radius - centre.head<2>().norm();
    double rim = 1;
    for (int k = 0; k < 720; ++k) {
      const double phi = k * M_PI / 360;
      const Vector3 x = centre + pin_radius * (std::cos(phi) * E.col(0) + std::sin(phi) * E.col(1));
      rim = std::min(rim, bore_radius - x.head<2>().norm());
    }
    EXPECT_GE(rim, sphere - 1e-15);
    EXPECT_LE(rim, sphere + pin_radius * (1 - axis.z()) + 1e-6);
  }
}

TEST(PinInBore, OfEqualLengthsOnlyThePinsEndsCount) {
  const ContactElement end =
      touch(along_z(Kind::Tube, bore_radius, 0.1), along_z(Kind::PinEnd, pin_radius, 0.1, 0.1))
          .element;
  const ContactElement rim =
      touch(along_z(Kind::Rod, pin_radius, 0.1), along_z(Kind::TubeRim, bore_radius, 0.1, 0.1))
          .element;
  NodePose A, B;
  EXPECT_TRUE(end.is_along(end.place(moved(A, B, Vector3::Zero()))));
  EXPECT_FALSE(rim.is_along(rim.place(moved(A, B, Vector3::Zero()))));
  // The pin's end comes out of the bore: now the bore's rim touches.
  EXPECT_FALSE(end.is_along(end.place(moved(A, B, {0, 0, 1e-3}))));
  EXPECT_TRUE(rim.is_along(rim.place(moved(A, B, {0, 0, -1e-3}))));
}

TEST(BallInGroove, GapAndNormalAreThoseOfTheTorus) {
  ContactFeature groove = along_z(Kind::Groove, 0.0041, 0);
  groove.form.ring_radius = 0.02;
  const ContactElement e = touch(groove, ball(0.004)).element;
  NodePose A, B;
  const double phi = 0.7;
  const Vector3 radial(std::cos(phi), std::sin(phi), 0);
  const NodePair q = moved(A, B, (0.02 + 6e-5) * radial + 8e-5 * Vector3::UnitZ());
  EXPECT_NEAR(e.gap(q), 0, 1e-16);
  EXPECT_LE((e.axes(q).col(0) + 0.6 * radial + 0.8 * Vector3::UnitZ()).norm(), 1e-12);
}

TEST(BallInGroove, OnlyTheHalfThatThereIsTouches) {
  ContactFeature groove = along_z(Kind::Groove, 0.0041, 0);
  groove.form.ring_radius = 0.02;
  groove.form.opening = GrooveOpening::Outwards;  // an inner race
  const ContactElement e = touch(groove, ball(0.004)).element;
  NodePose A, B;
  EXPECT_TRUE(e.is_along(e.place(moved(A, B, {0.0199, 0, 0}))));
  EXPECT_FALSE(e.is_along(e.place(moved(A, B, {0.0201, 0, 0}))));
}

// A ball that rolls round in a bore, without slip, and one that slides along it.
TEST(BallInBore, RollingIsNoSlipAndSlidingIs) {
  const double R = 0.05, r = 0.01;
  const ContactElement e = touch(along_z(Kind::Tube, R, 1), ball(r)).element;
  NodePose A, B;
  const ContactElement::Place from = e.place(moved(A, B, {R - r, 0, 0}));
  const double phi = 0.3;
  B.x = (R - r) * Vector3(std::cos(phi), std::sin(phi), 0);
  B.R = lie::so3::exp({0, 0, -(R - r) / r * phi});
  EXPECT_LE(e.gap_and_slip(from, e.place({A, B}), 1).head<3>().norm(), 1e-16);
  B = {};
  B.x = {R - r, 0, 0.02};
  EXPECT_NEAR(e.gap_and_slip(from, e.place({A, B}), 1).head<3>().norm(), 0.02, 1e-16);
}

}  // namespace pin_in_bore_test
}  // namespace saltus::test
