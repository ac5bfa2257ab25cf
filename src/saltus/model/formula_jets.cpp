// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_jets.hpp"

#include <cmath>
#include <limits>

namespace saltus {
namespace {

using Kind = FormulaTree::Kind;

Jet sum(const Jet& a, const Jet& b, double factor = 1) {
  return {a.value + factor * b.value, a.first + factor * b.first, a.second + factor * b.second};
}

Jet product(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}

/// From q b = a, differentiated once and twice.
Jet quotient(const Jet& a, const Jet& b) {
  const double q = a.value / b.value;
  const double first = (a.first - q * b.first) / b.value;
  return {q, first, (a.second - 2 * first * b.first - q * b.second) / b.value};
}

/// f(x), of which f, f' and f'' are given.
Jet chain(double f, double slope, double curvature, const Jet& x) {
  return {f, slope * x.first, curvature * x.first * x.first + slope * x.second};
}

/// A factor of zero leaves nothing of what is not finite: t¹ at 0.
double times_power(double factor, double x, double exponent) {
  return factor == 0 ? 0 : factor * std::pow(x, exponent);
}

Jet power(const Jet& x, double n) {
  return chain(std::pow(x.value, n), times_power(n, x.value, n - 1),
               times_power(n * (n - 1), x.value, n - 2), x);
}

Jet logarithm(const Jet& x) {
  return chain(std::log(x.value), 1 / x.value, -1 / (x.value * x.value), x);
}

/// x^y = exp(y log x)
Jet power(const Jet& x, const Jet& y) {
  const Jet exponent = product(y, logarithm(x));
  const double e = std::pow(x.value, y.value);
  return chain(e, e, e, exponent);
}

Jet angle(const Jet& y, const Jet& x) {
  const double square = x.value * x.value + y.value * y.value;
  const double turn = x.value * y.first - y.value * x.first;
  const double growth = x.value * x.first + y.value * y.first;
  return {std::atan2(y.value, x.value), turn / square,
          (x.value * y.second - y.value * x.second) / square - 2 * growth * turn / square / square};
}

}  // namespace

FormulaJets::FormulaJets(const std::string& text) {
  const FormulaTree tree(text);
  for (const FormulaTree::Node& node : tree.nodes()) {
    Operation o{.kind = node.kind,
                .number = node.value,
                .operands = node.operands,
                .is_constant = !node.depends_on_time};
    if (node.kind == Kind::Call) {
      o.unary = find_unary_function(node.name);
      o.several = find_several_arguments(node.name);
    }
    operations_.push_back(std::move(o));
  }
  jets_.resize(operations_.size());
}

Jet FormulaJets::at(double t, Side side) {
  kink_ = false;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    jets_[i] = evaluate(operations_[i], t, side);
    if (operations_[i].is_constant) jets_[i] = {jets_[i].value, 0, 0};
  }
  return jets_.back();
}

Jet FormulaJets::evaluate(const Operation& o, double t, Side side) {
  const auto x = [&](std::size_t k) -> const Jet& { return operand(o, k); };
  switch (o.kind) {
    case Kind::Number:
      return {o.number, 0, 0};
    case Kind::Time:
      return {t, 1, 0};
    case Kind::Unknown:  // muParser has refused it before
      return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    case Kind::Negative:
      return {-x(0).value, -x(0).first, -x(0).second};
    case Kind::Add:
      return sum(x(0), x(1));
    case Kind::Subtract:
      return sum(x(0), x(1), -1);
    case Kind::Multiply:
      return product(x(0), x(1));
    case Kind::Divide:
      return quotient(x(0), x(1));
    case Kind::Power: {
      const bool is_number = operations_[static_cast<std::size_t>(o.operands[1])].is_constant;
      return is_number ? power(x(0), x(1).value) : power(x(0), x(1));
    }
    case Kind::Conditional:
      return x(0).value != 0 ? x(1) : x(2);
    case Kind::Call:
      return call(o, side);
    default:
      return {is_true(o.kind, x(0).value, x(1).value) ? 1.0 : 0.0, 0, 0};
  }
}

Jet FormulaJets::call(const Operation& o, Side side) {
  const std::size_t count = o.operands.size();
  if (o.unary != nullptr) {
    const Jet& x = operand(o, 0);
    double slope = o.unary->derivative(x.value);
    if (o.unary->name == "abs") slope = is_positive(x, side) ? 1 : -1;
    return chain(o.unary->value(x.value), slope, o.unary->second(x.value), x);
  }
  if (o.several == SeveralArguments::Atan2) return angle(operand(o, 0), operand(o, 1));
  Jet y = operand(o, 0);
  for (std::size_t k = 1; k < count; ++k) {
    const Jet& x = operand(o, k);
    if (o.several == SeveralArguments::Min || o.several == SeveralArguments::Max) {
      const bool is_larger = is_positive(sum(x, y, -1), side);
      if (is_larger == (o.several == SeveralArguments::Max)) y = x;
    } else {
      y = sum(y, x);
    }
  }
  const double n = static_cast<double>(count);
  return o.several == SeveralArguments::Average ? Jet{y.value / n, y.first / n, y.second / n} : y;
}

/// At zero, as it is a little to the side.
bool FormulaJets::is_positive(const Jet& x, Side side) {
  if (x.value != 0) return x.value > 0;
  kink_ = true;
  if (x.first != 0) return (x.first > 0) == (side == Side::Right);
  return x.second >= 0;
}

}  // namespace saltus
