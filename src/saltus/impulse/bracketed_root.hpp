// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::impulse {

/// Where f changes its sign between a and b, given its values there: regula falsi (Illinois) with a
/// bisection after every step that has not halved the bracket. Returns the end of the bracket on
/// b's side, so that f has b's sign there. Finds jumps, too.
template <class Function>
double bracketed_root(const Function& f, double a, double f_a, double b, double f_b) {
  if ((f_a > 0) == (f_b > 0)) return b;
  bool bisect = false, moved_b = false;
  for (int i = 0; i < 100; ++i) {
    const double width = std::abs(b - a);
    if (width <= 4 * std::numeric_limits<double>::epsilon() * std::abs(b)) break;
    double x = b - f_b * (b - a) / (f_b - f_a);
    if (bisect || !(std::min(a, b) < x && x < std::max(a, b))) x = a + (b - a) / 2;
    const double f_x = f(x);
    if (f_x == 0) return x;
    const bool on_b = (f_x > 0) == (f_b > 0);
    if (on_b) {
      if (moved_b) f_a /= 2;
      b = x;
      f_b = f_x;
    } else {
      if (!moved_b) f_b /= 2;
      a = x;
      f_a = f_x;
    }
    moved_b = on_b;
    bisect = std::abs(b - a) > width / 2;
  }
  return b;
}

}  // namespace saltus::impulse
