// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace saltus {
namespace {

using Kind = FormulaTree::Kind;
using Node = FormulaTree::Node;
using Undefined = FormulaBound::Undefined;

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Library functions are right to one unit of the last place, operations to half of one.
constexpr double outwards = 2 * std::numeric_limits<double>::epsilon();

Interval widened(double lo, double hi) {
  if (std::isnan(lo) || std::isnan(hi)) return Interval::everything();
  return {std::isinf(lo) ? lo : lo - outwards * std::abs(lo),
          std::isinf(hi) ? hi : hi + outwards * std::abs(hi)};
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// 0 ∞ = 0: the bound of a product with a zero is zero.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval negative(const Interval& a) { return {-a.hi, -a.lo}; }

Interval square(const Interval& a) {
  const double low = a.contains(0) ? 0 : std::min(std::abs(a.lo), std::abs(a.hi));
  const double high = std::max(std::abs(a.lo), std::abs(a.hi));
  return widened(low * low, high * high);
}

Interval reciprocal(const Interval& a) {
  if (a.lo > 0 || a.hi < 0) return widened(1 / a.hi, 1 / a.lo);
  if (a.lo == 0 && a.hi > 0) return widened(1 / a.hi, no_limit);
  if (a.hi == 0 && a.lo < 0) return widened(-no_limit, 1 / a.lo);
  return Interval::everything();
}

Interval root(const Interval& a) {
  return widened(std::sqrt(std::max(a.lo, 0.0)), std::sqrt(std::max(a.hi, 0.0)));
}

template <class F>
Interval increasing(F&& f, const Interval& a) {
  return widened(f(a.lo), f(a.hi));
}

/// Whether one of peak + k period, k an integer, may be in the interval.
bool may_contain(const Interval& a, double peak, double period) {
  const double slack = outwards * (std::abs(a.lo) + std::abs(a.hi) + period) / period;
  return std::ceil((a.lo - peak) / period - slack) <= (a.hi - peak) / period + slack;
}

Interval sine(const Interval& a) {
  if (!(a.width() < 2 * std::numbers::pi)) return {-1, 1};
  const double left = std::sin(a.lo), right = std::sin(a.hi);
  const Interval ends = widened(std::min(left, right), std::max(left, right));
  return {may_contain(a, -std::numbers::pi / 2, 2 * std::numbers::pi) ? -1 : ends.lo,
          may_contain(a, std::numbers::pi / 2, 2 * std::numbers::pi) ? 1 : ends.hi};
}

Interval cosine(const Interval& a) {
  if (!(a.width() < 2 * std::numbers::pi)) return {-1, 1};
  const double left = std::cos(a.lo), right = std::cos(a.hi);
  const Interval ends = widened(std::min(left, right), std::max(left, right));
  return {may_contain(a, std::numbers::pi, 2 * std::numbers::pi) ? -1 : ends.lo,
          may_contain(a, 0, 2 * std::numbers::pi) ? 1 : ends.hi};
}

// ----------------------------------------------------------------------- what is undefined where

bool always(const FormulaBound& a) { return a.undefined == Undefined::Always; }
bool never(const FormulaBound& a) { return a.undefined == Undefined::Never; }

FormulaBound no_number() {
  return {Interval::everything(), Interval::everything(), Undefined::Always};
}

FormulaBound anything() {
  return {Interval::everything(), Interval::everything(), Undefined::Sometimes};
}

/// The part of a bound in the domain of a function.
FormulaBound within(FormulaBound a, const Interval& domain) {
  if (a.value.hi < domain.lo || a.value.lo > domain.hi) a.undefined = Undefined::Always;
  if (a.value.lo < domain.lo || a.value.hi > domain.hi) {
    a.undefined = std::max(a.undefined, Undefined::Sometimes);
    a.value = {std::clamp(a.value.lo, domain.lo, domain.hi),
               std::clamp(a.value.hi, domain.lo, domain.hi)};
    a.slope = Interval::everything();  // it ends at the edge
  }
  return a;
}

/// f(a), given f and f' over a.
FormulaBound chain(const FormulaBound& a, const Interval& value, const Interval& derivative) {
  return {value, derivative * a.slope, a.undefined, a.unknown};
}

// ------------------------------------------------------------------------------ truth and choice

/// The truth of a part as a number: 0, 1 or either.
Interval truth(const FormulaBound& a) {
  if (always(a)) return {1, 1};  // NaN is not 0
  if (never(a) && !a.value.contains(0)) return {1, 1};
  if (never(a) && a.value.lo == 0 && a.value.hi == 0) return {0, 0};
  return {0, 1};
}

/// Where both sides of && or || are constants, muParser may cut off their digits: 0.2 is not true.
FormulaBound without_digits(FormulaBound a) {
  a.value = {std::trunc(a.value.lo), std::trunc(a.value.hi)};
  return a;
}

FormulaBound decision(const Interval& value) {
  return {value, value.lo == value.hi ? Interval{0, 0} : Interval::everything()};
}

/// Of a < b with a and b numbers.
Interval is_less(const Interval& a, const Interval& b) {
  if (a.hi < b.lo) return {1, 1};
  return a.lo >= b.hi ? Interval{0, 0} : Interval{0, 1};
}

Interval is_equal(const Interval& a, const Interval& b) {
  if (a.hi < b.lo || b.hi < a.lo) return {0, 0};
  const bool single = a.lo == a.hi && b.lo == b.hi;
  return single ? Interval{1, 1} : Interval{0, 1};
}

Interval negation(const Interval& a) { return {1 - a.hi, 1 - a.lo}; }

Interval comparison(Kind kind, const FormulaBound& a, const FormulaBound& b) {
  if (always(a) || always(b)) return kind == Kind::Unequal ? Interval{1, 1} : Interval{0, 0};
  if (!never(a) || !never(b)) return {0, 1};
  if (kind == Kind::Less) return is_less(a.value, b.value);
  if (kind == Kind::Greater) return is_less(b.value, a.value);
  if (kind == Kind::LessOrEqual) return negation(is_less(b.value, a.value));
  if (kind == Kind::GreaterOrEqual) return negation(is_less(a.value, b.value));
  const Interval equal = is_equal(a.value, b.value);
  return kind == Kind::Equal ? equal : negation(equal);
}

FormulaBound conditional(const FormulaBound& c, const FormulaBound& yes, const FormulaBound& no) {
  const Interval condition = truth(c);
  if (condition.lo == 1) return yes;
  if (condition.hi == 0) return no;
  const bool same = yes.undefined == no.undefined;
  return {hull(yes.value, no.value), Interval::everything(),
          same ? yes.undefined : Undefined::Sometimes, yes.unknown || no.unknown || c.unknown};
}

// ------------------------------------------------------------------------------------ operations

FormulaBound quotient(const FormulaBound& a, const FormulaBound& b) {
  const auto zero = [](const FormulaBound& x) { return x.value.lo == 0 && x.value.hi == 0; };
  if (zero(a) && zero(b) && never(a) && never(b)) return no_number();
  if (b.value.contains(0)) return anything();
  const Interval inverse = reciprocal(b.value);
  const Interval value = a.value * inverse;
  return {value, (a.slope - value * b.slope) * inverse, std::max(a.undefined, b.undefined)};
}

Interval whole_power(const Interval& a, double n) {
  if (n < 0) return reciprocal(whole_power(a, -n));
  if (n == 0) return {1, 1};
  const double left = std::pow(a.lo, n), right = std::pow(a.hi, n);
  const bool even = std::fmod(n, 2) == 0;
  if (!even) return widened(left, right);
  return widened(a.contains(0) ? 0 : std::min(left, right), std::max(left, right));
}

FormulaBound power(const FormulaBound& base, const FormulaBound& exponent) {
  const bool constant = exponent.value.lo == exponent.value.hi;
  const double n = exponent.value.lo;
  if (constant && n == std::floor(n)) {
    if (n < 0 && base.value.contains(0)) return anything();
    return chain(base, whole_power(base.value, n), Interval{n, n} * whole_power(base.value, n - 1));
  }
  const FormulaBound a = within(base, {0, no_limit});
  if (always(a)) return constant ? no_number() : anything();
  if (constant && n > 0) {
    const auto raised = [&](double x) { return std::pow(x, n); };
    const Interval value = increasing(raised, a.value);
    return chain(a, value, Interval{n, n} * value * reciprocal(a.value));
  }
  if (!(a.value.lo > 0)) return anything();
  const Interval logarithm = increasing([](double x) { return std::log(x); }, a.value);
  const Interval value =
      increasing([](double x) { return std::exp(x); }, exponent.value * logarithm);
  const Interval rate = exponent.slope * logarithm + exponent.value * a.slope * reciprocal(a.value);
  return {value, value * rate, std::max(a.undefined, exponent.undefined)};
}

// ------------------------------------------------------------------------- functions of one number

FormulaBound absolute(const FormulaBound& a) {
  if (a.value.lo >= 0) return a;
  if (a.value.hi <= 0) return chain(a, negative(a.value), {-1, -1});
  return chain(a, {0, std::max(-a.value.lo, a.value.hi)}, {-1, 1});
}

FormulaBound sign(const FormulaBound& a) {
  const auto of = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  Interval value = {of(a.value.lo), of(a.value.hi)};
  if (!never(a)) value = hull(value, {0, 0});  // of no number it is 0
  return decision(value);
}

FormulaBound rounded(const FormulaBound& a) {
  const auto f = [](double x) { return std::floor(x + 0.5); };
  FormulaBound result = decision({f(a.value.lo), f(a.value.hi)});
  result.undefined = a.undefined;
  return result;
}

FormulaBound tangent(const FormulaBound& a) {
  const bool pole = !(a.value.width() < std::numbers::pi) ||
                    may_contain(a.value, std::numbers::pi / 2, std::numbers::pi);
  if (pole) return anything();
  const Interval value = increasing([](double x) { return std::tan(x); }, a.value);
  return chain(a, value, Interval{1, 1} + square(value));
}

FormulaBound logarithm(const FormulaBound& argument, double (*f)(double), double base) {
  const FormulaBound a = within(argument, {0, no_limit});
  if (always(a)) return a;
  const double factor = 1 / std::log(base);
  FormulaBound result =
      chain(a, increasing(f, a.value), Interval{factor, factor} * reciprocal(a.value));
  if (a.value.lo == 0) result.undefined = Undefined::Sometimes;  // infinite
  return result;
}

FormulaBound square_root(const FormulaBound& argument) {
  const FormulaBound a = within(argument, {0, no_limit});
  const Interval value = root(a.value);
  return chain(a, value, reciprocal(Interval{2, 2} * value));
}

FormulaBound arc_sine(const FormulaBound& argument) {
  const FormulaBound a = within(argument, {-1, 1});
  const Interval derivative = reciprocal(root(Interval{1, 1} - square(a.value)));
  return chain(a, increasing([](double x) { return std::asin(x); }, a.value), derivative);
}

FormulaBound arc_cosine(const FormulaBound& argument) {
  const FormulaBound a = arc_sine(argument);
  return chain(a, Interval{std::numbers::pi / 2, std::numbers::pi / 2} - a.value, {-1, -1});
}

FormulaBound area_cosine(const FormulaBound& argument) {
  const FormulaBound a = within(argument, {1, no_limit});
  const Interval derivative = reciprocal(root(square(a.value) - Interval{1, 1}));
  return chain(a, increasing([](double x) { return std::acosh(x); }, a.value), derivative);
}

FormulaBound area_tangent(const FormulaBound& argument) {
  FormulaBound a = within(argument, {-1, 1});
  if (a.value.lo <= -1 || a.value.hi >= 1)
    a.undefined = std::max(a.undefined, Undefined::Sometimes);
  const Interval derivative = reciprocal(Interval{1, 1} - square(a.value));
  return chain(a, increasing([](double x) { return std::atanh(x); }, a.value), derivative);
}

FormulaBound hyperbolic_cosine(const FormulaBound& a) {
  const double left = std::cosh(a.value.lo), right = std::cosh(a.value.hi);
  const double low = a.value.contains(0) ? 1 : std::min(left, right);
  return chain(a, widened(low, std::max(left, right)),
               increasing([](double x) { return std::sinh(x); }, a.value));
}

FormulaBound hyperbolic_tangent(const FormulaBound& a) {
  const Interval value = increasing([](double x) { return std::tanh(x); }, a.value);
  return chain(a, value, common(Interval{1, 1} - square(value), {0, 1}));
}

std::optional<FormulaBound> smooth_function(std::string_view name, const FormulaBound& a) {
  const Interval& x = a.value;
  if (name == "sin") return chain(a, sine(x), cosine(x));
  if (name == "cos") return chain(a, cosine(x), negative(sine(x)));
  if (name == "exp") {
    const Interval value = increasing([](double s) { return std::exp(s); }, x);
    return chain(a, value, value);
  }
  if (name == "atan") {
    return chain(a, increasing([](double s) { return std::atan(s); }, x),
                 reciprocal(Interval{1, 1} + square(x)));
  }
  if (name == "sinh") {
    return chain(a, increasing([](double s) { return std::sinh(s); }, x),
                 hyperbolic_cosine(a).value);
  }
  if (name == "cosh") return hyperbolic_cosine(a);
  if (name == "tanh") return hyperbolic_tangent(a);
  if (name == "asinh") {
    return chain(a, increasing([](double s) { return std::asinh(s); }, x),
                 reciprocal(root(Interval{1, 1} + square(x))));
  }
  return std::nullopt;
}

std::optional<FormulaBound> function_with_edges(std::string_view name, const FormulaBound& a) {
  if (name == "abs") return absolute(a);
  if (name == "sign") return sign(a);
  if (name == "rint") return rounded(a);
  if (name == "sqrt") return square_root(a);
  if (name == "tan") return tangent(a);
  if (name == "log" || name == "ln") return logarithm(a, std::log, std::numbers::e);
  if (name == "log2") return logarithm(a, std::log2, 2);
  if (name == "log10") return logarithm(a, std::log10, 10);
  if (name == "asin") return arc_sine(a);
  if (name == "acos") return arc_cosine(a);
  if (name == "acosh") return area_cosine(a);
  if (name == "atanh") return area_tangent(a);
  return std::nullopt;
}

// ---------------------------------------------------------------------- functions of several
// numbers

FormulaBound angle(const FormulaBound& y, const FormulaBound& x) {
  const Undefined undefined = std::max(x.undefined, y.undefined);
  const bool over_cut = x.value.lo <= 0 && y.value.contains(0);
  if (over_cut) return {{-std::numbers::pi, std::numbers::pi}, Interval::everything(), undefined};
  // No extremes inside: they are at the corners.
  Interval value = {no_limit, -no_limit};
  for (const double a : {y.value.lo, y.value.hi}) {
    for (const double b : {x.value.lo, x.value.hi}) {
      value = hull(value, {std::atan2(a, b), std::atan2(a, b)});
    }
  }
  const Interval rate =
      (x.value * y.slope - y.value * x.slope) * reciprocal(square(x.value) + square(y.value));
  return {widened(value.lo, value.hi), rate, undefined};
}

FormulaBound sum(const FormulaBound& a, const FormulaBound& b) {
  return {a.value + b.value, a.slope + b.slope, std::max(a.undefined, b.undefined)};
}

FormulaBound smaller(const FormulaBound& a, const FormulaBound& b) {
  const Undefined undefined = std::max(a.undefined, b.undefined);
  if (undefined != Undefined::Never) return anything();
  if (a.value.hi < b.value.lo) return a;
  if (b.value.hi < a.value.lo) return b;
  return {{std::min(a.value.lo, b.value.lo), std::min(a.value.hi, b.value.hi)},
          hull(a.slope, b.slope),
          undefined};
}

FormulaBound opposite(FormulaBound a) {
  a.value = negative(a.value);
  a.slope = negative(a.slope);
  return a;
}

FormulaBound larger(const FormulaBound& a, const FormulaBound& b) {
  return opposite(smaller(opposite(a), opposite(b)));
}

// --------------------------------------------------------------------------------------- the tree

/// Bounds of a node from those of its operands.
class NodeBound {
 public:
  NodeBound(const Node& node, const std::vector<FormulaBound>& bounds)
      : node_(node), bounds_(bounds) {}

  FormulaBound over(const Interval& time) const {
    if (node_.kind == Kind::Number) return {{node_.value, node_.value}, {0, 0}};
    if (node_.kind == Kind::Time) return {time, {1, 1}};
    FormulaBound result = node_.kind == Kind::Call ? call() : operation();
    if (always(result)) return result;
    for (std::size_t i = 0; i < node_.operands.size(); ++i) {
      result.unknown = result.unknown || operand(i).unknown;
    }
    if (std::isinf(result.value.lo) || std::isinf(result.value.hi)) {
      result.undefined = std::max(result.undefined, Undefined::Sometimes);
    }
    return result;
  }

 private:
  const FormulaBound& operand(std::size_t i) const {
    return bounds_[static_cast<std::size_t>(node_.operands[i])];
  }

  FormulaBound operation() const {
    if (is_comparison(node_.kind)) return decision(comparison(node_.kind, operand(0), operand(1)));
    switch (node_.kind) {
      case Kind::And:
      case Kind::Or:
        return logic();
      case Kind::Conditional:
        return conditional(operand(0), operand(1), operand(2));
      case Kind::Negative:
        return opposite(operand(0));
      case Kind::Unknown:
        return unknown();
      default:
        return arithmetic();
    }
  }

  Interval logic(const FormulaBound& left, const FormulaBound& right) const {
    const Interval a = truth(left), b = truth(right);
    if (node_.kind == Kind::And) return {a.lo * b.lo, a.hi * b.hi};
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }

  FormulaBound logic() const {
    const FormulaBound &a = operand(0), &b = operand(1);
    if (node_.depends_on_time) return decision(logic(a, b));
    return {hull(logic(a, b), logic(without_digits(a), without_digits(b))), {0, 0}};
  }

  FormulaBound arithmetic() const {
    const FormulaBound &a = operand(0), &b = operand(1);
    const Undefined undefined = std::max(a.undefined, b.undefined);
    if (node_.kind == Kind::Power && undefined == Undefined::Always) {
      const bool surely = always(a) ? !b.value.contains(0) : !a.value.contains(1);  // NaN⁰ = 1ˣ = 1
      return surely ? no_number() : anything();
    }
    if (node_.kind == Kind::Power) return power(a, b);
    if (undefined == Undefined::Always) return no_number();
    if (node_.kind == Kind::Divide) return quotient(a, b);
    if (node_.kind == Kind::Add) return sum(a, b);
    if (node_.kind == Kind::Subtract) return {a.value - b.value, a.slope - b.slope, undefined};
    if (node_.square) return chain(a, square(a.value), Interval{2, 2} * a.value);
    return {a.value * b.value, a.slope * b.value + a.value * b.slope, undefined};
  }

  static FormulaBound unknown() {
    FormulaBound result = anything();
    result.unknown = true;
    return result;
  }

  FormulaBound call() const {
    if (node_.operands.empty()) return unknown();
    const FormulaBound& a = operand(0);
    if (node_.name == "sign") return sign(a);
    if (node_.operands.size() == 1 && always(a)) return no_number();
    if (const auto bound = smooth_function(node_.name, a)) return *bound;
    if (const auto bound = function_with_edges(node_.name, a)) return *bound;
    if (node_.name == "atan2" && node_.operands.size() == 2) return angle(a, operand(1));
    if (node_.name == "min") return folded(smaller);
    if (node_.name == "max") return folded(larger);
    if (node_.name == "sum") return folded(sum);
    if (node_.name == "avg") {
      const auto n = static_cast<double>(node_.operands.size());
      const FormulaBound total = folded(sum);
      return chain(total, total.value * reciprocal({n, n}), reciprocal({n, n}));
    }
    return unknown();
  }

  FormulaBound folded(FormulaBound (*f)(const FormulaBound&, const FormulaBound&)) const {
    FormulaBound result = operand(0);
    for (std::size_t i = 1; i < node_.operands.size(); ++i) result = f(result, operand(i));
    return result;
  }

  const Node& node_;
  const std::vector<FormulaBound>& bounds_;
};

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return widened(a.lo + b.lo, a.hi + b.hi);
}

Interval operator-(const Interval& a, const Interval& b) {
  return widened(a.lo - b.hi, a.hi - b.lo);
}

Interval operator*(const Interval& a, const Interval& b) {
  const auto [low, high] = std::minmax(
      {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)});
  return widened(low, high);
}

Interval common(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

FormulaBounds::FormulaBounds(const FormulaTree& tree) : tree_(tree), bounds_(tree.nodes().size()) {}

const FormulaBound& FormulaBounds::over(int node, Interval time) {
  for (int i = tree_.node(node).first; i <= node; ++i) {
    bounds_[static_cast<std::size_t>(i)] = NodeBound(tree_.node(i), bounds_).over(time);
  }
  return bounds_[static_cast<std::size_t>(node)];
}

}  // namespace saltus
