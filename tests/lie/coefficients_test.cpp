// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/coefficients.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::lie {
namespace coefficients_test {

#ifdef __SIZEOF_FLOAT128__
using Wide = __float128;
#else
using Wide = long double;
#endif

// (2 d/dx)^order of Σ (−1)^k x^k / (2k + first)!, summed in extended precision: an entire function,
// so 60 terms give every digit for the angles used here.
Wide entire(int first, int order, double x) {
  Wide factorial = 1;  // (2k + first)!
  for (int j = 2; j <= first; ++j) factorial *= j;
  Wide power = 1;  // x^(k − order)
  Wide sum = 0;
  for (int k = 0; k < 60; ++k) {
    Wide factor = k % 2 == 0 ? 1 : -1;
    for (int j = 0; j < order; ++j) factor *= 2 * (k - j);
    if (k >= order) {
      sum += factor * power / factorial;
      power *= x;
    }
    factorial *= static_cast<Wide>(2 * k + first + 1) * (2 * k + first + 2);
  }
  return sum;
}

// Everything from entire functions, without the differences that spoil the closed forms: with
// f = b1/b, d = −f/2, and a prime of the page, (·)′/θ, of a quotient is the quotient rule's.
struct Reference {
  explicit Reference(double x)
      : a(entire(1, 0, x)),
        b(entire(2, 0, x)),
        c(entire(3, 0, x)),
        b1(entire(2, 1, x)),
        c1(entire(3, 1, x)) {
    const Wide b2 = entire(2, 2, x);
    const Wide b3 = entire(2, 3, x);
    const Wide f = b1 / b;
    const Wide f1 = b2 / b - f * f;
    const Wide f2 = b3 / b - f * b2 / b - 2 * f * f1;
    d = -f / 2;
    e = -f1 / 2;
    e1 = -f2 / 2;
  }
  Wide a, b, c, b1, c1, d, e, e1;
};

double relative_error(double value, Wide reference) {
  return std::abs(static_cast<double>((value - reference) / reference));
}

void expect_accurate(double angle) {
  SCOPED_TRACE(testing::Message() << "angle " << angle);
  const double x = angle * angle;
  const Reference reference(x);
  const ExpCoefficients exp = exp_coefficients(x);
  const LogCoefficients log = log_coefficients(x);
  EXPECT_LE(relative_error(exp.b, reference.b), 4e-15);
  EXPECT_LE(relative_error(exp.c, reference.c), 1e-14);
  EXPECT_LE(relative_error(exp.b1, reference.b1), 5e-14);
  EXPECT_LE(relative_error(exp.c1, reference.c1), 1e-12);
  EXPECT_LE(relative_error(log.d, reference.d), 1e-14);
  EXPECT_LE(relative_error(log.e, reference.e), 5e-13);
  EXPECT_LE(relative_error(log.e1, reference.e1), 2e-11);
  // a has a zero at π: its error is absolute.
  EXPECT_LE(std::abs(static_cast<double>(exp.a - reference.a)), 4e-16);
}

TEST(Coefficients, AgreeWithExtendedPrecisionForSmallAngles) {
  for (double angle = 1e-12; angle < 0.1; angle *= 1.3) expect_accurate(angle);
}

TEST(Coefficients, AgreeWithExtendedPrecisionForLargeAngles) {
  for (int i = 1; i <= 3000; ++i) expect_accurate(i * 2e-3);
}

TEST(Coefficients, SeriesAndClosedFormsMeetAtTheThresholds) {
  for (const double limit : {0.5, 1.0}) {
    const ExpCoefficients exp_below = exp_coefficients(std::nextafter(limit * limit, 0));
    const ExpCoefficients exp_above = exp_coefficients(limit * limit);
    EXPECT_NEAR(exp_below.a / exp_above.a, 1, 1e-15);
    EXPECT_NEAR(exp_below.b / exp_above.b, 1, 4e-15);
    EXPECT_NEAR(exp_below.c / exp_above.c, 1, 1e-14);
    EXPECT_NEAR(exp_below.b1 / exp_above.b1, 1, 5e-14);
    EXPECT_NEAR(exp_below.c1 / exp_above.c1, 1, 1e-12);
    const LogCoefficients log_below = log_coefficients(std::nextafter(limit * limit, 0));
    const LogCoefficients log_above = log_coefficients(limit * limit);
    EXPECT_NEAR(log_below.d / log_above.d, 1, 1e-14);
    EXPECT_NEAR(log_below.e / log_above.e, 1, 5e-13);
    EXPECT_NEAR(log_below.e1 / log_above.e1, 1, 2e-11);
  }
}

TEST(Coefficients, DefaultsAreTheValuesAtZero) {
  const ExpCoefficients exp = exp_coefficients(0);
  EXPECT_DOUBLE_EQ(exp.a, ExpCoefficients{}.a);
  EXPECT_DOUBLE_EQ(exp.b, ExpCoefficients{}.b);
  EXPECT_DOUBLE_EQ(exp.c, ExpCoefficients{}.c);
  EXPECT_DOUBLE_EQ(exp.b1, ExpCoefficients{}.b1);
  EXPECT_DOUBLE_EQ(exp.c1, ExpCoefficients{}.c1);
  const LogCoefficients log = log_coefficients(0);
  EXPECT_DOUBLE_EQ(log.d, LogCoefficients{}.d);
  EXPECT_DOUBLE_EQ(log.e, LogCoefficients{}.e);
  EXPECT_DOUBLE_EQ(log.e1, LogCoefficients{}.e1);
}

TEST(Coefficients, HaveTheirValuesAtAHalfTurn) {
  const double pi = std::acos(-1.0);
  const ExpCoefficients exp = exp_coefficients(pi * pi);
  EXPECT_NEAR(exp.a, 0, 1e-15);
  EXPECT_NEAR(exp.b, 2 / (pi * pi), 1e-15);
  EXPECT_NEAR(exp.c, 1 / (pi * pi), 1e-15);
  EXPECT_NEAR(log_coefficients(pi * pi).d, 1 / (pi * pi), 1e-15);
}

}  // namespace coefficients_test
}  // namespace saltus::lie
