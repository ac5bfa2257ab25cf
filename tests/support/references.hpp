// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "saltus/verify/reference_suite.hpp"

// Numbers of the table behind `saltus verify`, which is the only place where they stand.
namespace saltus::test {

inline double known(const std::string& example, const std::string& quantity) {
  return reference(example, quantity).value;
}

/// Whether a number is the known one within the tolerance of the table. Times are sums of steps: a
/// billionth of the tolerance is round-off.
inline testing::AssertionResult agrees(double measured, const std::string& example,
                                       const std::string& quantity) {
  const Reference& row = reference(example, quantity);
  if (std::abs(measured - row.value) <= row.tolerance * (1 + 1e-9)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << example << ", " << row.label() << ": " << measured
                                     << " instead of " << row.value << " ± " << row.tolerance;
}

}  // namespace saltus::test
