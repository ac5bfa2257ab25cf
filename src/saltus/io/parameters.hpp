// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/io/json.hpp"

namespace saltus::io {

/// The numbers that a model file names under "parameters", and formulas with them: wherever a
/// number stands, "=2*mu" may stand instead.
class Parameters {
 public:
  Parameters() = default;
  /// @param object  the value of the key "parameters"; a parameter may use those before it.
  /// @param issues  gets what is wrong in it
  Parameters(const Json& object, std::vector<Issue>& issues);

  /// Whether a value is a formula in the place of a number: a text that begins with "=".
  static bool is_formula(const Json& value);

  /// The value of a formula, which begins with "=".
  /// @param issue  gets rule, value and remedy if it has none
  std::optional<double> evaluate(const std::string& formula, Issue& issue) const;

  /// A formula of time with the values of parameters in the place of their names.
  std::string inserted(std::string_view text) const;

  /// A name of the formula that is not known but is near to a parameter's: what to do, else empty.
  std::string misspelt(std::string_view text) const;

 private:
  struct Parameter {
    std::string name;
    double value = 0;
  };

  const Parameter* find(std::string_view name) const;
  std::vector<std::string> names() const;
  void add(const std::string& name, const Json& value, Issue issue, std::vector<Issue>& issues);

  std::vector<Parameter> parameters_;
};

}  // namespace saltus::io
