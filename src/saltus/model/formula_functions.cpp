// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace saltus {
namespace {

double sign_of(double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0); }
double flat(double /*x*/) { return 0; }

constexpr double ln_2 = std::numbers::ln2, ln_10 = std::numbers::ln10;

double cubed_root(double x) { return x * std::sqrt(x); }  // x^(3/2)

/// 1/cosh² x, which does not cancel where tanh is nearly 1.
double slope_of_tanh(double x) { return 1 / (std::cosh(x) * std::cosh(x)); }

const std::array<UnaryFunction, 21> functions = {{
    {"sin", std::sin, std::cos, [](double x) { return -std::sin(x); }},
    {"cos", std::cos, [](double x) { return -std::sin(x); }, [](double x) { return -std::cos(x); }},
    {"tan", std::tan, [](double x) { return 1 + std::tan(x) * std::tan(x); },
     [](double x) { return 2 * std::tan(x) * (1 + std::tan(x) * std::tan(x)); }},
    {"asin", std::asin, [](double x) { return 1 / std::sqrt(1 - x * x); },
     [](double x) { return x / cubed_root(1 - x * x); }},
    {"acos", std::acos, [](double x) { return -1 / std::sqrt(1 - x * x); },
     [](double x) { return -x / cubed_root(1 - x * x); }},
    {"atan", std::atan, [](double x) { return 1 / (1 + x * x); },
     [](double x) { return -2 * x / ((1 + x * x) * (1 + x * x)); }},
    {"sinh", std::sinh, std::cosh, std::sinh},
    {"cosh", std::cosh, std::sinh, std::cosh},
    {"tanh", std::tanh, slope_of_tanh,
     [](double x) { return -2 * std::tanh(x) * slope_of_tanh(x); }},
    {"asinh", std::asinh, [](double x) { return 1 / std::sqrt(x * x + 1); },
     [](double x) { return -x / cubed_root(x * x + 1); }},
    {"acosh", std::acosh, [](double x) { return 1 / std::sqrt(x * x - 1); },
     [](double x) { return -x / cubed_root(x * x - 1); }},
    {"atanh", std::atanh, [](double x) { return 1 / (1 - x * x); },
     [](double x) { return 2 * x / ((1 - x * x) * (1 - x * x)); }},
    {"log2", std::log2, [](double x) { return 1 / (x * ln_2); },
     [](double x) { return -1 / (x * x * ln_2); }},
    {"log10", std::log10, [](double x) { return 1 / (x * ln_10); },
     [](double x) { return -1 / (x * x * ln_10); }},
    {"log", std::log, [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }},
    {"ln", std::log, [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }},
    {"exp", std::exp, std::exp, std::exp},
    {"sqrt", std::sqrt, [](double x) { return 0.5 / std::sqrt(x); },
     [](double x) { return -0.25 / cubed_root(x); }},
    {"sign", sign_of, flat, flat},
    {"rint", [](double x) { return std::floor(x + 0.5); }, flat, flat},
    {"abs", std::abs, sign_of, flat},
}};

}  // namespace

const UnaryFunction* find_unary_function(std::string_view name) {
  const auto* found = std::ranges::find(functions, name, &UnaryFunction::name);
  return found != functions.end() ? found : nullptr;
}

SeveralArguments find_several_arguments(std::string_view name) {
  if (name == "min") return SeveralArguments::Min;
  if (name == "max") return SeveralArguments::Max;
  if (name == "sum") return SeveralArguments::Sum;
  if (name == "avg") return SeveralArguments::Average;
  return name == "atan2" ? SeveralArguments::Atan2 : SeveralArguments::None;
}

}  // namespace saltus
