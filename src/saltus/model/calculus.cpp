// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/calculus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------------------- derivatives

constexpr int levels = 30;                   // steps h_k = 2^k h_0
constexpr int max_order = 8;                 // of the extrapolation
constexpr double first_step = 1.37e-7 / 64;  // of the span

using Levels = std::array<double, levels>;

/// A value and a bound of its error.
struct Estimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = infinity;
};

bool consistent(const Estimate& a, const Estimate& b, double factor) {
  return std::abs(a.value - b.value) <= factor * (a.error + b.error);
}

/// The values of f at t and at t ± h_k.
struct Samples {
  double t = 0;
  double middle = 0;
  Levels step = {};
  Levels right = {};
  Levels left = {};
  Levels noise = {};  ///< rounding error of f that its values do not show
};

/// Rounding error of values on one side of t, for each step. A sum inside of f may be far larger
/// than f itself, as in 1 − cos t about 0: then f moves in steps that are large beside its values.
/// Combinations of values in which linear and quadratic parts cancel fall with h³ down to this
/// noise and stay there, but for those that vanish: of three in a row the largest counts.
Levels noise_of(const Levels& side, double middle) {
  double largest = std::abs(middle), least = infinity;
  Levels rest = {}, noise = {};
  int unknown = 0;  // first step of which nothing is known yet
  for (int k = 0; k < levels && std::isfinite(side[k]); ++k) {
    largest = std::max(largest, std::abs(side[k]));
    if (k < 2) continue;
    const double near = side[k - 2] - middle, far = side[k - 1] - middle;
    rest[k] = std::abs((side[k] - middle) - 6 * far + 8 * near);
    const double shown = std::max({rest[k - 2], rest[k - 1], rest[k]});
    if (k >= 4 && shown > 0) least = std::min(least, shown);
    for (; least < infinity && unknown <= k; ++unknown) noise[unknown] = least / 4;
  }
  // What is larger is no rounding error, but a kink.
  for (double& n : noise) n = std::min(n, 16 * epsilon * largest);
  return noise;
}

Samples sample(const ScalarFunction& f, double t, double span) {
  Samples s{.t = t, .middle = f(t)};
  const double large = 4 * std::max(span, std::abs(t));
  double h = (large + first_step * span) - large;  // so that t ± h has hardly any rounding error
  if (!(h > 0)) h = epsilon * large;
  for (int k = 0; k < levels; ++k, h *= 2) {
    s.step[k] = h;
    s.right[k] = f(t + h);
    s.left[k] = f(t - h);
  }
  s.noise = noise_of(s.right, s.middle);
  const Levels left = noise_of(s.left, s.middle);
  for (int k = 0; k < levels; ++k) s.noise[k] = std::max(s.noise[k], left[k]);
  return s;
}

/// One row for each step: a difference quotient and the bound of its rounding error.
struct Quotients {
  int count = 0;  ///< the rows 0 … count−1 are finite
  Levels value = {};
  Levels rounding = {};
  double power = 1;  ///< of h, by which orders of the error's expansion are apart
};

/// Neville's scheme from small to large steps. An estimate with a smaller error bound is taken only
/// if it agrees with what smaller steps said: beyond a kink large steps agree with each other on
/// something wrong.
Estimate extrapolate(const Quotients& q) {
  if (q.count < 3) return {};
  const double scatter =
      std::max(std::abs(q.value[0] - q.value[1]), std::abs(q.value[0] - q.value[2]));
  Estimate best{q.value[0], q.rounding[0] + scatter};
  std::array<double, max_order + 1> finer = {};  // the row before
  finer[0] = q.value[0];
  const double amplification = q.power > 1 ? 2 : 8;
  for (int k = 1; k < q.count; ++k) {
    std::array<double, max_order + 1> row = {};
    row[0] = q.value[k];
    for (int j = 1; j <= std::min(k, max_order); ++j) {
      row[j] = finer[j - 1] + (finer[j - 1] - row[j - 1]) / (std::exp2(q.power * j) - 1);
      const Estimate candidate{row[j],
                               std::abs(row[j] - finer[j - 1]) + amplification * q.rounding[k - j]};
      if (candidate.error < best.error && consistent(candidate, best, 4)) best = candidate;
    }
    finer = row;
  }
  return best;
}

/// Rounding error of a difference of values that are as large as f: in f itself and in t ± h.
double rounding_of(const Samples& s, double size, double slope, int k) {
  return s.noise[k] + epsilon * (size + (std::abs(s.t) + s.step[k]) * std::abs(slope));
}

Quotients first_quotients(const Samples& s, const Levels& side, double sign) {
  Quotients q;
  for (int k = 0; k < levels && std::isfinite(s.middle) && std::isfinite(side[k]); ++k) {
    q.value[k] = sign * (side[k] - s.middle) / s.step[k];
    const double size = std::max(std::abs(side[k]), std::abs(s.middle));
    q.rounding[k] = rounding_of(s, size, q.value[k], k) / s.step[k];
    q.count = k + 1;
  }
  return q;
}

Quotients first_quotients(const Samples& s) {
  Quotients q{.power = 2};
  for (int k = 0; k < levels && std::isfinite(s.right[k]) && std::isfinite(s.left[k]); ++k) {
    q.value[k] = (s.right[k] - s.left[k]) / (2 * s.step[k]);
    const double size = std::max(std::abs(s.right[k]), std::abs(s.left[k]));
    q.rounding[k] = rounding_of(s, size, q.value[k], k) / s.step[k];
    q.count = k + 1;
  }
  return q;
}

Quotients second_quotients(const Samples& s, const Levels& side) {
  Quotients q;
  for (int k = 0; k + 1 < levels && std::isfinite(s.middle) && std::isfinite(side[k + 1]); ++k) {
    const double h = s.step[k];
    q.value[k] = (s.middle - 2 * side[k] + side[k + 1]) / (h * h);
    const double size = std::max({std::abs(s.middle), std::abs(side[k]), std::abs(side[k + 1])});
    q.rounding[k] = 2 * rounding_of(s, size, (side[k] - s.middle) / h, k) / (h * h);
    q.count = k + 1;
  }
  return q;
}

Quotients second_quotients(const Samples& s) {
  Quotients q{.power = 2};
  for (int k = 0; k < levels && std::isfinite(s.right[k] + s.middle + s.left[k]); ++k) {
    const double h = s.step[k];
    q.value[k] = (s.right[k] - 2 * s.middle + s.left[k]) / (h * h);
    const double size = std::max({std::abs(s.right[k]), std::abs(s.middle), std::abs(s.left[k])});
    q.rounding[k] = 2 * rounding_of(s, size, (s.right[k] - s.left[k]) / (2 * h), k) / (h * h);
    q.count = k + 1;
  }
  return q;
}

double choose(const Estimate& about, const Estimate& right, const Estimate& left) {
  const double size = std::abs(right.value) + std::abs(left.value);
  const bool both = std::isfinite(right.error) && std::isfinite(left.error);
  if (both && !consistent(right, left, 100) && std::abs(right.value - left.value) > 1e-6 * size) {
    return right.value;
  }
  Estimate best = about;
  if (right.error < best.error) best = right;
  if (left.error < best.error) best = left;
  return best.value;
}

// ------------------------------------------------------------------------------- integral

/// Kronrod's 15-point rule on [−1, 1] and Gauss' 7-point rule on every second of its nodes.
constexpr std::array<double, 8> nodes = {0.991455371120812639206854697526329,
                                         0.949107912342758524526189684047851,
                                         0.864864423359769072789712788640926,
                                         0.741531185599394439863864773280788,
                                         0.586087235467691130,
                                         0.405845151377397166906606412076961,
                                         0.207784955007898467600689403773245,
                                         0.0};
constexpr std::array<double, 8> kronrod_weights = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::array<double, 4> gauss_weights = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

struct Quadrature {
  double value = 0;     ///< ∫ f
  double absolute = 0;  ///< ∫ |f|
  double error = 0;
};

Quadrature gauss_kronrod(const ScalarFunction& f, double a, double b) {
  const double middle = (a + b) / 2;
  const double half = (b - a) / 2;
  Quadrature result;
  double gauss = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool centre = i + 1 == nodes.size();
    const double left = f(middle - half * nodes[i]);
    const double right = centre ? 0 : f(middle + half * nodes[i]);
    result.value += kronrod_weights[i] * (left + right);
    result.absolute += kronrod_weights[i] * (std::abs(left) + std::abs(right));
    if (i % 2 == 1) gauss += gauss_weights[i / 2] * (left + right);
  }
  result.error = std::abs((result.value - gauss) * half);
  result.value *= half;
  result.absolute *= std::abs(half);
  return result;
}

/// Halves intervals until the error is below the tolerance. `budget` counts the rules that may
/// still be applied: a function that is all noise would never come to an end.
double refine(const ScalarFunction& f, double a, double b, const Quadrature& whole,
              double tolerance, int& budget) {
  const double middle = (a + b) / 2;
  const bool divisible = std::min(a, b) < middle && middle < std::max(a, b);
  if (!(whole.error > tolerance) || budget <= 0 || !divisible) return whole.value;
  budget -= 2;
  const Quadrature left = gauss_kronrod(f, a, middle);
  const Quadrature right = gauss_kronrod(f, middle, b);
  return refine(f, a, middle, left, tolerance, budget) +
         refine(f, middle, b, right, tolerance, budget);
}

}  // namespace

Derivatives differentiate(const ScalarFunction& f, double t, double span) {
  const Samples s = sample(f, t, span);
  return {
      .first = choose(extrapolate(first_quotients(s)), extrapolate(first_quotients(s, s.right, 1)),
                      extrapolate(first_quotients(s, s.left, -1))),
      .second = choose(extrapolate(second_quotients(s)), extrapolate(second_quotients(s, s.right)),
                       extrapolate(second_quotients(s, s.left)))};
}

double integrate(const ScalarFunction& f, double a, double b) {
  if (a == b) return 0;
  const Quadrature whole = gauss_kronrod(f, a, b);
  int budget = 1000;
  return refine(f, a, b, whole, 1e-14 * whole.absolute, budget);
}

}  // namespace saltus
