// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/time_function.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include "saltus/model/calculus.hpp"

namespace saltus {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// sin(x)/x
double sinc(double x) { return std::abs(x) < 1e-8 ? 1.0 : std::sin(x) / x; }

double phase(const Sine& s, double t) { return two_pi * s.frequency * t + s.phase; }

/// ∫₀ᵗ, written so that it holds for small and zero frequencies too:
/// cos φ − cos(ωt + φ) = 2 sin(ωt/2 + φ) sin(ωt/2).
double sine_integral(const Sine& s, double t) {
  const double half_angle = two_pi * s.frequency * t / 2;
  return s.offset * t + s.amplitude * t * std::sin(half_angle + s.phase) * sinc(half_angle);
}

/// The index of the last point at or before t; −1 before the first.
std::ptrdiff_t segment(const Table& table, double t) {
  return std::upper_bound(table.times.begin(), table.times.end(), t) - table.times.begin() - 1;
}

double slope(const Table& table, std::size_t i) {
  return (table.values[i + 1] - table.values[i]) / (table.times[i + 1] - table.times[i]);
}

bool is_last(const Table& table, std::ptrdiff_t i) {
  return i + 1 == static_cast<std::ptrdiff_t>(table.times.size());
}

double table_value(const Table& table, double t) {
  const std::ptrdiff_t i = segment(table, t);
  if (i < 0) return table.values.front();
  if (is_last(table, i)) return table.values.back();
  const auto k = static_cast<std::size_t>(i);
  return table.values[k] + slope(table, k) * (t - table.times[k]);
}

/// From the left at the points (a step ends there), from the right at the first.
double table_derivative(const Table& table, double t) {
  std::ptrdiff_t i = segment(table, t);
  if (i < 0) return 0;
  constexpr double rounding = 4e-16;
  const double time = table.times[static_cast<std::size_t>(i)];
  if (i > 0 && t - time <= rounding * std::abs(time)) --i;
  return is_last(table, i) ? 0 : slope(table, static_cast<std::size_t>(i));
}

std::vector<double> integrals_at_points(const Table& table) {
  std::vector<double> sums(table.times.size(), 0.0);
  for (std::size_t i = 1; i < sums.size(); ++i) {
    sums[i] = sums[i - 1] +
              (table.values[i] + table.values[i - 1]) / 2 * (table.times[i] - table.times[i - 1]);
  }
  return sums;
}

/// The integral from the first point of the table to t.
double table_integral(const Table& table, const std::vector<double>& at_points, double t) {
  const std::ptrdiff_t i = segment(table, t);
  if (i < 0) return table.values.front() * (t - table.times.front());
  const auto k = static_cast<std::size_t>(i);
  return at_points[k] + (table.values[k] + table_value(table, t)) / 2 * (t - table.times[k]);
}

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

/// A parsed formula. muParser's evaluation works in buffers of the parser, so that calls of `value`
/// are serialised; the results do not depend on their order.
class CompiledFunction::Formula {
 public:
  Formula(const std::string& text, double horizon)
      : horizon_(std::max(horizon, 0.0)), span_(horizon > 0 ? horizon : 1.0) {
    refuse_assignment(text);
    try {
      parser_.DefineVar("t", &t_);
      // muParser's own _pi has only 13 digits.
      for (const char* name : {"pi", "_pi"}) parser_.DefineConst(name, std::numbers::pi);
      for (const char* name : {"e", "_e"}) parser_.DefineConst(name, std::numbers::e);
      parser_.SetExpr(text);
      int results = 0;
      parser_.Eval(results);
      if (results != 1)
        throw std::invalid_argument("a formula must have one value, without commas");
      constant_ = parser_.GetUsedVar().empty();
    } catch (const mu::Parser::exception_type& error) {
      throw std::invalid_argument(describe(error));
    }
  }

  bool is_constant() const { return constant_; }

  double value(double t) const {
    const std::lock_guard lock(mutex_);
    t_ = t;
    try {
      return parser_.Eval();
    } catch (const mu::Parser::exception_type&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  Derivatives derivatives(double t) const { return differentiate(function(), t, span_); }

  double integral(double t) const {
    if (t < 0 || horizon_ == 0) return integrate(function(), 0, t);
    std::call_once(tabulated_, [this] { tabulate(); });
    const double width = horizon_ / panels;
    const auto i = static_cast<int>(std::min(t / width, double{panels}));
    double sum = at_panels_[static_cast<std::size_t>(i)];
    const double start = i * width;
    if (i < panels) return sum + integrate(function(), start, t);
    const int rest = static_cast<int>(std::min(std::ceil((t - start) / width), double{panels}));
    for (int k = 0; k < rest; ++k) {
      sum += integrate(function(), start + (t - start) * k / rest,
                       start + (t - start) * (k + 1) / rest);
    }
    return sum;
  }

 private:
  static constexpr int panels = 1024;

  ScalarFunction function() const {
    return [this](double t) { return value(t); };
  }

  void tabulate() const {
    at_panels_.assign(panels + 1, 0.0);
    const double width = horizon_ / panels;
    double lost = 0;  // what rounding took from the sum so far
    for (std::size_t i = 0; i < panels; ++i) {
      const double start = static_cast<double>(i) * width;
      const double end = static_cast<double>(i + 1) * width;
      const double part = integrate(function(), start, end) - lost;
      at_panels_[i + 1] = at_panels_[i] + part;
      lost = (at_panels_[i + 1] - at_panels_[i]) - part;
    }
  }

  double horizon_;
  double span_;  // of derivatives
  bool constant_ = false;
  mutable mu::Parser parser_;
  mutable double t_ = 0;
  mutable std::mutex mutex_;
  mutable std::once_flag tabulated_;
  mutable std::vector<double> at_panels_;
};

CompiledFunction::CompiledFunction(const TimeFunction& function, double horizon)
    : function_(function) {
  if (const auto* expression = std::get_if<Expression>(&function_)) {
    formula_ = std::make_shared<const Formula>(expression->text, horizon);
  }
  if (const auto* table = std::get_if<Table>(&function_)) {
    if (table->times.empty() || table->times.size() != table->values.size()) {
      throw std::invalid_argument("a table needs as many values as times, at least one");
    }
    table_integral_ = integrals_at_points(*table);
  }
}

CompiledFunction::~CompiledFunction() = default;
CompiledFunction::CompiledFunction(CompiledFunction&&) noexcept = default;
CompiledFunction& CompiledFunction::operator=(CompiledFunction&&) noexcept = default;
CompiledFunction::CompiledFunction(const CompiledFunction&) = default;
CompiledFunction& CompiledFunction::operator=(const CompiledFunction&) = default;

double CompiledFunction::value(double t) const {
  if (formula_) return formula_->value(t);
  if (const auto* table = std::get_if<Table>(&function_)) return table_value(*table, t);
  if (const auto* s = std::get_if<Sine>(&function_)) {
    return s->offset + s->amplitude * std::sin(phase(*s, t));
  }
  return std::get<double>(function_);
}

double CompiledFunction::first_derivative(double t) const {
  if (formula_) return formula_->derivatives(t).first;
  if (const auto* table = std::get_if<Table>(&function_)) return table_derivative(*table, t);
  if (const auto* s = std::get_if<Sine>(&function_)) {
    return s->amplitude * two_pi * s->frequency * std::cos(phase(*s, t));
  }
  return 0;
}

double CompiledFunction::second_derivative(double t) const {
  if (formula_) return formula_->derivatives(t).second;
  if (const auto* s = std::get_if<Sine>(&function_)) {
    const double rate = two_pi * s->frequency;
    return -s->amplitude * rate * rate * std::sin(phase(*s, t));
  }
  return 0;
}

double CompiledFunction::integral(double t) const {
  if (formula_) return formula_->integral(t);
  if (const auto* table = std::get_if<Table>(&function_)) {
    return table_integral(*table, table_integral_, t) - table_integral(*table, table_integral_, 0);
  }
  if (const auto* s = std::get_if<Sine>(&function_)) return sine_integral(*s, t);
  return std::get<double>(function_) * t;
}

bool CompiledFunction::is_constant() const {
  if (formula_) return formula_->is_constant();
  if (const auto* table = std::get_if<Table>(&function_)) {
    const std::vector<double>& values = table->values;
    return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
  }
  if (const auto* s = std::get_if<Sine>(&function_)) return s->amplitude == 0 || s->frequency == 0;
  return true;
}

}  // namespace saltus
