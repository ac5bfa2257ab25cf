// SPDX-License-Identifier: Apache-2.0
#include "saltus/lie/coefficients.hpp"

#include <array>
#include <cmath>
#include <cstddef>

// Numbers in comments: docs/theory/rotations.md. Notation: θ the angle, x = θ².
namespace saltus::lie {
namespace {

constexpr double exp_series_limit =
    0.5;  // θ in rad below which the closed forms of (5), (14) cancel
constexpr double log_series_limit = 1.0;  // the same for (12), (14)

template <std::size_t N>
using Series = std::array<double, N>;  // Σ s_k x^k, k = 0 … N−1

template <std::size_t N>
constexpr double sum(const Series<N>& s, double x) {
  double value = 0;
  for (std::size_t k = N; k-- > 0;) value = value * x + s[k];
  return value;
}

// The series of f′/θ = 2 df/dx when s is that of f.
template <std::size_t N>
constexpr Series<N - 1> slope(const Series<N>& s) {
  Series<N - 1> result{};
  for (std::size_t k = 1; k < N; ++k) result[k - 1] = 2 * static_cast<double>(k) * s[k];
  return result;
}

// (35)  s_k = (−1)^k / (2k + first)!
constexpr Series<8> alternating_factorials(int first) {
  Series<8> result{};
  double term = 1;
  for (int j = 2; j <= first; ++j) term /= j;
  int last = first;
  for (double& s : result) {
    s = term;
    term /= -static_cast<double>((last + 1) * (last + 2));
    last += 2;
  }
  return result;
}

constexpr Series<8> a_series = alternating_factorials(1);
constexpr Series<8> b_series = alternating_factorials(2);
constexpr Series<8> c_series = alternating_factorials(3);
constexpr Series<7> b1_series = slope(b_series);
constexpr Series<7> c1_series = slope(c_series);

// (36)  s_k = |B_{2k+2}| / (2k + 2)!
constexpr Series<13> d_series = {1.0 / 12,
                                 1.0 / 720,
                                 1.0 / 30240,
                                 1.0 / 1209600,
                                 1.0 / 47900160,
                                 691 / 1307674368000.0,
                                 1 / 74724249600.0,
                                 3617 / 10670622842880000.0,
                                 43867 / 5109094217170944000.0,
                                 174611 / 802857662698291200000.0,
                                 77683 / 14101100039391805440000.0,
                                 236364091 / 1693824136731743669452800000.0,
                                 657931 / 186134520519971831808000000.0};
constexpr Series<12> e_series = slope(d_series);
constexpr Series<11> e1_series = slope(e_series);

}  // namespace

ExpCoefficients exp_coefficients(double angle_squared) {
  const double x = angle_squared;
  if (x < exp_series_limit * exp_series_limit) {
    return {.a = sum(a_series, x),
            .b = sum(b_series, x),
            .c = sum(c_series, x),
            .b1 = sum(b1_series, x),
            .c1 = sum(c1_series, x)};
  }
  const double theta = std::sqrt(x);
  const double half_sine = std::sin(theta / 2);
  const double a = std::sin(theta) / theta;  // (5)
  const double b = 2 * half_sine * half_sine / x;
  const double c = (1 - a) / x;
  const double b1 = (a - 2 * b) / x;  // (14)
  const double c1 = (b - 3 * c) / x;
  return {.a = a, .b = b, .c = c, .b1 = b1, .c1 = c1};
}

LogCoefficients log_coefficients(double angle_squared) {
  const double x = angle_squared;
  if (x < log_series_limit * log_series_limit) {
    return {.d = sum(d_series, x), .e = sum(e_series, x), .e1 = sum(e1_series, x)};
  }
  const auto [a, b, c, b1, c1] = exp_coefficients(x);
  const double d = (1 - a / (2 * b)) / x;                // (12)
  const double e = (1 / (2 * b) - 1 - d * x) / (x * x);  // (14)
  const double e1 = (-b1 / (2 * b * b) - 2 * d - 5 * e * x) / (x * x);
  return {.d = d, .e = e, .e1 = e1};
}

}  // namespace saltus::lie
