// SPDX-License-Identifier: Apache-2.0
//
// The laws that every surface obeys, whichever it is, and what each of them ends at.
#include "saltus/elements/contact_surface.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "saltus/elements/contact_element.hpp"
#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {
namespace contact_surface_test {

constexpr double round_off = 1e-13;
constexpr double by_stencil = 1e-8;  ///< what it leaves of functions that vary over half a metre

struct Case {
  const char* name;
  ContactSurface surface;
  double r;  ///< of what is on B
};

std::vector<Case> all_cases() {
  const CircleCore circle{.radius = 4};
  const LineCore line{.half_length = 9, .touched_half = 9};
  return {{"point on a plane", PlaneSurface{}, 0},
          {"sphere on a face", PlaneSurface{.half_size = {{2, 3}}}, 0.4},
          {"point on a sphere", SphereSurface{.radius = 0.7}, 0},
          {"sphere on a sphere", SphereSurface{.radius = 0.7}, 0.4},
          {"sphere in a sphere", SphereSurface{.radius = -2, .side = -1}, 0.4},
          {"sphere on a cylinder", CylinderSurface{.radius = 0.7, .core = line}, 0.4},
          {"sphere in a bore", CylinderSurface{.radius = -2, .side = -1, .core = line}, 0.4},
          {"rim of a bore on a pin", CylinderSurface{.radius = 0.7, .side = -1, .core = line}, -2},
          {"sphere in a groove", TorusSurface{.radius = -3, .side = -1, .core = circle}, 0.4}};
}

/// An element with the surface and the point at random places, d not too near to its core.
struct Situation {
  Situation(Random& random, const Case& c) {
    element.surface = c.surface;
    element.radius = c.r;
    do {
      element.frame_A = random.frame();
      element.frame_B.d = random.vector();
      A = random.pose();
      B = random.pose(2);
    } while (is_near_core());
  }
  NodePair q() const { return {A, B}; }
  Vector3 d() const {
    return A.R.transpose() * (element.frame_B.point(B) - A.x) - element.frame_A.d;
  }
  bool is_near_core() const {
    if (std::holds_alternative<PlaneSurface>(element.surface)) return false;
    const Vector3 axis = element.frame_A.E.col(2);
    return element.offset(d()).norm() < 0.5 || (d() - axis.dot(d()) * axis).norm() < 0.5;
  }
  /// The same with the point moved by x, inertial components.
  NodePose moved(const Vector3& x) const { return B.translated(x); }

  ContactElement element;
  NodePose A, B;
};

template <class Test>
void for_all_surfaces(unsigned seed, const Test& test) {
  Random random(seed);
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    for (int i = 0; i < 20; ++i) test(random, Situation(random, c));
  }
}

/// ∂f/∂x of a vector function of the point's place.
template <class Function>
Eigen::MatrixXd by_place(const Function& f) {
  return vector_derivative([&](const VectorX& x) -> VectorX { return f(Vector3(x)); },
                           VectorX::Zero(3));
}

TEST(ContactSurface, GradientOfTheGapIsTheNormal) {
  Agreement agreement("normal");
  for_all_surfaces(1, [&](Random&, const Situation& s) {
    const Eigen::MatrixXd gradient = by_place([&](const Vector3& x) -> VectorX {
      const NodePose B = s.moved(x);
      return one(s.element.gap(NodePair{s.A, B}));
    });
    agreement.compare(s.element.axes(s.q()).col(0).transpose(), gradient);
  });
  agreement.expect_within(by_stencil);
}

/// −n turns by the curvature times the way of what is inside, n by it of what is outside. Of a
/// groove the negative curvature along the inner half of the circle is left out: there it is not
/// compared.
TEST(ContactSurface, CurvatureIsTheDerivativeOfTheNormal) {
  Agreement agreement("curvature");
  for_all_surfaces(2, [&](Random&, const Situation& s) {
    if (s.element.groove_cosine(s.q()) < 0) return;
    const Eigen::MatrixXd turn = by_place([&](const Vector3& x) -> VectorX {
      const NodePose B = s.moved(x);
      return s.element.axes({s.A, B}).col(0);
    });
    agreement.compare((s.element.is_hollow() ? -1 : 1) * s.element.curvature(s.q()), turn);
  });
  agreement.expect_within(by_stencil);
}

TEST(ContactSurface, CurvatureOfTheInnerHalfOfAGrooveIsThatOfItsSection) {
  Random random(3);
  Situation s(random, all_cases().back());
  const FrameOnNode& frame = s.element.frame_A;
  const Vector3 d = frame.E * Vector3(3.2, 0, 0.6);  // from the core by (−0.8, 0, 0.6)
  s.B = s.moved(s.A.R * (d - s.d()));
  const Vector3 tau = s.A.R * frame.E.col(1), n = s.element.axes(s.q()).col(0);
  const Matrix3 B = s.element.curvature(s.q());
  EXPECT_LE((B * tau).norm(), round_off);
  EXPECT_LE((B * n).norm(), round_off);
  EXPECT_NEAR(B.trace(), 1, round_off);
  EXPECT_NEAR(s.element.groove_cosine(s.q()), -0.8, round_off);
}

TEST(ContactSurface, AxesAreARotationWhoseNormalGoesFromTheSurfaceToThePoint) {
  for_all_surfaces(4, [](Random&, const Situation& s) {
    const Matrix3 e = s.element.axes(s.q());
    EXPECT_LE((e.transpose() * e - Matrix3::Identity()).norm(), round_off);
    EXPECT_NEAR(e.determinant(), 1, round_off);
    // The foot of the point is on the surface, and the gap grows by what it moves along n.
    const NodePose foot = s.moved(-s.element.gap(s.q()) * e.col(0));
    EXPECT_NEAR(s.element.gap(NodePair{s.A, foot}), 0, round_off);
    const NodePose away = s.moved(0.1 * e.col(0));
    EXPECT_NEAR(s.element.gap(NodePair{s.A, away}), s.element.gap(s.q()) + 0.1, round_off);
  });
}

TEST(ContactSurface, CarriedTangentsAreTangents) {
  for_all_surfaces(5, [](Random& random, const Situation& s) {
    const ContactPlace here = s.element.place(s.q());
    EXPECT_LE((s.element.axes(s.q(), here) - s.element.axes(s.q())).norm(), round_off);
    const ContactPlace carried = s.element.place(s.q(), random.direction());
    const NodePose B = s.moved(random.vector(0.1));
    const Matrix3 e = s.element.axes({s.A, B}, carried);
    EXPECT_LE((e.transpose() * e - Matrix3::Identity()).norm(), round_off);
    EXPECT_LE((e.col(0) - s.element.axes({s.A, B}).col(0)).norm(), round_off);
    const Matrix3 with = s.element.axes(s.q(), carried.t1);
    EXPECT_LE((with - s.element.axes(s.q(), carried)).norm(), round_off);
  });
}

TEST(ContactSurface, ThePlaceDoesNotDependOnHowBothAreSeen) {
  for_all_surfaces(6, [](Random& random, const Situation& s) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector(3);
    const NodePose A = NodePose::from(x + R * s.A.x, R * s.A.R);
    const NodePose B = NodePose::from(x + R * s.B.x, R * s.B.R);
    const ContactPlace one = s.element.place(s.q()), other = s.element.place({A, B});
    EXPECT_LE((one.d - other.d).norm(), round_off);
    EXPECT_LE((one.R_AB - other.R_AB).norm(), round_off);
    EXPECT_LE((R * s.element.axes(s.q()).col(0) - s.element.axes({A, B}).col(0)).norm(), round_off);
  });
}

// The point against its foot on the surface: two bodies that turn as one carry it round the foot.
TEST(ContactSurface, SlipVelocityIsThatAgainstTheNearestPlaceOnTheSurface) {
  for_all_surfaces(7, [](Random& random, const Situation& s) {
    const Vector3 omega = random.vector();
    Vector12 v;
    v << omega.cross(s.A.x), s.A.R.transpose() * omega, omega.cross(s.B.x),
        s.B.R.transpose() * omega;
    const Vector3 way = s.element.gap(s.q()) * s.element.axes(s.q()).col(0);
    const Vector3 slip = s.element.axes(s.q()) * s.element.slip_velocity(s.q(), v);
    EXPECT_LE((slip - omega.cross(way)).norm(), 1e-12);
  });
}

ContactElement element(const ContactSurface& surface, double r = 0) {
  ContactElement e;
  e.surface = surface;
  e.radius = r;
  return e;
}

/// What an element says of a point at x, A being at the origin.
struct At {
  explicit At(const Vector3& x) { B.x = x; }
  NodePair q() const { return {A, B}; }
  NodePose A = {}, B = {};
};

TEST(ContactSurface, DistanceIsNotLessThanToTheEndOfACylinder) {
  const ContactElement e =
      element(CylinderSurface{.radius = 1, .core = {.half_length = 2, .touched_half = 2}}, 0.5);
  EXPECT_NEAR(e.distance(At({4.5, 0, 1}).q()), 3, round_off) << "along it, the gap";
  EXPECT_NEAR(e.distance(At({4.5, 0, 6}).q()), 5, round_off) << "3 beside and 4 beyond";
  EXPECT_NEAR(e.distance(At({0, 0.5, 5}).q()), 3, round_off) << "no overlap beyond its end";
  EXPECT_NEAR(e.gap(At({0, 0.5, 5}).q()), -1, round_off);
}

TEST(ContactSurface, DistanceFromTheHalfOfAGrooveThatThereIsNotIsNoOverlap) {
  const TorusSurface inner{
      .radius = -1, .side = -1, .core = {.radius = 4, .opening = GrooveOpening::Outwards}};
  const ContactElement e = element(inner, 0.5);
  EXPECT_NEAR(e.distance(At({3.2, 0, 0}).q()), -0.3, round_off);
  EXPECT_EQ(e.distance(At({4.8, 0, 0}).q()), 0);
}

TEST(ContactSurface, FacesAndWhatIsHollowAreOpen) {
  EXPECT_FALSE(element(PlaneSurface{}).is_open());
  EXPECT_FALSE(element(SphereSurface{.radius = 1}).is_open());
  EXPECT_TRUE(element(SphereSurface{.radius = -1, .side = -1}).is_open());
  EXPECT_TRUE(element(PlaneSurface{.half_size = {{1, 1}}}).is_open());
}

TEST(ContactSurface, AFaceIsFeltByWhatWasNotBehindIt) {
  const ContactElement face = element(PlaneSurface{.half_size = {{1, 2}}});
  const auto place = [&](const Vector3& x) { return face.place(At(x).q()); };
  const ContactPlace above = place({0, 0, 0.1}), below = place({0, 0, -0.1});
  EXPECT_TRUE(face.is_felt(above, below, 1e-3));
  EXPECT_FALSE(face.is_felt(below, below, 1e-3)) << "has come round its edges";
  EXPECT_FALSE(face.is_felt(above, place({1.1, 0, -0.1}), 1e-3)) << "beside it";
}

TEST(ContactSurface, WhatIsHollowIsFeltByWhatWasInside) {
  const ContactElement hollow = element(SphereSurface{.radius = -1, .side = -1}, 0.1);
  const auto place = [&](double x) { return hollow.place(At({x, 0, 0}).q()); };
  EXPECT_TRUE(hollow.is_felt(place(0.5), place(1.5), 1e-3));
  EXPECT_FALSE(hollow.is_felt(place(1.5), place(0.95), 1e-3));
}

TEST(ContactSurface, OnlySpheresFromOutsidePassThroughEachOther) {
  const At start({-3, 0.1, 0});
  const Vector3 way(6, 0, 0);
  const ContactElement spheres = element(SphereSurface{.radius = 1}, 0.5);
  EXPECT_TRUE(spheres.passes_through(start.q(), way));
  EXPECT_FALSE(spheres.passes_through(start.q(), way / 6)) << "seen at the end of the step";
  EXPECT_FALSE(spheres.passes_through(At({-3, 1.4, 0}).q(), way)) << "grazes";
  EXPECT_FALSE(spheres.passes_through(At({-1, 0, 0}).q(), way)) << "touched before";
  EXPECT_FALSE(element(PlaneSurface{}, 0.5).passes_through(start.q(), way));
  EXPECT_FALSE(
      element(SphereSurface{.radius = -1, .side = -1}, 0.5).passes_through(start.q(), way));
}

TEST(ContactSurface, SpheresAboutTheirNodesAreCentred) {
  ContactElement e = element(SphereSurface{.radius = 1}, 0.5);
  e.node_A = 1;
  e.node_B = 2;
  EXPECT_TRUE(e.is_centred());
  EXPECT_TRUE(e.is_ball());
  e.frame_A.d.x() = 0.1;
  EXPECT_FALSE(e.is_centred());
  e.node_A = 0;
  EXPECT_TRUE(e.is_centred()) << "the ground does not turn";
  e.frame_B.d.x() = 0.1;
  EXPECT_FALSE(e.is_centred());
  EXPECT_FALSE(e.is_ball());
  EXPECT_FALSE(element(PlaneSurface{}, 0.5).is_centred());
}

// The bore is on A where the pin's end touches it, on B where its rim touches the pin.
TEST(ContactSurface, TheAngleInABoreIsThatOfThePinInTheBoresAxes) {
  const LineCore line{.half_length = 1, .touched_half = 1};
  const double phi = 0.7;
  const Vector3 pin(1e-3 * std::cos(phi), 1e-3 * std::sin(phi), 0);
  ContactElement end = element(CylinderSurface{.radius = -0.05, .side = -1, .core = line}, 0.049);
  EXPECT_NEAR(end.bore_angle(At(pin).q()), phi, round_off);
  end.frame_A.E = lie::so3::exp({0, 0, 0.2});
  EXPECT_NEAR(end.bore_angle(At(pin).q()), phi - 0.2, round_off);
  ContactElement rim = element(CylinderSurface{.radius = 0.049, .side = -1, .core = line}, -0.05);
  EXPECT_NEAR(rim.bore_angle(At(-pin).q()), phi, round_off);
  rim.frame_B.E = lie::so3::exp({0, 0, 0.2});
  EXPECT_NEAR(rim.bore_angle(At(-pin).q()), phi - 0.2, round_off);
}

TEST(DistanceBound, IsNeverMoreThanTheGapOfAPoint) {
  Random random(8);
  for (int k = 0; k < feature_kind_count; ++k) {
    ContactFeature surface{.form = {.kind = static_cast<FeatureKind>(k),
                                    .radius = 0.7,
                                    .half_length = 1,
                                    .ring_radius = 2}};
    if (!is_touched(surface.form.kind, FeatureKind::Sphere)) continue;
    const ContactFeature ball{.form = {.kind = FeatureKind::Sphere, .radius = 0.1}};
    for (int i = 0; i < 20; ++i) {
      surface.frame = random.frame();
      const ContactElement e = touch(surface, ball).element;
      const NodePose A = random.pose(), B = random.pose(2);
      EXPECT_LE(DistanceBound(surface, A).at(B.x), e.gap(NodePair{A, B}) + 0.1 + round_off) << k;
    }
  }
}

}  // namespace contact_surface_test
}  // namespace saltus::test
