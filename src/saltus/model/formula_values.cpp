// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_values.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace saltus {
namespace {

/// muParser would take "t=0.1" for an assignment; who writes it means a comparison.
void refuse_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool second_of_two = i > 0 && std::string_view("=<>!").find(text[i - 1]) < 4;
    const bool first_of_two = i + 1 < text.size() && text[i + 1] == '=';
    if (second_of_two) continue;
    if (!first_of_two) {
      throw std::invalid_argument(
          fmt::format("\"=\" at position {} would assign a value; compare with \"==\"", i));
    }
    ++i;
  }
}

std::string describe(const mu::Parser::exception_type& error) {
  std::string message = error.GetMsg();
  while (!message.empty() && message.back() == '.') message.pop_back();
  if (message.find("position") == std::string::npos && error.GetPos() > 0) {
    message += fmt::format(" at position {}", error.GetPos());
  }
  return message;
}

}  // namespace

struct FormulaValues::Parser {
  mu::Parser parser;
  double t = 0;
  int count = 0;
  bool constant = false;
  std::vector<double> undefined = {};
};

FormulaValues::FormulaValues(const std::string& text) : parser_(std::make_unique<Parser>()) {
  refuse_assignment(text);
  Parser& p = *parser_;
  try {
    p.parser.DefineVar("t", &p.t);
    // muParser's own _pi has only 13 digits.
    for (const char* name : {"pi", "_pi"}) p.parser.DefineConst(name, std::numbers::pi);
    for (const char* name : {"e", "_e"}) p.parser.DefineConst(name, std::numbers::e);
    p.parser.SetExpr(text);
    p.parser.Eval(p.count);
    p.constant = p.parser.GetUsedVar().empty();
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(describe(error));
  }
  p.undefined.assign(static_cast<std::size_t>(p.count), std::numeric_limits<double>::quiet_NaN());
}

FormulaValues::~FormulaValues() = default;
FormulaValues::FormulaValues(FormulaValues&&) noexcept = default;
FormulaValues& FormulaValues::operator=(FormulaValues&&) noexcept = default;

int FormulaValues::count() const { return parser_->count; }

bool FormulaValues::is_constant() const { return parser_->constant; }

std::span<const double> FormulaValues::at(double t) {
  Parser& p = *parser_;
  p.t = t;
  try {
    int count = 0;
    const double* values = p.parser.Eval(count);
    return {values, static_cast<std::size_t>(count)};
  } catch (const mu::Parser::exception_type&) {
    return p.undefined;
  }
}

}  // namespace saltus
