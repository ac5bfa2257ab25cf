// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "saltus/elements/contact_element.hpp"
#include "saltus/geometry/features.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {
namespace solid_parts_test {

constexpr double radius = 0.4, half_length = 0.5;

ConvexCore drum(double rounding = 0) {
  return round_core({.half_length = half_length, .radius = {radius, radius}}, rounding);
}

ConvexCore table(const Vector3& normal = Vector3::UnitZ()) {
  return plane_core({.axes = frame_with_normal(normal), .surface_velocity = {0, 0.3, -0.2}});
}

ContactElement element_of(const CorePair& pair, TouchKind kind, int a, int b) {
  return touch(1, {}, 2, {}, pair.form(FeatureIds{kind, a, b}));
}

/// The cylinder lies along y.
NodePose lying(double x) {
  Matrix3 R;
  R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return NodePose::from({x, 0, radius}, R);
}

TEST(SolidParts, ACylinderThatRollsOnAPlaneDoesNotSlip) {
  const ConvexCore A = table(), B = drum();
  const CorePair pair(A, B);
  const NodePose ground;
  for (const int rim : {0, 1}) {
    ContactElement e = element_of(pair, TouchKind::FaceRim, 0, rim);
    e.surface_velocity.setZero();
    const double turn = 1.3;
    const NodePose from = lying(0);
    const NodePose to = from.moved({radius * turn, 0, 0}, from.R.transpose() * Vector3(0, turn, 0));
    const auto g = e.gap_and_slip(e.place({ground, from}), e.place({ground, to}), 1e-3);
    EXPECT_LT(g.norm(), 1e-15);
    const NodePose spun = from.moved(Vector3::Zero(), from.R.transpose() * Vector3(0, turn, 0));
    const auto slid = e.gap_and_slip(e.place({ground, from}), e.place({ground, spun}), 1e-3);
    EXPECT_NEAR(slid[1], -radius * turn, 1e-15);
  }
}

TEST(SolidParts, ARoundedCylinderThatRollsOnAPlaneDoesNotSlip) {
  const ConvexCore A = table(), B = drum(0.1);
  const CorePair pair(A, B);
  const NodePose ground;
  const ContactElement e = element_of(pair, TouchKind::FaceRim, 0, 1);
  const NodePose from = lying(0);
  const NodePose to =
      from.moved({(radius + 0.1) * 0.9, 0, 0}, from.R.transpose() * Vector3(0, 0.9, 0));
  const auto g = e.gap_and_slip(e.place({ground, from}), e.place({ground, to}), 0);
  EXPECT_LT(g.segment<2>(1).norm(), 1e-15);
}

// Its lowest point is anywhere, as round-off will have it.
TEST(SolidParts, AJumpOfTheLowestPointOfAFlatRimIsNoSlip) {
  const ConvexCore A = table(), B = drum();
  const CorePair pair(A, B);
  const NodePose ground;
  ContactElement e = element_of(pair, TouchKind::FaceRim, 0, 0);
  e.surface_velocity.setZero();
  const NodePose flat = NodePose::from({0.1, 0.2, half_length}, Matrix3::Identity());
  for (double angle = 0.1; angle < 3.1; angle += 0.3) {
    const NodePose from = flat.moved(Vector3::Zero(), {2e-10, 0, 0});
    const NodePose to =
        flat.moved(Vector3::Zero(), 2e-10 * Vector3(std::cos(angle), std::sin(angle), 0));
    const ContactElement::Place first = e.place({ground, from}), second = e.place({ground, to});
    EXPECT_NEAR((first.d - second.d).norm(), 2 * radius * std::sin(angle / 2), 1e-8);
    EXPECT_LT(e.gap_and_slip(first, second, 1e-3).norm(), 1e-9);
  }
}

TEST(SolidParts, ACylinderThatRollsOnAnotherDoesNotSlip) {
  const ConvexCore A = drum(), B = drum();
  const CorePair pair(A, B);
  const NodePose wheel = NodePose::from(Vector3::Zero(), Matrix3::Identity());
  for (const auto& [kind, a, b] :
       {std::tuple(TouchKind::EdgeEdge, 0, 0), std::tuple(TouchKind::RimEdge, 1, 0),
        std::tuple(TouchKind::EdgeRim, 0, 0)}) {
    const ContactElement e = element_of(pair, kind, a, b);
    const NodePose from = NodePose::from({2 * radius, 0, 0}, Matrix3::Identity());
    const double turn = 0.7;  // of the way about the first, on which the second turns twice as far
    const Vector3 centre(2 * radius * std::cos(turn), 2 * radius * std::sin(turn), 0);
    const NodePose to = from.moved(centre - from.x, {0, 0, 2 * turn});
    const auto g = e.gap_and_slip(e.place({wheel, from}), e.place({wheel, to}), 0);
    EXPECT_LT(g.norm(), 1e-14) << static_cast<int>(kind);
  }
}

TEST(SolidParts, ASphereThatRollsRoundACylinderDoesNotSlip) {
  const ConvexCore A = drum(), B = sphere_core(0.1);
  const CorePair pair(A, B);
  const FeatureIds only = *pair.only_point();
  const ContactElement e = element_of(pair, only.kind, only.a, only.b);
  const NodePose post, from = NodePose::from({radius + 0.1, 0, 0.1}, Matrix3::Identity());
  const double way = 0.6;
  const Vector3 centre((radius + 0.1) * std::cos(way), (radius + 0.1) * std::sin(way), 0.1);
  const NodePose to = from.moved(centre - from.x, {0, 0, way * (radius + 0.1) / 0.1});
  EXPECT_LT(e.gap_and_slip(e.place({post, from}), e.place({post, to}), 0).norm(), 1e-14);
}

/// Of a pair that touches: the rate of the slip, by central differences, is the velocity that the
/// rows give. Both bodies move.
void expect_rates(const CorePair& pair, TouchKind kind, int a, int b, Random& random) {
  ContactElement e = element_of(pair, kind, a, b);
  e.surface_velocity.setZero();
  NodePose A = random.pose(), B = random.pose();
  const NodePair loose{A, B};
  B.x -= e.gap(loose) * e.axes(loose).col(0);
  const NodePair q{A, B};
  ASSERT_LT(std::abs(e.gap(q)), 1e-12);
  const Vector3 u_A = random.vector(), w_A = random.vector(), u_B = random.vector(),
                w_B = random.vector();
  Vector12 v;
  v << u_A, w_A, u_B, w_B;
  const double h = 1e-5;
  const NodePose A_0 = A.moved(-h * u_A, -h * w_A), A_1 = A.moved(h * u_A, h * w_A);
  const NodePose B_0 = B.moved(-h * u_B, -h * w_B), B_1 = B.moved(h * u_B, h * w_B);
  const ContactElement::Place from = e.place({A_0, B_0}), to = e.place({A_1, B_1});
  const Vector3 slip = e.gap_and_slip(from, to, 0).head<3>();
  const Vector3 rate = (e.jacobian(q, e.axes(q, from)) * v).head<3>();
  EXPECT_NEAR((to.gap - from.gap) / (2 * h), rate[0], 1e-5 * (1 + std::abs(rate[0])));
  const double error = (slip.tail<2>() / (2 * h) - rate.tail<2>()).norm();
  EXPECT_LT(error, 3e-5 * (1 + rate.norm())) << static_cast<int>(kind);
}

TEST(SolidParts, TheRowsAreTheRateOfGapAndSlip) {
  Random random(5);
  const ConvexCore plane = table({0.3, -0.2, 0.9}), one = drum(0.1), other = drum(0.05);
  const ConvexCore box = box_core({1, 0.8, 0.6}, 0.1), ball = sphere_core(0.3);
  for (int i = 0; i < 20; ++i) {
    expect_rates({plane, one}, TouchKind::FaceRim, 0, i % 2, random);
    expect_rates({plane, one}, TouchKind::FaceVertex, 0, i, random);
    expect_rates({one, ball}, TouchKind::CoreVertex, 0, 0, random);
    expect_rates({one, other}, TouchKind::EdgeEdge, 0, 0, random);
    expect_rates({one, other}, TouchKind::FaceRim, i % 2, 0, random);
    expect_rates({one, other}, TouchKind::RimFace, i % 2, 1, random);
    expect_rates({box, one}, TouchKind::FaceRim, i % 6, 0, random);
    expect_rates({box, one}, TouchKind::VertexSide, i % 8, 0, random);
  }
}

}  // namespace solid_parts_test
}  // namespace saltus::test
