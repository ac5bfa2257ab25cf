// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace saltus {

/// A function of one variable that is only known by its values.
using ScalarFunction = std::function<double(double)>;

/// f'(t) and f''(t) from values of f.
///
/// Differences with steps from 2e-9 to 1.1 of `span` are extrapolated to step zero (Ridders'
/// method), from the left, from the right and about t; the estimate with the smallest error bound
/// wins. Where the derivatives from both sides differ (a kink at t), and where f has no values left
/// of t, it is the one from the right. About 1e-10 relative for smooth functions that change on
/// scales of 1e-6 to 100 spans; NaN if f has no finite values around t.
/// @param span  > 0, in the unit of t: f is looked at that far from t. Only with a time of the
///              problem, as the length of a run, does the unit of time not matter.
struct Derivatives {
  double first = 0;
  double second = 0;
};
Derivatives differentiate(const ScalarFunction& f, double t, double span);

/// ∫ f over [a, b] by a Gauss–Kronrod rule on intervals that are halved where f is not smooth. The
/// error is about 1e-14 of ∫|f|; the ends are never evaluated.
double integrate(const ScalarFunction& f, double a, double b);

}  // namespace saltus
