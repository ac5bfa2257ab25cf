// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/alpha_coefficients.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

namespace saltus {
namespace alpha_coefficients_test {

using Eigen::Matrix3d;

/// The method on ẍ = −Ω² x with h = 1: (x, v, a) at the end of a step from those at its beginning,
/// by equations (1)–(3) of generalized_alpha.md.
Matrix3d amplification(double rho_inf, double Omega) {
  const AlphaCoefficients c(rho_inf);
  Matrix3d left, right;
  left << 1, 0, -c.beta,                                    // (1)
      0, 1, -c.gamma,                                       // (2)
      (1 - c.alpha_f) * Omega * Omega, 0, (1 - c.alpha_m);  // (3)
  right << 1, 1, 0.5 - c.beta,                              //
      0, 1, 1 - c.gamma,                                    //
      -c.alpha_f * Omega * Omega, 0, -c.alpha_m;
  return left.inverse() * right;
}

/// det(λ I − A)
template <class Scalar>
Scalar characteristic(const Matrix3d& A, Scalar lambda) {
  const double trace = A.trace();
  const double minors = (trace * trace - (A * A).trace()) / 2;
  return lambda * (lambda * (lambda - trace) + minors) - A.determinant();
}

TEST(AlphaCoefficients, AreThoseOfTheTable) {
  const AlphaCoefficients none(1), usual(0.8), most(0);
  EXPECT_DOUBLE_EQ(none.alpha_m, 0.5);
  EXPECT_DOUBLE_EQ(none.alpha_f, 0.5);
  EXPECT_DOUBLE_EQ(none.gamma, 0.5);
  EXPECT_DOUBLE_EQ(none.beta, 0.25);
  EXPECT_DOUBLE_EQ(usual.alpha_m, 1.0 / 3);
  EXPECT_DOUBLE_EQ(usual.alpha_f, 4.0 / 9);
  EXPECT_DOUBLE_EQ(usual.gamma, 11.0 / 18);
  EXPECT_DOUBLE_EQ(usual.beta, 25.0 / 81);
  EXPECT_DOUBLE_EQ(most.alpha_m, -1);
  EXPECT_DOUBLE_EQ(most.alpha_f, 0);
  EXPECT_DOUBLE_EQ(most.gamma, 1.5);
  EXPECT_DOUBLE_EQ(most.beta, 1);
}

TEST(AlphaCoefficients, MeetTheConditionsOfStabilityForEveryRadius) {
  for (int i = 0; i <= 20; ++i) {
    const AlphaCoefficients c(i / 20.0);
    EXPECT_LE(c.alpha_m, c.alpha_f + 1e-15) << i;
    EXPECT_LE(c.alpha_f, 0.5) << i;
    EXPECT_GE(c.beta, 0.25 + (c.alpha_f - c.alpha_m) / 2 - 1e-15) << i;  // (5)
  }
}

// All three eigenvalues meet at −ρ∞: (λ + ρ∞)³ = 0.
TEST(AlphaCoefficients, MultiplyHighFrequenciesByTheRadius) {
  for (const double rho : {0.0, 0.3, 0.8, 1.0}) {
    const Matrix3d A = amplification(rho, 1e6);
    for (const double lambda : {-2.0, -1.0, 0.5, 2.0}) {
      // Ω is not infinite: what is left is of the order of 1/Ω².
      EXPECT_NEAR(characteristic(A, lambda), std::pow(lambda + rho, 3), 1e-9) << rho;
    }
  }
}

// Of the eigenvalue near e^{iΩ} the error is O(Ω³); the factor of its conjugate is O(Ω).
TEST(AlphaCoefficients, GiveSecondOrder) {
  using namespace std::complex_literals;
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
    const auto error = [&](double Omega) {
      return std::abs(characteristic(amplification(rho, Omega), std::exp(1i * Omega)));
    };
    EXPECT_NEAR(std::log2(error(0.04) / error(0.02)), 4, 0.1) << rho;
  }
}

TEST(AlphaCoefficients, DampNothingAtRadiusOne) {
  for (const double Omega : {0.1, 1.0, 10.0}) {
    // A third eigenvalue of −1 belongs to a alone; the other two have the product 1.
    EXPECT_NEAR(amplification(1, Omega).determinant(), -1, 1e-12) << Omega;
    EXPECT_NEAR(characteristic(amplification(1, Omega), -1.0), 0, 1e-12) << Omega;
    EXPECT_LT(std::abs(amplification(0.8, Omega).determinant()), 1) << Omega;
  }
}

}  // namespace alpha_coefficients_test
}  // namespace saltus
