// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "saltus/core/input_error.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus {
namespace {

/// Times that differ by less, relative to the end, are the same.
constexpr double same_time = 1e-9;

/// Events with the same time in a run, which may come in any order, are sorted by name.
constexpr double same_moment = 1e-9;

/// A range is at least this part of the largest value that owners of its kind have: what is smaller
/// is noise of the solvers, and a difference of it none.
constexpr double least_range = 1e-6;

/// Differences below this part of the same value are round-off.
constexpr double round_off = 1e-12;

/// The size of things where no column tells it, m: all rest at the origin.
constexpr double least_length = 1e-3;

/// Columns with the same word here are judged by one range: components share it, all energies do.
std::string range_of(const Channel& channel) {
  if (channel.owner.kind == OwnerKind::Ledger) return "energy";
  const std::size_t end = channel.component.empty() ? 0 : channel.component.size() + 1;
  return channel.name.substr(0, channel.name.size() - end);
}

/// What all owners of a kind have: "position" of bodies.
using KindOfColumn = std::pair<OwnerKind, std::string>;

KindOfColumn kind_of(const Channel& channel) {
  if (channel.owner.kind == OwnerKind::Ledger) return {OwnerKind::Ledger, ""};
  return {channel.owner.kind, channel.kind};
}

/// Why a column is not compared; empty if it is.
std::string reason_against(const Channel& channel) {
  if (channel.owner.kind == OwnerKind::Solver) return "how it was computed, not what";
  if (channel.kind == quantities::status.word) return "no number; events tell its changes";
  return {};
}

/// "iterations.smooth" of the solver, else the quantity.
std::string told_kind(const Channel& channel) {
  return channel.owner.kind == OwnerKind::Solver ? channel.name : channel.kind;
}

void leave_out(const Channel& channel, std::string reason, std::vector<NotCompared>& list) {
  const std::string what = told_kind(channel);
  const auto known = std::ranges::find(list, what, &NotCompared::what);
  if (known != list.end()) {
    ++known->columns;
  } else {
    list.push_back({.what = what, .reason = std::move(reason), .columns = 1});
  }
}

/// The largest values of a unit in both results, for units whose values can be made of others:
/// where all torques are noise, forces times lengths say how large they could be.
class UnitScales {
 public:
  explicit UnitScales(double duration) : duration_(duration) {}

  void add(const std::string& unit, double value) {
    double& largest = largest_[unit];
    if (std::isfinite(value)) largest = std::max(largest, value);
  }

  double of(const std::string& unit) const {
    if (unit.empty()) return 0;  // not known
    const double own = largest(unit), rate = 1 / duration_, force = largest("N");
    const double length =
        std::max({largest("m"), force > 0 ? largest("N m") / force : 0, least_length});
    if (unit == "m") return length;
    if (unit == "1") return std::max(own, 1e-3);  // strains
    if (unit == "rad") return std::max(own, 1.0);
    if (unit == "m/s") return std::max(own, length * rate);
    if (unit == "rad/s") return std::max(own, rate);
    if (unit == "J") return std::max({own, length * force, length * rate * largest("N s")});
    if (unit == "N") return std::max(own, largest("J") / length);
    if (unit == "N s") return std::max(own, largest("J") / (length * rate));
    if (unit == "N m") return std::max(own, length * force);
    if (unit == "N m s") return std::max(own, length * largest("N s"));
    return own;
  }

 private:
  double largest(const std::string& unit) const {
    const auto known = largest_.find(unit);
    return known == largest_.end() ? 0 : known->second;
  }

  double duration_;
  std::map<std::string, double> largest_;
};

std::vector<double> common_times(const ResultTable& first, const ResultTable& second,
                                 double tolerance, bool& interpolated) {
  std::vector<double> both, inside;
  const std::vector<double>& other = second.time();
  std::size_t j = 0;
  for (const double t : first.time()) {
    while (j + 1 < other.size() && other[j + 1] <= t + tolerance) ++j;
    const bool near = std::abs(other[j] - t) <= tolerance ||
                      (j + 1 < other.size() && std::abs(other[j + 1] - t) <= tolerance);
    if (near) both.push_back(t);
    if (t >= other.front() - tolerance && t <= other.back() + tolerance) inside.push_back(t);
  }
  interpolated = both.size() < std::min<std::size_t>(10, inside.size());
  return interpolated ? inside : both;
}

/// Impacts, or contacts that stick and slip, in an order that does not depend on who came first at
/// one moment. (Whether a contact closes and opens around an impact depends on the integrator.)
/// @param end  of the shorter run: later ones have no counterpart
std::vector<EventLine> chosen(const std::vector<EventLine>& events, bool impacts, double end) {
  std::vector<EventLine> result;
  for (const EventLine& event : events) {
    if (event.time > end) continue;
    const bool changes = event.kind == "sticks" || event.kind == "slips";
    if (impacts ? event.kind == "impact" || event.kind == "stop" : changes) result.push_back(event);
  }
  std::stable_sort(result.begin(), result.end(), [](const EventLine& a, const EventLine& b) {
    if (std::abs(a.time - b.time) > same_moment) return a.time < b.time;
    return a.order != b.order ? a.order < b.order : a.contact < b.contact;
  });
  return result;
}

EventDifference compare_events(const std::vector<EventLine>& first,
                               const std::vector<EventLine>& second) {
  EventDifference result{.first_count = first.size(), .second_count = second.size()};
  std::size_t i = 0;
  for (; i < std::min(first.size(), second.size()); ++i) {
    if (first[i].contact != second[i].contact || first[i].kind != second[i].kind) break;
    const double late = std::abs(first[i].time - second[i].time);
    if (late > result.latest) {
      result.latest = late;
      result.latest_at = first[i].time;
    }
    const double larger = std::max(std::abs(first[i].impulse), std::abs(second[i].impulse));
    if (larger > 0) {
      result.impulse =
          std::max(result.impulse, std::abs(first[i].impulse - second[i].impulse) / larger);
    }
  }
  result.alike = i;
  if (i < first.size()) result.first_other = first[i];
  if (i < second.size()) result.second_other = second[i];
  return result;
}

}  // namespace

double value_at(const ResultTable& table, const std::vector<double>& column, double time) {
  const std::vector<double>& t = table.time();
  const auto after = std::lower_bound(t.begin(), t.end(), time);
  const auto i = static_cast<std::size_t>(after - t.begin());
  if (i == t.size()) return column.back();
  if (i == 0 || *after == time) return column[i];  // no 0 · NaN of the row before
  const double length = t[i] - t[i - 1];
  const double part = length > 0 ? (time - t[i - 1]) / length : 1;
  return (1 - part) * column[i - 1] + part * column[i];
}

std::vector<double> compared_values(const ResultTable& table, const std::string& name, bool is_sum,
                                    double since) {
  std::vector<double> values = *table.find(name);
  if (!is_sum) return values;
  double sum = 0;
  for (double& value : values) value = sum += std::isfinite(value) ? value : 0;
  const double before = value_at(table, values, since);
  for (double& value : values) value -= before;
  return values;
}

namespace {

/// All columns of both, in three passes: values, what they are measured by, where they part.
class ColumnComparison {
 public:
  ColumnComparison(const ResultTable& first, const ResultTable& second, std::vector<double> times,
                   ResultComparison& result)
      : first_(first),
        second_(second),
        times_(std::move(times)),
        result_(result),
        units_(std::max(times_.back() - times_.front(), 1e-300)) {}

  void compare(double tolerance) {
    for (std::size_t c = 1; c < first_.channels.size(); ++c) find_largest(first_.channels[c]);
    for (Entry& entry : entries_) measure(entry, tolerance);
    std::stable_sort(result_.columns.begin(), result_.columns.end(),
                     [](const ColumnDifference& a, const ColumnDifference& b) {
                       return a.differs() != b.differs() ? a.differs()
                                                         : a.relative() > b.relative();
                     });
  }

 private:
  struct Entry {
    const Channel* channel;
    ColumnDifference difference = {};
  };

  template <class Visitor>
  void at_all_times(const ColumnDifference& column, Visitor visit) const {
    const auto values = [&](const ResultTable& table) {
      return compared_values(table, column.name, column.is_sum, result_.from);
    };
    const std::vector<double> a = values(first_), b = values(second_);
    for (const double t : times_) {
      if (!visit(t, value_at(first_, a, t), value_at(second_, b, t))) break;
    }
  }

  /// Where only one of the two is a number they are as far apart as can be.
  double distance(double a, double b) const {
    if (!result_.interpolated && std::isnan(a) != std::isnan(b)) return HUGE_VAL;
    return std::abs(a - b);
  }

  void find_largest(const Channel& channel) {
    if (second_.find(channel.name) == nullptr) {
      result_.only_first.push_back(channel.name);
      return;
    }
    if (std::string reason = reason_against(channel); !reason.empty()) {
      return leave_out(channel, std::move(reason), result_.not_compared);
    }
    Entry entry{
        &channel,
        {.name = channel.name, .unit = channel.unit, .is_sum = channel.thinning == Thinning::Sum}};
    double least = HUGE_VAL, most = -HUGE_VAL;
    at_all_times(entry.difference, [&](double t, double a, double b) {
      least = std::min({least, a, b});
      most = std::max({most, a, b});
      if (const double apart = distance(a, b); apart > entry.difference.largest) {
        entry.difference.largest = apart;
        entry.difference.at = t;
      }
      return true;
    });
    if (least <= most) {
      double& range = ranges_[range_of(channel)];
      range = std::max(range, most - least);
      const double size = std::max(std::abs(least), std::abs(most));
      double& largest = largest_[kind_of(channel)];
      largest = std::max(largest, size);
      units_.add(channel.unit, size);
    }
    entries_.push_back(std::move(entry));
  }

  void measure(Entry& entry, double tolerance) {
    ColumnDifference& column = entry.difference;
    const double size = std::max(largest_[kind_of(*entry.channel)], units_.of(column.unit));
    column.range = std::max(ranges_[range_of(*entry.channel)], least_range * size);
    column.round_off = round_off * size;
    if (column.differs()) {
      at_all_times(column, [&](double t, double a, double b) {
        if (!(distance(a, b) > tolerance * column.range)) return true;
        column.from = t;
        if (!result_.agree_until || t < *result_.agree_until) result_.agree_until = t;
        return false;
      });
    }
    result_.columns.push_back(std::move(column));
  }

  const ResultTable& first_;
  const ResultTable& second_;
  std::vector<double> times_;
  ResultComparison& result_;
  UnitScales units_;
  std::vector<Entry> entries_;
  std::map<std::string, double> ranges_;
  std::map<KindOfColumn, double> largest_;
};

double relative_difference(double a, double b) {
  const double larger = std::max(std::abs(a), std::abs(b));
  return larger > 0 ? std::abs(a - b) / larger : 0;
}

ModeDifference compare_modes(const std::vector<ModeLine>& first,
                             const std::vector<ModeLine>& second) {
  ModeDifference result{.first_count = first.size(), .second_count = second.size()};
  double largest = 0;  // of the values: rigid motions have frequencies that are round-off
  for (const std::vector<ModeLine>* modes : {&first, &second}) {
    for (const ModeLine& mode : *modes) {
      largest = std::max({largest, std::abs(mode.frequency), std::abs(mode.growth_rate)});
    }
  }
  const auto is_noise = [&](double a, double b) {
    return std::max(std::abs(a), std::abs(b)) <= least_range * largest;
  };
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    for (double ModeLine::*value : {&ModeLine::frequency, &ModeLine::growth_rate}) {
      const double a = first[i].*value, b = second[i].*value;
      const double relative = is_noise(a, b) ? 0 : relative_difference(a, b);
      if (relative <= result.relative) continue;
      result.relative = relative;
      result.mode = static_cast<int>(i) + 1;
      result.first = first[i];
      result.second = second[i];
    }
  }
  return result;
}

/// Bit by bit in the columns of both; a result that goes on is no difference.
std::optional<FirstDifference> first_difference(const ResultTable& a, const ResultTable& b) {
  std::vector<std::array<std::size_t, 2>> both;
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    const auto place = std::ranges::find(b.channels, a.channels[i].name, &Channel::name);
    if (place != b.channels.end()) {
      both.push_back({i, static_cast<std::size_t>(place - b.channels.begin())});
    }
  }
  for (std::size_t row = 0; row < std::min(a.rows(), b.rows()); ++row) {
    std::optional<FirstDifference> found;
    double most = -1;
    for (const auto& [i, j] : both) {
      const double first = a.columns[i][row], second = b.columns[j][row];
      const bool is_same = first == second || (std::isnan(first) && std::isnan(second));
      const double by = relative_difference(first, second);
      if (is_same || !(by > most)) continue;
      most = by;
      found = {row, a.time()[row], a.channels[i].name, first, second};
    }
    if (found) return found;
  }
  return {};
}

std::optional<EventDifference> compare_events(const ComparedResult& first,
                                              const ComparedResult& second, bool impacts) {
  for (const ComparedResult* result : {&first, &second}) {
    if (result->recorded == EventDetail::None) return {};
    if (result->recorded == EventDetail::Impacts && !impacts) return {};
  }
  const double end = std::min(first.table.time().back(), second.table.time().back());
  const double last = end + same_time * std::abs(end);
  return compare_events(chosen(first.events, impacts, last), chosen(second.events, impacts, last));
}

}  // namespace

ResultComparison compare_results(const ComparedResult& first, const ComparedResult& second,
                                 double tolerance) {
  ResultComparison result;
  const ResultTable &a = first.table, &b = second.table;
  const double close = same_time * std::max(std::abs(a.time().back()), 1e-300);
  std::vector<double> times = common_times(a, b, close, result.interpolated);
  if (times.empty()) throw FileError("the two results have no time in common");
  result.instants = times.size();
  result.from = times.front();
  result.to = times.back();
  result.ends_together = std::abs(a.time().back() - b.time().back()) <= close;
  for (const Channel& channel : b.channels) {
    if (a.find(channel.name) == nullptr) result.only_second.push_back(channel.name);
  }
  ColumnComparison(a, b, std::move(times), result).compare(tolerance);
  if (result.columns.empty()) throw FileError("the two results have no columns in common");
  result.impacts = compare_events(first, second, true);
  result.changes = compare_events(first, second, false);
  result.modes = compare_modes(first.modes, second.modes);
  result.first_row = first_difference(a, b);
  return result;
}

ComparedResult read_compared(const std::filesystem::path& directory) {
  return {.table = read_timeseries(directory),
          .recorded = recorded_events(directory),
          .events = read_events(directory),
          .modes = read_modes(directory),
          .has_forces = std::filesystem::exists(directory / "contact_forces.csv")};
}

}  // namespace saltus
