// SPDX-License-Identifier: Apache-2.0
//
// What spheres slip and turn against each other in a step, in which they may turn much.
#include <cmath>

#include "tests/elements/sphere_contacts.hpp"

namespace saltus::test {
namespace sphere_slip_test {

/// Slip and rotation of a step, inertial components.
Vector6 inertial_slip(const ContactElement& e, const NodePair& from, const NodePair& to) {
  const ContactElement::Place start = e.place(from);
  const Vector6 g = e.gap_and_slip(start, e.place(to), 0);
  const Matrix3 axes = e.axes(to, start);
  Vector6 slip;
  slip << axes.rightCols<2>() * g.segment<2>(1), axes * g.tail<3>();
  return slip;
}

// Neither is first, whether they touch or not.
TEST(SphereSlip, ExchangedSpheresHaveTheReversedSlip) {
  Random random(9);
  for (int i = 0; i < 20; ++i) {
    const RandomContact c(random, all_shapes[0]);
    ContactElement other = touch(feature(Kind::Sphere, c.element.radius, c.element.frame_B),
                                 feature(Kind::Sphere, c.radius_A(), c.element.frame_A))
                               .element;
    other.has_moments = true;
    const Vector12 v = random.velocity();
    Vector12 w;
    w << v.tail<6>(), v.head<6>();
    const MovedPair moved(c.pair(), v, 0.05);
    const NodePair before{c.B, c.A}, after{moved.B, moved.A};
    const Vector6 slip = inertial_slip(c.element, c.pair(), moved.pair());
    EXPECT_GT(slip.head<3>().norm(), 1e-3);
    EXPECT_LE((slip + inertial_slip(other, before, after)).norm(), round_off);
    const Vector3 u = c.element.axes(c.pair()) * c.element.slip_velocity(c.pair(), v);
    EXPECT_LE((u + other.axes(before) * other.slip_velocity(before, w)).norm(), round_off);
  }
}

// Two spheres on axes that stand still, of equal speed at the circumference.
TEST(SphereSlip, FrictionWheelsDoNotSlip) {
  Random random(10);
  for (int i = 0; i < 20; ++i) {
    RandomContact c(random, all_shapes[0]);
    c.close();
    const Vector3 n = c.element.axes(c.pair()).col(0), axis = across(random, n);
    const double angle = 0.3, r_A = c.radius_A(), r_B = c.element.radius;
    const NodePose A = turned_about(c.A, angle * axis, c.element.frame_A.point(c.A));
    const Vector3 centre = c.element.frame_B.point(c.B);
    const NodePose B = turned_about(c.B, -angle * r_A / r_B * axis, centre);
    const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place({A, B}), 1e-3);
    EXPECT_LE(g.head<3>().norm(), round_off);
    EXPECT_NEAR(g.tail<3>().norm(), r_B * angle * (1 + r_A / r_B), round_off)
        << "relative rotation";
    EXPECT_NEAR(g[3], 0, round_off) << "no spinning";
    const NodePose standing = turned_about(c.B, Vector3::Zero(), centre);
    const Vector6 slid = c.element.gap_and_slip(c.place(), c.element.place({A, standing}), 1e-3);
    EXPECT_NEAR(slid.segment<2>(1).norm(), r_A * angle, round_off) << "only A turns";
  }
}

/// B carried around the centre of A by an angle, and turned about its own centre too.
NodePose carried_around(const RandomContact& c, const Vector3& angle, const Vector3& own) {
  const NodePose carried = turned_about(c.B, angle, c.element.frame_A.point(c.A));
  const Vector3 centre = c.element.frame_B.point(carried);
  return turned_about(carried, own, centre);
}

// The sum of the two rotations is φ (r_A + r_B)/r_B, with r_A < 0 inside.
TEST(SphereSlip, SpheresThatRollAroundOrInsideDoNotSlip) {
  Random random(11);
  for (const Shapes& shapes : {all_shapes[0], all_shapes[3]}) {
    SCOPED_TRACE(shapes.name);
    for (int i = 0; i < 20; ++i) {
      RandomContact c(random, shapes);
      c.close();
      const Vector3 axis = across(random, c.element.axes(c.pair()).col(0));
      const double angle = 0.3, ratio = c.radius_A() / c.element.radius;
      const NodePose B = carried_around(c, angle * axis, angle * ratio * axis);
      const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place({c.A, B}), 1e-3);
      EXPECT_LE(g.head<3>().norm(), round_off);
      EXPECT_NEAR(g.tail<3>().norm(), c.element.length * angle * std::abs(1 + ratio), round_off);
    }
  }
}

// Its own body keeps its side towards A, as the moon does: it slips along the great circle of A.
TEST(SphereSlip, WhatIsCarriedAroundSlipsByTheArcOfTheSurface) {
  Random random(12);
  for (const Shapes& shapes : {all_shapes[0], all_shapes[1], all_shapes[3], all_shapes[4]}) {
    SCOPED_TRACE(shapes.name);
    for (int i = 0; i < 20; ++i) {
      RandomContact c(random, shapes);
      c.close();
      const Vector3 n = c.element.axes(c.pair()).col(0), axis = across(random, n);
      for (const double angle : {1e-5, 0.3, 1.5}) {
        const NodePose B = carried_around(c, angle * axis, Vector3::Zero());
        const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place({c.A, B}), 1e-3);
        EXPECT_NEAR(g.segment<2>(1).norm(), std::abs(c.radius_A()) * angle, round_off);
      }
    }
  }
}

TEST(SphereSlip, SpinningAboutTheNormalIsNoSlip) {
  for_all_shapes(13, [](Random&, const RandomContact& c) {
    const Vector3 n = c.element.axes(c.pair()).col(0);
    const NodePose B = turned_about(c.B, 0.3 * n, c.element.frame_B.point(c.B));
    const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place({c.A, B}), 1e-3);
    EXPECT_LE(g.segment<2>(1).norm(), round_off);
    if (c.is_plane() && c.element.radius == 0) return;
    EXPECT_NEAR(g[3], 0.3 * c.element.length, round_off);
    EXPECT_LE(g.tail<2>().norm(), round_off);
  });
}

bool are_balls(const RandomContact& c) {
  const auto* sphere = std::get_if<SphereSurface>(&c.element.surface);
  return sphere != nullptr && sphere->are_balls(c.element.radius);
}

/// Slip velocity of the middle of a step times its length, carried with A to the normal at its end;
/// of two spheres from outside with both.
Vector3 midpoint_slip(const RandomContact& c, const Vector12& v, double h) {
  const MovedPair middle(c.pair(), v, h / 2), end(c.pair(), v, h);
  const Matrix3 e = c.element.axes(middle.pair());
  const Vector6 rate = c.element.jacobian(middle.pair()) * v;
  const auto carried = [&](const Matrix3& R, const Matrix3& R_1) -> Vector3 {
    const Vector3 slip = R.transpose() * (e.rightCols<2>() * (h * rate.segment<2>(1)));
    const Vector3 n = R.transpose() * e.col(0);
    const Vector3 n_1 = R_1.transpose() * c.element.axes(end.pair()).col(0);
    return R_1 * (Quaternion::FromTwoVectors(n, n_1) * slip);
  };
  const Vector3 with_A = carried(middle.A.R, end.A.R);
  if (!are_balls(c)) return with_A;
  return (with_A + carried(middle.B.R, end.B.R)) / 2;
}

// So that methods of second order are not spoiled: the error of a step is of third order.
TEST(SphereSlip, SlipOfARandomMotionIsTheIntegralOfItsVelocityToThirdOrder) {
  Random random(14);
  for (const Shapes& shapes : all_shapes) {
    SCOPED_TRACE(shapes.name);
    double coarse = 0, fine = 0;
    for (int i = 0; i < 50; ++i) {
      RandomContact c(random, shapes);
      // Apart, either of two spheres sees another slip: by O(h) where they close in the step.
      if (are_balls(c)) c.close();
      const Vector12 v = random.velocity();
      const auto error = [&](double h) {
        const MovedPair end(c.pair(), v, h);
        const Vector6 g = c.element.gap_and_slip(c.place(), c.element.place(end.pair()), h);
        const Matrix3 e = c.element.axes(end.pair(), c.place());
        return (e.rightCols<2>() * g.segment<2>(1) - midpoint_slip(c, v, h)).norm();
      };
      coarse += error(8e-3);
      fine += error(4e-3);
    }
    EXPECT_NEAR(std::log2(coarse / fine), 3, 0.1) << fine;
  }
}

}  // namespace sphere_slip_test
}  // namespace saltus::test
