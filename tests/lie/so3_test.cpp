// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/so3.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace saltus::lie {
namespace so3_test {

const double pi = std::acos(-1.0);
const Matrix3 I = Matrix3::Identity();

// Test values of ψ and u, far from any special direction.
const Vector3 psi_0{0.3, -0.4, 0.5};
const Vector3 u_0{1, 2, 3};

// Angles from 0 to π, dense where formulas change or degenerate.
const std::array<double, 21> angles = {
    0,      1e-300, 1e-160, 1e-12, 1e-9, 1e-8, 1e-6,      1e-4,      2e-4,      1e-3, 0.1,
    0.4999, 0.5,    0.9999, 1,     2,    3,    pi - 1e-3, pi - 1e-6, pi - 1e-9, pi};

class Random {
 public:
  Vector3 vector() { return {uniform_(generator_), uniform_(generator_), uniform_(generator_)}; }
  Vector3 direction() { return vector().normalized(); }

 private:
  std::mt19937 generator_{1};  // fixed seed: the test is the same on every run
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// ∂f/∂x of a vector function of ℝ³ by the five-point stencil: error about 1e-12.
template <typename Function>
Matrix3 derivative(const Function& f, const Vector3& x) {
  const double h = 1e-3;
  Matrix3 result;
  for (int i = 0; i < 3; ++i) {
    const Vector3 dx = h * Vector3::Unit(i);
    result.col(i) = (8 * (f(x + dx) - f(x - dx)) - (f(x + 2 * dx) - f(x - 2 * dx))) / (12 * h);
  }
  return result;
}

// Derivative of a matrix function of ℝ³ in the direction u.
template <typename Function>
Matrix3 directional(const Function& f, const Vector3& x, const Vector3& u) {
  const Vector3 dx = 1e-3 * u;
  return (8 * (f(x + dx) - f(x - dx)) - (f(x + 2 * dx) - f(x - 2 * dx))) / 12e-3;
}

void expect_near(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance) {
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance) << "actual\n"
                                                                  << actual << "\nexpected\n"
                                                                  << expected;
}

TEST(Hat, IsTheCrossProductAndVeeItsInverse) {
  Random random;
  const Vector3 a = random.vector();
  const Vector3 b = random.vector();
  expect_near(hat(a) * b, a.cross(b), 1e-15);
  expect_near(vee(hat(a)), a, 0);
  expect_near(vee(hat(a) + 3 * I), a, 1e-15);
}

TEST(DoubleCrossDerivative, AgreesWithFiniteDifferences) {
  const auto f = [](const Vector3& a) -> Vector3 { return a.cross(a.cross(u_0)); };
  expect_near(double_cross_derivative(psi_0, u_0), derivative(f, psi_0), 1e-11);
}

TEST(So3Exp, IsAProperRotationAboutPsi) {
  Random random;
  for (const double angle : angles) {
    for (int sample = 0; sample < 20; ++sample) {
      const Vector3 n = random.direction();
      const Matrix3 R = so3::exp(angle * n);
      expect_near(R.transpose() * R, I, 5e-15);
      EXPECT_NEAR(R.determinant(), 1, 5e-15);
      expect_near(R * n, n, 5e-15);
      EXPECT_NEAR(R.trace(), 1 + 2 * std::cos(angle), 5e-15);
    }
  }
}

TEST(So3Exp, StaysOrthogonalBeyondAFullTurn) {
  Random random;
  for (double angle = 0; angle < 20; angle += 0.1) {
    const Matrix3 R = so3::exp(angle * random.direction());
    expect_near(R.transpose() * R, I, 2e-14);
  }
}

TEST(So3Exp, TurnsCounterClockwise) {
  expect_near(so3::exp({0, 0, pi / 2}) * Vector3::UnitX(), Vector3::UnitY(), 1e-15);
}

TEST(So3Exp, AddsAnglesAboutOneAxis) {
  Random random;
  for (const double s : angles) {
    for (const double t : angles) {
      const Vector3 n = random.direction();
      expect_near(so3::exp(s * n) * so3::exp(-t * n), so3::exp((s - t) * n), 5e-15);
      expect_near(so3::exp(s * n) * so3::exp(t * n), so3::exp((s + t) * n), 5e-15);
    }
  }
}

TEST(So3Exp, OfTheTurnedVectorIsTheConjugate) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Matrix3 R = so3::exp(3 * random.vector());
    const Vector3 psi = 3 * random.vector();
    expect_near(so3::exp(R * psi), R * so3::exp(psi) * R.transpose(), 1e-14);
  }
}

TEST(So3ExpQuaternion, IsAUnitQuaternionOfTheSameRotation) {
  Random random;
  for (const double angle : angles) {
    for (const double turns : {0.0, 1.0}) {
      const Vector3 psi = (angle + 2 * pi * turns) * random.direction();
      const Eigen::Quaterniond q = so3::exp_quaternion(psi);
      EXPECT_NEAR(q.norm(), 1, 5e-16);
      expect_near(q.toRotationMatrix(), so3::exp(psi), 5e-15);
    }
  }
}

TEST(So3ExpQuaternion, KeepsTheRelativeAccuracyOfSmallVectors) {
  Random random;
  for (const double angle : {1e-300, 1e-160, 1e-12, 1e-8}) {
    const Vector3 psi = angle * random.direction();
    expect_near(so3::exp_quaternion(psi).vec() / angle, psi / (2 * angle), 1e-16);
  }
}

TEST(So3Log, InvertsExpForAllAnglesUpToPi) {
  Random random;
  for (const double angle : angles) {
    for (int sample = 0; sample < 100; ++sample) {
      const Vector3 psi = angle * random.direction();
      if (angle < pi) {
        expect_near(so3::log(so3::exp(psi)), psi, 3e-15);
        expect_near(so3::log(so3::exp_quaternion(psi)), psi, 3e-15);
      }
      expect_near(so3::exp(so3::log(so3::exp(psi))), so3::exp(psi), 3e-15);
    }
  }
}

TEST(So3Log, KeepsTheRelativeAccuracyOfSmallVectors) {
  Random random;
  for (const double angle : {1e-300, 1e-160, 1e-12, 1e-8, 1e-5, 1.9e-4, 2.1e-4}) {
    const Vector3 psi = angle * random.direction();
    expect_near(so3::log(so3::exp(psi)) / angle, psi / angle, 1e-15);
    expect_near(so3::log(so3::exp_quaternion(psi)) / angle, psi / angle, 1e-15);
  }
}

// The three branches of the largest diagonal entry, with the axis nearly and exactly along e_i.
TEST(So3Log, IsAccurateAtAHalfTurnAboutEveryAxis) {
  for (int i = 0; i < 3; ++i) {
    for (const double tilt : {0.0, 1e-12, 1e-8, 1e-4, 0.5}) {
      const Vector3 n = (Vector3::Unit(i) + tilt * Vector3{0.6, -0.3, 0.8}).normalized();
      const Vector3 psi = so3::log(so3::exp(pi * n));
      EXPECT_NEAR(psi.norm(), pi, 5e-15);
      EXPECT_NEAR(std::abs(psi.dot(n)), pi, 5e-15);
      expect_near(psi.cross(n), Vector3::Zero(), 5e-15);
    }
  }
}

TEST(So3Log, JumpsToTheOppositeVectorBeyondPi) {
  Random random;
  for (const double excess : {1e-9, 1e-3, 1.0, 3.0}) {
    const Vector3 n = random.direction();
    expect_near(so3::log(so3::exp((pi + excess) * n)), -(pi - excess) * n, 5e-15);
    expect_near(so3::log(so3::exp_quaternion((pi + excess) * n)), -(pi - excess) * n, 5e-15);
  }
}

TEST(So3Log, IgnoresTheSignAndTheNormOfAQuaternion) {
  Random random;
  for (const double angle : angles) {
    if (angle == pi) continue;
    const Vector3 psi = angle * random.direction();
    const Eigen::Quaterniond q = so3::exp_quaternion(psi);
    expect_near(so3::log(Eigen::Quaterniond(-q.coeffs())), psi, 3e-15);
    expect_near(so3::log(Eigen::Quaterniond(1e3 * q.coeffs())), psi, 3e-15);
  }
}

TEST(So3Tangent, IsTheMaterialDerivativeOfExp) {
  Random random;
  for (const double angle : {0.0, 1e-6, 0.3, 0.5, 1.0, 2.5, 3.1, 5.0}) {
    const Vector3 psi = angle * random.direction();
    const Vector3 u = random.vector();
    const Matrix3 dR = directional(so3::exp, psi, u);
    expect_near(so3::exp(psi).transpose() * dR, hat(so3::tangent(psi) * u), 1e-11);
  }
}

TEST(So3Tangent, TimesItsInverseIsTheIdentity) {
  Random random;
  for (const double angle : angles) {
    const Vector3 psi = angle * random.direction();
    expect_near(so3::tangent(psi) * so3::tangent_inverse(psi), I, 3e-15);
  }
  const Vector3 beyond_pi = 5 * random.direction();
  expect_near(so3::tangent(beyond_pi) * so3::tangent_inverse(beyond_pi), I, 2e-14);
}

TEST(So3Tangent, TransposeIsTheOperatorOfTheFixedAxes) {
  Random random;
  for (const double angle : angles) {
    const Vector3 psi = angle * random.direction();
    expect_near(so3::tangent(psi).transpose(), so3::tangent(-psi), 0);
    expect_near(so3::tangent_inverse(psi).transpose(), so3::tangent_inverse(-psi), 0);
    expect_near(so3::tangent(psi).transpose() * so3::tangent_inverse(psi), so3::exp(psi), 4e-15);
    expect_near(so3::tangent(psi) * psi, psi, 2e-15);
  }
}

TEST(So3Derivatives, AgreeWithFiniteDifferences) {
  Random random;
  for (const double angle : {0.0, 1e-6, 1e-3, 0.1, 0.49, 0.51, 0.99, 1.01, 2.0, 3.1, 4.5}) {
    SCOPED_TRACE(testing::Message() << "angle " << angle);
    const Vector3 psi = angle * random.direction();
    const Vector3 w = random.vector();
    const auto T_w = [&](const Vector3& x) -> Vector3 { return so3::tangent(x) * w; };
    const auto inverse_w = [&](const Vector3& x) -> Vector3 { return so3::tangent_inverse(x) * w; };
    const auto inverse_transpose_w = [&](const Vector3& x) -> Vector3 {
      return so3::tangent_inverse(x).transpose() * w;
    };
    expect_near(so3::tangent_derivative(psi, w), derivative(T_w, psi), 1e-11);
    expect_near(so3::tangent_inverse_derivative(psi, w), derivative(inverse_w, psi), 2e-11);
    expect_near(so3::tangent_inverse_transpose_derivative(psi, w),
                derivative(inverse_transpose_w, psi), 2e-11);
    expect_near(so3::tangent_directional(psi, w), directional(so3::tangent, psi, w), 1e-11);
    expect_near(so3::tangent_inverse_directional(psi, w), directional(so3::tangent_inverse, psi, w),
                2e-11);
  }
}

// Two ways to the same second derivative: (∂(T w)/∂ψ) u = DT(ψ; u) w, and for T⁻¹.
TEST(So3Derivatives, OfVectorAndOfMatrixAgree) {
  Random random;
  for (const double angle : angles) {
    const Vector3 psi = angle * random.direction();
    const Vector3 u = random.vector();
    const Vector3 w = random.vector();
    expect_near(so3::tangent_derivative(psi, w) * u, so3::tangent_directional(psi, u) * w, 2e-15);
    const Matrix3 Q = so3::tangent_inverse_directional(psi, u);
    expect_near(so3::tangent_inverse_derivative(psi, w) * u, Q * w, 3e-15);
    expect_near(so3::tangent_inverse_transpose_derivative(psi, w) * u, Q.transpose() * w, 3e-15);
  }
}

// rotations.md (34): one step's spatial increment is R_n ψ, and rotations about one axis add up.
TEST(So3AccumulatedRotation, CountsTurnsAboutAFixedAxis) {
  const Vector3 axis = Vector3{1, -2, 2} / 3;
  Matrix3 R = so3::exp({0.4, 0.1, -0.9});
  Vector3 accumulated = Vector3::Zero();
  for (int n = 0; n < 1000; ++n) {
    const Vector3 psi = R.transpose() * (0.1 * axis);
    const Matrix3 R_np1 = R * so3::exp(psi);
    expect_near(R_np1, so3::exp(R * psi) * R, 1e-13);
    accumulated += R * psi;
    R = R_np1;
  }
  expect_near(accumulated, 100 * axis, 1e-10);
}

TEST(So3, HasTheNumbersOfTheTheoryPage) {
  Matrix3 T, T_inverse;
  T << 0.93335480329, 0.220249491692, 0.21618671138,    //
      -0.259261314157, 0.944733251509, 0.111343389701,  //
      -0.167421933299, -0.176363093808, 0.959362684933;
  T_inverse << 0.96554517865, -0.260084337956, -0.187394577555,  //
      0.239915662044, 0.971427709124, -0.166807229927,           //
      0.212605422445, 0.133192770073, 0.978990962591;
  expect_near(so3::tangent(psi_0), T, 1e-12);
  expect_near(so3::tangent_inverse(psi_0), T_inverse, 1e-12);
  expect_near(so3::tangent_directional(psi_0, u_0).row(0),
              Vector3(-0.220896644911, 1.432698901758, -0.766130733274).transpose(), 1e-12);
  expect_near(so3::tangent_inverse_directional(psi_0, u_0).row(0),
              Vector3(-0.11881713191, -1.483534191269, 1.118077385984).transpose(), 1e-12);
  expect_near(so3::tangent_inverse_derivative(psi_0, u_0).row(0),
              Vector3(0.058654594146, 1.61787822362, -1.008688132627).transpose(), 1e-12);
}

}  // namespace so3_test
}  // namespace saltus::lie
