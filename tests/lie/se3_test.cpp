// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/se3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace saltus::lie {
namespace se3_test {

using se3::Transform;

const double pi = std::acos(-1.0);

class Random {
 public:
  Vector6 vector() {
    return Vector6::NullaryExpr([this](Eigen::Index) { return uniform_(generator_); });
  }

  // A random u and a rotation vector of the given angle.
  Vector6 of_angle(double angle) {
    Vector6 h = vector();
    h.tail<3>() *= angle / h.tail<3>().norm();
    return h;
  }

  Transform transform() { return se3::exp(2 * vector()); }

 private:
  std::mt19937 generator_{2};  // fixed seed: the test is the same on every run
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

Eigen::Matrix4d homogeneous(const Transform& g) {
  Eigen::Matrix4d result = Eigen::Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = g.R;
  result.topRightCorner<3, 1>() = g.x;
  return result;
}

Eigen::Matrix4d hat6(const Vector6& h) {
  Eigen::Matrix4d result = Eigen::Matrix4d::Zero();
  result.topLeftCorner<3, 3>() = hat(h.tail<3>());
  result.topRightCorner<3, 1>() = h.head<3>();
  return result;
}

// Five-point stencil in the direction u: error about 1e-12.
template <typename Function>
auto directional(const Function& f, const Vector6& x, const Vector6& u) {
  const Vector6 dx = 1e-3 * u;
  return ((8 * (f(x + dx) - f(x - dx)) - (f(x + 2 * dx) - f(x - 2 * dx))) / 12e-3).eval();
}

template <typename Function>
Matrix6 derivative(const Function& f, const Vector6& x) {
  Matrix6 result;
  for (int i = 0; i < 6; ++i) result.col(i) = directional(f, x, Vector6::Unit(i));
  return result;
}

void expect_near(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance) {
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance) << "actual\n"
                                                                  << actual << "\nexpected\n"
                                                                  << expected;
}

void expect_near(const Transform& actual, const Transform& expected, double tolerance) {
  expect_near(homogeneous(actual), homogeneous(expected), tolerance);
}

TEST(Se3, IsAGroup) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g1 = random.transform();
    const Transform g2 = random.transform();
    const Transform g3 = random.transform();
    expect_near(homogeneous(compose(g1, g2)), homogeneous(g1) * homogeneous(g2), 4e-15);
    expect_near(compose(compose(g1, g2), g3), compose(g1, compose(g2, g3)), 1e-14);
    expect_near(compose(g1, inverse(g1)), Transform{}, 4e-15);
    expect_near(compose(inverse(g1), g1), Transform{}, 4e-15);
    expect_near(compose(g1, Transform{}), g1, 0);
  }
}

// The power series of the 4 × 4 matrix is independent of every formula of the module.
TEST(Se3Exp, IsTheMatrixExponential) {
  Random random;
  for (const double angle : {1e-8, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0}) {
    const Vector6 h = random.of_angle(angle);
    Eigen::Matrix4d term = Eigen::Matrix4d::Identity();
    Eigen::Matrix4d sum = term;
    for (int k = 1; k < 40; ++k) {
      term = term * hat6(h) / k;
      sum += term;
    }
    expect_near(homogeneous(se3::exp(h)), sum, 2e-14);
  }
}

TEST(Se3Exp, AddsAlongOneScrew) {
  Random random;
  for (const double angle : {1e-12, 1e-4, 0.3, 1.0, 2.0}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(compose(se3::exp(0.7 * h), se3::exp(0.9 * h)), se3::exp(1.6 * h), 4e-15);
    expect_near(compose(se3::exp(h), se3::exp(-h)), Transform{}, 4e-15);
  }
}

TEST(Se3Log, InvertsExpForAllAnglesUpToPi) {
  Random random;
  for (const double angle :
       {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.1, 0.5, 1.0, 2.0, 3.0, pi - 1e-6, pi - 1e-9}) {
    for (int sample = 0; sample < 20; ++sample) {
      const Vector6 h = angle == 0 ? Vector6(1, 2, 3, 0, 0, 0) : random.of_angle(angle);
      expect_near(se3::log(se3::exp(h)), h, 5e-15);
    }
  }
}

TEST(Se3Log, AtAHalfTurnExponentiatesBack) {
  Random random;
  const Transform g = se3::exp(random.of_angle(pi));
  EXPECT_NEAR(se3::log(g).tail<3>().norm(), pi, 5e-15);
  expect_near(se3::exp(se3::log(g)), g, 5e-15);
}

TEST(Se3Adjoint, IsAHomomorphism) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g1 = random.transform();
    const Transform g2 = random.transform();
    expect_near(adjoint(compose(g1, g2)), adjoint(g1) * adjoint(g2), 2e-14);
    expect_near(adjoint(inverse(g1)) * adjoint(g1), Matrix6::Identity(), 1e-14);
  }
}

TEST(Se3Adjoint, OfTheAlgebraIsTheConjugate) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g = random.transform();
    const Vector6 h = random.vector();
    const Transform conjugate = compose(compose(g, se3::exp(h)), inverse(g));
    expect_near(se3::exp(adjoint(g) * h), conjugate, 2e-14);
  }
}

TEST(Se3Tangent, IsTheMaterialDerivativeOfExp) {
  Random random;
  const auto exp = [](const Vector6& h) { return homogeneous(se3::exp(h)); };
  for (const double angle : {1e-6, 0.3, 0.5, 1.0, 2.5, 3.1, 5.0}) {
    const Vector6 h = random.of_angle(angle);
    const Vector6 dh = random.vector();
    const Eigen::Matrix4d variation = homogeneous(inverse(se3::exp(h))) * directional(exp, h, dh);
    expect_near(variation, hat6(se3::tangent(h) * dh), 1e-11);
  }
}

TEST(Se3Tangent, TimesItsInverseIsTheIdentity) {
  Random random;
  for (const double angle : {1e-300, 1e-12, 1e-4, 0.1, 0.5, 1.0, 2.0, 3.0, pi}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(se3::tangent(h) * se3::tangent_inverse(h), Matrix6::Identity(), 5e-15);
    expect_near(se3::tangent(h) * h, h, 5e-15);
  }
}

// rotations.md (27)
TEST(Se3Tangent, OfTheFixedAxesIsThatOfMinusH) {
  Random random;
  for (const double angle : {1e-12, 1e-4, 0.1, 0.5, 1.0, 2.0, 3.0, pi}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(se3::tangent_inverse(h) * adjoint(se3::exp(-h)), se3::tangent_inverse(-h), 1e-14);
  }
}

TEST(Se3Derivatives, AgreeWithFiniteDifferences) {
  Random random;
  for (const double angle : {1e-12, 1e-6, 1e-3, 0.1, 0.49, 0.51, 0.99, 1.01, 2.0, 3.1, 4.5}) {
    SCOPED_TRACE(testing::Message() << "angle " << angle);
    const Vector6 h = random.of_angle(angle);
    const Vector6 w = random.vector();
    const auto inverse_w = [&](const Vector6& x) -> Vector6 { return se3::tangent_inverse(x) * w; };
    const auto inverse_transpose_w = [&](const Vector6& x) -> Vector6 {
      return se3::tangent_inverse(x).transpose() * w;
    };
    expect_near(se3::tangent_inverse_derivative(h, w), derivative(inverse_w, h), 5e-11);
    expect_near(se3::tangent_inverse_transpose_derivative(h, w), derivative(inverse_transpose_w, h),
                5e-11);
  }
}

// The derivative of log is T⁻¹: log(g exp(δ)) = log g + T⁻¹ δ + O(δ²).
TEST(Se3Derivatives, OfLogIsTheInverseTangent) {
  Random random;
  const Vector6 h = random.of_angle(2);
  const auto log = [&](const Vector6& delta) -> Vector6 {
    return se3::log(compose(se3::exp(h), se3::exp(delta)));
  };
  expect_near(se3::tangent_inverse(h), derivative(log, Vector6::Zero()), 1e-11);
}

TEST(Se3, HasTheNumbersOfTheTheoryPage) {
  const Vector6 h(1, 2, 3, 0.3, -0.4, 0.5);
  expect_near(se3::exp(h).x, Vector3(-0.087433624921, 1.580626713284, 3.31696154558), 1e-12);
  expect_near(se3::tangent(h).block<1, 3>(0, 3),
              Vector3(-0.220896644911, 1.432698901758, -0.766130733274).transpose(), 1e-12);
  expect_near(se3::tangent_inverse(h).block<1, 3>(0, 3),
              Vector3(-0.11881713191, -1.483534191269, 1.118077385984).transpose(), 1e-12);
}

}  // namespace se3_test
}  // namespace saltus::lie
