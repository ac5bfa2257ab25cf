// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/r3xso3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace saltus::lie {
namespace r3xso3_test {

using r3xso3::Transform;

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

  Transform transform() { return r3xso3::exp(2 * vector()); }

 private:
  std::mt19937 generator_{3};  // fixed seed: the test is the same on every run
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

void expect_near(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance) {
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance) << "actual\n"
                                                                  << actual << "\nexpected\n"
                                                                  << expected;
}

void expect_near(const Transform& actual, const Transform& expected, double tolerance) {
  expect_near(actual.R, expected.R, tolerance);
  expect_near(actual.x, expected.x, tolerance);
}

TEST(R3xSo3, IsAGroup) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g1 = random.transform();
    const Transform g2 = random.transform();
    const Transform g3 = random.transform();
    expect_near(compose(compose(g1, g2), g3), compose(g1, compose(g2, g3)), 4e-15);
    expect_near(compose(g1, inverse(g1)), Transform{}, 4e-15);
    expect_near(compose(inverse(g1), g1), Transform{}, 4e-15);
    expect_near(compose(g1, Transform{}), g1, 0);
  }
}

TEST(R3xSo3, DoesNotTurnPositions) {
  Random random;
  const Transform g1 = random.transform();
  const Transform g2 = random.transform();
  expect_near(compose(g1, g2).x, g1.x + g2.x, 0);
  expect_near(compose(g1, g2).R, g1.R * g2.R, 1e-15);
}

TEST(R3xSo3Exp, AddsAlongOneDirection) {
  Random random;
  for (const double angle : {1e-12, 1e-4, 0.3, 1.0, 2.0}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(compose(r3xso3::exp(0.7 * h), r3xso3::exp(0.9 * h)), r3xso3::exp(1.6 * h), 3e-15);
  }
}

TEST(R3xSo3Log, InvertsExpForAllAnglesUpToPi) {
  Random random;
  for (const double angle : {1e-300, 1e-12, 1e-8, 1e-4, 0.1, 0.5, 1.0, 2.0, 3.0, pi - 1e-9}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(r3xso3::log(r3xso3::exp(h)), h, 3e-15);
  }
  expect_near(r3xso3::log(Transform{}), Vector6::Zero(), 0);
  const Transform half_turn = r3xso3::exp(random.of_angle(pi));
  expect_near(r3xso3::exp(r3xso3::log(half_turn)), half_turn, 3e-15);
}

TEST(R3xSo3Adjoint, IsAHomomorphism) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g1 = random.transform();
    const Transform g2 = random.transform();
    expect_near(adjoint(compose(g1, g2)), adjoint(g1) * adjoint(g2), 2e-15);
    expect_near(adjoint(inverse(g1)) * adjoint(g1), Matrix6::Identity(), 3e-15);
  }
}

TEST(R3xSo3Adjoint, OfTheAlgebraIsTheConjugate) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Transform g = random.transform();
    const Vector6 h = random.vector();
    expect_near(r3xso3::exp(adjoint(g) * h), compose(compose(g, r3xso3::exp(h)), inverse(g)),
                4e-15);
  }
}

// The velocity of t ↦ exp(h(t)) is v = [ẋ; Ω] = T(h) ḣ, by the five-point stencil.
TEST(R3xSo3Tangent, GivesTheNodesVelocity) {
  Random random;
  for (const double angle : {1e-6, 0.3, 0.5, 1.0, 2.5, 3.1, 5.0}) {
    const Vector6 h = random.of_angle(angle);
    const Vector6 hdot = random.vector();
    const auto at = [&](double t) { return r3xso3::exp(h + t * hdot); };
    const double s = 1e-3;
    const Transform p1 = at(s), m1 = at(-s), p2 = at(2 * s), m2 = at(-2 * s);
    const Matrix3 Rdot = (8 * (p1.R - m1.R) - (p2.R - m2.R)) / (12 * s);
    Vector6 v;
    v << (8 * (p1.x - m1.x) - (p2.x - m2.x)) / (12 * s), vee(at(0).R.transpose() * Rdot);
    expect_near(r3xso3::tangent(h) * hdot, v, 1e-11);
  }
}

TEST(R3xSo3Tangent, TimesItsInverseIsTheIdentity) {
  Random random;
  for (const double angle : {1e-300, 1e-12, 1e-4, 0.1, 0.5, 1.0, 2.0, 3.0, pi}) {
    const Vector6 h = random.of_angle(angle);
    expect_near(r3xso3::tangent(h) * r3xso3::tangent_inverse(h), Matrix6::Identity(), 3e-15);
    expect_near(r3xso3::tangent(h) * h, h, 3e-15);
  }
}

}  // namespace r3xso3_test
}  // namespace saltus::lie
