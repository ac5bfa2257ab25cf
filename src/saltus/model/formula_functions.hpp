// SPDX-License-Identifier: Apache-2.0
/// What the functions of formulas are, and their derivatives. Internal to model.
#pragma once

#include <string_view>

namespace saltus {

/// A function of one argument. At its kinks and jumps derivatives are those beside them, of `abs`
/// at 0 none.
struct UnaryFunction {
  std::string_view name;
  double (*value)(double);
  double (*derivative)(double);
  double (*second)(double);
};

/// Null if there is none of this name.
const UnaryFunction* find_unary_function(std::string_view name);

/// Functions of several arguments.
enum class SeveralArguments { None, Min, Max, Sum, Average, Atan2 };

SeveralArguments find_several_arguments(std::string_view name);

}  // namespace saltus
