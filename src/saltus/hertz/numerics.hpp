// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace saltus::hertz {

inline void require_positive(double value, const char* message) {
  if (!(value > 0) || std::isinf(value)) throw std::invalid_argument(message);
}

/// Where f changes its sign between x_0 and x_1: regula falsi (Illinois), with a bisection after
/// every step that has not halved the bracket. Finds jumps as well as zeros, to round-off. The
/// values at the two ends must not have the same sign; if they have, the end with the smaller
/// value is returned.
template <class Function>
double bracketed_root(const Function& f, double x_0, double x_1) {
  double f_0 = f(x_0), f_1 = f(x_1);
  if (f_0 == 0 || f_1 == 0 || (f_0 > 0) == (f_1 > 0))
    return std::abs(f_0) <= std::abs(f_1) ? x_0 : x_1;
  double last_width = std::abs(x_1 - x_0);
  bool bisect = false;
  for (int i = 0; i < 200; ++i) {
    const double size = std::max(std::abs(x_0), std::abs(x_1));
    if (std::abs(x_1 - x_0) <= 2 * std::numeric_limits<double>::epsilon() * size) break;
    const double secant = x_1 - f_1 * (x_1 - x_0) / (f_1 - f_0);
    const double x = bisect || !std::isfinite(secant) ? x_0 + (x_1 - x_0) / 2 : secant;
    const double f_x = f(x);
    if (f_x == 0) return x;
    if ((f_x > 0) != (f_1 > 0)) {
      x_0 = x_1;
      f_0 = f_1;
    } else {
      f_0 /= 2;
    }
    x_1 = x;
    f_1 = f_x;
    const double width = std::abs(x_1 - x_0);
    bisect = width > last_width / 2;
    last_width = width;
  }
  return x_1;
}

/// ∫₀ᴸ f(x) dx by the tanh–sinh rule: f may go to zero at the ends like any positive power of the
/// distance. Near zero x has its full relative accuracy.
template <class Function>
double integral_from_zero(const Function& f, double length) {
  constexpr double step = 1.0 / 32;
  constexpr int points = 128;  // to ±4: there the weights are below 1e−35
  double sum = 0;
  for (int i = -points; i <= points; ++i) {
    const double s = i * step, u = std::numbers::pi * std::sinh(s);
    const double x = 1 / (1 + std::exp(-u)), one_less_x = 1 / (1 + std::exp(u));
    sum += f(length * x) * std::numbers::pi * std::cosh(s) * x * one_less_x;
  }
  return sum * step * length;
}

}  // namespace saltus::hertz
