// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/sign_change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace saltus {
namespace sign_change_test {

/// Narrows to the root of f, which falls; counts the looks.
template <class Function>
int expect_found(const Function& f, double root) {
  int looks = 0;
  const Bracket found = narrow({0, 1, f(0.0), f(1.0)}, 1e-15, [&](double x) {
    ++looks;
    return Holding{f(x) < 0, f(x)};
  });
  EXPECT_LE(found.width(), 1e-15);
  EXPECT_LE(found.lo, root + 1e-15);
  EXPECT_GE(found.hi, root - 1e-15);
  return looks;
}

TEST(SignChange, OfSmoothMarginsIsFoundInAFewLooks) {
  EXPECT_LE(expect_found([](double x) { return 0.3 - x; }, 0.3), 10);
  EXPECT_LE(expect_found([](double x) { return std::cos(1.5 * x) - 0.5; }, std::acos(0.5) / 1.5),
            12);
}

// Near a multiple root secants are of little use: never many more looks than by halving.
TEST(SignChange, OfOtherMarginsNeedsNoMoreThanHalving) {
  const auto cubic = [](double x) { return std::pow(0.7 - x, 3); };
  EXPECT_LE(expect_found(cubic, 0.7), 52);
}

TEST(SignChange, WithoutMarginsIsFoundByHalving) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  int looks = 0;
  const Bracket found = narrow({0, 1, none, none}, 1e-12, [&](double x) {
    ++looks;
    return Holding{x > 0.123, none};
  });
  EXPECT_LE(found.width(), 1e-12);
  EXPECT_NEAR(found.hi, 0.123, 1e-12);
  EXPECT_EQ(looks, 40);
}

// The condition decides, whatever the margins say.
TEST(SignChange, BelievesTheConditionNotTheMargins) {
  const Bracket found = narrow({0, 1, 1, -1}, 1e-12, [](double x) {
    return Holding{x > 0.4, 0.5 - x};
  });
  EXPECT_NEAR(found.hi, 0.4, 1e-12);
}

}  // namespace sign_change_test
}  // namespace saltus
