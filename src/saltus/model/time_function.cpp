// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include "saltus/model/calculus.hpp"
#include "saltus/model/formula_breaks.hpp"
#include "saltus/model/formula_jets.hpp"
#include "saltus/model/formula_values.hpp"
#include "saltus/model/tuning.hpp"

namespace saltus {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double table_rounding = 4e-16;  // of a time that is meant to be a point of the table

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
  const double time = table.times[static_cast<std::size_t>(i)];
  if (i > 0 && t - time <= table_rounding * std::abs(time)) --i;
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

/// The smallest time at which table_derivative no longer gives the slope before a point.
double after_point(double time) {
  const double margin = table_rounding * std::abs(time);
  double t = time + margin;
  while (!(t - time > margin)) t = std::nextafter(t, forever);
  while (std::nextafter(t, time) - time > margin) t = std::nextafter(t, time);
  return t;
}

/// What rounding of times and values may make of the slope of a segment.
double slope_noise(const Table& table, std::size_t i) {
  const auto &t = table.times, &y = table.values;
  const double values = std::abs(y[i]) + std::abs(y[i + 1]);
  const double times = std::abs(slope(table, i)) * (std::abs(t[i]) + std::abs(t[i + 1]));
  return std::numeric_limits<double>::epsilon() * (values + times) / (t[i + 1] - t[i]);
}

/// Whether the slope changes at a point by more than round-off.
bool has_kink(const Table& table, std::size_t i) {
  const bool first = i == 0, last = i + 1 == table.times.size();
  const double left = first ? 0 : slope(table, i - 1), right = last ? 0 : slope(table, i);
  const double noise = (first ? 0 : slope_noise(table, i - 1)) + (last ? 0 : slope_noise(table, i));
  return !(std::abs(right - left) <= noise);
}

Break table_break(const Table& table, std::size_t i) {
  const double time = table.times[i];
  if (i == 0) return {std::nextafter(time, -forever), time};
  return {time, after_point(time)};
}

std::optional<Break> next_table_break(const Table& table, double after, double until) {
  const std::size_t size = table.times.size();
  if (size < 2) return std::nullopt;
  for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(segment(table, after), 0));
       i < size && table.times[i] <= until; ++i) {
    if (!has_kink(table, i)) continue;
    Break found = table_break(table, i);
    if (found.after <= after) continue;
    while (i + 1 < size && table.times[i + 1] <= found.after) {  // nearer than round-off
      found.after = table_break(table, ++i).after;
    }
    if (found.after > until) return std::nullopt;
    return Break{std::max(found.before, after), found.after};
  }
  return std::nullopt;
}

bool table_has_breaks(const Table& table) {
  if (table.times.size() < 2) return false;
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    if (has_kink(table, i)) return true;
  }
  return false;
}

}  // namespace

/// A parsed formula. muParser's evaluation works in buffers of the parser, so that calls of `value`
/// are serialised, as those of the jets; the results do not depend on their order.
class CompiledFunction::Formula {
 public:
  Formula(const std::string& text, double time_scale)
      : span_(time_scale > 0 ? time_scale : 1.0),
        values_(single(text)),
        jets_(text),
        breaks_(text, span_) {}

  bool is_constant() const { return values_.is_constant(); }
  bool has_breaks() const { return !breaks_.none(); }

  double value(double t) const {
    const std::lock_guard lock(mutex_);
    return values_.at(t)[0];
  }

  std::optional<Break> next_break(double after, double until) const {
    const std::lock_guard lock(breaks_mutex_);
    return breaks_.next(after, until);
  }

  /// Up to a break those of the branch that ends there.
  Derivatives derivatives(double t) const {
    const auto is_known = [](const Derivatives& d) {
      return std::isfinite(d.first) && std::isfinite(d.second);
    };
    const Derivatives exact = exact_derivatives(t);
    if (is_known(exact)) return exact;
    const auto coming = coming_break(t);
    if (!coming) return differentiate(function(), t, span_);
    const auto old_branch = [&](double s) { return s > coming->before ? no_value : value(s); };
    const Derivatives left = differentiate(old_branch, t, span_);
    return is_known(left) ? left : differentiate(function(), t, span_);
  }

  /// Sums of panels, made as far as was asked for, so that they do not depend on who asked first.
  double integral(double t) const {
    if (t < 0) return integrate(function(), 0, t);
    const double width = span_ * panel;
    const std::size_t i = t < width * static_cast<double>(most_panels)
                              ? static_cast<std::size_t>(t / width)
                              : most_panels;
    double sum = up_to_panel(i);
    const double start = static_cast<double>(i) * width;
    const auto parts = static_cast<int>(std::min(std::ceil((t - start) / width), 1024.0));
    for (int k = 0; k < parts; ++k) {
      sum += integrate(function(), start + (t - start) * k / parts,
                       start + (t - start) * (k + 1) / parts);
    }
    return sum;
  }

 private:
  static constexpr double panel = 1.0 / 1024;          // of the span
  static constexpr std::size_t most_panels = 1 << 22;  // beyond, integrals begin at the last
  static constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

  static FormulaValues single(const std::string& text) {
    FormulaValues values(text);
    if (values.count() != 1)
      throw std::invalid_argument("a formula must have one value, without commas");
    return values;
  }

  ScalarFunction function() const {
    return [this](double t) { return value(t); };
  }

  Derivatives exact_derivatives(double t) const {
    const auto at = [&](FormulaJets::Side side) {
      const Jet y = jets_.at(t, side);
      return Derivatives{y.first, y.second};
    };
    const std::lock_guard lock(mutex_);
    const Derivatives right = at(FormulaJets::Side::Right);
    if (!jets_.was_kink()) return right;
    const auto coming = coming_break(t);
    return coming && coming->before >= t ? at(FormulaJets::Side::Left) : right;
  }

  std::optional<Break> coming_break(double t) const {
    return has_breaks() ? next_break(t, t + BreakTuning::derivative_reach * span_) : std::nullopt;
  }

  double up_to_panel(std::size_t i) const {
    const std::lock_guard lock(panels_mutex_);
    const double width = span_ * panel;
    while (at_panels_.size() <= i) {
      const auto k = static_cast<double>(at_panels_.size());
      const double part = integrate(function(), (k - 1) * width, k * width) - lost_;
      at_panels_.push_back(at_panels_.back() + part);
      lost_ = (at_panels_.back() - at_panels_[at_panels_.size() - 2]) - part;
    }
    return at_panels_[i];
  }

  double span_;
  mutable FormulaValues values_;
  mutable FormulaJets jets_;
  mutable std::mutex mutex_;  // of the values and the jets
  mutable FormulaBreaks breaks_;
  mutable std::mutex breaks_mutex_;
  mutable std::vector<double> at_panels_ = {0.0};  // integrals up to their beginnings
  mutable double lost_ = 0;                        // what rounding took from the last
  mutable std::mutex panels_mutex_;
};

CompiledFunction::CompiledFunction(const TimeFunction& function, double time_scale)
    : function_(function) {
  if (const auto* expression = std::get_if<Expression>(&function_)) {
    formula_ = std::make_shared<const Formula>(expression->text, time_scale);
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

bool CompiledFunction::has_breaks() const {
  if (formula_) return formula_->has_breaks();
  const auto* table = std::get_if<Table>(&function_);
  return table != nullptr && table_has_breaks(*table);
}

std::optional<Break> CompiledFunction::next_break(double after, double until) const {
  if (!(after < until)) return std::nullopt;
  if (formula_) return formula_->next_break(after, until);
  const auto* table = std::get_if<Table>(&function_);
  return table != nullptr ? next_table_break(*table, after, until) : std::nullopt;
}

}  // namespace saltus
