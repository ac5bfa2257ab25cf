// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "saltus/io/json_text.hpp"
#include "saltus/io/name_table.hpp"
#include "saltus/model/formula_values.hpp"
#include "saltus/model/place.hpp"

namespace saltus::io {
namespace {

constexpr std::array known_names = {"t", "pi", "_pi", "e", "_e"};

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool is_name(std::string_view text) {
  return !text.empty() && begins_name(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return begins_name(c) || is_decimal(c);
  });
}

/// Whether muParser has a function of this name.
bool is_function(const std::string& name) {
  for (const char* arguments : {"(1)", "(1,1)"}) {
    try {
      [[maybe_unused]] const FormulaValues read(name + arguments);
      return true;
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  return false;
}

/// The end of a number that begins at `i`, its exponent included.
std::size_t number_end(std::string_view text, std::size_t i) {
  while (i < text.size() && (is_decimal(text[i]) || text[i] == '.')) ++i;
  if (i >= text.size() || (text[i] != 'e' && text[i] != 'E')) return i;
  std::size_t j = i + 1;
  if (j < text.size() && (text[j] == '+' || text[j] == '-')) ++j;
  if (j >= text.size() || !is_decimal(text[j])) return i;
  while (j < text.size() && is_decimal(text[j])) ++j;
  return j;
}

/// Calls visit(begin, end, is_call) for every name of a formula that stands alone: pin.angle is the
/// state of something and no name of a parameter.
template <class Visit>
void for_each_name(std::string_view text, const Visit& visit) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_decimal(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_decimal(text[i + 1]))) {
      i = number_end(text, i);
    } else if (begins_name(text[i])) {
      const std::size_t begin = i;
      bool dotted = false;
      for (; i < text.size() && (begins_name(text[i]) || is_decimal(text[i]) || text[i] == '.');
           ++i) {
        dotted = dotted || text[i] == '.';
      }
      const std::size_t next = text.find_first_not_of(' ', i);
      if (!dotted) visit(begin, i, next != std::string_view::npos && text[next] == '(');
    } else {
      ++i;
    }
  }
}

}  // namespace

Parameters::Parameters(const Json& object, std::vector<Issue>& issues) {
  if (!object.is_object()) {
    issues.push_back({"/parameters", "must be an object { … } of numbers by their names",
                      shown(object), R"(as in {"mu": 0.3, "length": "=2*0.15"})"});
    return;
  }
  const Place place("/parameters");
  for (const auto& [name, value] : object.members()) {
    if (name == "comment") continue;
    Issue issue{.place = (place / name).text()};
    add(name, value, std::move(issue), issues);
  }
}

void Parameters::add(const std::string& name, const Json& value, Issue issue,
                     std::vector<Issue>& issues) {
  double number = 0;
  if (!is_name(name)) {
    issue.rule = "the name of a parameter has letters, digits and _, and no digit in front";
  } else if (std::find(known_names.begin(), known_names.end(), name) != known_names.end() ||
             is_function(name)) {
    issue.rule = fmt::format("formulas know \"{}\" already", name);
    issue.remedy = "take another name";
  } else if (is_formula(value)) {
    number = evaluate(value.text(), issue).value_or(0.0);
  } else if (!value.is_number() || !std::isfinite(value.number())) {
    issue.rule = "must be a finite number or a formula like \"=2*0.15\"";
    issue.value = shown(value);
  } else {
    number = value.number();
  }
  if (!issue.rule.empty()) issues.push_back(std::move(issue));
  if (is_name(name)) parameters_.push_back({name, number});  // what uses it is not wrong too
}

bool Parameters::is_formula(const Json& value) {
  return value.is_string() && !value.text().empty() && value.text()[0] == '=';
}

const Parameters::Parameter* Parameters::find(std::string_view name) const {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  return found == parameters_.end() ? nullptr : &*found;
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> names;
  for (const Parameter& p : parameters_) names.push_back(p.name);
  return names;
}

std::string Parameters::inserted(std::string_view text) const {
  if (parameters_.empty()) return std::string(text);
  std::string out;
  std::size_t done = 0;
  for_each_name(text, [&](std::size_t begin, std::size_t end, bool is_call) {
    const Parameter* p = is_call ? nullptr : find(text.substr(begin, end - begin));
    if (p == nullptr) return;
    out += text.substr(done, begin - done);
    out += '(';
    append_json_number(out, p->value);
    out += ')';
    done = end;
  });
  return out += text.substr(done);
}

std::string Parameters::misspelt(std::string_view text) const {
  std::string remedy;
  for_each_name(text, [&](std::size_t begin, std::size_t end, bool is_call) {
    const std::string name(text.substr(begin, end - begin));
    const bool known = std::find(known_names.begin(), known_names.end(), name) != known_names.end();
    if (!remedy.empty() || is_call || known || find(name) != nullptr) return;
    remedy = did_you_mean(name, names());
  });
  return remedy;
}

std::optional<double> Parameters::evaluate(const std::string& formula, Issue& issue) const {
  const std::string_view text = std::string_view(formula).substr(1);
  std::string unknown;
  for_each_name(text, [&](std::size_t begin, std::size_t end, bool is_call) {
    const std::string name(text.substr(begin, end - begin));
    const bool constant =
        name != "t" && std::find(known_names.begin(), known_names.end(), name) != known_names.end();
    if (unknown.empty() && !is_call && !constant && find(name) == nullptr) unknown = name;
  });
  if (!unknown.empty()) {
    issue.rule = fmt::format("no parameter is named {}", in_quotes(unknown));
    issue.value = in_quotes(formula);
    issue.remedy = did_you_mean(unknown, names());
    if (issue.remedy.empty()) {
      issue.remedy = parameters_.empty()
                         ? R"(name its value beside "model", as in "parameters": {"mu": 0.3})"
                         : "it must be " + one_of(names());
    }
    return std::nullopt;
  }
  try {
    FormulaValues values(inserted(text));
    const double value = values.count() == 1 ? values.at(0)[0] : std::nan("");
    if (std::isfinite(value)) return value;
    issue.rule = "a formula must have one finite value";
  } catch (const std::invalid_argument& error) {
    issue.rule = std::string("the formula cannot be read: ") + error.what();
  }
  issue.value = in_quotes(formula);
  return std::nullopt;
}

}  // namespace saltus::io
