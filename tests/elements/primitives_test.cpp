// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/derivative.hpp"
#include "tests/support/random.hpp"
#include "tests/support/rigid_motion.hpp"

namespace saltus {
namespace primitives_test {

using namespace test;
using lie::hat;
using Matrix3x12 = Eigen::Matrix<double, 3, 12>;

constexpr int samples = 100;
constexpr double pi = std::numbers::pi;

template <class Primitive>
Primitive random_primitive(Random& random);
template <>
Dot1 random_primitive(Random& random) {
  return {random.vector(), random.vector()};
}
template <>
Dot2 random_primitive(Random& random) {
  return {random.vector(), random.vector(), random.vector()};
}
template <>
PointDistance random_primitive(Random& random) {
  return {random.vector(), random.vector()};
}
template <>
TwistAngle random_primitive(Random& random) {
  const Matrix3 E_A = random.rotation(), E_B = random.rotation();
  return {E_A.col(0), E_A.col(1), E_B.col(0)};
}

/// Whether a primitive is smooth enough there for a stencil of step 1e-3.
bool is_regular(const Dot1&, const NodePair&) { return true; }
bool is_regular(const Dot2&, const NodePair&) { return true; }
bool is_regular(const PointDistance& s, const NodePair& pair) { return s.value(pair) > 0.3; }
bool is_regular(const TwistAngle& s, const NodePair& pair) {
  const double sine = Dot1{s.a2, s.b1}.value(pair), cosine = Dot1{s.a1, s.b1}.value(pair);
  return std::hypot(sine, cosine) > 0.4 && std::abs(s.value(pair)) < 3.1;  // no jump at ±π
}

/// Calls check(primitive, pair, random) at many random states.
template <class Primitive, class Check>
void at_random_states(const Check& check) {
  Random random;
  for (int sample = 0; sample < samples;) {
    const Primitive s = random_primitive<Primitive>(random);
    const NodePose A = random.pose(2), B = random.pose(2);
    const NodePair pair{A, B};
    if (!is_regular(s, pair)) continue;
    check(s, pair, random);
    ++sample;
  }
}

template <class Primitive>
Matrix12 hessian(const Primitive& s, const NodePair& pair, double factor = 1) {
  Matrix12 H = Matrix12::Zero();
  s.add_hessian(pair, factor, H);
  return H;
}

template <class Primitive>
void expect_gradient_is_derivative() {
  Agreement agreement("gradient");
  at_random_states<Primitive>([&](const Primitive& s, const NodePair& pair, Random&) {
    const auto value = [&](const NodePair& p) { return one(s.value(p)); };
    agreement.compare(s.gradient(pair), pose_derivative(value, pair));
  });
  agreement.expect_within(1e-10);
}

template <class Primitive>
void expect_hessian_is_derivative_of_gradient() {
  Agreement agreement("hessian");
  at_random_states<Primitive>([&](const Primitive& s, const NodePair& pair, Random&) {
    const auto gradient = [&](const NodePair& p) -> VectorX { return s.gradient(p).transpose(); };
    agreement.compare(hessian(s, pair), pose_derivative(gradient, pair));
  });
  agreement.expect_within(1e-9);
}

/// Two variations of a rotation do not commute: H − Hᵀ is the cross product with the gradient.
template <class Primitive>
void expect_hessian_is_symmetric_but_for_the_group() {
  Agreement agreement("antisymmetric part");
  at_random_states<Primitive>([&](const Primitive& s, const NodePair& pair, Random&) {
    const Matrix12 H = hessian(s, pair);
    const Row12 G = s.gradient(pair);
    Matrix12 expected = Matrix12::Zero();
    expected.block<3, 3>(3, 3) = hat(G.segment<3>(3).transpose());
    expected.block<3, 3>(9, 9) = hat(G.segment<3>(9).transpose());
    agreement.compare(H - H.transpose(), expected);
  });
  agreement.expect_within(1e-13);
}

template <class Primitive>
void expect_hessian_is_added_with_its_factor() {
  Agreement agreement("factor");
  at_random_states<Primitive>([&](const Primitive& s, const NodePair& pair, Random& random) {
    const Matrix12 before = random.vector_x(12) * random.vector_x(12).transpose();
    Matrix12 H = before;
    s.add_hessian(pair, -2.5, H);
    agreement.compare(H, before - 2.5 * hessian(s, pair));
  });
  agreement.expect_within(1e-14);
}

template <class Primitive>
void expect_objective() {
  Agreement value("value"), gradient("rigid velocity"), acceleration("rigid acceleration");
  at_random_states<Primitive>([&](const Primitive& s, const NodePair& pair, Random& random) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector(3);
    const NodePose A = carried(pair.A, R, x), B = carried(pair.B, R, x);
    value.compare(s.value({A, B}), s.value(pair));
    const Vector12 v = rigid_velocity(pair, random.vector(), random.vector());
    gradient.compare(s.gradient(pair).dot(v), 0.0);
    // Moving on with the velocity field keeps s: its second derivative is zero as well. The angular
    // velocities are constant, the linear ones turn with w.
    const Vector3 w = pair.A.R * v.segment<3>(3);
    Vector12 vdot = Vector12::Zero();
    vdot.head<3>() = w.cross(v.head<3>());
    vdot.segment<3>(6) = w.cross(v.segment<3>(6));
    acceleration.compare(s.gradient(pair).dot(vdot) + v.dot(hessian(s, pair) * v), 0.0);
  });
  value.expect_within(2e-14);
  gradient.expect_within(1e-13);
  acceleration.expect_within(1e-12);
}

TEST(Dot1, GradientIsDerivative) { expect_gradient_is_derivative<Dot1>(); }
TEST(Dot2, GradientIsDerivative) { expect_gradient_is_derivative<Dot2>(); }
TEST(PointDistance, GradientIsDerivative) { expect_gradient_is_derivative<PointDistance>(); }
TEST(TwistAngle, GradientIsDerivative) { expect_gradient_is_derivative<TwistAngle>(); }

TEST(Dot1, HessianIsDerivativeOfGradient) { expect_hessian_is_derivative_of_gradient<Dot1>(); }
TEST(Dot2, HessianIsDerivativeOfGradient) { expect_hessian_is_derivative_of_gradient<Dot2>(); }
TEST(PointDistance, HessianIsDerivativeOfGradient) {
  expect_hessian_is_derivative_of_gradient<PointDistance>();
}
TEST(TwistAngle, HessianIsDerivativeOfGradient) {
  expect_hessian_is_derivative_of_gradient<TwistAngle>();
}

TEST(Dot1, HessianIsSymmetricButForTheGroup) {
  expect_hessian_is_symmetric_but_for_the_group<Dot1>();
}
TEST(Dot2, HessianIsSymmetricButForTheGroup) {
  expect_hessian_is_symmetric_but_for_the_group<Dot2>();
}
TEST(PointDistance, HessianIsSymmetricButForTheGroup) {
  expect_hessian_is_symmetric_but_for_the_group<PointDistance>();
}
TEST(TwistAngle, HessianIsSymmetricButForTheGroup) {
  expect_hessian_is_symmetric_but_for_the_group<TwistAngle>();
}

TEST(Dot1, HessianIsAddedWithItsFactor) { expect_hessian_is_added_with_its_factor<Dot1>(); }
TEST(Dot2, HessianIsAddedWithItsFactor) { expect_hessian_is_added_with_its_factor<Dot2>(); }
TEST(PointDistance, HessianIsAddedWithItsFactor) {
  expect_hessian_is_added_with_its_factor<PointDistance>();
}
TEST(TwistAngle, HessianIsAddedWithItsFactor) {
  expect_hessian_is_added_with_its_factor<TwistAngle>();
}

TEST(Dot1, RigidMotionOfBothNodesChangesNothing) { expect_objective<Dot1>(); }
TEST(Dot2, RigidMotionOfBothNodesChangesNothing) { expect_objective<Dot2>(); }
TEST(PointDistance, RigidMotionOfBothNodesChangesNothing) { expect_objective<PointDistance>(); }
TEST(TwistAngle, RigidMotionOfBothNodesChangesNothing) { expect_objective<TwistAngle>(); }

TEST(Dot1, ValueIsTheCosine) {
  const NodePose A, B = NodePose::from({5, 6, 7}, lie::so3::exp({0, 0, 0.3}));
  EXPECT_NEAR((Dot1{Vector3::UnitX(), Vector3::UnitX()}.value({A, B})), std::cos(0.3), 1e-15);
  EXPECT_NEAR((Dot1{Vector3::UnitY(), Vector3::UnitX()}.value({A, B})), std::sin(0.3), 1e-15);
}

TEST(Dot2, ValueIsTheDistanceAlongTheDirectionOfA) {
  const Matrix3 R = lie::so3::exp({0, 0, pi / 2});  // A's x is the inertial y
  const NodePose A = NodePose::from({1, 2, 3}, R), B = NodePose::from({4, 7, 9}, R);
  const Dot2 s{Vector3::UnitX(), {0.5, 0, 0}, {0.25, 0, 0}};
  EXPECT_NEAR(s.value({A, B}), (7 + 0.25) - (2 + 0.5), 1e-14);
}

TEST(PointDistance, ValueIsTheDistance) {
  const NodePose A = NodePose::from({1, 1, 1}, Matrix3::Identity());
  const NodePose B = NodePose::from({1, 1, 1}, lie::so3::exp({0, 0, pi / 2}));
  EXPECT_NEAR((PointDistance{{0, -3, 0}, {0, -4, 0}}.value({A, B})), 5, 1e-14);
}

TEST(PointDistance, GradientIsExactForNearPoints) {
  const Vector3 n = Vector3(1, 2, -2) / 3;
  for (const double l : {1e-3, 1e-8, 1e-15, 1e-150}) {
    const NodePose A, B = NodePose::from(l * n, Matrix3::Identity());
    const PointDistance s{Vector3::Zero(), Vector3::Zero()};
    EXPECT_NEAR(s.value({A, B}) / l, 1, 1e-14);
    EXPECT_LE((s.gradient({A, B}).segment<3>(6).transpose() - n).norm(), 1e-14) << l;
    const Matrix3 block = l * hessian(s, {A, B}).block<3, 3>(6, 6);
    EXPECT_LE((block - (Matrix3::Identity() - n * n.transpose())).norm(), 1e-13) << l;
  }
}

TEST(PointDistance, CoincidentPointsGiveNoNotANumber) {
  const NodePose A, B;
  const PointDistance s{{1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(s.value({A, B}), 0);
  EXPECT_TRUE(s.gradient({A, B}).allFinite());
  EXPECT_TRUE(hessian(s, {A, B}).allFinite());
}

TEST(TwistAngle, ValueIsTheAngleAboutTheThirdAxis) {
  Random random;
  Agreement angle("angle"), on_A("gradient A"), on_B("gradient B");
  for (int sample = 0; sample < samples; ++sample) {
    const Matrix3 E_A = random.rotation(), E_B = random.rotation();
    const double theta = random.uniform(-3.14, 3.14);
    const NodePose A = random.pose();
    const NodePose B =
        NodePose::from(random.vector(), A.R * E_A * lie::so3::exp({0, 0, theta}) * E_B.transpose());
    const TwistAngle s{E_A.col(0), E_A.col(1), E_B.col(0)};
    angle.compare(s.value({A, B}), theta);
    const Row12 G = s.gradient({A, B});
    on_A.compare(G.segment<3>(3).transpose(), -E_A.col(2));
    on_B.compare(G.segment<3>(9).transpose(), E_B.col(2));
  }
  angle.expect_within(1e-14);
  on_A.expect_within(1e-14);
  on_B.expect_within(1e-14);
}

// ---- PointDifference
// -----------------------------------------------------------------------------

template <class Check>
void at_random_point_differences(const Check& check) {
  Random random;
  for (int sample = 0; sample < samples; ++sample) {
    const PointDifference r{random.vector(), random.vector()};
    const NodePose A = random.pose(2), B = random.pose(2);
    check(r, NodePair{A, B}, random);
  }
}

TEST(PointDifference, GradientIsDerivative) {
  Agreement agreement("gradient");
  at_random_point_differences([&](const PointDifference& r, const NodePair& pair, Random&) {
    const auto value = [&](const NodePair& p) -> VectorX { return r.value(p); };
    agreement.compare(r.gradient(pair), pose_derivative(value, pair));
  });
  agreement.expect_within(1e-11);
}

TEST(PointDifference, HessianIsDerivativeOfTheForce) {
  Agreement agreement("hessian");
  at_random_point_differences([&](const PointDifference& r, const NodePair& pair, Random& random) {
    const Vector3 lambda = random.vector();
    const auto force = [&](const NodePair& p) -> VectorX {
      return r.gradient(p).transpose() * lambda;
    };
    Matrix12 H = Matrix12::Zero();
    r.add_hessian(pair, lambda, H);
    agreement.compare(H, pose_derivative(force, pair));
  });
  agreement.expect_within(1e-11);
}

TEST(PointDifference, RateGradientIsDerivativeOfTheRate) {
  Agreement agreement("rate gradient");
  at_random_point_differences([&](const PointDifference& r, const NodePair& pair, Random& random) {
    const Vector12 v = random.velocity();
    const auto rate = [&](const NodePair& p) -> VectorX { return r.gradient(p) * v; };
    agreement.compare(r.rate_gradient(pair, v), pose_derivative(rate, pair));
  });
  agreement.expect_within(1e-11);
}

TEST(PointDifference, TurnsWithARigidMotion) {
  Agreement value("value"), rate("rate");
  at_random_point_differences([&](const PointDifference& r, const NodePair& pair, Random& random) {
    const Matrix3 R = random.rotation();
    const Vector3 x = random.vector();
    const NodePose A = carried(pair.A, R, x), B = carried(pair.B, R, x);
    value.compare(r.value({A, B}), R * r.value(pair));
    const Vector3 w = random.vector();
    rate.compare(r.gradient(pair) * rigid_velocity(pair, random.vector(), w),
                 w.cross(r.value(pair)));
  });
  value.expect_within(1e-14);
  rate.expect_within(1e-14);
}

}  // namespace primitives_test
}  // namespace saltus
