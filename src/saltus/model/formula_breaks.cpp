// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/model/tuning.hpp"

namespace saltus {
namespace {

using Rule = FormulaSwitch::Rule;
using Undefined = FormulaBound::Undefined;

/// The level of what is no number.
constexpr double no_level = std::numeric_limits<double>::infinity();

double next_number(double t) { return std::nextafter(t, std::numeric_limits<double>::infinity()); }

/// The number of the period, or the sign: it rises with x.
double level_of(const FormulaSwitch& s, double x) {
  if (std::isnan(x)) return no_level;
  if (s.rule == Rule::Step) return std::floor(x / s.period + 0.5);
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/// As muParser compares: the first of equal ones.
double extreme_place(std::span<const double> values, bool largest) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (largest ? values[place] < values[i] : values[i] < values[place]) place = i;
  }
  return static_cast<double>(place);
}

/// A switch at one time.
struct SwitchState {
  double level = 0;    ///< of a − b
  double visible = 0;  ///< another number here is a break of the formula
  bool active = true;  ///< the conditions around it hold
};

/// The search for the first break of one switch.
class SwitchSearch {
 public:
  SwitchSearch(const FormulaSwitch& s, FormulaBounds& bounds, SwitchValues& values, double span)
      : switch_(s), bounds_(bounds), values_(values), span_(span) {}

  /// Depth first, the left half first. Neighbouring intervals that cannot be divided are one.
  std::optional<Break> first(double from, double until) {
    from_ = from;
    blind_width_ = BreakTuning::blind_resolution * (until - from);
    std::vector<Interval> open = {{from, until}};
    std::optional<Interval> dark;  // where nothing could be decided
    while (!open.empty()) {
      const Interval T = open.back();
      open.pop_back();
      const Verdict verdict = judge(T);
      if (verdict == Verdict::Divide) {
        const double middle = T.lo + T.width() / 2;
        open.push_back({middle, T.hi});
        open.push_back({T.lo, middle});
        continue;
      }
      if (verdict == Verdict::Dark) {
        dark = {dark ? dark->lo : T.lo, T.hi};
        continue;
      }
      if (dark) {
        if (const auto found = in_the_dark(*dark)) return found;
        dark.reset();
      }
      if (verdict == Verdict::Ends) {
        if (const auto found = crossing(T)) return found;
      }
    }
    return dark ? in_the_dark(*dark) : std::nullopt;
  }

 private:
  enum class Verdict {
    Nothing,  ///< the level does not change
    Ends,     ///< it changes if it is another at the end: monotonic, or too much to look at
    Divide,
    Dark,  ///< nothing can be decided
  };

  /// The difference a − b, or a where there is only it.
  FormulaBound difference(const Interval& time) {
    const FormulaBound a = bounds_.over(switch_.a, time);
    if (!switch_.b && switch_.threshold == 0) return a;
    const FormulaBound b = switch_.b ? bounds_.over(*switch_.b, time)
                                     : FormulaBound{{switch_.threshold, switch_.threshold}};
    return {a.value - b.value, a.slope - b.slope, std::max(a.undefined, b.undefined),
            a.unknown || b.unknown};
  }

  bool is_decided(const FormulaBound& d) const {
    if (d.undefined != Undefined::Never) return d.undefined == Undefined::Always;
    return level_of(switch_, d.value.lo) == level_of(switch_, d.value.hi);
  }

  /// Whether a condition around the switch keeps it out of the whole interval.
  bool is_idle(const Interval& time) {
    return std::any_of(switch_.guards.begin(), switch_.guards.end(), [&](const auto& guard) {
      const FormulaBound& c = bounds_.over(guard.first, time);
      if (c.undefined != Undefined::Never) return false;
      return guard.second ? c.value.lo == 0 && c.value.hi == 0 : !c.value.contains(0);
    });
  }

  Verdict judge(const Interval& T) {
    ++count_;
    if (is_idle(T)) return Verdict::Nothing;
    FormulaBound d = difference(T);
    if (is_decided(d)) return Verdict::Nothing;
    const bool defined = d.undefined == Undefined::Never;
    if (defined && (d.slope.lo >= 0 || d.slope.hi <= 0)) return Verdict::Ends;
    const double middle = T.lo + T.width() / 2;
    if (middle <= T.lo || middle >= T.hi) return Verdict::Dark;
    const FormulaBound centre = difference({middle, middle});
    if (defined && std::isfinite(d.slope.width())) {
      // The mean value form, and the round-off of other places, about as large as here.
      const double noise = centre.value.width();
      const Interval mean = centre.value + d.slope * Interval{T.lo - middle, T.hi - middle};
      d.value = common(d.value, {mean.lo - noise, mean.hi + noise});
      if (is_decided(d)) return Verdict::Nothing;
    }
    if (is_as_fine_as_can_be(T, d, centre)) return Verdict::Dark;
    const bool blind = d.unknown || count_ > BreakTuning::bounds;
    return blind && T.width() <= blind_width_ ? Verdict::Ends : Verdict::Divide;
  }

  bool is_as_fine_as_can_be(const Interval& T, const FormulaBound& d,
                            const FormulaBound& centre) const {
    const double scale = std::max({std::abs(T.lo), std::abs(T.hi), span_});
    if (T.width() <= BreakTuning::resolution * scale) return true;
    const double round_off = BreakTuning::round_off * centre.value.width();
    return !is_decided(centre) && std::isfinite(round_off) && d.value.width() <= round_off;
  }

  SwitchState at(double t) {
    const std::span<const double> all = values_.at(t);
    const std::span<const double> values = all.first(switch_.operands.size());
    const double a = values[static_cast<std::size_t>(switch_.place_a)];
    const double b =
        switch_.b ? values[static_cast<std::size_t>(switch_.place_b)] : switch_.threshold;
    SwitchState state;
    state.level = level_of(switch_, a == b ? 0 : a - b);
    if (switch_.rule == Rule::Step) state.level = level_of(switch_, a);
    state.visible = visible(state.level, values);
    for (std::size_t i = 0; i < switch_.guards.size(); ++i) {
      const bool holds = all[values.size() + i] != 0;
      state.active = state.active && holds == switch_.guards[i].second;
    }
    return state;
  }

  double visible(double level, std::span<const double> values) const {
    if (level == no_level) return no_level;
    switch (switch_.rule) {
      case Rule::Below:
        return level < 0 ? 0 : 1;
      case Rule::Above:
        return level > 0 ? 1 : 0;
      case Rule::Equality:
        return level == 0 ? 1 : 0;
      case Rule::Cut:
        return is_on_cut(values) ? level : 2;
      case Rule::Smallest:
      case Rule::Largest:
        return extreme_place(values, switch_.rule == Rule::Largest);
      default:
        return level;
    }
  }

  /// atan2 jumps where its first argument changes the sign and the second is not positive, and
  /// where the second does and the first is zero.
  bool is_on_cut(std::span<const double> values) const {
    return switch_.place_a == 0 ? !(values[1] > 0) : values[0] == 0;
  }

  static bool is_break(const SwitchState& before, const SwitchState& after) {
    return before.visible != after.visible && (before.active || after.active);
  }

  /// The first visible change of the level in an interval in which it rises or falls.
  std::optional<Break> crossing(const Interval& T) {
    double start = T.lo;
    SwitchState old = at(start);
    const double last = at(T.hi).level;
    while (old.level != last) {
      double before = start, after = T.hi;
      for (double t = before + (after - before) / 2; t > before && t < after;
           t = before + (after - before) / 2) {
        (at(t).level == old.level ? before : after) = t;
      }
      const SwitchState fresh = at(after);
      if (is_break(at(before), fresh)) return Break{before, after};
      start = after;
      old = fresh;
    }
    return std::nullopt;
  }

  /// Where bounds decide nothing: a change from one end to the other is found. A zero that is only
  /// touched counts where that makes a kink, and not at the beginning, where the last search was.
  std::optional<Break> in_the_dark(const Interval& T) {
    if (const auto found = crossing(T)) return found;
    const bool touching = switch_.rule == Rule::Edge || switch_.rule == Rule::Equality;
    const double middle = T.lo + T.width() / 2;
    const double after = next_number(middle);
    if (!touching || T.lo <= from_ || after > T.hi || !at(middle).active) return std::nullopt;
    return Break{middle, after};
  }

  const FormulaSwitch& switch_;
  FormulaBounds& bounds_;
  SwitchValues& values_;
  double span_;
  double from_ = 0;
  double blind_width_ = 0;
  int count_ = 0;
};

}  // namespace

SwitchValues::SwitchValues(const FormulaTree& tree, const FormulaSwitch& s) {
  const auto append = [&](int node) {
    text_ += text_.empty() ? "(" : ",(";
    text_ += tree.node(node).text;
    text_ += ')';
  };
  for (const int operand : s.operands) append(operand);
  for (const auto& guard : s.guards) append(guard.first);
}

std::span<const double> SwitchValues::at(double t) {
  if (!values_) values_.emplace(text_);
  return values_->at(t);
}

FormulaBreaks::FormulaBreaks(const std::string& text, double span)
    : tree_(text), bounds_(tree_), span_(span), switches_(find_switches(tree_)) {
  for (const FormulaSwitch& s : switches_) values_.emplace_back(tree_, s);
}

std::optional<Break> FormulaBreaks::earliest(double after, double until) {
  std::optional<Break> best;
  for (std::size_t i = 0; i < switches_.size() && after < until; ++i) {
    SwitchSearch search(switches_[i], bounds_, values_[i], span_);
    if (const auto found = search.first(after, until)) {
      best = found;
      until = found->after;
    }
  }
  return best;
}

std::optional<Break> FormulaBreaks::next(double after, double until) {
  std::optional<Break> result = earliest(after, until);
  if (!result) return result;
  const double scale = std::max(std::abs(result->before), span_);
  const double near = std::min(until, result->before + BreakTuning::resolution * scale);
  while (const auto another = earliest(result->after, near)) result->after = another->after;
  return result;
}

}  // namespace saltus
