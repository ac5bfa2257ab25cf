// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

namespace saltus {

/// Values of a formula of t, or of several with commas between them, by muParser. Not for several
/// threads at a time: muParser works in buffers of its own.
class FormulaValues {
 public:
  /// @throws std::invalid_argument with the parser's message for a text that cannot be read.
  explicit FormulaValues(const std::string& text);
  ~FormulaValues();
  FormulaValues(FormulaValues&&) noexcept;
  FormulaValues& operator=(FormulaValues&&) noexcept;

  int count() const;
  bool is_constant() const;
  /// All of them at t, valid until the next call; NaN where muParser refuses.
  std::span<const double> at(double t);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace saltus
